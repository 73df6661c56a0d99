"""The numbers that rate one section in one system: one flat, immutable tuple.

Every field is a number. ``OFF`` marks a rule that is not in force (a rule that did not exist yet, or does not apply to
the system); ``UNLIMITED`` marks an upper end that does not exist. A rule whose *shape* changed names a variant, a small
integer below; code branches on it. Dates, values and sources live in ``timeline/*.toml``; a table value there becomes
one field per key, ``rule_key``.
"""

import math
from enum import StrEnum
from typing import Annotated, NamedTuple, TypeAlias

OFF = -1.0
"""The value of every field of a rule that is off; no number of a rule that is in force is -1."""

UNLIMITED = math.inf
"""An upper end that does not exist."""


class FieldMark(StrEnum):
    """What the timeline may give for a field, beside a number of 0 or more; a mark of the field's type."""

    OFF = "off"
    """Those who use the field can do without the rule; elsewhere off would be the number -1."""
    UNLIMITED = "unlimited"
    SIGNED = "signed"
    POSITIVE = "positive"
    """Not even 0."""
    LEFT_OUT = "left out"
    """A key that a value may leave out; it is off then."""


FloatOrOff: TypeAlias = Annotated[float, FieldMark.OFF]
UpperEnd: TypeAlias = Annotated[float, FieldMark.UNLIMITED]
UpperEndOrOff: TypeAlias = Annotated[float, FieldMark.UNLIMITED, FieldMark.OFF]
Signed: TypeAlias = Annotated[float, FieldMark.SIGNED]
SignedOrOff: TypeAlias = Annotated[float, FieldMark.SIGNED, FieldMark.OFF]
Positive: TypeAlias = Annotated[float, FieldMark.POSITIVE]
PositiveOrOff: TypeAlias = Annotated[float, FieldMark.POSITIVE, FieldMark.OFF]
Condition: TypeAlias = Annotated[float, FieldMark.POSITIVE, FieldMark.OFF, FieldMark.LEFT_OUT]
PositiveUpperEndOrOff: TypeAlias = Annotated[float, FieldMark.POSITIVE, FieldMark.UNLIMITED, FieldMark.OFF]

# Variants of initial_method.
PRIORITY_LISTS = 1
BLEND = 2
CONSTANT = 3

# Variants of stored_precision.
FLOAT = 1
INTEGER_AWAY = 2
INTEGER_NEAREST = 3

# Variants of expectancy.
LOGISTIC = 1
LINEAR = 2
NORMAL = 3
FIDE_TABLE = 4

# Variants of opponent_ratings.
REVISED = 1
BEFORE = 2

# Variants of blend_rounding.
NEAREST = 1
NOT_ROUNDED = 2

# Variants of age_rating_too_young: how a birth date that makes the player too young is read.
AS_MISSING = 1
AS_ADULT = 2

# Variants of foreign_eligibility; the first two are of timelines that update only entries marked so.
FLAG_OR_MEMBER = 1
ESTABLISHED_MEMBER = 2
FLAG_OR_MEMBERSHIP = 3
MEMBERS = 4
ESTABLISHED_MEMBERS = 5

K_STEPS = 5
"""Steps of a table of K (plain_k_1 .. _5)."""

# Clauses of the priority lists (initial_priority_1 .. _8); 0 ends a list.
CLAUSE_END = 0
CLAUSE_FIDE = 1
CLAUSE_CFC = 2
CLAUSE_REGULAR_ESTABLISHED = 3
CLAUSE_REGULAR_FEW_GAMES = 4
CLAUSE_QUICK_FEW_GAMES = 5
CLAUSE_ONLINE_BLITZ_FULL = 6
CLAUSE_ONLINE_QUICK = 7
CLAUSE_QUICK = 8
CLAUSE_BLITZ = 9
CLAUSE_REGULAR = 10
CLAUSE_AGE = 11

VARIANT_NAMES: dict[str, dict[str, int]] = {
    "initial_method": {"priority-lists": PRIORITY_LISTS, "blend": BLEND, "constant": CONSTANT},
    "stored_precision": {"float": FLOAT, "integer-away": INTEGER_AWAY, "integer-nearest": INTEGER_NEAREST},
    "expectancy": {"logistic": LOGISTIC, "linear": LINEAR, "normal": NORMAL, "fide-table": FIDE_TABLE},
    "opponent_ratings": {"revised": REVISED, "before": BEFORE},
    "blend_rounding": {"nearest": NEAREST, "none": NOT_ROUNDED},
    "age_rating_too_young": {"as-missing": AS_MISSING, "as-adult": AS_ADULT},
    "foreign_eligibility": {
        "flag-or-member": FLAG_OR_MEMBER,
        "established-member": ESTABLISHED_MEMBER,
        "flag-or-membership": FLAG_OR_MEMBERSHIP,
        "members": MEMBERS,
        "established-members": ESTABLISHED_MEMBERS,
    },
    "initial_priority": {
        "fide": CLAUSE_FIDE,
        "cfc": CLAUSE_CFC,
        "regular-established": CLAUSE_REGULAR_ESTABLISHED,
        "regular-from-few-games": CLAUSE_REGULAR_FEW_GAMES,
        "quick-from-few-games": CLAUSE_QUICK_FEW_GAMES,
        "online-blitz-in-full": CLAUSE_ONLINE_BLITZ_FULL,
        "online-quick": CLAUSE_ONLINE_QUICK,
        "quick": CLAUSE_QUICK,
        "blitz": CLAUSE_BLITZ,
        "regular": CLAUSE_REGULAR,
        "age": CLAUSE_AGE,
    },
}
"""Words that the timeline files use for variants, by field (or by list rule)."""

YES_OR_NO_FIELDS = {
    "system_exists", "cfc_conversion_knees_belong_below", "cfc_residents_only", "rated_without_games",
    "floors_from_bounds", "ceiling_cuts_first_ratings", "lists_skip_ratings_without_games", "entered_floors_raise",
    "match_established",
}  # fmt: skip


class RulesInForce(NamedTuple):
    """All numbers that rate one section in one system, in rating points, games, days and minutes.

    A field without a default is in every timeline since the first version. A field that a later version adds goes to
    the end and has a default: what holds in timelines of older versions, which have no rule for it. No field is ever
    removed, renamed or moved, since books store fields by name and fingerprints in this order.

    Source: docs/rules/readings.md#2-dated-values.
    """

    # Systems and time controls (T in minutes)
    system_exists: int
    time_control_least: FloatOrOff
    time_control_most: UpperEndOrOff
    main_time_least: FloatOrOff
    # Terms
    established_above_games: float
    days_per_year: Positive
    # Step 1
    initial_method: int
    initial_priority_1: int
    initial_priority_2: int
    initial_priority_3: int
    initial_priority_4: int
    initial_priority_5: int
    initial_priority_6: int
    initial_priority_7: int
    initial_priority_8: int
    initial_least_games: float
    initial_most_games: float
    blend_most_games: FloatOrOff
    blend_staleness_rate: FloatOrOff
    blend_strength_most: FloatOrOff
    blend_strength_scale: PositiveOrOff
    blend_factor_regular: FloatOrOff
    blend_factor_quick: FloatOrOff
    blend_factor_blitz: FloatOrOff
    blend_factor_online_regular: FloatOrOff
    blend_factor_online_quick: FloatOrOff
    blend_factor_online_blitz: FloatOrOff
    # FIDE and CFC ratings
    fide_conversion_low_intercept: Signed
    fide_conversion_low_slope: Signed
    fide_conversion_knee: UpperEnd
    fide_conversion_high_intercept: Signed
    fide_conversion_high_slope: Signed
    fide_youth_conversion_low_intercept: Signed
    fide_youth_conversion_low_slope: Signed
    fide_youth_conversion_knee: UpperEnd
    fide_youth_conversion_high_intercept: Signed
    fide_youth_conversion_high_slope: Signed
    fide_games_above: UpperEnd
    fide_games_high: float
    fide_games_low: float
    cfc_conversion_knees_belong_below: int
    cfc_conversion_intercept_1: Signed
    cfc_conversion_slope_1: Signed
    cfc_conversion_knee_1: UpperEnd
    cfc_conversion_intercept_2: Signed
    cfc_conversion_slope_2: Signed
    cfc_conversion_knee_2: UpperEnd
    cfc_conversion_intercept_3: Signed
    cfc_conversion_slope_3: Signed
    cfc_conversion_knee_3: UpperEnd
    cfc_conversion_intercept_4: Signed
    cfc_conversion_slope_4: Signed
    cfc_games_above: UpperEnd
    cfc_games_high: float
    cfc_games_low: float
    cfc_residents_only: int
    # Age
    age_rating_offset: Signed
    age_rating_slope: Signed
    age_rating_least_age: float
    age_rating_most_age: float
    age_rating_adult: float
    age_rating_default: float
    age_rating_too_young: int
    age_rating_plain_least_age: FloatOrOff
    age_rating_plain_least: FloatOrOff
    # Step 2
    effective_games_most: PositiveUpperEndOrOff
    effective_games_constant: PositiveOrOff
    effective_games_slope: SignedOrOff
    effective_games_centre: FloatOrOff
    effective_games_knee: UpperEndOrOff
    newcomer_effective_games: float
    # Special formula
    special_most_games: FloatOrOff
    special_reach: Positive
    special_unbroken_shift: float
    special_ceiling: UpperEnd
    special_tolerance: float
    # Standard formula
    logistic_scale: Positive
    k_numerator: float
    half_k_numerator: FloatOrOff
    half_k_game_weight: FloatOrOff
    reduced_k_above: UpperEndOrOff
    reduced_k_intercept: SignedOrOff
    reduced_k_slope: SignedOrOff
    reduced_k_least_from: UpperEndOrOff
    reduced_k_least_numerator: FloatOrOff
    # Bonus
    bonus_multiplier: UpperEndOrOff
    bonus_least_counted_games: float
    bonus_eligibility_least_games: float
    bonus_eligibility_most_meetings: float
    bonus_eligibility_most_meetings_at_least_games: float
    # Floors
    absolute_floor: float
    personal_floor_win: FloatOrOff
    personal_floor_draw: FloatOrOff
    personal_floor_section: FloatOrOff
    personal_floor_section_games: FloatOrOff
    personal_floor_most: UpperEndOrOff
    peak_floor_lowest: FloatOrOff
    peak_floor_highest: UpperEndOrOff
    peak_floor_drop: FloatOrOff
    peak_floor_step: PositiveOrOff
    olm_floor_level: FloatOrOff
    olm_floor_games: FloatOrOff
    olm_floor_rating: FloatOrOff
    money_floor_prize: UpperEndOrOff
    money_floor_highest: UpperEndOrOff
    money_floor_step: PositiveOrOff
    # Stored precision
    stored_precision: int
    stored_precision_tolerance: float
    # Matches
    match_difference: UpperEnd
    match_change: UpperEndOrOff
    match_net_short_points: UpperEndOrOff
    match_net_short_days: FloatOrOff
    match_net_long_points: UpperEndOrOff
    match_net_long_years: FloatOrOff
    match_floor_drop: float
    match_coding_least_games: FloatOrOff
    # Foreign FIDE events
    foreign_eligibility: int
    foreign_automatic_rating: float
    foreign_games_above: UpperEnd
    # Added since the first version
    blend_rounding: int = NEAREST
    rated_without_games: int = 0
    floors_from_bounds: int = 0
    ceiling_cuts_first_ratings: int = 0
    national_rating_most_games: UpperEnd = UNLIMITED
    lists_skip_ratings_without_games: int = 0
    entered_floors_raise: int = 0
    match_established: int = 1
    initial_constant: FloatOrOff = OFF
    expectancy: int = LOGISTIC
    expectancy_most_difference: UpperEnd = UNLIMITED
    opponent_ratings: int = REVISED
    k_times_games_most: UpperEnd = UNLIMITED
    plain_k_1_k: FloatOrOff = OFF
    plain_k_1_games_below: Condition = OFF
    plain_k_1_rating_below: Condition = OFF
    plain_k_1_age_below: Condition = OFF
    plain_k_2_k: FloatOrOff = OFF
    plain_k_2_games_below: Condition = OFF
    plain_k_2_rating_below: Condition = OFF
    plain_k_2_age_below: Condition = OFF
    plain_k_3_k: FloatOrOff = OFF
    plain_k_3_games_below: Condition = OFF
    plain_k_3_rating_below: Condition = OFF
    plain_k_3_age_below: Condition = OFF
    plain_k_4_k: FloatOrOff = OFF
    plain_k_4_games_below: Condition = OFF
    plain_k_4_rating_below: Condition = OFF
    plain_k_4_age_below: Condition = OFF
    plain_k_5_k: FloatOrOff = OFF
    plain_k_5_games_below: Condition = OFF
    plain_k_5_rating_below: Condition = OFF
    plain_k_5_age_below: Condition = OFF


def is_marked(field: str, mark: FieldMark) -> bool:
    """Return whether the type of *field* has a *mark*.

    >>> is_marked("match_change", FieldMark.UNLIMITED), is_marked("match_change", FieldMark.SIGNED)
    (True, False)
    """
    return mark in getattr(RulesInForce.__annotations__[field], "__metadata__", ())


def off_value(field: str) -> float | None:
    """Return what *field* holds where there is no rule for it; None: there has always been one.

    >>> off_value("match_change"), off_value("logistic_scale")
    (-1.0, None)
    """
    return RulesInForce._field_defaults.get(field, OFF if is_marked(field, FieldMark.OFF) else None)


def stated_fields(rules: RulesInForce) -> tuple[str, ...]:
    """Return the fields that books and fingerprints name: all but those of later versions that say nothing new."""
    later = RulesInForce._field_defaults
    return tuple(
        field for field in rules._fields if field not in later or getattr(rules, field) != later[field]
    )

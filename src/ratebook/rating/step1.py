"""Step 1: the temporary initial rating of a player who is unrated in the system of the section.

Two methods: the priority lists (2001 to May 2020) and the blended average (from June 2020). Both end in a rating by
age. The eight possible sources are in flat sequences, ``SOURCES`` values for each player: the six systems in the
order of ``System``, FIDE, CFC.
"""

import math
from collections.abc import MutableSequence
from typing import NamedTuple

from ratebook.rating.formulas import (
    NO_AGE,
    compilable,
    converted_cfc,
    converted_fide,
    plain_k_reads_age,
    rounded,
)
from ratebook.rules.in_force import (
    AS_ADULT,
    BLEND,
    CLAUSE_AGE,
    CLAUSE_BLITZ,
    CLAUSE_CFC,
    CLAUSE_FIDE,
    CLAUSE_ONLINE_BLITZ_FULL,
    CLAUSE_ONLINE_QUICK,
    CLAUSE_QUICK,
    CLAUSE_QUICK_FEW_GAMES,
    CLAUSE_REGULAR,
    CLAUSE_REGULAR_ESTABLISHED,
    CLAUSE_REGULAR_FEW_GAMES,
    CONSTANT,
    NEAREST,
    RulesInForce,
)

SOURCES = 8
FROM_REGULAR = 0
FROM_QUICK = 1
FROM_BLITZ = 2
FROM_ONLINE_REGULAR = 3
FROM_ONLINE_QUICK = 4
FROM_ONLINE_BLITZ = 5
FROM_FIDE = 6
FROM_CFC = 7
NO_RATING = -1.0
NO_BIRTH_DATE = -1.0

# Where a pre-event rating comes from (`before.source` of the rated report).
RATED = 0
SOURCE_FIDE = 1
SOURCE_CFC = 2
SOURCE_AGE = 3
SOURCE_OTHER_RATINGS = 4
SOURCE_DEFAULT = 5
SOURCE_INITIAL = 6

ROUND_UP_TOLERANCE = 1e-9
"""A sum of weights this close to an integer is that integer before it is rounded up.

Source: docs/rules/readings.md#blend-details.
"""


class SourceColumns(NamedTuple):
    """What Step 1 may start from and what the blend makes of it, ``SOURCES`` values for each player.

    Attributes:
        rating: the source's own rating; ``NO_RATING`` where there is none.
        games: N of that rating (games); unused for FIDE and CFC.
        day: day number of that rating.
        birth_day: day number of birth or ``NO_BIRTH_DATE`` (one value a player).
        adult: 1 where the player is known to be an adult (one value a player).
        canadian: 1 for Canadian residents (one value a player).
        converted, factor, staleness_days, age_rating, strength, staleness, weight: X, G, D, P, Z, S, W of the blend.
    """

    rating: MutableSequence[float]
    games: MutableSequence[float]
    day: MutableSequence[float]
    birth_day: MutableSequence[float]
    adult: MutableSequence[int]
    canadian: MutableSequence[int]
    converted: MutableSequence[float]
    factor: MutableSequence[float]
    staleness_days: MutableSequence[float]
    age_rating: MutableSequence[float]
    strength: MutableSequence[float]
    staleness: MutableSequence[float]
    weight: MutableSequence[float]


@compilable
def plain_age_rating(rules: RulesInForce, age: float) -> float:
    """Return the age-based rating of a player *age* years old, by the formula alone.

    100 below 2 years, 50 age up to 26, 1300 above.

    Source: D25 section 2.3; before March 2006: 50 age + 300 up to 20
    (docs/rules/outside.md#2-the-rules-of-2001-to-2013).

    >>> from ratebook.rules.rulebook import rules_on
    >>> plain_age_rating(rules_on("2024-06-01"), 10.5)
    525.0
    """
    if age < rules.age_rating_plain_least_age:
        return rules.age_rating_plain_least
    if age > rules.age_rating_most_age:
        return rules.age_rating_adult
    return rules.age_rating_offset + rules.age_rating_slope * age


@compilable
def age_on(rules: RulesInForce, birth_day: float, day: float) -> float:
    """Return the age in years on a *day* (day numbers).

    Source: D25 section 2.3.

    >>> from ratebook.rules.rulebook import rules_on
    >>> age_on(rules_on("2024-06-01"), 735000.0, 738652.5)
    10.0
    """
    return (day - birth_day) / rules.days_per_year


@compilable
def age_for_k(rules: RulesInForce, birth_day: float, end_day: float) -> float:
    """Return the age that a table of K asks for; ``NO_AGE`` where none does, or no birth day is known."""
    if birth_day < 0.0 or not plain_k_reads_age(rules):
        return NO_AGE
    return age_on(rules, birth_day, end_day)


@compilable
def usable_birth_day(rules: RulesInForce, birth_day: float, end_day: float) -> int:
    """Return 1 where a birth day is known and makes the player old enough at the event's end, else 0."""
    if birth_day < 0.0:
        return 0
    return 1 if age_on(rules, birth_day, end_day) >= rules.age_rating_least_age else 0


@compilable
def age_rating(rules: RulesInForce, birth_day: float, adult: int, end_day: float) -> float:
    """Return the initial rating by age at the end of the event.

    No birth date, or too young to be true: an adult 1300, others 750 (2006 to May 2020: too young 1300).

    Source: D25 section 2.3; J15 section 2.6; docs/rules/readings.md#age-based-rating.
    """
    if usable_birth_day(rules, birth_day, end_day):
        return plain_age_rating(rules, age_on(rules, birth_day, end_day))
    if adult or (birth_day >= 0.0 and rules.age_rating_too_young == AS_ADULT):
        return rules.age_rating_adult
    return rules.age_rating_default


@compilable
def age_rating_at(rules: RulesInForce, birth_day: float, adult: int, end_day: float, day: float) -> float:
    """Return P, the age-based rating at the earlier *day* of another rating.

    Source: D25 section 2, step 3; docs/rules/readings.md#age-based-rating: the plain formula where the birth date is
    usable at the event, else the constant.
    """
    if usable_birth_day(rules, birth_day, end_day):
        return plain_age_rating(rules, age_on(rules, birth_day, day))
    return age_rating(rules, birth_day, adult, end_day)


@compilable
def game_factor(rules: RulesInForce, source: int, rating: float, games: float) -> float:
    """Return G, the games' worth of information that a source can bring at most.

    OTB Regular 10, the same kind of play over the board 10, other systems 5, never more than the games credited there;
    FIDE 10 above 2000, else 5; CFC 5.

    Source: D25 section 2, step 1, and sections 2.1 and 2.2.
    """
    if source == FROM_FIDE:
        return rules.fide_games_high if rating > rules.fide_games_above else rules.fide_games_low
    if source == FROM_CFC:
        return rules.cfc_games_high if rating > rules.cfc_games_above else rules.cfc_games_low
    factor = rules.blend_factor_online_blitz
    if source == FROM_REGULAR:
        factor = rules.blend_factor_regular
    elif source == FROM_QUICK:
        factor = rules.blend_factor_quick
    elif source == FROM_BLITZ:
        factor = rules.blend_factor_blitz
    elif source == FROM_ONLINE_REGULAR:
        factor = rules.blend_factor_online_regular
    elif source == FROM_ONLINE_QUICK:
        factor = rules.blend_factor_online_quick
    return games if games < factor else factor


@compilable
def rating_on_us_scale(rules: RulesInForce, source: int, rating: float) -> float:
    """Return a source's rating on the US scale: converted for FIDE and CFC, as it is for the six systems."""
    if source == FROM_FIDE:
        return converted_fide(rules, rating)
    if source == FROM_CFC:
        return converted_cfc(rules, rating)
    return rating


@compilable
def blended_rating(
    rules: RulesInForce, sources: SourceColumns, player: int, end_day: float
) -> tuple[float, float, int]:
    """Return R0, N and the source of an initial rating blended from all other ratings; N = 0 where there is none.

    R0 = sum W X / sum W, not rounded (docs/rules/readings.md#blend-details); N = min(10, sum W), rounded up. W = G S,
    S = exp(0.06 (Z - 6) D / 365.25), Z = min(6, (X - P) / 350).

    Source: D25 section 2; docs/rules/readings.md#blend-details.
    """
    birth_day = sources.birth_day[player]
    adult = sources.adult[player]
    total_weight = 0.0
    total = 0.0
    only_source = -1
    for source in range(SOURCES):
        at = player * SOURCES + source
        sources.weight[at] = 0.0
        rating = sources.rating[at]
        if rating == NO_RATING:
            continue
        if source == FROM_CFC and rules.cfc_residents_only == 1 and not sources.canadian[player]:
            continue
        factor = game_factor(rules, source, rating, sources.games[at])
        if factor <= 0.0:
            continue
        day = sources.day[at]
        if day > end_day:
            day = end_day
        staleness_days = end_day - day
        converted = rating_on_us_scale(rules, source, rating)
        by_age = age_rating_at(rules, birth_day, adult, end_day, day)
        strength = (converted - by_age) / rules.blend_strength_scale
        if strength > rules.blend_strength_most:
            strength = rules.blend_strength_most
        staleness = math.exp(
            rules.blend_staleness_rate
            * (strength - rules.blend_strength_most)
            * staleness_days
            / rules.days_per_year
        )
        weight = factor * staleness
        sources.converted[at] = converted
        sources.factor[at] = factor
        sources.staleness_days[at] = staleness_days
        sources.age_rating[at] = by_age
        sources.strength[at] = strength
        sources.staleness[at] = staleness
        sources.weight[at] = weight
        total_weight += weight
        total += weight * converted
        only_source = source if only_source < 0 else SOURCES
    if total_weight <= 0.0:
        return 0.0, 0.0, SOURCE_DEFAULT
    games = total_weight if total_weight < rules.blend_most_games else rules.blend_most_games
    games = float(math.ceil(games - ROUND_UP_TOLERANCE))
    if games < 1.0:
        games = 1.0
    kind = SOURCE_OTHER_RATINGS
    if only_source == FROM_FIDE:
        kind = SOURCE_FIDE
    elif only_source == FROM_CFC:
        kind = SOURCE_CFC
    rating = total / total_weight
    return rounded(rating) if rules.blend_rounding == NEAREST else rating, games, kind


@compilable
def priority_clause(rules: RulesInForce, rank: int) -> int:
    """Return the clause at *rank* (1 to 8) of the system's priority list."""
    clause = rules.initial_priority_8
    if rank == 1:
        clause = rules.initial_priority_1
    elif rank == 2:  # noqa: PLR2004 - a rank, as in the field's name
        clause = rules.initial_priority_2
    elif rank == 3:  # noqa: PLR2004 - a rank, as in the field's name
        clause = rules.initial_priority_3
    elif rank == 4:  # noqa: PLR2004 - a rank, as in the field's name
        clause = rules.initial_priority_4
    elif rank == 5:  # noqa: PLR2004 - a rank, as in the field's name
        clause = rules.initial_priority_5
    elif rank == 6:  # noqa: PLR2004 - a rank, as in the field's name
        clause = rules.initial_priority_6
    elif rank == 7:  # noqa: PLR2004 - a rank, as in the field's name
        clause = rules.initial_priority_7
    return clause


@compilable
def listed_rating(rules: RulesInForce, sources: SourceColumns, at: int) -> float:
    """Return the rating in one of the six systems that a priority list may start from; ``NO_RATING`` for none.

    Source: docs/rules/readings.md#a10.
    """
    if sources.games[at] <= 0.0 and rules.lists_skip_ratings_without_games == 1:
        return NO_RATING
    return sources.rating[at]


@compilable
def source_of_clause(clause: int) -> int:
    """Return the source that a clause of a priority list reads; -1 where it reads none (age, end of the list)."""
    source = -1
    if clause == CLAUSE_FIDE:
        source = FROM_FIDE
    elif clause == CLAUSE_CFC:
        source = FROM_CFC
    elif clause in (CLAUSE_REGULAR_ESTABLISHED, CLAUSE_REGULAR_FEW_GAMES, CLAUSE_REGULAR):
        source = FROM_REGULAR
    elif clause in (CLAUSE_QUICK_FEW_GAMES, CLAUSE_QUICK):
        source = FROM_QUICK
    elif clause == CLAUSE_BLITZ:
        source = FROM_BLITZ
    elif clause == CLAUSE_ONLINE_QUICK:
        source = FROM_ONLINE_QUICK
    elif clause == CLAUSE_ONLINE_BLITZ_FULL:
        source = FROM_ONLINE_BLITZ
    return source


@compilable
def deciding_rank(rules: RulesInForce, sources: SourceColumns, player: int) -> int:
    """Return the rank of the first clause of the priority list that the player meets; 0: the list ends before.

    Source: J15 and N15 sections 2.1 to 2.5.
    """
    for rank in range(1, 9):
        clause = priority_clause(rules, rank)
        if clause == CLAUSE_AGE:
            return rank
        source = source_of_clause(clause)
        if source < 0:
            continue
        at = player * SOURCES + source
        rating = sources.rating[at] if source >= FROM_FIDE else listed_rating(rules, sources, at)
        if rating == NO_RATING:
            continue
        games = sources.games[at]
        if clause == CLAUSE_REGULAR_ESTABLISHED and games <= rules.established_above_games:
            continue
        if clause in (CLAUSE_REGULAR_FEW_GAMES, CLAUSE_QUICK_FEW_GAMES) and games < rules.initial_least_games:
            continue
        return rank
    return 0


@compilable
def first_in_priority(rules: RulesInForce, sources: SourceColumns, player: int) -> tuple[float, float, int]:
    """Return R0, N and the source of the first clause of the priority list that the player meets; N = -1 where none.

    Source: J15 and N15 sections 2.1 to 2.5.
    """
    rank = deciding_rank(rules, sources, player)
    clause = CLAUSE_AGE if rank == 0 else priority_clause(rules, rank)
    if clause == CLAUSE_AGE:
        return 0.0, NO_RATING, SOURCE_DEFAULT
    at = player * SOURCES + source_of_clause(clause)
    rating = sources.rating[at]
    if clause == CLAUSE_FIDE:
        return converted_fide(rules, rating), game_factor(rules, FROM_FIDE, rating, 0.0), SOURCE_FIDE
    if clause == CLAUSE_CFC:
        return converted_cfc(rules, rating), game_factor(rules, FROM_CFC, rating, 0.0), SOURCE_CFC
    games = 0.0
    if clause in (CLAUSE_REGULAR_ESTABLISHED, CLAUSE_ONLINE_BLITZ_FULL):
        games = rules.initial_most_games
    elif clause == CLAUSE_REGULAR_FEW_GAMES:
        known = sources.games[at]
        games = known if known < rules.initial_most_games else rules.initial_most_games
    return rating, games, SOURCE_OTHER_RATINGS


@compilable
def initial_rating(
    rules: RulesInForce, sources: SourceColumns, player: int, end_day: float
) -> tuple[float, float, int]:
    """Return R0, N and the source of the initial rating of an unrated player (Step 1).

    The rules name the method; the blend writes its workings into *sources*. *end_day* is the section's last day.

    Source: D25 section 2; J15 and N15 section 2.
    """
    if rules.initial_method == CONSTANT:
        return rules.initial_constant, 0.0, SOURCE_DEFAULT
    if rules.initial_method == BLEND:
        rating, games, source = blended_rating(rules, sources, player, end_day)
        has_source = games > 0.0
    else:
        rating, games, source = first_in_priority(rules, sources, player)
        has_source = games >= 0.0
    if has_source:
        return rating, games, source
    birth_day = sources.birth_day[player]
    source = SOURCE_AGE if usable_birth_day(rules, birth_day, end_day) else SOURCE_DEFAULT
    return age_rating(rules, birth_day, sources.adult[player], end_day), 0.0, source

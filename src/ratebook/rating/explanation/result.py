"""The last step of an explanation: limits of matches, stored precision, floors, ceiling, and the result."""

from collections.abc import Iterator

from ratebook.model import FloorKind
from ratebook.rating.carry import COUNTS_BOUND, OLM_BOUND, PEAK_BOUND
from ratebook.rating.explanation.parts import Subject, shown_games, yes_or_no
from ratebook.rating.floors import ABSOLUTE, ENTERED, LOWERED, NO_FLOOR, OLM, PEAK, PERSONAL, UNKNOWN
from ratebook.rating.settlement import DENIED, NO_CEILING
from ratebook.records.explanations import ExplainedStep, Figure, RuleUsed
from ratebook.rules.in_force import FLOAT, INTEGER_AWAY, OFF
from ratebook.rules.timeline import fields_of_rule

LIMITED, DISPLAYED = "rating after match limits", "displayed"
STORED_AS_INTEGER = "Stored as an integer, rounded away from the rating before."
STORED_AS_NEAREST = "Stored as the nearest integer."
GAMES_BY_WEIGHT = "Each game of a half-K section adds to N by its weight."

FLOOR_WORDS = {
    ABSOLUTE: "absolute floor",
    PERSONAL: "personal floor",
    PEAK: "peak floor",
    LOWERED: "lowered floor",
    OLM: "original Life Master floor",
    ENTERED: "floor entered by the office",
}
ENTERED_WORDS = {
    FloorKind.MONEY: "a prize",
    FloorKind.OLM: "original Life Master",
    FloorKind.OFFICE: "its own decision",
}
"""Why the office entered a floor; a lowered one has a figure of its own."""

MATCH_RULES = (
    "match_change", "match_net_short_points", "match_net_short_days", "match_net_long_points",
    "match_net_long_years",
)  # fmt: skip
PEAK_RULES = ("peak_floor_drop", "peak_floor_step", "peak_floor_lowest", "peak_floor_highest")


def explained_result(subject: Subject) -> ExplainedStep:
    """Explain what decides between the last pass and the stored rating, and the result."""
    settled, at = subject.settled, subject.at
    text: list[str] = []
    figures: dict[str, Figure] = {}
    rules: tuple[RuleUsed, ...] = ()
    if subject.match:
        cut = "within" if settled.limited[at] == subject.columns.step5[at] else "cut to"
        text.append(f"Match limits: the change is {cut} what the match and its windows allow.")
        figures |= {
            "earlier match changes in the short window": settled.net_short[at],
            "earlier match changes in the long window": settled.net_long[at],
            LIMITED: settled.limited[at],
        }
        rules += _in_force(subject, MATCH_RULES)
    if subject.rules.stored_precision != FLOAT:
        away = subject.rules.stored_precision == INTEGER_AWAY
        text.append(STORED_AS_INTEGER if away else STORED_AS_NEAREST)
        figures["rating as stored"] = settled.stored[at]
        rules += subject.cite("stored_precision", *(("stored_precision_tolerance",) if away else ()))
    figures |= _floor_figures(subject)
    text += _floor_text(subject)
    if settled.lowered_to[at] != NO_FLOOR:
        figures["new floor"] = settled.lowered_to[at]
    rules += _floor_rules(subject)
    if settled.ceiling[at] != NO_CEILING:
        figures["ceiling"] = settled.ceiling[at]
        text.append(_ceiling_text(subject))
        rules += subject.cite("ceiling_cuts_first_ratings")
    after = subject.entry.after
    if after is not None:
        figures |= {
            "rating after": after.rating,
            "games after (N)": shown_games(after.games),
            DISPLAYED: after.published,
            "established": yes_or_no(after.established),
        }
        rules += subject.cite("established_above_games")
        if subject.half_k:
            text.append(GAMES_BY_WEIGHT)
            rules += subject.cite("half_k_game_weight")
    return ExplainedStep(title="Floors, ceiling and result", text=tuple(text), figures=figures, rules=rules)


def _in_force(subject: Subject, fields: tuple[str, ...]) -> tuple[RuleUsed, ...]:
    """Return the rules of these fields, the first alone where they are off."""
    if all(getattr(subject.rules, field) == OFF for field in fields):
        return subject.cite(fields[0])
    return subject.cite(*(field for field in fields if getattr(subject.rules, field) != OFF))


def _floor_text(subject: Subject) -> Iterator[str]:
    settled, at, rules = subject.settled, subject.at, subject.rules
    word = FLOOR_WORDS[settled.floor_kind[at]]
    if settled.lowered_to[at] != NO_FLOOR:
        yield (
            f"The match result is below the {word}; the office granted the floor request:"
            f" the floor is {rules.match_floor_drop:g} points lower, but not below {rules.absolute_floor:g}."
        )
        if settled.floor_applied[at]:
            yield "Held at the new floor."
        else:
            yield "The rating is below the floor that was in force, and not below the new one."
        return
    if settled.floor_applied[at]:
        lifted = settled.floor[at] > subject.columns.rating[at]
        yield f"{'Raised to' if lifted else 'Held at'} the {word}."
    elif settled.stored[at] == rules.absolute_floor and subject.columns.step5[at] == rules.absolute_floor:
        yield f"At the absolute floor: no step gives less than {rules.absolute_floor:g}."
    else:
        yield "No floor was reached."
    if settled.request_open[at]:
        yield "The match result is below the floor: a floor request is open."
    elif settled.floor_applied[at] and settled.request[at] == DENIED:
        yield "The match result is below the floor; the office denied the floor request."


def _ceiling_text(subject: Subject) -> str:
    settled, at = subject.settled, subject.at
    ceiling, after = settled.ceiling[at], settled.after[at]
    if not settled.ceiling_applied[at]:
        if after > ceiling:
            return "The rating is above the ceiling, which does not lower it."
        return "The ceiling was not reached."
    if after > ceiling:
        return "Not raised: the rating before was already above the ceiling."
    if settled.first[at]:
        return "The first rating was cut to the ceiling."
    return "Not raised above the ceiling."


def _floor_figures(subject: Subject) -> Iterator[tuple[str, float | str]]:
    """Yield each floor that was tested with what it rests on; a word where it does not apply."""
    settled, at, rules = subject.settled, subject.at, subject.rules
    bounds = settled.at_least[at]
    yield "absolute floor", rules.absolute_floor
    personal_in_force = rules.personal_floor_most >= 0.0
    if personal_in_force and settled.wins[at] != UNKNOWN:
        suffix = "" if subject.foreign else ", this section included"
        suffix += " (at least)" if bounds & COUNTS_BOUND else ""
        yield f"wins{suffix}", settled.wins[at]
        yield f"draws{suffix}", settled.draws[at]
        yield f"long sections{suffix}", settled.long_sections[at]
    unknown = "counts not given" if personal_in_force and settled.wins[at] == UNKNOWN else "not in force"
    yield "personal floor", _floor_value(settled.personal[at], unknown)
    yield from _peak_figures(subject)
    if rules.olm_floor_level >= 0.0 and settled.olm_games[at] != UNKNOWN:
        suffix = " (at least)" if bounds & OLM_BOUND else ""
        yield f"games from {rules.olm_floor_rating:g} or more{suffix}", settled.olm_games[at]
        unknown = f"fewer than {rules.olm_floor_games:g} games"
    else:
        unknown = "games not given" if rules.olm_floor_level >= 0.0 else "not in force"
    yield "original Life Master floor", _floor_value(settled.from_olm[at], unknown)
    if settled.entered[at] == NO_FLOOR:
        yield "entered by the office", "none"
    for kind, level in _entered_floors(subject).items():
        yield f"entered by the office: {ENTERED_WORDS[kind]}", level
    yield "highest floor in force", settled.floor[at]


def _peak_figures(subject: Subject) -> Iterator[tuple[str, float | str]]:
    """Yield the peak and the floor that follows from it, or the lowered floor in its place."""
    settled, at, rules = subject.settled, subject.at, subject.rules
    if settled.lowered[at] != NO_FLOOR:
        yield "peak floor", "replaced by the lowered floor"
        yield "lowered floor", settled.lowered[at]
        return
    unknown = "not in force"
    if rules.peak_floor_lowest >= 0.0:
        unknown = f"below {rules.peak_floor_lowest:g}"
        if settled.peak[at] == UNKNOWN:
            unknown = "peak not given or never established"
        else:
            suffix = " (at least)" if settled.at_least[at] & PEAK_BOUND else ""
            yield f"highest established rating before{suffix}", settled.peak[at]
    yield "peak floor", _floor_value(settled.from_peak[at], unknown)


def _entered_floors(subject: Subject) -> dict[FloorKind, float]:
    """Return the highest floor that the office entered of each kind, lowered ones left out."""
    highest: dict[FloorKind, float] = {}
    for floor in subject.facts.floors:
        if floor.system is subject.rated.system and floor.kind in ENTERED_WORDS:
            highest[floor.kind] = max(highest.get(floor.kind, NO_FLOOR), floor.floor)
    return highest


def _floor_rules(subject: Subject) -> tuple[RuleUsed, ...]:
    settled, at, rules = subject.settled, subject.at, subject.rules
    cited = subject.cite("absolute_floor") + _in_force(subject, fields_of_rule("personal_floor"))
    if settled.lowered[at] == NO_FLOOR:
        cited += _in_force(subject, PEAK_RULES)
    cited += _in_force(subject, fields_of_rule("olm_floor"))
    if FloorKind.MONEY in _entered_floors(subject):
        cited += _in_force(subject, fields_of_rule("money_floor"))
    if rules.floors_from_bounds and settled.at_least[at]:
        cited += subject.cite("floors_from_bounds")
    if settled.lowered[at] != NO_FLOOR or settled.lowered_to[at] != NO_FLOOR:
        cited += subject.cite("match_floor_drop")
    return cited


def _floor_value(floor: float, word: str) -> float | str:
    return word if floor == NO_FLOOR else floor

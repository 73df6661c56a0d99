"""Ratings after that a report prints, compared with those that the program computes."""

from collections.abc import Iterator, Mapping

from ratebook.findings import Finding, Place, finding, list_text
from ratebook.model import SCORES, System
from ratebook.rating.explanation.notes import depends_on_age, record_unknown, uses_undated_rating
from ratebook.rating.formulas import rounded
from ratebook.rating.results import RatedSection
from ratebook.rating.step1 import NO_BIRTH_DATE

FIRST_NAMED = 5

LEAST_DECIMAL = 0.01
"""A printed rating with decimals differs from this on; a whole one where its rounded numbers differ."""

SHORT_RECORD = 8
"""An unbroken record on more games than these explains nothing (docs/decisions/0021-what-counts-as-explained.md)."""

SLACK = 1.0
"""Points by which what is not known of one player may change ratings of those who did not meet that player."""


def compare_printed(
    rated: RatedSection, printed: Mapping[tuple[int, int, System], float]
) -> Iterator[Finding]:
    """Yield the warning about *printed* ratings that are not the computed ones; a note where facts are missing."""
    section = rated.section.number
    values = {
        seat: value
        for (number, seat, system), value in printed.items()
        if (number, system) == (section, rated.system)
    }
    unsure = _unsure(rated)
    differing: dict[str, list[str]] = {"rating-after-differs": [], "rating-after-unsure": []}
    for entry in rated.entries:
        value = values.get(entry.seat)
        if value is None:
            continue
        after = None if entry.after is None else entry.after.rating
        if after is None or _differ(value, after, SLACK if unsure else 0.0):
            name = rated.facts[entry.player].name or f"seat {entry.seat}"
            digits = 0 if value.is_integer() else 2
            computed = "unrated" if after is None else f"{after if digits else rounded(after):.{digits}f}"
            code = "rating-after-unsure" if entry.player in unsure else "rating-after-differs"
            differing[code].append(f"{name} {value:.{digits}f} (computed {computed})")
    for code, texts in differing.items():
        if texts:
            yield finding(
                code,
                Place(section=section, system=rated.system),
                differing=len(texts),
                compared=len(values),
                players=list_text(texts, FIRST_NAMED, "; "),
            )


def _unsure(rated: RatedSection) -> set[str]:
    """Return the players whose ratings after rest on facts that are not known: their own, or those of an opponent."""
    unknown = {player for player, at in rated.places.items() if _facts_missing(rated, at)}
    if not unknown:
        return set()
    seats = {entry.seat: entry.player for entry in rated.section.entries}
    met: dict[str, set[str]] = {player: set() for player in rated.places}
    for entry in rated.section.entries:
        for cell in entry.rounds:
            if cell.letter in SCORES and cell.opponent in seats and entry.player in met:
                met[entry.player].add(seats[cell.opponent])
    unsure = set(unknown)
    waiting = list(unknown)
    while waiting:
        for opponent in met.get(waiting.pop(), set()) - unsure:
            unsure.add(opponent)
            # Ratings on few games move far, and those of their opponents with them.
            at = rated.places.get(opponent)
            if at is not None and rated.columns.games[at] <= rated.rules.established_above_games:
                waiting.append(opponent)
    return unsure


def _facts_missing(rated: RatedSection, at: int) -> bool:
    """Return whether a fact of this player is not known on which the ratings before or after rest."""
    step1 = rated.step1
    if step1 is not None:
        if depends_on_age(rated, at) and step1.birth_day[rated.unrated[at]] == NO_BIRTH_DATE:
            return True
        if uses_undated_rating(rated, step1, at):
            return True
    return rated.columns.games[at] <= SHORT_RECORD and record_unknown(rated, at)


def _differ(printed: float, computed: float, slack: float) -> bool:
    """Return whether a *printed* rating is not the *computed* one, by more than *slack*.

    >>> [_differ(1850.0, computed, 0) for computed in (1850.4, 1850.6)], _differ(1850.0, 1851.4, 1)
    ([False, True], False)
    >>> _differ(1850.25, 1850.254, 0)
    False
    """
    if printed.is_integer():
        return abs(rounded(computed) - printed) > slack
    return abs(printed - computed) >= LEAST_DECIMAL + slack

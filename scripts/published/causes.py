"""What may be true of a player beside the published ratings, and would change a rating.

Each is a fact about the player that the pages do not print. It is offered only where the stored sections do not
contradict it; whether it is the cause of a difference, rating the section with it must show.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from scripts.published.histories import LEAST_ESTABLISHED, LEAST_OF_A_LONG_SECTION

from ratebook.model import EnteredFloor, FloorKind, PlayerFacts, Rating, Record, System
from ratebook.rating.floors import peak_floor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.published.histories import Shown
    from scripts.published.stored import Published

    from ratebook.rules.in_force import RulesInForce

LEVEL = 100
LIFE_MASTER_GAMES = 300


class Cause(StrEnum):
    """Why a rating was published otherwise than the program gives it from the published ratings alone."""

    HALF_K = "half K by the office's mistake"
    PEAK_FLOOR = "peak floor"
    LIFE_MASTER_FLOOR = "floor of an original Life Master"
    LOWERED_FLOOR = "floor that the office had lowered"
    PERSONAL_FLOOR = "personal floor"
    OWN_RECORD = "unbroken record of the player"
    OTHER_RECORD = "unbroken record of another player"
    OWN_GAMES = "number of games of the player, 26 or more"
    OTHER_GAMES = "number of games of another player, 26 or more"


OF_OTHERS = {Cause.OWN_RECORD: Cause.OTHER_RECORD, Cause.OWN_GAMES: Cause.OTHER_GAMES}
"""What the cause is called in the ratings of those whom the player met."""


class Supposed(NamedTuple):
    """One thing supposed of a player.

    Attributes:
        cause: what it would explain.
        rating: the rating before the section, with what is supposed.
        floor: an entered floor that is supposed.
        shown: whether other stored sections show it.
    """

    cause: Cause
    rating: Rating
    floor: EnteredFloor | None = None
    shown: bool = False

    def of(self, facts: PlayerFacts, system: System) -> PlayerFacts:
        """Return *facts* with what is supposed."""
        floors = facts.floors if self.floor is None else (*facts.floors, self.floor)
        return facts._replace(ratings={**facts.ratings, system: self.rating}, floors=floors)


class Person(NamedTuple):
    """A player in one system of one section, with what the file shows of the time before.

    Attributes:
        rating: the rating before, with what is supposed already.
        most_games: N*, beyond which the number of games does not matter.
    """

    system: System
    rules: RulesInForce
    rating: Rating
    published: Published
    scores: list[float]
    shown: Shown
    most_games: float


def own_suppositions(person: Person, computed: float) -> Iterator[Supposed]:
    """Yield what may explain a difference in the player's own rating; the program *computed* another."""
    if computed < person.published.after:
        yield from floors(person)
    if few_games(person):
        yield from records(person)
    yield from numbers_of_games(person)


def few_games(person: Person) -> bool:
    """Return whether the player is rated by the special formula anyway; an unbroken record is likely then."""
    games = person.published.games_before
    return games is not None and games <= person.rules.special_most_games


def suppositions_about(person: Person) -> Iterator[Supposed]:
    """Yield what changes the ratings of the player and of those whom the player met."""
    yield from records(person)
    yield from numbers_of_games(person)


def floors(person: Person) -> Iterator[Supposed]:
    """Yield the floors at which the published rating may have been held."""
    after, rules, shown, rating = person.published.after, person.rules, person.shown, person.rating
    before = person.published.established_before
    if before is not None and after % LEVEL == 0 and before >= after and shown.peak is not None:
        peak = max(after + rules.peak_floor_drop, shown.peak)
        if peak_floor(rules, peak) == after and (shown.lowest_later is None or shown.lowest_later >= after):
            yield Supposed(Cause.PEAK_FLOOR, rating._replace(peak=peak), shown=peak == shown.peak)
        if after == rules.olm_floor_level and shown.peak >= rules.olm_floor_rating:
            yield Supposed(Cause.LIFE_MASTER_FLOOR, rating._replace(life_master_games=LIFE_MASTER_GAMES))
        if before < peak_floor(rules, shown.peak):
            floor = EnteredFloor(person.system, FloorKind.LOWERED, float(after))
            yield Supposed(Cause.LOWERED_FLOOR, rating, floor, shown=True)
    yield from personal_floors(person)


def personal_floors(person: Person) -> Iterator[Supposed]:
    """Yield the counts, not fewer than those in the file, whose personal floor is the published rating."""
    rules, shown, after = person.rules, person.shown, float(person.published.after)
    if not rules.absolute_floor < after <= rules.personal_floor_most:
        return
    wins = shown.wins + person.scores.count(1.0)
    draws = shown.draws + person.scores.count(0.5)
    long_sections = shown.long_sections + (len(person.scores) >= LEAST_OF_A_LONG_SECTION)
    least = (
        rules.absolute_floor
        + rules.personal_floor_win * wins
        + rules.personal_floor_draw * draws
        + rules.personal_floor_section * long_sections
    )
    missing = math.ceil((after - least) / rules.personal_floor_section)
    if missing < 0 and after < rules.personal_floor_most:
        return
    counts = person.rating._replace(
        wins=shown.wins,
        draws=shown.draws,
        losses=shown.losses,
        long_events=shown.long_sections + max(missing, 0),
        record=person.rating.record or Record.MIXED,
    )
    yield Supposed(Cause.PERSONAL_FLOOR, counts, shown=missing <= 0)


def records(person: Person) -> Iterator[Supposed]:
    """Yield the unbroken records of a provisional player that no earlier section in the file breaks."""
    shown, rating = person.shown, person.rating
    if person.published.games_before is None:
        return
    if not shown.draws and not shown.losses:
        yield Supposed(Cause.OWN_RECORD, rating._replace(record=Record.WINS))
    if not shown.draws and not shown.wins:
        yield Supposed(Cause.OWN_RECORD, rating._replace(record=Record.LOSSES))


def numbers_of_games(person: Person) -> Iterator[Supposed]:
    """Yield the numbers of games of an established player below N*, not fewer than those in the file."""
    if person.published.established_before is None:
        return
    shown = person.shown
    if shown.games is not None:
        yield Supposed(Cause.OWN_GAMES, person.rating._replace(games=float(shown.games)), shown=True)
        return
    for games in range(max(LEAST_ESTABLISHED, shown.least_games), math.ceil(person.most_games)):
        yield Supposed(Cause.OWN_GAMES, person.rating._replace(games=float(games)))

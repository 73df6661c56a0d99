"""Published ratings of the years before 2001 against the calculator of 1995.

The documents do not print that system in full. What the comparison supposes beside them, because the published values
show it: for an established player, an opponent who is provisional after the section counts at the rating *after* it,
any other at the rating before it. How provisional opponents counted for a provisional player is not known, so that
provisional and first ratings are compared only where all opponents were established.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from scripts.published.histories import shown_before
from scripts.published.pairings import rounds_by_seat

from ratebook.calculators.arithmetic import Game
from ratebook.calculators.r1995 import PROVISIONAL_MOST_GAMES, peak_floor, rate_established, rate_provisional
from ratebook.model import SCORES, System

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scripts.published.stored import Published, StoredSeat, StoredSection

AS_PUBLISHED = 1.0
NEARLY = 2.0
"""How the expectancies of the time were rounded is not known; they move a rating by a point in some games."""

QUICK_K = 7 / 12
"""K of Quick over that of Regular: with it, 62 of 65 ratings of established players come out within a point."""

REACH = 400.0
LEVEL = 100


class Kind(StrEnum):
    """Whose rating it is, since the formulas differ."""

    ESTABLISHED = "established"
    PROVISIONAL = "provisional"
    UNRATED = "first rating"


class OldCause(StrEnum):
    """Why a rating was published otherwise than the calculator gives it."""

    FLOOR = "floor"
    QUICK_K = "the K of Quick, 0.58 of that of Regular"
    ESTABLISHED_BY_IT = "established by the section: rated by the formula of established players"
    WIN_COUNTS_OWN = "a win counts no less than the player's own rating"


class OldValue(NamedTuple):
    """One published rating beside that of the calculator."""

    section: StoredSection
    system: System
    seat: int
    kind: Kind
    published: Published
    computed: float
    cause: OldCause | None

    @property
    def distance(self) -> float:
        """How far the calculator's rating is from the published one, in points."""
        return abs(self.computed - self.published.after)

    @property
    def unexplained(self) -> bool:
        """Whether the rating is not nearly as published and nothing explains it."""
        return self.distance > NEARLY and self.cause is None


def counted(published: Published) -> float:
    """Return the rating at which an opponent counts for an established player."""
    established = published.before is not None and published.games_after is None
    return float(published.before if established and published.before is not None else published.after)


def kind_of(published: Published) -> Kind:
    """Return whose rating it is."""
    if published.before is None:
        return Kind.UNRATED
    provisional = published.games_before is not None and published.games_before <= PROVISIONAL_MOST_GAMES
    return Kind.PROVISIONAL if provisional else Kind.ESTABLISHED


def rating_of_1995(published: Published, games: Sequence[Game]) -> float:
    """Return the calculator's rating, not rounded."""
    if published.before is not None and kind_of(published) is Kind.ESTABLISHED:
        return rate_established(published.before, games).unrounded
    return rate_provisional(published.before, published.games_before or 0, games).unrounded


def cause_of(
    section: StoredSection, seat: StoredSeat, system: System, games: Sequence[Game]
) -> OldCause | None:
    """Return what gives the published rating, where the calculator alone does not."""
    published = seat.ratings[system]
    after = float(published.after)
    if published.before is None:
        return None
    own = float(published.before)
    if kind_of(published) is Kind.ESTABLISHED:
        computed = rating_of_1995(published, games)
        highest = shown_before(section, seat.person, system).peak or own
        if after % LEVEL == 0 and computed < after <= own and peak_floor(highest) <= after:
            return OldCause.FLOOR
        if system is System.QUICK and abs(own + QUICK_K * (computed - own) - after) <= NEARLY:
            return OldCause.QUICK_K
        return None
    before = published.games_before or 0
    if before + len(games) > PROVISIONAL_MOST_GAMES:
        established = rate_established(own, games).unrounded
        return OldCause.ESTABLISHED_BY_IT if abs(established - after) <= NEARLY else None
    raised = [
        game._replace(opponent_rating=max(game.opponent_rating, own - REACH)) if game.score == 1.0 else game
        for game in games
    ]
    fits = abs(rate_provisional(own, before, raised).unrounded - after) <= NEARLY
    return OldCause.WIN_COUNTS_OWN if fits else None


def compare_1995(section: StoredSection) -> Iterator[OldValue]:
    """Compare every rating of a section before 2001 whose opponents' ratings were published."""
    rounds = rounds_by_seat(section)
    seats = {seat.seat: seat for seat in section.seats}
    for seat in section.seats:
        if sum(other.person == seat.person for other in section.seats) > 1:
            continue
        played = [
            (seats[cell.opponent].ratings, SCORES[cell.letter])
            for cell in rounds[seat.seat]
            if cell.rated and cell.opponent is not None
        ]
        for system, published in seat.ratings.items():
            if not played or not all(
                system in ratings
                and (kind_of(published) is Kind.ESTABLISHED or kind_of(ratings[system]) is Kind.ESTABLISHED)
                for ratings, _ in played
            ):
                continue
            games = [Game(counted(ratings[system]), score) for ratings, score in played]
            computed = rating_of_1995(published, games)
            nearly = abs(computed - published.after) <= NEARLY
            cause = None if nearly else cause_of(section, seat, system, games)
            yield OldValue(section, system, seat.seat, kind_of(published), published, computed, cause)

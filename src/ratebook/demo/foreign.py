"""Events abroad: opponents with FIDE ratings who are no members, and sections of which only a part is reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ratebook.demo.names import Names
from ratebook.demo.play import Entrant, result
from ratebook.model import MIRROR, Cell, Entry, ForeignRating, PlayerFacts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from ratebook.demo.chance import Chance

_STRANGERS = 160
_ROUNDS = 9
_NEAR = 220.0
"""Points within which opponents of an open abroad are found."""

_COUNTRIES = ("CANADA", "MEXICO", "SPAIN", "ICELAND")


class Stranger(NamedTuple):
    """An opponent abroad; FIDE's list has the strength."""

    id: str
    name: str
    rating: int


class Abroad:
    """The players and places abroad."""

    def __init__(self, chance: Chance) -> None:
        self._names = Names(chance)
        self.strangers = tuple(
            Stranger(f"FIDE{79_000_001 + number}", self._names.person(), 1_450 + 7 * number)
            for number in range(_STRANGERS)
        )

    def place(self, chance: Chance) -> tuple[str, str]:
        """Return a city and its country."""
        return self._names.place(), chance.one_of(_COUNTRIES)


def foreign_section(
    chance: Chance, abroad: Abroad, members: Sequence[Entrant], day: date
) -> tuple[tuple[Entry, ...], tuple[PlayerFacts, ...]]:
    """Return the entries of *members* and of those whom they met, and the facts of the latter.

    The members' ratings are updated; of the others only the games against members are reported.
    """
    rows: dict[str, list[Cell]] = {one.id: [Cell()] * _ROUNDS for one in members}
    seat_of: dict[str, int] = {one.id: number for number, one in enumerate(members, start=1)}
    met: dict[str, Stranger] = {}
    for member in members:
        # As a pairing would do it: opponents of about the same strength, nobody twice in a round.
        near = [one for one in abroad.strangers if abs(one.rating - member.strength) < _NEAR]
        mine = list(chance.in_any_order(near or abroad.strangers[-_ROUNDS:]))
        for number in range(_ROUNDS):
            if chance.happens(1 / 30):
                rows[member.id][number] = Cell("U")
                continue
            free = next((one for one in mine if one.id not in rows or rows[one.id][number] == Cell()), None)
            if free is None:
                continue
            mine.remove(free)
            met.setdefault(free.id, free)
            seat = seat_of.setdefault(free.id, len(seat_of) + 1)
            rows.setdefault(free.id, [Cell()] * _ROUNDS)
            colour, other_colour = ("w", "b") if number % 2 == 0 else ("b", "w")
            letter = result(chance, member.strength, float(free.rating))
            rows[member.id][number] = Cell(letter, seat, colour)
            rows[free.id][number] = Cell(MIRROR[letter], seat_of[member.id], other_colour)
    ours = {one.id for one in members}
    entries = tuple(Entry(seat_of[key], key, tuple(row), update=key in ours) for key, row in rows.items())
    listed = ForeignRating(0.0, day.replace(day=1))
    facts = tuple(
        PlayerFacts(one.id, one.name, fide=listed._replace(rating=one.rating)) for one in met.values()
    )
    return entries, facts

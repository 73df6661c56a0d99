"""The clubs: their towns, states and affiliate ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ratebook.demo.names import Names

if TYPE_CHECKING:
    from ratebook.demo.chance import Chance

STATES = ("NY", "CA", "TX", "OH", "WA", "GA")
_MEMBERS_OF_A_CLUB = 165


class Club(NamedTuple):
    """A club and where it plays."""

    name: str
    city: str
    state: str
    affiliate: str


def invent_clubs(chance: Chance, members: int) -> tuple[Club, ...]:
    """Return the clubs of a federation of so many *members*, at least one."""
    names = Names(chance)
    count = max(1, round(members / _MEMBERS_OF_A_CLUB))
    clubs = []
    for number in range(count):
        city = names.place()
        name = f"{city} {chance.one_of(('CHESS CLUB', 'KNIGHTS', 'PAWNS', 'CHESS SOCIETY'))}"
        clubs.append(Club(name, city, STATES[number % len(STATES)], f"A9{number + 1:06}"))
    return tuple(clubs)

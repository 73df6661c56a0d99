"""Names that no one has, of people, towns, clubs and events: put together from the words of ``names.toml``."""

import tomllib
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from ratebook.demo.chance import Chance
from ratebook.demo.values import Habit

LONGEST_PERSON, LONGEST_EVENT = 30, 35
"""Characters that an upload for US Chess has room for."""
_INITIALS = "ABCDEFGHJKLMNOPRSTVW"
_OFTEN_WITH_INITIAL = 1 / 6
_PLAIN_TRIES = 2


@cache
def _words(kind: str) -> Any:  # noqa: ANN401 - lists of words, and a table of them
    table = tomllib.loads(files(__package__).joinpath("names.toml").read_text("utf-8"))
    return {key: text.split() if isinstance(text, str) else text for key, text in table.items()}[kind]


class Names:
    """Gives every person a name of their own, and names to events.

    >>> names = Names(Chance(1, "names"))
    >>> names.person() != names.person()
    True
    """

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._taken: set[str] = set()

    def person(self, surname: str = "") -> str:
        """Return a new name, surname first; *surname* is that of a brother or sister."""
        chance, tries = self._chance, 0
        while True:
            tries += 1
            family = surname or chance.one_of(_words("surname"))
            if tries > _PLAIN_TRIES:
                # Most short names are taken in a large federation.
                family += f"-{chance.one_of(_words('surname'))}"
            name = f"{family}, {chance.one_of(_words('given'))}"
            if chance.happens(_OFTEN_WITH_INITIAL) or tries > 1:
                name += f" {chance.one_of(_INITIALS)}."
            if name not in self._taken and len(name) <= LONGEST_PERSON:
                self._taken.add(name)
                return name

    def event(self, habit: Habit, day: date, **words: str) -> str:
        """Return what an event of a *habit* is called that begins on *day*; *words* are those of its place."""
        words["month"] = _words("month")[day.month - 1]
        words["season"] = _words("season")[day.month % 12 // 3]
        words["weekday"] = _words("weekday")[day.weekday()]
        patterns: list[str] = _words("event")[habit]
        names = (pattern.format(**words) for pattern in self._chance.in_any_order(patterns))
        return next(name for name in names if len(name) <= LONGEST_EVENT)


class Club(NamedTuple):
    """A club and where it plays."""

    name: str
    city: str
    state: str
    affiliate: str


_MEMBERS_OF_A_CLUB = 165
_LEAST_MEMBERS_OF_A_CLUB = 60
_SMALL_CLUBS = 8
_CLUBS_OF_A_STATE = 2


def place_abroad(chance: Chance) -> tuple[str, str]:
    """Return a city and its country."""
    city, _, country = chance.one_of(_words("abroad")).partition(", ")
    return city, country


def invent_clubs(chance: Chance, members: int) -> tuple[Club, ...]:
    """Return the clubs of a federation of so many *members*, at least one; their names differ while words last."""
    small = min(members // _LEAST_MEMBERS_OF_A_CLUB, _SMALL_CLUBS)
    first, second = (list(chance.in_any_order(words.split())) for words in _words("town"))
    kinds, states = _words("club"), _words("state")
    clubs = []
    for number in range(max(1, small, round(members / _MEMBERS_OF_A_CLUB))):
        town = f"{first[number % len(first)]} {second[number % len(second)]}"
        name = f"{town} {kinds[(number + number // (len(first) * len(second))) % len(kinds)]}"
        state = states[number // _CLUBS_OF_A_STATE % len(states)]
        clubs.append(Club(name, town, state, f"A9{number + 1:06}"))
    return tuple(clubs)

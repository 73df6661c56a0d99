"""Names that no one has, of people, towns and clubs: syllables put together, with endings that show it."""

from typing import NamedTuple

from ratebook.demo.chance import Chance

_ONSETS = tuple("B BR D DR F G K KL L M N P QU R S ST T V W Z".split())  # noqa: SIM905 - words that fit on one line
_VOWELS = ("A", "E", "I", "O", "U")
_CODAS = ("", "", "L", "M", "N", "R")
_SURNAME_ENDINGS = ("EXO", "IXU", "AXI", "OXE")
_GIVEN_ENDINGS = ("AQ", "EQ", "IQ", "OQ")
_PLACE_ENDINGS = (" EXAMPLE", "XVILLE", "XTON", "X FALLS")


class Names:
    """Gives every person a name of their own.

    >>> from ratebook.demo.chance import Chance
    >>> names = Names(Chance(1, "names"))
    >>> first, second = names.person(), names.person()
    >>> first != second and "X" in first
    True
    """

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._taken: set[str] = set()

    def person(self, surname: str = "") -> str:
        """Return a new name, surname first; *surname* is that of a brother or sister."""
        while True:
            family = surname or self._syllables(1) + self._chance.one_of(_SURNAME_ENDINGS)
            first_name = self._syllables(1) + self._chance.one_of(_GIVEN_ENDINGS)
            name = f"{family}, {first_name}"
            if name not in self._taken:
                self._taken.add(name)
                return name
            if self._chance.happens(1 / 2):
                # Most short names are taken in a large federation.
                surname = self._syllables(2) + self._chance.one_of(_SURNAME_ENDINGS)

    def place(self) -> str:
        """Return the name of a town; two towns may have the same."""
        return self._syllables(1) + self._chance.one_of(_PLACE_ENDINGS)

    def _syllables(self, more: int) -> str:
        """Return the beginning of a word that an ending beginning with a vowel or X may follow."""
        chance = self._chance
        text = "".join(
            chance.one_of(_ONSETS) + chance.one_of(_VOWELS) + chance.one_of(_CODAS) for _ in range(more)
        )
        return text + chance.one_of(_ONSETS)


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

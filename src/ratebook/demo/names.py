"""Names that nobody has: syllables put together, with endings that show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratebook.demo.chance import Chance

_ONSETS = (
    "B",
    "BR",
    "D",
    "DR",
    "F",
    "G",
    "K",
    "KL",
    "L",
    "M",
    "N",
    "P",
    "QU",
    "R",
    "S",
    "ST",
    "T",
    "V",
    "W",
    "Z",
)
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
            given = self._syllables(1) + self._chance.one_of(_GIVEN_ENDINGS)
            name = f"{family}, {given}"
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

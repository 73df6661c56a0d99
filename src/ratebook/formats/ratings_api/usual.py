"""Fields of the API's standings that are as most are, read without looking at each by itself; their known words.

Nothing is reported here: what is unusual is not read, and the careful reader of `api_standings` looks at it.
"""

from __future__ import annotations

import functools
from operator import itemgetter
from typing import TYPE_CHECKING, cast

from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING
from ratebook.model import Cell

if TYPE_CHECKING:
    from collections.abc import Sequence

LETTERS = {
    "Win": "W",
    "Loss": "L",
    "Draw": "D",
    "WinAsym": "N",
    "LossAsym": "S",
    "DrawAsym": "R",
    "WinForfeit": "X",
    "Forfeit": "F",
    "DrawForfeit": "Z",
    "ByeFull": "B",
    "ByeHalf": "H",
    "Unpaired": "U",
    "ReportNoResult": "U",
    "NotReported": "",
}
"""Result letters by outcome; a round reported without result scores nothing, as unpaired.

Source: docs/formats/uschess.md#round-cells.
"""

COLOURS = {None: "", "": "", "Unknown": "", "White": "w", "Black": "b"}

WITH_OPPONENT = frozenset("WLDNSRXFZ")
_CELLS_KEPT = 65_536


@functools.lru_cache(maxsize=_CELLS_KEPT)
def outcome_cell(letter: str, opponent: int, colour: str) -> Cell:
    """Return a cell of these; an opponent of 0 means none."""
    return Cell(letter, opponent or None, colour) if letter else EMPTY_CELL


class _UsualCells(dict["tuple[object, ...]", Cell]):
    """The cells of the outcomes, colours and opponents met so far; KeyError where one of them must be looked at."""

    def __missing__(self, printed: tuple[object, ...]) -> Cell:
        """Return the cell of an outcome that was not met before with this colour and opponent."""
        result, colour, opponent = printed
        letter, shown_colour = LETTERS[cast("str", result)], COLOURS[cast("str", colour)]
        if letter not in WITH_OPPONENT:
            opponent = 0
        if type(opponent) is not int or not 0 <= opponent <= SEATS_AT_MOST:
            raise KeyError(printed)
        cell = outcome_cell(letter, opponent, shown_colour)
        if len(self) < _CELLS_KEPT:
            self[printed] = cell
        return cell


_USUAL_CELL = _UsualCells().__getitem__
_ROUNDS = list(range(1, ROUNDS_AT_MOST + 1))
_ROUND_OF = itemgetter("roundNumber")
_SEATED_BY = {
    own: (itemgetter("outcome", "color", own), itemgetter(own))
    for own in ("opponentPairingNumber", "opponentOrdinal")
}
"""What reads result, colour and opponent of an outcome, and what reads the opponent alone."""
_WHOLE_OR_NULL = frozenset({int, type(None)})


def usual_cells(player: dict[str, object], own: str) -> tuple[Cell, ...] | None:
    """Return the cells of *player* where the outcomes are as most are, without anything to report; else None.

    They come round by round from the first, each with a colour, and name opponents by the key *own*; `api_standings`
    reads the others, and would read these alike.
    """
    outcomes = player.get("roundOutcomes")
    if type(outcomes) is not list:
        return None
    printed, opponent = _SEATED_BY[own]
    try:
        numbers = list(map(_ROUND_OF, outcomes))
        if numbers != _ROUNDS[: len(numbers)] or set(map(type, numbers)) != {int}:
            return None
        # True and 2.0 are no seats, but equal to some.
        if not _WHOLE_OR_NULL.issuperset(map(type, map(opponent, outcomes))):
            return None
        return tuple(map(_USUAL_CELL, map(printed, outcomes)))
    except (KeyError, TypeError):
        return None


def usual_points(whole: object, exact: object) -> float | None:
    """Return the rating *exact* where it is in range and fits the *whole* one; None where they must be looked at."""
    if type(exact) is not float or not LOWEST_RATING <= exact <= HIGHEST_RATING:
        return None
    if whole is None or (type(whole) is int and 0 < whole <= HIGHEST_RATING and abs(exact - whole) < 1):
        return exact
    return None


def usual_texts(players: Sequence[dict[str, object]], key: str) -> list[str] | None:
    """Return the texts under *key* of all *players*, without blanks around; None where one must be looked at."""
    texts = [player.get(key, "") for player in players]
    if set(map(type, texts)) != {str}:
        return None
    found = cast("list[str]", texts)
    return list(map(str.strip, found)) if "".join(found).isprintable() else None


def usual_names(players: Sequence[dict[str, object]]) -> list[str] | None:
    """Return the names of all *players* as "Last, First"; None where one must be looked at."""
    firsts, lasts = usual_texts(players, "firstName"), usual_texts(players, "lastName")
    if firsts is None or lasts is None:
        return None
    return [full_name(first, last) for first, last in zip(firsts, lasts, strict=True)]


def full_name(first: str, last: str) -> str:
    """Return a name as "Last, First", or the one part that there is."""
    return f"{last}, {first}" if first and last else first or last

"""Round cells: the letter, the opponent's seat and the colour in one short text; numbers as people write them."""

import functools
from collections.abc import Sequence

from ratebook.model import POINTS, Cell

EMPTY_CELL = Cell()
OTHER_COLOUR = {"w": "b", "b": "w", "": ""}
OTHER_SIDE = {"W": "L", "L": "W", "D": "D", "X": "F", "F": "X"}
"""What the opponent has."""
BYE_OF_RESULT = {"W": "B", "D": "H", "L": "U", "X": "B", "F": "U"}
"""The bye of who has no opponent, and the points of a result."""

_SEAT_DIGITS = 4
_CELLS_KEPT = 65_536
"""Few texts make most cells."""


@functools.lru_cache(maxsize=_CELLS_KEPT)
def parse_cell(text: str) -> Cell | None:
    """Return the cell that *text* stands for, or None where it cannot be read.

    An opponent of 0 means none, as in the upload files (docs/formats/uschess.md#round-cells).

    >>> parse_cell("W12b")
    Cell(letter='W', opponent=12, colour='b')
    >>> parse_cell("B0")
    Cell(letter='B', opponent=None, colour='')
    >>> parse_cell("Q3") is None
    True
    """
    text = text.strip()
    if not text:
        return EMPTY_CELL
    letter, rest = text[0], text[1:]
    if letter not in POINTS:
        return None
    colour = ""
    if rest and rest[-1] in "wWbB":
        colour, rest = rest[-1].lower(), rest[:-1]
    opponent = small_number(rest or "0")
    return None if opponent is None else Cell(letter, opponent or None, colour)


def small_number(text: str) -> int | None:
    """Return the number of at most four digits that *text* is, as a pairing number or a round; None where it is none.

    >>> small_number("0012"), small_number("12345"), small_number("")
    (12, None, None)
    """
    # str.isdecimal alone also accepts digits of other scripts.
    return int(text) if len(text) <= _SEAT_DIGITS and text.isascii() and text.isdecimal() else None


def cell_in(row: Sequence[str], at: int | None) -> str:
    """Return the text of a cell of a table; empty where the row is shorter, or there is no such column."""
    return row[at].strip() if at is not None and at < len(row) else ""


@functools.lru_cache(maxsize=_CELLS_KEPT)
def cell_text(cell: Cell) -> str:
    """Return a round cell as text.

    >>> cell_text(Cell("W", 12, "b")), cell_text(Cell("H")), cell_text(Cell())
    ('W12b', 'H', '')
    """
    return f"{cell.letter}{'' if cell.opponent is None else cell.opponent}{cell.colour}"


def plain_number(value: float) -> float:
    """Return a number as a person writes it: whole numbers without a point.

    >>> plain_number(1794.0), plain_number(612.4)
    (1794, 612.4)
    """
    return int(value) if isinstance(value, float) and value.is_integer() else value

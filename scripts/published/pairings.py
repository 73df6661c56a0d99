"""Rounds that line up on both sides of a game.

In some stored sections the columns are opponents, not rounds, or a game is in another column on each side. The games
are right: each result has its counterpart among the cells of the opponent. Such sections are laid out anew.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ratebook.model import MIRROR, Cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scripts.published.stored import StoredSection

ONE_SIDED = {"W": "N", "D": "R", "L": "S"}
"""How a result is coded that the other side does not have."""


class Game(NamedTuple):
    """One game: the two seats, and the result of the first."""

    seat: int
    opponent: int
    letter: str


def cell_of(text: str) -> Cell:
    """Return the cell that is stored as *text*: a letter and the opponent's seat."""
    return Cell(text[:1], int(text[1:]) if text[1:] else None)


def rounds_by_seat(section: StoredSection) -> dict[int, tuple[Cell, ...]]:
    """Return the rounds of each seat, as published where both sides line up, else laid out anew."""
    cells = {one.seat: tuple(cell_of(text) for text in one.rounds) for one in section.seats}
    if all(
        _lines_up(cells, seat, number, cell)
        for seat, row in cells.items()
        for number, cell in enumerate(row)
        if cell.letter in MIRROR
    ):
        return cells
    return _laid_out(cells)


def _lines_up(cells: Mapping[int, tuple[Cell, ...]], seat: int, number: int, cell: Cell) -> bool:
    row = cells[cell.opponent or 0]
    return number < len(row) and row[number] == Cell(MIRROR[cell.letter], seat)


def _laid_out(cells: Mapping[int, tuple[Cell, ...]]) -> dict[int, tuple[Cell, ...]]:
    """Return the games of *cells* in rounds that line up, each in the first that both players have free."""
    rounds: dict[int, dict[int, Cell]] = {seat: {} for seat in cells}
    rest: dict[int, list[Cell]] = {
        seat: [cell for cell in row if cell.letter not in MIRROR] for seat, row in cells.items()
    }
    for game in _games(cells):
        number = _first_free(rounds, game.seat, game.opponent)
        rounds[game.seat][number] = Cell(game.letter, game.opponent)
        rounds[game.opponent][number] = Cell(MIRROR[game.letter], game.seat)
    for seat, opponent, letter in _one_sided(cells):
        rest[seat].append(Cell(ONE_SIDED[letter], opponent))
    length = max((max(row, default=-1) + 1 + len(rest[seat]) for seat, row in rounds.items()), default=0)
    return {seat: _filled(row, rest[seat], length) for seat, row in rounds.items()}


def _filled(row: Mapping[int, Cell], rest: Iterable[Cell], length: int) -> tuple[Cell, ...]:
    """Return the rounds of one seat: its games, and in the free rounds what else is stored of it."""
    others = iter(rest)
    return tuple(row[number] if number in row else next(others, Cell("U")) for number in range(length))


def _first_free(rounds: Mapping[int, Mapping[int, Cell]], one: int, other: int) -> int:
    number = 0
    while number in rounds[one] or number in rounds[other]:
        number += 1
    return number


def _sides(cells: Mapping[int, tuple[Cell, ...]]) -> Counter[Game]:
    return Counter(
        Game(seat, cell.opponent, cell.letter)
        for seat, row in cells.items()
        for cell in row
        if cell.letter in MIRROR and cell.opponent is not None
    )


def _games(cells: Mapping[int, tuple[Cell, ...]]) -> Iterable[Game]:
    """Yield every game that both sides have, from the side of the lower seat."""
    sides = _sides(cells)
    for side, times in sides.items():
        if side.seat < side.opponent:
            both = min(times, sides[Game(side.opponent, side.seat, MIRROR[side.letter])])
            yield from (side for _ in range(both))


def _one_sided(cells: Mapping[int, tuple[Cell, ...]]) -> Iterable[Game]:
    """Yield every result that the other side does not have."""
    sides = _sides(cells)
    for side, times in sides.items():
        missing = times - sides[Game(side.opponent, side.seat, MIRROR[side.letter])]
        yield from (side for _ in range(missing))

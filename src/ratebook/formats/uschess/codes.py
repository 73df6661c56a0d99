"""The round cells of upload files, and how columns of cells become rounds (docs/formats/uschess.md#round-cells).

A cell may have the letter of a double game, ``$ # %``, until `split_double_games` replaces it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from ratebook.formats.reading.cells import EMPTY_CELL, OTHER_COLOUR, OTHER_SIDE, small_number
from ratebook.model import POINTS, Cell

DOUBLE_LETTERS = frozenset("$#%")
"""Letters that only double-game sections have; W, D and L have another meaning there."""

GAME_IN_PROGRESS = "I"
"""Letter of an unfinished correspondence game, which nothing can rate."""

SeatCells: TypeAlias = dict[int, tuple[Cell, ...]]
"""The cells of a section by pairing number, in the order of the file."""

_LETTERS = frozenset(POINTS) | DOUBLE_LETTERS
_ABSENT_LETTERS = frozenset({"", "U"})
_FORFEITS = frozenset("XF")
# The same letter twice, where no game was played.
_BOTH_LEGS = frozenset("XFZBHU") | {""}
# First and second leg by code. The order is not recorded; it is chosen so that both sides agree: $ meets L,
# # meets D, % meets %, and W meets W, where one side has the legs the other way round.
_LEGS = {"$": ("W", "W"), "#": ("W", "D"), "W": ("W", "L"), "%": ("D", "D"), "D": ("L", "D"), "L": ("L", "L")}
# Enough for every cell of a large event, and a bound for a file that is not one.
_CELLS_KEPT = 1 << 15


@lru_cache(maxsize=_CELLS_KEPT)
def parse_code(text: str) -> Cell | None:
    """Return the cell that *text* without blanks around it means, or None where it cannot be read.

    There may be blanks around the number, and 0 means no opponent; zeros alone are not a round at all
    (docs/formats/uschess.md).

    >>> parse_code("D16W"), parse_code("W    3B") == parse_code("W3b"), parse_code("H0")
    (Cell(letter='D', opponent=16, colour='w'), True, Cell(letter='H', opponent=None, colour=''))
    """
    letter, rest = text[:1].upper(), text[1:].strip()
    if letter == "0" and not rest.strip("0"):
        return EMPTY_CELL
    if letter not in _LETTERS:
        return None
    colour = rest[-1:].lower()
    if colour in {"w", "b"}:
        rest = rest[:-1].rstrip()
    else:
        colour = ""
    opponent = small_number(rest or "0")
    return None if opponent is None else Cell(letter, opponent or None, colour)


def last_round(rounds: Mapping[int, Sequence[Cell]]) -> int:
    """Return the last column in which someone has more than an absence, 0 where there is none."""
    last = 0
    for cells in rounds.values():
        at = len(cells)
        while at > last and cells[at - 1].letter in _ABSENT_LETTERS:
            at -= 1
        last = max(last, at)
    return last


def columns_are_opponents(rounds: Mapping[int, Sequence[Cell]]) -> bool:
    """Return whether every played cell names the opponent of its column's number.

    Round robins may be reported so (docs/formats/uschess.md#round-robins). Rounds in order of play never look like it:
    a game would have to be in the columns of both pairing numbers.
    """
    played = False
    for cells in rounds.values():
        for column, cell in enumerate(cells, start=1):
            if cell.rated or cell.letter in DOUBLE_LETTERS:
                if cell.opponent != column:
                    return False
                played = True
    return played


def rounds_from_opponents(rounds: Mapping[int, tuple[Cell, ...]]) -> SeatCells:
    """Return the cells of a round robin by round, where the columns were opponents.

    Seats a and b meet in round (a + b - 2) modulo the number of columns: each player has at most one game in each.
    """
    moved: SeatCells = {}
    for seat, cells in rounds.items():
        columns = len(cells)
        row = [EMPTY_CELL] * columns
        for column, cell in enumerate(cells, start=1):
            row[(seat + column - 2) % columns] = cell
        moved[seat] = tuple(row)
    return moved


def pair_forfeits(rounds: SeatCells) -> tuple[SeatCells, int]:
    """Give forfeit wins and losses without an opponent each other as opponents; return the cells, and how many it gave.

    First those that the other side names, then a win and a loss that are alone in their round. Of several, nothing
    tells who met whom: they stay as they are (docs/formats/uschess.md#round-cells). None of it is a rated game.
    """
    by_round: dict[int, list[int]] = {}
    for seat in sorted(rounds):
        for number, cell in enumerate(rounds[seat]):
            if cell.letter in _FORFEITS:
                by_round.setdefault(number, []).append(seat)
    rows: dict[int, list[Cell]] = {}
    paired = 0
    for number, seats in by_round.items():
        pairs = _forfeit_pairs(rounds, number, seats)
        paired += len(pairs)
        for seat, opponent in pairs:
            row = rows.setdefault(seat, list(rounds[seat]))
            row[number] = row[number]._replace(opponent=opponent)
    if not rows:
        return rounds, 0
    return {seat: tuple(rows[seat]) if seat in rows else cells for seat, cells in rounds.items()}, paired


def _forfeit_pairs(rounds: SeatCells, number: int, seats: list[int]) -> list[tuple[int, int]]:
    """Return seat and opponent for the forfeits of one round that name none, where one is found."""
    open_seats: dict[str, dict[int, None]] = {"X": {}, "F": {}}
    naming = []
    for seat in seats:
        cell = rounds[seat][number]
        if cell.opponent is None:
            open_seats[cell.letter][seat] = None
        else:
            naming.append((seat, cell.letter, cell.opponent))
    pairs = []
    for seat, letter, opponent in naming:
        others = open_seats[OTHER_SIDE[letter]]
        if opponent in others:
            del others[opponent]
            pairs.append((opponent, seat))
    if len(open_seats["X"]) == len(open_seats["F"]) == 1:
        (winner,), (loser,) = open_seats["X"], open_seats["F"]
        pairs += [(winner, loser), (loser, winner)]
    return pairs


def forfeits_without_opponent(rounds: SeatCells) -> int:
    """Return how many forfeits name no opponent in rounds that have such wins and such losses."""
    letters: dict[int, list[str]] = {}
    for cells in rounds.values():
        for number, cell in enumerate(cells):
            if cell.letter in _FORFEITS and cell.opponent is None:
                letters.setdefault(number, []).append(cell.letter)
    return sum(len(alone) for alone in letters.values() if {*alone} == {"X", "F"})


def split_double_games(seat: int, cells: Sequence[Cell]) -> tuple[Cell, ...] | int:
    """Return two rounds for each cell of a double-game section, or the number of a round that cannot be split.

    Codes: $ two wins, # win and draw, W win and loss, % two draws, D draw and loss, L two losses
    (docs/formats/uschess.md#double-games). The second leg has the other colour. Which result came first is not
    recorded: the two sides only agree with each other.

    >>> [leg.letter for leg in split_double_games(1, [Cell("#", 2, "w")])]
    ['W', 'D']
    >>> [leg.letter for leg in split_double_games(2, [Cell("D", 1, "b")])]
    ['L', 'D']
    """
    legs: list[Cell] = []
    for number, cell in enumerate(cells, start=1):
        # Both sides of W have one win each: the lower pairing number is given the first.
        pair = _legs(cell, cell.opponent is None or seat < cell.opponent)
        if pair is None:
            return number
        legs += pair
    return tuple(legs)


@lru_cache(maxsize=_CELLS_KEPT)
def _legs(cell: Cell, lower: bool) -> tuple[Cell, Cell] | None:  # noqa: FBT001 - lru_cache is slower with keywords
    if cell.letter in _BOTH_LEGS:
        return cell, cell
    letters = _LEGS.get(cell.letter)
    if letters is None:
        return None
    first, second = letters if lower or cell.letter != "W" else letters[::-1]
    return cell._replace(letter=first), cell._replace(letter=second, colour=OTHER_COLOUR[cell.colour])

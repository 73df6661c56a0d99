"""Rounds whose columns are named otherwise: opponent, colour and result apart, or a grid under the players' names.

docs/formats/csv-report.md#round-cells has what they become.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from ratebook.formats.csv_report.columns import KIND, TooMuchError
from ratebook.formats.reading.cells import BYE_OF_RESULT, cell_in, parse_cell
from ratebook.formats.reading.sheets.header import (
    MOST_ROWS_ABOVE,
    PARTS_OF_NAMES,
    is_comment,
    plain_title,
    round_of,
)
from ratebook.formats.reading.sheets.outcomes import BYES, manner_of, parse_outcome

_ROWS_LOOKED_AT = 2 * MOST_ROWS_ABOVE
_PARTS = {
    "opponent": "opp?|opponent|opponents?_no|gegner|adversaire|vs",
    "colour": "col|color|colour|clr|farbe",
    "result": "res|result|score|pts|points|erg|ergebnis|w_?d?_?l_?d?|outcome",
}
_PART = re.compile("|".join(f"(?P<{part}>{words})" for part, words in _PARTS.items()))
_OPPONENTS = frozenset(("op", "opp", "opponent"))
_OF_ROUND = re.compile(
    r"(?:(?:round|rnd|rd|r)_?)?(?P<first>[0-9]{1,2})_?(?P<part>[a-z_]+)|(?P<before>[a-z_]+?)(?:_(?:(?:round|rnd|rd|r)_?)?)?(?P<last>[0-9]{1,2})"
)
_LETTERS = {
    **dict.fromkeys(("1", "1.0", "w", "win", "won"), "W"),
    **dict.fromkeys(("\u00bd", "0.5", ".5", "1/2", "d", "draw", "="), "D"),
    **dict.fromkeys(("0", "0.0", "l", "loss", "lost"), "L"),
    **dict.fromkeys(("+", "x", "1f", "1x"), "X"),
    **dict.fromkeys(("-", "f", "0f"), "F"),
}
_COLOURS = {"w": "w", "white": "w", "b": "b", "black": "b", "s": "b"}
_LEAST_PLAYERS = 3
_VERSUS = re.compile(r"^vs?\.?\s+")


class _Round(NamedTuple):
    """Where the columns of one round are."""

    opponent: int
    result: int
    colour: int | None


def with_rounds(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """Yield *rows* with a column for each round where their header names its parts, or the opponents, instead.

    >>> [*with_rounds([["No", "Name", "R1 Opp", "R1 Res"], ["1", "Acker", "4", "1"]])]
    [['No', 'Name', 'Round 1', ''], ['1', 'Acker', 'W4', '']]
    """
    rest = iter(rows)
    head: list[list[str]] = []
    failure: csv.Error | TooMuchError | None = None
    try:
        for row in islice(rest, _ROWS_LOOKED_AT):
            head.append(row)  # noqa: PERF402 - what was read before a failure is kept
    except (csv.Error, TooMuchError) as error:
        failure = error
    for at, row in enumerate(head[:MOST_ROWS_ABOVE]):
        above = head[at - 1] if at else []
        if is_comment(row):
            continue
        if rounds := _rounds_of(row, above):
            if any(map(round_of, map(plain_title, above))):
                head[at - 1] = []
            else:
                above = []
            head[at] = _header(row, above, rounds)
            head[at + 1 :] = [_with_cells(line, rounds) for line in head[at + 1 :]]
            rest = (_with_cells(line, rounds) for line in rest)
            break
        columns, below = KIND.columns_of(row), head[at + 1 :]
        if titles := _grid_of(row, columns, below) or _in_order(row, columns, below):
            head[at] = titles
            break
    yield from head
    if failure is not None:
        raise failure
    yield from rest


def _rounds_of(row: Sequence[str], above: Sequence[str]) -> dict[int, _Round]:
    """Return the columns of each round in the header line *row*, whose rounds may be named in the row *above*."""
    places: dict[int, dict[str, int]] = {}
    current = 0
    titles = [*map(plain_title, row)]
    is_numbered = any(
        _OF_ROUND.fullmatch(title) or round_of(title) for title in (*titles, *map(plain_title, above))
    )
    for at, title in enumerate(titles):
        if not is_numbered and title in _OPPONENTS:
            # Opponent and result again and again, without a number.
            current += 1
        current = (round_of(plain_title(above[at])) if at < len(above) else 0) or current
        part, number = title, current
        if found := _OF_ROUND.fullmatch(title):
            part, number = found["part"] or found["before"], int(found["first"] or found["last"])
        if round_of(title):
            # The opponent may stand behind it.
            part, number = "result", round_of(title)
            current = number
        kind = _PART.fullmatch(part)
        if kind and kind.lastgroup and number:
            places.setdefault(number, {}).setdefault(kind.lastgroup, at)
    rounds = {
        number: _Round(columns["opponent"], columns["result"], columns.get("colour"))
        for number, columns in places.items()
        if {"opponent", "result"} <= columns.keys()
    }
    return rounds if [*rounds] == [*range(1, len(rounds) + 1)] else {}


def _header(row: Sequence[str], above: Sequence[str], rounds: dict[int, _Round]) -> list[str]:
    titles = [
        title or ("" if round_of(plain_title(over)) else over)
        for title, over in zip(row, chain(above, [""] * len(row)), strict=False)
    ]
    for number, columns in rounds.items():
        for at in filter(None, (columns.colour, columns.result)):
            titles[at] = ""
        titles[columns.opponent] = f"Round {number}"
    return titles


def _with_cells(row: list[str], rounds: dict[int, _Round]) -> list[str]:
    cells = [*row]
    for columns in rounds.values():
        opponent, result, colour = (cell_in(row, at) for at in columns)
        for at in columns:
            if at is not None and at < len(row):
                cells[at] = ""
        if columns.opponent < len(row):
            cells[columns.opponent] = _cell_of(opponent, result, colour)
    return cells


def _cell_of(opponent: str, result: str, colour: str) -> str:
    """Return the cell of a round with this *opponent*, *result* and *colour*; what cannot be read is left as it is.

    >>> _cell_of("4", "1", "W"), _cell_of("", "0.5", ""), _cell_of("bye", "1", ""), _cell_of("4", "?", "")
    ('W4w', 'H', 'B', '4 ?')
    """
    letter = _LETTERS.get(result.casefold(), "")
    number = opponent.removesuffix(".0")
    if number.isdecimal() and number != "0" and letter:
        return f"{letter}{number}{_COLOURS.get(colour.casefold(), '')}"
    if opponent.casefold() == "bye" and letter:
        return BYE_OF_RESULT[letter]
    if opponent.strip("0-.") and not number.isdecimal():
        is_player = letter and opponent.casefold() not in BYES
        return f"{letter} {opponent} {_COLOURS.get(colour.casefold(), '')}".strip() if is_player else opponent
    if not opponent.strip("0-.") and letter:
        return BYE_OF_RESULT[letter]
    return f"{opponent} {result}".strip()


def _in_order(row: Sequence[str], columns: Sequence[str], below: Sequence[Sequence[str]]) -> list[str]:
    """Return the header line *row*, which names players and no rounds, with a number for each column of games *below*.

    >>> row, below = ["No", "Name", "R1a", "R1b"], [["1", "Able", "W2w", "L2b"], ["2", "Bond", "L1b", "W1w"]]
    >>> _in_order(row, KIND.columns_of(row), below)
    ['No', 'Name', 'Round 1', 'Round 2']
    """
    if {"name", "player", *PARTS_OF_NAMES}.isdisjoint(columns) or any(map(round_of, columns)):
        return []
    titles = [*row]
    number = 0
    for at in [at for at, column in enumerate(columns) if column != "total"]:
        cells = [line[at] for line in below if at < len(line) and line[at].strip()]
        manner = manner_of(cells)
        outcomes = [parse_cell(cell) or parse_outcome(cell, manner) for cell in cells]
        games = [cell for cell in outcomes if cell and cell.opponent and cell.letter]
        if 2 * len(games) > len(cells) or (games and number and row[at].strip() == str(number + 1)):
            number += 1
            titles[at] = f"Round {number}"
    return titles if number else []


def _grid_of(row: Sequence[str], columns: Sequence[str], below: Sequence[Sequence[str]]) -> list[str]:
    """Return the header line *row* with numbers for the names of the players *below*, each of whom has a column.

    >>> row, below = (
    ...     ["#", "Name", "Ann", "Bob", "Cat"],
    ...     [["1", "Ann Able"], ["2", "Bob Bond"], ["3", "Cat Cole"]],
    ... )
    >>> _grid_of(row, KIND.columns_of(row), below)
    ['#', 'Name', '1', '2', '3']
    """
    if any(map(round_of, columns)) or ({"name", "player"}.isdisjoint(columns) and "".join(row[:1]).strip()):
        return []
    # The names may be below "Player", which elsewhere means an id, or below no title.
    at_name = next((columns.index(title) for title in ("name", "player") if title in columns), 0)
    row = row if "name" in columns else [*row[:at_name], "Name", *row[at_name + 1 :]]
    names = [line[at_name].casefold() for line in below if at_name < len(line) and line[at_name].strip()]
    for start in range(at_name + 1, len(row) - len(names) + 1):
        titles = [_VERSUS.sub("", title.strip().casefold()) for title in row[start : start + len(names)]]
        if len(names) >= _LEAST_PLAYERS and all(
            title and (title == name or title in re.findall(r"[^\W\d_]+", name))
            for title, name in zip(titles, names, strict=True)
        ):
            return [*row[:start], *map(str, range(1, len(names) + 1)), *row[start + len(names) :]]
    return []

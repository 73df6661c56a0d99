"""Round-robin grids: tables whose columns are opponents, with the results of each pair in both of its cells.

No round is told, so that games get the rounds of the usual order of pairings, in which each player has one game in each
(docs/formats/wall-charts.md#grids).
"""

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from ratebook.findings import Findings, Place
from ratebook.formats.contract import ROUNDS_AT_MOST
from ratebook.formats.csv_report.body import Body, NumberedRow
from ratebook.formats.reading.cells import OTHER_COLOUR, OTHER_SIDE, cell_in
from ratebook.formats.reading.fields import shown
from ratebook.formats.reading.sheets.header import Header
from ratebook.formats.reading.sheets.outcomes import DAY_OF_HALF
from ratebook.model import SectionType

_LEAST_PLAYERS = 2
_KEPT = 4_096
_LONGEST = 16
"""Signs of a cell: a match of eight games."""
_OWN_CELL = re.compile(r"[xX*#.\\/=_\u00b7\u2022\u25a0\u2588\u2013\u2014-]*")
"""What is where a player would meet himself."""
_APART = re.compile(r"[\s;|]+|(?<=[01\u00bd=])[:\u2013-](?=[01\u00bd=])")
_GAME = re.compile(
    r"(?P<first>[wb])?(?P<result>1/2|0?[.,]5|[\u00bd=10WLD])(?P<forfeit>[FfXx])?(?P<last>[wb])?", re.ASCII
)
_SCORE = re.compile(r"(1/2|0?[.,]5|[\u00bd10])\s?[-:\u2013]\s?(1/2|0?[.,]5|[\u00bd10])")
_WHOLE_POINT = re.compile(r"(?<![0-9.,])([01])[.,]0(?![0-9])")
_NOT_PLAYED = frozenset(("", ".", "*", "?", "_", "--"))
_LETTERS = {"1": "W", "W": "W", "0": "L", "L": "L"}
_BY_FORFEIT = {"W": "X", "L": "F"}
_FORFEITS = {"+": "X", "-": "F", "\u2013": "F"}


class GridGame(NamedTuple):
    """The letter of a result, and the colour where the grid has it."""

    letter: str
    colour: str = ""


class Grid(NamedTuple):
    """A grid in rounds.

    Attributes:
        rows: the round cells of each player.
        differing: pairs of positions whose two cells do not belong together.
        unread: positions of cells that cannot be read: row and column.
    """

    rows: list[list[str]]
    differing: list[tuple[int, int]]
    unread: list[tuple[int, int]]


@functools.lru_cache(maxsize=_KEPT)
def games_in(text: str) -> tuple[GridGame, ...] | None:
    """Return the games in a cell of a grid, in their order, or None where it cannot be read.

    >>> [game.letter for game in games_in("1\u00bd")], games_in("0b"), games_in("")
    (['W', 'D'], (GridGame(letter='L', colour='b'),), ())
    >>> games_in("2-Jan") == games_in("0.5"), games_in("1.0") == games_in("1")
    (True, True)
    >>> games_in("2-Jan"), games_in("W12") is None, games_in("2") is None
    ((GridGame(letter='D', colour=''),), True, True)
    """
    if text in _NOT_PLAYED:
        return ()
    if DAY_OF_HALF.fullmatch(text):
        return (GridGame("D"),)
    if len(text) > _LONGEST:
        return None
    games: list[GridGame] = []
    for part in _APART.split(_WHOLE_POINT.sub(r"\1", text)):
        if part in _FORFEITS:
            games.append(GridGame(_FORFEITS[part]))
            continue
        at = 0
        while at < len(part):
            match = _GAME.match(part, at)
            if match is None or (match["first"] and match["last"]):
                return None
            letter = _LETTERS.get(match["result"], "D")
            if match["forfeit"] and letter == "D":
                return None
            letter = _BY_FORFEIT[letter] if match["forfeit"] else letter
            games.append(GridGame(letter, match["first"] or match["last"] or ""))
            at = match.end()
    return tuple(games)


def in_rounds(findings: Findings, place: Place, body: Body, *, is_typed: bool) -> Body:
    """Return *body* with the cells of a grid as rounds; *body* itself where it is none.

    A section of three players or more is a round robin, unless the user says its type (*is_typed*).
    """
    header = body.header
    columns = [header.rounds[number] for number in sorted(header.rounds)]
    groups = _sections_of(body)
    grids = [
        grid_of([[cell_in(row.cells, at) for at in columns] for row in rows], [row.seat for row in rows])
        for rows in groups
    ]
    read = [grid for grid in grids if grid is not None]
    if not read or len(read) < len(grids):
        return body
    for rows, grid in zip(groups, read, strict=True):
        _report(findings, place, header, columns, rows, grid)
    rounds = max(len(row) for grid in read for row in grid.rows)
    findings.add("grid-in-rounds", place.but(line=header.row), rounds=rounds)
    if rounds > ROUNDS_AT_MOST:
        findings.add("too-many-rounds.columns", place, last=rounds, rounds_at_most=ROUNDS_AT_MOST)
        return body._replace(rows=[])
    return _with_rounds(body, [cells for grid in read for cells in grid.rows], rounds, is_typed=is_typed)


def _sections_of(body: Body) -> list[list[NumberedRow]]:
    """Return the rows of each section."""
    at = body.header.places.get("section")
    groups: list[list[NumberedRow]] = []
    section = ""
    for row in body.rows:
        text = cell_in(row.cells, at)
        if not groups or (text and text != section):
            groups.append([])
        section = text or section
        groups[-1].append(row)
    return groups


def _report(  # noqa: PLR0913, PLR0917 - a grid, and where its cells are
    findings: Findings,
    place: Place,
    header: Header,
    columns: Sequence[int],
    rows: Sequence[NumberedRow],
    grid: Grid,
) -> None:
    """Report the cells of a grid that cannot be read, and pairs whose cells do not belong together."""
    for at, column in grid.unread:
        where = place.but(rows=(rows[at].number,), field=header.title_of(f"round{column + 1}"))
        findings.add("cell-unreadable.grid", where, text=shown(cell_in(rows[at].cells, columns[column])))
    for first, second in grid.differing:
        findings.add(
            "grid-halves-differ",
            place.but(rows=(rows[first].number, rows[second].number)),
            seat=rows[first].seat,
            text=shown(cell_in(rows[first].cells, columns[second])),
            opponent=rows[second].seat,
            text_2=shown(cell_in(rows[second].cells, columns[first])),
        )


def _with_rounds(body: Body, rounds_of: Sequence[Sequence[str]], rounds: int, *, is_typed: bool) -> Body:
    """Return *body* with these cells in the columns of rounds, behind which there are more where they are needed."""
    header = body.header
    columns = [header.rounds[number] for number in sorted(header.rounds)]
    titles = [*header.titles, *[""] * max(0, rounds - len(columns)), "type"]
    columns += range(header.width, len(titles) - 1)
    places = {"type": len(titles) - 1, **header.places}
    kind = SectionType.ROUND_ROBIN.value if not is_typed and len(body.rows) > _LEAST_PLAYERS else ""
    rows = []
    for row, played in zip(body.rows, rounds_of, strict=True):
        cells = [*row.cells[: header.width], *[""] * (len(titles) - len(row.cells[: header.width]))]
        for at, column in enumerate(columns):
            cells[column] = played[at] if at < len(played) else ""
        cells[places["type"]] = cells[places["type"]] or kind
        rows.append(row._replace(cells=cells + row.cells[header.width :]))
    header = header._replace(places=places, rounds=dict(enumerate(columns[:rounds], start=1)), titles=titles)
    return body._replace(header=header, rows=rows)


def grid_of(table: Sequence[Sequence[str]], seats: Sequence[str]) -> Grid | None:
    """Return the grid in the cells of *table*, a row for each of *seats*; None where it is none.

    >>> grid_of([["x", "1", "\u00bd"], ["0", "x", "1"], ["\u00bd", "0", "x"]], ["1", "2", "3"]).rows
    [['', 'W2', 'D3'], ['W3', 'L1', ''], ['L2', '', 'D1']]
    """
    size = len(table)
    if size < _LEAST_PLAYERS or any(len(row) < size or any(row[size:]) for row in table):
        return None
    if not all(_OWN_CELL.fullmatch(row[at]) for at, row in enumerate(table)):
        return None
    others = (cell for at, row in enumerate(table) for to, cell in enumerate(row) if at != to and cell)
    scores = [*map(_SCORE.fullmatch, others)]
    are_scores = (score and _belong_together(*games_in(f"{score[1]};{score[2]}") or ()) for score in scores)
    if size > _LEAST_PLAYERS and scores and all(are_scores):
        # The scores of both players: two games of each pair would not end so everywhere.
        table = [[score[1] if (score := _SCORE.fullmatch(cell)) else cell for cell in row] for row in table]
    places = [(at, column) for at in range(size) for column in range(size) if column != at]
    read = {(at, column): games_in(table[at][column]) for at, column in places}
    unread = [at for at, games in read.items() if games is None]
    if sum(map(bool, read.values())) <= len(unread):
        return None
    pairs, differing = _pairs_of({at: games or () for at, games in read.items()}, size)
    differing = [pair for pair in differing if {pair, pair[::-1]}.isdisjoint(unread)]
    return Grid(_in_rounds(pairs, seats), differing, unread)


_Pairs: TypeAlias = dict[tuple[int, int], tuple[GridGame, ...]]


def _pairs_of(cells: _Pairs, size: int) -> tuple[_Pairs, list[tuple[int, int]]]:
    """Return the games of each pair as its first player has them, and the pairs whose cells differ.

    Where one half of the grid is empty, the other one says everything.
    """
    above = [(at, other) for at in range(size) for other in range(at + 1, size)]
    halves = any(cells[pair] for pair in above) and any(cells[pair[::-1]] for pair in above)
    pairs: _Pairs = {}
    differing = []
    for first, second in above:
        own, others = cells[first, second], cells[second, first]
        if not halves:
            own, others = own or _mirrored(others), others or _mirrored(own)
        # Strokes in both cells are no forfeits.
        if not _is_played(own) and not _is_played(others):
            continue
        if len(own) != len(others) or not all(map(_belong_together, own, others)):
            differing.append((first, second))
            continue
        pairs[first, second] = tuple(
            game._replace(colour=game.colour or OTHER_COLOUR[other.colour])
            for game, other in zip(own, others, strict=True)
        )
    return pairs, differing


def _is_played(games: Sequence[GridGame]) -> bool:
    """Return whether *games* are more than strokes."""
    return any(game != GridGame("F") for game in games)


def _belong_together(game: GridGame, other: GridGame) -> bool:
    return other.letter == OTHER_SIDE[game.letter] and (not game.colour or game.colour != other.colour)


def _mirrored(games: Sequence[GridGame]) -> tuple[GridGame, ...]:
    return tuple(GridGame(OTHER_SIDE[game.letter], OTHER_COLOUR[game.colour]) for game in games)


def _in_rounds(pairs: _Pairs, seats: Sequence[str]) -> list[list[str]]:
    """Return the cells of all players by round: all pairs once, then those that meet again."""
    players = len(seats) + len(seats) % 2
    turn = players - 1
    legs = max(map(len, pairs.values()), default=1)
    rows = [[""] * (turn * legs) for _ in seats]
    for (first, second), games in pairs.items():
        at = (2 * first if second == turn else first + second) % turn
        for leg, game in enumerate(games):
            other = _mirrored([game])[0]
            rows[first][at + leg * turn] = f"{game.letter}{seats[second]}{game.colour}"
            rows[second][at + leg * turn] = f"{other.letter}{seats[first]}{other.colour}"
    return rows

"""A round by board: who has White, who has Black, and the result, read from a section's rows and written into them.

A board that cannot be written into the rows stays as it was typed, until it can.
"""

from collections.abc import Iterator, Sequence

from ratebook.findings import Finding, Place, finding
from ratebook.formats.reading.cells import OTHER_COLOUR, OTHER_SIDE, cell_text, small_number
from ratebook.model import Cell
from ratebook.reports.draft import DraftPlayer, DraftSection, TypedBoard, other_side, read_cell, read_pairing

EMPTY = TypedBoard()
_SHOWN = {"W": "1-0", "D": "½-½", "L": "0-1", "X": "X", "F": "F"}
_RESULTS = {
    **dict.fromkeys(("1", "1-0", "1:0", "w", "win", "won"), "W"),
    **dict.fromkeys(("½", "=", "½-½", "1/2", "1/2-1/2", "0.5", "0,5", "d", "draw"), "D"),
    **dict.fromkeys(("0", "0-1", "0:1", "l", "loss", "lost"), "L"),
    **dict.fromkeys(("x", "+", "+-", "+/-", "1x", "1-0f", "1f-0f"), "X"),
    **dict.fromkeys(("f", "-", "-+", "-/+", "0f", "0-1f", "0f-1f"), "F"),
    "": "",
}


def read_result(text: str) -> str | None:
    """Return the letter of White's result, empty where there is none yet; None where it cannot be read.

    >>> [read_result(text) for text in ("1", "1/2-1/2", " = ", "0-1", "x", "", "2")]
    ['W', 'D', 'D', 'L', 'X', '', None]
    """
    return _RESULTS.get("".join(text.lower().replace("\N{EN DASH}", "-").split()))


def boards_of(section: DraftSection, played: int) -> tuple[TypedBoard, ...]:
    """Return the boards of a round: those that were typed, in their order, and the other games of the rows."""
    games = _games(section, played)
    boards = []
    for row in section.boards.get(played, ()):
        pair = frozenset(filter(None, (_seat(row.white), _seat(row.black))))
        if pair in games:
            boards.append(games.pop(pair))
        else:
            # What the rows no longer say was changed in the crosstable.
            boards.append(EMPTY if row.placed else row)
    boards += games.values()
    while boards and boards[-1] == EMPTY:
        boards.pop()
    return tuple(boards)


def with_boards(
    section: DraftSection, played: int, typed: Sequence[TypedBoard], seen: Sequence[TypedBoard]
) -> DraftSection:
    """Return a section with the boards that were typed into a form that had *seen* others.

    A board that another window changed meanwhile is left as it is there, and what was typed is another board, to be
    decided.
    """
    boards, displaced = [*boards_of(section, played)], list[TypedBoard]()
    colourless = [board for board in boards if board.placed and not _has_colours(section, played, board)]
    for at, row in enumerate(typed):
        before = seen[at] if at < len(seen) else EMPTY
        if row[:3] == before[:3]:
            continue
        now = boards[at] if at < len(boards) else EMPTY
        # What was kept a moment ago may have come from the same form, whose button was pressed before it was told.
        if any(_is_same(row, board) for board in boards):
            continue
        if now[:3] == before[:3] or _goes_on(row, now):
            boards += [EMPTY] * (at + 1 - len(boards))
            boards[at] = row
            if now.placed:
                section = _with_cells(section, played, {int(now.white): "", int(now.black): ""})
        elif row != EMPTY:
            displaced.append(row)
    boards += displaced
    for at, board in enumerate(boards):
        if board == EMPTY or board.placed or any(wrong_board(section, played, at, board)):
            continue
        same = any({board.white, board.black} == {other.white, other.black} for other in colourless)
        section = _with_cells(section, played, _cells(board, colours=not same))
        boards[at] = board._replace(placed=True)
    return section._replace(boards={**section.boards, played: tuple(boards)})


def _is_same(row: TypedBoard, board: TypedBoard) -> bool:
    return row[:2] == board[:2] != EMPTY[:2] and read_result(row.result) == read_result(board.result)


def _goes_on(row: TypedBoard, begun: TypedBoard) -> bool:
    return all(text in {"", typed} for text, typed in zip(begun[:3], row[:3], strict=True))


def wrong_boards(section: DraftSection, played: int) -> Iterator[Finding]:
    """Yield why boards of a round cannot be written into the rows; the place is the field, such as ``b3-white``."""
    for at, board in enumerate(boards_of(section, played)):
        if board != EMPTY and not board.placed:
            yield from wrong_board(section, played, at, board)


def wrong_board(section: DraftSection, played: int, at: int, board: TypedBoard) -> Iterator[Finding]:
    """Yield why a board cannot be written into the rows."""
    number = at + 1
    seats = []
    for side, text in (("white", board.white), ("black", board.black)):
        place, seat = Place(input=f"b{number}-{side}"), _seat(text)
        player = None if seat is None else section.player_at(seat)
        if not text:
            yield finding("typed-board.missing", place, board=number, side=side.capitalize())
        elif player is None or seat is None:
            yield finding("typed-board.number", place, board=number, text=text[:20])
        elif seat in seats:
            yield finding("typed-board.same", place, board=number, number=seat)
        elif cell := _cell_in(player, played):
            yield finding("typed-board.taken", place, board=number, number=seat, other=cell, round=played)
        seats.append(seat)
    if read_result(board.result) is None:
        place = Place(input=f"b{number}-result")
        yield finding("typed-board.result", place, board=number, text=board.result[:20])


def without_game(section: DraftSection, played: int) -> tuple[DraftPlayer, ...]:
    """Return the players whom no board of a round has."""
    playing = {text for board in boards_of(section, played) if board.placed for text in board[:2]}
    return tuple(player for player in section.players if str(player.seat) not in playing)


def _games(section: DraftSection, played: int) -> dict[frozenset[int], TypedBoard]:
    """Return the games of a round as the rows say them, by the seats that play each other."""
    cells = {player.seat: _game(_cell_in(player, played)) for player in section.players}
    games: dict[frozenset[int], TypedBoard] = {}
    for seat, cell in cells.items():
        opponent = None if cell is None else cell.opponent
        if cell is None or opponent is None or opponent == seat or opponent not in cells:
            continue
        answer = cells[opponent]
        if answer is not None and answer.opponent != seat:
            continue  # the two disagree, which the crosstable shows
        colour = cell.colour or OTHER_COLOUR[answer.colour if answer else ""] or "w"
        white, black = (seat, opponent) if colour == "w" else (opponent, seat)
        letter = cell.letter if white == seat else OTHER_SIDE.get(cell.letter, "")
        agrees = answer is None or not cell.letter or _mirrors(seat, cell, answer)
        board = TypedBoard(str(white), str(black), _SHOWN.get(letter, letter) if agrees else "", placed=True)
        games.setdefault(frozenset((seat, opponent)), board)
    return games


def _mirrors(seat: int, cell: Cell, answer: Cell) -> bool:
    other = other_side(seat, cell)
    return other is not None and other[1].letter == answer.letter


def _game(text: str) -> Cell | None:
    return (read_cell(text) or read_pairing(text)) if text else None


def _cells(board: TypedBoard, *, colours: bool) -> dict[int, str]:
    """Return what both rows say of a board."""
    white, black, letter = int(board.white), int(board.black), read_result(board.result) or ""
    of_white, of_black = ("w", "b") if colours else ("", "")
    return {
        white: cell_text(Cell(letter, black, of_white)),
        black: cell_text(Cell(OTHER_SIDE.get(letter, ""), white, of_black)),
    }


def _has_colours(section: DraftSection, played: int, board: TypedBoard) -> bool:
    players = (section.player_at(int(seat)) for seat in board[:2])
    cells = [_game(_cell_in(player, played)) for player in players if player is not None]
    return any(cell is not None and cell.colour for cell in cells)


def _with_cells(section: DraftSection, played: int, texts: dict[int, str]) -> DraftSection:
    players = tuple(
        player._replace(cells=(*player.cells[: played - 1], texts[player.seat], *player.cells[played:]))
        if player.seat in texts
        else player
        for player in section.players
    )
    return section._replace(players=players)


def _cell_in(player: DraftPlayer, played: int) -> str:
    return player.cells[played - 1].strip() if played <= len(player.cells) else ""


def _seat(text: str) -> int | None:
    return small_number(text.strip()) or None

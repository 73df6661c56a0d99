"""The two sides of a game in a section that is typed: an empty one is filled in, and none changes by itself."""

from collections.abc import Collection

from ratebook.formats.reading.cells import cell_text
from ratebook.model import Cell
from ratebook.reports.draft import DraftSection, other_side, read_cell, read_pairing


def with_other_sides(before: DraftSection, typed: DraftSection) -> DraftSection:
    """Return a section in which each result that was typed is told to the opponent's row where that has none.

    A row that says something else is left as it is: the two disagree, which is for the director to decide. Where one of
    the two is cleared then, it is told what the other one says; of two that agree, one that is cleared stays empty.
    """
    rows = {player.seat: list(player.cells) for player in typed.players}
    for player in typed.players:
        for at, text in enumerate(player.cells):
            if text == before.cell_at(player.seat, at):
                continue
            other = _other_side(player.seat, text)
            row = rows.get(other[0], []) if other is not None else []
            if other is not None and at < len(row) and _waits_for(row[at], player.seat):
                row[at] = cell_text(_with_colour_of(other[1], row[at]))
    players = tuple(player._replace(cells=tuple(rows[player.seat])) for player in typed.players)
    return _with_what_others_say(typed._replace(players=players), _contradicted(before))


def with_opponents_results(section: DraftSection, seat: int) -> DraftSection:
    """Return a section in which the empty cells of a seat say what the one row says that names it."""
    return _with_what_others_say(section, {(seat, at) for at in range(section.rounds)})


def _with_what_others_say(section: DraftSection, places: Collection[tuple[int, int]]) -> DraftSection:
    """Return a section in which empty cells at *places*, seats and rounds, are filled in where one row tells them."""
    tellings = _told(section)
    players = tuple(
        player._replace(
            cells=tuple(
                cell_text(cells[0])
                if not text.strip()
                and (player.seat, at) in places
                and len(cells := tellings.get((player.seat, at), [])) == 1
                else text
                for at, text in enumerate(player.cells)
            )
        )
        for player in section.players
    )
    return section._replace(players=players)


def _contradicted(section: DraftSection) -> set[tuple[int, int]]:
    """Return the seats and rounds of which the rows do not say one thing."""
    return {
        (seat, at)
        for (seat, at), cells in _told(section).items()
        if len(cells) > 1
        or ((text := section.cell_at(seat, at).strip()) and _game(read_cell(text)) != _game(cells[0]))
    }


def _told(section: DraftSection) -> dict[tuple[int, int], list[Cell]]:
    """Return what the rows say of other seats, by seat and round."""
    tellings: dict[tuple[int, int], list[Cell]] = {}
    for player in section.players:
        for at, text in enumerate(player.cells):
            other = _other_side(player.seat, text)
            if other is not None:
                tellings.setdefault((other[0], at), []).append(other[1])
    return tellings


def _game(cell: Cell | None) -> tuple[str, int | None] | None:
    return None if cell is None else (cell.letter, cell.opponent)


def settled(section: DraftSection, seat: int, at: int) -> DraftSection:
    """Return a section in which a row's result of a round holds, and the other rows say the same."""
    text = section.cell_at(seat, at)
    other = _other_side(seat, text)
    players = []
    for player in section.players:
        cell = read_cell(section.cell_at(player.seat, at))
        if other is not None and player.seat == other[0]:
            changed = cell_text(other[1])
        elif player.seat != seat and cell is not None and cell.opponent == seat:
            changed = ""
        else:
            players.append(player)
            continue
        players.append(player._replace(cells=(*player.cells[:at], changed, *player.cells[at + 1 :])))
    return section._replace(players=tuple(players))


def _waits_for(text: str, seat: int) -> bool:
    """Return whether a row says nothing yet, or only that it is paired with a seat."""
    pairing = read_pairing(text)
    return not text.strip() or (pairing is not None and pairing.opponent == seat)


def _with_colour_of(cell: Cell, text: str) -> Cell:
    pairing = read_pairing(text)
    return cell if cell.colour or pairing is None else cell._replace(colour=pairing.colour)


def _other_side(seat: int, text: str) -> tuple[int, Cell] | None:
    cell = read_cell(text)
    return None if cell is None else other_side(seat, cell)

"""The members CSV: one row a player with everything that rating needs, so that no format loses a fact.

docs/formats/members-csv.md has its columns, docs/formats/tables.md says how tables are read.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import BinaryIO

from ratebook.findings import Finding, Findings, Place, finding
from ratebook.formats.archive import refused
from ratebook.formats.contract import AfterRatings, DayOrder, Written
from ratebook.formats.hints import is_seat_id, plain_id
from ratebook.formats.reading.fields import shown
from ratebook.formats.reading.sheets.header import TableKind, look_of
from ratebook.formats.reading.sheets.player_cells import PlayerCells
from ratebook.formats.reading.sheets.player_columns import COLUMNS, cells_of, plain_cell
from ratebook.formats.reading.sheets.sheet import Sheet, first_rows
from ratebook.formats.reading.spreadsheet import csv_text
from ratebook.model import Report
from ratebook.player_lists.row import ListedPlayer, ListKind, Match, Search, clean_name, similar_player

FILE_NAME = "members.csv"

KIND = TableKind("members list", COLUMNS, (), key=("id", "name", "last_name"))
_TEXTS = ("id", "name")
_ROWS_LOOKED_AT = 200
_ASKED_FOR = {"column-unclear.births": "birth_date", "column-unclear.names": "name"}


def looks_like_members_csv(lines: Sequence[str]) -> bool:
    """Return whether one of *lines* can be the header of a members CSV: an id, or a name with another known column.

    >>> looks_like_members_csv(["ID,Name,Regular"]), looks_like_members_csv(["name,address"])
    (True, False)
    """
    return any(KIND.is_header(row) for row in first_rows(lines))


class _Players:
    def __init__(self, stream: BinaryIO, name: str, findings: Findings, order: DayOrder | None) -> None:
        self.sheet = Sheet(stream, name, findings, KIND, order)
        self.cells = PlayerCells(findings, self.sheet.days)

    def player(self, row: Sequence[str]) -> tuple[ListedPlayer, frozenset[str]]:
        """Return the player of the row that was read last, and the columns in which it says something."""
        where, cells = self.sheet.line(row)
        texts = {title: clean_name(plain_cell(cells[title])) for title in _TEXTS if title in cells}
        expires = None
        if "expires" in cells:
            expires = self.sheet.days.last_day(where.inner("expires"), cells["expires"])
        facts = self.cells.facts(where, {title: cell for title, cell in cells.items() if title not in _TEXTS})
        facts = facts._replace(id=plain_id(texts.get("id", "")), name=texts.get("name", ""))
        listed = ListedPlayer(ListKind.MEMBERS, where, facts, expires=expires)
        return listed, frozenset(cells)


def iter_members_csv(
    stream: BinaryIO, name: str, search: Search, findings: Findings, *, order: DayOrder | None = None
) -> Iterator[ListedPlayer]:
    """Yield the rows of the members CSV in *stream* that *search* asks for.

    Raises:
        SourceError: it cannot be read any further.
    """
    players = _Players(stream, name, findings, order)
    header = players.sheet.header
    at_id, at_fide_id = header.places.get("id", -1), header.places.get("fide_id", -1)
    match = search.match
    for row in players.sheet:
        number = row[at_id] if 0 <= at_id < len(row) else ""
        player = header.name_of(row)
        if "'" in number:
            number = plain_cell(number)
        number = plain_id(number)
        if "'" in player:
            player = plain_cell(player)
        row_match = match(number, player)
        if row_match is not Match.WANTED and 0 <= at_fide_id < len(row) and row[at_fide_id]:
            row_match = max(row_match, match(plain_cell(row[at_fide_id]), ""))
        if row_match is Match.WANTED:
            yield players.player(row)[0]
        elif row_match is Match.SIMILAR:
            yield similar_player(ListKind.MEMBERS, players.sheet.where, number, player)
    without_games = players.cells.without_games
    if without_games:
        place = without_games[0]
        findings.add("games-missing.members-list", place, without_game_count=len(without_games), name=name)


def iter_members_said(
    stream: BinaryIO, name: str, findings: Findings, order: DayOrder | None = None
) -> Iterator[tuple[ListedPlayer, frozenset[str]]]:
    """Yield every row of the members CSV in *stream*, each with the columns in which it says something.

    Raises:
        SourceError: it cannot be read any further.
    """
    players = _Players(stream, name, findings, order)
    header = players.sheet.header
    if "id" not in header.places:
        raise refused("list-columns-missing.members", name, header.row)
    first: list[Sequence[str]] = []
    for row in players.sheet:
        if len(first) < _ROWS_LOOKED_AT:
            first.append(row)
        listed, columns = players.player(row)
        if columns:
            yield listed, columns
    for title, at in header.unknown.items():
        cells = [cell for row in first if at < len(row) and (cell := row[at].strip())]
        if column := _ASKED_FOR.get(look_of(header, cells)):
            where = Place(file=name, line=header.row)
            findings.add("column-unclear.in-list", where, title=shown(title), column=column)


def write(report: Report, after: AfterRatings | None = None) -> Written:  # noqa: ARG001 - as all writers; a list of players before the event
    """Return the players of *report* as a members CSV; columns that are empty for all of them are left out."""
    # An id made of a seat would be another person in another report.
    rows = [
        {**cells_of(player), "id": ""} if is_seat_id(player.id) else cells_of(player)
        for player in report.players.values()
    ]
    table = members_table(rows)
    # A valid report has no halves of surrogate pairs; any other must not stop the writing.
    return Written({FILE_NAME: table.encode(errors="replace")}, tuple(_lost(report)))


def members_table(rows: Sequence[Mapping[str, str]], always: Collection[str] = ("id",)) -> str:
    """Return *rows*, cells by column, as CSV; a column is left out if all rows are empty in it, unless in *always*."""
    used = set(always).union(*(row.keys() for row in rows))
    titles = [title for title in COLUMNS if title in used]
    return csv_text([titles, *([row.get(title, "") for title in titles] for row in rows)])


def _lost(report: Report) -> Iterator[Finding]:
    """Yield a note for each kind of thing in *report* that a list of players has no place for."""
    if report.sections:
        yield finding("lost-in-members-csv.games", Place(file=FILE_NAME), section_count=len(report.sections))
    without_id = sum(map(is_seat_id, report.players))
    if without_id:
        yield finding("lost-in-members-csv.without-id", Place(file=FILE_NAME, field="id"), count=without_id)
    changed = [key for key, player in report.players.items() if player.name != clean_name(player.name)]
    if changed:
        place = Place(file=FILE_NAME, field="name")
        yield finding("lost-in-members-csv.blanks", place, changed_count=len(changed))

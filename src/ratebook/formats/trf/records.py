"""The records of one FIDE tournament report file: which lines there are, and the texts in their columns.

Nothing is made of them here; `ratebook.formats.trf.read` does.
"""

import re
from operator import itemgetter
from typing import NamedTuple

from ratebook.findings import Findings, Place, list_text
from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST
from ratebook.formats.reading.cells import EMPTY_CELL, small_number
from ratebook.formats.reading.fields import readable, shown
from ratebook.formats.trf import lines as trf
from ratebook.model import Cell

TEAM_RECORDS = frozenset({"013", "300", "310", "320", "352", "362", "801", "802"})
TEAM_LIST_RECORDS = frozenset({"013", "310"})
_SINGLE_RECORDS = frozenset(
    {"012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "122", "142", "192", "222", "XXR"}
)
_KEPT_RECORDS = frozenset({"132", "152", "162", "172", "182", "202", "212", "250", "260", "299", "330"})
# Pairing programs add these to either edition.
_PAIRING_RECORDS = frozenset({"XXZ", "XXS", "XXC", "XXA", "XXP"})
KEPT_BY_BOTH = _PAIRING_RECORDS | {"132"}
"""Records that say nothing for a rating and that either edition has."""
_KNOWN_RECORDS = TEAM_RECORDS | _KEPT_RECORDS | _PAIRING_RECORDS | {"112"}

_SEAT = slice(4, 8)
_NAME = slice(14, 47)
_TEXTS = (
    *(_NAME, slice(48, 52), slice(53, 56), slice(57, 68), slice(69, 79), slice(80, 84)),
    *(slice(9, 10), slice(10, 13), slice(85, 89)),
)
"""The columns of name, rating, federation, number, birth date, points, sex, title and rank."""

_BLANK_COLUMNS = itemgetter(8, 13, 47, 52, 56, 68, 79, 84)
_FIRST_CELL = trf.FIRST_ROUND - 2
_ROUND = re.compile(r".{1,10}")
# One round more than there can be shows that there are too many.
_LONGEST_LINE = trf.FIRST_ROUND + trf.ROUND_WIDTH * (ROUNDS_AT_MOST + 1)
_NATIONAL = re.compile(
    r"([A-Z]{3}) (?: {3}[0-9]| {2}[0-9]{2}| [0-9]{3}|[0-9]{4}|[0-9] {3}|[0-9]{2} {2}|[0-9]{3} )(?: |$)"
)
"""The beginning of a national record, which may end after any of its fields."""

_RULER_STARTS = ("1234567890", "DDD ")
FIRST_NAMED = 5

_ROUNDS_ALONE = re.compile(
    r" *(?:[0-9]{1,4} +)?[wb-] +[-+=0-9a-z](?: +[0-9]{1,4} +[wb-] +[-+=0-9a-z])* *", re.ASCII | re.IGNORECASE
)
"""The rest of a player's line that a web page or a mail program has wrapped."""

_NO_FEDERATION = ("DAT ", "XX")
_TAG_WIDTH = 3
_AFTER_TAG = frozenset({"", " ", "\t"})
_PLAYER_START = f"{trf.PLAYER_RECORD} "
_COMMENT = "###"
# A text file of DOS may end with this.
_END_OF_FILE = "\x1a"
_BYE_KINDS = frozenset("FHZ")
_TAGGED_PARTS = 3
# More of a line than this is not cut into its parts: a hostile file would make millions of them.
_TEXT_READ = 2_000
# A pairing number of four digits and a blank for each seat.
_BYES_READ = 10 + 5 * SEATS_AT_MOST
_MOST_BYES = 10 * SEATS_AT_MOST


class PlayerRow(NamedTuple):
    """The columns of a player record (001) or a national one, which has no cells; no text has blanks around it."""

    line: int
    seat: int
    cells: list[Cell]
    name: str
    rating: str
    federation: str
    number: str
    birth_date: str
    points: str
    sex: str
    title: str
    rank: str


class Bye(NamedTuple):
    """One seat of a bye record (240)."""

    line: int
    kind: str
    round: int
    seat: int


class TournamentRecords:
    """All records of one file, and what is found in them.

    Attributes:
        where: the file's name, for the findings.
        texts: line and text of each record that occurs once, by its number.
        players: player records in the order of the file.
        national: national rating records by federation and seat.
        byes: byes of the 240 records.
        round_dates: texts of the 132 records.
        member_ids: US Chess ids of the DAT records, by seat.
        deputies: texts of the 112 records.
        kept: lines that say nothing for a rating.
        teams: how many teams are listed.
        seen: numbers of all records that occur.
        columns_of_bytes: whether columns were counted in bytes somewhere.
        rulers: how many lines only show the columns.
        unknown: lines of unknown records, each with the beginning of its text.
        half_points: seats with half a point for a game without opponent.
    """

    def __init__(self, findings: Findings, where: Place) -> None:
        self.findings = findings
        self.where = where
        self.texts: dict[str, tuple[int, str]] = {}
        self.players: list[PlayerRow] = []
        self.national: dict[str, dict[int, PlayerRow]] = {}
        self.byes: list[Bye] = []
        self.round_dates: list[str] = []
        self.member_ids: dict[int, str] = {}
        self.deputies: list[str] = []
        self.kept: list[str] = []
        self.teams = 0
        self.seen: set[str] = set()
        self.columns_of_bytes = False
        self.rulers = 0
        self.unknown: list[tuple[int, str]] = []
        self.half_points: list[int] = []

    def add(self, name: str, line: int = 0, seat: int = 0, /, **values: object) -> None:
        """Add a finding about the file, a *line* of it, or the *seat* in that line."""
        place = self.where.but(line=line or None, seats=(seat,) if seat else ())
        self.findings.add(name, place, **values)

    def add_about(self, tag: str, name: str, /, **values: object) -> None:
        """Add a finding about the record *tag*, or about the file where it has none."""
        found = self.texts.get(tag)
        place = self.where if found is None else self.where.but(line=found[0], record=tag)
        self.findings.add(name, place, **values)

    def text(self, tag: str) -> str:
        """Return the text of the record *tag*, empty where there is none."""
        return self.texts.get(tag, (0, ""))[1]


def read_records(findings: Findings, text: str, where: Place) -> TournamentRecords:
    r"""Return the records in *text*, the contents of the file *where*, whose lines end in ``\n``."""
    records = TournamentRecords(findings, where)
    seats: set[int] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith(_PLAYER_START):
            row = _player(records, number, line)
            if row is None:
                continue
            if row.seat in seats:
                records.add("seat-twice.starting-rank", number, seat=row.seat)
            seats.add(row.seat)
            records.players.append(row)
        elif (national := _NATIONAL.match(line)) is not None and not line.startswith(_NO_FEDERATION):
            rows = records.national.setdefault(national[1], {})
            seat = int(line[_SEAT])
            if seat in rows:
                records.add("record-twice.national", number, rank=seat, federation=national[1])
            else:
                rows[seat] = _row(number, seat, line, [])
        elif line.startswith(_COMMENT) or not line.strip() or line == _END_OF_FILE:
            continue
        elif records.players and line.startswith("012 "):
            records.add("several-tournaments", number)
            break
        else:
            _other(records, number, line)
    _note_unread(records)
    return records


def _note_unread(records: TournamentRecords) -> None:
    """Report the lines that were not read, those of one kind together."""
    if records.rulers:
        records.add("rulers-ignored", lines=records.rulers)
    if records.unknown:
        line, text = records.unknown[0]
        records.add("trf-record-unknown.other", line, line=shown(text), lines=len(records.unknown))
    if records.half_points:
        seats = list_text(records.half_points, FIRST_NAMED)
        records.add("half-bye-assumed", seats=seats, cells=len(records.half_points))


def _other(records: TournamentRecords, number: int, line: str) -> None:
    """Read a record that does not belong to a player."""
    # A number that goes on after its three digits is another, unknown one.
    width = _TAG_WIDTH if line[_TAG_WIDTH : _TAG_WIDTH + 1] in _AFTER_TAG else _TAG_WIDTH + 1
    tag = line[:width].upper()
    text = line[_TAG_WIDTH:].strip()
    if tag in _SINGLE_RECORDS:
        if tag in records.texts and records.text(tag) != text:
            records.add("record-twice.other", number, tag=tag)
        records.texts.setdefault(tag, (number, text))
    elif tag == "240":
        _bye(records, number, line)
    elif tag == "DAT":
        _tagged_value(records, number, text)
    elif tag not in _KNOWN_RECORDS:
        if _is_ruler(line):
            records.rulers += 1
        elif records.players and _ROUNDS_ALONE.fullmatch(line):
            records.add("trf-line-wrapped", number)
        else:
            records.unknown.append((number, line[:_TAG_WIDTH]))
        return
    elif tag == "132":
        records.round_dates += text[:_TEXT_READ].split()
    _keep(records, number, tag, line)
    records.teams += tag in TEAM_LIST_RECORDS
    records.seen.add(tag)


def _keep(records: TournamentRecords, number: int, tag: str, line: str) -> None:
    """Keep the names of deputies, and what no other format says, for the writer."""
    if tag not in {"112", *_KEPT_RECORDS, *_PAIRING_RECORDS}:
        return
    if not readable(line):
        records.add("text-unreadable.name", number, text=shown(line))
    elif line.rstrip() == trf.RANKING_UNKNOWN:
        return
    elif tag != "112":
        records.kept.append(line.rstrip())
    elif text := line[_TAG_WIDTH:].strip():
        records.deputies.append(text)


def _is_ruler(line: str) -> bool:
    """Return whether *line* only shows the columns, as Swiss-Manager and the examples of FIDE have such lines.

    >>> _is_ruler("DDD SSSS sTTT NNNNNNNN RRRR"), _is_ruler("         1         2"), _is_ruler("007 SECRET")
    (True, True, False)
    """
    text = line.strip()
    digits = "".join(text.split()).isdecimal()
    return line.startswith(_RULER_STARTS) or (digits and text[0] == "1" and line[0] == " ")


def _row(number: int, seat: int, line: str, cells: list[Cell]) -> PlayerRow:
    return PlayerRow(number, seat, cells, *[line[columns].strip() for columns in _TEXTS])


def _player(records: TournamentRecords, number: int, line: str) -> PlayerRow | None:
    line = line.rstrip()
    cells = _cells(line)
    if len(cells) > ROUNDS_AT_MOST:
        records.add("too-many-rounds.line", number, line_count=len(line), rounds_at_most=ROUNDS_AT_MOST)
        return None
    if None in cells or not _in_columns(line):
        line, cells = _counted_in_bytes(records, number, line, cells)
    seat = small_number(line[_SEAT].strip())
    if not seat or line[3] != " ":
        records.add(
            "seat-unreadable.starting-rank", number, line=shown(line[3:8]), seats_at_most=SEATS_AT_MOST
        )
        return None
    # What cannot be read is reported; an empty cell takes its place.
    row = _row(number, seat, line, [_with_bye(records, seat, cell) for cell in cells])
    if not readable(row.name):
        records.add("text-unreadable.name", number, text=shown(row.name))
    if None in cells:
        _report_cells(records, row, line, cells)
    return row


def _with_bye(records: TournamentRecords, seat: int, cell: Cell | None) -> Cell:
    """Return *cell*, empty for None; a draw against no one is the half-point bye of older programs."""
    if cell is None or cell.letter != "D" or cell.opponent is not None:
        return cell or EMPTY_CELL
    records.half_points.append(seat)
    return Cell("H")


def _cells(line: str) -> list[Cell | None]:
    """Return the round cells of a player record, None where one cannot be read."""
    # Reading each cell from a table costs a tenth of making it: most texts occur again in the next event.
    return list(map(trf.parse_result, _ROUND.findall(line, _FIRST_CELL, _LONGEST_LINE)))


def _in_columns(line: str) -> bool:
    """Return whether the columns between the fields of a player are blank."""
    padded = line if len(line) >= trf.FIRST_ROUND else line.ljust(trf.FIRST_ROUND)
    return "".join(_BLANK_COLUMNS(padded)).isspace()


def _counted_in_bytes(
    records: TournamentRecords, number: int, line: str, cells: list[Cell | None]
) -> tuple[str, list[Cell | None]]:
    """Return a line with text outside its columns, and its cells.

    Some programs count the bytes of UTF-8 instead of characters, so that a name with accents is too short.
    """
    if not line.isascii():
        data = line.encode()
        parts = (data[: _NAME.start], data[_NAME], data[_NAME.stop :])
        before, name, after = (part.decode(errors="ignore") for part in parts)
        counted = before + name.ljust(trf.NAME_WIDTH) + after
        counted_cells = _cells(counted)
        if None not in counted_cells and _in_columns(counted):
            if not records.columns_of_bytes:
                records.add("columns-of-bytes", number)
            records.columns_of_bytes = True
            return counted, counted_cells
    if not _in_columns(line):
        records.add("columns-shifted", number)
    return line, cells


def _report_cells(records: TournamentRecords, row: PlayerRow, line: str, cells: list[Cell | None]) -> None:
    for place, cell in enumerate(cells):
        if cell is not None:
            continue
        where = records.where.but(line=row.line, seats=(row.seat,), round=place + 1)
        at = _FIRST_CELL + trf.ROUND_WIDTH * place
        text = line[at : at + trf.ROUND_WIDTH].ljust(trf.ROUND_WIDTH)
        if text[-1] == " " and trf.parse_result(text[:-1] + "Z") is not None:
            records.findings.add("result-missing.tournament-report", where)
        else:
            records.findings.add("cell-unreadable.tournament-report", where, text=shown(text.strip()))


def _bye(records: TournamentRecords, number: int, line: str) -> None:
    """Read a bye record: its kind in column 5, the round in 7-9, then the starting ranks."""
    kind = line[4:5].upper()
    numbers = line[5:_BYES_READ].split()
    whole = [one for text in numbers if (one := small_number(text)) is not None]
    too_many = len(line) > _BYES_READ or len(records.byes) > _MOST_BYES
    if kind not in _BYE_KINDS or not whole or len(whole) != len(numbers) or too_many:
        records.add("bye-unreadable", number, line=shown(line))
        return
    records.byes += [Bye(number, kind, whole[0], seat) for seat in whole[1:]]


def _tagged_value(records: TournamentRecords, number: int, text: str) -> None:
    """Read a line that Tornelo adds: starting rank, kind of value, value; only US Chess ids are of use here."""
    parts = text[:_TEXT_READ].split()
    if len(parts) < _TAGGED_PARTS or parts[1].upper() != "ID:USCF":
        return
    seat, member = small_number(parts[0]), parts[2]
    if seat is None or not readable(member):
        records.add("trf-record-unknown.tagged-value", number)
    else:
        records.member_ids.setdefault(seat, member)

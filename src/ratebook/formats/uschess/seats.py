"""The player records of upload files: which seat each one is, who sits there, and the rounds of a section."""

import re
from collections.abc import Iterator, Mapping, Sequence

from ratebook.findings import Findings, Place
from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST
from ratebook.formats.hints import check_same_name, is_placeholder, seat_id
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING, RATINGS, shown
from ratebook.formats.reading.text import same_letters
from ratebook.formats.uschess import codes, tables
from ratebook.formats.uschess.codes import SeatCells
from ratebook.formats.uschess.columns import round_columns
from ratebook.formats.uschess.tables import EventRecord, SectionRecord, UploadTable
from ratebook.model import Cell, Entry, PlayerFacts, SectionType

ENTRIES_AT_MOST = 100_000
CELLS_AT_MOST = 2_000_000
"""Many times the entries and rounds of the largest event; both bound what a file can make of the memory."""

SEQUENCE = "D_REC_SEQ"
"""The number of a player's record: in the layout of 1991 a record has ten rounds, and a player several records."""

_RECORDS_AT_MOST = 9
_ROUND_COLUMN = re.compile(r"D_RND([0-9]{1,3})")

_Seat = tuple[int, int]


def player_columns(findings: Findings, table: UploadTable, *, old: bool) -> dict[str, int] | None:
    """Return where the player table has what is read, or None with findings where columns are missing."""
    places: dict[str, int] = {}
    last = 1
    for at, column in enumerate(table.table.names):
        if found := _ROUND_COLUMN.fullmatch(column):
            last = max(last, int(found[1]))
            places.setdefault(f"D_RND{int(found[1]):02}", at)
        elif column not in ({"D_NAME", "D_RATING"} if old else {SEQUENCE}):
            places.setdefault(column, at)
    if last > ROUNDS_AT_MOST:
        _report_too_many_rounds(findings, Place(file=table.file), last)
        return None
    wanted = ["D_SEC_NUM", "D_PAIR_NUM", "D_MEM_ID", *(column.name for column in round_columns(last))]
    missing = [column for column in wanted if column not in places]
    if old and not missing and SEQUENCE not in places:
        missing = [SEQUENCE]
    if missing:
        table.report_missing(findings, missing)
        return None
    return places


class UploadSeats:
    """The seats of all sections, and the players who sit there.

    Attributes:
        players: by id, in the order of the file.
        stated_rounds: S_TOT_RNDS by section, as rounds of one game each.
    """

    def __init__(
        self,
        findings: Findings,
        table: UploadTable,
        sections: Mapping[int, SectionRecord],
        columns: Mapping[str, int],
    ) -> None:
        self._findings = findings
        self._table = table
        self._sections = sections
        self._columns = columns
        self._rounds = sorted(column for column in columns if _ROUND_COLUMN.fullmatch(column))
        self._cells: dict[int, SeatCells] = {number: {} for number in sections}
        self._owners: dict[_Seat, str] = {}
        self._cells_counted = 0
        self._reported = False
        self.players: dict[str, PlayerFacts] = {}
        self.stated_rounds: dict[int, int] = {}

    @property
    def full(self) -> bool:
        """Whether nothing more needs to be read: there are too many findings, entries or cells."""
        if self._too_many(0):
            return True
        if self._findings.full and not self._reported:
            self._reported = True
            self._table.add(self._findings, "reading-stopped")
        return self._findings.full

    def _too_many(self, more: int) -> bool:
        """Return whether the entries, with *more* cells than counted, are beyond the bounds; report it once."""
        if len(self._owners) <= ENTRIES_AT_MOST and self._cells_counted + more <= CELLS_AT_MOST:
            return False
        if not self._reported:
            self._reported = True
            bounds = {"entries_at_most": ENTRIES_AT_MOST, "cells_at_most": CELLS_AT_MOST}
            self._table.add(self._findings, "too-many-entries.in-file", **bounds)
        return True

    def _add(self, name: str, record: int, column: str, /, **values: object) -> None:
        self._findings.add(name, self._table.place(record, column), **values)

    def _place(self, record: int, column: str, seat: _Seat) -> Place:
        return self._table.place(record, column).but(section=seat[0], seats=(seat[1],))

    def read(self, header: EventRecord) -> None:
        """Read the records of the event."""
        columns = self._columns
        member, name = columns["D_MEM_ID"], columns.get("D_NAME")
        rating, state = columns.get("D_RATING"), columns.get("D_STATE")
        sequence_at = columns.get(SEQUENCE)
        places = [columns[column] for column in self._rounds]
        parts: dict[_Seat, dict[int, tuple[Cell, ...]]] = {}
        for record, seat, values in self._records(header):
            new = seat not in parts
            if new:
                parts[seat] = {}
                self._owners[seat] = self._player_id(record, seat, values[member])
                self._cells[seat[0]][seat[1]] = ()
            text = "" if sequence_at is None else values[sequence_at]
            # A single record need not be numbered.
            sequence = tables.whole_number(text) if text else 1
            if not sequence or sequence > _RECORDS_AT_MOST:
                self._add("record-sequence-unreadable", record, SEQUENCE, text=shown(text))
            elif sequence in parts[seat]:
                self._add("seat-twice.pairing-number", record, "D_PAIR_NUM", seat=seat[1], section=seat[0])
            else:
                parts[seat][sequence] = self._cells_of(record, seat, list(map(values.__getitem__, places)))
                self._cells_counted += len(places)
            if new:
                self._name(record, seat, "" if name is None else values[name])
                if rating is not None:
                    self._rating(record, self._owners[seat], values[rating])
                if state is not None and values[state]:
                    self._state(record, self._owners[seat], values[state])
        self._join(parts)

    def _records(self, header: EventRecord) -> Iterator[tuple[int, _Seat, Sequence[str]]]:
        """Yield number, section and seat, and values of each record of the event, unless the seat is unreadable."""
        event = self._columns.get("D_EVENT_ID")
        section_at, seat_at = self._columns["D_SEC_NUM"], self._columns["D_PAIR_NUM"]
        others = 0
        for record, values in self._table.values(self._findings):
            if event is not None and not header.includes(values[event]):
                others += 1
                continue
            section, seat = tables.whole_number(values[section_at]), tables.whole_number(values[seat_at])
            if section not in self._sections:
                self._add("section-record-missing", record, "D_SEC_NUM", text=shown(values[section_at]))
            if not seat:
                text = shown(values[seat_at])
                column, bound = "D_PAIR_NUM", SEATS_AT_MOST
                self._add("seat-unreadable.pairing-number", record, column, text=text, seats_at_most=bound)
            elif section is not None and section in self._sections:
                yield record, (section, seat), values
            if self.full:
                break
        self._table.report_others(self._findings, others)

    def _player_id(self, record: int, seat: _Seat, member: str) -> str:
        """Return the member id as the player's id, or one made of the seat, with a warning, where it is not known."""
        # Zeros mean an id that is not available (docs/formats/uschess.md#seats).
        is_known = not (tables.is_blank(member) or is_placeholder(member))
        if is_known and member.isprintable():
            return member
        place = self._place(record, "D_MEM_ID", seat)
        if is_known:
            self._findings.add("text-unreadable.player-id", place, member=shown(member))
        else:
            self._findings.add("member-id-missing", place)
        return seat_id(*seat)

    def _cells_of(self, record: int, seat: _Seat, texts: Sequence[str]) -> tuple[Cell, ...]:
        cells = [codes.parse_code(text) for text in texts]
        if None in cells:
            for column, text, cell in zip(self._rounds, texts, cells, strict=True):
                if cell is None:
                    running = text.startswith(codes.GAME_IN_PROGRESS)
                    self._findings.add(
                        "game-in-progress" if running else "cell-unreadable.with-pairing-number",
                        self._place(record, column, seat),
                        text=shown(text),
                    )
        return tuple([cell for cell in cells if cell is not None])

    def _name(self, record: int, seat: _Seat, name: str) -> None:
        player = self._owners[seat]
        if not name.isprintable():
            name = tables.printable_text(self._findings, self._table.place(record, "D_NAME"), name)
        facts = self.players.get(player)
        if facts is None or not facts.name:
            self.players[player] = PlayerFacts(player, name) if facts is None else facts._replace(name=name)
        elif name and not same_letters(name, facts.name):
            others = (other for other, owner in self._owners.items() if owner == player and other != seat)
            again = any(section == seat[0] for section, _ in others)
            place = self._place(record, "D_NAME", seat)
            check_same_name(self._findings, place, facts.name, name, player, in_section=again)

    def _state(self, record: int, player: str, state: str) -> None:
        if not self.players[player].state:
            text = tables.printable_text(self._findings, self._table.place(record, "D_STATE"), state)
            self.players[player] = self.players[player]._replace(state=text)

    def _rating(self, record: int, player: str, text: str) -> None:
        """Take the pairing rating; 0 and blank mean unrated."""
        if tables.is_blank(text) or text.upper().startswith("UNR"):
            return
        # A mark for provisional ratings may follow.
        points = tables.whole_number(text.rstrip("Pp*"))
        if points is not None and LOWEST_RATING <= points <= HIGHEST_RATING:
            if self.players[player].pairing_rating is None:
                self.players[player] = self.players[player]._replace(pairing_rating=float(points))
            return
        self._add("pairing-rating-unreadable", record, "D_RATING", text=shown(text), **RATINGS)

    def _join(self, parts: Mapping[_Seat, Mapping[int, tuple[Cell, ...]]]) -> None:
        """Give each seat the rounds of all its records, as many as the longest seat of its section has."""
        rounds = len(self._rounds)
        records: dict[int, int] = {}
        for (section, _), own in parts.items():
            records[section] = max(records.get(section, 0), *own, 0)
        # Checked before anything of that size is built.
        if self._too_many(rounds * sum(records[section] - len(own) for (section, _), own in parts.items())):
            return
        for section, most in records.items():
            if most * rounds > ROUNDS_AT_MOST:
                where = Place(file=self._table.file, section=section)
                _report_too_many_rounds(self._findings, where, most * rounds)
                return
        nothing = (EMPTY_CELL,) * rounds
        for (section, seat), own in parts.items():
            last = max(own, default=0)
            if len(own) < last and not self._findings.full:
                where = Place(file=self._table.file, section=section, seats=(seat,), field=SEQUENCE)
                self._findings.add("record-sequence-incomplete", where, last=last)
            cells: tuple[Cell, ...] = ()
            for sequence in range(1, records[section] + 1):
                cells += own.get(sequence, nothing)
            self._cells[section][seat] = cells

    def entries(self, section: SectionRecord) -> tuple[Entry, ...]:
        """Return the entries of a section, its rounds in order of play."""
        # The cells of one section are let go before those of the next are put in order.
        columns = self._cells.pop(section.number, {})
        number = section.number
        if not columns:
            self._findings.add("entries-empty.no-record", section.where, number=number)
            return ()
        last = max(columns)
        stated = section.value("S_LST_PAIR")
        if tables.whole_number(stated) != last:
            section.add("last-pairing-differs", "S_LST_PAIR", number=number, value=shown(stated), last=last)
        if section.rounds is not None:
            games = 2 if _has_double_games(section, columns) else 1
            self.stated_rounds[number] = section.rounds * games
        rounds = _rounds_in_order(section, columns)
        return tuple([Entry(seat, self._owners[number, seat], cells) for seat, cells in rounds.items()])


def _has_double_games(section: SectionRecord, columns: SeatCells) -> bool:
    """Return whether each cell of *section* is two games: its type says so, or a letter that nothing else has."""
    return section.double or any(
        cell.letter in codes.DOUBLE_LETTERS for cells in columns.values() for cell in cells
    )


def _rounds_in_order(section: SectionRecord, columns: SeatCells) -> SeatCells:
    """Return the cells of *section* as rounds in order of play, from the *columns* of the file."""
    findings, where, number = section.findings, section.where, section.number
    rounds = _without_padding(section, columns)
    if section.type is SectionType.ROUND_ROBIN and codes.columns_are_opponents(rounds):
        rounds = codes.rounds_from_opponents(rounds)
        findings.add("columns-are-opponents", where, number=number)
    rounds, paired = codes.pair_forfeits(rounds)
    if paired:
        findings.add("forfeits-paired.alone", where, given=paired, number=number)
    if left := codes.forfeits_without_opponent(rounds):
        findings.add("forfeits-paired.several", where, given=left, number=number)
    if not _has_double_games(section, rounds):
        return rounds
    split: SeatCells = {}
    for seat, cells in rounds.items():
        legs = codes.split_double_games(seat, cells)
        if isinstance(legs, int):
            place = Place(section=number, seats=(seat,), round=legs)
            findings.add("double-game-unreadable", place, letter=cells[legs - 1].letter)
            if findings.full:
                break
        else:
            split[seat] = legs
    longest = max(map(len, split.values()), default=0)
    if longest > ROUNDS_AT_MOST:
        _report_too_many_rounds(findings, where, longest)
        return {}
    findings.add("double-games-split", where, number=number)
    return split


def _without_padding(section: SectionRecord, columns: SeatCells) -> SeatCells:
    """Return *columns* without those that pad the section to the longest one; no result is ever cut off."""
    width = max(map(len, columns.values()), default=0)
    rounds = max(min(section.rounds or 0, width), codes.last_round(columns))
    if section.rounds is None:
        stated = shown(section.value("S_TOT_RNDS"))
        section.add("rounds-not-stated", "S_TOT_RNDS", number=section.number, value=stated, rounds=rounds)
    return columns if rounds == width else {seat: cells[:rounds] for seat, cells in columns.items()}


def _report_too_many_rounds(findings: Findings, where: Place, rounds: int) -> None:
    findings.add("too-many-rounds.stated", where, rounds=rounds, rounds_at_most=ROUNDS_AT_MOST)

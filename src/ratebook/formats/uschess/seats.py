"""The player records of upload files: which seat each one is, who sits there, and the cells of its rounds."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST, Findings
from ratebook.formats.hints import seat_id
from ratebook.formats.reading.fields import shown
from ratebook.formats.uschess.codes import GAME_IN_PROGRESS, Rounds, parse_code
from ratebook.formats.uschess.sections import (
    SectionRecord,
    has_double_games,
    report_too_many_rounds,
    rounds_in_order,
)
from ratebook.formats.uschess.tables import (
    EventRecord,
    UploadTable,
    report_missing_columns,
    report_others,
    whole_number,
)
from ratebook.model import Cell, Entry, PlayerFacts

ENTRIES_AT_MOST = 100_000
CELLS_AT_MOST = 2_000_000
"""Many times the entries and rounds of the largest event; both bound what a file can make of the memory."""

_ROUND_COLUMN = re.compile(r"D_RND([0-9]{1,3})")


class PlayerColumns(NamedTuple):
    """Where the player table has what is read; -1 for a column that is not there.

    Attributes:
        rounds: the columns of the rounds, in order.
    """

    event: int
    section: int
    seat: int
    member: int
    name: int
    rating: int
    sequence: int
    rounds: tuple[int, ...]


def player_columns(
    findings: Findings, table: UploadTable, required: tuple[str, ...] = ()
) -> PlayerColumns | None:
    """Return the columns of the player table, or None with findings where some, or the *required* ones, are missing."""
    places: dict[str, int] = {}
    rounds: dict[int, int] = {}
    for at, column in enumerate(table.names):
        places.setdefault(column, at)
        if found := _ROUND_COLUMN.fullmatch(column):
            rounds.setdefault(int(found[1]), at)
    last = max(rounds, default=1)
    if last > ROUNDS_AT_MOST:
        report_too_many_rounds(findings, table.file, last)
        return None
    missing = [column for column in ("D_SEC_NUM", "D_PAIR_NUM", "D_MEM_ID") if column not in places]
    missing += [f"D_RND{number:02}" for number in range(1, last + 1) if number not in rounds]
    missing = missing or [column for column in required if column not in places]
    if missing:
        report_missing_columns(findings, table, missing)
        return None
    return PlayerColumns(
        places.get("D_EVENT_ID", -1),
        places["D_SEC_NUM"],
        places["D_PAIR_NUM"],
        places["D_MEM_ID"],
        places.get("D_NAME", -1),
        places.get("D_RATING", -1),
        places.get("D_REC_SEQ", -1),
        tuple(rounds[number] for number in range(1, last + 1)),
    )


class UploadSeats:
    """Gathers the seats of all sections and the players who sit there.

    Attributes:
        columns: where the table has what is read.
        file: the name of the table's file.
        players: the players by id, in the order of the file.
        stated_rounds: S_TOT_RNDS by section, as rounds of one game each.
    """

    def __init__(
        self,
        findings: Findings,
        table: UploadTable,
        sections: Mapping[int, SectionRecord],
        columns: PlayerColumns,
    ) -> None:
        self._findings = findings
        self._table = table
        self._sections = sections
        self.columns = columns
        self.file = table.file
        self.place = table.place
        # Consecutive columns are cut out at once.
        rounds = columns.rounds
        consecutive = rounds == tuple(range(rounds[0], rounds[0] + len(rounds)))
        self._round_slice = slice(rounds[0], rounds[0] + len(rounds)) if consecutive else None
        self._section_of_text: dict[str, SectionRecord] = {}
        self._cells: dict[int, Rounds] = {number: {} for number in sections}
        self._owners: dict[int, dict[int, str]] = {number: {} for number in sections}
        self._entries = 0
        self._cells_counted = 0
        self._reported = False
        self.players: dict[str, PlayerFacts] = {}
        self.stated_rounds: dict[int, int] = {}

    @property
    def full(self) -> bool:
        """Whether nothing more needs to be read: there are too many findings, entries or cells."""
        if self.too_many(0):
            return True
        if self._findings.full and not self._reported:
            self._reported = True
            self._findings.add("reading-stopped", self.file)
        return self._findings.full

    def too_many(self, more: int) -> bool:
        """Return whether the entries, with *more* cells than counted, are beyond the bounds; report it once."""
        if self._entries <= ENTRIES_AT_MOST and self._cells_counted + more <= CELLS_AT_MOST:
            return False
        if not self._reported:
            self._reported = True
            self._findings.add(
                "too-many-entries.too-many",
                self.file,
                entries_at_most=ENTRIES_AT_MOST,
                cells_at_most=CELLS_AT_MOST,
            )
        return True

    def records(self, header: EventRecord) -> Iterator[tuple[int, int, int, Sequence[str]]]:
        """Yield number, section, seat and values of each record of the event, unless section or seat is unreadable."""
        columns = self.columns
        others = 0
        for record, values in self._table.records(self._findings):
            if columns.event >= 0 and not header.includes(values[columns.event]):
                others += 1
                continue
            section = self._section(record, values[columns.section])
            seat = self._seat(record, values[columns.seat])
            if section is not None and seat is not None:
                yield record, section.number, seat, values
            if self.full:
                break
        report_others(self._findings, self._table, others)

    def _section(self, record: int, text: str) -> SectionRecord | None:
        """Return the section that *text* in D_SEC_NUM names, or None with a finding."""
        known = self._section_of_text.get(text)
        if known is not None:
            return known
        number = whole_number(text)
        section = None if number is None else self._sections.get(number)
        if section is None:
            self._findings.add("section-record-missing", self.place(record, "D_SEC_NUM"), text=shown(text))
            return None
        self._section_of_text[text] = section
        return section

    def _seat(self, record: int, text: str) -> int | None:
        """Return the pairing number in *text*, or None with a finding."""
        seat = whole_number(text)
        if not seat:
            self._findings.add(
                "seat-unreadable.seat",
                self.place(record, "D_PAIR_NUM"),
                text=shown(text),
                seats_at_most=SEATS_AT_MOST,
            )
            return None
        return seat

    def cells(self, record: int, section: int, seat: int, values: Sequence[str]) -> tuple[Cell, ...]:
        """Return the cells of a record; those that cannot be read are findings and left out."""
        if self._round_slice is not None:
            texts = values[self._round_slice]
        else:
            texts = [values[at] for at in self.columns.rounds]
        cells = [parse_code(text) for text in texts]
        if None in cells:
            for number, text in enumerate(texts, start=1):
                if parse_code(text) is None:
                    self._report_cell(
                        f"{self.place(record, f'D_RND{number:02}')} (section {section}, seat {seat})",
                        text,
                    )
        return tuple([cell for cell in cells if cell is not None])

    def _report_cell(self, where: str, text: str) -> None:
        if text.startswith(GAME_IN_PROGRESS):
            self._findings.add("game-in-progress", where, text=shown(text))
            return
        self._findings.add("cell-unreadable.report-cell", where, text=shown(text))

    def taken(self, section: int, seat: int) -> bool:
        """Return whether somebody has this seat already."""
        return seat in self._owners[section]

    def report_taken(self, record: int, section: int, seat: int) -> None:
        """Report a pairing number that occurs twice."""
        self._findings.add(
            "seat-twice.report-taken", self.place(record, "D_PAIR_NUM"), seat=seat, section=section
        )

    def player_id(self, record: int, section: int, seat: int, member: str) -> str:
        """Return the member id as the player's id, or one made of the seat, with a warning, where it is not known."""
        # Zeros stand for an id that is not available (docs/formats/uschess.md#seats).
        if member.strip("0"):
            if member.isprintable():
                return member
            self._findings.add(
                "text-unreadable.player-id", self.place(record, "D_MEM_ID"), member=shown(member)
            )
        else:
            self._findings.add(
                "member-id-missing", self.place(record, "D_MEM_ID"), seat=seat, section=section
            )
        return seat_id(section, seat)

    def add(self, section: int, seat: int, player: str, cells: tuple[Cell, ...]) -> None:
        """Add a seat."""
        self._entries += 1
        self._cells_counted += len(cells)
        self._owners[section][seat] = player
        self._cells[section][seat] = cells

    def complete(self, section: int, seat: int, cells: tuple[Cell, ...]) -> None:
        """Give a seat that was added the cells of all its records, which were counted before."""
        self._cells[section][seat] = cells

    def count(self, cells: int) -> None:
        """Count cells that are given to a seat later."""
        self._cells_counted += cells

    def entries(self, section: SectionRecord) -> tuple[Entry, ...]:
        """Return the entries of a section, its rounds in order of play."""
        # The cells of one section are let go before those of the next are put in order.
        columns = self._cells.pop(section.number, {})
        if not columns:
            self._findings.add("entries-empty.entries", section.where, number=section.number)
            return ()
        last = max(columns)
        if section.last_seat != last:
            self._findings.add(
                "last-pairing-differs",
                f"{section.where}, S_LST_PAIR",
                number=section.number,
                value=shown(section.row.get("S_LST_PAIR", "")),
                last=last,
            )
        if section.total_rounds is not None:
            self.stated_rounds[section.number] = section.total_rounds * (
                2 if has_double_games(section, columns) else 1
            )
        rounds = rounds_in_order(self._findings, section, columns)
        owners = self._owners[section.number]
        return tuple([Entry(seat, owners[seat], cells) for seat, cells in rounds.items()])

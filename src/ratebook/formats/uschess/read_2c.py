"""The current upload files of US Chess, format 2C: reading (docs/formats/uschess.md).

One report is three tables: the event, its sections, its players. Writing them is in ``uschess_2c_write``.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from ratebook.formats.contract import Findings, ParsedReport
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING, shown
from ratebook.formats.uschess.seats import PlayerColumns, UploadSeats, player_columns
from ratebook.formats.uschess.sections import (
    SectionRecord,
    days_of,
    note_unused,
    read_section_records,
    section_type,
    stated_systems,
)
from ratebook.formats.uschess.tables import (
    EventRecord,
    UploadLayout,
    choose_event,
    find_tables,
    layout_of,
    printable_text,
    read_event,
    read_text,
    report_others,
    whole_number,
)
from ratebook.model import PlayerFacts, Report, Section

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratebook.formats.contract import Hints
    from ratebook.formats.source import Source
    from ratebook.formats.uschess.tables import UploadTable
    from ratebook.model import Event

FORMAT_WORD = "2C"


def looks_like(source: Source) -> bool:
    """Return whether *source* holds a table of the current upload files, whatever the files are called."""
    return layout_of(source) is UploadLayout.CURRENT


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the three tables of *source*, with all findings.

    Pairing ratings (D_RATING) come back in ``pairing``; *hints* give what the files leave blank, and say that the
    event was online, which the files cannot.
    """
    findings = Findings()
    files = find_tables(findings, source)
    header = None if files is None else choose_event(findings, files.header, hints)
    if files is None or header is None:
        return findings.without_report(source.name)
    _check_format(findings, header)
    event = read_event(findings, header, hints)
    records = read_section_records(findings, files.sections, header)
    columns = player_columns(findings, files.players)
    if records is None or columns is None:
        return findings.without_report(source.name)
    players = _Players(findings, files.players, records, columns)
    players.read(header)
    sections = [
        _section(findings, record, players.seats, event, hints)
        for record in records.values()
        if not players.seats.full
    ]
    note_unused(findings, source.name, header, records, hints)
    if findings.has_errors:
        return findings.without_report(source.name)
    report = Report(
        event,
        MappingProxyType(players.seats.players),
        tuple(section for section in sections if section is not None),
    )
    return ParsedReport(
        report,
        findings.of_file(source.name),
        pairing=MappingProxyType(players.pairing),
        stated_rounds=MappingProxyType(players.seats.stated_rounds),
        stated_systems=MappingProxyType(stated_systems(records)),
    )


def _check_format(findings: Findings, header: EventRecord) -> None:
    word = header.row.get("H_FORMAT", "")
    if word.upper() != FORMAT_WORD:
        findings.add("upload-format-unknown", f"{header.where}, H_FORMAT", word=shown(word))


class _Players:
    """Reads the player records: seats with their cells, the players, and their pairing ratings."""

    def __init__(
        self,
        findings: Findings,
        table: UploadTable,
        sections: Mapping[int, SectionRecord],
        columns: PlayerColumns,
    ) -> None:
        self.findings = findings
        self.table = table
        self.columns = columns
        self.seats = UploadSeats(findings, table, sections, columns.rounds)
        self.pairing: dict[str, float] = {}

    def read(self, header: EventRecord) -> None:
        """Read all records of the event."""
        event = self.columns.event
        others = 0
        for record, values in self.table.records(self.findings):
            if event >= 0 and not header.includes(values[event]):
                others += 1
                continue
            self._read_record(record, values)
            if self.seats.full:
                break
        report_others(self.findings, self.table, others)

    def _read_record(self, record: int, values: tuple[str, ...]) -> None:
        columns, seats = self.columns, self.seats
        section = seats.section(record, values[columns.section])
        seat = seats.seat(record, values[columns.seat])
        if section is None or seat is None:
            return
        number = section.number
        if seats.taken(number, seat):
            seats.report_taken(record, number, seat)
            return
        player = seats.player_id(record, number, seat, values[columns.member])
        seats.add(number, seat, player, seats.cells(record, number, seat, values))
        self._name(record, player, values[columns.name] if columns.name >= 0 else "")
        if columns.rating >= 0:
            self._rating(record, player, values[columns.rating])

    def _name(self, record: int, player: str, name: str) -> None:
        if not name.isprintable():
            name = printable_text(self.findings, self.table.place(record), name, "D_NAME")
        known = self.seats.players.get(player)
        if known is None or not known.name:
            self.seats.players[player] = PlayerFacts(player, name)
        elif name and _letters(name) != _letters(known.name):
            self.findings.add("member-names-differ", self.table.place(record, "D_NAME"), player=shown(player))

    def _rating(self, record: int, player: str, text: str) -> None:
        """Take the pairing rating; 0 and blank mean unrated."""
        if not text.strip("0") or text.upper().startswith("UNR"):
            return
        # A mark for provisional ratings may follow.
        points = whole_number(text.rstrip("Pp*"))
        if points is not None and LOWEST_RATING <= points <= HIGHEST_RATING:
            self.pairing.setdefault(player, float(points))
            return
        self.findings.add(
            "pairing-rating-unreadable",
            self.table.place(record, "D_RATING"),
            text=shown(text),
            lowest_rating=LOWEST_RATING,
            highest_rating=HIGHEST_RATING,
        )


def _letters(name: str) -> str:
    """Return what of *name* tells persons apart: "Last, First" and "FIRST LAST" are one name.

    >>> _letters("Example, Adams") == _letters("ADAMS EXAMPLE")
    True
    """
    return "".join(sorted(filter(str.isalnum, name.casefold())))


def _section(
    findings: Findings, record: SectionRecord, seats: UploadSeats, event: Event, hints: Hints
) -> Section | None:
    """Return the section of *record*, or None with findings."""
    start, end = days_of(findings, record, event)
    entries = seats.entries(record)
    if end is None:
        return None
    return Section(
        number=record.number,
        name=record.name,
        start=start,
        end=end,
        time_control=read_text(findings, record.where, record.row, "S_TIMECTL") or hints.time_control,
        type=section_type(record, hints),
        online=hints.online,
        half_k=False,
        youth=False,
        entries=entries,
    )

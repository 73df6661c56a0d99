"""Reading upload files: what both layouts share, from the three tables to the report (docs/formats/uschess.md)."""

from collections.abc import Mapping
from types import MappingProxyType

from ratebook.formats.contract import Findings, Hints, ParsedReport
from ratebook.formats.source import Source
from ratebook.formats.uschess.seats import UploadSeats, player_columns
from ratebook.formats.uschess.sections import (
    SectionRecord,
    days_of,
    note_unused,
    read_section_records,
    section_type,
    stated_systems,
)
from ratebook.formats.uschess.tables import EventRecord, choose_event, find_tables, read_event
from ratebook.model import Event, Report, Section


class UploadReader:
    """Reads one event of upload files; each layout adds what it has of its own.

    Attributes:
        source: the files.
        hints: what the user added.
        findings: gets the findings.
        pairing: the pairing ratings by player.
        required: columns of the players that only this layout must have.
    """

    required: tuple[str, ...] = ()

    def __init__(self, source: Source, hints: Hints) -> None:
        self.source = source
        self.hints = hints
        self.findings = Findings()
        self.pairing: dict[str, float] = {}

    def check_event(self, header: EventRecord) -> None:
        """Report what is wrong with the record of the event."""

    def check_sections(self, records: Mapping[int, SectionRecord]) -> None:
        """Report what the section records do not say."""

    def read_players(self, header: EventRecord, seats: UploadSeats) -> None:
        """Read the player records of the event."""
        raise NotImplementedError

    def time_control(self, record: SectionRecord) -> str | None:
        """Return the time control of a section."""
        raise NotImplementedError

    def is_half_k(self, record: SectionRecord) -> bool:
        """Return whether the section was rated at half K."""
        raise NotImplementedError

    def parse(self) -> ParsedReport:
        """Return the report, with all findings."""
        findings, hints, name = self.findings, self.hints, self.source.name
        files = find_tables(findings, self.source)
        header = None if files is None else choose_event(findings, files.header, hints)
        if files is None or header is None:
            return findings.without_report(name)
        self.check_event(header)
        event = read_event(findings, header, hints)
        records = read_section_records(findings, files.sections, header)
        columns = player_columns(findings, files.players, self.required)
        if records is None or columns is None:
            return findings.without_report(name)
        self.check_sections(records)
        seats = UploadSeats(findings, files.players, records, columns)
        self.read_players(header, seats)
        sections = [self._section(record, seats, event) for record in records.values() if not seats.full]
        note_unused(findings, name, header, records, hints)
        if findings.has_errors:
            return findings.without_report(name)
        return ParsedReport(
            Report(
                event,
                MappingProxyType(seats.players),
                tuple(section for section in sections if section is not None),
            ),
            findings.of_file(name),
            pairing=MappingProxyType(self.pairing),
            stated_rounds=MappingProxyType(seats.stated_rounds),
            stated_systems=MappingProxyType(stated_systems(records)),
        )

    def _section(self, record: SectionRecord, seats: UploadSeats, event: Event) -> Section | None:
        """Return the section of *record*, or None where its last day is not known, which is reported."""
        start, end = days_of(self.findings, record, event)
        entries = seats.entries(record)
        if end is None:
            return None
        return Section(
            number=record.number,
            name=record.name,
            start=start,
            end=end,
            time_control=self.time_control(record),
            type=section_type(record, self.hints),
            online=self.hints.online,
            half_k=self.is_half_k(record),
            youth=False,
            entries=entries,
        )

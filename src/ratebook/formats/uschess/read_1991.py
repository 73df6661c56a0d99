"""The upload files of US Chess as they were from 1991: reading (docs/formats/uschess.md#the-layout-of-1991).

They have no names, no colours and no time control; a player with more than ten rounds has several records, and a set
of files may hold several events.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from ratebook.formats.contract import ROUNDS_AT_MOST, Findings, ParsedReport
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.fields import shown
from ratebook.formats.uschess.seats import PlayerColumns, UploadSeats, player_columns
from ratebook.formats.uschess.sections import (
    SectionRecord,
    days_of,
    note_unused,
    read_section_records,
    report_too_many_rounds,
    section_type,
    stated_systems,
)
from ratebook.formats.uschess.tables import (
    EventRecord,
    UploadLayout,
    choose_event,
    find_tables,
    layout_of,
    read_event,
    report_missing_columns,
    report_others,
    whole_number,
)
from ratebook.model import PlayerFacts, Report, Section

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratebook.formats.contract import Hints
    from ratebook.formats.source import Source
    from ratebook.formats.uschess.tables import UploadTable
    from ratebook.model import Cell, Event

    _Parts = dict[int, tuple[Cell, ...]]

HALF_K = "H"
"""S_K_FACTOR of sections rated at half K; F is full, and Q says no more than S_R_SYSTEM does."""

_RECORDS_AT_MOST = 9
# Nine records of ten rounds; the last columns of the last record may be empty.
_COLUMNS_AT_MOST = ROUNDS_AT_MOST


def looks_like(source: Source) -> bool:
    """Return whether *source* holds a table of the upload files of 1991, whatever the files are called."""
    return layout_of(source) is UploadLayout.OLD


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return one event of the three tables of *source*, with all findings.

    *hints* name the event where there are several, and must give the time control.
    """
    findings = Findings()
    files = find_tables(findings, source)
    header = None if files is None else choose_event(findings, files.header, hints)
    if files is None or header is None:
        return findings.without_report(source.name)
    event = read_event(findings, header, hints)
    records = read_section_records(findings, files.sections, header)
    columns = player_columns(findings, files.players)
    if columns is not None and columns.sequence < 0:
        report_missing_columns(findings, files.players, ["D_REC_SEQ"])
    if records is None or columns is None or columns.sequence < 0:
        return findings.without_report(source.name)
    _check_time_control(findings, source.name, records, hints)
    seats = UploadSeats(findings, files.players, records, columns.rounds)
    _read_players(findings, files.players, header, columns, seats)
    sections = [
        _section(findings, record, seats, event, hints) for record in records.values() if not seats.full
    ]
    note_unused(findings, source.name, header, records, hints)
    if findings.has_errors:
        return findings.without_report(source.name)
    report = Report(
        event,
        MappingProxyType(seats.players),
        tuple(section for section in sections if section is not None),
    )
    return ParsedReport(
        report,
        findings.of_file(source.name),
        stated_rounds=MappingProxyType(seats.stated_rounds),
        stated_systems=MappingProxyType(stated_systems(records)),
    )


def _check_time_control(
    findings: Findings, name: str, records: Mapping[int, SectionRecord], hints: Hints
) -> None:
    if hints.time_control is not None and hints.time_control.strip():
        return
    letters = sorted({record.row.get("S_R_SYSTEM", "") for record in records.values()} - {""})
    said = f" S_R_SYSTEM ({', '.join(map(shown, letters[:3]))}) does not replace it." if letters else ""
    findings.add("time-control-missing.time-control", name, said=said)


def _read_players(
    findings: Findings, table: UploadTable, header: EventRecord, columns: PlayerColumns, seats: UploadSeats
) -> None:
    """Read all player records of the event."""
    others = 0
    parts: dict[tuple[int, int], _Parts] = {}
    for record, values in table.records(findings):
        if columns.event >= 0 and not header.includes(values[columns.event]):
            others += 1
            continue
        if seats.full:
            break
        section = seats.section(record, values[columns.section])
        seat = seats.seat(record, values[columns.seat])
        if section is None or seat is None:
            continue
        number = section.number
        if (number, seat) not in parts:
            player = seats.player_id(record, number, seat, values[columns.member])
            seats.add(number, seat, player, ())
            seats.players.setdefault(player, PlayerFacts(player))
            parts[number, seat] = {}
        # A single record need not be numbered.
        text = values[columns.sequence] or "1"
        sequence = whole_number(text)
        if not sequence or sequence > _RECORDS_AT_MOST:
            findings.add("record-sequence-unreadable", table.place(record, "D_REC_SEQ"), text=shown(text))
        elif sequence in parts[number, seat]:
            seats.report_taken(record, number, seat)
        else:
            parts[number, seat][sequence] = seats.cells(record, number, seat, values)
            seats.count(len(columns.rounds))
    report_others(findings, table, others)
    _join(findings, table.file, seats, parts, len(columns.rounds))


def _join(
    findings: Findings, file: str, seats: UploadSeats, parts: Mapping[tuple[int, int], _Parts], rounds: int
) -> None:
    """Give each seat the rounds of all its records, as many as the longest seat of its section has."""
    records: dict[int, int] = {}
    for (section, _), own in parts.items():
        records[section] = max(records.get(section, 0), *own, 0)
    # Checked before anything of that size is built.
    if seats.too_many(rounds * sum(records[section] - len(own) for (section, _), own in parts.items())):
        return
    for section, most in records.items():
        if most * rounds > _COLUMNS_AT_MOST:
            report_too_many_rounds(findings, f"{file}, section {section}", most * rounds)
            return
    nothing = (EMPTY_CELL,) * rounds
    for (section, seat), own in parts.items():
        last = max(own, default=0)
        if len(own) < last and not findings.full:
            findings.add(
                "record-sequence-incomplete", f"{file} (section {section}, seat {seat}), D_REC_SEQ", last=last
            )
        cells: tuple[Cell, ...] = ()
        for sequence in range(1, records[section] + 1):
            cells += own.get(sequence, nothing)
        seats.complete(section, seat, cells)


def _section(
    findings: Findings, record: SectionRecord, seats: UploadSeats, event: Event, hints: Hints
) -> Section | None:
    """Return the section of *record*, or None with findings."""
    start, end = days_of(findings, record, event)
    entries = seats.entries(record)
    if end is None or hints.time_control is None:
        return None
    return Section(
        number=record.number,
        name=record.name,
        start=start,
        end=end,
        time_control=hints.time_control.strip(),
        type=section_type(record, hints),
        online=hints.online,
        half_k=record.row.get("S_K_FACTOR", "").upper() == HALF_K,
        youth=False,
        entries=entries,
    )

"""Reading upload files, format 2C and the layout of 1991: the event, its sections and the report.

The layout of 1991 has no names, colours and time control, and may hold several events
(docs/formats/uschess.md#the-layout-of-1991).
"""

from collections.abc import Collection, Mapping
from types import MappingProxyType

from ratebook.findings import Findings, Place
from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.hints import note_unused_hints
from ratebook.formats.reading.fields import shown
from ratebook.formats.source import Source
from ratebook.formats.uschess.columns import EVENT_TEXTS, FORMAT_WORD, NOT_SCHOLASTIC, SECTION_TYPES, YES
from ratebook.formats.uschess.seats import SEQUENCE, UploadSeats, player_columns
from ratebook.formats.uschess.tables import (
    EventRecord,
    SectionRecord,
    UploadRecord,
    UploadTable,
    UploadTableKind,
    choose_event,
    find_tables,
    is_blank,
    table_of,
    whole_number,
)
from ratebook.model import Event, Report, Section, SectionType

EDITION_1991 = 1991
HALF_K = "H"
"""S_K_FACTOR of sections rated at half K; F is full, and Q says no more than S_R_SYSTEM does."""


def looks_like(source: Source, edition: int | None = None) -> bool:
    """Return whether *source* holds a table of format 2C, or with the *edition* 1991 of the layout of that year."""
    read = (table_of(file) for file in source.files)
    tables = [table for table in read if isinstance(table, UploadTable) and table.kind is not None]
    return bool(tables) and _is_of_1991(tables) is (edition == EDITION_1991)


def _is_of_1991(tables: Collection[UploadTable]) -> bool:
    """Return whether the *tables* have the older layout (docs/formats/uschess.md#the-layout-of-1991)."""
    names = {name for table in tables for name in table.table.names}
    return SEQUENCE in names or ("H_FORMAT" not in names and bool(names & {"H_SECREC01", "S_DTLREC01"}))


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return one event of the three tables of *source*, with all findings.

    *hints* name the event where there are several, give what the files leave blank, and say that the event was online,
    which the files cannot.
    """
    findings = Findings(is_tentative=hints.is_tentative)
    tables = find_tables(findings, source)
    header = None if tables is None else choose_event(findings, tables[UploadTableKind.HEADER], hints)
    if tables is None or header is None:
        return ParsedReport(None, findings.of_file(source.name))
    old = _is_of_1991(tables.values())
    word = header.value("H_FORMAT")
    if not old and word.upper() != FORMAT_WORD:
        header.add("upload-format-unknown", "H_FORMAT", word=shown(word))
    event = _event(header, hints)
    records = _section_records(findings, tables[UploadTableKind.SECTIONS], header)
    columns = player_columns(findings, tables[UploadTableKind.PLAYERS], old=old)
    if records is None or columns is None:
        return ParsedReport(None, findings.of_file(source.name))
    systems = {number: letter for number, record in records.items() if (letter := record.value("S_R_SYSTEM"))}
    if old and not (hints.time_control or "").strip():
        letters = ", ".join(map(shown, sorted(set(systems.values()))[:3]))
        if letters:
            findings.add("time-control-missing.upload-with-system", source.place, letters=letters)
        else:
            findings.add("time-control-missing.upload", source.place)
    seats = UploadSeats(findings, tables[UploadTableKind.PLAYERS], records, columns)
    seats.read(header)
    sections = [_section(each, seats, event, hints, old=old) for each in records.values() if not seats.full]
    _note_unused(findings, source.name, header, records, hints)
    if findings.has_errors:
        return ParsedReport(None, findings.of_file(source.name))
    report = Report(
        event, MappingProxyType(seats.players), tuple(section for section in sections if section is not None)
    )
    return ParsedReport(
        report,
        findings.of_file(source.name),
        stated_rounds=MappingProxyType(seats.stated_rounds),
        stated_systems=MappingProxyType(systems),
    )


def _event(record: UploadRecord, hints: Hints) -> Event:
    start = record.day("H_BEG_DATE") or hints.start
    end = record.day("H_END_DATE") or hints.end
    if start is not None and end is not None and end < start:
        record.add("dates-reversed.records", "H_END_DATE", end=end, start=start)
    texts = {field: record.text(column) for field, column in EVENT_TEXTS.items()}
    return Event(**texts, start=start, end=end)


def _section_records(
    findings: Findings, table: UploadTable, header: EventRecord
) -> dict[int, SectionRecord] | None:
    """Return the section records of the event by their numbers; None where the table has no numbers."""
    if "S_SEC_NUM" not in table.table.names:
        table.report_missing(findings, ["S_SEC_NUM"])
        return None
    records: dict[int, SectionRecord] = {}
    others = 0
    for record in table.records(findings):
        if not header.includes(record.value("S_EVENT_ID")):
            others += 1
            continue
        text = record.value("S_SEC_NUM")
        number = whole_number(text)
        if not number:
            record.add("section-number-unreadable", "S_SEC_NUM", row=shown(text))
        elif number not in records:
            records[number] = SectionRecord(record, number)
        else:
            record.add("section-number-twice.other-section", "S_SEC_NUM", number=number)
            if findings.full:
                break
    table.report_others(findings, others)
    if not records and not findings.has_errors:
        findings.add("sections-empty.no-record", header.where)
    total = header.value("H_TOT_SECT")
    if total and whole_number(total) != len(records):
        header.add("section-count-differs", "H_TOT_SECT", total=shown(total), record_count=len(records))
    return records


def _section(
    record: SectionRecord, seats: UploadSeats, event: Event, hints: Hints, *, old: bool
) -> Section | None:
    """Return a section; its days are its own, else the event's; None where its last day is not known."""
    own_start, own_end = record.day("S_BEG_DATE"), record.day("S_END_DATE")
    start, end = own_start or event.start, own_end or event.end
    if end is None:
        # A date that cannot be read is a finding already.
        if not record.findings.has_errors:
            record.findings.add("end-missing.in-upload", record.where, number=record.number)
    elif start is None:
        record.findings.add("start-missing.in-upload", record.where, number=record.number, end=end)
    elif end < start and (own_start is not None or own_end is not None):
        record.add("dates-reversed.records", "S_END_DATE", end=end, start=start)
    entries = seats.entries(record)
    if end is None:
        return None
    hint = hints.time_control
    return Section(
        number=record.number,
        name=record.name,
        start=start,
        end=end,
        time_control=(hint or "").strip() if old else record.text("S_TIMECTL") or hint,
        type=_section_type(record, hints),
        online=hints.online,
        half_k=old and record.value("S_K_FACTOR").upper() == HALF_K,
        entries=entries,
        chief_td="" if (chief_td := record.text("S_CTD_ID")) == event.chief_td else chief_td,
        assistant_td=record.text("S_ATD_ID"),
        scholastic="" if (level := record.text("S_SCH_LVL").upper()) == NOT_SCHOLASTIC else level,
        grand_prix=record.value("S_GR_PRIX").upper() == YES,
        grand_prix_points=whole_number(record.value("S_GP_PTS")) or None,
        fide_rated=record.value("S_FIDE").upper() == YES,
    )


def _section_type(record: SectionRecord, hints: Hints) -> SectionType:
    """Return the type of a section; *hints* say it where the record does not, and for what it cannot say."""
    if hints.type is not None and (record.type is None or hints.type not in SECTION_TYPES.values()):
        return hints.type
    return record.type or SectionType.OTHER


def _note_unused(
    findings: Findings, name: str, header: UploadRecord, records: Mapping[int, SectionRecord], hints: Hints
) -> None:
    """Name the options for what the files say themselves."""
    blank = {
        "online": True,
        "event": True,
        "start": is_blank(header.value("H_BEG_DATE")),
        "end": is_blank(header.value("H_END_DATE")),
        "time_control": any(not one.value("S_TIMECTL") for one in records.values()),
        "type": any(_section_type(one, hints) is not one.type for one in records.values()),
    }
    used = tuple(field for field, needed in blank.items() if needed)
    note_unused_hints(findings, Place(file=name), hints, "The upload", used)

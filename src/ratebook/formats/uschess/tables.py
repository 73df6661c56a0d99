"""What both layouts of upload files share: three tables in dBASE files, event, sections and players.

The tables are told apart by the names of their columns, never by the names of the files
(docs/formats/uschess.md#the-container).
"""

from collections.abc import Iterator
from datetime import date
from enum import Enum
from typing import NamedTuple, TypeAlias

from ratebook.formats.contract import SEATS_AT_MOST, Findings, Hints
from ratebook.formats.hints import note_other_files
from ratebook.formats.reading.fields import day_of_events, parse_day, readable, shown
from ratebook.formats.source import Source, SourceFile
from ratebook.formats.uschess.columns import EVENT_COLUMNS, EVENT_TEXTS, SECTION_COLUMNS
from ratebook.formats.uschess.dbf import DbfError, DbfTable, read_dbf
from ratebook.model import Event

EVENTS_AT_MOST = 9_999

# Only these are kept of a record: a file may have thousands of columns.
_COLUMNS_READ = {column.name for column in EVENT_COLUMNS + SECTION_COLUMNS if column.field} | {
    "H_FORMAT",
    "S_K_FACTOR",
}

_NAMES_SHOWN = 10
ZERO = "0"

Row: TypeAlias = dict[str, str]


class TableKind(Enum):
    """One of the three tables: what it is called in a finding, and columns of which it has one at least."""

    HEADER = ("event record (THEXPORT.DBF)", frozenset({"H_NAME", "H_BEG_DATE", "H_END_DATE"}))
    SECTIONS = ("section records (TSEXPORT.DBF)", frozenset({"S_SEC_NUM", "S_TRN_TYPE"}))
    PLAYERS = ("player records (TDEXPORT.DBF)", frozenset({"D_SEC_NUM", "D_PAIR_NUM"}))

    def __init__(self, words: str, marks: frozenset[str]) -> None:
        self.words = words
        self.marks = marks


class UploadLayout(Enum):
    """The two layouts of the three files."""

    CURRENT = "2C"
    OLD = "1991"


class UploadTable(NamedTuple):
    """One of the three tables and the name of its file."""

    file: str
    table: DbfTable

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.table.names

    def place(self, record: int, column: str = "") -> str:
        """Return a record, and a column of it, in words."""
        return f"{self.file}, record {record}" + (f", {column}" if column else "")

    def records(self, findings: Findings) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield number and values of each record that is not deleted; report what is wrong with the table."""
        records = self.table.records
        try:
            for number, values in enumerate(records, start=1):
                yield number + records.deleted, values
        except DbfError as failure:
            findings.add("dbf-unreadable", self.file, failure=str(failure))
            return
        if records.missing or records.cut:
            found = records.declared - records.missing - records.cut
            findings.add(
                "dbf-cut-short",
                self.file,
                declared=records.declared,
                found=found,
                word=" and a part of one more." if records.cut else ".",
            )
        if records.surplus:
            findings.add("dbf-records-uncounted", self.file, declared=records.declared)

    def rows(self, findings: Findings) -> Iterator[tuple[int, Row]]:
        """Yield number and values by column of each record; only of the columns that are read anywhere."""
        columns: dict[str, int] = {}
        for at, column in enumerate(self.names):
            if column in _COLUMNS_READ:
                columns.setdefault(column, at)
        for number, values in self.records(findings):
            yield number, {column: values[at] for column, at in columns.items()}


class UploadFiles(NamedTuple):
    """The three tables of one report."""

    header: UploadTable
    sections: UploadTable
    players: UploadTable


def kind_of(table: DbfTable) -> TableKind | None:
    """Return which of the three tables *table* is, by its columns; None where it is none of them."""
    names = frozenset(table.names)
    return next((kind for kind in TableKind if kind.marks & names), None)


def layout_of(source: Source) -> UploadLayout | None:
    """Return the layout of the upload files in *source*, None where there are none.

    D_REC_SEQ is only in the older one, H_FORMAT only in the current one (docs/formats/uschess.md#the-layout-of-1991).
    """
    names: set[str] = set()
    for file in source.files:
        table = _table(file)
        if isinstance(table, UploadTable) and kind_of(table.table) is not None:
            names.update(table.names)
    if not names:
        return None
    old = "D_REC_SEQ" in names or ("H_FORMAT" not in names and names & {"H_SECREC01", "S_DTLREC01"})
    return UploadLayout.OLD if old else UploadLayout.CURRENT


def _table(file: SourceFile) -> UploadTable | DbfError:
    try:
        return UploadTable(file.name, read_dbf(file.data, file.name))
    except DbfError as failure:
        return failure


def find_tables(findings: Findings, source: Source) -> UploadFiles | None:
    """Return the three tables in *source*, or None with findings; a note names the files that are none of them."""
    found: dict[TableKind, UploadTable] = {}
    read: list[SourceFile] = []
    damaged: list[tuple[str, str]] = []
    for file in source.files:
        table = _table(file)
        if isinstance(table, DbfError):
            if file.name.lower().endswith(".dbf"):
                damaged.append((file.name, str(table)))
            continue
        kind = kind_of(table.table)
        if kind is None:
            continue
        if kind in found:
            findings.add("upload-file-twice", file.name, words=kind.words, file=found[kind].file)
        found.setdefault(kind, table)
        read.append(file)
    missing = [kind.words for kind in TableKind if kind not in found]
    if missing:
        for name, reason in damaged:
            findings.add("dbf-unreadable", name, failure=reason)
        findings.add("upload-file-missing", source.name, missing=" or ".join(missing))
    else:
        note_other_files(findings, source, read)
    if findings.has_errors:
        return None
    return UploadFiles(found[TableKind.HEADER], found[TableKind.SECTIONS], found[TableKind.PLAYERS])


class EventRecord(NamedTuple):
    """The record of the event that is read."""

    where: str
    row: Row
    alone: bool

    def includes(self, event_id: str) -> bool:
        """Return whether a record with *event_id* belongs to this event."""
        own = self.row.get("H_EVENT_ID", "")
        return event_id == own or (self.alone and not (event_id and own))


def choose_event(findings: Findings, table: UploadTable, hints: Hints) -> EventRecord | None:
    """Return the record of the event that is read, or None with a finding."""
    found: list[tuple[int, Row]] = []
    for number, row in table.rows(findings):
        found.append((number, row))
        if len(found) > EVENTS_AT_MOST:
            findings.add("too-many-events", table.file, events_at_most=EVENTS_AT_MOST)
            return None
    if not found:
        findings.add("event-record-missing", table.file)
        return None
    ids = [row.get("H_EVENT_ID", "") for _, row in found]
    wanted = hints.event
    if wanted is not None:
        # Uploads have no id yet: the only event is then the one that is meant.
        chosen = [0] if ids == [""] else [at for at, event in enumerate(ids) if event == wanted]
        if not chosen:
            findings.add("event-unknown.is-one-event", table.file, event=shown(wanted), listed=_listed(ids))
            return None
    else:
        chosen = list(range(len(found)))
    if len(chosen) > 1:
        same = len(set(ids)) < len(ids)
        findings.add(
            "several-events.tables",
            table.file,
            chosen_count=len(chosen),
            ids=_listed(ids),
            word="Give each event in files of its own."
            if same
            else "Choose one of them with --event and its id; one report is one event.",
        )
        return None
    number, row = found[chosen[0]]
    return EventRecord(table.place(number), row, alone=len(found) == 1)


def _listed(ids: list[str]) -> str:
    more = f" and {len(ids) - _NAMES_SHOWN} more" if len(ids) > _NAMES_SHOWN else ""
    return ", ".join(shown(one) if one else "(blank)" for one in ids[:_NAMES_SHOWN]) + more


def read_event(findings: Findings, header: EventRecord, hints: Hints) -> Event:
    """Return the event; days that its record does not give are those of *hints*."""
    row, where = header.row, header.where
    start = read_day(findings, where, row, "H_BEG_DATE") or hints.start
    end = read_day(findings, where, row, "H_END_DATE") or hints.end
    if start is not None and end is not None and end < start:
        report_reversed(findings, f"{where}, H_END_DATE", start, end)
    texts = {field: read_text(findings, where, row, column.name) for field, column in EVENT_TEXTS.items()}
    return Event(**texts, start=start, end=end)


def report_reversed(findings: Findings, where: str, start: date, end: date) -> None:
    """Report an end before the start."""
    findings.add("dates-reversed.report-reversed", where, end=end, start=start)


def read_text(findings: Findings, where: str, row: Row, column: str) -> str:
    """Return the text in *column*, empty where absent; characters that cannot be printed become blanks or "?"."""
    return printable_text(findings, where, row.get(column, ""), column)


def printable_text(findings: Findings, where: str, text: str, column: str) -> str:
    """Return *text* with characters that cannot be printed replaced, and a warning where that matters."""
    if text.isprintable():
        return text
    # A tab after the comma of a name was accepted by the office (docs/formats/uschess.md#the-container).
    text = text.replace("\t", " ")
    if readable(text):
        return text
    findings.add("text-replaced", f"{where}, {column}", text=shown(text))
    return "".join(character if readable(character) else "?" for character in text)


def read_day(findings: Findings, where: str, row: Row, column: str) -> date | None:
    """Return the day in *column* (YYYYMMDD), None where it is blank or cannot be read."""
    text = row.get(column, "")
    if not text.strip(ZERO):
        return None
    day = parse_day(f"{text[:4]}-{text[4:6]}-{text[6:]}")
    if day is None:
        findings.add("date-unreadable.tables", f"{where}, {column}", text=shown(text))
        return None
    return day_of_events(findings, f"{where}, {column}", day)


def whole_number(text: str) -> int | None:
    """Return the whole number that *text* is, None where it is none; a numeric field may write 4.0.

    >>> whole_number("12"), whole_number("4.0"), whole_number("")
    (12, 4, None)
    """
    digits = text
    if "." in text:
        digits, decimals = text.split(".", 1)
        if decimals.strip(ZERO):
            return None
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > len(str(SEATS_AT_MOST)):
        return None
    return int(digits)


def report_others(findings: Findings, table: UploadTable, others: int) -> None:
    """Report records that carry the id of another event."""
    if others:
        findings.add("records-of-other-events.report-others", table.file, others=others)


def report_missing_columns(findings: Findings, table: UploadTable, columns: list[str]) -> None:
    """Report that *table* cannot be read without *columns*."""
    findings.add("column-missing.report-missing-columns", table.file, columns=", ".join(columns))

"""The three tables of an upload, dBASE files, and their records; the event that is read.

The tables are told apart by the names of their columns, never by the names of the files
(docs/formats/uschess.md#the-container).
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import date
from enum import Enum
from typing import NamedTuple

from ratebook.findings import Findings, Place, list_text
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints
from ratebook.formats.hints import note_other_files
from ratebook.formats.reading.cells import small_number
from ratebook.formats.reading.fields import day_of_events, parse_day, readable, shown
from ratebook.formats.source import Source
from ratebook.formats.uschess.columns import DOUBLE_GAMES, EVENT_COLUMNS, SECTION_COLUMNS, SECTION_TYPES
from ratebook.formats.uschess.dbf import DbfError, DbfTable, read_dbf

EVENTS_AT_MOST = 9_999

# Only these are kept of a record: a file may have thousands of columns.
_COLUMNS_READ = {column.name for column in EVENT_COLUMNS + SECTION_COLUMNS} | {"S_K_FACTOR"}

_NAMES_SHOWN = 10


class UploadTableKind(Enum):
    """One of the three tables: what it is called in a finding, and columns of which it has one at least."""

    HEADER = ("event record (THEXPORT.DBF)", frozenset({"H_NAME", "H_BEG_DATE", "H_END_DATE"}))
    SECTIONS = ("section records (TSEXPORT.DBF)", frozenset({"S_SEC_NUM", "S_TRN_TYPE"}))
    PLAYERS = ("player records (TDEXPORT.DBF)", frozenset({"D_SEC_NUM", "D_PAIR_NUM"}))

    def __init__(self, words: str, marks: frozenset[str]) -> None:
        self.words = words
        self.marks = marks


class UploadRecord:
    """A record of an event or a section; a column that is not there reads as blank."""

    def __init__(self, findings: Findings, where: Place, values: Mapping[str, str]) -> None:
        self.findings = findings
        self.where = where
        self.values = values

    def place(self, column: str) -> Place:
        """Return the place of a column."""
        return self.where.inner(column)

    def add(self, name: str, column: str, /, **values: object) -> None:
        """Add a finding about a column."""
        self.findings.add(name, self.place(column), **values)

    def value(self, column: str) -> str:
        """Return the characters of *column*."""
        return self.values.get(column, "")

    def text(self, column: str) -> str:
        """Return the text of *column* as it can be printed."""
        return printable_text(self.findings, self.place(column), self.value(column))

    def day(self, column: str) -> date | None:
        """Return the day in *column* (YYYYMMDD), None where it is blank or cannot be read."""
        text = self.value(column)
        if is_blank(text):
            return None
        day = parse_day(f"{text[:4]}-{text[4:6]}-{text[6:]}")
        if day is None:
            self.add("date-unreadable.digits", column, text=shown(text))
            return None
        return day_of_events(self.findings, self.place(column), day)


class EventRecord(UploadRecord):
    """The record of the event that is read; *alone*, if it is the only one."""

    def __init__(self, record: UploadRecord, *, alone: bool) -> None:
        super().__init__(record.findings, record.where, record.values)
        self._alone = alone

    def includes(self, event_id: str) -> bool:
        """Return whether a record with *event_id* belongs to this event."""
        own = self.value("H_EVENT_ID")
        return event_id == own or (self._alone and not (event_id and own))


class SectionRecord(UploadRecord):
    """A section record as far as both layouts have it.

    Attributes:
        type: None where the record does not say it.
        double: whether S_TRN_TYPE says that each cell is two games.
        rounds: S_TOT_RNDS; None where it is blank or unreadable.
    """

    def __init__(self, record: UploadRecord, number: int) -> None:
        super().__init__(record.findings, record.where, record.values)
        letter = self.value("S_TRN_TYPE").upper()
        if letter and letter not in SECTION_TYPES:
            self.add("section-type-unknown.letter", "S_TRN_TYPE", kind=shown(letter), number=number)
        self.number = number
        self.name = self.text("S_SEC_NAME")
        self.type = SECTION_TYPES.get(letter)
        self.double = letter == DOUBLE_GAMES
        self.rounds = whole_number(self.value("S_TOT_RNDS"))


class UploadTable(NamedTuple):
    """One of the three tables, read once, and the name of its file."""

    file: str
    table: DbfTable

    @property
    def kind(self) -> UploadTableKind | None:
        """Which of the three tables it is, by its columns; None where it is none of them."""
        return next((kind for kind in UploadTableKind if not kind.marks.isdisjoint(self.table.names)), None)

    def add(self, findings: Findings, name: str, **values: object) -> None:
        """Add a finding about the table as a whole (`ratebook.findings.finding`)."""
        findings.add(name, Place(file=self.file), **values)

    def place(self, record: int, column: str) -> Place:
        """Return the place of a column of a record."""
        return Place(file=self.file, record=str(record), field=column)

    def values(self, findings: Findings) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield number and values of each record that is not deleted; report what is wrong with the table."""
        records = self.table.records
        try:
            for number, values in enumerate(records, start=1):
                yield number + records.deleted, values
        except DbfError as failure:
            self.add(findings, "dbf-unreadable", failure=str(failure))
            return
        if records.missing or records.cut:
            name = "dbf-cut-short.within-record" if records.cut else "dbf-cut-short.between-records"
            whole = records.declared - records.missing - records.cut
            self.add(findings, name, declared=records.declared, found=whole)
        if records.surplus:
            self.add(findings, "dbf-records-uncounted", declared=records.declared)

    def records(self, findings: Findings) -> Iterator[UploadRecord]:
        """Yield the records with the columns that are read of an event or a section."""
        columns: dict[str, int] = {}
        for at, column in enumerate(self.table.names):
            if column in _COLUMNS_READ:
                columns.setdefault(column, at)
        for number, values in self.values(findings):
            named = {column: values[at] for column, at in columns.items()}
            yield UploadRecord(findings, Place(file=self.file, record=str(number)), named)

    def report_others(self, findings: Findings, others: int) -> None:
        """Report how many records have the id of another event."""
        if others:
            self.add(findings, "records-of-other-events.records", others=others)

    def report_missing(self, findings: Findings, columns: Collection[str]) -> None:
        """Report that the table cannot be read without *columns*."""
        self.add(findings, "column-missing.in-upload", columns=", ".join(columns))


def table_of(file: SourceFile) -> UploadTable | DbfError:
    """Return the table in *file*, whatever its columns, or why there is none."""
    try:
        return UploadTable(file.name, read_dbf(file.data, file.name))
    except DbfError as failure:
        return failure


def find_tables(findings: Findings, source: Source) -> dict[UploadTableKind, UploadTable] | None:
    """Return the three tables in *source*, or None with findings; a note names the files that are none of them."""
    tables: dict[UploadTableKind, UploadTable] = {}
    read: list[SourceFile] = []
    damaged: list[tuple[str, str]] = []
    for file in source.files:
        table = table_of(file)
        if isinstance(table, DbfError):
            if file.name.lower().endswith(".dbf"):
                damaged.append((file.name, str(table)))
        elif (kind := table.kind) is not None:
            if kind in tables:
                findings.add("upload-file-twice", file.place, words=kind.words, file=tables[kind].file)
            tables.setdefault(kind, table)
            read.append(file)
    missing = [kind.words for kind in UploadTableKind if kind not in tables]
    if missing:
        for name, reason in damaged:
            findings.add("dbf-unreadable", Place(file=name), failure=reason)
        findings.add("upload-file-missing", source.place, missing=" or ".join(missing))
    else:
        note_other_files(findings, source, read)
    return None if findings.has_errors else tables


def choose_event(findings: Findings, table: UploadTable, hints: Hints) -> EventRecord | None:
    """Return the record of the event that is read, or None with a finding."""
    events: list[UploadRecord] = []
    for record in table.records(findings):
        events.append(record)
        if len(events) > EVENTS_AT_MOST:
            table.add(findings, "too-many-events", events_at_most=EVENTS_AT_MOST)
            return None
    if not events:
        table.add(findings, "event-record-missing")
        return None
    ids = [record.value("H_EVENT_ID") for record in events]
    chosen = events
    # Uploads have no id yet: the only event is then the one that is meant.
    if hints.event is not None and ids != [""]:
        chosen = [record for record, event in zip(events, ids, strict=True) if event == hints.event]
        if not chosen:
            wanted = shown(hints.event)
            table.add(findings, "event-unknown.several-in-file", event=wanted, listed=_listed(ids))
            return None
    if len(chosen) > 1:
        name = "several-events.upload" if len(set(ids)) == len(ids) else "several-events.of-one-id"
        table.add(findings, name, chosen_count=len(chosen), ids=_listed(ids))
        return None
    return EventRecord(chosen[0], alone=len(events) == 1)


def _listed(ids: list[str]) -> str:
    return list_text((shown(event) if event else "(blank)" for event in ids), _NAMES_SHOWN)


def is_blank(text: str) -> bool:
    """Return whether *text* says nothing: zeros fill a date or an id that is not known, and a rating of 0 is none."""
    return not text.strip("0")


def printable_text(findings: Findings, place: Place, text: str) -> str:
    """Return *text* with "?" for characters that cannot be printed, and a warning."""
    if text.isprintable():
        return text
    # A tab after the comma of a name was accepted by the office (docs/formats/uschess.md#the-container).
    text = text.replace("\t", " ")
    if readable(text):
        return text
    findings.add("text-replaced", place, text=shown(text))
    return "".join(character if readable(character) else "?" for character in text)


def whole_number(text: str) -> int | None:
    """Return the whole number that *text* is, None where it is none; a numeric field may write 4.0.

    >>> whole_number("12"), whole_number("4.0"), whole_number("")
    (12, 4, None)
    """
    digits, point, decimals = text.partition(".")
    return None if point and not is_blank(decimals) else small_number(digits)

"""One file that is imported into the book: its rows are streamed, and it is imported whole or not at all.

A list is a declaration: a `TableImport` names its columns, how a row becomes a value, and how a batch is written.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Generic, NamedTuple, TypeVar

from ratebook.book.audit import FILE, AuditSubject, note_audit
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.facts.members import merged_ids
from ratebook.book.facts.seats import seats_of
from ratebook.book.facts.similar_members import Suggestions
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.profile import raise_revision
from ratebook.findings import Finding, Findings, Place
from ratebook.formats.archive import SourceError
from ratebook.formats.contract import DayOrder
from ratebook.formats.reading.dates import Days
from ratebook.formats.reading.fields import Fields, shown
from ratebook.formats.reading.sheets.header import TableKind
from ratebook.formats.reading.sheets.opening import opened_sheet
from ratebook.formats.reading.sheets.player_columns import UnreadableCellError, plain_cell, read_number
from ratebook.formats.reading.sheets.sheet import Sheet
from ratebook.office import Progress, no_progress
from ratebook.office.decisions.members import decide_about
from ratebook.office.decisions.revision import Reason
from ratebook.player_lists.row import clean_name

Cell = TypeVar("Cell")
Row = TypeVar("Row")

ROWS_AT_ONCE = 400
"""Rows that are looked up and written together."""


class FactChange(NamedTuple):
    """Something that a rating, or (*foreign*) only that of a foreign event, may have read, and that is different now.

    The decision is of a *kind* as where the office changes one member, or needs none; the facts, in words, hold *since*
    a day or always.
    """

    member: str
    kind: str
    facts: tuple[str, ...]
    since: date | None = None
    foreign: bool = False
    value: float | None = None


class Counts(NamedTuple):
    """What the book did not have, had differently, and had already."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0

    @property
    def words(self) -> str:
        """Return the counts in words.

        >>> Counts(1200, 3, 0).words
        '1,200 added, 3 changed, 0 unchanged'
        """
        return f"{self.added:,} added, {self.changed:,} changed, {self.unchanged:,} unchanged"


class Imported(NamedTuple):
    """What became of one file, whose rows were counted as far as they were read; of one with an error, nothing is kept.

    *marked* members wait for a re-rating; *changes* say in words who is changed how, never a birth date; *balances*
    count the opening balances that came with members.
    """

    rows: int
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    marked: int = 0
    findings: tuple[Finding, ...] = ()
    changes: tuple[str, ...] = ()
    balances: Counts = Counts()

    @property
    def counts(self) -> Counts:
        """Return what the book did not have, had differently, and had already."""
        return Counts(self.added, self.changed, self.unchanged)

    @property
    def is_known(self) -> bool:
        """Return whether the book has all of the file already."""
        return not (self.added or self.changed or self.balances.added or self.balances.changed)


class Import:
    """An import under way: where it writes, for whom, and what it has done so far; the counts are those of `Imported`.

    *seen* is what its rows have been about; *progress* is called with how many bytes of how many are read.
    """

    def __init__(
        self,
        connection: Connection,
        actor: Actor,
        path: Path,
        progress: Progress,
        order: DayOrder | None = None,
    ) -> None:
        self.connection = connection
        self._suggestions = Suggestions(connection)
        self.actor = actor
        self.path = path
        self.name = path.name
        self.progress = progress
        self.order = order
        self.findings = Findings()
        self.seen: set[Hashable] = set()
        self.changes: list[str] = []
        self.rows = self.added = self.changed = self.unchanged = self.marked = 0
        self.balances = Counts()

    def batches(self, read: Callable[[BinaryIO], Iterable[Row]]) -> Iterator[list[Row]]:
        """Yield in batches the rows that *read* finds in the file, and report how much of it is read."""
        size = self.path.stat().st_size
        with opened_sheet(self.path, self.findings) as stream:
            self.progress(0, size)
            for batch in self.in_batches(read(stream)):
                yield batch
                self.progress(stream.tell(), size)
            self.progress(size, size)

    def table(self, stream: BinaryIO, kind: TableKind) -> "Iterator[TableRow]":
        """Yield the rows of the file, a table of one *kind*."""
        return rows_of_table(stream, self.name, self.findings, kind, self.order)

    def in_batches(self, rows: Iterable[Row]) -> Iterator[list[Row]]:
        """Yield *rows* in batches, and count them."""
        rest = iter(rows)
        while batch := list(islice(rest, ROWS_AT_ONCE)):
            self.rows += len(batch)
            yield batch

    def is_new(self, key: Hashable) -> bool:
        """Return whether no row was about this before; the next one would be."""
        before = len(self.seen)
        self.seen.add(key)
        return len(self.seen) > before

    def note(self, source: str, changes: Sequence[FactChange]) -> None:
        """Decide *changes* of known members that rated sections may have read, and count them; *source* is the file."""
        connection, because = self.connection, Reason(self.actor, f"{source} {self.name}")
        owner = merged_ids(connection, sorted({change.member for change in changes}))
        seats = {
            foreign: seats_of(
                connection,
                sorted({owner[change.member] for change in changes if change.foreign is foreign}),
                foreign=foreign,
            )
            for foreign in (False, True)
        }
        places: dict[str, str] = {}
        for change in changes:
            member, since = owner[change.member], "" if change.since is None else change.since.isoformat()
            seat = seats[change.foreign].get(member)
            if seat is None or seat.last < since:
                continue
            place = max(seat.first, since)
            places[member] = min(places.get(member, place), place)
            if change.kind:
                details = {"changed": list(change.facts)}
                decide_about(
                    connection,
                    because,
                    change.kind,
                    member,
                    effective=change.since,
                    value=change.value,
                    details=details,
                )
        pending = [Pending(place, because.reason, member=member) for member, place in places.items()]
        note_pending(connection, pending)
        self.marked += len(places)

    def unknown_member(self, where: Place, member: str) -> None:
        """Add the error that the book has no such member, with the ids that may be meant."""
        offered = ", ".join(similar for similar, _ in self._suggestions.of(member, ""))
        self.findings.add(
            "member-unknown.in-table",
            where.inner("member_id"),
            member=shown(member),
            word=f"Perhaps {offered} is meant; correct the id" if offered else "Correct the id",
        )

    def of_members(self, rows: "list[TableRow]") -> "list[TableRow]":
        """Return the rows whose ``member_id`` the book has; the others are errors."""
        members = merged_ids(self.connection, sorted({row.text("member_id") for row in rows}))
        for row in rows:
            if row.text("member_id") not in members:
                self.unknown_member(row.where, row.text("member_id"))
        return [row for row in rows if row.text("member_id") in members]

    def imported(self) -> Imported:
        """Return the counts; nothing was done where an error was found."""
        findings = self.findings.of_file(self.name)
        if self.findings.has_errors:
            return Imported(self.rows, findings=findings)
        return Imported(
            rows=self.rows,
            added=self.added,
            changed=self.changed,
            unchanged=self.unchanged,
            marked=self.marked,
            findings=findings,
            changes=tuple(self.changes),
            balances=self.balances,
        )


class TableImport(NamedTuple, Generic[Row]):
    """A list about members who are in the book: a table whose rows each say one thing of a ``member_id``.

    All columns are required; *read* returns what a row says, None where it is wrong, and *write* writes a batch.
    """

    action: str
    columns: tuple[str, ...]
    read: "Callable[[Import, TableRow], Row | None]"
    write: Callable[[Import, list[Row]], None]

    def __call__(
        self,
        book: Book,
        path: Path,
        actor: Actor,
        *,
        order: DayOrder | None = None,
        progress: Progress = no_progress,
    ) -> Imported:
        """Import the file at *path*; *progress* is called with how many bytes of how many are read."""
        with importing(book, path, actor, self.action, progress, order) as running:
            kind = TableKind("table", self.columns, self.columns)
            for batch in running.batches(lambda stream: running.table(stream, kind)):
                values = [self.read(running, row) for row in running.of_members(batch)]
                self.write(running, [value for value in values if value is not None])
        return running.imported()


@contextmanager
def importing(  # noqa: PLR0913, PLR0917 - where, what, who, and how it is read
    book: Book,
    path: Path,
    actor: Actor,
    action: str,
    progress: Progress = no_progress,
    order: DayOrder | None = None,
) -> Iterator[Import]:
    """Give an import of a file, noted as an *action*: one transaction, which is kept only if no error is found."""
    with book.writing() as connection:
        running = Import(connection, actor, path, progress, order)
        with reading(running.findings, path):
            yield running
        written = (running.added, running.changed, running.balances.added, running.balances.changed)
        if running.findings.has_errors or not any(written):
            book.take_back(connection)
            return
        raise_revision(connection)
        rows = "1 row" if running.rows == 1 else f"{running.rows} rows"
        counted = f"{rows}, {running.added} added, {running.changed} changed"
        if any(running.balances):
            counted += f", {running.balances.added} balances added, {running.balances.changed} changed"
        details = f"{counted}, {running.marked} wait for a re-rating" if running.marked else counted
        note_audit(connection, actor, action, AuditSubject(FILE, running.name), details)


@contextmanager
def reading(findings: Findings, path: Path) -> Iterator[None]:
    """Turn what keeps the file at *path* from being read into a finding."""
    try:
        yield
    except SourceError as failure:
        findings.append(failure.finding)
    except OSError as failure:
        findings.add("file-unreadable.text", Place(file=path.name), reason=failure.strerror or failure)


class TableRow(NamedTuple):
    """One row of a table, its filled cells by column; every method gives None, with a finding, where one is wrong."""

    findings: Findings
    where: Place
    cells: dict[str, str]
    days: Days

    def text(self, title: str) -> str:
        """Return a text on one line, empty where absent."""
        return clean_name(plain_cell(self.cells.get(title, "")))

    @property
    def fields(self) -> Fields:
        """The cells as fields of a record."""
        return Fields(self.findings, dict(self.cells), self.where)

    def day(self, title: str) -> date | None:
        """Return a date, None where absent or wrong."""
        return self.days.read(self.where.inner(title), self.cells[title]) if title in self.cells else None

    def last_day(self, title: str) -> date | None:
        """Return the last day of a membership, None where absent or wrong."""
        return self.days.last_day(self.where.inner(title), self.cells[title]) if title in self.cells else None

    def number(self, title: str) -> int | float | None:
        """Return a number, None where absent or wrong."""
        return self.read(title, read_number)

    def read(self, title: str, read: Callable[[str], Cell]) -> Cell | None:
        """Return what *read* makes of a cell, None where it is absent or wrong."""
        cell = self.cells.get(title)
        if cell is None:
            return None
        try:
            return read(cell)
        except UnreadableCellError as failure:
            where = self.where.inner(title)
            self.findings.add(
                "list-value-unreadable.of-list", where, cell=shown(cell), title=title, failure=failure
            )
            return None


def rows_of_table(
    stream: BinaryIO, name: str, findings: Findings, kind: TableKind, order: DayOrder | None = None
) -> Iterator[TableRow]:
    """Yield the rows of a table, one at a time; one without a required cell is an error and left out."""
    sheet = Sheet(stream, name, findings, kind, order)
    for row in sheet:
        where, cells = sheet.line(row)
        missing = [title for title in kind.needed if title not in cells] if cells else []
        for title in missing:
            findings.add("list-value-missing.needed", where.inner(title), title=title)
        if cells and not missing and not any(cell.strip() for cell in row[sheet.header.width :]):
            yield TableRow(findings, where, dict(cells), sheet.days)

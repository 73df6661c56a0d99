"""A whole folder or zip archive of reports, read and submitted one at a time; an interrupted import goes on.

A table ``reports.csv`` may give for each file the day it was received, its event id, and what its format cannot say
(docs/formats/reports-table.md). Without one every file is taken, by name; a folder in the folder is one
report. A report that the book has already is left out, so that an import can be started again.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ratebook.book.connection import Actor, Book
from ratebook.book.facts.members import merged_ids
from ratebook.book.profile import read_federation, revision
from ratebook.book.submissions import EVER, Status
from ratebook.bounded_files import opened_stream
from ratebook.findings import Finding, Findings, Place
from ratebook.formats.archive import SourceError, SourceFile
from ratebook.formats.contract import Hints
from ratebook.formats.reading.fields import readable, shown
from ratebook.formats.reading.kinds import Choice
from ratebook.formats.reading.sheets.header import TableKind
from ratebook.formats.reading.sheets.player_columns import read_flag
from ratebook.formats.source import Source
from ratebook.model import SectionType
from ratebook.office import Progress, no_progress
from ratebook.office.imports.table import TableRow, rows_of_table
from ratebook.office.queue.submit import Incoming, known_already, submit_within
from ratebook.office.rating.standings import MemberStandings
from ratebook.reports.folders import MANIFEST, ReportFolder, opened_reports
from ratebook.reports.load import load_report

REPORTS_AT_ONCE = 50
"""Reports that come in together: all of them or, where the program is killed, none."""

COLUMNS = ("file", "received", "event_id", "start", "end", "time_control", "type", "online", "event_name")
KIND = TableKind("table", COLUMNS, ("file",))


class ImportedReport(NamedTuple):
    """What became of one file: its new submission, or the one that is *known* as the same report."""

    file: str
    number: int | None
    event_id: str
    status: Status | None
    known: int | None = None


class ImportedReports(NamedTuple):
    """What became of a folder of reports: new ones that are ready or held back, and those that the book had already.

    The findings are about the folder and its table, with a note for each report that the book had; those of the others
    appear with these in the queue.
    """

    files: int
    ready: int
    held: int
    already: int
    findings: tuple[Finding, ...]
    reports: tuple[ImportedReport, ...]


class _Known(NamedTuple):
    """What was read of members, and the revision of the book at which it holds."""

    standings: MemberStandings
    revision: int


class _ListedFile(NamedTuple):
    """One file as the table lists it, or as the folder has it."""

    file: str
    received: date
    event_id: str
    hints: Hints


def import_reports(  # noqa: PLR0913 - what, when, by whom and how
    book: Book,
    place: Path,
    received: date,
    actor: Actor,
    *,
    accepted: Sequence[str] = (),
    progress: Progress = no_progress,
) -> ImportedReports:
    """Submit every report in a folder or zip archive.

    They were *received* on that day, unless the table names another; warnings with codes of *accepted* (or ``all``)
    are accepted.

    Raises:
        BookError: the store fails; what came in before is kept.
    """
    try:
        with opened_reports(place) as folder:
            return import_opened(
                book, folder, place.name, received, actor, accepted=accepted, progress=progress
            )
    except SourceError as failure:
        return ImportedReports(files=0, ready=0, held=0, already=0, findings=(failure.finding,), reports=())


def import_opened(  # noqa: PLR0913 - as above
    book: Book,
    folder: ReportFolder,
    name: str,
    received: date,
    actor: Actor,
    *,
    accepted: Sequence[str] = (),
    progress: Progress = no_progress,
) -> ImportedReports:
    """Submit every report in a folder that is open, as `import_reports` does; findings call it by its *name*."""
    findings = Findings()
    reports: list[ImportedReport] = []
    files = 0
    try:
        listed = list(_listed(folder, received, findings))
        files = len(listed)
        progress(0, files)
        incoming = (_incoming(folder, report, accepted) for report in listed)
        known: _Known | None = None
        while batch := list(islice(incoming, REPORTS_AT_ONCE)):
            imported, known = _submit(book, batch, actor, known, findings)
            reports += imported
            progress(len(reports), files)
    except SourceError as failure:
        findings.append(failure.finding)
    return ImportedReports(
        files,
        ready=sum(report.status is Status.READY for report in reports),
        held=sum(report.status is Status.HELD for report in reports),
        already=sum(report.known is not None for report in reports),
        findings=findings.of_file(name),
        reports=tuple(reports),
    )


def _submit(
    book: Book, batch: Sequence[Incoming], actor: Actor, known: _Known | None, findings: Findings
) -> tuple[list[ImportedReport], _Known]:
    """Submit some reports in one transaction; what is known of members holds until somebody changes the book."""
    with book.writing() as connection:
        current = revision(connection)
        if known is None or known.revision != current:
            known = _Known(MemberStandings(read_federation(connection)), current)
        # One statement reads the members of all reports.
        players = {
            player
            for report in batch
            if report.loaded.report is not None
            for player in report.loaded.report.players
        }
        known.standings.read_files(connection, sorted(set(merged_ids(connection, players).values())))
        submissions = [
            submit_within(connection, report, actor, standings=known.standings, statuses=EVER)
            for report in batch
        ]
    imported = []
    for report, (number, event_id, status, *_, first) in zip(batch, submissions, strict=True):
        imported.append(
            ImportedReport(report.name, number, event_id, status, None if first is None else first.id)
        )
        if first is not None:
            findings.append(known_already(report.name, first, "report-submitted-already.imported"))
    return imported, known


def _incoming(folder: ReportFolder, listed: _ListedFile, accepted: Sequence[str]) -> Incoming:
    files: list[SourceFile] = []

    def read() -> Source:
        source = folder.read(listed.file)
        files.extend(source.files)
        return source

    loaded = load_report(read, listed.hints, received=listed.received)
    return Incoming(
        loaded=loaded,
        name=listed.file,
        received=listed.received,
        event_id=listed.event_id,
        accepted=accepted,
        digest="" if loaded.report is not None else _digest(listed.file, files),
    )


def _digest(name: str, files: Iterable[SourceFile]) -> str:
    """Return what tells a file apart that holds no report: it must not come in twice either."""
    digest = hashlib.sha256(_bytes_of(name))
    for file in files:
        digest.update(_bytes_of(file.name))
        digest.update(hashlib.sha256(file.data).digest())
    return digest.hexdigest()[:32]


def _bytes_of(name: str) -> bytes:
    """Return the bytes of a name, of which the system asks nothing else."""
    return name.encode(errors="surrogateescape")


def _listed(folder: ReportFolder, received: date, findings: Findings) -> Iterator[_ListedFile]:
    """Yield the files to import: those of the table, else all of them by name."""
    table = folder.manifest()
    if table is None:
        if folder.unused_table:
            findings.add("reports-table-above", Place(file=MANIFEST))
        for file in folder.files:
            if readable(file):
                yield _ListedFile(file, received, "", Hints())
            else:
                findings.add("text-unreadable.argument", Place(subject="name of a file"), text=ascii(file))
        return
    with table as stream:
        names = frozenset(folder.files)
        seen: set[str] = set()
        for row in rows_of_table(stream, MANIFEST, findings, KIND):
            listed = _of_row(row, received)
            if listed is None:
                continue
            if listed.file not in names:
                findings.add("import-file-missing", row.where.inner("file"), file=shown(listed.file))
            elif listed.file in seen:
                findings.add("import-row-twice.file", row.where, file=shown(listed.file))
            else:
                seen.add(listed.file)
                yield listed
        unlisted = [file for file in folder.files if file not in seen]
        if unlisted and not findings.has_errors:
            first = shown(unlisted[0])
            findings.add("import-files-left", Place(file=MANIFEST), left_count=len(unlisted), left=first)


def listed_names(table: Path) -> list[str]:
    """Return the names of files beside it that a table of reports lists; what is wrong with it the import says."""
    names: list[str] = []
    with suppress(SourceError, OSError), opened_stream(table) as stream:
        names += [row.text("file") for row in rows_of_table(stream, MANIFEST, Findings(), KIND)]
    return [name for name in names if Path(name).name == name]


def _of_row(row: TableRow, received: date) -> _ListedFile | None:
    """Return what a row of the table says; None where something of it is wrong."""
    own = Findings()
    checked = row._replace(findings=own)
    days = {title: row.day(title) for title in ("received", "start", "end")}
    kind = checked.fields.read("type", Choice(SectionType, "section-type-unknown.choice"))
    online = checked.read("online", read_flag) or False
    for problem in own.of_file(row.where.file):
        row.findings.append(problem)
    if own.has_errors or any(row.cells.get(title) and day is None for title, day in days.items()):
        return None
    event_id = row.text("event_id")
    hints = Hints(
        start=days["start"],
        end=days["end"],
        time_control=row.text("time_control") or None,
        online=online,
        type=kind,
        event=event_id or None,
        name=row.text("event_name") or None,
    )
    return _ListedFile(row.text("file"), days["received"] or received, event_id, hints)

"""Founding a book: what was understood of a folder and what it lacks is said, then it is imported and rated.

The lists are imported together, all of them or none: reports that come before their members would all be wrong. Each
report is on its own, as every day. What is done already is not done again, so that an interrupted founding goes on.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from typing import NamedTuple

from ratebook.book.audit import AuditSubject, RecordFilter, newest_entries, note_audit
from ratebook.book.connection import Actor, Book
from ratebook.book.figures.size import size_of
from ratebook.book.submissions import QueueFilter, Status
from ratebook.bounded_files import opened_stream
from ratebook.findings import Finding, Findings, Place, finding, list_text
from ratebook.model import System
from ratebook.office import Progress, no_progress
from ratebook.office.action import Action, Values
from ratebook.office.decisions.revision import Reason
from ratebook.office.founding.contents import LISTS, Archive, Content, FoundFile, Wanted, opened_archive
from ratebook.office.imports.actions import ACCEPT, AS_OF, FIDE_AS_OF, FOLDER, ORDER, SECOND
from ratebook.office.imports.foreign_ratings import import_external_ratings, import_foreign_list
from ratebook.office.imports.members import import_members, import_memberships
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.imports.reports import import_opened
from ratebook.office.imports.table import Imported
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.pages.columns import Column, Columns, counted
from ratebook.pages.queue import CodeLine, queue_page, queue_summary
from ratebook.player_lists.row import ListKind
from ratebook.reports.folders import ReportFiles

_RATINGS = frozenset(system.value.replace("-", "_") for system in System)
_DAYS = frozenset(f"{title}_as_of" for title in _RATINGS)


class UnderstoodFile(NamedTuple):
    """A file, or the reports of one format in a folder: how many rows or reports, and how that is told."""

    name: str
    content: Content
    number: int | None
    told_by: str


UNDERSTOOD: Columns[UnderstoodFile] = (
    Column("File", "name"),
    Column("Contents", "content"),
    Column("Rows or reports", "number", "right", lambda number: "" if number is None else f"{number:,}"),
    Column("Recognized by", "told_by"),
)


def understood_files(archive: Archive) -> list[UnderstoodFile]:
    """Return what was understood: each list by itself, reports by folder and format."""
    reports = Counter(
        (file.name.rpartition("/")[0] or archive.name, file.told_by) for file in archive.of(Content.REPORT)
    )
    grouped = [
        UnderstoodFile(folder, Content.REPORT, number, title) for (folder, title), number in reports.items()
    ]
    others = [
        UnderstoodFile(file.name, file.content, file.rows, file.told_by)
        for file in archive.files
        if file.content is not Content.REPORT
    ]
    order = [*Content]
    return sorted([*others, *grouped], key=lambda file: order.index(file.content))


def has_own_balances(archive: Archive, file: FoundFile) -> bool:
    """Return whether the ratings in a list of members are opening balances: no other file has any."""
    return not _RATINGS.isdisjoint(file.columns) and not archive.of(Content.BALANCES)


def has_numbers(archive: Archive, file: FoundFile) -> bool:
    """Return whether the members' numbers in a list of another federation are known: of FIDE's, members have ids."""
    with_ids = any("fide_id" in members.columns for members in archive.of(Content.MEMBERS))
    return bool(archive.of(Content.NUMBERS)) or (with_ids and file.told_by == ListKind.FIDE)


def _days_lacking(archive: Archive, file: FoundFile, wanted: Wanted) -> Iterator[Finding]:
    place = Place(file=file.name)
    if has_own_balances(archive, file) and wanted.as_of is None and _DAYS.isdisjoint(file.columns):
        yield finding("found-as-of-missing", place)
    if "fide" in file.columns and "fide_as_of" not in file.columns and wanted.fide_as_of is None:
        yield finding("found-lacks.list-day", place)


def lacks(archive: Archive, wanted: Wanted, *, has_members: bool) -> Iterator[Finding]:
    """Yield what the folder does not say, or what it has that is left out; *has_members*: the book has some."""
    whole, members = Place(file=archive.name), archive.of(Content.MEMBERS)
    if not members and not has_members:
        yield finding("found-lacks.members", whole)
    for file in members:
        yield from _days_lacking(archive, file, wanted)
    if members and not any("birth_date" in file.columns for file in members):
        yield finding("found-lacks.birth-dates", Place(file=members[0].name))
    if not archive.of(Content.BALANCES) and not any(has_own_balances(archive, file) for file in members):
        yield finding("found-lacks.balances", whole)
    if not archive.of(Content.REPORT):
        yield finding("found-lacks.reports", whole)
    numbers = archive.of(Content.NUMBERS)
    for file in archive.of(Content.FOREIGN_LIST):
        if not has_numbers(archive, file):
            yield finding("found-lacks.numbers", Place(file=file.name))
    if len(numbers) > 1:
        named = list_text(file.name for file in numbers[1:])
        yield finding("found-numbers-several", Place(file=numbers[0].name), files=named)
    for file in archive.of(Content.CORRECTIONS):
        yield finding("found-left", Place(file=file.name))


LATE = "report-late"
"""Reports of an archive come long after their events; the office had them in time."""
FOUND_BOOK = "found-book"
"""Kind of the entries of the audit log."""
_LISTS = "lists"
_PIECE = 1 << 20
_OF_ROW, _OF_REPORT, _OF_RATING = 1, 20, 40
"""What a row of a list, the import of a report and its rating cost, beside each other, for an estimate."""


class FoundedFile(NamedTuple):
    """What became of a file, or of all reports together, in words; whether the book had all of it already."""

    name: str
    content: Content
    rows: int
    outcome: str
    is_known: bool = False


FOUNDED: Columns[FoundedFile] = (
    Column("File", "name"),
    Column("Contents", "content"),
    Column("Rows or reports", "rows", "right", ",d"),
    Column("Result", "outcome"),
)


class Founded(NamedTuple):
    """What a founding did; nothing where something is missing that it needs, or one of the lists has an error.

    Members and sections are those that the book has, of which so many were rated *now*; reports are *held_by* findings.
    """

    is_done: bool
    understood: tuple[UnderstoodFile, ...]
    files: tuple[FoundedFile, ...]
    members: int
    sections: int
    now: int
    held: int
    held_by: tuple[CodeLine, ...]
    findings: tuple[Finding, ...]

    @property
    def is_known(self) -> bool:
        """Return whether the book had everything already: nothing was added, and nothing rated."""
        return not self.now and all(file.is_known for file in self.files)


NOTHING_FOUNDED = Founded(
    is_done=False, understood=(), files=(), members=0, sections=0, now=0, held=0, held_by=(), findings=()
)


class _NotAllError(Exception):
    """One of the lists has an error: none of them is imported."""


class _Share:
    """The progress of one part of the work, as that of the whole."""

    def __init__(self, progress: Progress, sizes: Sequence[int]) -> None:
        self._progress, self._whole = progress, max(1, sum(sizes))
        self._before, self._size = 0, 0

    def of(self, size: int) -> Progress:
        """Return what the next part, of this *size*, is called with."""
        self._before += self._size
        self._size = size
        self(0, 1)
        return self

    def end(self) -> None:
        """Report that all of it is done."""
        self._progress(self._whole, self._whole)

    def __call__(self, done: int, total: int) -> None:
        """Report how much of the part is done."""
        self._progress(self._before + self._size * min(done, total) // max(1, total), self._whole)


def found(  # noqa: PLR0913 - what, how, by whom and when
    book: Book,
    archive: Archive,
    wanted: Wanted,
    actor: Actor,
    today: date,
    *,
    progress: Progress = no_progress,
) -> Founded:
    """Import the lists of *archive*, submit its reports, which come in *today*, and rate those that are ready.

    Raises:
        BookError: the store fails; what was finished before is kept.
    """
    findings = Findings()
    understood = tuple(understood_files(archive))
    for problem in looked_at(book, archive, wanted):
        findings.append(problem)
    if findings.has_errors:
        return NOTHING_FOUNDED._replace(understood=understood, findings=findings.of_file(archive.name))
    lists, places = archive.of(*LISTS), list(_places(archive))
    reports = sum(len(place.files) for _, place in places)
    sizes = [_OF_ROW * (file.rows or 1) for file in lists]
    share = _Share(progress, [*sizes, _OF_REPORT * reports, _OF_RATING * reports])
    files = _import_lists(book, archive, wanted, actor, share, findings)
    if findings.has_errors:
        return NOTHING_FOUNDED._replace(understood=understood, findings=findings.of_file(archive.name))
    submitted: set[int | None] = set()
    for name, place in places:
        outcome = import_opened(
            book,
            place,
            name,
            today,
            actor,
            accepted=(LATE,),
            progress=share.of(_OF_REPORT * len(place.files)),
        )
        words = f"{outcome.ready:,} ready, {outcome.held:,} held back, {outcome.already:,} already known"
        files.append(
            FoundedFile(name, Content.REPORT, outcome.files, words, outcome.already == outcome.files)
        )
        submitted |= {report.number for report in outcome.reports}
        # What an earlier founding submitted is no duplicate within the folder.
        again = {report.file for report in outcome.reports if report.known and report.known not in submitted}
        for problem in outcome.findings:
            if problem.place.file not in again:
                findings.append(problem)
    rated = rate_ready(book, actor, progress=share.of(_OF_RATING * reports))
    share.end()
    for section in rated.posted:
        for problem in section.findings:
            findings.append(problem.within(Place(event=section.event_id)))
    with book.reading() as connection:
        size = size_of(connection)
        held = queue_page(connection, QueueFilter(statuses=(Status.HELD.value,)))
    return Founded(
        is_done=True,
        understood=understood,
        files=tuple(files),
        members=size.members,
        sections=size.sections,
        now=len(rated.posted),
        held=len(held),
        held_by=tuple(queue_summary(held)),
        findings=findings.of_file(archive.name),
    )


def looked_at(book: Book | None, archive: Archive, wanted: Wanted) -> tuple[Finding, ...]:
    """Return what is wrong with the files of *archive* and what they lack, before the *book* is founded with them."""
    has_members = False
    if book is not None:
        with book.reading() as connection:
            has_members = size_of(connection).members > 0
    return (*archive.findings, *lacks(archive, wanted, has_members=has_members))


def _import_lists(  # noqa: PLR0913, PLR0917 - into what, what, how, by whom
    book: Book, archive: Archive, wanted: Wanted, actor: Actor, share: _Share, findings: Findings
) -> list[FoundedFile]:
    """Import all lists, or none where one has an error; those that an earlier founding imported are not read again."""
    lists = archive.of(*LISTS)
    subject = AuditSubject(_LISTS, _digest(lists, wanted))
    with book.reading() as connection:
        earlier = newest_entries(connection, 1, RecordFilter(kinds=(FOUND_BOOK,), subject=str(subject)))
    if earlier and lists:
        return [
            FoundedFile(
                file.name,
                file.content,
                file.rows or 0,
                f"imported already, on {earlier[0].at[:10]}",
                is_known=True,
            )
            for file in lists
        ]
    with suppress(_NotAllError), book.together() as connection:
        files = []
        for file in lists:
            part = share.of(_OF_ROW * (file.rows or 1))
            outcome = _imported(file, book, archive, wanted, actor, part)
            if outcome is not None:
                for problem in outcome.findings:
                    findings.append(_named(problem, file))
                words = outcome.counts.words
                if any(outcome.balances):
                    words += f"; opening balances: {outcome.balances.words}"
                files.append(FoundedFile(file.name, file.content, outcome.rows, words, outcome.is_known))
        if findings.has_errors:
            raise _NotAllError
        if lists:
            words = f"{counted(len(lists), 'list')} of {archive.name}"
            note_audit(connection, actor, FOUND_BOOK, subject, words)
        return files
    return []


def _imported(  # noqa: PLR0913, PLR0917 - what, into what, how, by whom
    file: FoundFile, book: Book, archive: Archive, wanted: Wanted, actor: Actor, progress: Progress
) -> Imported | None:
    """Import one list; None where it is only of use for another one, or of none."""
    path, order = file.path, wanted.order
    match file.content:
        case Content.MEMBERS:
            return import_members(
                book,
                path,
                actor,
                balances=has_own_balances(archive, file),
                as_of=wanted.as_of,
                fide_as_of=wanted.fide_as_of,
                order=order,
                accepted=wanted.accepted,
                progress=progress,
            )
        case Content.MEMBERSHIPS:
            return import_memberships(book, path, actor, order=order, progress=progress)
        case Content.FOREIGN_RATINGS:
            return import_external_ratings(book, path, actor, order=order, progress=progress)
        case Content.FOREIGN_LIST if has_numbers(archive, file):
            numbers = next((table.path for table in archive.of(Content.NUMBERS)), None)
            return import_foreign_list(book, path, actor, numbers=numbers, progress=progress)
        case Content.BALANCES:
            return import_opening_balances(
                book, path, actor, as_of=wanted.as_of, second=wanted.second, order=order, progress=progress
            )
    return None


def _named(problem: Finding, file: FoundFile) -> Finding:
    """Return a finding with the name that its file has in the folder, where it is about this file."""
    is_own = problem.place.file == file.path.name
    return problem._replace(place=problem.place.but(file=file.name)) if is_own else problem


def _places(archive: Archive) -> Iterator[tuple[str, ReportFiles]]:
    """Yield the reports of the folder, with a name: those of each table, and then all others."""
    reports = archive.of(Content.REPORT)
    for table in archive.of(Content.REPORTS_TABLE):
        listed = {file.path.name: file.path for file in reports if file.listed_in == table.path}
        yield table.name, ReportFiles(listed, table.path)
    others = {file.name: file.path for file in reports if file.listed_in is None}
    if others:
        yield archive.name, ReportFiles(others)


def _digest(lists: Sequence[FoundFile], wanted: Wanted) -> str:
    """Return what tells these lists, and how they are read, from all others."""
    digest = hashlib.sha256(repr(wanted).encode())
    for file in lists:
        digest.update(f"\0{file.content.value}\0".encode())
        with opened_stream(file.path) as stream:
            while piece := stream.read(_PIECE):
                digest.update(piece)
    return digest.hexdigest()[:32]


def wanted_of(values: Values) -> Wanted:
    """Return what the files do not say, of the values of `FOUND`."""
    return Wanted(**{name: getattr(values, name) for name in Wanted._fields})


def _found(book: Book, because: Reason, values: Values) -> Founded:
    with opened_archive(values.file) as archive:
        wanted = wanted_of(values)
        return found(book, archive, wanted, because.actor, values.today, progress=values.progress)


ARCHIVE = FOLDER._replace(
    label="Zip archive",
    hint="With all files, in any folders. At most 8 MB; for a larger one, use the command “ratebook book found”.",
)
FOUND: Action[Book, Founded] = Action(
    "found",
    "Set up the book",
    "Set up the book from a folder or a zip archive with everything that the federation has: members, memberships,"
    " opening balances, lists of other federations, reports.",
    (ARCHIVE, AS_OF, FIDE_AS_OF, ORDER, SECOND, ACCEPT),
    _found,
    more="Files may have any names and be in any folders and archives. The lists are imported all together or"
    " not at all, then each report separately; then everything that is ready is rated. After an interruption, run it"
    " again to continue. A book that does not exist yet is made if the folder has a profile.toml.",
    examples=("league-files", "archive.zip --as-of 2022-12-31 --yes"),
    at_once=False,
)

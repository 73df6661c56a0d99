"""What a folder holds of a federation: each file is told by its columns or its format, whatever its name and place.

Archives in it are folders, and so are workbooks of several tables; the files of one upload are one report.
"""

import os
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import date
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ratebook.book.facts.foreign_ratings import ExternalRating
from ratebook.book.facts.memberships import Membership
from ratebook.bounded_files import MOST_BYTES, bounded_bytes, opened_stream
from ratebook.findings import Finding, Findings, Place, finding, has_errors, list_text
from ratebook.formats.archive import WORKBOOK_SIGNATURES, ZIP_SIGNATURE, Room, SourceError
from ratebook.formats.contract import DayOrder
from ratebook.formats.foreign_files import kind_of_file
from ratebook.formats.reading.sheets.encodings import HEAD
from ratebook.formats.reading.sheets.excel import is_workbook, sheets_of
from ratebook.formats.reading.sheets.header import MOST_ROWS_ABOVE, TableKind
from ratebook.formats.reading.sheets.opening import opened_sheet
from ratebook.formats.reading.sheets.sheet import Sheet, first_rows
from ratebook.formats.registry import format_of, parse_source
from ratebook.formats.source import read_source
from ratebook.formats.uschess.dbf import decoded
from ratebook.model import System
from ratebook.office import Progress, no_progress
from ratebook.office.imports import corrections, opening_balances, reports
from ratebook.office.imports.foreign_ratings import NUMBERS
from ratebook.office.imports.reports import listed_names
from ratebook.player_lists import members_csv
from ratebook.player_lists.read import opened_list, recognise
from ratebook.player_lists.row import ListKind
from ratebook.reports.folders import MANIFEST, MOST_REPORTS, MOST_WITHIN, REPORTS, members_in

DEEPEST = 12
"""Folders and archives within each other."""
PROFILE = "profile.toml"
_OF_SYSTEMS = frozenset({"thumbs.db", "desktop.ini", "ehthumbs.db"})
"""What systems leave in folders unasked."""
_SETTINGS = ".toml"
_MOST_COLUMNS = 6
_UPLOAD = ".dbf"
_UPLOADS = frozenset({"uschess-2c", "uschess-1991"})

_NOTHING_LIKE_A_REPORT = frozenset(("text", "nothing", "like", "no-workbook"))


class Content(StrEnum):
    """What a file holds, as people say it; the order is that in which they are imported."""

    PROFILE = "profile of the federation"
    MEMBERS = "members"
    MEMBERSHIPS = "memberships"
    NUMBERS = "members' numbers in other lists"
    FOREIGN_RATINGS = "ratings of other federations"
    FOREIGN_LIST = "list of another federation"
    BALANCES = "opening balances"
    REPORTS_TABLE = "table of the reports"
    REPORT = "report"
    CORRECTIONS = "corrections"
    SETTINGS = "rules or other settings"
    UNKNOWN = "not understood"


LISTS = (
    Content.MEMBERS,
    Content.MEMBERSHIPS,
    Content.NUMBERS,
    Content.FOREIGN_RATINGS,
    Content.FOREIGN_LIST,
    Content.BALANCES,
)
"""What is imported before the reports."""


class Wanted(NamedTuple):
    """What the files of a folder do not say: the days of balances and FIDE ratings, the order of dates, a system."""

    as_of: date | None = None
    fide_as_of: date | None = None
    order: DayOrder | None = None
    second: System = System.QUICK
    accepted: Sequence[str] = ()


class FoundFile(NamedTuple):
    """A file of the folder, or what is one report; by its path in the folder, where archives and workbooks are folders.

    It is *told_by* its columns or its format; *rows* and *columns* are those of a table, *listed_in* one of reports.
    """

    name: str
    path: Path
    content: Content
    told_by: str = ""
    rows: int | None = None
    columns: frozenset[str] = frozenset()
    listed_in: Path | None = None


class Archive(NamedTuple):
    """What a folder holds, in the order in which it is imported, and what is wrong with its files."""

    name: str
    files: tuple[FoundFile, ...]
    findings: tuple[Finding, ...]

    def of(self, *contents: Content) -> list[FoundFile]:
        """Return the files with one of these contents."""
        return [file for file in self.files if file.content in contents]


class _Table(NamedTuple):
    """A kind of table, and how its header line is told."""

    content: Content
    kind: TableKind
    is_header: Callable[[Sequence[str]], bool]


def _needing(content: Content, kind: TableKind) -> _Table:
    return _Table(content, kind, lambda row: {*kind.needed} <= {*kind.columns_of(row)})


def _of_columns(content: Content, columns: tuple[str, ...]) -> _Table:
    return _needing(content, TableKind("table", columns, columns))


_TABLES = (
    _needing(Content.CORRECTIONS, corrections.KIND),
    _needing(Content.NUMBERS, NUMBERS),
    _of_columns(Content.FOREIGN_RATINGS, ExternalRating._fields),
    _of_columns(Content.MEMBERSHIPS, Membership._fields),
)
"""Tables that no report can be."""
_ABOUT_MEMBERS = (
    _Table(Content.BALANCES, opening_balances.KIND, lambda row: opening_balances.has_balances([list(row)])),
    _Table(
        Content.MEMBERS,
        members_csv.KIND,
        lambda row: members_csv.KIND.is_header(row) and "id" in members_csv.KIND.columns_of(row),
    ),
)
"""Tables of which a report may have all columns, beside its rounds."""
_REPORTS_TABLE = _needing(Content.REPORTS_TABLE, reports.KIND)
_LISTS = {
    ListKind.FIDE: Content.FOREIGN_LIST,
    ListKind.CFC: Content.FOREIGN_LIST,
    ListKind.GOLDEN: Content.BALANCES,
    ListKind.SUPPLEMENT: Content.BALANCES,
    ListKind.COMBINED: Content.BALANCES,
}


@contextmanager
def opened_archive(place: Path, progress: Progress = no_progress) -> Iterator[Archive]:
    """Give what the folder or zip archive at *place* holds; what has to be unpacked is gone in the end."""
    with ExitStack() as unpacked:
        name, search = place.resolve().name, _Search(unpacked, place, progress)
        files = sorted(search.files(place, "", 0), key=lambda file: [*Content].index(file.content))
        if not files and not search.findings.has_errors:
            search.findings.add("found-nothing", Place(file=name))
        yield Archive(name, tuple(files), search.findings.of_file(name))


class _Search:
    """Looks through a folder."""

    def __init__(self, unpacked: ExitStack, place: Path, progress: Progress) -> None:
        self.unpacked, self.progress = unpacked, progress
        self.total = sum(len(files) for _, _, files in os.walk(place))
        self.room = Room(place.name, MOST_WITHIN)
        self.findings = Findings()
        self.numbers = count()
        self.looked_at = 0
        self.listed: dict[Path, Path] = {}

    def files(self, path: Path, name: str, depth: int) -> Iterator[FoundFile]:
        """Yield what is at *path*, which has a *name* in the whole; what cannot be read is an error."""
        try:
            if (table := self.listed.get(path)) is not None:
                yield FoundFile(name, path, Content.REPORT, _title_at(path), listed_in=table)
            elif path.is_dir():
                yield from self._in_folder(path, name, depth)
            elif path.is_file():
                self.looked_at += 1
                self.progress(self.looked_at, max(self.looked_at, self.total))
                yield from self._in_file(path, name, depth)
        except SourceError as failure:
            self.findings.append(failure.finding)
        except OSError as failure:
            reason = failure.strerror or failure
            self.findings.add("file-unreadable.text", Place(file=name or path.name), reason=reason)

    def _in_folder(self, path: Path, name: str, depth: int) -> Iterator[FoundFile]:
        children = sorted(
            child
            for child in path.iterdir()
            if not child.name.startswith((".", "~$")) and child.name.lower() not in _OF_SYSTEMS
        )
        if depth > DEEPEST or len(children) > MOST_REPORTS:
            raise SourceError(finding("import-too-many-files", Place(file=name), most_reports=MOST_REPORTS))
        if (table := path / MANIFEST).is_file():
            places = [path / REPORTS, path]
            listed = (place / name for name in listed_names(table) for place in places)
            self.listed |= dict.fromkeys((file for file in listed if file.exists()), table)
        if any(child.suffix.lower() == _UPLOAD for child in children) and (
            upload := self._upload(path, name)
        ):
            yield upload
            children = [child for child in children if child.suffix.lower() != _UPLOAD]
        for child in children:
            # A link to a folder may lead back.
            if not (child.is_dir() and child.is_symlink()):
                yield from self.files(child, f"{name}/{child.name}" if name else child.name, depth + 1)

    def _upload(self, path: Path, name: str) -> FoundFile | None:
        """Return the folder or archive at *path* as one report, if it has the upload of a pairing program."""
        title = _title_at(path, _UPLOADS)
        return FoundFile(name or path.name, path, Content.REPORT, title) if title else None

    def _in_file(self, path: Path, inside: str, depth: int) -> Iterator[FoundFile]:
        name = inside or path.name
        with opened_stream(path, HEAD) as stream:
            beginning = stream.peek(HEAD)
            is_archive = beginning.startswith(ZIP_SIGNATURE)
            is_sheets = beginning.startswith(WORKBOOK_SIGNATURES) and is_workbook(stream)
        if is_sheets:
            yield from self._in_workbook(path, name)
        elif not is_archive:
            yield self._understood(path, name)
        elif (listed := _list_at(path, name)) or (listed := self._upload(path, name)):
            yield listed
        else:
            folder = self._new_folder()
            with opened_stream(path) as stream:
                for member, data in members_in(stream, name, self.room):
                    unpacked = folder / member
                    unpacked.parent.mkdir(parents=True, exist_ok=True)
                    unpacked.write_bytes(data)
            yield from self.files(folder, inside, depth + 1)

    def _new_folder(self) -> Path:
        folder = tempfile.TemporaryDirectory(prefix="ratebook-founding-")
        return Path(self.unpacked.enter_context(folder))

    def _in_workbook(self, path: Path, name: str) -> Iterator[FoundFile]:
        """Yield the tables of a workbook: those of lists each alone, those of a report as one."""
        sheets = sheets_of(bounded_bytes(path, MOST_BYTES), name)
        heads = [first_rows(decoded(sheet.data[:HEAD]).splitlines()[:MOST_ROWS_ABOVE]) for sheet in sheets]
        has_lists = any(_table_of(_TABLES + _ABOUT_MEMBERS, rows) for rows in heads)
        if not has_lists and (len(sheets) < len("ab") or _is_one_event(path)):
            yield self._understood(path, name)
            return
        folder, of_report = self._new_folder(), self._new_folder()
        reports = []
        for sheet in sheets:
            title = sheet.name.rpartition("/")[2]
            inner = folder / f"{next(self.numbers)}.csv"
            self.room.take(len(sheet.data))
            inner.write_bytes(sheet.data)
            file = self._understood(inner, f"{name}/{title}")
            if file.content is Content.REPORT:
                named = of_report / f"{title}.csv"
                named = of_report / inner.name if named.exists() else named
                reports.append(file._replace(path=inner.rename(named)))
            else:
                yield file
        if len(reports) > 1 and _is_one_event(of_report):
            reports = [reports[0]._replace(name=name, path=of_report)]
        yield from reports

    def _understood(self, path: Path, name: str) -> FoundFile:
        """Return what a file holds that is no archive."""
        if path.suffix.lower() == _SETTINGS:
            is_profile = path.name == PROFILE
            return FoundFile(name, path, Content.PROFILE if is_profile else Content.SETTINGS, "TOML")
        with opened_sheet(path, Findings()) as stream:
            head = stream.peek(HEAD)
            rows = [] if b"\0" in head else first_rows(decoded(head).splitlines()[:MOST_ROWS_ABOVE])
            table = _REPORTS_TABLE if path.name == MANIFEST else _table_of(_TABLES, rows)
            if table is None and (title := _title_at(path)):
                return FoundFile(name, path, Content.REPORT, title)
            table = table or _table_of(_ABOUT_MEMBERS, rows)
            if table is not None:
                return _with_rows(FoundFile(name, path, table.content), stream, table.kind)
            if (listed := recognise(head, System.QUICK)) and listed.kind in _LISTS:
                return FoundFile(name, path, _LISTS[listed.kind], listed.kind)
        self._report_unknown(path, name, head)
        return FoundFile(name, path, Content.UNKNOWN)

    def _report_unknown(self, path: Path, name: str, head: bytes) -> None:
        nearly = _what_it_lacks(path)
        if foreign := kind_of_file(head):
            kind, remedy = foreign.kind, foreign.remedy
            self.findings.add("found-unknown.foreign", Place(file=name), kind=kind, remedy=remedy)
        elif nearly is not None:
            self.findings.add(
                "found-unknown.nearly", Place(file=name), lack=nearly.message, remedy=nearly.remedy
            )
        else:
            self.findings.add("found-unknown.other", Place(file=name))


def _table_of(kinds: Sequence[_Table], rows: Sequence[list[str]]) -> _Table | None:
    return next((table for table in kinds if any(map(table.is_header, rows))), None)


def _title_at(path: Path, formats: Collection[str] = ()) -> str:
    """Return what the format of the report at *path* is called; empty where it is none, or none of these *formats*."""
    with suppress(SourceError):
        known = format_of(read_source(path))
        if known is not None and (not formats or known.name in formats):
            return known.title
    return ""


def _what_it_lacks(path: Path) -> Finding | None:
    """Return what the file at *path*, which is no report, lacks to be one; None where it is nothing like it."""
    with suppress(SourceError):
        for lack in parse_source(read_source(path)).findings:
            if lack.code == "format-unknown" and lack.case not in _NOTHING_LIKE_A_REPORT:
                return lack
    return None


def _is_one_event(path: Path) -> bool:
    """Return whether the tables at *path* are no reports of several events."""
    with suppress(SourceError):
        findings = parse_source(read_source(path)).findings
        return not has_errors(finding for finding in findings if finding.code == "different-events")
    return True


def _list_at(path: Path, name: str) -> FoundFile | None:
    """Return the whole list that a zip archive holds alone, None where it holds something else."""
    findings = Findings()
    with suppress(SourceError), opened_list(path, findings, System.QUICK) as opened:
        others = findings.of_file(name)
        if opened.kind in _LISTS and not others:
            return FoundFile(name, path, _LISTS[opened.kind], opened.kind)
    return None


def _with_rows(file: FoundFile, stream: BinaryIO, kind: TableKind) -> FoundFile:
    """Return a table with its columns and the number of its rows; what is wrong with it its import says."""
    rows = 0
    with suppress(SourceError):
        sheet = Sheet(stream, file.name, Findings(), kind)
        columns = [column for column in kind.columns_of(sheet.header.titles) if column]
        file = file._replace(told_by=list_text(columns, _MOST_COLUMNS), columns=frozenset(columns))
        for row in sheet:
            rows += any(cell.strip() for cell in row)
    return file._replace(rows=rows)

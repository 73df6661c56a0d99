"""Reading a player list of any known kind for one report; the content decides, not the file's name.

A list is streamed, alone or as the only list in a zip archive, and only rows that concern the report are kept, so that
memory grows with the report and not with the list.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from ratebook.findings import Finding, Findings, Place, finding, list_text
from ratebook.formats.archive import ZIP_SIGNATURE, SourceError, check_member_name, check_packing, refused
from ratebook.formats.contract import RESULT_OF_RATING, DayOrder
from ratebook.formats.foreign_files import kind_of_file
from ratebook.formats.reading.sheets.header import MOST_ROWS_ABOVE
from ratebook.formats.reading.sheets.lines import lines_of
from ratebook.formats.reading.sheets.opening import opened_sheet
from ratebook.formats.uschess.dbf import DbfError, decoded, iter_dbf
from ratebook.model import PlayerFacts, System
from ratebook.player_lists import cfc, fide_text, fide_xml, members_csv, uschess
from ratebook.player_lists.match_names import FoundRows, Matching, SimilarNames
from ratebook.player_lists.row import (
    ListedPlayer,
    ListedPlayers,
    ListKind,
    Match,
    Rows,
    Search,
    clean_name,
    search_for,
    similar_player,
    similar_to,
)
from ratebook.plugins import ContractError, entry_points_of, package_of, reason_of

if TYPE_CHECKING:
    import zipfile
    from importlib.metadata import EntryPoint
    from pathlib import Path

    from ratebook.model import Report

_HEAD = 1 << 16
_MOST_MEMBERS = 1_000
_SHOWN = 3
GROUP = "ratebook.lists"
"""Entry points of installed packages that read lists (docs/formats/plugins.md#a-list)."""


class Recognised(NamedTuple):
    """What kind of list a file is, and what reads it."""

    kind: ListKind
    rows: Rows


_TEXT_LISTS = (
    (fide_text.looks_like_fide_text, Recognised(ListKind.FIDE, fide_text.iter_fide_text)),
    (cfc.looks_like_cfc_tdlist, Recognised(ListKind.CFC, cfc.iter_cfc_tdlist)),
)
"""The lists that their first line tells."""


def recognise(head: bytes, second: System, order: DayOrder | None = None) -> Recognised | None:
    """Return what kind of list begins with the bytes *head*, None where it is none."""
    with suppress(DbfError):
        if dbf_kind := uschess.list_kind(iter_dbf(io.BytesIO(head), "").names):
            return Recognised(dbf_kind, partial(uschess.iter_uschess_dbf, second=second))
    if b"\0" in head or RESULT_OF_RATING.match(head):
        return None
    if fide_xml.looks_like_fide_xml(head):
        return Recognised(ListKind.FIDE, fide_xml.iter_fide_xml)
    lines = decoded(head).splitlines()[:MOST_ROWS_ABOVE]
    recognised = next((one for looks_like, one in _TEXT_LISTS if looks_like("".join(lines[:1]))), None)
    if recognised is None and (installed := installed_list(lines)):
        return Recognised(ListKind.MEMBERS, installed)
    if recognised is None and members_csv.looks_like_members_csv(lines):
        rows = partial(members_csv.iter_members_csv, order=order)
        return Recognised(ListKind.MEMBERS, rows)
    return recognised


class OpenedList(NamedTuple):
    """A list that is open for reading."""

    kind: ListKind
    name: str
    stream: BinaryIO
    rows: Rows


def unknown_list(head: bytes, name: str) -> Finding:
    """Return the finding of a file that begins with *head* and is no list."""
    if foreign := kind_of_file(head):
        return finding("file-kind-foreign", Place(file=name), kind=foreign.kind, remedy=foreign.remedy)
    empty = "The file is empty." if not head else "The file is no player list that is known."
    return finding("list-unknown.not-recognized", Place(file=name), word=empty)


@contextmanager
def opened_list(
    path: Path, findings: Findings, second: System, order: DayOrder | None = None
) -> Iterator[OpenedList]:
    """Open the list at *path*, or the one in the zip archive at *path*; *order* is that of day and month in dates.

    Raises:
        SourceError: there is no list, or more than one; or the archive cannot be read.
    """
    name = path.name
    with opened_sheet(path, findings) as stream:
        head = stream.peek(_HEAD)
        if not head.startswith(ZIP_SIGNATURE):
            recognised = recognise(head, second, order)
            if recognised is None:
                raise SourceError(unknown_list(head, name))
            yield OpenedList(recognised.kind, name, stream, recognised.rows)
            return
        with opened_member(stream, name, findings, second, order) as opened:
            yield opened


@contextmanager
def opened_member(
    stream: BinaryIO, name: str, findings: Findings, second: System, order: DayOrder | None = None
) -> Iterator[OpenedList]:
    """Open the only list in the zip archive that *stream* is.

    Raises:
        SourceError: there is no list, or more than one; or the archive cannot be read.
    """
    import zipfile  # noqa: PLC0415 - start-up: only archives need it

    with ExitStack() as stack:
        try:
            archive = stack.enter_context(zipfile.ZipFile(stream))
            member, recognised = _list_in(archive, name, findings, second, order)
            unpacked = stack.enter_context(archive.open(member))
        except SourceError:
            raise
        except (
            zipfile.BadZipFile,
            zlib.error,
            struct.error,
            ArithmeticError,
            LookupError,
            EOFError,
            RuntimeError,
            ValueError,
        ) as failure:
            # What the library raises for directories and headers that make no sense.
            raise refused("zip-unreadable.damaged", name, failure=failure) from failure
        buffered = io.BufferedReader(cast("io.RawIOBase", unpacked), _HEAD)
        try:
            yield OpenedList(recognised.kind, _member_name(name, member), buffered, recognised.rows)
        except (zipfile.BadZipFile, zlib.error, EOFError) as failure:
            raise refused("zip-unreadable.damaged", name, failure=failure) from failure


def _member_name(name: str, member: zipfile.ZipInfo) -> str:
    return f"{name}/{clean_name(member.filename.replace(chr(92), '/').rsplit('/', 1)[-1])}"


def _list_in(
    archive: zipfile.ZipFile, name: str, findings: Findings, second: System, order: DayOrder | None
) -> tuple[zipfile.ZipInfo, Recognised]:
    """Return the only member of *archive* that is a list, and what list it is; the others are noted."""
    members = [member for member in archive.infolist() if not member.filename.endswith("/")]
    if len(members) > _MOST_MEMBERS:
        raise refused("list-unknown.many-files", name, member_count=len(members))
    lists = []
    for member in members:
        check_member_name(member.filename, name)
        check_packing(member, name)
        with archive.open(member) as stream:
            head = stream.read(_HEAD)
        recognised = recognise(head, second, order)
        if recognised is not None:
            lists.append((member, recognised))
        else:
            findings.add("list-member-ignored", Place(file=_member_name(name, member)))
    if not lists:
        raise refused("list-unknown.none-in-archive", name)
    if len(lists) > 1:
        names = list_text((_member_name(name, member) for member, _ in lists), _SHOWN)
        raise refused("list-several", name, list_count=len(lists), names=names)
    return lists[0]


@contextmanager
def _reported(findings: Findings, name: str) -> Iterator[None]:
    """Turn what keeps the list *name* from being read into a finding."""
    try:
        yield
    except SourceError as failure:
        findings.append(failure.finding)
    except OSError as failure:
        findings.add("file-unreadable.list", Place(file=name), strerror=failure.strerror or failure)


def iter_listed(
    path: Path,
    search: Search,
    findings: Findings,
    *,
    second: System = System.QUICK,
    order: DayOrder | None = None,
) -> Iterator[ListedPlayer]:
    """Yield the rows of the list at *path*, perhaps in a zip archive, that *search* asks for; nothing raises.

    *second* is the system of the second rating of a US Chess list with two, which does not say it: quick or blitz.
    """
    with _reported(findings, path.name), opened_list(path, findings, second, order) as opened:
        yield from opened.rows(opened.stream, opened.name, search, findings)


def read_players(
    path: Path,
    report: Report,
    *,
    second: System = System.QUICK,
    order: DayOrder | None = None,
    complete: bool = False,
) -> ListedPlayers:
    """Return what the list at *path* says about the players of *report*; nothing raises.

    Players are found by the list's number, else by a name that occurs once in the list and once in the report.
    *second* is the system of the second rating of a list with two (`iter_listed`), *order* that of day and month in
    dates. A list that is *complete* holds every member, so that an id that it lacks does not exist.
    """
    findings = Findings()
    rows = FoundRows()
    kind: ListKind | None = None
    name = path.name
    whole = False
    with _reported(findings, name), opened_list(path, findings, second, order) as opened:
        kind, name = opened.kind, opened.name
        for row in opened.rows(opened.stream, name, search_for(report), findings):
            rows.add(row)
        whole = True
    if kind is None or not whole:
        return ListedPlayers({}, findings.of_file(name), kind, name)

    def similar(names: list[str]) -> SimilarNames:
        resembling = similar_to(names)
        if not resembling.similar or not path.is_file():
            return SimilarNames()
        # A second reading, only where an id is wrong; what is wrong with the list is known already.
        return SimilarNames(iter_listed(path, resembling, Findings(), second=second, order=order))

    players = Matching(report, rows, kind, name, findings, similar, complete=complete).players()
    return ListedPlayers(players, findings.of_file(name), kind, name)


def checked_list(entry: EntryPoint) -> ModuleType:
    """Return the module of an entry point.

    Raises:
        ContractError: it has not the functions ``looks_like`` and ``players``.
    """
    module: ModuleType = entry.load()
    for name in ("looks_like", "players"):
        if not callable(getattr(module, name, None)):
            raise ContractError(f"{entry.value}.{name} is no function")
    return module


def installed_list(lines: Sequence[str]) -> Rows | None:
    """Return what reads the list that begins with *lines*, None where no package does; one that fails does not."""
    for entry in entry_points_of(GROUP):
        with suppress(Exception, SystemExit):
            module = checked_list(entry)
            if module.looks_like(lines):
                return partial(_rows, entry, module)
    return None


def _rows(
    entry: EntryPoint, module: ModuleType, stream: BinaryIO, name: str, search: Search, _findings: Findings
) -> Iterator[ListedPlayer]:
    """Yield the rows of the list in *stream* that *search* asks for."""
    try:
        for number, yielded in module.players(lines_of(stream, name)):
            where, facts = Place(file=name, line=int(number)), _checked_facts(yielded)
            match = search.match(facts.id or facts.fide_id, facts.name)
            if match is Match.WANTED:
                yield ListedPlayer(ListKind.MEMBERS, where, facts._replace(name=clean_name(facts.name)))
            elif match is Match.SIMILAR:
                yield similar_player(ListKind.MEMBERS, where, facts.id, facts.name)
    except SourceError:
        raise
    except (Exception, SystemExit) as failure:
        package, reason = package_of(entry), reason_of(failure)
        raise refused(
            "plugin-failed.list", name, name=entry.name, package=package, reason=reason
        ) from failure


def _checked_facts(yielded: object) -> PlayerFacts:
    if isinstance(yielded, PlayerFacts):
        return yielded
    raise ContractError("it yields something else than PlayerFacts")

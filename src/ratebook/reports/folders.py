"""Folders and zip archives of reports: what is in them, read one report at a time and without a book."""

import io
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ratebook.bounded_files import MOST_BYTES, opened_stream
from ratebook.findings import Place, finding
from ratebook.formats.archive import (
    MOST_FILES,
    UNREADABLE_ZIP,
    ZIP_SIGNATURE,
    Room,
    SourceError,
    SourceFile,
    check_member_name,
    check_packing,
    too_large,
)
from ratebook.formats.source import Source, as_utf8, read_source, source_of_bytes

MANIFEST = "reports.csv"
"""The table that lists the reports."""

REPORTS = "reports"
"""Folder beside the table in which the reports may be."""

MOST_REPORTS = 100_000
MOST_UNPACKED = 4 * 1024 * 1024 * 1024
"""Bytes of all reports of an archive together."""
MOST_WITHIN = 1024 * 1024 * 1024
"""Bytes of archives within each other, all together."""


@contextmanager
def opened_reports(place: Path) -> Iterator["ReportFolder"]:
    """Open the folder or zip archive at *place*; a `SourceError` if it is neither, unreadable or too large."""
    try:
        if place.is_dir():
            yield ReportFolder(place)
            return
        with opened_stream(place) as stream:
            if stream.read(len(ZIP_SIGNATURE)) != ZIP_SIGNATURE:
                raise SourceError(finding("import-no-folder", Place(file=place.name)))
            try:
                archive = zipfile.ZipFile(stream)
            except (*UNREADABLE_ZIP, zipfile.BadZipFile) as failure:
                raise _unreadable(place.name, failure) from failure
            with archive:
                yield _Archive(archive, place.name)
    except OSError as failure:
        raise SourceError(
            finding("file-unreadable.reports", Place(file=place.name), strerror=failure.strerror or failure)
        ) from failure


class ReportFolder:
    """Reports in a folder of the file system.

    Attributes:
        files: the names of the reports, sorted; a folder in the folder is one report.
        unused_table: whether a table lies beside the folder, which is not taken as that of its reports.
    """

    unused_table = False

    def __init__(self, place: Path) -> None:
        self._manifest = place / MANIFEST
        above = place.resolve().parent / MANIFEST
        if not self._manifest.is_file() and above.is_file():
            # A folder that is given without the table beside it.
            self._manifest = above if place.resolve().name == REPORTS else self._manifest
            self.unused_table = self._manifest != above
        inner = place / REPORTS
        self._place = inner if self._manifest.is_file() and inner.is_dir() else place
        names = [name for name in os.listdir(self._place) if not name.startswith(".")]  # noqa: PTH208 - names alone
        if len(names) > MOST_REPORTS:
            raise _too_many(place.name)
        self.files: Sequence[str] = sorted(name for name in names if name != MANIFEST)

    def manifest(self) -> BinaryIO | None:
        """Return the table that lists the reports, open; None where there is none."""
        return opened_stream(self._manifest) if self._manifest.is_file() else None

    def read(self, file: str) -> Source:
        """Return one report, a file or a folder's files; a `SourceError` if it cannot be read, or is too large."""
        return read_source(self._place / file)._replace(name=file)


class ReportFiles(ReportFolder):
    """Reports that lie anywhere, by names that are given to them; a *table* may list them."""

    def __init__(self, paths: Mapping[str, Path], table: Path | None = None) -> None:
        self._paths = paths
        self._table = table
        self.files: Sequence[str] = sorted(paths)

    def manifest(self) -> BinaryIO | None:
        """Return the table that lists the reports, open; None where there is none."""
        return None if self._table is None else opened_stream(self._table)

    def read(self, file: str) -> Source:
        """Return one report, as `ReportFolder.read` does."""
        return read_source(self._paths[file])._replace(name=file)


class _Archive(ReportFolder):
    """Reports in a zip archive; nothing is unpacked to disk."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._archive = archive
        self._name = name
        self._room = MOST_UNPACKED
        paths = dict(_members_of(archive, name))
        shown = [path for path in paths if not any(part.startswith(".") for part in path.split("/"))]
        tables = [path for path in shown if path.rpartition("/")[2] == MANIFEST]
        table = min(tables, key=lambda path: path.count("/"), default="")
        base = table[: -len(MANIFEST)] if table else _shared_folder(shown)
        inner = f"{base}{REPORTS}/"
        if table and any(path.startswith(inner) for path in shown):
            base = inner
        self._table = paths.get(table)
        self._members: dict[str, list[zipfile.ZipInfo]] = {}
        for path in shown:
            if path.startswith(base) and path != table:
                # Files in a folder of their own are one report.
                self._members.setdefault(path[len(base) :].partition("/")[0], []).append(paths[path])
        self.files: Sequence[str] = sorted(self._members)

    def manifest(self) -> BinaryIO | None:
        return None if self._table is None else io.BytesIO(self._bytes(self._table))

    def read(self, file: str) -> Source:
        members = self._members[file]
        if len(members) == 1:
            return source_of_bytes(self._bytes(members[0]), file)
        if len(members) > MOST_FILES:
            raise too_large(file)
        files = [
            SourceFile(member.filename.replace("\\", "/").rpartition("/")[2], as_utf8(self._bytes(member)))
            for member in members
        ]
        if sum(len(source_file.data) for source_file in files) > MOST_BYTES:
            raise too_large(file)
        return Source(file, tuple(files))

    def _bytes(self, member: zipfile.ZipInfo) -> bytes:
        check_packing(member, self._name)
        most = min(MOST_BYTES, self._room)
        try:
            with self._archive.open(member) as stream:
                data = stream.read(most + 1)
        except (*UNREADABLE_ZIP, zipfile.BadZipFile, zlib.error) as failure:
            raise _unreadable(self._name, failure) from failure
        if len(data) > most:
            raise too_large(self._name)
        self._room -= len(data)
        return data


def members_in(stream: BinaryIO, name: str, room: Room) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the visible members of the zip archive in *stream*, for which there must be *room*.

    Raises:
        SourceError: it is broken, holds too much, or has paths outside its folder.
    """
    try:
        with zipfile.ZipFile(stream) as archive:
            for path, member in _members_of(archive, name):
                check_packing(member, name)
                if any(part.startswith(".") or part == "__MACOSX" for part in path.split("/")):
                    continue
                with archive.open(member) as packed:
                    data = packed.read(min(MOST_BYTES, room.left) + 1)
                if len(data) > MOST_BYTES:
                    raise too_large(name)
                room.take(len(data))
                yield path, data
    except (*UNREADABLE_ZIP, zipfile.BadZipFile, zlib.error) as failure:
        if isinstance(failure, SourceError):
            raise
        raise _unreadable(name, failure) from failure


def _members_of(archive: zipfile.ZipFile, name: str) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    """Yield the files of an archive with their paths, which lie within it; there must not be too many."""
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > MOST_REPORTS:
        raise _too_many(name)
    for member in members:
        check_member_name(member.filename, name)
        yield member.filename.replace("\\", "/"), member


def _shared_folder(paths: Sequence[str]) -> str:
    """Return the folder that all *paths* share, with a slash at its end; empty where there is none."""
    folder, slash, _ = paths[0].partition("/") if paths else ("", "", "")
    beginning = folder + slash
    return beginning if slash and all(path.startswith(beginning) for path in paths) else ""


def _unreadable(name: str, failure: Exception) -> SourceError:
    return SourceError(finding("zip-unreadable.with-password", Place(file=name), failure=failure))


def _too_many(name: str) -> SourceError:
    return SourceError(finding("import-too-many-files", Place(file=name), most_reports=MOST_REPORTS))

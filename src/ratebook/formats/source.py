"""What a report is read from: one file, the files of a folder, a zip archive or an Excel file; all bounded.

Nothing is unpacked to disk. A path that leaves its folder, an archive that grows beyond its bounds and a folder with
too much in it are findings.
"""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ratebook import bounded_files
from ratebook.bounded_files import MOST_BYTES, FileTooLargeError
from ratebook.findings import Finding, finding

if TYPE_CHECKING:
    from zipfile import ZipInfo

MOST_FILES = 1_000
ZIP_SIGNATURE = b"PK\x03\x04"
WORKBOOK_ENDINGS = (".xlsx", ".xlsm")
MOST_SHOWN = 80
UNREADABLE_ZIP = (EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
"""What zipfile raises beside its own error: cut off, unknown method (NotImplementedError), password, bad header."""
BOUNDED_PACKINGS = frozenset({0, 8})
"""Stored and deflated (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED); zipfile unpacks others without a bound."""
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class SourceFile(NamedTuple):
    """One file: its name without folders, and its bytes."""

    name: str
    data: bytes


class Source(NamedTuple):
    """All files of one report, under the name that the user gave."""

    name: str
    files: tuple[SourceFile, ...]


class SourceError(ValueError):
    """A source that cannot be read; it carries the finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def source_of_bytes(data: bytes, name: str) -> Source:
    """Return the source in *data*: the members of a zip archive, or the one file.

    Raises:
        SourceError: an archive that is broken, too large or has paths outside its folder.

    >>> source_of_bytes(b"{}", "report.json").files
    (SourceFile(name='report.json', data=b'{}'),)
    """
    if data.startswith(ZIP_SIGNATURE):
        return Source(name, zip_members(data, name))
    return Source(name, (SourceFile(name.rsplit("/", 1)[-1], as_utf8(data)),))


def as_utf8(data: bytes) -> bytes:
    """Return text that begins with a UTF-16 mark as UTF-8; everything else as it is.

    >>> as_utf8("seat,name".encode("utf-16"))
    b'seat,name'
    """
    if not data.startswith(UTF16_MARKS):
        return data
    try:
        return data.decode("utf-16").encode("utf-8")
    except UnicodeError:
        return data


def read_source(path: str | os.PathLike[str]) -> Source:
    """Return the source at *path*: a file, a zip archive, or a folder of files.

    Raises:
        SourceError: it cannot be read, or is too large.
    """
    name = os.fspath(path)
    try:
        if os.path.isdir(name):
            return Source(name, folder_files(name))
        return source_of_bytes(bounded_bytes(name, MOST_BYTES), name)
    except OSError as failure:
        reason = failure.strerror or str(failure)
        raise SourceError(finding("file-unreadable.source", name, reason=reason)) from failure


def bounded_bytes(path: str, most: int) -> bytes:
    """Return the bytes of the file at *path*, at most *most* of them."""
    try:
        return bounded_files.bounded_bytes(path, most)
    except FileTooLargeError as failure:
        raise too_large(path) from failure


def too_large(name: str) -> SourceError:
    """Return the finding of a source beyond the bounds."""
    return SourceError(
        finding("source-too-large", name, most_bytes=MOST_BYTES // 1024 // 1024, most_files=MOST_FILES)
    )


def folder_files(path: str) -> tuple[SourceFile, ...]:
    """Return the files that lie directly in the folder *path*, by name; hidden ones are left out."""
    found: list[SourceFile] = []
    room = MOST_BYTES
    for child in sorted(os.listdir(path)):
        place = os.path.join(path, child)
        if child.startswith(".") or not os.path.isfile(place):
            continue
        if len(found) == MOST_FILES:
            raise too_large(path)
        data = bounded_bytes(place, room)
        files = _files_of(child, data)
        room -= sum(len(file.data) for file in files)
        if room < 0:
            raise too_large(path)
        found += files
    return tuple(found)


def zip_members(data: bytes, name: str) -> tuple[SourceFile, ...]:
    """Return the files in the archive in *data*: the sheets of a workbook, else its members."""
    import io  # noqa: PLC0415 - start-up: only archives need it

    from ratebook.formats.reading.sheets.excel import is_workbook, sheets_of  # noqa: PLC0415 - start-up: only archives need it

    if is_workbook(io.BytesIO(data)):
        return sheets_of(data, name)
    members = unpacked_members(data, name)
    return tuple(SourceFile(member.rsplit("/", 1)[-1], as_utf8(content)) for member, content in members)


def _files_of(name: str, data: bytes) -> tuple[SourceFile, ...]:
    """Return the sheets of a workbook, else the one file."""
    if data.startswith(ZIP_SIGNATURE) and name.lower().endswith(WORKBOOK_ENDINGS):
        from ratebook.formats.reading.sheets.excel import sheets_of  # noqa: PLC0415 - as above

        return sheets_of(data, name)
    return (SourceFile(name, as_utf8(data)),)


def unpacked_members(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the members of the archive in *data*, within the bounds whatever it claims of itself.

    Raises:
        SourceError: it is broken, too large, or has paths outside its folder.
    """
    import io  # noqa: PLC0415 - start-up: only archives need it
    import zipfile  # noqa: PLC0415 - start-up: only archives need it
    import zlib  # noqa: PLC0415 - start-up: only archives need it

    room = MOST_BYTES
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.filename.endswith("/")]
            if len(members) > MOST_FILES:
                raise too_large(name)
            for member in members:
                check_member_name(member.filename, name)
                check_packing(member, name)
                with archive.open(member) as stream:
                    content = stream.read(room + 1)
                if len(content) > room:
                    raise too_large(name)
                room -= len(content)
                yield member.filename, content
    except (*UNREADABLE_ZIP, zipfile.BadZipFile, zlib.error) as failure:
        if isinstance(failure, SourceError):
            raise
        raise SourceError(finding("zip-unreadable.zip-members", name, failure=failure)) from failure


def check_packing(member: "ZipInfo", name: str) -> None:
    """Refuse a member that cannot be unpacked within bounds."""
    if member.compress_type not in BOUNDED_PACKINGS:
        raise SourceError(finding("zip-unreadable.list-in", name))


def check_member_name(member: str, name: str) -> None:
    """Refuse a member whose path would leave the folder it is unpacked to."""
    parts = member.replace("\\", "/").split("/")
    if member.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in member:
        raise SourceError(finding("zip-path-outside", name, member=member[:MOST_SHOWN]))

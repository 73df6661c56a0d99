"""Files and archives within bounds, in memory: nothing is unpacked to disk, whatever an archive claims of itself."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ratebook import bounded_files
from ratebook.bounded_files import MOST_BYTES, FileTooLargeError
from ratebook.findings import Finding, Place, finding

if TYPE_CHECKING:
    from zipfile import ZipInfo

MOST_FILES = 1_000
ZIP_SIGNATURE = b"PK\x03\x04"
COMPOUND_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""Old Office files begin so, and files of other programs that keep theirs in the same way."""
WORKBOOK_SIGNATURES = (ZIP_SIGNATURE, COMPOUND_SIGNATURE)
"""With one of these a workbook begins."""
MOST_SHOWN = 80
_WORKBOOKS = (".xls", ".xlsx", ".xlsm", ".ods")
UNREADABLE_ZIP = (EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
"""What zipfile raises beside its own error: cut off, unknown method (NotImplementedError), password, bad header."""
BOUNDED_PACKINGS = frozenset({0, 8})
"""Stored and deflated (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED); zipfile unpacks others without a bound."""


class SourceFile(NamedTuple):
    """One file: its name without folders, and its bytes.

    Attributes:
        fault: why not all of it could be read, as an error; it counts if the file is a part of the report.
        is_said: whether it is what a letter says; it counts if nothing that is attached is a report.
    """

    name: str
    data: bytes
    fault: Finding | None = None
    is_said: bool = False

    @property
    def place(self) -> Place:
        """The file, for findings."""
        return Place(file=self.name)


class SourceError(ValueError):
    """A source that cannot be read; it carries the finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def refused(name: str, file: str, line: int | None = None, /, **values: object) -> SourceError:
    """Return the refusal of the source *file*, or of what follows a *line* of it (`ratebook.findings.finding`)."""
    return SourceError(finding(name, Place(file=file, line=line), **values))


def bounded_bytes(path: str, most: int) -> bytes:
    """Return the bytes of the file at *path*, at most *most* of them."""
    try:
        return bounded_files.bounded_bytes(path, most)
    except FileTooLargeError as failure:
        raise too_large(path) from failure


def too_large(name: str) -> SourceError:
    """Return the finding of a source beyond the bounds."""
    return refused("source-too-large", name, most_bytes=MOST_BYTES // 1024 // 1024, most_files=MOST_FILES)


class Room:
    """Bytes that one source may still take, whatever is packed in what; *name* is the source's."""

    def __init__(self, name: str, most: int | None = None) -> None:
        self._name = name
        self.left = MOST_BYTES if most is None else most

    def take(self, size: int) -> None:
        """Take *size* bytes.

        Raises:
            SourceError: so many are not left.
        """
        if size > self.left:
            raise too_large(self._name)
        self.left -= size


def unpacked_members(data: bytes, name: str, room: Room | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the members of the archive in *data*, within the bounds whatever it claims of itself.

    Raises:
        SourceError: it is broken, too large, or has paths outside its folder.
    """
    import io  # noqa: PLC0415 - start-up: only archives need it
    import zipfile  # noqa: PLC0415 - start-up: only archives need it
    import zlib  # noqa: PLC0415 - start-up: only archives need it

    room = Room(name) if room is None else room
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.filename.endswith("/")]
            if len(members) > MOST_FILES:
                raise too_large(name)
            for member in members:
                check_member_name(member.filename, name)
                check_packing(member, name)
                with archive.open(member) as stream:
                    content = stream.read(room.left + 1)
                room.take(len(content))
                yield member.filename, content
    except (*UNREADABLE_ZIP, zipfile.BadZipFile, zlib.error) as failure:
        if isinstance(failure, SourceError):
            raise
        code = "zip-unreadable.workbook" if is_called_workbook(name) else "zip-unreadable.with-password"
        raise refused(code, name, failure=failure) from failure


def is_called_workbook(name: str) -> bool:
    """Return whether *name* is that of a workbook, whatever is in the file."""
    return name.lower().endswith(_WORKBOOKS)


def check_packing(member: "ZipInfo", name: str) -> None:
    """Refuse a member that cannot be unpacked within bounds."""
    if member.compress_type not in BOUNDED_PACKINGS:
        raise refused("zip-unreadable.packing", name)


def check_member_name(member: str, name: str) -> None:
    """Refuse a member whose path would leave the folder it is unpacked to."""
    parts = member.replace("\\", "/").split("/")
    if member.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in member:
        raise refused("zip-path-outside", name, member=member[:MOST_SHOWN])

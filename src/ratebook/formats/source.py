"""What a report is read from: one file, the files of a folder, or those of an archive, all bounded.

A path that leaves its folder, an archive that grows beyond its bounds and a folder with too much in it are findings.
"""

import io
import os
from typing import NamedTuple

from ratebook.bounded_files import MOST_BYTES
from ratebook.findings import Place
from ratebook.formats import archive
from ratebook.formats.archive import Room, SourceFile
from ratebook.formats.letter import Letter, is_letter, letter_of

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class Source(NamedTuple):
    """All files of one report, under the name that the user gave; of a saved message, with its *subject*."""

    name: str
    files: tuple[SourceFile, ...]
    subject: str = ""

    @property
    def place(self) -> Place:
        """The whole, for findings."""
        return Place(file=self.name)


def source_of_bytes(data: bytes, name: str) -> Source:
    """Return the source in *data*: the members of a zip archive, what is in a saved message, or the one file.

    Raises:
        SourceError: an archive that is broken, too large or has paths outside its folder.

    >>> source_of_bytes(b"{}", "report.json").files
    (SourceFile(name='report.json', data=b'{}', fault=None, is_said=False),)
    """
    if data.startswith(archive.ZIP_SIGNATURE):
        return Source(name, zip_members(data, name))
    if is_letter(data):
        files, subject = _contents_of_letter(data, name, Room(name, MOST_BYTES))
        return Source(name, files, subject)
    return Source(name, _files_of(name.rsplit("/", 1)[-1], data, Room(name, MOST_BYTES)))


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
        return source_of_bytes(archive.bounded_bytes(name, MOST_BYTES), name)
    except OSError as failure:
        reason = failure.strerror or str(failure)
        raise archive.refused("file-unreadable.report", name, reason=reason) from failure


_MOST_DEPTH = 4


def folder_files(path: str) -> tuple[SourceFile, ...]:
    """Return the files in the folder *path*, by name, or if it has none, those in its folders; no hidden ones."""
    contents: list[SourceFile] = []
    room = Room(path, MOST_BYTES)
    for number, child in enumerate(_visible_files(path)):
        if number == archive.MOST_FILES:
            raise archive.too_large(path)
        data = archive.bounded_bytes(os.path.join(path, child), room.left)
        room.take(len(data))
        contents += _files_of(os.path.basename(child), data, room)
    return tuple(contents)


def _visible_files(path: str) -> list[str]:
    """Return the paths of files below the folder *path*, from the first depth that has any."""
    folders = [""]
    for _ in range(_MOST_DEPTH):
        children = [
            os.path.join(folder, child)
            for folder in folders
            for child in sorted(os.listdir(os.path.join(path, folder)))
            if not child.startswith(".")
        ]
        if files := [child for child in children if os.path.isfile(os.path.join(path, child))]:
            return files
        folders = [child for child in children if os.path.isdir(os.path.join(path, child))]
        if len(folders) > archive.MOST_FILES:
            raise archive.too_large(path)
    return []


def zip_members(data: bytes, name: str, room: Room | None = None) -> tuple[SourceFile, ...]:
    """Return the files in the archive in *data*, which may be a workbook or have workbooks: their sheets are files."""
    if (sheets := _sheets_in(data, name, room)) is not None:
        return sheets
    room = Room(name) if room is None else room
    contents: list[SourceFile] = []
    for member, content in archive.unpacked_members(data, name, room):
        contents += _files_of(member.rsplit("/", 1)[-1], content, room)
    return tuple(contents)


def _sheets_in(data: bytes, name: str, room: Room | None) -> tuple[SourceFile, ...] | None:
    """Return the sheets of the workbook in *data*, None where it is none."""
    if not data.startswith(archive.WORKBOOK_SIGNATURES):
        return None
    from ratebook.formats.reading.sheets.excel import is_workbook, sheets_of  # noqa: PLC0415 - start-up: workbooks alone

    return sheets_of(data, name, room) if is_workbook(io.BytesIO(data)) else None


def _files_of(name: str, data: bytes, room: Room) -> tuple[SourceFile, ...]:
    """Return the sheets of a workbook, or the one file in *data*, of which the *room* is taken already."""
    if (sheets := _sheets_in(data, name, room)) is not None:
        return sheets
    if is_letter(data):
        return _contents_of_letter(data, name, room).files
    return (SourceFile(name, as_utf8(data)),)


def _contents_of_letter(data: bytes, name: str, room: Room) -> Letter:
    """Return the message in *data* with the sheets and members of what is attached."""
    letter = letter_of(data, name, room)
    files: list[SourceFile] = []
    for file in letter.files:
        if file.is_said:
            files.append(file)
        elif file.data.startswith(archive.ZIP_SIGNATURE):
            files += zip_members(file.data, file.name, room)
        else:
            files += _files_of(file.name, file.data, room)
    return letter._replace(files=tuple(files))

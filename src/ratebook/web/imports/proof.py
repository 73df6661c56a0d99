"""Reading files of an import in a child process first: no file that is too heavy reaches the server itself.

The child reads as the import will, with the same readers, and keeps nothing; what is wrong with a file the import says.
"""

import errno
import io
from collections import deque
from pathlib import Path
from typing import BinaryIO

import msgspec

from ratebook.bounded_files import opened_stream
from ratebook.findings import Finding, Findings, Place, finding
from ratebook.formats.archive import ZIP_SIGNATURE, Room, SourceError
from ratebook.formats.reading.sheets.excel import is_workbook
from ratebook.formats.source import source_of_bytes
from ratebook.model import Event, Report
from ratebook.player_lists.read import iter_listed
from ratebook.player_lists.row import search_for
from ratebook.reports.folders import MOST_WITHIN, members_in, opened_reports
from ratebook.reports.load import load_report
from ratebook.web.trial import child

FOUND, REPORTS = "found", "reports"


def prove(path: Path, kind: str, limits: child.Limits) -> Finding | None:
    """Return what is wrong with a file if reading it takes more than the *limits*; None where it does not."""
    try:
        child.run(read_for_import, msgspec.json.encode((str(path), kind)), limits)
    except child.NotDone as outcome:
        return finding(str(outcome), Place(file=path.name))
    return None


def read_for_import(packed: bytes) -> bytes:
    """Read the file of a packed path as an import of a kind will; the answer is empty."""
    path, kind = msgspec.json.decode(packed, type=tuple[str, str])
    try:
        _read(Path(path), kind)
    except OSError as failure:
        # The import says what else keeps the file from being read.
        if failure.errno == errno.ENOMEM:
            raise
    except SourceError:
        # As above.
        pass
    return b""


def _read(path: Path, kind: str) -> None:
    if kind == FOUND:
        with opened_stream(path) as stream:
            _read_members(stream, path.name, Room(path.name, MOST_WITHIN))
        return
    if kind != REPORTS:
        deque(iter_listed(path, search_for(Report(Event(), {}, ())), Findings()), maxlen=0)
        return
    with opened_reports(path) as folder:
        table = folder.manifest()
        if table is not None:
            deque(table, maxlen=0)
        for file in folder.files:
            load_report(lambda file=file: folder.read(file))  # type: ignore[misc]


def _read_members(stream: BinaryIO, name: str, room: Room) -> None:
    """Read everything in an archive, and in the archives in it; nothing is unpacked to disk here."""
    for member, data in members_in(stream, name, room):
        inner = io.BytesIO(data)
        if data.startswith(ZIP_SIGNATURE) and not is_workbook(inner):
            _read_members(inner, member, room)
        else:
            load_report(lambda data=data: source_of_bytes(data, name))  # type: ignore[misc]

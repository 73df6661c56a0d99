"""Reading files of an import in a child process first: no file that is too heavy reaches the server itself.

The child reads as the import will, with the same readers, and keeps nothing; what is wrong with a file the import says.
"""

import errno
from collections import deque
from pathlib import Path

import msgspec

from ratebook.findings import Finding, Findings, Place, finding
from ratebook.formats.archive import SourceError
from ratebook.model import Event, Report
from ratebook.office.imports.report_folders import opened_reports
from ratebook.player_lists.read import iter_listed
from ratebook.player_lists.row import search_for
from ratebook.reports.load import load_report
from ratebook.web.trial import child

REPORTS = "reports"


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
    if kind != REPORTS:
        deque(iter_listed(path, search_for(Report(Event(), {}, ())), Findings()), maxlen=0)
        return
    with opened_reports(path) as folder:
        table = folder.manifest()
        if table is not None:
            deque(table, maxlen=0)
        for file in folder.files:
            load_report(lambda file=file: folder.read(file))  # type: ignore[misc]

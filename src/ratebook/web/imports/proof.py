"""Reading files of an import in a child process first: no file that is too heavy reaches the server itself.

The child reads as the import will, with the same readers, and keeps nothing; what is wrong with a file the import says.
"""

import errno
import subprocess
import sys
from collections import deque
from pathlib import Path

import ratebook
from ratebook.findings import Finding, Findings, finding
from ratebook.formats.archive import SourceError
from ratebook.model import Event, Report
from ratebook.office.imports.report_folders import opened_reports
from ratebook.player_lists.read import iter_listed
from ratebook.player_lists.row import search_for
from ratebook.reports.load import load_report
from ratebook.web.trial.child import TOO_HEAVY, take_limits
from ratebook.web.trial.wire import MEGABYTE, ReadingLimits

REPORTS = "reports"
PATIENT = ReadingLimits(memory=768 * MEGABYTE, cpu_seconds=240, deadline=600.0)
"""An archive may hold thousands of reports, and is read by a job then."""
NOTHING_WRONG = 0


def prove(path: Path, kind: str, limits: ReadingLimits) -> Finding | None:
    """Return what is wrong with a file if reading it takes more than the *limits*; None where it does not."""
    try:
        done = subprocess.run(  # noqa: S603 - this program, on a file that the server has just written
            [
                sys.executable,
                "-B",
                "-m",
                "ratebook.web.imports.proof",
                str(path),
                kind,
                *map(str, limits[:2]),
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=limits.deadline,
            check=False,
            cwd="/",
            # The server's environment may hold passwords; the child needs none of it.
            env={"PYTHONPATH": str(Path(ratebook.__file__).parents[1])},
        )
    except subprocess.TimeoutExpired:
        return finding("report-not-read.too-heavy", path.name)
    return None if done.returncode == NOTHING_WRONG else finding("report-not-read.too-heavy", path.name)


def main() -> int:
    """Read the file that the arguments name, within their limits."""
    path, kind = Path(sys.argv[1]), sys.argv[2]
    take_limits(ReadingLimits(int(sys.argv[3]), int(sys.argv[4])))
    try:
        _read(path, kind)
    except MemoryError:
        return TOO_HEAVY
    except OSError as failure:
        return TOO_HEAVY if failure.errno == errno.ENOMEM else NOTHING_WRONG
    except SourceError:
        # The import says what keeps the file from being read.
        return NOTHING_WRONG
    return NOTHING_WRONG


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


if __name__ == "__main__":
    sys.exit(main())

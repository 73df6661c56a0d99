"""The child process that reads one report: it takes its limits first, then the file from its standard input."""

import errno
import resource
import sys

from ratebook.checks import ReportedFacts
from ratebook.findings import Finding, finding
from ratebook.reports.load import LoadedReport, load_bytes
from ratebook.web.trial.wire import ReadingLimits, asked_of, loaded_bytes

MOST_OPEN_FILES = 16
TOO_HEAVY = 2
"""The exit status where memory was not enough."""


def main() -> int:
    """Read what is asked for, and answer with the report and its findings."""
    data, name, hints, limits = asked_of(sys.stdin.buffer.read())
    take_limits(limits)
    try:
        answer = loaded_bytes(bounded(load_bytes(data, name, hints), name, limits))
    except MemoryError:
        return TOO_HEAVY
    except OSError as failure:
        # Modules that are loaded only when they are needed come with this one.
        if failure.errno != errno.ENOMEM:
            raise
        return TOO_HEAVY
    sys.stdout.buffer.write(answer)
    return 0


def bounded(loaded: LoadedReport, name: str, limits: ReadingLimits) -> LoadedReport:
    """Return what was read, or the finding that it is more than a server takes."""
    if loaded.report is None:
        return loaded
    sections, persons = loaded.report.sections, len(loaded.report.players)
    players = max(persons, sum(len(one.entries) for one in sections))
    results = sum(len(entry.rounds) for one in sections for entry in one.entries)
    if len(sections) <= limits.sections and players <= limits.players and results <= limits.results:
        return loaded
    counts = {"sections": len(sections), "players": players, "results": results}
    most = {f"most_{what}": getattr(limits, what) for what in counts}
    return unread(finding("report-not-read.too-large", name, **counts, **most))


def unread(found: Finding) -> LoadedReport:
    """Return what a file gives that cannot be read."""
    return LoadedReport(None, (found,), {}, ReportedFacts())


def take_limits(limits: ReadingLimits) -> None:
    """Take the limits of this process: it writes no file, leaves no core, and starts no other."""
    for kind, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, MOST_OPEN_FILES),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    sys.exit(main())

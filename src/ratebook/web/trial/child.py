"""The child process that reads one report: it takes its limits first, then the file from its standard input."""

import errno
import resource
import sys

from ratebook.reports.load import load_bytes
from ratebook.web.trial.wire import ReadingLimits, asked_of, loaded_bytes

MOST_OPEN_FILES = 16
TOO_HEAVY = 2
"""The exit status where memory was not enough."""


def main() -> int:
    """Read what is asked for, and answer with the report and its findings."""
    data, name, hints, limits = asked_of(sys.stdin.buffer.read())
    take_limits(limits)
    try:
        answer = loaded_bytes(load_bytes(data, name, hints))
    except MemoryError:
        return TOO_HEAVY
    except OSError as failure:
        # Modules that are loaded only when they are needed come with this one.
        if failure.errno != errno.ENOMEM:
            raise
        return TOO_HEAVY
    sys.stdout.buffer.write(answer)
    return 0


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

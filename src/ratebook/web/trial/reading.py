"""Reading a report that someone sent: in a child process, so that no file can take the server with it."""

import logging
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore

import msgspec

import ratebook
from ratebook.book.failures import refused
from ratebook.findings import finding
from ratebook.formats.contract import Hints
from ratebook.formats.registry import NO_HINTS
from ratebook.reports.load import LoadedReport
from ratebook.web.trial.child import unread
from ratebook.web.trial.wire import ReadingLimits, asked_bytes, loaded_of

logger = logging.getLogger("ratebook.web")

AT_ONCE = 2
WAIT_SECONDS = 10.0
"""How long a report waits for its turn."""
USUAL = ReadingLimits()
RAISED = 1
"""The exit status of Python after an exception that nothing caught."""

_turns = BoundedSemaphore(AT_ONCE)


def read_in_child(
    data: bytes,
    name: str,
    hints: Hints = NO_HINTS,
    limits: ReadingLimits = USUAL,
    turns: BoundedSemaphore = _turns,
) -> LoadedReport:
    """Return the report in *data*, the contents of the file *name*, in whatever format it is.

    Where reading takes more than the *limits*, that is a finding.

    Args:
        data: what was sent.
        name: of the file; it is shown, and opens nothing.
        hints: what its format cannot say.
        limits: of the child.
        turns: are taken by those who read at the same time.

    Raises:
        BookError: all turns are taken, and stay so.
    """
    if not turns.acquire(timeout=WAIT_SECONDS):
        raise refused("reading-busy", name)
    try:
        return _answer(asked_bytes(data, name, hints, limits), name, limits.deadline)
    finally:
        turns.release()


def _answer(told: bytes, name: str, deadline: float) -> LoadedReport:
    try:
        done = subprocess.run(
            [sys.executable, "-B", "-m", "ratebook.web.trial.child"],
            input=told,
            capture_output=True,
            timeout=deadline,
            check=False,
            cwd="/",
            # The server's environment may hold passwords; the child needs none of it.
            env={"PYTHONPATH": str(Path(ratebook.__file__).parents[1])},
        )
    except subprocess.TimeoutExpired:
        return unread(finding("report-not-read.too-heavy", name))
    if done.returncode == 0:
        try:
            return loaded_of(done.stdout)
        except msgspec.MsgspecError:
            logger.exception("the child that read %r gave no report", name)
            return unread(finding("report-not-read.broken-off", name))
    if done.returncode != RAISED:
        return unread(finding("report-not-read.too-heavy", name))
    logger.error("the child that read %r broke off: %s", name, done.stderr.decode(errors="replace"))
    return unread(finding("report-not-read.broken-off", name))

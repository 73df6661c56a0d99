"""Reading a report that someone sent, in a child process."""

import logging
from datetime import date
from threading import BoundedSemaphore

import msgspec

from ratebook.book.failures import refused
from ratebook.findings import Place, finding
from ratebook.formats.contract import Hints
from ratebook.formats.registry import NO_HINTS
from ratebook.reports.load import LoadedReport
from ratebook.web.trial import child
from ratebook.web.trial.task import FileToRead, ReportBounds, read, unread

logger = logging.getLogger("ratebook.web")

AT_ONCE = 2
WAIT_SECONDS = 10.0
"""How long a report waits for its turn."""
MOST = ReportBounds()

_turns = BoundedSemaphore(AT_ONCE)


def read_in_child(
    data: bytes,
    name: str,
    hints: Hints = NO_HINTS,
    *,
    stand_in: date | None = None,
    bounds: ReportBounds = MOST,
    limits: child.Limits = child.USUAL,
    turns: BoundedSemaphore = _turns,
) -> LoadedReport:
    """Return the report in *data*, the contents of the file *name*, in whatever format it is.

    Where it holds more than *bounds*, or reading takes more than the *limits*, that is a finding. The name is shown,
    and opens nothing; the turns are taken by those who read at the same time.

    Raises:
        BookError: all turns are taken, and stay so.
    """
    if not turns.acquire(timeout=WAIT_SECONDS):
        raise refused("reading-busy", Place(file=name))
    try:
        packed = msgspec.msgpack.encode(FileToRead(data, name, hints, bounds, stand_in))
        return msgspec.msgpack.decode(child.run(read, packed, limits), type=LoadedReport)
    except child.NotDone as outcome:
        return unread(finding(str(outcome), Place(file=name)))
    except msgspec.MsgspecError:
        logger.exception("the child that read %r gave no report", name)
        return unread(finding("report-not-read.broken-off", Place(file=name)))
    finally:
        turns.release()

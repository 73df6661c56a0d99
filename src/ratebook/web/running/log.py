"""The log of a server on its standard error, as lines for people or as JSON; and in it, if asked for, all requests."""

import json
import logging
import sys
from datetime import UTC, datetime

from ratebook.web.running.requests import REQUEST_ID, AnsweredRequest

ACCESS = logging.getLogger("ratebook.access")
FACTS = "facts"
"""What a record of the log is about, by names."""


class LinesForPeople(logging.Formatter):
    """Writes the time, what is said, and the id of the request that it is about."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        own = "" if hasattr(record, FACTS) else REQUEST_ID.get()
        return " ".join(filter(None, (moment(record.created), own, super().format(record))))


class LinesOfJson(logging.Formatter):
    """Writes an object a line, with time, level, logger and message, and the id of the request that it is about."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        line: dict[str, object] = {
            "time": moment(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if own := REQUEST_ID.get():
            line["request_id"] = own
        line |= getattr(record, FACTS, {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def moment(seconds: float) -> str:
    """Return a moment of the epoch in UTC, to the millisecond.

    >>> moment(1_800_000_000.25)
    '2027-01-15T08:00:00.250Z'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def begin_log(*, as_json: bool) -> None:
    """Write what this process logs to its standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LinesOfJson() if as_json else LinesForPeople())
    logging.basicConfig(handlers=[handler], force=True)
    ACCESS.setLevel(logging.INFO)


def log_request(request: AnsweredRequest) -> None:
    """Log a request: what was asked, from where, and how it was answered; never what was looked for."""
    facts = {
        "request_id": request.id,
        "client": request.client,
        "method": request.method,
        "path": request.path,
        "route": request.route,
        "status": request.status,
        "milliseconds": round(request.seconds * 1000, 1),
    }
    asked = f"{request.method} {ascii(request.path)[1:-1]}"
    words = "%s %s %s %s %.1f ms"
    given = request.id, request.client, asked, request.status, request.seconds * 1000
    ACCESS.info(words, *given, extra={FACTS: facts})

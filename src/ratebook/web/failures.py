"""What went wrong becomes a page that says so, with the finding's own words and remedy."""

import logging
import secrets

from litestar import Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from ratebook.book.failures import BookError
from ratebook.web.rendering import page

logger = logging.getLogger("ratebook.web")

NOT_FOUND = ("event-unknown", "member-unknown", "section-unknown", "list-unknown", "nothing-to-explain")
"""Codes of findings about what the book does not have."""
AWAY = ("book-locked", "book-server-away", "rerate-waits")
"""Codes of findings about what may be there in a moment."""

TITLES = {
    400: "This address is not understood",
    403: "This is not open to you",
    404: "There is nothing here",
    405: "This cannot be done here",
    413: "This is too large",
    429: "Too many requests",
    503: "Not now",
}

AnyRequest = Request[None, None, State]


def refused(_: AnyRequest, failure: BookError) -> Response[bytes]:
    """Return the page of a finding."""
    code = failure.finding.code
    status = 404 if code in NOT_FOUND else 503 if code in AWAY else 500
    return page("failure.html", status=status, title=_title(status), finding=failure.finding, number="")


def wrong_request(_: AnyRequest, failure: HTTPException) -> Response[bytes]:
    """Return the page of a request that the server does not take."""
    status = failure.status_code
    answer = page("failure.html", status=status, title=_title(status), finding=None, number="")
    for name, value in (failure.headers or {}).items():
        answer.headers[name] = value
    return answer


def failed(request: AnyRequest, failure: Exception) -> Response[bytes]:
    """Return the page of a mistake in the program: a number under which the log has it, and no more."""
    number = secrets.token_hex(4)
    logger.error("failure %s at %s", number, request.scope["path"], exc_info=failure)
    return page("failure.html", status=500, title=_title(500), finding=None, number=number)


def _title(status: int) -> str:
    return TITLES.get(status, "Something went wrong")

"""What went wrong becomes a page that says so, with the finding's own words and remedy."""

import hashlib
import logging
import traceback
from typing import Any
from urllib.parse import quote, urlsplit

from litestar import Request, Response
from litestar.exceptions import HTTPException, NotAuthorizedException
from litestar.response import Redirect

from ratebook.book.failures import BookError
from ratebook.findings import Finding, Place, finding
from ratebook.rules.rulebook import RuleNotKnown
from ratebook.web.api.problems import TITLES, Refusal, is_for_program, problem, refusals_of
from ratebook.web.gate.bodies import MOST_BODY_BYTES, TOO_LARGE
from ratebook.web.gate.guard import SAFE_METHODS, ConfirmationNeeded, IncompleteAccount
from ratebook.web.interrupted import FormOutcome, SessionOver
from ratebook.web.rendering import page
from ratebook.web.signed_in import ElsewhereError, onward, own_address

logger = logging.getLogger("ratebook.web")

NOT_FOUND = (
    "event-unknown",
    "member-unknown",
    "section-unknown",
    "list-unknown",
    "nothing-to-explain",
    "submission-unknown",
    "seat-unknown",
    "round-unknown",
)
"""Codes of findings about what the book does not have."""
AWAY = ("book-locked", "book-server-away", "reading-busy", "rerate-waits")
"""Codes of findings about what may be there in a moment."""

MOVED = ("book-moved", "form-being-sent")
"""Codes of findings about what someone else did meanwhile."""

TOO_MANY = ("previews-too-many",)
"""Codes of findings about what was done too often."""

STATUSES = {404: NOT_FOUND, 409: MOVED, 429: TOO_MANY, 503: AWAY}
WAITS = {429: 3600, 503: 5}
"""Seconds after which it may be otherwise."""

FORMS = {"/director/previews": "/director/previews/new"}
"""Forms with files that are sent to another address than their own."""

AnyRequest = Request[Any, Any, Any]


def refused(request: AnyRequest, failure: BookError) -> Response[bytes]:
    """Return the page of a finding."""
    code = failure.finding.code
    status = next((status for status, codes in STATUSES.items() if code in codes), 500)
    if is_for_program(request):
        answer = problem(request, status, Refusal(failure.finding))
    else:
        answer = _page(request, status, shown=failure.finding)
    if status in WAITS:
        answer.headers["retry-after"] = str(WAITS[status])
    return answer


def rule_not_known(request: AnyRequest, failure: RuleNotKnown) -> Response[bytes]:
    """Return the page of a day before the timeline."""
    if is_for_program(request):
        found = finding("rules-not-known.later-day", Place(subject=request.scope["path"]), unknown=failure)
        return problem(request, 404, Refusal(found))
    return _page(request, 404, words=str(failure))


def wrong_request(request: AnyRequest, failure: HTTPException) -> Response[bytes]:
    """Return the page of a request that the server does not take."""
    if is_for_program(request):
        answer = problem(request, failure.status_code, *refusals_of(request, failure))
    elif failure.status_code == TOO_LARGE:
        words = f"At most {MOST_BODY_BYTES // 1024**2} MB can be sent at once. Nothing was kept."
        answer = _page(request, TOO_LARGE, words=words, back=_form_of(request))
    else:
        answer = _page(request, failure.status_code)
    for name, value in (failure.headers or {}).items():
        answer.headers[name] = value
    return answer


def _form_of(request: AnyRequest) -> str:
    """Return the page of this site whose form was sent, as far as the browser says it."""
    sender = urlsplit(request.headers.get("referer", ""))
    here = request.headers.get("host", "")
    path = own_address(sender.path) if sender.netloc == here else ""
    return path or FORMS.get(request.scope["path"], "")


def sign_in_first(request: AnyRequest, failure: NotAuthorizedException) -> Response[Any]:
    """Lead to where one signs in, sets up the second factor or gives the password again, and from there back."""
    if isinstance(failure, SessionOver):
        if failure.outcome is FormOutcome.ASKED:
            return Response(b"", status_code=401)
        return onward(f"/sign-in?ended={failure.outcome}")
    if isinstance(failure, IncompleteAccount):
        return onward("/account/second-factor")
    start = "/account/again" if isinstance(failure, ConfirmationNeeded) else "/sign-in"
    back = f"?to={quote(request.scope['path'])}" if request.scope["method"] in SAFE_METHODS else ""
    return onward(start + back)


def led_elsewhere(_: AnyRequest, failure: ElsewhereError) -> Redirect:
    """Lead to where it is now."""
    return onward(failure.address)


def failed(request: AnyRequest, failure: Exception) -> Response[bytes]:
    """Return the page of a mistake in the program: a number under which the log has it, and no more.

    The same mistake has the same number.
    """
    trace = "".join(traceback.format_exception(failure))
    number = hashlib.sha256(trace.encode()).hexdigest()[:8]
    logger.error("failure %s at %r", number, request.scope["path"], exc_info=failure)
    if is_for_program(request):
        return problem(
            request,
            500,
            Refusal(finding("server-failed", Place(subject=request.scope["path"]), number=number)),
        )
    return _page(request, 500, number=number)


def _page(
    request: AnyRequest,
    status: int,
    *,
    shown: Finding | None = None,
    number: str = "",
    words: str = "",
    back: str = "",
) -> Response[bytes]:
    layout = "base.html" if request.app.state.site.has_public else "signed_in.html"
    return page(
        "failure.html",
        status=status,
        layout=layout,
        title=TITLES.get(status, "Something went wrong"),
        finding=shown,
        number=number,
        words=words,
        back=back,
        visitor=None,
        home="/",
        federation="ratebook",
        has_public=False,
    )

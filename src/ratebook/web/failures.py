"""What went wrong becomes a page that says so, with the finding's own words and remedy."""

import hashlib
import logging
import traceback
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from litestar import Request, Response
from litestar.exceptions import HTTPException, NotAuthorizedException
from litestar.response import Redirect

from ratebook.book.failures import BookError
from ratebook.findings import Finding, Place, finding
from ratebook.rules.rulebook import RuleNotKnown
from ratebook.web.api.problems import TITLES, Refusal, RefusedRequest, is_for_program, problem, refusals_of
from ratebook.web.gate.bodies import MOST_BODY_BYTES, TOO_LARGE
from ratebook.web.gate.guard import SAFE_METHODS, ConfirmationNeeded, IncompleteAccount
from ratebook.web.gate.visitors import known_visitor, lost_visitor, session_token
from ratebook.web.interrupted import FORMS, FormOutcome, SessionOver, page_of_form
from ratebook.web.rendering import page
from ratebook.web.running.root import ROOT
from ratebook.web.signed_in import ElsewhereError, menu_of, onward, own_address
from ratebook.web.store.accounts import Role
from ratebook.web.trial.kept import TrialGone

logger = logging.getLogger("ratebook.web")

NOT_FOUND = (
    "event-unknown",
    "member-unknown",
    "section-unknown",
    "list-unknown",
    "data-unknown",
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

WHAT_NEXT = {
    400: "Go back, and try again from the page before.",
    403: "Your account has another role. The administrator decides which one it has.",
    404: "The address may be mistyped, or the page no longer exists.",
    405: "Go back, and try again from the page before.",
    409: "Go back, look at what is there now, and decide again.",
    429: "Wait for a minute, then reload this page.",
    500: "This is a fault of the program, not yours. Try again; if it happens again, tell the office this number.",
    503: "Reload this page in a moment.",
}
"""What to do after a failure that does not say it itself."""

OFFICES = ("/office", "/admin")
NOT_THERE, NOT_ALLOWED = 404, 405
AREAS = {"director": "/director", "office": "/office", "admin": "/admin", "account": "/account"}
"""First pages of what one signs in for, by how addresses begin."""
FIRST_PAGES = {
    Role.DIRECTOR: "To your reports",
    Role.OFFICE: "To the overview",
    Role.ADMINISTRATOR: "To the overview",
}

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


def wrong_request(request: AnyRequest, failure: HTTPException) -> Response[Any]:
    """Return the page of a request that the server does not take.

    Whoever opens the address of a form, by reloading what came back or from the history, is led to the form's page.
    """
    is_opened = failure.status_code == NOT_ALLOWED and request.scope["method"] in {"GET", "HEAD"}
    if is_opened and not is_for_program(request):
        return onward(page_of_form(request))
    answer: Response[Any]
    if is_for_program(request):
        answer = problem(request, failure.status_code, *refusals_of(request, failure))
    elif failure.status_code == TOO_LARGE:
        words = f"At most {MOST_BODY_BYTES // 1024**2} MB can be sent at once. Nothing was kept."
        answer = _page(request, TOO_LARGE, words=words, back=_form_of(request))
    elif isinstance(failure, RefusedRequest):
        answer = _page(request, failure.status_code, shown=failure.finding)
    elif isinstance(failure, TrialGone):
        answer = _page(
            request, failure.status_code, title="This preview was deleted", words=str(failure.detail)
        )
    else:
        answer = _page(request, failure.status_code)
    for name, value in (failure.headers or {}).items():
        answer.headers[name] = value
    return answer


def _form_of(request: AnyRequest) -> str:
    """Return the page of this site whose form was sent, as far as the browser says it."""
    sender = urlsplit(request.headers.get("referer", ""))
    here = request.headers.get("host", "")
    path = own_address(sender.path.removeprefix(ROOT.get())) if sender.netloc == here else ""
    return path or FORMS.get(request.scope["path"], "")


def sign_in_first(request: AnyRequest, failure: NotAuthorizedException) -> Response[Any]:
    """Lead to where one signs in, sets up the second factor or gives the password again, and from there back."""
    if isinstance(failure, SessionOver):
        if failure.outcome is FormOutcome.ASKED:
            return Response(b"", status_code=401)
        if failure.is_back:
            return onward(failure.onward_to)
        to = f"&to={quote(failure.onward_to)}" if failure.onward_to else ""
        return onward(f"/sign-in?ended={failure.outcome}{to}")
    if isinstance(failure, IncompleteAccount):
        return onward("/account/second-factor")
    to = failure.onward_to if isinstance(failure, ConfirmationNeeded) else ""
    if request.scope["method"] in SAFE_METHODS:
        to = request.scope["path"]
    if isinstance(failure, ConfirmationNeeded):
        start, ended = "/account/again", {}
    else:
        start, ended = "/sign-in", {"ended": "idle"} if session_token(request) else {}
    query = urlencode(ended | ({"to": to} if to else {}), safe="/")
    return onward(f"{start}?{query}" if query else start)


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
    title: str = "",
    number: str = "",
    words: str = "",
    back: str = "",
) -> Response[bytes]:
    site = request.app.state.site
    visitor = lost_visitor(request) if status == NOT_THERE else known_visitor(request)
    role = None if visitor is None else visitor.account.role
    area = AREAS.get(request.scope["path"].split("/")[1], "")
    home = area or "/" if visitor is None else visitor.home
    return page(
        "failure.html",
        site.face(),
        status=status,
        layout="base.html" if site.has_public and home == "/" else "signed_in.html",
        title=title or TITLES.get(status, "Something went wrong"),
        code=status,
        what_next="" if words or shown else WHAT_NEXT.get(status, ""),
        finding=shown,
        remedy=shown and (shown.on_page if area in OFFICES else shown.for_sender),
        number=number,
        words=words,
        back=back,
        visitor=visitor,
        home=home,
        first="Home page" if role is None else FIRST_PAGES[role],
        menu=() if role is None else menu_of(role, request.scope["path"]),
        has_public=site.has_public and home != "/",
    )

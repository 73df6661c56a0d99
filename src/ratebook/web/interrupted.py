"""A form that is sent after its session has ended: it is kept until its account has signed in again.

Whose it is, the form itself says: it carries a mark that only this server can have made, for an account. Nothing is
done before that very account has signed in: what was typed is saved then, and what decides or sends something is shown
again on its page, with what it held.
"""

import json
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from anyio import to_thread
from litestar import Request
from litestar.exceptions import HTTPException, NotAuthorizedException

from ratebook.web.forms.sent import Sent
from ratebook.web.gate.bodies import form_of
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.visitors import OWNER, Visitor, is_mark_of, visitor_in
from ratebook.web.routing import LASTING, NO_NUMBER, RETURNED
from ratebook.web.running.root import ROOT
from ratebook.web.store.accounts import account_numbered
from ratebook.web.store.interrupted import InterruptedForm, interrupted_form, keep_interrupted

MOST_BYTES = 256 * 1024
"""Of a form that is kept: twice what a section of 250 players and 20 rounds has."""
JSON = "application/json"
LEFT_OUT = frozenset({OWNER, "csrf", "key"})
FORMS = {"/director/previews": "/director/previews/new"}
"""Forms with files that are sent to another address than their own."""


class FormOutcome(StrEnum):
    """What became of a form that was sent after its session had ended."""

    KEPT = "kept"
    RETURNED = "returned"
    """It is shown again on its page."""
    ASKED = "asked"
    """A script asked; it sends the whole form then."""
    TOO_LARGE = "too-large"
    FILE = "file"
    LOST = "lost"


class SessionOver(NotAuthorizedException):
    """The session of a form has ended; *outcome* says what became of the form, *onward_to* is where it is shown again.

    Where its account *is_back*, nobody needs to sign in.
    """

    def __init__(self, outcome: FormOutcome, onward_to: str = "", *, is_back: bool = False) -> None:
        super().__init__(outcome.value)
        self.outcome, self.onward_to, self.is_back = outcome, onward_to, is_back


async def interrupted(request: Request[Any, Any, Any], gate: Gate) -> SessionOver:
    """Keep a form whose session has ended, if it is its account's and not too large; return what became of it."""
    page = "" if request.route_handler.opt.get(LASTING) else page_of_form(request)
    if request.headers.get("accept", "") == JSON:
        return SessionOver(FormOutcome.ASKED)
    if request.content_length is None or request.content_length > MOST_BYTES:
        return SessionOver(FormOutcome.TOO_LARGE, page)
    try:
        form = await form_of(request)
    except HTTPException:
        return SessionOver(FormOutcome.LOST, page)
    texts = [(name, str(value)) for name, value in form.multi_items() if isinstance(value, str)]
    mark = next((text for name, text in texts if name == OWNER), "")
    account = await to_thread.run_sync(_account_of, gate, mark)
    if account is None:
        return SessionOver(FormOutcome.LOST, page)
    visitor = await visitor_in(request)
    is_back = visitor is not None and visitor.account.id == account
    content = json.dumps([pair for pair in texts if pair[0] not in LEFT_OUT], ensure_ascii=False)
    has_file = any(getattr(value, "filename", "") for _, value in form.multi_items())
    outcome = FormOutcome.FILE if has_file else FormOutcome.RETURNED if page else FormOutcome.KEPT
    onward_to = ""
    if page or not has_file:
        number = await to_thread.run_sync(_kept, gate, account, request.scope["path"], page, content)
        onward_to = page and f"{page}{'&' if '?' in page else '?'}{RETURNED}={number}"
    return SessionOver(outcome, onward_to, is_back=is_back and bool(onward_to))


def _account_of(gate: Gate, mark: str) -> int | None:
    """Return the number of the account whose mark a form carries."""
    number = mark.partition(".")[0]
    if not number.isascii() or not number.isdecimal() or int(number) >= NO_NUMBER:
        return None
    with gate.store.reading() as connection:
        account = account_numbered(connection, int(number))
    return None if account is None or account.disabled_at or not is_mark_of(account, mark) else account.id


def _kept(gate: Gate, account: int, path: str, page: str, content: str) -> int:
    with gate.store.writing() as connection:
        return keep_interrupted(connection, account, path, page, content, gate.now())


def page_of_form(request: Request[Any, Any, Any]) -> str:
    """Return the page with the form that is sent to an address: this address, or the nearest one above it.

    What was asked of that page is asked again, as far as the browser says from where a form came.
    """
    page = request.scope["path"]
    while page:
        page = FORMS.get(page, page)
        try:
            request.app.asgi_router.handle_routing(page, "GET")
        except HTTPException:
            page = page.rpartition("/")[0]
            continue
        sender = urlsplit(request.headers.get("referer", ""))
        is_sender = sender.netloc == request.headers.get("host", "") and sender.path == ROOT.get() + quote(
            page, safe="/%"
        )
        asked = [pair for pair in parse_qsl(sender.query) if pair[0] != RETURNED]
        is_asked = is_sender and asked and request.method == "POST"
        return quote(page, safe="/%") + (f"?{urlencode(asked)}" if is_asked else "")
    return "/"


def returned_form(request: Request[Any, Any, Any], gate: Gate, visitor: Visitor) -> InterruptedForm | None:
    """Return the form of a visitor that the address of a page asks to show again."""
    number = request.query_params.get(RETURNED, "")
    if request.method == "POST" or not number.isascii() or not number.isdecimal() or int(number) >= NO_NUMBER:
        return None
    with gate.store.reading() as connection:
        return interrupted_form(connection, visitor.account.id, int(number), gate.now())


def sent_in(form: InterruptedForm) -> Sent:
    """Return what a form that was kept held."""
    texts: dict[str, tuple[str, ...]] = {}
    for name, text in json.loads(form.content):
        texts[name] = (*texts.get(name, ()), text.replace("\0", ""))
    return Sent(texts, {})

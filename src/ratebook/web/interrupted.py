"""A form that is sent after its session has ended: it is kept, and done when its account has signed in again.

Whose it is, the form itself says: it carries a mark that only this server can have made, for an account. Nothing is
done before that very account has signed in.
"""

import json
from enum import StrEnum
from typing import Any

from anyio import to_thread
from litestar import Request
from litestar.exceptions import HTTPException, NotAuthorizedException

from ratebook.web.forms.sent import Sent
from ratebook.web.gate.bodies import form_of
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.visitors import OWNER, is_mark_of
from ratebook.web.routing import NO_NUMBER
from ratebook.web.store.accounts import account_numbered
from ratebook.web.store.interrupted import InterruptedForm, keep_interrupted

MOST_BYTES = 256 * 1024
"""Of a form that is kept: twice what a section of 250 players and 20 rounds has."""
JSON = "application/json"
LEFT_OUT = frozenset({OWNER, "csrf", "key"})


class FormOutcome(StrEnum):
    """What became of a form that was sent after its session had ended."""

    KEPT = "kept"
    ASKED = "asked"
    """A script asked; it sends the whole form then."""
    TOO_LARGE = "too-large"
    FILE = "file"
    LOST = "lost"


class SessionOver(NotAuthorizedException):
    """The session of a form has ended; *outcome* says what became of the form."""

    def __init__(self, outcome: FormOutcome) -> None:
        super().__init__(outcome.value)
        self.outcome = outcome


async def keep_form(request: Request[Any, Any, Any], gate: Gate) -> FormOutcome:
    """Keep a form whose session has ended, if it is its account's and not too large."""
    if request.headers.get("accept", "") == JSON:
        return FormOutcome.ASKED
    if request.content_length is None or request.content_length > MOST_BYTES:
        return FormOutcome.TOO_LARGE
    try:
        form = await form_of(request)
    except HTTPException:
        return FormOutcome.LOST
    texts = [(name, str(value)) for name, value in form.multi_items() if isinstance(value, str)]
    has_file = any(getattr(value, "filename", "") for _, value in form.multi_items())
    mark = next((text for name, text in texts if name == OWNER), "")
    content = json.dumps([pair for pair in texts if pair[0] not in LEFT_OUT], ensure_ascii=False)
    kept = await to_thread.run_sync(_kept, gate, mark, request.scope["path"], "" if has_file else content)
    return FormOutcome.FILE if kept and has_file else FormOutcome.KEPT if kept else FormOutcome.LOST


def _kept(gate: Gate, mark: str, path: str, content: str) -> bool:
    """Keep a form's *content*, unless it is empty; return whether the mark is an account's."""
    number = mark.partition(".")[0]
    if not number.isascii() or not number.isdecimal() or int(number) >= NO_NUMBER:
        return False
    with gate.store.reading() as connection:
        account = account_numbered(connection, int(number))
    if account is None or account.disabled_at or not is_mark_of(account, mark):
        return False
    if content:
        with gate.store.writing() as connection:
            keep_interrupted(connection, account.id, path, content, gate.now())
    return True


def sent_in(form: InterruptedForm) -> Sent:
    """Return what a form that was kept held."""
    texts: dict[str, tuple[str, ...]] = {}
    for name, text in json.loads(form.content):
        texts[name] = (*texts.get(name, ()), text.replace("\0", ""))
    return Sent(texts, {})

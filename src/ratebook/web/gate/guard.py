"""The one place that decides whether a request may do what it asks; every route says what it needs."""

import hmac
from typing import Any, TypeAlias, cast

from anyio import to_thread
from litestar import Request
from litestar.exceptions import (
    ClientException,
    HTTPException,
    NotAuthorizedException,
    NotFoundException,
    PermissionDeniedException,
)
from litestar.handlers import BaseRouteHandler

from ratebook.web.gate.bodies import form_of
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.programs import program_with
from ratebook.web.gate.visitors import OWNER, AnyConnection, Visitor, address_of, is_mark_of, visitor_in
from ratebook.web.interrupted import FormOutcome, interrupted
from ratebook.web.routing import AGAIN, INCOMPLETE, LASTING, NEEDS, NO_NUMBER, SCOPE, Needs
from ratebook.web.store.accounts import Role
from ratebook.web.store.log import LogKind
from ratebook.web.store.tokens import Scope

AnyRequest: TypeAlias = Request[Any, Any, Any]

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
MAY = {
    Needs.ACCOUNT: frozenset(Role),
    Needs.DIRECTOR: frozenset({Role.DIRECTOR, Role.OFFICE}),
    Needs.OFFICE: frozenset({Role.OFFICE}),
    Needs.STAFF: frozenset({Role.OFFICE, Role.ADMINISTRATOR}),
    Needs.ADMINISTRATOR: frozenset({Role.ADMINISTRATOR}),
}
"""Who may do what a route needs. An administrator takes no decisions of the office."""
CSRF_FIELD = "csrf"
NOBODY = "nobody"
"""Who asks without being signed in, in the log."""
LONGEST_QUERY, TOO_LONG = 4096, 414
"""Bytes: thrice what the calculator's form asks with all its games, and the status of more."""


class IncompleteAccount(NotAuthorizedException):
    """The account must set up its second factor first."""


class ConfirmationNeeded(NotAuthorizedException):
    """The password must be given again first; *onward_to* is where a form is shown again then."""

    def __init__(self, onward_to: str = "") -> None:
        super().__init__()
        self.onward_to = onward_to


async def guard(connection: AnyConnection, handler: BaseRouteHandler) -> None:
    """Let a request through to its handler, or refuse it.

    Raises:
        HTTPException: a program has no token, or one that does not allow this.
        NotAuthorizedException: one must sign in, or do so further.
        NotFoundException: whoever asks may not even know of this.
        PermissionDeniedException: the role may not, or the request does not come from a page of this site.
    """
    check_address(connection)
    numbers = (value for value in connection.path_params.values() if isinstance(value, int))
    if NEEDS not in handler.opt or any(abs(one) >= NO_NUMBER for one in numbers):
        raise NotFoundException
    needs = Needs(handler.opt[NEEDS])
    request = cast("AnyRequest", connection)
    changes = request.method not in SAFE_METHODS
    gate: Gate = connection.app.state.site.gate
    if needs is Needs.NOBODY:
        if changes and not from_this_site(connection):
            await _note_refusal(request, gate, NOBODY, "from another site")
            raise PermissionDeniedException("from another site")
        return
    if needs is Needs.PROGRAM:
        # Cookies are not read here, and so no page of another site can use them.
        connection.scope["user"] = await program_with(connection, Scope(handler.opt[SCOPE]))
        return
    visitor = await _signed_in(request, handler, gate)
    connection.scope["user"] = visitor
    role = visitor.account.role
    if role not in MAY[needs]:
        await _note_refusal(request, gate, visitor.account.name, f"needs {needs}")
        hidden = role is Role.DIRECTOR or needs is Needs.ADMINISTRATOR
        raise NotFoundException if hidden else PermissionDeniedException(f"needs {needs}")
    if not visitor.complete(gate) and not handler.opt.get(INCOMPLETE):
        raise IncompleteAccount
    if handler.opt.get(AGAIN) and not visitor.confirmed(gate.now()):
        raise ConfirmationNeeded((await interrupted(request, gate)).onward_to if changes else "")


async def _signed_in(request: AnyRequest, handler: BaseRouteHandler, gate: Gate) -> Visitor:
    """Return who is signed in; a form that comes without its session is kept for its account.

    Forms of one's own account have passwords, and are not kept.

    Raises:
        NotAuthorizedException: no one is, or another account than that of the form.
        PermissionDeniedException: what is sent does not come from a page of this site.
    """
    visitor = await visitor_in(request)
    changes = request.method not in SAFE_METHODS
    from_here = changes and from_this_site(request)
    is_kept = from_here and handler.opt[NEEDS] is not Needs.ACCOUNT
    if visitor is None:
        raise await interrupted(request, gate) if is_kept else NotAuthorizedException
    lasting = bool(handler.opt.get(LASTING))
    if not changes or (from_here and await has_token(request, visitor, lasting=lasting)):
        return visitor
    if is_kept and (over := await interrupted(request, gate)).outcome is not FormOutcome.LOST:
        raise over
    await _note_refusal(request, gate, visitor.account.name, "not from a page of this site")
    raise PermissionDeniedException("not from a page of this site")


def check_address(connection: AnyConnection) -> None:
    """Refuse an address that no page leads to, before a store is asked what it would take long to answer.

    Raises:
        HTTPException: it is too long (414), or has a letter that not every store can hold (400).
    """
    if len(connection.scope["query_string"]) > LONGEST_QUERY:
        raise HTTPException(status_code=TOO_LONG, detail="The address is too long.")
    if "\0" in connection.scope["path"] or b"%00" in connection.scope["query_string"]:
        raise ClientException("The address has an invalid character.")


def from_this_site(connection: AnyConnection) -> bool:
    """Return whether a page of this very site sent a request (OWASP ASVS 5.0, 3.5.3).

    Browsers say so by ``Sec-Fetch-Site``, which no script can set, or else by ``Origin``.
    """
    said = connection.headers.get("sec-fetch-site")
    if said is not None:
        return said == "same-origin"
    _, _, origin = connection.headers.get("origin", "").partition("://")
    return bool(origin) and origin.lower() == connection.headers.get("host", "").lower()


async def has_token(request: AnyRequest, visitor: Visitor, *, lasting: bool = False) -> bool:
    """Return whether the form of a request carries the token of its session.

    A *lasting* form may be older than the session; it carries the mark of the account, which no other site knows.
    """
    form = await form_of(request)
    if lasting and is_mark_of(visitor.account, str(form.get(OWNER, ""))):
        return True
    return hmac.compare_digest(str(form.get(CSRF_FIELD, "")).encode(), visitor.csrf.encode())


async def _note_refusal(request: AnyRequest, gate: Gate, account: str, why: str) -> None:
    details = f"{request.method} {request.scope['path'][:200]}: {why}"
    await to_thread.run_sync(gate.note, LogKind.REFUSED, account, address_of(request), details)

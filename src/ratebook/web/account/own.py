"""The own account: where one is signed in, the password, the second factor."""

from typing import Any

from litestar import Request, Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from ratebook.findings import Finding, finding
from ratebook.web.account.attempt import attempt
from ratebook.web.account.first_password import UNPROCESSABLE, refusal_here
from ratebook.web.gate.gate import Gate, TheGate
from ratebook.web.gate.passwords import SALT_BYTES, hashed
from ratebook.web.gate.visitors import TheVisitor, Visitor, address_of, renew, session_cookie
from ratebook.web.rooms import onward, room_page
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.site import Site, TheSite
from ratebook.web.store.accounts import set_password
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.sessions import end_session, end_sessions, sessions_of


class PasswordChange(Struct):
    """What the form holds."""

    current: str = ""
    password: str = ""


@shown_to(Needs.ACCOUNT, "/account", incomplete=True)
def account(site: TheSite, gate: TheGate, visitor: TheVisitor) -> Response[bytes]:
    """Show the own account."""
    return _page(site, gate, visitor)


@done_by(Needs.ACCOUNT, "/account/password", incomplete=True)
def change_password(
    request: Request[Any, Any, Any],
    site: TheSite,
    gate: TheGate,
    visitor: TheVisitor,
    data: URLEncodedBody[PasswordChange],
) -> Response[bytes] | Redirect:
    """Change the password: other sessions end, and this one has a new token."""
    own = visitor.account
    wrong = refusal_here(site, own, data.password)
    if wrong is None:
        done = attempt(gate, own.name, data.current, None, address_of(request), LogKind.CONFIRMED)
        if done.account is None:
            wrong = (
                finding("password-not-given.wait", "current", seconds=done.wait_seconds)
                if done.wait_seconds
                else finding("password-not-given.now", "current")
            )
    if wrong is not None:
        return _page(site, gate, visitor, wrong)
    password = hashed(data.password, gate.random(SALT_BYTES))
    with gate.store.writing() as connection:
        set_password(connection, own.id, password)
        end_sessions(connection, own.id, besides=visitor.session.id)
        token = renew(connection, gate, visitor)
        note(connection, LogKind.PASSWORD_SET, own.name, gate.now(), address_of(request))
    answer = onward("/account")
    answer.set_cookie(session_cookie(token))
    return answer


@done_by(Needs.ACCOUNT, "/account/sessions/{number:int}/end", incomplete=True)
def end_own_session(
    request: Request[Any, Any, Any], gate: TheGate, visitor: TheVisitor, number: FromPath[int]
) -> Redirect:
    """End a session of the own account; there are no others."""
    with gate.store.writing() as connection:
        if not end_session(connection, visitor.account.id, number):
            raise NotFoundException
        note(connection, LogKind.SESSION_ENDED, visitor.account.name, gate.now(), address_of(request))
    return onward("/account")


def _page(site: Site, gate: Gate, visitor: Visitor, wrong: Finding | None = None) -> Response[bytes]:
    with gate.store.reading() as connection:
        sessions = sessions_of(connection, visitor.account.id, gate.now())
    status = 200 if wrong is None else UNPROCESSABLE
    return room_page(
        site,
        visitor,
        "account/account.html",
        status=status,
        sessions=sessions,
        wrong=wrong,
        complete=visitor.complete(gate),
    )

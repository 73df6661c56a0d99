"""Signing in and signing out."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.params import QueryParameter, URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from ratebook.web.account.attempt import attempt
from ratebook.web.gate.gate import TheGate
from ratebook.web.gate.visitors import (
    COOKIE,
    TheVisitor,
    address_of,
    digest_of,
    session_cookie,
    sign_in_as,
)
from ratebook.web.rooms import HOME, onward, own_address, room_page
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.site import Site, TheSite
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.sessions import end_session, find_session

WRONG = 403
WAIT = 429
FORGET = {"clear-site-data": '"cache", "cookies", "storage"'}


class Credentials(Struct):
    """What the form of signing in holds; *onward_to* is where the visitor wanted to go."""

    name: str = ""
    password: str = ""
    code: str = ""
    onward_to: str = ""


@shown_to(Needs.NOBODY, "/sign-in")
def sign_in_page(site: TheSite, onward_to: Annotated[str, QueryParameter(name="to")] = "") -> Response[bytes]:
    """Ask for name, password and code."""
    return _form(site, Credentials(onward_to=own_address(onward_to)))


@done_by(Needs.NOBODY, "/sign-in")
def sign_in(
    request: Request[Any, Any, Any], site: TheSite, gate: TheGate, data: URLEncodedBody[Credentials]
) -> Response[bytes] | Redirect:
    """Sign in, with a new token; what exactly was wrong is not said."""
    done = attempt(gate, data.name, data.password, data.code, address_of(request))
    if done.account is None:
        return _form(site, data, wait=done.wait_seconds, wrong=not done.wait_seconds)
    with gate.store.writing() as connection:
        before = find_session(connection, digest_of(request.cookies.get(COOKIE, "")), gate.now())
        if before is not None:
            end_session(connection, before[1].id, before[0].id)
        token = sign_in_as(connection, gate, done.account.id, request.headers.get("user-agent", ""))
    answer = onward(own_address(data.onward_to) or HOME[done.account.role])
    answer.set_cookie(session_cookie(token))
    return answer


@done_by(Needs.ACCOUNT, "/sign-out", incomplete=True)
def sign_out(request: Request[Any, Any, Any], gate: TheGate, visitor: TheVisitor) -> Redirect:
    """End the session, and let the browser forget what it has of this site."""
    with gate.store.writing() as connection:
        end_session(connection, visitor.account.id, visitor.session.id)
        note(connection, LogKind.SIGNED_OUT, visitor.account.name, gate.now(), address_of(request))
    answer = onward("/sign-in")
    answer.delete_cookie(COOKIE)
    answer.headers.update(FORGET)
    return answer


def _form(site: Site, said: Credentials, *, wait: int = 0, wrong: bool = False) -> Response[bytes]:
    answer = room_page(
        site,
        None,
        "account/sign_in.html",
        status=WAIT if wait else WRONG if wrong else 200,
        said=said,
        wait=wait,
        wrong=wrong,
    )
    if wait:
        answer.headers["retry-after"] = str(wait)
    return answer

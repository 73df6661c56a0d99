"""The password once more, before what should not be done by whoever finds an open browser."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.params import QueryParameter, URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from ratebook.web.account.attempt import attempt
from ratebook.web.account.sign_in import WAIT, WRONG
from ratebook.web.gate.gate import TheGate
from ratebook.web.gate.visitors import TheVisitor, Visitor, address_of, renew, session_cookie
from ratebook.web.rooms import HOME, onward, own_address, room_page
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.site import Site, TheSite
from ratebook.web.store.log import LogKind


class Confirmation(Struct):
    """What the form holds; *onward_to* is the page that asked for it."""

    password: str = ""
    onward_to: str = ""


@shown_to(Needs.ACCOUNT, "/account/again", incomplete=True)
def again(
    site: TheSite, visitor: TheVisitor, onward_to: Annotated[str, QueryParameter(name="to")] = ""
) -> Response[bytes]:
    """Ask for the password."""
    return _form(site, visitor, own_address(onward_to))


@done_by(Needs.ACCOUNT, "/account/again", incomplete=True)
def give_again(
    request: Request[Any, Any, Any],
    site: TheSite,
    gate: TheGate,
    visitor: TheVisitor,
    data: URLEncodedBody[Confirmation],
) -> Response[bytes] | Redirect:
    """Take the password, and go on; the session has a new token."""
    own, to = visitor.account, own_address(data.onward_to)
    done = attempt(gate, own.name, data.password, None, address_of(request), LogKind.CONFIRMED)
    if done.account is None:
        return _form(site, visitor, to, wait=done.wait_seconds, wrong=True)
    with gate.store.writing() as connection:
        token = renew(connection, gate, visitor)
    answer = onward(to or HOME[own.role])
    answer.set_cookie(session_cookie(token))
    return answer


def _form(
    site: Site, visitor: Visitor, onward_to: str, *, wait: int = 0, wrong: bool = False
) -> Response[bytes]:
    status = WAIT if wait else WRONG if wrong else 200
    return room_page(
        site, visitor, "account/again.html", status=status, onward_to=onward_to, wait=wait, wrong=wrong
    )

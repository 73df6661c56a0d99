"""Setting up the second factor: a secret for an app, proved by the first code."""

import re
from typing import Any

from litestar import Request, Response
from litestar.params import URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from ratebook.web.account.first_password import UNPROCESSABLE
from ratebook.web.gate.gate import TheGate
from ratebook.web.gate.second_factor import SECRET_BYTES, address_for_app, new_secret, step_of
from ratebook.web.gate.visitors import TheVisitor, Visitor, address_of, renew, session_cookie
from ratebook.web.rooms import HOME, onward, room_page
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.site import Site, TheSite
from ratebook.web.store.accounts import set_second_factor
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.sessions import end_sessions

IN_BASE_32 = re.compile("[A-Z2-7]{32}")


class FirstCode(Struct):
    """What the form holds: the secret that its page showed, and a code made with it."""

    secret: str = ""
    code: str = ""


@shown_to(Needs.ACCOUNT, "/account/second-factor", again=True, incomplete=True)
def second_factor(site: TheSite, gate: TheGate, visitor: TheVisitor) -> Response[bytes]:
    """Show a new secret; nothing is kept until a code proves that an app has it."""
    return _form(site, visitor, new_secret(gate.random(SECRET_BYTES)))


@done_by(Needs.ACCOUNT, "/account/second-factor", again=True, incomplete=True)
def set_up_second_factor(
    request: Request[Any, Any, Any],
    site: TheSite,
    gate: TheGate,
    visitor: TheVisitor,
    data: URLEncodedBody[FirstCode],
) -> Response[bytes] | Redirect:
    """Take the secret, end other sessions, and give this one a new token."""
    own = visitor.account
    if not IN_BASE_32.fullmatch(data.secret):
        return _form(site, visitor, new_secret(gate.random(SECRET_BYTES)), wrong=True)
    step = step_of(data.code, data.secret, gate.now())
    if step is None:
        return _form(site, visitor, data.secret, wrong=True)
    with gate.store.writing() as connection:
        set_second_factor(connection, own.id, data.secret, step)
        end_sessions(connection, own.id, besides=visitor.session.id)
        token = renew(connection, gate, visitor)
        note(connection, LogKind.SECOND_FACTOR_SET, own.name, gate.now(), address_of(request))
    answer = onward(HOME[own.role])
    answer.set_cookie(session_cookie(token))
    return answer


def _form(site: Site, visitor: Visitor, secret: str, *, wrong: bool = False) -> Response[bytes]:
    with site.reading() as reader:
        federation = reader.federation.profile.name
    groups = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
    return room_page(
        site,
        visitor,
        "account/second_factor.html",
        status=UNPROCESSABLE if wrong else 200,
        secret=secret,
        groups=groups,
        app=address_for_app(secret, visitor.account.name, federation),
        wrong=wrong,
    )

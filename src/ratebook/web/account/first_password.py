"""The one-time link by which a person chooses the first password, or a new one after a reset."""

from typing import Any

from litestar import Request, Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from ratebook.findings import Finding
from ratebook.web.gate.gate import Gate, TheGate
from ratebook.web.gate.passwords import SALT_BYTES, hashed, refusal
from ratebook.web.gate.visitors import address_of, digest_of
from ratebook.web.rooms import onward, room_page
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.site import Site, TheSite
from ratebook.web.store.accounts import Account, set_password
from ratebook.web.store.links import account_of_link
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.sessions import end_sessions

UNPROCESSABLE = 422


class NewPassword(Struct):
    """What the form holds."""

    password: str = ""


@shown_to(Needs.NOBODY, "/first-password/{link:str}")
def first_password(site: TheSite, gate: TheGate, link: FromPath[str]) -> Response[bytes]:
    """Ask for a password."""
    return _form(site, _account(gate, link))


@done_by(Needs.NOBODY, "/first-password/{link:str}")
def choose_first_password(
    request: Request[Any, Any, Any],
    site: TheSite,
    gate: TheGate,
    link: FromPath[str],
    data: URLEncodedBody[NewPassword],
) -> Response[bytes] | Redirect:
    """Take the password, and the link away."""
    account = _account(gate, link)
    wrong = refusal_here(site, account, data.password)
    if wrong is not None:
        return _form(site, account, wrong)
    password = hashed(data.password, gate.random(SALT_BYTES))
    with gate.store.writing() as connection:
        if account_of_link(connection, digest_of(link), gate.now()) is None:
            raise NotFoundException
        set_password(connection, account.id, password)
        end_sessions(connection, account.id)
        note(connection, LogKind.PASSWORD_SET, account.name, gate.now(), address_of(request), "by a link")
    return onward("/sign-in")


def refusal_here(site: Site, account: Account, password: str) -> Finding | None:
    """Return why an account of this federation may not have a password."""
    with site.reading() as reader:
        near = (reader.federation.profile.name, account.name)
    return refusal(password, near)


def _account(gate: Gate, link: str) -> Account:
    with gate.store.reading() as connection:
        account = account_of_link(connection, digest_of(link), gate.now())
    if account is None:
        raise NotFoundException
    return account


def _form(site: Site, account: Account, wrong: Finding | None = None) -> Response[bytes]:
    status = 200 if wrong is None else UNPROCESSABLE
    return room_page(site, None, "account/first_password.html", status=status, account=account, wrong=wrong)

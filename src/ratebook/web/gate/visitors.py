"""Who asks: the session of a request's cookie, and the token that its forms carry."""

import base64
import hashlib
import hmac
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import Any, NamedTuple, TypeAlias

from anyio import to_thread
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.di import NamedDependency

from ratebook.book.connection import Connection
from ratebook.book.failures import BookError
from ratebook.web.gate.gate import Gate
from ratebook.web.running.root import ROOT
from ratebook.web.store.accounts import Account, Role
from ratebook.web.store.sessions import Session, confirm_session, find_session, note_seen, start_session

COOKIE = "__Host-session"
"""The prefix lets browsers refuse it from other hosts and without TLS, if its path is "/" (RFC 6265bis, 4.1.3.2)."""
HOME = {Role.DIRECTOR: "/director", Role.OFFICE: "/office", Role.ADMINISTRATOR: "/admin"}
"""The first page of each role."""
OWNER = "owner"
"""The field of forms with the mark of their account."""
TOKEN_BYTES = 32
NOTED_AFTER = timedelta(minutes=1)
"""A session's last use is written this often, not at each request."""
NEW_FOR = timedelta(minutes=10)
"""For so long a password counts as given just now."""

AnyConnection = ASGIConnection[Any, Any, Any, Any]


class Visitor(NamedTuple):
    """Who is signed in, and with which session; *token* is what the cookie holds."""

    account: Account
    session: Session
    token: str

    @property
    def csrf(self) -> str:
        """Return what every form of the session carries; a page of another site cannot know it."""
        return hmac.new(self.token.encode(), b"form", hashlib.sha256).hexdigest()

    @property
    def mark(self) -> str:
        """Return what forms carry by which they are the account's, even when the session has ended."""
        return mark_of(self.account)

    @property
    def home(self) -> str:
        """Return the first page of their own."""
        return HOME[self.account.role]

    def confirmed(self, at: datetime) -> bool:
        """Return whether the password was given just now."""
        return datetime.fromisoformat(self.session.confirmed_at) > at - NEW_FOR

    def complete(self, gate: Gate) -> bool:
        """Return whether the account has every factor that its role needs."""
        return complete(gate, self.account)


READER: ContextVar[Visitor | None] = ContextVar("reader", default=None)
"""Who reads a public page, where they have signed in."""
TheVisitor: TypeAlias = NamedDependency[Visitor]
"""How a handler asks who is signed in."""


def mark_of(account: Account) -> str:
    """Return what the forms of an account carry; it holds until the password is changed.

    No one can make it who does not know what the store keeps of the password, which no page shows.
    """
    secret = f"{account.made_at} {account.password}".encode()
    code = hmac.new(secret, f"forms of account {account.id}".encode(), hashlib.sha256).hexdigest()
    return f"{account.id}.{code}"


def is_mark_of(account: Account, mark: str) -> bool:
    """Return whether a form carries the mark of an account."""
    return account.password is not None and hmac.compare_digest(mark_of(account).encode(), mark.encode())


def complete(gate: Gate, account: Account) -> bool:
    """Return whether an account has every factor that its role needs."""
    return not gate.second_factor or account.role is Role.DIRECTOR or account.secret is not None


def digest_of(token: str) -> str:
    """Return what a store keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token(random: Callable[[int], bytes], size: int = TOKEN_BYTES) -> str:
    """Return a token of so many random bytes, in letters that addresses and cookies take."""
    return base64.urlsafe_b64encode(random(size)).rstrip(b"=").decode()


def sign_in_as(connection: Connection, gate: Gate, account: int, agent: str) -> str:
    """Start a session and return its token."""
    token = new_token(gate.random)
    start_session(connection, digest_of(token), account, agent, gate.now())
    return token


def renew(connection: Connection, gate: Gate, visitor: Visitor) -> str:
    """Note that the password was given now, and return the new token of the session."""
    token = new_token(gate.random)
    confirm_session(connection, visitor.session.id, digest_of(token), gate.now())
    return token


def find_visitor(gate: Gate, token: str) -> Visitor | None:
    """Return who has this token, with the rights of the account as they are now."""
    now = gate.now()
    with gate.store.reading() as connection:
        pair = find_session(connection, digest_of(token), now)
    if pair is None:
        return None
    session, account = pair
    if now - datetime.fromisoformat(session.seen_at) >= NOTED_AFTER:
        with gate.store.writing() as connection:
            note_seen(connection, session.id, now)
    return Visitor(account, session, token)


async def visitor_in(connection: AnyConnection) -> Visitor | None:
    """Return who asks, if anyone has signed in; the store is asked once for each request."""
    state: dict[str, Any] = connection.scope["state"]
    if _VISITOR not in state:
        token = session_token(connection)
        gate: Gate = connection.app.state.site.gate
        state[_VISITOR] = await to_thread.run_sync(find_visitor, gate, token) if token else None
    visitor: Visitor | None = state[_VISITOR]
    return visitor


def known_visitor(connection: AnyConnection) -> Visitor | None:
    """Return who asks, where the request came far enough for the store to be asked (`visitor_in`)."""
    visitor: Visitor | None = connection.scope["state"].get(_VISITOR)
    return visitor


def lost_visitor(connection: AnyConnection) -> Visitor | None:
    """Return who asks for an address that no page has, so that nothing has asked the store; None if it fails."""
    site, token = connection.app.state.site, session_token(connection)
    if _VISITOR in connection.scope["state"] or not site.has_accounts or not token:
        return known_visitor(connection)
    try:
        return find_visitor(site.gate, token)
    except BookError:
        return None


_VISITOR = "visitor"


def cookie_name() -> str:
    """Return the name of the cookie: servers below two paths of one name have two."""
    return COOKIE + ROOT.get().replace("/", "-")


def session_token(connection: AnyConnection) -> str:
    """Return what the browser sends as the token of its session; empty where it sends none."""
    return connection.cookies.get(cookie_name(), "")


def session_cookie(token: str) -> Cookie:
    """Return the cookie of a session; the browser forgets it when it is closed."""
    return Cookie(key=cookie_name(), value=token, path="/", secure=True, httponly=True, samesite="lax")


def ended_cookie() -> Cookie:
    """Return what takes the cookie of a session away: browsers obey only one with all that the name asks for."""
    return replace(session_cookie(""), max_age=0, expires=0)


def address_of(connection: AnyConnection) -> str:
    """Return from where a request comes."""
    return network_of(connection.client.host if connection.client is not None else "")


def network_of(host: str) -> str:
    """Return an address; of an IPv6 address the network, since a home has one of them.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '2001:db8:1:2::/64')
    >>> network_of("::ffff:192.0.2.7")  # what a socket of both kinds calls an IPv4 address
    '192.0.2.7'
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64)) + "/64"
    return host

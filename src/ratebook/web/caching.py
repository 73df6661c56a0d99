"""Answers that need not be made again: conditional requests, and the bodies of public pages while nothing changes.

A public page depends on the book's revision, the newest official list, the day, the program and the manifest of whole
tables, and on nothing else: their text is its entity tag. Whoever has the page of that tag gets 304; others get the
body that is kept. Whoever has signed in gets a page of their own, of which nothing is kept.
"""

import gzip
import re
from collections.abc import Collection
from operator import attrgetter
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

from anyio import to_thread
from litestar.connection import ASGIConnection
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import (
    ASGIApp,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    HTTPScope,
    Message,
    Receive,
    Scope,
    Send,
)

from ratebook.book.ledger.lists import public_state
from ratebook.records.data_files import DATA_MANIFEST
from ratebook.web.api.answers import accepted_format
from ratebook.web.api.problems import MEDIA_TYPE as PROBLEM
from ratebook.web.api.problems import PREFIX as PROGRAMS
from ratebook.web.api.problems import unknown_parameters
from ratebook.web.gate.visitors import READER, visitor_in
from ratebook.web.recent import Recent
from ratebook.web.rendering import build
from ratebook.web.routing import KEPT
from ratebook.web.site import Site

FROM_MEMORY = "from memory"
"""Noted of a request whose answer was not made anew."""
MOST_BYTES = 64 * 1024 * 1024
SMALLEST = 500
"""Bytes below which compression does not pay."""
EFFORT = 4
"""Of compression: more makes pages a fiftieth smaller, and takes nearly twice the time."""
TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)
REVALIDATE = b"public, max-age=0, must-revalidate"
OF_PLAYERS = ("/players", "/api/v1/players")
NOT_LISTED = (b"x-robots-tag", b"noindex")
"""Search engines forget a page that says so; a page that they may not read, they may still list."""
OK, NO_CONTENT, SEE_OTHER, UNCHANGED, UNPROCESSABLE = 200, 204, 303, 304, 422


class KeptBody(NamedTuple):
    """A body that was made, as it is and compressed, with the headers that say what it is."""

    headers: list[tuple[bytes, bytes]]
    body: bytes
    packed: bytes

    @property
    def size(self) -> int:
        """Return the bytes that it takes."""
        return len(self.body) + len(self.packed)


def entity_tag(site: Site) -> str:
    """Return the tag of every public page as the book is now."""
    with site.book.reading() as connection:
        number, month = public_state(connection)
    return f'W/"{number}.{month}.{site.today():%Y%m%d}.{build()}{_state_of_data(site)}"'


def _state_of_data(site: Site) -> str:
    """Return what changes with the complete tables, which are made after the book has changed."""
    try:
        return "" if site.data is None else f".{(site.data / DATA_MANIFEST).stat().st_mtime_ns:x}"
    except OSError:
        return ""


class Unlisted:
    """Whether search engines are asked not to list pages of players: asked of the profile once for each tag."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._of: tuple[str, bool] = "", False

    async def header(self, tag: str, path: str) -> list[tuple[bytes, bytes]]:
        """Return the header that asks it of a page, if it is one of players."""
        if not path.startswith(OF_PLAYERS):
            return []
        known, unlisted = self._of
        if known != tag:
            unlisted = await to_thread.run_sync(self._asked)
            self._of = tag, unlisted
        return [NOT_LISTED] if unlisted else []

    def _asked(self) -> bool:
        with self._site.reading() as reader:
            return not reader.federation.profile.search_engines


class Kept(NamedTuple):
    """What a server keeps of the site that it serves, from its start to its end: bodies by tag and address."""

    site: Site
    bodies: Recent[KeptBody]
    unlisted: Unlisted


def nothing_kept(site: Site) -> Kept:
    """Return what a server keeps when it starts."""
    return Kept(site, Recent(MOST_BYTES, attrgetter("size")), Unlisted(site))


class KeptPages(ASGIMiddleware):
    """Answers public pages with 304 or the body that is kept, and keeps the bodies of the others."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Answer from what is kept, or by *next_app*."""
        if scope["type"] != ScopeType.HTTP:
            await next_app(scope, receive, send)
            return
        if scope["method"] == "OPTIONS" and scope["path"].startswith(PROGRAMS):
            await _send(send, NO_CONTENT, [(b"allow", b"GET, HEAD, OPTIONS")], b"")
            return
        may_ask = scope["route_handler"].opt.get(KEPT)
        if may_ask is None:
            await next_app(scope, receive, send)
            return
        given = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if unknown := [name for name, _ in given if name not in may_ask]:
            await _without(send, scope["path"], given, unknown, may_ask)
            return
        if scope["method"] == "HEAD":
            send = _without_body(send)
        site: Site = scope["litestar_app"].state.site
        is_for_people = site.has_accounts and not scope["path"].startswith(PROGRAMS)
        READER.set(await visitor_in(ASGIConnection(scope)) if is_for_people else None)
        if READER.get() is None:
            await self._kept(scope, receive, send, next_app)
        else:
            await next_app(scope, receive, send)

    async def _kept(self, scope: HTTPScope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Answer from what is kept, or make and keep it."""
        memory: Kept = scope["litestar_app"].state.kept
        request_headers = Headers.from_scope(scope)
        tag = await to_thread.run_sync(entity_tag, memory.site)
        if tag in request_headers.get("if-none-match", ""):
            await _send(send, UNCHANGED, _tagged(tag), b"")
            return
        asked_format = accepted_format(request_headers) if scope["path"].startswith(PROGRAMS) else None
        # Each as it is, since joined they could be those of another.
        address = (request_headers.get("host", ""), scope["path"], scope["query_string"], asked_format or "")
        cached = memory.bodies.find(tag, address)
        if cached is not None:
            scope["state"][FROM_MEMORY] = True
        else:
            response = Collected()
            await next_app(scope, receive, response.send)
            if response.start["status"] != OK:
                await response.replay(send)
                return
            packed = gzip.compress(response.body, EFFORT, mtime=0) if len(response.body) >= SMALLEST else b""
            unlisted = await memory.unlisted.header(tag, scope["path"])
            cached = KeptBody([*response.headers, *unlisted], response.body, packed)
            memory.bodies.keep(tag, address, cached)
        headers = [*_tagged(tag), *cached.headers]
        if cached.packed and takes_gzip(request_headers):
            await _send(send, OK, [*headers, (b"content-encoding", b"gzip")], cached.packed)
        else:
            await _send(send, OK, headers, cached.body)


def takes_gzip(headers: Headers) -> bool:
    """Return whether who sent these *headers* reads what is packed (RFC 9110, 12.5.3).

    >>> [
    ...     takes_gzip(Headers({"accept-encoding": codings}))
    ...     for codings in ("br, gzip;q=0.5", "gzip;q=0, br", "")
    ... ]
    [True, False, False]
    """
    return bool(TAKES_GZIP.search(headers.get("accept-encoding", "")))


def _without_body(send: Send) -> Send:
    async def send_headers(message: Message) -> None:
        if message["type"] == "http.response.body":
            message["body"] = b""
        await send(message)

    return send_headers


async def _without(
    send: Send, path: str, pairs: list[tuple[str, str]], unknown: list[str], known: Collection[str]
) -> None:
    """Refuse what an address asks for that there is not: a program is told so, a browser is led on without it."""
    if path.startswith(PROGRAMS):
        body = unknown_parameters(path, unknown, known)
        await _send(send, UNPROCESSABLE, [(b"content-type", PROBLEM.encode())], body)
        return
    kept = [one for one in pairs if one[0] in known]
    onward = f"{quote(path)}?{urlencode(kept)}" if kept else quote(path)
    await _send(send, SEE_OTHER, [(b"location", onward.encode())], b"")


class Collected:
    """An answer that another application sent, as a whole."""

    start: HTTPResponseStartEvent

    def __init__(self) -> None:
        self.body = b""

    async def send(self, message: Message) -> None:
        """Take a message of the answer."""
        if message["type"] == "http.response.start":
            self.start = message
        elif message["type"] == "http.response.body":
            self.body += message["body"]

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """Return its headers, but for the length, which depends on how it is sent."""
        return [(name, value) for name, value in self.start["headers"] if name != b"content-length"]

    async def replay(self, send: Send) -> None:
        """Send it on as it was."""
        await send(self.start)
        await send(HTTPResponseBodyEvent(type="http.response.body", body=self.body, more_body=False))


def _tagged(tag: str) -> list[tuple[bytes, bytes]]:
    return [
        (b"etag", tag.encode()),
        (b"cache-control", REVALIDATE),
        (b"vary", b"Accept, Accept-Encoding, Cookie"),
    ]


async def _send(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    length = [] if status in {NO_CONTENT, UNCHANGED} else [(b"content-length", str(len(body)).encode())]
    await send(HTTPResponseStartEvent(type="http.response.start", status=status, headers=[*headers, *length]))
    await send(HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False))

"""Answers that need not be made again: conditional requests, and the bodies of public pages while nothing changes.

A public page depends on the book's revision, the newest official list, the day and the program, and on nothing else:
their text is its entity tag. Whoever has the page of that tag gets 304; others get the body that is kept.
"""

import gzip
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from anyio import to_thread
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import (
    ASGIApp,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    Message,
    Receive,
    Scope,
    Send,
)

from ratebook.book.ledger.lists import newest_list
from ratebook.book.profile import revision
from ratebook.web.rendering import build
from ratebook.web.routing import KEPT
from ratebook.web.site import Site

MOST_BYTES = 64 * 1024 * 1024
SMALLEST = 500
"""Bytes below which compression does not pay."""
REVALIDATE = b"public, max-age=0, must-revalidate"
OK, UNCHANGED = 200, 304


class Kept(NamedTuple):
    """A body that was made, as it is and compressed; *kind* is its media type."""

    kind: bytes
    body: bytes
    packed: bytes

    @property
    def size(self) -> int:
        """Return the bytes that it takes."""
        return len(self.body) + len(self.packed)


class Bodies:
    """The bodies of public pages that were read last, of one tag at a time; bounded in bytes."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._size = 0
        self._tag = ""
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()

    def find(self, tag: str, address: str) -> Kept | None:
        """Return the body at an address, if it was made under this *tag*."""
        with self._lock:
            if tag != self._tag:
                self._kept.clear()
                self._size, self._tag = 0, tag
            found = self._kept.get(address)
            if found is not None:
                self._kept.move_to_end(address)
            return found

    def keep(self, tag: str, address: str, kept: Kept) -> None:
        """Keep a body, and forget those that were read longest ago where there is no room."""
        with self._lock:
            if tag != self._tag or address in self._kept:
                return
            self._kept[address] = kept
            self._size += kept.size
            while self._size > self._most:
                self._size -= self._kept.popitem(last=False)[1].size


def entity_tag(site: Site) -> str:
    """Return the tag of every public page as the book is now.

    Raises:
        BookError: the store fails.
    """
    with site.book.reading() as connection:
        return f'W/"{revision(connection)}.{newest_list(connection)}.{site.today():%Y%m%d}.{build()}"'


class KeptPages(ASGIMiddleware):
    """Answers public pages with 304 or the body that is kept, and keeps the bodies of the others."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, site: Site) -> None:
        self._site = site
        self._bodies = Bodies()

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Answer from what is kept, or by *next_app*."""
        if not scope["route_handler"].opt.get(KEPT):
            await next_app(scope, receive, send)
            return
        asked = Headers.from_scope(scope)
        tag = await to_thread.run_sync(entity_tag, self._site)
        if tag in asked.get("if-none-match", ""):
            await _send(send, UNCHANGED, _tagged(tag), b"")
            return
        address = f"{scope['path']}?{scope['query_string'].decode('latin-1')}"
        kept = self._bodies.find(tag, address)
        if kept is None:
            made = Collected()
            await next_app(scope, receive, made.send)
            if made.start["status"] != OK:
                await made.replay(send)
                return
            kept = Kept(
                made.kind, made.body, gzip.compress(made.body, mtime=0) if len(made.body) >= SMALLEST else b""
            )
            self._bodies.keep(tag, address, kept)
        headers = [*_tagged(tag), (b"content-type", kept.kind)]
        if kept.packed and "gzip" in asked.get("accept-encoding", ""):
            await _send(send, OK, [*headers, (b"content-encoding", b"gzip")], kept.packed)
        else:
            await _send(send, OK, headers, kept.body)


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
    def kind(self) -> bytes:
        """Return its media type."""
        return dict(self.start["headers"]).get(b"content-type", b"")

    async def replay(self, send: Send) -> None:
        """Send it on as it was."""
        await send(self.start)
        await send(HTTPResponseBodyEvent(type="http.response.body", body=self.body, more_body=False))


def _tagged(tag: str) -> list[tuple[bytes, bytes]]:
    return [(b"etag", tag.encode()), (b"cache-control", REVALIDATE), (b"vary", b"Accept, Accept-Encoding")]


async def _send(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    length = [] if status == UNCHANGED else [(b"content-length", str(len(body)).encode())]
    await send(HTTPResponseStartEvent(type="http.response.start", status=status, headers=[*headers, *length]))
    await send(HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False))

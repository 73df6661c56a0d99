"""A server whose pages are below a path of its name, such as ``/ratings``.

Pages, handlers and the store know addresses without it: it is taken from what is asked, and given to what is answered.
A proxy passes addresses on as they are.
"""

import re
from contextvars import ContextVar
from typing import cast

from litestar.enums import ScopeType
from litestar.types import (
    ASGIApp,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    Message,
    Receive,
    Scope,
    Send,
)

ROOT: ContextVar[str] = ContextVar("root", default="")
"""The path below which the pages of the request are, without a slash at its end; empty: there is none."""
AT_ANY = ("/health", "/ready")
"""Found with and without the path: those who ask may not know it."""
FOUND_ELSEWHERE, NOT_FOUND = 303, 404
_LINK = re.compile(r'(\s(?:href|action|src|data-players|data-why)=")/(?!/)')
"""A quotation mark of what people wrote is escaped in HTML, so that only attributes are meant."""


def below_root(address: str) -> str:
    """Return an address of this server as browsers know it."""
    return ROOT.get() + address


def linked(page: str) -> str:
    """Return the HTML of a page whose links lead to addresses as browsers know them."""
    root = ROOT.get()
    return _LINK.sub(rf"\1{root}/", page) if root else page


class AtRoot:
    """Serves an application below a path.

    Args:
        app: the application, which knows nothing of it.
        root: the path, of letters that need no code in an address, without a slash at its end.
    """

    def __init__(self, app: ASGIApp, root: str) -> None:
        self._app, self._root = app, root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by the application, or say where it is."""
        if scope["type"] != ScopeType.HTTP or scope["path"] in AT_ANY:
            await self._app(scope, receive, send)
            return
        path, raw, root = scope["path"], scope.get("raw_path", b""), self._root
        if not path.startswith(f"{root}/") or not raw.startswith(f"{root}/".encode()):
            await _elsewhere(send, f"{root}/", is_near=path in {"/", root})
            return
        scope["path"], scope["raw_path"] = path.removeprefix(root), raw.removeprefix(root.encode())
        # What Litestar makes whole addresses of.
        cast("dict[str, object]", scope)["app_root_path"] = root
        ROOT.set(root)

        async def send_below(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [_below(root, *header) for header in message["headers"]]
            await send(message)

        await self._app(scope, receive, send_below)


def _below(root: str, name: bytes, value: bytes) -> tuple[bytes, bytes]:
    within = name == b"location" and value.startswith(b"/") and not value.startswith(b"//")
    return name, root.encode() + value if within else value


async def _elsewhere(send: Send, place: str, *, is_near: bool) -> None:
    status, headers = NOT_FOUND, [(b"content-type", b"text/plain"), (b"x-content-type-options", b"nosniff")]
    if is_near:
        status, headers = FOUND_ELSEWHERE, [*headers, (b"location", place.encode())]
    body = f"The pages of this server are below {place}.\n".encode()
    await send(HTTPResponseStartEvent(type="http.response.start", status=status, headers=headers))
    await send(HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False))

"""Ids as parts of addresses: whatever letters they have, an address with one leads to its page.

A server decodes an address before it is routed, so that a slash in an id would part it. `WholeParts` keeps such parts
together until a route is found, and `DecodedParts` gives handlers the id.
"""

from typing import cast
from urllib.parse import quote, unquote

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

_DECODED = "ratebook_decoded"


def part(text: str) -> str:
    """Return a text as one part of an address.

    >>> part("2026/3"), part("90000012")
    ('2026%2F3', '90000012')
    """
    return quote(text, safe="")


class WholeParts:
    """Leaves slashes and percent signs in the parts of an address encoded until it is routed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Route a request."""
        raw = scope.get("raw_path", b"") if scope["type"] == ScopeType.HTTP else b""
        if b"%25" in raw or b"%2f" in raw.lower():
            parts = raw.partition(b"?")[0].decode("latin-1").split("/")
            scope["path"] = "/".join(map(_kept_whole, parts))
            cast("dict[str, object]", scope)[_DECODED] = False
        await self._app(scope, receive, send)


class DecodedParts(ASGIMiddleware):
    """Gives handlers the parts of an address as they are meant, after it was routed."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Decode what `WholeParts` left."""
        if cast("dict[str, object]", scope).get(_DECODED) is False:
            scope["path_params"] = {
                name: value.replace("%2F", "/").replace("%25", "%") if isinstance(value, str) else value
                for name, value in scope["path_params"].items()
            }
        await next_app(scope, receive, send)


def _kept_whole(text: str) -> str:
    return unquote(text).replace("%", "%25").replace("/", "%2F")

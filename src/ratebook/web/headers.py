"""Headers of every answer: what a browser may do with it (OWASP ASVS 5.0, 3.4), and under which names it is asked."""

import re
from collections.abc import Collection

from litestar.datastructures import Headers, MutableScopeHeaders
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

from ratebook.findings import Place, finding
from ratebook.web.api.problems import MEDIA_TYPE as PROBLEM
from ratebook.web.api.problems import PREFIX as PROGRAMS
from ratebook.web.api.problems import Refusal, problem_body

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing from elsewhere, and nothing inline: neither scripts nor styles."""

PORT, LAST_PORT = re.compile(r":([0-9]{0,5})\Z"), 65_535

ANY_HOST = "any_host"
"""The mark of a handler that may be asked by any name: nothing in its answer is made from the name."""

SECURITY = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""Where an answer does not say that it may be kept, it may not."""
ALONE = {"content-security-policy": "default-src 'none'; sandbox"}
"""Of a file that somebody has given: opened by itself, it is a page that may do nothing."""
STRICT_TRANSPORT = "strict-transport-security"
YEAR = "max-age=31536000"
OPEN = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, HEAD, OPTIONS",
    "access-control-allow-headers": "Accept, If-None-Match, If-Range, Range",
    "access-control-expose-headers": (
        "Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-ID"
    ),
    "access-control-max-age": "86400",
    "cross-origin-resource-policy": "cross-origin",
}
"""Of answers to programs, which may run in browsers (CORS)."""


class SecurityHeaders:
    """Adds the headers to every answer, those of errors too.

    Args:
        over_tls: a proxy speaks TLS for the server.
        subdomains: names below the server's have TLS too, and browsers may hold to that.
    """

    def __init__(self, *, over_tls: bool = False, subdomains: bool = False) -> None:
        strict = f"{YEAR}; includeSubDomains" if subdomains else YEAR
        self.headers = SECURITY | ({STRICT_TRANSPORT: strict} if over_tls else {})

    async def __call__(self, message: Message, _: Scope) -> None:
        """Add them to the beginning of an answer."""
        if message["type"] == "http.response.start":
            given = MutableScopeHeaders.from_message(message)
            for name, value in self.headers.items():
                given.setdefault(name, value)


async def open_to_programs(message: Message, scope: Scope) -> None:
    """Let programs in browsers read the interface from every page of the web: it has no cookies and no secrets."""
    if message["type"] == "http.response.start" and scope["path"].startswith(PROGRAMS):
        MutableScopeHeaders.from_message(message).update(OPEN)


class KnownHosts(ASGIMiddleware):
    """Refuses requests under other names than those of this server, so that no page is made for a forged one."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(name.lower() for name in names)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Answer by *next_app*, or refuse."""
        host = Headers.from_scope(scope).get("host", "")
        port = PORT.search(host)
        possible = port is None or int(port[1] or 0) <= LAST_PORT
        known = possible and PORT.sub("", host).lower() in self._names
        if known or ANY_HOST in scope["route_handler"].opt:
            await next_app(scope, receive, send)
            return
        kind, body = "text/plain", b"This server has another name.\n"
        if scope["path"].startswith(PROGRAMS):
            kind = PROBLEM
            body = problem_body(scope["path"], 400, Refusal(finding("api-host-unknown", Place(input="Host"))))
        headers = [(b"content-type", kind.encode())]
        await send(HTTPResponseStartEvent(type="http.response.start", status=400, headers=headers))
        await send(HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False))

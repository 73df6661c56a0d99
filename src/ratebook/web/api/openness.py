"""Programs in browsers may read the interface from every page of the web (CORS): it has no cookies and no secrets."""

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

from ratebook.web.api.problems import PREFIX

OPEN = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, HEAD, OPTIONS",
    "access-control-allow-headers": "Accept, If-None-Match",
    "access-control-expose-headers": "ETag, Link, RateLimit, RateLimit-Policy, Retry-After",
    "access-control-max-age": "86400",
    "cross-origin-resource-policy": "cross-origin",
}


async def open_to_programs(message: Message, scope: Scope) -> None:
    """Add the headers to an answer of the interface."""
    if message["type"] == "http.response.start" and scope["path"].startswith(PREFIX):
        MutableScopeHeaders.from_message(message).update(OPEN)

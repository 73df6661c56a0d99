"""Headers of every answer: what a browser may do with it (OWASP ASVS 5.0, 3.4)."""

from litestar.datastructures import MutableScopeHeaders
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing from elsewhere, and nothing inline: neither scripts nor styles."""

SECURITY = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
OVER_TLS = {"strict-transport-security": "max-age=31536000"}


class SecurityHeaders(ASGIMiddleware):
    """Adds the headers to every answer, those of errors too; *over_tls* where a proxy speaks TLS for the server."""

    def __init__(self, *, over_tls: bool = False) -> None:
        self.headers = SECURITY | (OVER_TLS if over_tls else {})

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Answer by *next_app*, and send its answer with the headers."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableScopeHeaders.from_message(message)
                for name, value in self.headers.items():
                    given.setdefault(name, value)
            await send(message)

        await next_app(scope, receive, send_with_headers)

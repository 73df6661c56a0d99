"""Every request has an id, by which the log, a proxy and whoever asked can speak of it; and is told to who watches."""

import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import NamedTuple, TypeAlias

from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
"""Of the request that is answered; empty outside of one."""
HEADER = "x-request-id"
SECRET = re.compile(r"(/first-password/).+")
"""An address that lets in whoever knows it."""
NOT_SENT = 499
"""The status of an answer that was never begun, since who asked had gone."""
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class AnsweredRequest(NamedTuple):
    """What is told of a request.

    Attributes:
        path: what was asked, without the query and without what is secret.
        route: the page that answered, with names for the parts of its address; empty where there is none.
        client: from where; empty where that is not known.
        seconds: from the whole of its headers to the end of its answer.
    """

    id: str
    method: str
    path: str
    route: str
    status: int
    client: str
    seconds: float


Watcher: TypeAlias = Callable[[AnsweredRequest], None]


class WatchedRequests:
    """Serves an application whose requests have ids.

    Args:
        app: the application.
        new_id: makes an id that no other request has.
        now: gives seconds that never go back.
        watchers: are told of each request when it has been answered.
    """

    def __init__(
        self,
        app: ASGIApp,
        new_id: Callable[[], str],
        now: Callable[[], float],
        watchers: Iterable[Watcher] = (),
    ) -> None:
        self._app, self._new_id, self._now = app, new_id, now
        self._watchers = tuple(watchers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by the application."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        begun = self._now()
        from_proxy = Headers.from_scope(scope).get(HEADER, "")
        own = from_proxy if _ID.fullmatch(from_proxy) else self._new_id()
        REQUEST_ID.set(own)
        path, status = scope["path"], NOT_SENT

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableScopeHeaders.from_message(message)[HEADER] = own
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            route = scope.get("path_template", "")
            client = scope.get("client")
            answered = AnsweredRequest(
                id=own,
                method=scope["method"],
                path=SECRET.sub(r"\1...", path),
                route=route,
                status=status,
                client=client[0] if client else "",
                seconds=self._now() - begun,
            )
            for watcher in self._watchers:
                watcher(answered)

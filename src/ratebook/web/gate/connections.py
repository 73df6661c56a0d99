"""Connections that bring a request too slowly are closed, so that a server needs no proxy to be rid of them."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS, BODY_SECONDS = 15.0, 120.0
"""How long the headers of a request may take, and then its body: 8 MB by a line of half a megabit a second."""
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
OVER_SOCKET = "socket"
"""The name of who connects to a socket in a file, which has no address: so it can be trusted as a proxy."""
PATIENCE = {h11.IDLE: HEADER_SECONDS, h11.SEND_BODY: BODY_SECONDS}
"""By what a connection waits for; once a request is whole, it waits for the server."""


class BoundedConnection(H11Protocol):
    """A connection as uvicorn has it, that is closed when headers or bodies take too long."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(*given, **named)
        self._waits_for: object = None
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self.client = self.client or (OVER_SOCKET, 0)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._stop()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Take what has come, and wait for the rest of it."""
        super().handle_events()
        self._wait()

    def on_response_complete(self) -> None:
        """Wait for the next request; uvicorn ends the connection where nothing of it comes soon."""
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        """Set a deadline where another part of a request is waited for than before."""
        state = self.conn.their_state
        if state is self._waits_for or self.transport.is_closing():
            return
        self._stop()
        if state in PATIENCE:
            self._waits_for = state
            self._deadline = self.loop.call_later(PATIENCE[state], self._give_up)

    def _stop(self) -> None:
        self._waits_for = None
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        waited_for = self._waits_for
        self._stop()
        if self.flow.read_paused:
            # The server itself lets the body wait.
            self._wait()
        elif not self.transport.is_closing():
            if waited_for is h11.SEND_BODY and self.cycle.response_started:
                self.transport.abort()
                return
            self.transport.write(TOO_SLOW)
            self.transport.close()

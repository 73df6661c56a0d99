"""Connections that bring a request too slowly are closed, and others are not: no test waits for a clock."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import uvicorn
from uvicorn.server import ServerState

from ratebook.web.gate import connections
from ratebook.web.gate.connections import BODY_SECONDS, HEADER_SECONDS, BoundedConnection
from support.web.served import served

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

REQUEST = b"POST /sign-in HTTP/1.1\r\nhost: ratings.example\r\ncontent-length: 4\r\n\r\n"


class Timer(NamedTuple):
    """Something that a loop was to do later."""

    seconds: float
    work: Callable[[], None]
    loop: Loop

    def cancel(self) -> None:
        self.loop.timers.remove(self)


class Task:
    """The work of a server that has not begun."""

    def add_done_callback(self, _: object) -> None:
        pass


class Loop:
    """A loop that does nothing later by itself."""

    def __init__(self) -> None:
        self.timers: list[Timer] = []

    def call_later(self, seconds: float, work: Callable[[], None]) -> Timer:
        timer = Timer(seconds, work, self)
        self.timers.append(timer)
        return timer

    def create_task(self, work: Coroutine[Any, Any, None]) -> Task:
        work.close()
        return Task()


class Wire(asyncio.Transport):
    """What a client gets, and whether the connection was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class Client(NamedTuple):
    """A client of a connection whose moments the test chooses."""

    connection: BoundedConnection
    wire: Wire
    loop: Loop

    @property
    def deadlines(self) -> list[float]:
        """Return after how many seconds the connection is to be closed."""
        return [timer.seconds for timer in self.loop.timers]

    def sends(self, data: bytes) -> None:
        self.connection.data_received(data)

    def waits(self) -> None:
        """Let the time of the one deadline pass."""
        (timer,) = self.loop.timers
        timer.work()


async def _no_one(_scope: object, _receive: object, _send: object) -> None:
    """Answer nothing."""


@pytest.fixture
def client() -> Client:
    config = uvicorn.Config(_no_one, log_level="error", access_log=False, proxy_headers=False)
    loop, wire = Loop(), Wire()
    connection = BoundedConnection(config, ServerState(), {}, loop)
    connection.connection_made(wire)
    return Client(connection, wire, loop)


@pytest.mark.parametrize("beginning", [b"", b"G", REQUEST[:-2]])
def test_headers_that_do_not_come_close_the_connection(client: Client, beginning: bytes) -> None:
    for at in range(len(beginning)):
        client.sends(beginning[at : at + 1])
    assert client.deadlines == [HEADER_SECONDS]
    client.waits()
    assert client.wire.closed
    assert client.wire.written.startswith(b"HTTP/1.1 408 ")


def test_a_body_that_does_not_come_closes_the_connection(client: Client) -> None:
    client.sends(REQUEST)
    client.sends(b"a=")
    assert client.deadlines == [BODY_SECONDS]
    client.waits()
    assert client.wire.closed
    assert client.wire.written.startswith(b"HTTP/1.1 408 ")


def test_a_request_that_came_waits_for_the_server_as_long_as_that_takes(client: Client) -> None:
    client.sends(REQUEST + b"a=bc")
    assert client.deadlines == []


def test_a_body_that_the_server_lets_wait_is_not_too_slow(client: Client) -> None:
    client.sends(REQUEST.replace(b": 4", b": 1000000") + b"a" * 100_000)
    client.waits()
    assert not client.wire.closed
    assert client.deadlines == [BODY_SECONDS]
    client.connection.flow.resume_reading()
    client.waits()
    assert client.wire.closed


def test_a_connection_that_ends_is_waited_for_no_more(client: Client) -> None:
    client.connection.connection_lost(None)
    assert client.deadlines == []


@pytest.mark.parametrize("beginning", [b"", b"GET / HTTP/1.1\r\n", REQUEST])
def test_a_server_ends_what_is_too_slow(monkeypatch: pytest.MonkeyPatch, beginning: bytes) -> None:
    """The time is over as soon as it begins, so the client has only to read to the end."""
    monkeypatch.setattr(connections, "PATIENCE", dict.fromkeys(connections.PATIENCE, 0.0))

    async def reads(scope: Any, receive: Any, _send: Any) -> None:  # noqa: ANN401 - as ASGI has them
        while scope["type"] == "http" and (await receive())["type"] != "http.disconnect":
            pass

    with served(reads, lifespan="off") as address:
        host, _, port = address.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(beginning)
            assert connection.makefile("rb").read().startswith(b"HTTP/1.1 408 ")

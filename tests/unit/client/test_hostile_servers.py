"""A server that wants a program no good: listings, answers and waits have an end, and errors say only text."""

from __future__ import annotations

import gzip
import json
import logging
import tracemalloc
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.client import Client, ServerError
from ratebook.client.connection import ATTEMPTS, LONGEST_WAIT, MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ESCAPES = "\x1b[31m"
TURNED = "\N{RIGHT-TO-LEFT OVERRIDE}"
EVIL = (ESCAPES, TURNED, "\x9b31m", "\r", "\0")


class Handler(BaseHTTPRequestHandler):
    """Answers as the server says."""

    protocol_version = "HTTP/1.1"
    server: Hostile

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.server.answer(self)

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Hostile(ThreadingHTTPServer):
    """A server on a port of its own."""

    daemon_threads = True

    def __init__(self, answer: Callable[[Handler], object]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.asked: list[str] = []

    def handle_error(self, *_: object) -> None:
        """Say nothing: that a client hangs up is what is tested."""

    @property
    def address(self) -> str:
        """Return its address."""
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def hostile(answer: Callable[[Handler], object]) -> Iterator[Hostile]:
    """Give a server that answers every request so."""
    server = Hostile(answer)
    thread = Thread(target=server.serve_forever, args=[0.01], daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def refused(
    answer: Callable[[Handler], object], ask: Callable[[Client], object] = Client.book
) -> ServerError:
    """Return the error with which a client answers such a server."""
    with hostile(answer) as server, Client(server.address) as client, pytest.raises(ServerError) as failure:
        ask(client)
    return failure.value


def part(following: Callable[[int], str], **items: Any) -> Callable[[Handler], object]:  # noqa: ANN401 - of JSON
    """Return an answer that is one more part of a listing."""
    return lambda to: to.send(
        200, json.dumps({"items": [items] if items else [], "next": following(len(to.server.asked))}).encode()
    )


PLAYER = {"id": "1", "name": "EXAMPLE", "state": "", "federation": "", "club": "", "title": ""}


@pytest.mark.parametrize(
    ("answer", "requests"),
    [
        (part(lambda _: "x", **PLAYER), 2),
        (part(lambda at: "xy"[at % 2], **PLAYER), 3),
        (part(lambda _: "x"), 1),
        (part(lambda at: f"x{at}"), 1),
    ],
    ids=["the same cursor", "a circle", "empty parts", "empty parts with new cursors"],
)
def test_a_listing_that_leads_in_a_circle_ends(answer: Callable[[Handler], object], requests: int) -> None:
    with hostile(answer) as server, Client(server.address) as client:
        with pytest.raises(ServerError, match="comes a second time"):
            list(client.players())
        assert len(server.asked) == requests


def test_a_small_body_that_unpacks_to_a_huge_one_is_given_up_at_the_bound() -> None:
    bomb = gzip.compress(b"[" + b" " * (8 * MOST_BYTES), 1)
    assert len(bomb) < MOST_BYTES / 10
    tracemalloc.start()
    try:
        error = refused(lambda to: to.send(200, bomb, content_encoding="gzip"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "longer than" in str(error)
    # The body and its last part, while they are put together.
    assert peak < 4 * MOST_BYTES


def test_a_body_without_end_is_given_up_at_the_bound() -> None:
    ended = Event()

    def answer(to: Handler) -> None:
        to.send_response(200)
        to.send_header("transfer-encoding", "chunked")
        to.end_headers()
        to.close_connection = True
        try:
            while True:
                to.wfile.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
        except OSError:
            ended.set()

    assert "longer than" in str(refused(answer))
    # The client has hung up.
    assert ended.wait(600)


@pytest.mark.parametrize(
    ("body", "packing"),
    [(b"{}", "gzip"), (b"{}", "br"), (gzip.compress(b"{}" * 99)[:20], "gzip")],
    ids=["not packed", "packed otherwise", "cut off"],
)
def test_a_body_that_cannot_be_unpacked_is_no_answer(body: bytes, packing: str) -> None:
    error = refused(lambda to: to.send(200, body, content_encoding=packing))
    assert (error.status, error.problem.title) == (0, "This is no answer of a server of ratings")


@pytest.mark.parametrize(
    ("field", "evil"),
    [*(("detail", one) for one in EVIL), *((one, ESCAPES) for one in ("title", "remedy", "code", "message"))],
)
def test_an_error_with_control_characters_is_only_its_status(field: str, evil: str) -> None:
    problem = {"type": "x", "title": "No", "status": 404, "detail": "d", "instance": "/", "code": "c"}
    finding = {"code": "c", "severity": "error", "where": "w", "message": "m", "remedy": "r"}
    if field == "message":
        finding |= {field: evil}
    else:
        problem |= {field: evil}
    body = json.dumps({**problem, "findings": [finding]}).encode()
    error = refused(lambda to: to.send(404, body))
    assert (error.status, error.code) == (404, "")
    assert str(error) == "Not Found"


def test_no_word_of_a_wrong_answer_reaches_a_terminal_as_it_is() -> None:
    player = {**PLAYER, "ratings": [{"system": ESCAPES}]}
    error = refused(lambda to: to.send(200, json.dumps(player).encode()), lambda client: client.player("1"))
    assert ESCAPES[0] not in str(error)


def waiting(seconds: str, status: int = 429) -> Callable[[Handler], object]:
    return lambda to: to.send(status, b"{}", retry_after=seconds)


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("seconds", "waits"),
    [("1", ATTEMPTS - 1), ("50", 2), ("120", 1), ("121", 0), ("9" * 400, 0), ("soon", 0), ("-1", 0)],
)
def test_all_waits_for_an_answer_together_are_bounded_and_in_the_log(
    seconds: str, waits: int, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    waited: list[float] = []
    caplog.set_level(logging.INFO, logger="ratebook.client")
    with hostile(waiting(seconds, status)) as server, Client(server.address, wait=waited.append) as client:
        with pytest.raises(ServerError) as failure:
            client.book()
        assert len(server.asked) == waits + 1
    assert failure.value.status == status
    assert waited == [float(seconds) for _ in range(waits)]
    assert sum(waited) <= LONGEST_WAIT
    lines = [(one.levelname, one.getMessage()) for one in caplog.records if one.name == "ratebook.client"]
    level = "INFO" if seconds == "1" else "WARNING"
    assert lines == [(level, f"waiting {seconds} seconds, as the server asks, for GET /book")] * waits


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("body", [b"<html>", b'{"name": "\xff"}', b'{"x": ' + b"[" * 100_000])
def test_a_server_that_is_none_of_ratings_is_an_error(status: int, body: bytes) -> None:
    error = refused(lambda to: to.send(status, body))
    no_answer = (0, "This is no answer of a server of ratings")
    assert (error.status, error.problem.title) == (
        no_answer if status == 200 else (status, "Internal Server Error")
    )


def test_a_server_that_is_away_is_an_error() -> None:
    with Client("http://127.0.0.1:9") as away, pytest.raises(ServerError, match="refused"):
        away.book()

"""How a server can be reached and watched: a socket in a file, its log, its figures."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from httpx import Client, HTTPTransport

from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.office.creation import create_book
from support.command_line import COMMAND, invoke

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no sockets in files"),
]


@pytest.fixture
def book(tmp_path: Path) -> str:
    """Give the place of a new book."""
    place = str(tmp_path / "league.book")
    create_book(place, Profile(name="Example League"), Actor("office", "2026-11-20T12:00:00Z")).close()
    return place


@contextmanager
def serving(book: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Give a server that listens, and that has ended by itself when the block is left."""
    command = [*COMMAND, "web", "--book", book, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline().startswith("Serving at ")
        try:
            yield server
        finally:
            server.send_signal(signal.SIGINT)


@contextmanager
def through(place: Path) -> Iterator[Client]:
    """Give a client that asks through a socket in a file."""
    with Client(transport=HTTPTransport(uds=str(place)), base_url="http://localhost", timeout=None) as client:  # noqa: S113 - tests have their own guard
        yield client


@pytest.mark.parametrize("how", [(), ("--serve", "public", "--workers", "2")], ids=["one", "two"])
def test_a_server_listens_at_a_socket_in_a_file(book: str, tmp_path: Path, how: tuple[str, ...]) -> None:
    place = tmp_path / "web.socket"
    with serving(book, "--uds", str(place), "--root-path", "/ratings", *how) as server:
        with through(place) as client:
            page = client.get("/ratings/")
            assert "Example League" in page.text
            file = re.search(r'href="(/ratings/static/[^"]+)"', page.text)
            assert file is not None
            assert client.get(file[1]).status_code == 200
        second = invoke("web", "--book", book, "--uds", str(place))
        assert second.exit_code == 1
        assert "[web-address-refused]" in second.output
        assert place.is_socket()
    assert server.returncode == 0
    assert not place.exists()


def test_a_socket_that_a_killed_server_has_left_is_taken_and_nothing_else(book: str, tmp_path: Path) -> None:
    left, file = tmp_path / "left.socket", tmp_path / "file"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(left))
    with serving(book, "--uds", str(left)), through(left) as client:
        assert client.get("/health").text == "ok\n"
    file.write_text("mine", encoding="utf-8")
    refused = invoke("web", "--book", book, "--uds", str(file))
    assert refused.exit_code == 1
    assert "[web-address-refused]" in refused.output
    assert file.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("path", ["ratings", "/a b", "//", "/a//b", "/ä"])
def test_a_path_that_no_address_can_have_is_refused(book: str, path: str) -> None:
    done = invoke("web", "--book", book, "--root-path", path)
    assert done.exit_code == 2, done.output
    assert "such as /ratings" in done.output

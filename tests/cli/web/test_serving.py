"""How a server can be reached and watched: a socket in a file, its log, its figures; and what it answers meanwhile."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from httpx import Client, HTTPTransport, get

from support.command_line import COMMAND, children, invoke
from support.hang_guard import wait_until
from support.web.served import NO_TLS

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no sockets in files"),
]


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
    transport = HTTPTransport(uds=str(place), verify=NO_TLS)
    with Client(transport=transport, base_url="http://localhost", timeout=None) as client:  # noqa: S113 - tests have their own guard
        yield client


def status_at(place: Path, path: str) -> int:
    """Return the status of an answer over a connection of its own, which any worker may take."""
    with through(place) as client:
        return client.get(path).status_code


def test_a_server_listens_at_a_socket_in_a_file_even_one_that_a_killed_server_has_left(
    book: str, tmp_path: Path
) -> None:
    place = tmp_path / "web.socket"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(place))
    with serving(book, "--uds", str(place), "--root-path", "/ratings") as server:
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


def test_a_file_that_is_no_socket_stays(book: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
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


def sample(figures: str, name: str) -> float:
    """Return the sum of all samples of a name."""
    return sum(float(line.rpartition(" ")[2]) for line in figures.splitlines() if line.startswith(name))


@pytest.mark.skipif(sys.platform != "linux", reason="reads the children of a process from /proc")
def test_no_request_is_lost_or_uncounted_while_workers_are_replaced_and_books_restored(
    book: str, tmp_path: Path
) -> None:
    """At a socket in a file; what workers counted that were replaced at SIGHUP stays counted."""
    assert invoke("web", "--book", book, "account", "add", "Ann Lee", "--role", "office").exit_code == 0
    place = tmp_path / "web.socket"
    how = ("--uds", str(place), "--metrics-port", "0", "--serve", "public", "--workers", "2", "--limit", "0")
    with subprocess.Popen(
        [*COMMAND, "web", "--book", book, *how], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        address = re.search(r"http://\S+/metrics", server.stdout.readline())
        assert address is not None
        assert server.stdout.readline().startswith("Serving at ")
        statuses = [status_at(place, "/players") for _ in range(10)]
        before = children(server)
        server.send_signal(signal.SIGHUP)

        def are_replaced() -> bool:
            statuses.append(status_at(place, "/players"))
            # A worker that has ended may be listed until the next starts, so those that are new are counted.
            return len(statuses) >= 20 and len(children(server) - before) >= 2

        wait_until(are_replaced)
        assert set(statuses) == {200}
        figures = get(address[0], timeout=None).text  # noqa: S113 - tests have their own guard
        counted = sample(figures, 'ratebook_requests_total{method="GET",page="/players",status="200"}')
        assert counted == len(statuses)
        assert sample(figures, "ratebook_ready ") == 1
        assert sample(figures, "ratebook_book_revision ") == 0
        # A book alone, and with its accounts.
        for group in ("book", "web"):
            backup = str(tmp_path / group)
            assert invoke(group, "--book", book, "backup", backup).exit_code == 0
            command = [*COMMAND, group, "--book", book, "restore", backup, "--yes"]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as restore:
                statuses.clear()

                def is_restored(restore: subprocess.Popen[bytes] = restore) -> bool:
                    statuses.append(status_at(place, "/players"))
                    return restore.poll() is not None

                wait_until(is_restored)
            assert restore.returncode == 0
            statuses.extend(status_at(place, "/players") for _ in range(10))
            assert set(statuses) == {200}
        assert status_at(place, "/office") == 404
        server.send_signal(signal.SIGINT)
    assert server.returncode == 0
    assert not place.exists()


def test_all_that_is_logged_is_json_if_asked_for_and_the_page_about_privacy_says_so(
    book: str, tmp_path: Path
) -> None:
    place = tmp_path / "web.socket"
    how = ("--uds", str(place), "--access-log", "--log-json", "--serve", "public")
    given = {"x-forwarded-for": "192.0.2.9", "x-request-id": "mine"}
    with serving(book, *how) as server, through(place) as client:
        page = client.get("/privacy?q=Heron", headers=given, follow_redirects=True)
        assert "keeps a list of requests" in page.text
        server.send_signal(signal.SIGINT)
        assert server.stderr is not None
        lines = [json.loads(line) for line in server.stderr.read().splitlines()]
    assert {line["request_id"] for line in lines} == {"mine"}
    assert lines[-1]["path"] == "/privacy"
    assert lines[-1]["client"] == "192.0.2.9"
    assert "Heron" not in str(lines)


def test_the_port_of_the_figures_may_be_taken(book: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = invoke("web", "--book", book, "--metrics-port", port)
    assert done.exit_code == 1
    assert "[web-address-refused]" in done.output

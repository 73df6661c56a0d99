"""A server in a process of its own, which says how much of the processor it has used."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

import uvicorn
from benchmarks.web.books import TODAY

from ratebook.book.connection import open_book
from ratebook.cli.book.session import collect_seldom
from ratebook.web.app import create_app
from ratebook.web.site import Served, Site

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent.parent


class Server(NamedTuple):
    """Processes that serve one socket."""

    port: int
    processes: tuple[subprocess.Popen[str], ...]

    def seconds(self) -> float:
        """Return the seconds of the processor that the processes have used."""
        return sum(_asked(one) for one in self.processes)


def _asked(process: subprocess.Popen[str]) -> float:
    if process.stdin is None or process.stdout is None:
        raise AssertionError
    process.stdin.write("seconds\n")
    process.stdin.flush()
    return float(process.stdout.readline())


@contextmanager
def serving(place: str, processes: int = 1) -> Iterator[Server]:
    """Serve the public pages of the book at *place* by so many processes."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        command = [sys.executable, "-m", "benchmarks.web.server", place, str(listening.fileno())]
        started = tuple(
            stack.enter_context(
                subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    pass_fds=[listening.fileno()],
                    env={**os.environ, "PYTHONPATH": path},
                )
            )
            for _ in range(processes)
        )
        for one in started:
            stack.callback(one.terminate)
        yield Server(listening.getsockname()[1], started)


def main() -> None:
    """Serve as the parent process says, and answer each line that it writes."""
    place, descriptor = sys.argv[1:]
    with closing(open_book(place, read_only=True)) as book:
        app = create_app(Site(book, Served.PUBLIC, lambda: TODAY))
        collect_seldom()
        config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
        Thread(target=_answer, daemon=True).start()
        uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(descriptor))])


def _answer() -> None:
    for _ in sys.stdin:
        print(time.process_time(), flush=True)


if __name__ == "__main__":
    main()

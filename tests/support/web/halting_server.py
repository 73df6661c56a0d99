"""A server, run as a process of its own, whose re-ratings stop half way and say so: it is there to be killed.

Arguments: the book, and the web store.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING

from ratebook.book.connection import open_book
from ratebook.web.app import create_app
from ratebook.web.gate.gate import Gate
from ratebook.web.jobs.registry import KINDS, RERATE, rerate_as_seen
from ratebook.web.site import Served, Site
from ratebook.web.store.opening import open_store
from support.web.accounts import vault_for_tests
from support.web.federation import TODAY
from support.web.served import served

if TYPE_CHECKING:
    from ratebook.office.trials import Rerated
    from ratebook.web.jobs.kinds import Work

HALF = "half way"


def halting(work: Work) -> Rerated:
    """Rate again, but stop half way."""

    def progress(done: int, total: int) -> None:
        work.progress(done, total)
        if 2 * done >= total:
            sys.stdout.write(f"{HALF}\n")
            sys.stdout.flush()
            sys.stdin.read()

    return rerate_as_seen(work._replace(progress=progress))


if __name__ == "__main__":
    KINDS[RERATE] = KINDS[RERATE]._replace(run=halting)
    random_bytes = Random(1).randbytes  # noqa: S311 - no secrets here
    gate = Gate(open_store(sys.argv[2]), lambda: datetime.now(UTC), random_bytes, vault_for_tests())
    with served(create_app(Site(open_book(sys.argv[1]), Served.OFFICE, lambda: TODAY, gate))):
        sys.stdin.read()

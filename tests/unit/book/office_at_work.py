"""What one of several processes does with a book at the same time as others (tests/unit/book/test_many_processes.py).

Called with the place of a book and the work: ``send FIRST STEP`` submits and rates every STEP-th event from FIRST on,
``rerate`` rates again what waits until its input ends, ``read`` prints, until then, a digest of the current rows as it
sees them again and again.
"""

from __future__ import annotations

import hashlib
import select
import sys
from datetime import date, timedelta
from typing import TYPE_CHECKING

from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from support.book_reports import report, send
from support.office_round import ACTOR, final_state, opened

if TYPE_CHECKING:
    from ratebook.book.connection import Book
    from ratebook.model import Report

EVENTS = 8
MEMBERS = 8


def event(number: int) -> Report:
    """Return the report of an event; each has other players than the one before, and days do not follow numbers."""
    day = date(2026, 1, 3) + timedelta(days=7 * number % 40)
    players = [1 + (number + seat * (1 + number % 3)) % MEMBERS for seat in range(4)]
    players = list(dict.fromkeys(players))[: len(set(players)) // 2 * 2]
    rounds = [f"{'WL'[seat % 2]}{seat + 2 - seat % 2 * 2}" for seat in range(len(players))]
    control = ("G/90;d5", "G/45;d5", "G/5;d0")[number % 3]
    return report(
        day.isoformat(), players, rounds, event_id=f"{day:%Y%m%d}{number:04d}", time_control=control
    )


def digest_of(book: Book) -> str:
    """Return a digest of the current rows and of the hashes of what they were rated from."""
    state = final_state(book)
    return hashlib.sha256(repr([state["ledger"], state["hashes"]]).encode()).hexdigest()


def _asked_to_stop() -> bool:
    return bool(select.select([sys.stdin], [], [], 0)[0])


def main() -> None:
    """Do the work that the arguments say."""
    place, work, *numbers = sys.argv[1:]
    with opened(place) as book:
        if work == "send":
            for number in range(int(numbers[0]), EVENTS, int(numbers[1])):
                send(book, event(number), ACTOR)
                rate_ready(book, ACTOR)
        elif work == "rerate":
            while not _asked_to_stop():
                rerate(book, ACTOR)
        else:
            while not _asked_to_stop():
                print(digest_of(book), flush=True)  # noqa: T201 - what the test reads


if __name__ == "__main__":
    main()

"""An invented federation in a book, rated, corrected and with official lists: what the tests of pages look at."""

from __future__ import annotations

import shutil
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING

from ratebook.book.profile import Profile
from ratebook.cli.web.demo import send_waiting
from ratebook.demo.build import build_federation
from ratebook.office.creation import create_book
from ratebook.office.publish.lists import publish
from support.book_federation import (
    ACTOR,
    import_lists,
    make_corrections,
    send_reports,
    settle,
    written_federation,
)
from support.whole_run import alone_with

if TYPE_CHECKING:
    from pathlib import Path

MEMBERS, YEARS = 40, 1
TODAY = date(2021, 2, 10)
LISTS = ("2020-12", "2021-01", "2021-02")
PLAYER, OTHER, EVENT = "90000014", "90000006", "202005260001"
WRONG, LATE, READY = 32, 33, 34
"""Numbers of the submissions that wait."""


def federation_book(place: Path) -> Path:
    """Return the book of the federation in the folder *place*; it is made by the first who asks."""
    book = place / "federation.book"
    with alone_with(place / "federation.lock"):
        if not book.exists():
            _made(place / "making.book", place)
            (place / "making.book").rename(book)
    return book


def _made(path: Path, place: Path) -> None:
    federation = build_federation(MEMBERS, YEARS, seed=1)
    files = written_federation(federation, place / "federation")
    with closing(create_book(str(path), Profile(name="Example Federation"), ACTOR)) as book:
        import_lists(book, files)
        last = max(arrival.received for arrival in federation.arrivals)
        send_reports(book, files, list(range(len(federation.arrivals))), 1, last)
        settle(book)
        make_corrections(book, files)
        for month in LISTS:
            publish(book, month, TODAY, ACTOR)
        send_waiting(book, federation, TODAY, ACTOR)
    shutil.rmtree(files)

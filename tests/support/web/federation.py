"""An invented federation in a book, rated, corrected and with official lists: what the tests of pages look at."""

from __future__ import annotations

import shutil
from contextlib import closing
from datetime import date, timedelta
from typing import TYPE_CHECKING

from ratebook.book.profile import Profile
from ratebook.cli.web.demo import WRONG_ID
from ratebook.demo.build import build_federation
from ratebook.formats.native.write import stored_bytes
from ratebook.model import Event, Report
from ratebook.office.creation import create_book
from ratebook.office.publish.lists import publish
from ratebook.office.queue.submit import Incoming, submit
from ratebook.reports.load import load_bytes
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
    from collections.abc import Iterator
    from pathlib import Path

    from ratebook.book.connection import Book
    from ratebook.demo.values import InventedFederation

MEMBERS, YEARS = 40, 1
TODAY = date(2021, 2, 10)
LISTS = ("2020-12", "2021-01", "2021-02")
PLAYER, OTHER, EVENT = "90000006", "90000040", "202007210001"
CORRECTED = "202006260001"
"""An event of which a result was corrected."""
WRONG, LATE, READY = 31, 32, 33
"""Numbers of the submissions that wait."""
PLAYED = "202001080001"
"""The event whose players play again in the reports that wait."""
LAPSED = date(2020, 12, 31)
DAYS_AGO = {"EXAMPLE WRONG OPEN": 38, "EXAMPLE LATE OPEN": 31, "EXAMPLE READY OPEN": 10}


def federation_book(place: Path) -> Path:
    """Return the book of the federation in the folder *place*; it is made by the first who asks."""
    book = place / "federation.book"
    with alone_with(place / "federation.lock"):
        if not book.exists():
            _made(place / "making.book", place)
            (place / "making.book").rename(book)
    return book


def _made(path: Path, place: Path) -> None:
    federation = with_lapsed_memberships(build_federation(MEMBERS, YEARS, seed=1))
    files = written_federation(federation, place / "federation")
    with closing(create_book(str(path), Profile(name="Example Federation"), ACTOR)) as book:
        import_lists(book, files)
        last = max(arrival.received for arrival in federation.arrivals)
        send_reports(book, files, list(range(len(federation.arrivals))), 1, last)
        settle(book)
        make_corrections(book, files)
        for month in LISTS:
            publish(book, month, TODAY, ACTOR)
        send_waiting(book, federation)
    shutil.rmtree(files)


def played(federation: InventedFederation) -> Report:
    """Return the report of the event whose players play again."""
    return next(one.report for one in federation.arrivals if one.report.event.id == PLAYED)


def with_lapsed_memberships(federation: InventedFederation) -> InventedFederation:
    """Return *federation* with memberships of three players that end before they play again."""
    lapsed = {entry.player for entry in played(federation).sections[0].entries[:3]}
    return federation._replace(
        members=tuple(
            one._replace(expires=LAPSED) if one.facts.id in lapsed else one for one in federation.members
        ),
        memberships=tuple(
            one._replace(expires=min(one.expires, LAPSED)) if one.member in lapsed else one
            for one in federation.memberships
            if one.member not in lapsed or one.starts <= LAPSED
        ),
    )


def arriving_reports(federation: InventedFederation) -> Iterator[Report]:
    """Yield a late report in which the first seat has a wrong id, a late one that is right, and one that is in time."""
    report = played(federation)
    section = report.sections[0]
    for name, days in DAYS_AGO.items():
        end = TODAY - timedelta(days=days)
        entries, players = section.entries, dict(report.players)
        if "WRONG" in name:
            first = entries[0]
            entries = (first._replace(player=WRONG_ID), *entries[1:])
            players[WRONG_ID] = players.pop(first.player)._replace(id=WRONG_ID)
        now = section._replace(start=end, end=end, entries=entries)
        yield Report(Event(name=name, start=end, end=end), players, (now,))


def send_waiting(book: Book, federation: InventedFederation) -> None:
    """Send in the reports that the office finds in its queue; the warnings of one are accepted, so that it is ready."""
    for report in arriving_reports(federation):
        data, name = stored_bytes(report), f"{report.event.name}.json"
        accepted = ["all"] if "READY" in name else []
        submit(book, Incoming(load_bytes(data, name), name, TODAY, accepted=accepted), ACTOR)

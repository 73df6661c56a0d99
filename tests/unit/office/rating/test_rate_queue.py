"""Ratings do not depend on how many sections are rated in one transaction, and events stay whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.events import StoredSection
from ratebook.book.failures import refused
from ratebook.book.profile import Profile
from ratebook.book.submissions import Status, count_statuses
from ratebook.demo.build import build_federation
from ratebook.findings import Place
from ratebook.office.creation import create_book
from ratebook.office.rating import rate_queue
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.standings import rate_from
from ratebook.office.rating.verify import verify
from support.book_federation import ACTOR, import_lists, send_reports, settle, written_federation
from support.book_reports import add_members, report, send

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.book.connection import Book

ROUNDS = ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]
KEPT = ("runs", "postings", "ledger", "sections", "entries", "games", "norms", "titles", "audit")


def everything(book: Book) -> dict[str, list[tuple[object, ...]]]:
    with book.reading() as connection:
        tables = (schema.metadata.tables[name] for name in KEPT)
        return {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.c))]
            for table in tables
        }


def test_parts_of_any_size_write_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    federation = build_federation(30, 1, seed=8)
    place = written_federation(federation, tmp_path / "demo")
    rated = []
    for least in (1, 7, 200):
        monkeypatch.setattr(rate_queue, "LEAST_AT_ONCE", least)
        book = create_book(str(tmp_path / f"{least}.book"), Profile(name="Example Federation"), ACTOR)
        import_lists(book, place)
        # In two batches, so that reports of the second come late and members wait for a re-rating.
        order = range(len(federation.arrivals))
        send_reports(
            book, place, [*order[::2], *order[1::2]], 2, max(one.received for one in federation.arrivals)
        )
        rated.append(everything(book))
        settle(book)
        rated.append(everything(book))
        book.close()
    assert rated[:2] == rated[2:4] == rated[4:]


def test_sections_of_an_event_are_rated_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_queue, "LEAST_AT_ONCE", 2)
    monkeypatch.setattr(rate_queue, "MOST_AT_ONCE", 4)
    places = [("a", 1), ("b", 2), ("c", 2), ("d", 3), ("e", 4), ("f", 5), ("g", 4), ("h", 5), ("i", 4)]
    parts = list(rate_queue.parts_of(places, "z"))
    assert [[number for _, number in part.places] for part in parts] == [[1, 2, 2], [3, 4, 5, 4], [5, 4]]
    assert [part.before for part in parts] == ["d", "h", "z"]


def test_an_event_that_cannot_be_rated_stops_none_before_it(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_members(book, 4)
    for day in (1, 2, 3):
        send(book, report(f"2025-03-0{day}", [1, 2, 3, 4], ROUNDS), ACTOR)

    def fails_on_the_second_day(stored: StoredSection, *rest: object) -> object:
        if stored.section.end.day == 2:
            raise refused("rules-give-no-rating", Place(event=stored.event_id), failure="a try")
        return rate_from(stored, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as context:
        context.setattr(rate_queue, "rate_from", fails_on_the_second_day)
        with pytest.raises(Exception, match="give"):
            rate_ready(book, ACTOR)
    with book.reading() as connection:
        assert count_statuses(connection) == {Status.READY: 2, Status.RATED: 1}
    assert verify(book).findings == ()
    assert [posted.event_id[:8] for posted in rate_ready(book, ACTOR).posted] == ["20250302", "20250303"]
    assert verify(book).findings == ()
    assert rerate(book, ACTOR, everything=True).rated == 0

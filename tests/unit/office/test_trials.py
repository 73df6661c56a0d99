"""A trial of rating shows what rating would do; nothing of it is kept."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ratebook.book.connection import Actor
from ratebook.book.profile import read_federation
from ratebook.book.submissions import Status, status_of, waiting
from ratebook.checks import ReportedFacts
from ratebook.office.queue.submit import Incoming, accept_warnings, submit
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.trials import try_rating
from ratebook.pages.event import section_tables
from ratebook.reports.load import LoadedReport
from support.book_reports import add_members, current_ledger, report, send

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
ROUNDS = ("W2 D3", "L1 W4", "W4 D1", "L3 L2")
FIRST, SECOND = "202601030001", "202601100001"


def test_reports_are_tried_one_after_the_other_and_rated_so(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 4)
    for day, event in (("2026-01-03", FIRST), ("2026-01-10", SECOND), ("2026-01-17", "202601170001")):
        assert send(book, report(day, [1, 2, 3, 4], ROUNDS, event_id=event), ACTOR).status == "ready"
    trial = try_rating(book, [1, 2], ACTOR)
    assert [(one.event, one.section) for one in trial.tables] == [(FIRST, 1), (SECOND, 1)]
    assert current_ledger(book) == {}
    assert rate_ready(book, ACTOR, only=[1, 2]).posted == trial.rated.posted
    with book.reading() as connection:
        assert [one.id for one in waiting(connection)] == [3]
        federation = read_federation(connection)
        kept = [table for one in (FIRST, SECOND) for table in section_tables(connection, federation, one)]
    assert tuple(kept) == trial.tables


def test_warnings_are_taken_as_accepted_and_errors_are_not(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 4)
    late = report("2026-01-03", [1, 2, 3, 4], ROUNDS, event_id=FIRST)
    wrong = report("2026-01-10", [1, 2, 3, 9], ROUNDS, event_id=SECOND)
    loaded = LoadedReport(late, (), {}, ReportedFacts())
    assert submit(book, Incoming(loaded, "late.json", date(2026, 3, 1)), ACTOR).status == "held"
    assert send(book, wrong, ACTOR).status == "held"
    assert [one.event for one in try_rating(book, [1, 2], ACTOR).tables] == [FIRST]
    with book.reading() as connection:
        assert [status_of(connection, one) for one in (1, 2)] == [Status.HELD] * 2
    assert accept_warnings(book, {1: ["all"]}, ACTOR, "seen").statuses == {1: Status.READY}

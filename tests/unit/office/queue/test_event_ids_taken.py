"""Two reports never come to have one event id: not when they come in, nor when one is checked again or edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.book.connection import Actor
from ratebook.book.submissions import Status
from ratebook.checks import ReportedFacts
from ratebook.office.queue.submit import fix, recheck
from ratebook.reports.load import LoadedReport
from support.book_reports import add_members, report, send

if TYPE_CHECKING:
    from ratebook.book.connection import Book
    from ratebook.office.queue.submit import Submitted

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
ROUNDS = ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]
EVENT = "202503010001"


def errors(submitted: Submitted) -> list[str]:
    return [finding.code for finding in submitted.findings if finding.severity == "error"]


def test_an_event_id_that_is_taken_stays_taken_until_another_is_given(book: Book) -> None:
    add_members(book, 5)
    assert send(book, report("2025-03-01", [1, 2, 3, 4], ROUNDS, event_id=EVENT), ACTOR).status == "ready"
    other = report("2025-03-01", [1, 2, 3, 5], ROUNDS, event_id=EVENT)
    second = send(book, other, ACTOR)
    assert second.number is not None
    assert (second.status, errors(second)) == (Status.HELD, ["event-id-taken"])
    again = recheck(book, second.number, ACTOR)
    assert (again.status, errors(again)) == (Status.HELD, ["event-id-taken"])
    edited = report("2025-03-01", [1, 2, 4, 5], ROUNDS, event_id=EVENT)
    third = fix(book, second.number, LoadedReport(edited, (), {}, ReportedFacts()), "a.json", ACTOR)
    assert third.number is not None
    assert (third.status, errors(third)) == (Status.HELD, ["event-id-taken"])
    renamed = report("2025-03-01", [1, 2, 4, 5], ROUNDS, event_id="202503010002")
    loaded = LoadedReport(renamed, (), {}, ReportedFacts())
    last = fix(book, third.number, loaded, "a.json", ACTOR)
    assert (last.event_id, last.status, errors(last)) == ("202503010002", Status.READY, [])

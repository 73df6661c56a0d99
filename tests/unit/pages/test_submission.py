"""A submission as the office reads it: findings folded, the report beside the book, versions, the next one."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ratebook.book.connection import Actor
from ratebook.book.submissions import QueueFilter, Status, count_statuses
from ratebook.checks import ReportedFacts
from ratebook.findings import Finding, Place, finding
from ratebook.office.decisions.events import correct_member
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.queue.submit import Incoming, submit
from ratebook.pages.queue import queue_page
from ratebook.pages.submission import folded_now, submission_page
from ratebook.reports.load import LoadedReport
from ratebook.web.director.submissions import own_submissions
from ratebook.web.store.sendings import SentReport
from support.book_reports import add_members, member_id, report, send

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
ROUNDS = ("W2 D3", "L1 W4", "W4 D1", "L3 L2")


def test_findings_of_the_same_words_are_one_with_all_their_places() -> None:
    def missing(label: str, where: str) -> Finding:
        return finding("form-missing", Place(input=where), label=label)

    warning = finding("peak-missing", Place(players=("P1",)), system="regular")
    found = folded_now([warning, missing("A", "one"), missing("B", "two"), missing("A", "three")])
    places = [(one.first.message[:1], [str(place) for place in one.places]) for one in found]
    assert places[:2] == [("A", ["one", "three"]), ("B", ["two"])]
    assert found[2].places == (Place(players=("P1",)),)


def test_the_name_of_a_file_is_no_place() -> None:
    file = "section 1, seat 2.csv"
    (found,) = folded_now([finding("peak-missing", Place(file=file, line=3), system="regular")])
    assert str(found.places[0]) == f"{file}, line 3"
    assert found.places[0].known == {"file": file, "line": 3}


def test_the_name_of_the_file_of_a_submission_is_no_place(new_book: Callable[[], Book]) -> None:
    book, name = new_book(), "section 1, seat 2.csv"
    add_members(book, 4)
    note = finding("peak-missing", Place(file=name, line=3), system="regular")
    loaded = LoadedReport(report("2026-01-03", [1, 2, 3, 4], ROUNDS), (note,), {}, ReportedFacts())
    number = submit(book, Incoming(loaded, f"in/{name}", date(2026, 1, 3)), ACTOR).number
    assert number is not None
    with book.reading() as connection:
        page = submission_page(connection, number)
    (place,) = next(one.places for one in page.findings if one.first.code == "peak-missing")
    assert place == Place(file=name, line=3)


def test_a_report_stands_beside_the_book_with_its_versions(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 5)
    for day, last in (("2026-01-03", 9), ("2026-01-10", 4), ("2026-01-17", 9)):
        send(book, report(day, [1, 2, 3, last], ROUNDS, event_id=day.replace("-", "") + "0001"), ACTOR)
    with book.reading() as connection:
        page = submission_page(connection, 1)
    seats = {line.seat: line for line in page.sections[0].lines}
    assert (seats[1].known, seats[4].known) == (seats[1].name, None)
    assert (page.waits, page.next, page.line.errors) == (True, 3, 1)
    correct_member(book, SectionRef("", 1, 1), 4, member_id(5), Reason(ACTOR, "a slip", ("all",)))
    with book.reading() as connection:
        for number in (1, 4):
            page = submission_page(connection, number)
            assert [(one.id, one.status) for one in page.revisions] == [(1, "replaced"), (4, "ready")]
            assert [one.subject for one in page.entries][:2] == ["submission 1", "submission 4"]
        assert submission_page(connection, 3).next is None
        counts = count_statuses(connection)
        assert counts == {Status.READY: 2, Status.HELD: 1, Status.REPLACED: 1}
        asked = QueueFilter(text="202601170001")
        assert [line.number for line in queue_page(connection, asked)] == [3]
        pages = [QueueFilter(most=2, page=number) for number in (1, 2)]
        assert [[line.number for line in queue_page(connection, one)] for one in pages] == [[4, 2], [3]]


def test_reports_of_a_sender_stand_by_the_days_on_which_they_came(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 5)
    for day in ("2026-01-10", "2026-01-03", "2026-01-17"):
        send(book, report(day, [1, 2, 3, 4], ROUNDS, event_id=day.replace("-", "") + "0001"), ACTOR)
    sent = {number: SentReport(number, "2026-01-18T12:00:00Z", None) for number in (1, 2, 3)}
    with book.reading() as connection:
        assert [line.number for line in queue_page(connection, QueueFilter())] == [2, 1, 3]
        own = own_submissions(connection, sent, 10, date(2026, 1, 18))
    assert [each.newest.id for each in own] == [3, 1, 2]

"""What was found when a file was read goes once the office has settled it, and only then."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ratebook.book.connection import Actor
from ratebook.book.submissions import read_findings
from ratebook.office.decisions.events import GameResult, correct_member, correct_result
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.queue.submit import Incoming, recheck, submit
from ratebook.reports.load import load_bytes
from support.book_reports import add_members, member_id

if TYPE_CHECKING:
    from ratebook.book.connection import Book
    from ratebook.office.decisions.revision import DecisionResult

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
BECAUSE = Reason(ACTOR, "the wall chart says so")


def of_file(book: Book, number: int) -> dict[str, str]:
    """Return the messages of what was found in reading, by code and place."""
    with book.reading() as connection:
        stored = [one.finding for one in read_findings(connection, number)]
    return {
        f"{one.code} {one.place.seats}": one.message
        for one in stored
        if one.code in {"id-missing", "total-differs"}
    }


def newest(decided: DecisionResult) -> int:
    """Return the number of the report that a decision made."""
    return int(decided.changes[-1].split(" -> report ")[1].partition(",")[0])


def test_a_total_and_an_id_that_the_office_settled_are_said_no_more(book: Book) -> None:
    add_members(book, 5)
    rows = (
        f"1,A,{member_id(1)},W4,D2,W3,2.5",
        f"2,B,{member_id(2)},W3,D1,W4,2.5",
        "3,C,,L2,W4,L1,1",
        f"4,D,{member_id(4)},L1,L3,W2,0",
        "5,E,,B,,,1",
    )
    text = "\n".join(
        ["Last day,2026-06-15", "Time control,G/90;d5", "No,Name,ID,Rd 1,Rd 2,Rd 3,Total", *rows]
    )
    loaded = load_bytes(text.encode(), "monday.csv")
    submitted = submit(book, Incoming(loaded, "monday.csv", date(2026, 6, 16)), ACTOR)
    assert submitted.number is not None
    assert of_file(book, submitted.number).keys() == {"id-missing (3, 5)", "total-differs (4,)"}
    at = SectionRef(submitted.event_id, 1, submitted.number)
    seated = newest(correct_member(book, at, 3, member_id(3), BECAUSE))
    assert of_file(book, seated).keys() == {"id-missing (5,)", "total-differs (4,)"}
    drawn = newest(correct_result(book, at._replace(submission=seated), GameResult(4, 3, "D", "D"), BECAUSE))
    assert of_file(book, drawn)["total-differs (4,)"].endswith("the results add up to 0.5.")
    lost = newest(correct_result(book, at._replace(submission=drawn), GameResult(4, 3, "L", "W"), BECAUSE))
    assert of_file(book, lost).keys() == {"id-missing (5,)"}
    last = newest(correct_member(book, at._replace(submission=lost), 5, member_id(5), BECAUSE))
    assert of_file(book, last) == {}
    recheck(book, last, ACTOR)
    assert of_file(book, last) == {}

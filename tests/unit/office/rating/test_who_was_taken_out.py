"""States that were read of a member must not outlive a section that was passed by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.book.connection import Actor
from ratebook.office.decisions.events import correct_member, correct_time_control
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import Pace, rerate
from ratebook.office.rating.verify import verify
from support.book_reports import add_members, report, send

if TYPE_CHECKING:
    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
BECAUSE = Reason(ACTOR, "a try", ["all"])
SECTION_BY_SECTION = Pace(first_part=1, whole_part=2.0)


def test_who_was_taken_out_of_a_section_starts_the_next_one_from_where_he_stands(book: Book) -> None:
    """Member 1 is looked at in January without a change, plays in February, and never played in March."""
    add_members(book, 5)
    for day, other in (("2026-01-10", 2), ("2026-02-10", 3), ("2026-03-10", 4), ("2026-04-10", 2)):
        one = report(day, [1, other], ["W2", "L1"], event_id=day.replace("-", "") + "0001")
        send(book, one, ACTOR)
    rate_ready(book, ACTOR)
    # The pace is no part of a rating's inputs: the section is looked at, and nothing changes.
    correct_time_control(book, SectionRef("202601100001", 1), "G/100;d5", BECAUSE)
    correct_member(book, SectionRef("202603100001", 1), 1, "90000005", BECAUSE)
    difference = rerate(book, ACTOR, pace=SECTION_BY_SECTION)
    assert difference.rated == 2
    assert verify(book).findings == ()
    assert rerate(book, ACTOR, everything=True).rated == 0

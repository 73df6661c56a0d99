"""Players who sat in a section without a game of their own: what comes late before it reaches them all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from book_reports import add_members, report, send
from office_round import ACTOR, half_done
from ratebook.desk.post import rate_ready
from ratebook.desk.rerate import rerate

if TYPE_CHECKING:
    from ratebook.book.connect import Book
    from ratebook.model import Report


def rate_late(book: Book, later: Report, earlier: Report) -> None:
    """Rate *later*, then *earlier*, then everything again that waits."""
    add_members(book, 4)
    for one in (later, earlier):
        send(book, one, ACTOR)
        rate_ready(book, ACTOR)
    rerate(book, ACTOR)


def test_who_had_nothing_but_a_bye_is_not_read(book: Book) -> None:
    later = report("2026-01-10", [1, 2, 3], ["W2", "L1", "H"], event_id="202601100001")
    earlier = report("2026-01-03", [3, 4], ["W2", "L1"], event_id="202601030001")
    rate_late(book, later, earlier)
    assert half_done(book) == []


def test_who_is_named_by_an_opponent_alone_is_read(book: Book) -> None:
    later = report("2026-01-10", [1, 2], ["N2", "U"], event_id="202601100001")
    earlier = report("2026-01-03", [2, 3], ["W2", "L1"], event_id="202601030001")
    rate_late(book, later, earlier)
    assert half_done(book) == []

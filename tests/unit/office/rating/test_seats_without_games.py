"""Players who sat in a section without a game of their own: what comes late before it reaches them all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.book.events import read_sections
from ratebook.model import ForeignRating, PlayerFacts, SectionType
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from support.book_reports import add_members, report, send
from support.office_round import ACTOR, half_done

if TYPE_CHECKING:
    from ratebook.book.connection import Book
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


def abroad(day: str, event_id: str) -> Report:
    """Return the report of a foreign FIDE event, in which member 1 drew with somebody who is no member."""
    sheet = report(day, [1, 2], ["D2", "D1"], event_id=event_id, kind=SectionType.FIDE)
    section = sheet.sections[0]
    mine, theirs = section.entries
    opponent = PlayerFacts("FIDE79000001", "EXAMPLE, OPPONENT", fide=ForeignRating(2000.0))
    entries = (mine._replace(update=True), theirs._replace(player=opponent.id))
    players = {mine.player: sheet.players[mine.player], opponent.id: opponent}
    return sheet._replace(players=players, sections=(section._replace(entries=entries),))


def test_opponents_abroad_are_no_members_and_wait_for_nothing(book: Book) -> None:
    rate_late(book, abroad("2026-01-10", "202601100001"), abroad("2026-01-03", "202601030001"))
    with book.reading() as connection:
        sections = [stored.event_id for stored in read_sections(connection)]
    assert sections == ["202601030001", "202601100001"]
    assert [one.code for one in verify(book).findings if one.severity == "error"] == []

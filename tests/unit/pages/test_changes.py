"""What anyone may read of corrections and re-ratings: figures and kinds, never reasons or names of officials."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import Actor
from ratebook.book.ledger.changes import first_rated
from ratebook.book.profile import read_federation
from ratebook.model import Shown, System
from ratebook.office.decisions.adjustments import Adjustment, adjust
from ratebook.office.decisions.events import GameResult, correct_result, undo
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.pages.changes import (
    OTHERWISE,
    changes_of_section,
    changes_page,
    event_changes,
    kind_words,
    what_waits,
)
from ratebook.pages.member import history
from ratebook.web.public.events import status_words
from support.book_reports import add_members, member_id, open_at, report, send

if TYPE_CHECKING:
    from ratebook.book.connection import Book, Connection
    from ratebook.records.players import PlayerChange
    from unit.templates import BookAfter

ACTOR = Actor("A. OFFICIAL", "2026-11-20T12:00:00Z")
WHY = Reason(ACTOR, "a PRIVATE word", ["all"])
JANUARY, FEBRUARY = "202601100001", "202602100001"
ALL = 100


@pytest.fixture
def office(book_after: BookAfter) -> Book:
    """A book in which three rated players played in January and in February."""
    return book_after(play_two_months)


def play_two_months(book: Book) -> None:
    add_members(book, 4)
    for number, rating in ((1, 1700.0), (2, 1750.0), (3, 1600.0)):
        open_at(book, number, rating, ACTOR, peak=rating)
    for event, rounds in ((JANUARY, "W2 D3 H;L1 H W3;H D1 L2"), (FEBRUARY, "W2;L1")):
        day = f"{event[:4]}-{event[4:6]}-{event[6:8]}"
        seats = rounds.split(";")
        send(book, report(day, range(1, len(seats) + 1), seats, event_id=event), ACTOR)
        rate_ready(book, ACTOR)


def correct(book: Book) -> int:
    """Turn the win of the first player in January into a draw."""
    decision = correct_result(book, SectionRef(JANUARY, 1), GameResult(1, 1, "D"), WHY).decision
    assert decision is not None
    return decision


def ratings(connection: Connection, number: int = 1) -> list[Shown]:
    lines = history(connection, read_federation(connection), member_id(number), [System.REGULAR])
    return [one.after for one in lines]


def changes(connection: Connection, most: int = ALL, before: int | None = None) -> tuple[PlayerChange, ...]:
    federation = read_federation(connection)
    return changes_page(connection, federation, member_id(1), before=before, most=most).lines


def test_a_correction_is_told_by_its_kind_with_the_former_ratings(office: Book) -> None:
    with office.reading() as connection:
        before = ratings(connection)
        assert changes(connection) == ()
    correct(office)
    rerate(office, ACTOR)
    with office.reading() as connection:
        after = ratings(connection)
        found = changes(connection)
        of_section = changes_of_section(connection, read_federation(connection), member_id(1), JANUARY, 1)
    assert [(one.event, one.was, one.then) for one in found] == [
        (FEBRUARY, before[1], after[1]),
        (JANUARY, before[0], after[0]),
    ]
    assert [[each.text for each in one.because] for one in found] == [
        ["a result was corrected in EXAMPLE OPEN"],
        ["a result was corrected"],
    ]
    assert of_section == found[1:]
    assert {one.until for one in found} == {"2026-11-20"}
    assert not any(word in repr(found) for word in ("PRIVATE", "OFFICIAL"))


def test_changes_are_read_part_by_part(office: Book) -> None:
    correct(office)
    rerate(office, ACTOR)
    with office.reading() as connection:
        federation = read_federation(connection)
        first = changes_page(connection, federation, member_id(1), most=1)
        second = changes_page(connection, federation, member_id(1), before=first.older, most=1)
        assert first.lines + second.lines == changes(connection)
    assert first.older is not None
    assert second.older is None


def test_an_event_says_what_was_decided_and_what_moved(office: Book) -> None:
    with office.reading() as connection:
        before = [ratings(connection, number)[0] for number in (1, 2, 3)]
    correct(office)
    with office.reading() as connection:
        assert event_changes(connection, JANUARY, most=ALL).waits
        assert not event_changes(connection, FEBRUARY, most=ALL).waits
    rerate(office, ACTOR)
    with office.reading() as connection:
        after = [ratings(connection, number)[0] for number in (1, 2, 3)]
        found = event_changes(connection, JANUARY, most=ALL)
        later = event_changes(connection, FEBRUARY, most=ALL)
    steps = [abs(one.rating - other.rating) for one, other in zip(before, after, strict=True)]
    (again,) = [one for one in found.reratings if one.system is System.REGULAR]
    assert (again.moved, again.largest, again.gone) == (sum(map(bool, steps)), max(steps), 0)
    assert [(one.words, one.section) for one in found.decisions] == [("a result was corrected", 1)]
    assert (found.waits, later.decisions) == (False, ())
    assert [each.event for one in later.reratings for each in one.because] == [JANUARY]
    assert not any(word in repr((found, later)) for word in ("PRIVATE", "OFFICIAL"))


def test_an_event_says_when_it_was_rated_and_when_again(office: Book) -> None:
    def status(event: str) -> tuple[str, ...]:
        with office.reading() as connection:
            changes = event_changes(connection, event, most=ALL)
            return status_words(first_rated(connection, event), changes, 1)

    assert status(JANUARY) == ("Rated 20 November 2026",)
    correct(office)
    assert status(JANUARY) == ("Rated 20 November 2026", "Re-rating pending")
    rerate(office, ACTOR._replace(at="2026-12-03T12:00:00Z"))
    assert status(JANUARY) == status(FEBRUARY) == ("Rated 20 November 2026", "Re-rated 3 December 2026")
    with office.reading() as connection:
        again = event_changes(connection, JANUARY, most=ALL)
        # Another section of the event was neither rated nor re-rated.
        assert status_words(first_rated(connection, JANUARY), again, 2) == ()


def test_what_waits_is_said_to_whom_it_concerns(office: Book) -> None:
    with office.reading() as connection:
        assert what_waits(connection, member_id(1), date(2026, 2, 10)) is None
    correct(office)
    with office.reading() as connection:
        played = what_waits(connection, member_id(3), date(2026, 1, 10))
        later = what_waits(connection, member_id(4), date(2026, 2, 10))
        never = what_waits(connection, member_id(4), None)
    assert played is not None
    assert (played.direct, [one.words for one in played.because]) == (True, ["a result was corrected"])
    assert later is not None
    assert not later.direct
    assert never is None
    rerate(office, ACTOR)
    with office.reading() as connection:
        assert what_waits(connection, member_id(3), date(2026, 1, 10)) is None


def test_a_moved_rating_that_is_taken_back_is_gone(office: Book) -> None:
    decided = adjust(
        office, "rating", Adjustment(member_id(1), System.REGULAR, 1850.0, date(2026, 2, 3)), WHY
    ).decision
    assert decided is not None
    undo(office, decided, WHY)
    with office.reading() as connection:
        (change,) = [one for one in changes(connection) if one.event is None]
    assert (change.was, change.then) == (Shown(1850), None)
    assert [one.words for one in change.because] == ["a correction was undone"]


def test_a_kind_that_is_not_known_is_told_in_general() -> None:
    assert kind_words("of a later version") == OTHERWISE

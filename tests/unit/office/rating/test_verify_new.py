"""Verifying what came since the last verification: it finds there what verifying everything finds, in either store."""

from __future__ import annotations

from contextlib import closing
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from ratebook.book.audit import RecordFilter, newest_entries
from ratebook.book.chain.links import NO_LINK, head_at
from ratebook.book.chain.verifications import (
    EVERYTHING,
    NEW,
    Verification,
    is_still_at,
    last_verification,
    part_since,
)
from ratebook.book.connection import open_book
from ratebook.book.events import StoredSection, read_sections
from ratebook.book.failures import BookError
from ratebook.book.profile import Profile, read_federation
from ratebook.findings import Severity
from ratebook.office.creation import create_book
from ratebook.office.decisions.events import GameResult, correct_result
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.profile import adjust_profile
from ratebook.office.rating import rerate as rerating
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import keep_verified, verify, verify_new
from support.book_reports import report, send
from support.book_rounds import ACTOR, send_one, work_a_round
from unit.book.test_tampering import CHANGES, past_the_program, work_long

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ratebook.book.connection import Book
    from ratebook.office.rating.verify import Verified
    from unit.templates import BookAfter

TODAY = date(2026, 11, 20)


def errors(verified: Verified) -> set[tuple[str, str]]:
    return {(one.code, str(one.where)) for one in verified.findings if one.severity is Severity.ERROR}


@pytest.fixture
def verified(book_after: BookAfter) -> Book:
    """A book that was verified, and that has taken a report and a re-rating since."""
    return book_after(work_on)


def work_on(book: Book) -> None:
    work_a_round(book)
    assert keep_verified(book, ACTOR, verify(book)) == []
    send_one(book, "2026-01-31", (1, 2, 3, 4, 5, 6))
    send(book, report("2026-01-05", (7, 8), ("W2", "L1")), ACTOR)
    rate_ready(book, ACTOR)
    rerate(book, ACTOR)


def test_what_is_new_alone_is_computed_again(verified: Book) -> None:
    whole = verify(verified)
    new = verify_new(verified, TODAY)
    assert errors(whole) == errors(new) == set()
    assert new.since is not None
    assert (new.since.at, new.since.by) == (ACTOR.at, ACTOR.name)
    with verified.reading() as connection:
        assert new.since.head == head_at(connection, new.since.head.number)
        days = {stored.id: stored.section.end.isoformat() for stored in read_sections(connection)}
        part = part_since(connection, new.since.head)
    # The two reports that came, and the sections of their players that follow the late one; the first was before all.
    assert {days[section] for section in part.sections} == {
        "2026-01-05",
        "2026-01-10",
        "2026-01-17",
        "2026-01-31",
    }
    assert (new.sections, whole.sections) == (4, 5)
    assert part.lists == frozenset()


def test_the_next_one_starts_where_the_last_one_ended(verified: Book) -> None:
    new = verify_new(verified, TODAY)
    assert keep_verified(verified, ACTOR, new) == []
    nothing = verify_new(verified, TODAY)
    assert (nothing.sections, nothing.since and nothing.since.head) == (0, new.head)
    with verified.reading() as connection:
        newest, first = newest_entries(connection, 2, RecordFilter(kinds=(EVERYTHING, NEW)))
        last = last_verification(connection)
        assert last == Verification(ACTOR.at, ACTOR.name, new.head)
        assert is_still_at(connection, last.head)
    assert (newest.action, first.action) == (NEW, EVERYTHING)
    assert newest.subject == f"chain {new.head}"
    assert newest.details == f"{new.sections} sections, {new.rows} rows"
    assert errors(verify(verified)) == set()
    send_one(verified, "2026-02-14", (1, 2, 3, 4, 5, 6))
    with verified.reading() as connection:
        assert not is_still_at(connection, last.head)


def test_a_book_that_was_never_verified_is_refused(new_book: Callable[[], Book]) -> None:
    book = new_book()
    with pytest.raises(BookError) as refused:
        verify_new(book, TODAY)
    assert refused.value.finding.code == "verified-never"


def test_nothing_is_noted_of_a_book_with_an_error(verified: Book) -> None:
    with verified.trying():
        past_the_program(verified, ["UPDATE ledger SET rating = rating + 1 WHERE superseded_by IS NULL"])
        assert keep_verified(verified, ACTOR, verify(verified)) == []
        with verified.reading() as connection:
            assert len(newest_entries(connection, 9, RecordFilter(kinds=(EVERYTHING, NEW)))) == 1


def test_a_book_that_may_only_be_read_is_verified_all_the_same(tmp_path: Path) -> None:
    place = str(tmp_path / "read-only.book")
    create_book(place, Profile(name="Example Federation"), ACTOR).close()
    with closing(open_book(place, read_only=True)) as book:
        assert [one.code for one in keep_verified(book, ACTOR, verify(book))] == ["verified-not-noted"]


def test_everything_is_due_after_the_days_of_the_profile(verified: Book) -> None:
    with verified.reading() as connection:
        profile = read_federation(connection).profile
    assert profile.days_between_verifications == 31

    def warned(on: date) -> list[str]:
        return [one.code for one in verify_new(verified, on).findings if one.severity is Severity.WARNING]

    assert warned(TODAY + timedelta(days=31)) == []
    assert warned(TODAY + timedelta(days=32)) == ["verification-due"]
    adjust_profile(verified, profile._replace(days_between_verifications=0), Reason(ACTOR, "each list"))
    assert warned(TODAY) == []
    assert warned(TODAY + timedelta(days=1)) == ["verification-due"]


def test_every_change_in_the_new_part_is_noticed(file_after: BookAfter) -> None:
    """Where every link is new, so is whatever the list of changes past the program touches.

    That either store notices them is shown by tests/unit/book/test_tampering.py.
    """
    book = file_after(work_long)
    seen = Verification(ACTOR.at, ACTOR.name, NO_LINK)
    assert errors(verify(book, since=seen)) == set()
    unnoticed = []
    for change in CHANGES:
        with book.trying():
            assert past_the_program(book, change["sql"]) > 0, change["what"]
            if not errors(verify(book, since=seen)):
                unnoticed.append(change["what"])
    assert unnoticed == []


def test_a_past_that_was_rewritten_is_noticed(verified: Book) -> None:
    with verified.reading() as connection:
        seen = last_verification(connection)
    assert seen is not None
    elsewhere = seen._replace(head=seen.head._replace(head="0" * 64))
    assert errors(verify(verified, since=elsewhere)) == {("verified-not-found", f"link {seen.head.number}")}


def test_what_was_deleted_or_added_before_is_noticed_too(verified: Book) -> None:
    with verified.reading() as connection:
        seen = last_verification(connection)
    for statement in (
        "DELETE FROM memberships",
        "DELETE FROM titles",
        "UPDATE ledger SET rating = rating + 1 WHERE place < '2026-01-04'",
    ):
        with verified.trying():
            past_the_program(verified, [statement])
            # Its link is older: only a verification of everything compares that.
            assert errors(verify(verified, since=seen)) <= errors(verify(verified))
    for statement, code in (
        ("DELETE FROM decisions", "kept-missing"),
        ("INSERT INTO rerate_marks (place, reason) VALUES ('2026-01-01', 'x')", "kept-added"),
        ("DELETE FROM chain WHERE number = 2", "link-missing"),
    ):
        with verified.trying():
            past_the_program(verified, [statement])
            assert code in {code for code, _ in errors(verify(verified, since=seen))}


def test_a_section_that_a_rerating_forgot_is_found(verified: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the program, which writes all its links: what reads a rating that is new has not read it."""
    keep_verified(verified, ACTOR, verify(verified))
    with verified.reading() as connection:
        first, *others = read_sections(connection)
    correct_result(
        verified, SectionRef(first.event_id, 1), GameResult(2, 1, "D", "D"), Reason(ACTOR, "a slip", ["all"])
    )

    def only_itself(_rerating: object, stored: StoredSection) -> bool:
        return stored.id == first.id

    monkeypatch.setattr(rerating._Rerating, "_is_looked_at", only_itself)
    rerate(verified, ACTOR)
    found = errors(verify_new(verified, TODAY))
    assert found <= errors(verify(verified))
    assert {code for code, _ in found} == {"chain-broken"}
    assert all(any(one.event_id in place for one in others) for _, place in found)


def test_without_links_everything_is_new(verified: Book) -> None:
    with verified.reading() as connection:
        part = part_since(connection, NO_LINK)
        assert part.sections == {stored.id for stored in read_sections(connection)}
        assert part.lists == {"2026-02"}

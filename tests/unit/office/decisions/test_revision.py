"""A report that waits in the queue is corrected as a rated event is, by its event id or the submission's number."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import Actor
from ratebook.book.failures import BookError
from ratebook.book.reports import stored_report
from ratebook.book.submissions import Status, read_submission, waiting
from ratebook.checks import ReportedFacts
from ratebook.model import PlayerFacts, Rating, SectionPrize, SectionType, System
from ratebook.office.decisions.events import (
    GameResult,
    SectionFacts,
    correct_dates,
    correct_member,
    correct_result,
    correct_section,
    correct_time_control,
    undo,
)
from ratebook.office.decisions.revision import DecisionResult, Reason, SectionRef
from ratebook.office.queue.submit import Incoming, submit
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.verify import verify
from ratebook.reports.load import LoadedReport
from support.book_reports import add_members, member_id, report, send

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.book.connection import Book
    from unit.templates import BookAfter

BECAUSE = Reason(Actor("office", "2026-11-20T12:00:00Z"), "the director's letter", ("all",))
ACTOR = BECAUSE.actor
EVENT = "202601030001"
BY_EVENT, BY_NUMBER = SectionRef(EVENT, 1), SectionRef("1", 1)
BY_SUBMISSION = SectionRef(EVENT, 1, 1)
ROUND_ROBIN = SectionFacts(
    "OPEN", date(2026, 1, 3), date(2026, 1, 3), "G/90;d5", SectionType.ROUND_ROBIN, online=False
)
ROUNDS = ("W4 W2 D3", "W3 L1 W4", "L2 W4 D1", "L1 L3 L2")


@pytest.fixture
def held(file_after: BookAfter) -> Book:
    """A book with one report, in which seat 4 has an id that no one has."""
    return file_after(send_one_that_is_held)


def send_one_that_is_held(book: Book) -> None:
    add_members(book, 6)
    assert send(book, report("2026-01-03", [1, 2, 3, 9], ROUNDS, event_id=EVENT), ACTOR).status == "held"


@pytest.mark.parametrize(
    ("correct", "changes"),
    [
        (
            lambda book: correct_result(book, BY_NUMBER, GameResult(1, 3, "W"), BECAUSE),
            ("seat 1 EXAMPLE, PLAYER 1, round 3: draw -> win against seat 3", "held"),
        ),
        (
            lambda book: correct_member(book, BY_EVENT, 4, member_id(5), BECAUSE),
            ("seat 4: 90000009 EXAMPLE, PLAYER 9 -> 90000005 EXAMPLE, PLAYER 5", "ready"),
        ),
        (
            lambda book: correct_dates(book, SectionRef("1", None), None, date(2026, 1, 4), BECAUSE),
            ("last day: 2026-01-03 -> 2026-01-04", "held"),
        ),
        (
            lambda book: correct_time_control(book, BY_EVENT, "G/15;d3", BECAUSE),
            ("time control: G/90;d5 -> G/15;d3", "held"),
        ),
        (
            lambda book: correct_section(book, BY_SUBMISSION, ROUND_ROBIN, BECAUSE),
            ("type: swiss -> round-robin", "held"),
        ),
    ],
    ids=["result", "member", "dates", "time control", "section"],
)
def test_a_waiting_report_is_replaced_by_the_corrected_one(
    held: Book, correct: Callable[[Book], DecisionResult], changes: tuple[str, str]
) -> None:
    words, status = changes
    held.dry_run = True
    tried = correct(held)
    held.dry_run = False
    with held.reading() as connection:
        assert [one.id for one in waiting(connection)] == [1]
    decided = correct(held)
    assert tried == decided
    assert decided.changes == (words, f"report 1 -> report 2, {status}")
    assert (decided.waiting, decided.waits) == (Status(status), False)
    with held.reading() as connection:
        assert [(one.id, one.event_id, one.revises) for one in waiting(connection)] == [(2, EVENT, 1)]
    assert decided.decision is not None
    with pytest.raises(BookError) as refused:
        undo(held, decided.decision, BECAUSE)
    assert refused.value.finding.code == "decision-not-undone"


def test_a_report_is_rated_as_it_was_corrected_and_is_then_corrected_as_an_event(held: Book) -> None:
    correct_member(held, BY_EVENT, 4, member_id(4), BECAUSE)
    assert len(rate_ready(held, ACTOR).posted) == 1
    assert correct_result(held, BY_EVENT, GameResult(1, 3, "W"), BECAUSE).waits
    with pytest.raises(BookError) as refused:
        correct_result(held, SectionRef("2", 1), GameResult(1, 3, "D"), BECAUSE)
    assert refused.value.finding.code == "event-unknown", "report 2 is rated"
    assert [one.code for one in verify(held).findings] == ["rerate-waits"]


def test_the_number_of_a_replaced_report_means_the_newest_version(held: Book) -> None:
    first = correct_result(held, BY_NUMBER, GameResult(1, 3, "W"), BECAUSE)
    assert [one.code for one in first.findings] == ["member-unknown"]
    for number, letter in ((3, "L"), (4, "D")):
        again = correct_result(held, BY_NUMBER, GameResult(1, 3, letter), BECAUSE)
        assert again.changes[-1] == f"report {number - 1} -> report {number}, held"
        replaced = again.findings[0]
        assert (replaced.code, replaced.where) == ("report-replaced", "report 1")
        assert f"report {number - 1}," in replaced.message
    correct_member(held, BY_NUMBER, 4, member_id(4), BECAUSE)
    rate_ready(held, ACTOR)
    with pytest.raises(BookError) as refused:
        correct_result(held, BY_NUMBER, GameResult(1, 3, "D"), BECAUSE)
    assert EVENT in refused.value.finding.remedy


@pytest.mark.parametrize("at", [BY_EVENT, BY_NUMBER], ids=["rated", "waiting"])
def test_two_ids_that_changed_places_are_corrected_at_once(at: SectionRef, file_after: BookAfter) -> None:
    """Names, and the prize, are those of the seats."""
    book = file_after(lambda book: add_members(book, 6))
    swapped = report("2026-01-03", [2, 1, 3, 4 if at is BY_EVENT else 9], ROUNDS, event_id=EVENT)
    rows = {
        member_id(1): PlayerFacts(member_id(1), "EXAMPLE, PLAYER 2"),
        member_id(2): PlayerFacts(member_id(2), "EXAMPLE, PLAYER 1"),
    }
    swapped = swapped._replace(
        players={**swapped.players, **rows}, prizes=(SectionPrize(1, member_id(2), 50, 2000),)
    )
    because = BECAUSE._replace(accepted=("all",))
    assert send(book, swapped, ACTOR, accepted=("all",)).number == 1
    if at is BY_EVENT:
        assert len(rate_ready(book, ACTOR).posted) == 1
    decided = correct_member(book, at, 1, member_id(1), because)
    assert decided.changes[:2] == (
        "seat 1: 90000002 EXAMPLE, PLAYER 2 -> 90000001 EXAMPLE, PLAYER 1",
        "seat 2: 90000001 EXAMPLE, PLAYER 1 -> 90000002 EXAMPLE, PLAYER 2",
    )
    with book.reading() as connection:
        newest = read_submission(connection, 2)
        assert newest is not None
        corrected, _ = stored_report(newest)
    assert [entry.player for entry in corrected.sections[0].entries][:2] == [member_id(1), member_id(2)]
    assert [corrected.players[member_id(number)].name for number in (1, 2)] == [
        "EXAMPLE, PLAYER 1",
        "EXAMPLE, PLAYER 2",
    ]
    assert [prize.player for prize in corrected.prizes] == [member_id(1)]


def test_what_would_be_no_report_any_more_is_refused(held: Book) -> None:
    reversed_days = ROUND_ROBIN._replace(start=date(2026, 1, 5))
    for decided in (
        correct_section(held, BY_SUBMISSION, reversed_days, BECAUSE),
        correct_dates(held, BY_NUMBER, date(2026, 1, 5), date(2026, 1, 3), BECAUSE),
    ):
        assert decided.decision is None
        assert {one.code for one in decided.findings} == {"dates-reversed"}
    with held.reading() as connection:
        assert [one.id for one in waiting(connection)] == [1]


def test_a_submission_is_meant_where_a_rated_event_has_its_number_as_id(held: Book) -> None:
    rated = report("2026-01-02", [1, 2, 3, 4], ROUNDS, event_id="1")
    assert send(held, rated, ACTOR).status == "ready"
    rate_ready(held, ACTOR)
    decided = correct_result(held, SectionRef(EVENT, 1, 1), GameResult(1, 3, "W"), BECAUSE)
    assert decided.changes[-1] == "report 1 -> report 3, held"
    with pytest.raises(BookError) as refused:
        correct_result(held, SectionRef("1", 1, 1), GameResult(1, 3, "L"), BECAUSE)
    assert refused.value.finding.code == "submission-decided"


def test_what_a_report_said_of_ratings_is_still_compared_after_a_correction(
    new_book: Callable[[], Book],
) -> None:
    book = new_book()
    add_members(book, 4)
    sent = report("2026-01-03", [1, 2, 3, 9], ROUNDS, event_id=EVENT)
    said = {System.REGULAR: Rating(1500, 20)}
    players = {key: facts._replace(ratings=said) for key, facts in sent.players.items()}
    loaded = LoadedReport(sent._replace(players=players), (), {}, ReportedFacts())
    submit(book, Incoming(loaded, "report.json", date(2026, 1, 3)), ACTOR)
    found = correct_member(book, BY_EVENT, 4, member_id(4), BECAUSE._replace(accepted=())).findings
    with book.reading() as connection:
        row = read_submission(connection, 2)
        assert row is not None
        _, stated = stored_report(row)
    assert stated.stated_ratings == {member_id(number): {"regular": 1500.0} for number in (1, 2, 3, 4)}
    assert "rating-before-not-in-book" in {one.code for one in found}


def test_what_would_change_nothing_or_cannot_be_read_is_refused(held: Book) -> None:
    unread = LoadedReport(None, (), {}, ReportedFacts())
    submit(held, Incoming(unread, "report.txt", date(2026, 1, 3), digest="x"), ACTOR)
    for at, code in ((BY_NUMBER, "nothing-changes"), (SectionRef("2", 1), "submission-unread")):
        with pytest.raises(BookError) as refused:
            correct_result(held, at, GameResult(1, 3, "D"), BECAUSE)
        assert refused.value.finding.code == code

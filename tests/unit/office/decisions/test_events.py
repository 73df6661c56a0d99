from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.audit import RecordFilter
from ratebook.book.connection import Actor
from ratebook.book.decisions import newest_decisions
from ratebook.book.events import read_event
from ratebook.book.facts.foreign_ratings import ListedForeign
from ratebook.book.failures import BookError
from ratebook.book.submissions import rated_submission
from ratebook.model import System
from ratebook.office.decisions.adjustments import Adjustment, adjust
from ratebook.office.decisions.events import (
    EventFacts,
    GameResult,
    correct_dates,
    correct_event,
    correct_member,
    correct_result,
    correct_time_control,
    undo,
    withdraw,
)
from ratebook.office.decisions.members import ChangedFacts, correct_facts, correct_foreign_rating
from ratebook.office.decisions.persons import merge
from ratebook.office.decisions.revision import DecisionResult, Reason, SectionRef
from ratebook.office.erasure.erase import erase
from ratebook.office.profile import adopt_rules
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from support.book_reports import add_members, current_ledger, member_id, report, send

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.book.connection import Book
    from unit.templates import BookAfter

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
BECAUSE = Reason(ACTOR, "the director's letter", ["all"])
FIRST = SectionRef("202601030001", 1)
REGULAR = System.REGULAR

ROUNDS = ("W4 W2 D3", "W3 L1 W4", "L2 W4 D1", "L1 L3 L2")


@pytest.fixture
def season(book_after: BookAfter) -> Book:
    """A book in which four members played three events and a fifth one nothing."""
    return book_after(play_three_events)


def play_three_events(book: Book) -> None:
    add_members(book, 6)
    for day in ("2026-01-03", "2026-01-10", "2026-01-17"):
        sent = send(book, report(day, [1, 2, 3, 4], ROUNDS, time_control="G/60;d5"), ACTOR)
        assert sent.status == "ready", sent.findings
    rate_ready(book, ACTOR)


def errors(book: Book) -> list[str]:
    return [finding.code for finding in verify(book).findings if finding.severity == "error"]


def settle(book: Book) -> None:
    assert errors(book) == []
    rerate(book, ACTOR)
    assert verify(book).findings == ()


@pytest.mark.parametrize(
    ("correct", "changes"),
    [
        (
            lambda book: correct_result(book, FIRST, GameResult(1, 3, "W"), BECAUSE),
            ["seat 1 EXAMPLE, PLAYER 1, round 3: draw -> win against seat 3"],
        ),
        (
            lambda book: correct_member(book, FIRST, 2, member_id(5), BECAUSE),
            ["seat 2: 90000002 EXAMPLE, PLAYER 2 -> 90000005 EXAMPLE, PLAYER 5"],
        ),
        (
            lambda book: correct_time_control(book, FIRST, "G/15;d3", BECAUSE),
            ["time control: G/60;d5 -> G/15;d3"],
        ),
        (
            lambda book: correct_event(book, FIRST.event_id, EventFacts("MAPLE OPEN", state="NY"), BECAUSE),
            ["event: EXAMPLE OPEN -> MAPLE OPEN", "state: none -> NY"],
        ),
        (lambda book: withdraw(book, FIRST, BECAUSE), ["section 1 OPEN: rated -> withdrawn"]),
        (
            lambda book: correct_facts(
                book,
                member_id(2),
                ChangedFacts(name="SAMPLE, ANN", fide_id="99900002", sex="f", title="WFM", club=""),
                BECAUSE,
            ),
            [
                "90000002 EXAMPLE, PLAYER 2, name: EXAMPLE, PLAYER 2 -> SAMPLE, ANN",
                "90000002 EXAMPLE, PLAYER 2, FIDE id: none -> 99900002",
                "90000002 EXAMPLE, PLAYER 2, sex: none -> f",
                "90000002 EXAMPLE, PLAYER 2, title: none -> WFM",
            ],
        ),
        (
            lambda book: correct_facts(
                book, member_id(2), ChangedFacts(date(2001, 2, 3), adult=True), BECAUSE
            ),
            [
                "90000002 EXAMPLE, PLAYER 2, birth date: changed",
                "90000002 EXAMPLE, PLAYER 2, adult: unknown -> yes",
            ],
        ),
    ],
    ids=["result", "member", "time control", "event", "withdrawal", "person", "facts"],
)
def test_a_correction_says_what_it_changes_and_a_dry_run_keeps_nothing(
    season: Book, correct: Callable[[Book], DecisionResult], changes: list[str]
) -> None:
    def everything() -> list[object]:
        with season.reading() as connection:
            return [list(connection.execute(select(table))) for table in schema.metadata.sorted_tables]

    before = everything()
    season.dry_run = True
    assert list(correct(season).changes) == changes
    assert everything() == before
    season.dry_run = False
    assert list(correct(season).changes) == changes
    assert everything() != before


def test_facts_that_no_rating_reads_wait_for_nothing_and_a_fide_id_is_that_of_one_member(
    season: Book,
) -> None:
    facts = ChangedFacts(fide_id="99900002", federation="NGR")
    assert correct_facts(season, member_id(2), facts, BECAUSE).waits is False
    with season.reading() as connection:
        decided = newest_decisions(connection, 1, RecordFilter())[0]
    assert (decided.kind, decided.details) == ("correct-facts", {"changed": ["federation", "fide_id"]})
    refused = correct_facts(
        season, member_id(3), ChangedFacts(fide_id="99900002"), BECAUSE._replace(accepted=())
    )
    assert refused.decision is None
    assert [(one.code, one.severity) for one in refused.findings] == [
        ("possible-duplicate", "warning"),
        ("warnings-not-accepted", "error"),
    ]
    because = BECAUSE._replace(accepted=["possible-duplicate"])
    assert correct_facts(season, member_id(3), ChangedFacts(fide_id="99900002"), because).decision


def test_a_corrected_result_moves_both_players_and_everybody_after_them(season: Book) -> None:
    before = current_ledger(season)
    decided = correct_result(season, FIRST, GameResult(1, 1, "L"), BECAUSE)
    assert decided.decision is not None
    assert decided.waits
    assert current_ledger(season) == before, "the ledger changes with the re-rating only"
    settle(season)
    after = current_ledger(season)
    moved = {key for key in after if after[key] != before[key]}
    assert len(moved) == len(before), "everybody met everybody in every event"
    assert (
        after[member_id(1), "regular", FIRST.event_id].score
        == before[member_id(1), "regular", FIRST.event_id].score - 1
    )
    assert (
        after[member_id(4), "regular", FIRST.event_id].score
        == before[member_id(4), "regular", FIRST.event_id].score + 1
    )


@pytest.mark.parametrize(
    "correct",
    [
        lambda book: correct_result(book, FIRST, GameResult(1, 1, "L"), BECAUSE),
        lambda book: correct_member(book, FIRST, 2, member_id(5), BECAUSE),
        lambda book: correct_dates(book, FIRST, date(2026, 1, 12), date(2026, 1, 12), BECAUSE),
        lambda book: correct_time_control(book, FIRST, "G/15;d3", BECAUSE),
        lambda book: withdraw(book, FIRST, BECAUSE),
    ],
    ids=["result", "member", "dates", "time control", "withdrawal"],
)
def test_a_correction_undone_restores_the_earlier_ratings(
    season: Book, correct: Callable[[Book], DecisionResult]
) -> None:
    before = current_ledger(season)
    decided = correct(season)
    assert decided.decision is not None, decided.findings
    settle(season)
    assert current_ledger(season) != before
    undo(season, decided.decision, BECAUSE)
    settle(season)
    assert current_ledger(season) == before


def test_a_corrected_id_takes_the_result_from_one_member_to_another(season: Book) -> None:
    correct_member(season, FIRST, 2, member_id(5), BECAUSE)
    settle(season)
    ledger = current_ledger(season)
    assert (member_id(2), "regular", FIRST.event_id) not in ledger
    assert (member_id(5), "regular", FIRST.event_id) in ledger


def test_a_corrected_date_puts_the_section_in_its_place_of_history(season: Book) -> None:
    correct_dates(season, FIRST, date(2026, 1, 12), date(2026, 1, 12), BECAUSE)
    settle(season)
    ledger = current_ledger(season)
    second = ledger[member_id(1), "regular", "202601100001"]
    assert ledger[member_id(1), "regular", FIRST.event_id].rating_before == second.rating


def test_the_corrected_name_of_an_event_moves_no_rating_and_is_undone(season: Book) -> None:
    before = current_ledger(season)
    named = correct_event(season, FIRST.event_id, EventFacts("MAPLE OPEN", "MAPLE FALLS", "NY"), BECAUSE)
    assert (named.findings, named.waits) == ((), False)
    with season.reading() as connection:
        event = read_event(connection, FIRST.event_id)
        submission = rated_submission(connection, FIRST.event_id)
    assert event is not None
    assert submission is not None
    assert (event.name, event.city, event.state) == ("MAPLE OPEN", "MAPLE FALLS", "NY")
    assert (submission.event_name, submission.decision_id) == ("MAPLE OPEN", named.decision)
    assert verify(season).findings == ()
    assert current_ledger(season) == before
    with pytest.raises(BookError, match="nothing to change"):
        correct_event(season, FIRST.event_id, EventFacts(city="MAPLE FALLS"), BECAUSE)
    assert named.decision is not None
    undo(season, named.decision, BECAUSE)
    assert verify(season).findings == ()
    with season.reading() as connection:
        event = read_event(connection, FIRST.event_id)
    assert event is not None
    assert (event.name, event.city) == ("EXAMPLE OPEN", "")


def test_a_corrected_time_control_changes_the_systems(season: Book) -> None:
    correct_time_control(season, FIRST, "G/15;d3", BECAUSE)
    settle(season)
    systems = {system for _, system, event in current_ledger(season) if event == FIRST.event_id}
    assert systems == {"quick"}


def test_a_correction_that_makes_errors_changes_nothing(season: Book) -> None:
    before = current_ledger(season)
    decided = correct_member(season, FIRST, 2, "12345678", BECAUSE)
    assert decided.decision is None
    assert [one.code for one in decided.findings if one.severity == "error"] == ["member-unknown"]
    assert rerate(season, ACTOR).run == 0
    assert current_ledger(season) == before


@pytest.mark.parametrize(
    ("at", "game", "code"),
    [
        (SectionRef("209901010001", 1), GameResult(1, 1, "L"), "event-unknown"),
        (SectionRef(FIRST.event_id, 9), GameResult(1, 1, "L"), "section-unknown"),
        (FIRST, GameResult(9, 1, "L"), "seat-unknown"),
        (FIRST, GameResult(1, 9, "L"), "round-unknown"),
        (FIRST, GameResult(1, 1, "Q"), "result-unknown"),
    ],
)
def test_what_does_not_exist_is_a_finding(season: Book, at: SectionRef, game: GameResult, code: str) -> None:
    with pytest.raises(BookError) as refused:
        correct_result(season, at, game, BECAUSE)
    assert refused.value.finding.code == code


def test_a_birth_date_moves_the_first_rating_and_is_told_to_nobody(season: Book) -> None:
    before = current_ledger(season)
    correct_facts(season, member_id(1), ChangedFacts(birth_date=date(2014, 1, 1)), BECAUSE)
    settle(season)
    after = current_ledger(season)
    key = (member_id(1), "regular", FIRST.event_id)
    # 50 points for each of 12 years and two days (docs/rules/readings.md#age-based-rating, not rounded).
    assert before[key].rating_before == 1300
    assert after[key].rating_before == pytest.approx(600 + 50 * 2 / 365, abs=0.01)
    with season.reading() as connection:
        details = connection.execute(select(schema.decisions.c.details)).scalars().all()
        audit = connection.execute(select(schema.audit.c.details)).scalars().all()
    assert not [text for text in (*details, *audit) if "2014" in text]


def test_a_foreign_rating_counts_from_the_day_of_its_list(season: Book) -> None:
    late = ListedForeign("fide", date(2026, 1, 4), 2000.0)
    correct_foreign_rating(season, member_id(1), late, BECAUSE)
    settle(season)
    assert current_ledger(season)[member_id(1), "regular", FIRST.event_id].source == "age"
    early = ListedForeign("fide", date(2025, 12, 1), 2000.0)
    correct_foreign_rating(season, member_id(1), early, BECAUSE)
    settle(season)
    assert current_ledger(season)[member_id(1), "regular", FIRST.event_id].source == "fide"


def test_floors_ceilings_and_initial_ratings_hold_from_their_day_on(season: Book) -> None:
    day = date(2026, 1, 10)
    adjust(season, "floor", Adjustment(member_id(4), REGULAR, 1300.0, day), BECAUSE)
    adjust(season, "ceiling", Adjustment(member_id(1), REGULAR, 1400.0, day), BECAUSE)
    adjust(season, "initial", Adjustment(member_id(2), REGULAR, 1900.0, date(2026, 1, 1), games=10), BECAUSE)
    settle(season)
    ledger = current_ledger(season)
    assert ledger[member_id(4), "regular", FIRST.event_id].rating < 1300
    assert ledger[member_id(4), "regular", "202601100001"].rating == 1300
    first = ledger[member_id(1), "regular", FIRST.event_id].rating
    assert ledger[member_id(1), "regular", "202601170001"].rating == max(1400, first)
    assert ledger[member_id(2), "regular", FIRST.event_id][:4] == (member_id(2), "initial", 1900.0, 10.0)
    adjust(season, "floor", Adjustment(member_id(4), REGULAR, None, date(2026, 1, 15)), BECAUSE)
    settle(season)
    ledger = current_ledger(season)
    assert ledger[member_id(4), "regular", "202601100001"].floors == '[["office", 1300.0]]'
    assert ledger[member_id(4), "regular", "202601170001"].floors == ""


@pytest.mark.parametrize(
    ("system", "day", "code"),
    [(REGULAR, date(2026, 1, 4), "initial-ignored"), (System.BLITZ, date(2012, 1, 10), "system-not-rated")],
)
def test_an_initial_rating_that_would_have_no_effect_is_refused(
    season: Book, system: System, day: date, code: str
) -> None:
    first = Adjustment(member_id(2), system, 1900.0, day, national=True)
    with pytest.raises(BookError) as refusal:
        adjust(season, "initial", first, BECAUSE)
    assert refusal.value.finding.code == code


def test_merged_ids_are_one_person(season: Book) -> None:
    send(season, report("2026-01-24", [5, 1], ["W2", "L1"]), ACTOR)
    rate_ready(season, ACTOR)
    before = current_ledger(season)
    assert before[member_id(5), "regular", "202601240001"].source == "age"
    merge(season, member_id(5), member_id(4), BECAUSE)
    settle(season)
    ledger = current_ledger(season)
    assert (member_id(5), "regular", "202601240001") not in ledger
    row = ledger[member_id(4), "regular", "202601240001"]
    assert (row.source, row.rating_before) == (
        "rated",
        ledger[member_id(4), "regular", "202601170001"].rating,
    )
    with pytest.raises(BookError, match="merged into"):
        adjust(season, "floor", Adjustment(member_id(5), REGULAR, 1300.0, date(2026, 1, 1)), BECAUSE)


def test_an_erased_member_keeps_the_numbers_and_nothing_else(season: Book) -> None:
    numbers = {key: row[2:] for key, row in current_ledger(season).items()}
    erase(season, member_id(1), BECAUSE)
    settle(season)
    assert {key: row[2:] for key, row in current_ledger(season).items()} == numbers
    with season.reading() as connection:
        member = connection.execute(select(schema.members).where(schema.members.c.id == member_id(1))).one()
        assert (member.name, member.folded_name, member.birth_date, member.adult) == ("", "", None, None)
        for table in schema.metadata.sorted_tables:
            for row in connection.execute(select(table)):
                assert not [value for value in row if isinstance(value, str) and "PLAYER 1" in value], (
                    table.name
                )


def test_other_rules_are_adopted_by_a_decision_and_then_rate_everything_again(season: Book) -> None:
    before = current_ledger(season)
    overlay = "[[absolute_floor.values]]\nfrom = 2026-01-01\nis = 950\n"
    adopt_rules(season, overlay, BECAUSE)
    assert current_ledger(season) == before
    settle(season)
    assert min(row.rating for row in before.values()) < 950
    assert min(row.rating for row in current_ledger(season).values()) == 950
    with pytest.raises(BookError) as refused:
        adopt_rules(season, overlay, BECAUSE)
    assert refused.value.finding.code == "nothing-changes"


def test_adopted_rules_that_give_no_rating_are_refused_when_they_rate(season: Book) -> None:
    before = current_ledger(season)
    adopt_rules(season, "[[logistic_scale.values]]\nfrom = 2026-01-01\nis = 0.001\n", BECAUSE)
    with pytest.raises(BookError) as refused:
        rerate(season, ACTOR)
    assert refused.value.finding.code == "rules-give-no-rating"
    assert current_ledger(season) == before

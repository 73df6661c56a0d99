"""Ratings that decisions move: adjusted by the Executive Director, or raised to a floor; entries of the ledger."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.connection import Actor
from ratebook.book.failures import BookError
from ratebook.book.ledger.official import list_in_effect, rating_for_matches
from ratebook.book.profile import read_federation
from ratebook.model import FloorKind, Rating, SectionPrize, Shown, System
from ratebook.office.decisions.adjustments import Adjustment, Prize, adjust, enter_prize
from ratebook.office.decisions.events import GameResult, correct_result
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.publish.lists import publish
from ratebook.office.rating.explain import explain_rating
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from ratebook.pages.changes import history_changes
from ratebook.pages.member import history, member_page
from ratebook.pages.official.ranking import ranking
from support.book_federation import history_of
from support.book_reports import add_members, current_ledger, member_id, open_at, report, send
from support.builders import rate

if TYPE_CHECKING:
    from ratebook.book.connection import Book, Connection
    from ratebook.book.profile import Federation
    from unit.templates import BookAfter

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
WHY = Reason(ACTOR, "review of January", ["all"])
REGULAR = System.REGULAR
ADJUSTED_ON = date(2026, 2, 3)
ROUNDS = ("W2 D3 H", "L1 H W3", "H D1 L2")
EVENTS = ("202601100001", "202602100001", "202603100001")


@pytest.fixture
def office(file_after: BookAfter) -> Book:
    """A book in which 1700, 1750 and 1600 played an event in January; test_adjustments.py adjusts on a server too."""
    return file_after(play_january)


def play_january(book: Book) -> None:
    add_members(book, 4)
    for number, rating in ((1, 1700.0), (2, 1750.0), (3, 1600.0), (4, 1500.0)):
        open_at(book, number, rating, ACTOR, peak=rating)
    play(book, 0)


def play(book: Book, event: int) -> None:
    day = f"{EVENTS[event][:4]}-{EVENTS[event][4:6]}-{EVENTS[event][6:8]}"
    send(book, report(day, [1, 2, 3], ROUNDS, event_id=EVENTS[event]), ACTOR)
    rate_ready(book, ACTOR)


def adjust_to(book: Book, value: float, number: int = 1, day: date = ADJUSTED_ON) -> None:
    adjust(book, "rating", Adjustment(member_id(number), REGULAR, value, day, approved_by="A. Director"), WHY)


def settle(book: Book) -> None:
    rerate(book, ACTOR)
    assert verify(book).findings == ()


def shown(book: Book, number: int = 1) -> tuple[float | None, date | None]:
    """Return the rating that a member's page shows, and its day."""
    with book.reading() as connection:
        page = member_page(connection, read_federation(connection), member_id(number), date(2026, 11, 20))
    return next((one.rating, one.as_of) for one in page.ratings if one.system is REGULAR)


def _listed(connection: Connection, federation: Federation, day: date) -> Shown | None:
    in_effect = list_in_effect(connection, federation, day)
    return rating_for_matches(connection, federation, member_id(1), REGULAR, in_effect)


@pytest.mark.statement("L7")
def test_an_adjusted_rating_is_an_entry_from_its_day_on(office: Book) -> None:
    before = current_ledger(office)[member_id(1), "regular", EVENTS[0]]
    adjust_to(office, 1850.0)
    settle(office)
    assert shown(office) == (1850.0, ADJUSTED_ON)
    with office.reading() as connection:
        federation = read_federation(connection)
        lines = history(connection, federation, member_id(1))
        ranked = ranking(connection, federation, REGULAR, today=date(2026, 11, 20))
        listed = _listed(connection, federation, date(2026, 3, 1))
    assert [(one.end, one.before, one.after, one.moved) for one in lines[1:]] == [
        (ADJUSTED_ON, Shown(round(before.rating)), Shown(1850), "adjusted")
    ]
    assert (ranked[0].player, ranked[0].rating) == (member_id(1), 1850.0)
    assert listed is not None
    assert listed.rating == 1850
    with office.reading() as connection:
        earlier = _listed(connection, federation, date(2026, 2, 1))
    assert earlier is not None
    assert earlier.rating == round(before.rating), "the cut-off of February is in January"
    publish(office, "2026-03", date(2026, 3, 5), ACTOR)


@pytest.mark.statement("L7")
@pytest.mark.parametrize("played_before", [True, False])
def test_later_sections_start_from_it_and_games_and_counts_stay(office: Book, *, played_before: bool) -> None:
    if played_before:
        play(office, 1)
    first = current_ledger(office)[member_id(1), "regular", EVENTS[0]]
    adjust_to(office, 1850.0)
    if not played_before:
        play(office, 1)
    settle(office)
    rows = current_ledger(office)
    row = rows[member_id(1), "regular", EVENTS[1]]
    assert (row.rating_before, row.games_before) == (1850.0, first.games)
    assert (row.wins, row.draws, row.losses) == (22, 12, 10)
    # The same section as a report of its own.
    others = [rows[member_id(number), "regular", EVENTS[1]] for number in (2, 3)]
    starts = [Rating(1850.0, first.games), *(Rating(one.rating_before, one.games_before) for one in others)]
    rated = rate(starts, list(ROUNDS), on="2026-02-10")
    assert row.rating == pytest.approx(
        next(one.after.rating for one in rated.entries if one.seat == 1 and one.after)
    )


def test_the_explanation_of_a_section_says_where_its_start_is_from(office: Book) -> None:
    adjust_to(office, 1850.0)
    play(office, 1)
    settle(office)
    said = "The rating was adjusted to 1850 on 2026-02-03"
    (own,) = explain_rating(office, member_id(1), EVENTS[1])
    assert f"{said}: review of January." in own.steps[0].text
    (other,) = explain_rating(office, member_id(2), EVENTS[1])
    assert not any(said in line for line in other.steps[0].text)


def test_an_earlier_correction_leaves_an_adjusted_rating_and_its_entry_follows(office: Book) -> None:
    adjust_to(office, 1850.0)
    play(office, 1)
    settle(office)
    after = current_ledger(office)[member_id(1), "regular", EVENTS[1]]
    correct_result(office, SectionRef(EVENTS[0], 1), GameResult(1, 1, "L"), WHY)
    settle(office)
    rows = current_ledger(office)
    with office.reading() as connection:
        lines = history(connection, read_federation(connection), member_id(1))
    entry = next(one for one in lines if one.moved)
    assert entry.change is not None
    assert entry.rating - entry.change == pytest.approx(rows[member_id(1), "regular", EVENTS[0]].rating)
    assert rows[member_id(1), "regular", EVENTS[1]].rating_before == after.rating_before == 1850.0


def test_a_second_decision_of_the_day_takes_the_place_of_the_first(office: Book) -> None:
    adjust_to(office, 1850.0)
    adjust_to(office, 1840.0)
    settle(office)
    assert shown(office) == (1840.0, ADJUSTED_ON)
    with office.reading() as connection:
        lines = history(connection, read_federation(connection), member_id(1))
        changes = history_changes(connection, read_federation(connection), member_id(1))
    assert [one.rating for one in lines if one.moved] == [1840.0]
    (change,) = [one for one in changes if one.event is None]
    assert (change.end, change.was, change.then) == (ADJUSTED_ON, Shown(1850), Shown(1840))
    assert change.reasons[0].endswith("(review of January)")


@pytest.mark.parametrize(
    ("number", "value", "day", "code"),
    [
        (1, 1850.0, date(2026, 11, 21), "mark-in-future"),
        (1, 1850.0, date(2025, 12, 31), "rating-to-adjust-missing"),
        (4, 1500.0, ADJUSTED_ON, "nothing-changes"),
        (4, 1950.0, ADJUSTED_ON, "adjusted-out-of-bounds"),
        (4, 1399.0, ADJUSTED_ON, "adjusted-out-of-bounds"),
    ],
)
def test_what_cannot_be_adjusted_is_refused(
    office: Book, number: int, value: float, day: date, code: str
) -> None:
    for word, level in (("floor", 1400.0), ("ceiling", 1900.0)):
        adjust(office, word, Adjustment(member_id(4), REGULAR, level, date(2026, 1, 2)), WHY)
    with pytest.raises(BookError) as refused:
        adjust_to(office, value, number, day)
    assert refused.value.finding.code == code


@pytest.mark.statement("L6")
def test_a_money_floor_holds_from_its_day(office: Book) -> None:
    """D25 section 5: 4,000 dollars in an under-1800 section make the floor 1800."""
    before = current_ledger(office)[member_id(1), "regular", EVENTS[0]]
    assert before.rating < 1800
    won = date(2026, 1, 20)
    enter_prize(office, Prize(member_id(1), REGULAR, 4000, 1800, won), WHY)
    settle(office)
    assert shown(office) == (1800.0, won)
    with office.reading() as connection:
        federation = read_federation(connection)
        (line,) = [one for one in history(connection, federation, member_id(1)) if one.moved]
        listed = _listed(connection, federation, date(2026, 2, 1))
    assert (line.end, line.after, line.moved) == (won, Shown(1800), "raised")
    assert listed is not None
    assert listed.rating == 1800
    play(office, 1)
    settle(office)
    row = current_ledger(office)[member_id(1), "regular", EVENTS[1]]
    assert (row.rating_before, row.games_before) == (1800.0, before.games)
    assert (row.wins, row.draws) == (22, 12)


@pytest.mark.statement("L6")
def test_a_section_that_ends_on_the_day_of_the_prize_starts_below_the_floor(office: Book) -> None:
    """The floor holds its result; the rating rises when the day is over where the section left it below."""
    start = current_ledger(office)[member_id(3), "regular", EVENTS[0]].rating
    enter_prize(office, Prize(member_id(3), REGULAR, 4000, 1800, date(2026, 2, 10)), WHY)
    play(office, 1)
    settle(office)
    row = current_ledger(office)[member_id(3), "regular", EVENTS[1]]
    assert (row.rating_before, row.rating, row.floor_applied) == (start, 1800.0, 1800.0)
    assert shown(office, 3) == (1800.0, date(2026, 2, 10))
    with office.reading() as connection:
        assert not any(one.moved for one in history(connection, read_federation(connection), member_id(3)))


def test_a_lowered_floor_raises_no_rating(office: Book) -> None:
    adjust(office, "floor", Adjustment(member_id(1), REGULAR, 2000.0, ADJUSTED_ON, FloorKind.LOWERED), WHY)
    settle(office)
    assert shown(office)[1] == date(2026, 1, 10)


def test_a_replay_of_the_book_follows_what_it_moved(office: Book) -> None:
    adjust_to(office, 1850.0)
    enter_prize(office, Prize(member_id(3), REGULAR, 4000, 1800, date(2026, 2, 20)), WHY)
    play(office, 1)
    play(office, 2)
    adjust_to(office, 1500.0, 2, date(2026, 4, 1))
    settle(office)
    pytest.importorskip("numba")
    from ratebook.replay import History, replay  # noqa: PLC0415 - loads the libraries of the extra

    replayed = replay(History(**history_of(office)))
    assert replayed.standings is not None
    found = {one["member"]: one for one in replayed.standings.to_dicts()}
    assert [(found[at]["rating"], found[at]["as_of"]) for at in range(3)] == [
        shown(office, n) for n in (1, 2, 3)
    ]


@pytest.mark.statement("L4")
def test_a_report_brings_its_prize_and_the_book_records_the_floor(office: Book) -> None:
    sent = report("2026-02-10", [1, 2, 3], ROUNDS, event_id=EVENTS[1])
    prize = SectionPrize(1, member_id(3), 4000.0, 1800.0)
    send(office, sent._replace(prizes=(prize,)), ACTOR)
    (posted,) = rate_ready(office, ACTOR).posted
    assert [one.code for one in posted.findings] == ["prize-sets-floor"]
    settle(office)
    row = current_ledger(office)[member_id(3), "regular", EVENTS[1]]
    assert (row.rating, row.floor_applied) == (1800.0, 1800.0)
    with office.reading() as connection:
        asked = select(schema.decisions).where(schema.decisions.c.kind == "floor")
        decision = connection.execute(asked).one()
    assert (decision.kind, decision.member_id, decision.value, decision.effective) == (
        "floor",
        member_id(3),
        1800.0,
        date(2026, 2, 10),
    )
    assert json.loads(decision.details) == {
        "floor_kind": "money",
        "prize": 4000.0,
        "limit": 1800.0,
        "event": EVENTS[1],
        "section": 1,
    }
    play(office, 2)
    settle(office)
    assert current_ledger(office)[member_id(3), "regular", EVENTS[2]].rating_before == 1800.0

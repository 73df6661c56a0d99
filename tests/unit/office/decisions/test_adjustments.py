"""Decisions about ratings taken back, as if they had never been made; floors of prizes follow their report."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.failures import BookError
from ratebook.book.profile import read_federation
from ratebook.model import FloorKind, SectionPrize, System
from ratebook.office.decisions.adjustments import Adjustment, Prize, adjust, enter_prize
from ratebook.office.decisions.events import correct_dates, correct_member, undo, withdraw
from ratebook.office.decisions.members import Mark, decide_mark
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from ratebook.pages.changes import history_changes
from support.book_federation import ACTOR, current_state
from support.book_reports import add_members, current_ledger, member_id, open_at, report, send

if TYPE_CHECKING:
    from ratebook.book.connection import Book
    from unit.templates import BookAfter

WHY = Reason(ACTOR, "a slip", ["all"])
REGULAR = System.REGULAR
JANUARY, FEBRUARY, MARCH = "202601100001", "202602100001", "202603100001"
ROUNDS = ("W2 D3 H", "L1 H W3", "H D1 L2")
BETWEEN = date(2026, 2, 3)


@pytest.fixture
def office(book_after: BookAfter) -> Book:
    """A book of four members, three of whom play an event a month from January to March."""
    return book_after(play_three_months)


def play_three_months(book: Book) -> None:
    add_members(book, 4)
    for number, rating in ((1, 1700.0), (2, 1750.0), (3, 1600.0), (4, 1500.0)):
        open_at(book, number, rating, ACTOR, peak=rating)
    for event in (JANUARY, FEBRUARY, MARCH):
        day = f"{event[:4]}-{event[4:6]}-{event[6:8]}"
        send(book, report(day, [1, 2, 3], ROUNDS, event_id=event), ACTOR)
    rate_ready(book, ACTOR)


def settle(book: Book) -> None:
    rerate(book, ACTOR)
    assert verify(book).findings == ()


def adjustment(
    word: str, value: float | None, day: date = BETWEEN, kind: FloorKind = FloorKind.MONEY
) -> tuple[str, Adjustment]:
    return word, Adjustment(member_id(1), REGULAR, value, day, kind, approved_by="A. Director")


# The tests below make and undo the same decisions on a server.
@pytest.mark.parametrize("book_after", ["sqlite"], indirect=True)
@pytest.mark.parametrize("settled", [True, False])
@pytest.mark.parametrize(
    ("made", "day"),
    [
        (("rating", 2400.0), BETWEEN),
        (("rating", 1200.0), BETWEEN),
        (("floor", 1900.0), BETWEEN),
        (("ceiling", 1600.0), BETWEEN),
        (("floor", 1900.0), date(2026, 4, 1)),
    ],
)
@pytest.mark.statement("L7")
def test_what_is_undone_leaves_no_trace_in_the_ledger(
    office: Book, made: tuple[str, float], day: date, *, settled: bool
) -> None:
    before = current_state(office)
    decided = adjust(office, *adjustment(*made, day), WHY).decision
    if settled:
        settle(office)
        assert current_state(office) != before
    assert decided is not None
    assert undo(office, decided, WHY).changes
    settle(office)
    assert current_state(office) == before
    with office.reading() as connection:
        changes = history_changes(connection, read_federation(connection), member_id(1))
    moved = [(one.end, one.then) for one in changes if one.event is None]
    assert moved == ([] if made[0] == "ceiling" else [(day, None)])
    with pytest.raises(BookError) as refused:
        undo(office, decided, WHY)
    assert refused.value.finding.code == "decision-no-longer-held"


@pytest.mark.parametrize("slip", [2400.0, 1200.0])
def test_a_second_adjustment_of_the_day_leaves_no_trace_of_the_first(office: Book, slip: float) -> None:
    """A rating of 2400 by mistake is no peak, and one of 1200 takes no floor away."""
    first = adjust(office, *adjustment("rating", 1650.0), WHY).decision
    settle(office)
    expected = current_state(office)
    assert first is not None
    undo(office, first, WHY)
    adjust(office, *adjustment("rating", slip), WHY)
    adjust(office, *adjustment("rating", 1650.0), WHY)
    settle(office)
    assert current_state(office) == expected


def test_a_lifted_floor_holds_again_where_the_lifting_is_undone(office: Book) -> None:
    adjust(office, *adjustment("floor", 1900.0, date(2026, 1, 12)), WHY)
    settle(office)
    before = current_state(office)
    lifted = adjust(office, *adjustment("floor", None), WHY).decision
    settle(office)
    assert current_ledger(office)[member_id(1), "regular", MARCH].floor_applied is None
    assert lifted is not None
    undo(office, lifted, WHY)
    settle(office)
    assert current_state(office) == before


def test_what_a_later_decision_rests_on_is_neither_undone_nor_entered(office: Book) -> None:
    adjust(office, *adjustment("floor", 1900.0, date(2026, 1, 12)), WHY)
    lifted = adjust(office, *adjustment("floor", None, date(2026, 1, 20)), WHY).decision
    adjust(office, *adjustment("rating", 1800.0, date(2026, 3, 20)), WHY)
    ceiling = adjustment("ceiling", 1850.0, date(2026, 3, 21))
    adjust(office, *ceiling, WHY)
    settle(office)
    before = current_state(office)
    assert lifted is not None
    with pytest.raises(BookError) as refused:
        undo(office, lifted, WHY)
    assert refused.value.finding.code == "adjusted-out-of-bounds"
    with pytest.raises(BookError) as refused:
        enter_prize(office, Prize(member_id(1), REGULAR, 4000, 1900, BETWEEN), WHY)
    assert refused.value.finding.place.known.keys() == {"decision", "system", "field"}
    assert refused.value.finding.place.field == "rating"
    with pytest.raises(BookError) as refused:
        adjust(office, *adjustment("ceiling", 1700.0), WHY)
    assert refused.value.finding.code == "adjusted-out-of-bounds"
    settle(office)
    assert current_state(office) == before


def test_an_opt_in_is_not_undone(office: Book) -> None:
    decided = decide_mark(office, Mark(member_id(1), "opt-in", BETWEEN), WHY).decision
    assert decided is not None
    with pytest.raises(BookError) as refused:
        undo(office, decided, WHY)
    assert refused.value.finding.code == "decision-not-undone"


def floors(book: Book) -> list[tuple[str, float, date]]:
    """Return the entered floors that hold: whose, how high and since when."""
    decisions = schema.decisions.c
    with book.reading() as connection:
        undone = {
            row.details
            for row in connection.execute(select(schema.decisions).where(decisions.kind == "undo"))
        }
        rows = connection.execute(select(schema.decisions).where(decisions.kind == "floor")).all()
    return [
        (row.member_id, row.value, row.effective) for row in rows if f'{{"decision": {row.id}}}' not in undone
    ]


@pytest.mark.statement("L4")
def test_the_floor_of_a_prize_follows_corrections_of_its_report(office: Book) -> None:
    may = report("2026-05-10", [1, 2, 3], ROUNDS, event_id="202605100001")
    send(office, may._replace(prizes=(SectionPrize(1, member_id(3), 4000.0, 1800.0),)), ACTOR)
    rate_ready(office, ACTOR)
    settle(office)
    first = current_state(office)
    at = SectionRef("202605100001", 1)
    assert floors(office) == [(member_id(3), 1800.0, date(2026, 5, 10))]

    correct_dates(office, at, date(2026, 5, 8), date(2026, 5, 9), WHY)
    settle(office)
    assert floors(office) == [(member_id(3), 1800.0, date(2026, 5, 9))]
    corrected = correct_member(office, at, 3, member_id(4), WHY)
    settle(office)
    assert floors(office) == [(member_id(4), 1800.0, date(2026, 5, 9))]
    assert current_ledger(office)[member_id(4), "regular", at.event_id].floor_applied == 1800.0
    withdrawn = withdraw(office, at, WHY)
    settle(office)
    assert floors(office) == []

    for decided in (withdrawn, corrected):
        assert decided.decision is not None
        undo(office, decided.decision, WHY)
    correct_dates(office, at, date(2026, 5, 10), date(2026, 5, 10), WHY)
    settle(office)
    assert current_state(office) == first


def test_a_floor_of_a_prize_that_the_office_undid_stays_undone(office: Book) -> None:
    may = report("2026-05-10", [1, 2, 3], ROUNDS, event_id="202605100001")
    send(office, may._replace(prizes=(SectionPrize(1, member_id(3), 4000.0, 1800.0),)), ACTOR)
    rate_ready(office, ACTOR)
    with office.reading() as connection:
        number = connection.execute(
            select(schema.decisions.c.id).where(schema.decisions.c.kind == "floor")
        ).scalar_one()
    undo(office, number, WHY)
    withdraw(office, SectionRef(JANUARY, 1), WHY)
    settle(office)
    assert floors(office) == []

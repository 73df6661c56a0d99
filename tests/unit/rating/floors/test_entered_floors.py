"""Floors that the office enters: money floors, lowered ones and others."""

from __future__ import annotations

import pytest

from ratebook.model import EnteredFloor, FloorKind, Rating
from ratebook.rating.floors import money_floor
from ratebook.rating.rate import facts_after
from support.builders import QUICK, REGULAR, after_of, rate, rules_of, workings_of
from unit.rating.floors.players import TODAY, facts, lose


@pytest.mark.statement("L4", "Q14")
@pytest.mark.parametrize(
    ("limit", "floor"),
    [
        (1200, 1200),
        (1800, 1800),
        (1801, 1900),
        (1850, 1900),
        (1900, 1900),
        (2000, 2000),
        (2001, None),
        (2200, None),
    ],
)
def test_a_money_floor_is_the_first_level_that_is_not_eligible(limit: float, floor: float | None) -> None:
    assert money_floor(rules_of(TODAY), 4000, limit) == floor


@pytest.mark.statement("L4", "Q14")
@pytest.mark.parametrize(
    ("last_day", "prize_before", "first_day", "prize"),
    [("2006-02-28", 1000, "2006-03-01", 2000), ("2015-12-31", 2000, "2016-01-01", 4000)],
)
def test_the_prize_that_sets_a_money_floor(
    last_day: str, prize_before: float, first_day: str, prize: float
) -> None:
    assert rules_of(last_day).money_floor_prize == prize_before
    assert rules_of(first_day).money_floor_prize == prize


@pytest.mark.statement("L4")
@pytest.mark.parametrize("kind", [FloorKind.MONEY, FloorKind.OLM, FloorKind.OFFICE])
def test_an_entered_floor_holds(kind: FloorKind) -> None:
    start = facts(Rating(1805.0, 60), floors=(EnteredFloor(REGULAR, kind, 1800.0),))
    rated = lose(start, 4, to=1700.0)
    assert after_of(rated, 1).rating == 1800.0
    assert workings_of(rated, 1).floor == 1800.0


@pytest.mark.statement("L4", "S8")
def test_an_entered_floor_of_another_system_does_not_hold() -> None:
    start = facts(Rating(1805.0, 60), floors=(EnteredFloor(QUICK, FloorKind.MONEY, 1800.0),))
    assert after_of(lose(start, 4, to=1700.0), 1).rating < 1800.0


@pytest.mark.statement("L4")
def test_the_highest_floor_in_force_counts() -> None:
    entered = (
        EnteredFloor(REGULAR, FloorKind.MONEY, 1500.0),
        EnteredFloor(REGULAR, FloorKind.OFFICE, 1750.0),
    )
    rated = lose(facts(Rating(1752.0, 60, peak=1910.0), floors=entered), 4, to=1700.0)
    assert after_of(rated, 1).rating == 1750.0
    rated = lose(facts(Rating(1905.0, 60, peak=2110.0), floors=entered), 4, to=1700.0)
    assert after_of(rated, 1).rating == 1900.0


@pytest.mark.statement("L4", "M3")
def test_a_lowered_floor_stands_in_place_of_the_peak_floor() -> None:
    lowered = (EnteredFloor(REGULAR, FloorKind.LOWERED, 1500.0),)
    rated = lose(facts(Rating(1602.0, 60, peak=1810.0), floors=lowered), 4, to=1500.0)
    assert after_of(rated, 1).rating < 1600.0
    rated = lose(facts(Rating(1502.0, 60, peak=1810.0), floors=lowered), 4, to=1500.0)
    assert after_of(rated, 1).rating == 1500.0


@pytest.mark.statement("M3")
def test_a_higher_peak_ends_a_lowered_floor() -> None:
    lowered = (EnteredFloor(REGULAR, FloorKind.LOWERED, 1500.0),)
    start = facts(Rating(1800.0, 60, peak=1810.0), floors=lowered)
    won = rate([start, Rating(1800.0, None), Rating(1800.0, None)], ["W2 W3", "L1", "L1"])
    assert after_of(won, 1).rating > 1810.0
    assert facts_after(won)["1"].floors == ()
    lost = rate([start, Rating(1800.0, None), Rating(1800.0, None)], ["L2 L3", "W1", "W1"])
    assert facts_after(lost)["1"].floors == lowered

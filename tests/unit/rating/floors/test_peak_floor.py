"""The floor from the highest established rating."""

from __future__ import annotations

import pytest

from ratebook.model import Bound, EnteredFloor, FloorKind, Rating, System
from ratebook.rating.floors import NO_FLOOR, peak_floor
from ratebook.rating.rate import facts_after
from support.builders import BLITZ, QUICK, REGULAR, after_of, rate, rules_of, workings_of
from unit.rating.floors.players import TODAY, facts, floors_of, lose

OVER_THE_BOARD = (REGULAR, QUICK, BLITZ)
ONLINE = (System.ONLINE_REGULAR, System.ONLINE_QUICK, System.ONLINE_BLITZ)


@pytest.mark.statement("L2", "Q12")
@pytest.mark.parametrize(
    ("peak", "floor"),
    [
        (1941, 1700),
        (1999.51, 1800),
        (1999.49, 1700),
        (1388, NO_FLOOR),
        (1399.49, NO_FLOOR),
        (1399.5, 1200),
        (1400, 1200),
        (1499.49, 1200),
        (1499.5, 1300),
        (1600, 1400),
        (2300, 2100),
        (2299.49, 2000),
        (2899, 2100),
    ],
)
def test_the_peak_floor_since_2010(peak: float, floor: float) -> None:
    for on in ("2010-04-01", "2016-06-01", TODAY):
        for system in OVER_THE_BOARD:
            assert peak_floor(rules_of(on, system), peak) == floor


@pytest.mark.statement("L2")
@pytest.mark.parametrize(
    ("peak", "floor"),
    [(1388, NO_FLOOR), (1400, NO_FLOOR), (1588, NO_FLOOR), (1599.49, NO_FLOOR), (1600, 1400), (2500, 2100)],
)
def test_the_peak_floor_until_march_2010_begins_at_1400(peak: float, floor: float) -> None:
    for on in ("2001-01-01", "2010-03-31"):
        assert peak_floor(rules_of(on), peak) == floor


@pytest.mark.statement("L2", "Q11")
def test_peak_floors_hold_online_too() -> None:
    """161 published online ratings are at such a floor (docs/rules/readings.md#peak-floors)."""
    for system in ONLINE:
        assert peak_floor(rules_of(TODAY, system), 2000.0) == 1800.0
        rated = lose(facts(Rating(1605.0, 60, peak=1810.0), system), 4, to=1500.0, system=system)
        assert after_of(rated, 1).rating == 1600.0


@pytest.mark.statement("L2")
def test_a_peak_holds_a_losing_player_at_its_floor() -> None:
    rated = lose(Rating(1605.0, 60, peak=1810.0), 4, to=1500.0)
    assert workings_of(rated, 1).step5 < 1600.0
    assert after_of(rated, 1).rating == 1600.0
    assert workings_of(rated, 1).floor == 1600.0


@pytest.mark.statement("L2", "Q12")
def test_a_peak_reached_in_the_section_gives_its_floor_only_afterwards() -> None:
    rated = rate(
        [Rating(1790.0, 60, peak=1795.0), Rating(1790.0, None), Rating(1790.0, None)], ["W2 W3", "L1", "L1"]
    )
    assert floors_of(rated, 1, "floor") == 1500.0
    peak = facts_after(rated)["1"].ratings[REGULAR].peak
    assert peak == after_of(rated, 1).rating
    assert peak is not None
    assert peak_floor(rules_of(TODAY), peak) == 1600.0


@pytest.mark.statement("L2", "Q12")
def test_the_peak_is_the_highest_established_rating_after_a_section() -> None:
    def peak_after(start: Rating, rounds: list[str]) -> float | None:
        rated = rate([start, Rating(1500.0, None), Rating(1500.0, None)], rounds)
        return facts_after(rated)["1"].ratings[REGULAR].peak

    won, lost = ["W2 W3", "L1", "L1"], ["L2 L3", "W1", "W1"]
    assert peak_after(Rating(1700.0, 20), won) is None, "22 games are not established"
    first = peak_after(Rating(1700.0, 24), won)
    assert first is not None, "26 games are"
    assert first > 1700.0
    assert peak_after(Rating(1700.0, 60, peak=1750.0), lost) == 1750.0


@pytest.mark.statement("L2", "Q12")
def test_an_established_rating_bounds_an_unknown_peak() -> None:
    """D25 section 5: the highest attained established rating; a rating before or after a section is attained."""
    rated = lose(Rating(1400.0, 100), 14, to=1200.0, system=System.BLITZ)
    assert workings_of(rated, 1).step5 < 1200.0
    assert after_of(rated, 1).rating == 1200.0
    carried = facts_after(rated)["1"].ratings[System.BLITZ]
    assert (carried.peak, carried.at_least & Bound.PEAK) == (1400.0, Bound.PEAK)
    assert "peak-missing" in [finding.code for finding in rated.findings]
    raised = rate([Rating(1990.0, 60), Rating(2400.0, 60), Rating(2400.0, 60)], ["W2 W3", "L1", "L1"])
    peak = facts_after(raised)["1"].ratings[REGULAR].peak
    assert peak == after_of(raised, 1).rating > 1990.0


def test_rules_of_older_books_know_no_bounds() -> None:
    older = rules_of(TODAY, floors_from_bounds=0)
    rated = lose(Rating(1400.0, 100), 14, to=1200.0, rules=older)
    assert after_of(rated, 1).rating < 1200.0
    carried = facts_after(rated)["1"].ratings[REGULAR]
    assert (carried.peak, carried.wins, carried.at_least) == (None, None, Bound(0))


@pytest.mark.statement("L5")
def test_a_bound_that_rises_ends_a_lowered_floor_only_where_the_peak_is_surely_new() -> None:
    """The floor was lowered from 1600 to 1500: the peak was below 1900, so 1900 is surely above it and 1890 is not."""
    start = Rating(1880.0, 60, peak=1850.0, at_least=Bound.PEAK)
    for opponent, stays in ((1500.0, True), (2400.0, False)):
        known = facts(start)._replace(floors=(EnteredFloor(REGULAR, FloorKind.LOWERED, 1500.0),))
        rated = rate([known, Rating(opponent, 60)], ["W2", "L1"])
        assert (after_of(rated, 1).rating < 1900.0) == stays
        assert bool(facts_after(rated)["1"].floors) == stays


@pytest.mark.statement("L2", "Q12")
def test_a_provisional_peak_does_not_count() -> None:
    """Somebody of 22 games before and 26 after has the rating after as the first established one."""
    rated = lose(Rating(1700.0, 22), 4, to=1500.0)
    assert facts_after(rated)["1"].ratings[REGULAR].peak == after_of(rated, 1).rating
    assert after_of(rated, 1).rating < 1700.0

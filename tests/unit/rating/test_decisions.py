"""Decisions about a member: what each kind moves, and that every kind is documented and drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratebook.demo.synthetic import Shape, synthetic_history
from ratebook.model import Bound, FloorKind, Rating
from ratebook.rating.carry import Carry
from ratebook.rating.decisions import (
    FLOOR_KINDS,
    KINDS,
    NOTHING_ENTERED,
    NUMBERS,
    raise_to_floor,
    take_effect,
    waits_to_raise,
)
from support.builders import rules_of

NOTHING = [-1.0] * 5
RULES = rules_of("2026-02-03")
HISTORY_PAGE = Path(__file__).parents[3] / "docs" / "history-columns.md"

Decision = tuple[str, FloorKind, float, float]


def follow(carry: Carry, *decisions: Decision) -> list[float]:
    """Return what is entered after some decisions, of floors by kind and the ceiling."""
    entered = list(NOTHING_ENTERED)
    for word, kind, value, games in decisions:
        take_effect(RULES, carry, entered, NUMBERS[word], FLOOR_KINDS.index(kind), value, games)
    return entered


def floor(kind: FloorKind, value: float) -> Decision:
    return "floor", kind, value, 0.0


def lifted(kind: FloorKind) -> Decision:
    return "floor-lifted", kind, 0.0, 0.0


def ceiling(value: float) -> Decision:
    return "ceiling", FloorKind.OFFICE, value, 0.0


def test_a_floor_replaces_and_a_lifted_one_ends_those_of_its_kind_alone() -> None:
    carry = Carry(Rating(1500.0, 30))
    money, office = FloorKind.MONEY, FloorKind.OFFICE
    assert follow(carry, floor(money, 1200.0), floor(office, 1300.0)) == [1200.0, -1.0, -1.0, 1300.0, -1.0]
    assert follow(carry, floor(money, 1200.0), floor(money, 1100.0)) == [1100.0, -1.0, -1.0, -1.0, -1.0]
    assert follow(carry, floor(money, 1200.0), lifted(office)) == [1200.0, -1.0, -1.0, -1.0, -1.0]
    assert follow(carry, floor(money, 1200.0), lifted(money)) == NOTHING


def test_a_ceiling_holds_until_the_next_one_or_until_it_is_lifted() -> None:
    carry = Carry(Rating(1500.0, 30))
    assert follow(carry, ceiling(2000.0), ceiling(1900.0)) == [-1.0, -1.0, -1.0, -1.0, 1900.0]
    assert follow(carry, ceiling(2000.0), ("ceiling-lifted", FloorKind.OFFICE, 0.0, 0.0)) == NOTHING


@pytest.mark.parametrize(("rating", "start"), [(None, (1900.0, 10.0)), (Rating(1500.0, 30), (1500.0, 30.0))])
def test_an_initial_rating_is_for_the_unrated(rating: Rating | None, start: tuple[float, float]) -> None:
    carry = Carry(rating)
    assert follow(carry, ("initial", FloorKind.OFFICE, 1900.0, 10.0)) == NOTHING
    assert (carry.rating, carry.games) == start
    assert bool(carry.known) is (rating is not None)


def adjusted(value: float) -> Decision:
    return "rating", FloorKind.OFFICE, value, 0.0


@pytest.mark.statement("L7")
@pytest.mark.parametrize(
    ("before", "value", "peak"),
    [
        (Rating(1900.0, 30, 9, 3, peak=1950.0), 2000.0, 2000.0),  # the highest rating attained
        (Rating(1900.0, 30, 9, 3, peak=1950.0), 1700.0, 1950.0),  # at the floor of 1950
        (Rating(1900.0, 30, 9, 3, peak=1950.0), 1699.0, 1699.0),  # below it
        (Rating(1900.0, 30, 9, 3), 1699.0, None),  # the peak is unknown
        (Rating(1900.0, 20, 9, 3), 2000.0, None),  # provisional ratings are no peaks
    ],
)
def test_an_adjusted_rating_keeps_games_and_counts_and_may_be_a_peak(
    before: Rating, value: float, peak: float | None
) -> None:
    carry = Carry(before)
    assert follow(carry, adjusted(value)) == NOTHING
    assert carry.rating_on(None, None) == before._replace(rating=value, peak=peak, losses=None)


def test_an_adjusted_rating_below_a_bounded_peak_makes_the_peak_known() -> None:
    carry = Carry(Rating(1900.0, 30, peak=1950.0, at_least=Bound.PEAK | Bound.COUNTS))
    follow(carry, adjusted(1500.0))
    assert (carry.peak, Bound(carry.at_least)) == (1500.0, Bound.COUNTS)


@pytest.mark.parametrize(
    ("value", "lowered"), [(1650.0, 1600.0), (1599.0, -1.0), (1950.0, 1600.0), (1951.0, -1.0)]
)
def test_a_lowered_floor_ends_below_it_or_with_a_higher_peak(value: float, lowered: float) -> None:
    carry = Carry(Rating(1700.0, 30, peak=1950.0))
    assert follow(carry, floor(FloorKind.LOWERED, 1600.0), adjusted(value))[2] == lowered


def test_an_unrated_member_has_no_rating_to_adjust() -> None:
    carry = Carry(None)
    follow(carry, adjusted(1500.0))
    assert (bool(carry.known), carry.rating) == (False, Carry(None).rating)


@pytest.mark.statement("L6")
@pytest.mark.parametrize(
    ("rating", "kind", "after"),
    [
        (Rating(1750.0, 30, 9, 3, peak=1790.0), FloorKind.MONEY, Rating(1800.0, 30, 9, 3, peak=1800.0)),
        (Rating(1750.0, 20, 9, 3), FloorKind.OFFICE, Rating(1800.0, 20, 9, 3)),
        (Rating(1810.0, 30, 9, 3, peak=1850.0), FloorKind.OLM, Rating(1810.0, 30, 9, 3, peak=1850.0)),
        (Rating(1750.0, 30, 9, 3, peak=1790.0), FloorKind.LOWERED, Rating(1750.0, 30, 9, 3, peak=1790.0)),
    ],
)
def test_a_rating_rises_to_an_entered_floor(rating: Rating, kind: FloorKind, after: Rating) -> None:
    carry = Carry(rating)
    entered = follow(carry, floor(kind, 1800.0))
    assert carry.rating == rating.rating, "not before the day is over"
    if waits_to_raise(RULES, NUMBERS["floor"], FLOOR_KINDS.index(kind)):
        raise_to_floor(RULES, carry, entered)
    assert carry.rating_on(None, None) == after
    older = RULES._replace(entered_floors_raise=0)
    assert not waits_to_raise(older, NUMBERS["floor"], FLOOR_KINDS.index(kind))


def test_every_kind_is_on_the_page_about_columns() -> None:
    page = HISTORY_PAGE.read_text(encoding="utf-8")
    missing = [word for word, number in NUMBERS.items() if f"{number} {word.replace('-', ' ')}" not in page]
    assert missing == []


def test_synthetic_histories_draw_every_kind() -> None:
    """Otherwise the engines would not be compared over it."""
    drawn = synthetic_history(Shape(100, 500, decided=1.0)).decisions["kind"].to_pylist()
    assert set(drawn) == set(NUMBERS.values())


def test_numbers_are_given_once() -> None:
    assert sorted(NUMBERS.values()) == list(range(1, len(NUMBERS) + 1))
    assert all(set(kind.columns) <= {"floor_kind", "value", "games"} for kind in KINDS.values())

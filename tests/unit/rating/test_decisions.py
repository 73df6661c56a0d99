"""Decisions about a member: what each kind moves, and that every kind is documented and drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratebook.demo.synthetic import Shape, synthetic_history
from ratebook.model import FloorKind, Rating
from ratebook.rating.carry import Carry
from ratebook.rating.decisions import (
    FLOOR_KINDS,
    KINDS,
    NOTHING_ENTERED,
    NUMBERS,
    take_effect,
)

NOTHING = [-1.0] * 5
HISTORY_PAGE = Path(__file__).parents[3] / "docs" / "history-columns.md"

Decision = tuple[str, FloorKind, float, float]


def follow(carry: Carry, *decisions: Decision) -> list[float]:
    """Return what is entered after some decisions, of floors by kind and the ceiling."""
    entered = list(NOTHING_ENTERED)
    for word, kind, value, games in decisions:
        take_effect(carry, entered, NUMBERS[word], FLOOR_KINDS.index(kind), value, games)
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

"""What every calculator refuses, and how ratings are rounded."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.calculators.arithmetic import (
    LARGEST_RATING,
    require_games,
    require_not_negative,
    require_rating,
    require_score,
    round_away,
    round_to_nearest,
    winning_expectancy,
)

RATINGS = st.floats(min_value=-1000, max_value=4000)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 100_001.0])
def test_a_rating_that_is_no_sane_number_is_refused_by_name(value: float) -> None:
    with pytest.raises(ValueError, match="own rating must be a finite number"):
        require_rating(value, "own rating")


@pytest.mark.parametrize("value", [math.nan, math.inf, -0.5])
def test_a_negative_amount_is_refused_by_name(value: float) -> None:
    with pytest.raises(ValueError, match="age must be a finite number, 0 or more"):
        require_not_negative(value, "age")


@pytest.mark.parametrize("value", [0.25, 2, -1, math.nan])
def test_a_score_is_a_loss_a_draw_or_a_win(value: float) -> None:
    with pytest.raises(ValueError, match=r"a score is 0, 0\.5 or 1"):
        require_score(value)


def test_no_games_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        require_games([])


@pytest.mark.statement("G1")
@pytest.mark.parametrize(
    ("own", "opponent", "expected"),
    [(1600, 1400, 0.759746926647958), (1500, 1500, 0.5), (1500, 1100, 10 / 11), (1100, 1500, 1 / 11)],
)
def test_the_winning_expectancy(own: float, opponent: float, expected: float) -> None:
    assert winning_expectancy(own, opponent) == pytest.approx(expected, abs=1e-14)


@pytest.mark.statement("G1")
@given(RATINGS, RATINGS)
def test_two_expectancies_of_one_game_sum_to_one(own: float, opponent: float) -> None:
    together = winning_expectancy(own, opponent) + winning_expectancy(opponent, own)
    assert together == pytest.approx(1.0, abs=1e-12)


@pytest.mark.statement("G1")
@given(RATINGS, RATINGS, RATINGS)
def test_a_stronger_opponent_never_raises_the_expectancy(own: float, one: float, other: float) -> None:
    weaker, stronger = sorted((one, other))
    assert winning_expectancy(own, weaker) >= winning_expectancy(own, stronger)


def test_the_largest_difference_does_not_overflow() -> None:
    assert winning_expectancy(LARGEST_RATING, -LARGEST_RATING) == 1.0
    assert winning_expectancy(-LARGEST_RATING, LARGEST_RATING) == 0.0


@pytest.mark.parametrize(
    ("value", "expected"), [(1511.111, 1511), (1510.5, 1511), (1511.5, 1512), (1511.49, 1511), (-0.5, 0)]
)
def test_a_half_rounds_up_never_to_even(value: float, expected: int) -> None:
    assert round_to_nearest(value) == expected


@pytest.mark.statement("G6")
@pytest.mark.parametrize(
    ("value", "before", "expected"),
    [
        (1446.158, 1300, 1447),
        (1300.01, 1300, 1301),
        (1299.99, 1300, 1299),
        (1300.0, 1300, 1300),
        (1446.0000009, 1300, 1446),  # within 1e-6 of an integer is that integer
        (1445.9999991, 1300, 1446),
        (1446.000002, 1300, 1447),
        (1253.9999991, 1300, 1254),
        (1254.0000009, 1300, 1254),
        (1299.9999995, 1300, 1300),
        (1500.4, 1500.4, 1500),  # unchanged: neither up nor down
    ],
)
def test_a_rating_is_rounded_away_from_the_one_before(value: float, before: float, expected: int) -> None:
    assert round_away(value, before) == expected


@pytest.mark.statement("G6")
@given(st.integers(min_value=100, max_value=3000), st.floats(min_value=-900, max_value=900))
def test_rounding_away_never_loses_part_of_a_change(before: int, change: float) -> None:
    rounded = round_away(before + change, before)
    assert abs(rounded - before) >= abs(change) - 2e-6
    assert abs(rounded - before) < abs(change) + 1

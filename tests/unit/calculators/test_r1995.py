"""The rating system of 1995 beyond the report's own examples (those are in tests/examples/r95.toml)."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.calculators.arithmetic import Game
from ratebook.calculators.conversion1995 import CONVERTED_GAMES, assign_rating
from ratebook.calculators.r1995 import (
    expectancy_in_tens,
    is_provisional,
    is_scholastic,
    normal_k,
    peak_floor,
    rate_established,
    rate_provisional,
    scholastic_k,
    stretches_of_change,
)

CHILD_AGE = 11.99
RATINGS = st.floats(min_value=100, max_value=2900)
AGES = st.one_of(st.none(), st.floats(min_value=4, max_value=90))
GAMES = st.lists(
    st.builds(Game, RATINGS, st.sampled_from((0.0, 0.5, 1.0)), opponent_age=AGES), min_size=1, max_size=10
)


@pytest.mark.statement("Q28")
@pytest.mark.parametrize(
    ("rating", "expected"), [(0, 32), (2099.99, 32), (2100, 24), (2399, 24), (2399.99, 24), (2400, 16)]
)
def test_k_falls_at_2100_and_2400(rating: float, expected: float) -> None:
    assert normal_k(rating) == expected


@pytest.mark.parametrize(
    ("own", "opponent", "difference"),
    [
        (1309, 1200, 100),
        (1310, 1200, 110),
        (1209, 1200, 0),
        (1191, 1200, 0),
        (1190, 1200, -10),
        (1091, 1200, -100),
    ],
)
def test_a_difference_counts_in_whole_tens(own: float, opponent: float, difference: float) -> None:
    assert expectancy_in_tens(own, opponent) == pytest.approx(1 / (1 + 10 ** (-difference / 400)), abs=1e-14)


@pytest.mark.parametrize(
    ("before", "after", "games"),
    [
        # Published ratings of the 1990s; without the tens the computed ratings are off by more than a point.
        (1831, 1828, [(1907, 0.5), (1896, 0), (1900, 1), (1883, 0), (1869, 1), (1859, 0)]),
        (1939, 1915, [(1841, 1), (1840, 1), (1827, 0), (1900, 0), (1835, 0), (1811, 1)]),
        (1907, 1881, [(1840, 0), (1809, 0), (1840, 1), (1907, 1), (1878, 0)]),
    ],
)
def test_published_ratings_come_out_by_differences_in_tens(
    before: int, after: int, games: list[tuple[int, float]]
) -> None:
    result = rate_established(before, [Game(opponent, score) for opponent, score in games])
    assert abs(result.unrounded - after) <= 1


@pytest.mark.statement("Q35")
@pytest.mark.parametrize(
    ("rating", "surplus", "stretches"),
    [
        # Published: 2075 became 2143. The surplus is 25/32 + 43/24.
        (2075, 25 / 32 + 43 / 24, [(32, 2075, 2100), (24, 2100, 2143)]),
        (2110, -(10 / 24 + 20 / 32), [(24, 2110, 2100), (32, 2100, 2080)]),
        (2390, 10 / 24 + 8 / 16, [(24, 2390, 2400), (16, 2400, 2408)]),
        (2410, -(10 / 16 + 12 / 24), [(16, 2410, 2400), (24, 2400, 2388)]),
        (2090, 10 / 32 + 300 / 24 + 4 / 16, [(32, 2090, 2100), (24, 2100, 2400), (16, 2400, 2404)]),
        (2100, -0.5, [(32, 2100, 2084)]),  # nothing of the way is above the limit
        (2100, 0.5, [(24, 2100, 2112)]),
        (2075, 0.5, [(32, 2075, 2091)]),
    ],
)
def test_points_beyond_a_limit_are_at_the_k_beyond_it(
    rating: float, surplus: float, stretches: list[tuple[float, float, float]]
) -> None:
    found = stretches_of_change(rating, surplus)
    assert [one.k_factor for one in found] == [factor for factor, _, _ in stretches]
    for one, (_, start, end) in zip(found, stretches, strict=True):
        assert (one.start, one.end) == pytest.approx((start, end))


@pytest.mark.statement("Q35")
def test_six_wins_against_equals_cross_2100() -> None:
    """Six times 1 - 0.5 is 3: 25/32 of it takes 2075 to 2100, the other 2.21875 are worth 24 each: 2153.25."""
    result = rate_established(2075, [Game(2075, 1)] * 6)
    assert result.unrounded == pytest.approx(2153.25)
    assert result.change == pytest.approx(78.25)


@pytest.mark.statement("M4")
@pytest.mark.parametrize(
    ("rating", "age", "expected"),
    [
        (799.99, 11.99, True),
        (800, 11.99, False),  # "less than 800"
        (799.99, 12, False),  # "under 12"
        (799, None, False),
        (1200, 40, False),
    ],
)
def test_scholastic_means_under_twelve_and_below_800(
    rating: float, age: float | None, *, expected: bool
) -> None:
    assert is_scholastic(rating, age) is expected


@pytest.mark.statement("M4", "Q28")
@pytest.mark.parametrize(
    ("rating", "age", "opponent", "opponent_age", "expected"),
    [
        (700, CHILD_AGE, 600, 30, 128),
        (700, CHILD_AGE, 600, CHILD_AGE, 32),  # both cancel
        (1200, 30, 600, CHILD_AGE, 8),
        (1200, 30, 600, 12, 32),
        (2200, 30, 600, CHILD_AGE, 6),
        (2450, 30, 600, CHILD_AGE, 4),
        (1200, None, 600, None, 32),
        (850, CHILD_AGE, 799, CHILD_AGE, 8),  # a child of 850 is protected like anybody else
    ],
)
def test_the_k_of_a_game_under_the_scholastic_measure(
    rating: float, age: float | None, opponent: float, opponent_age: float | None, expected: float
) -> None:
    assert scholastic_k(rating, age, Game(opponent, 1, opponent_age=opponent_age)) == expected


@pytest.mark.statement("M4")
def test_without_the_measure_ages_mean_nothing() -> None:
    with_ages = [Game(600, 1, opponent_age=9), Game(750, 0, opponent_age=10)]
    without = [Game(600, 1), Game(750, 0)]
    assert rate_established(700, with_ages, age=10).unrounded == rate_established(700, without).unrounded


@pytest.mark.statement("M4")
def test_the_report_s_examples_without_their_rounding() -> None:
    """842.28 (749.29) and 1201.79 (1179.46), computed from R95 by hand."""
    child = [
        Game(600, 1, opponent_age=12),
        Game(750, 1, opponent_age=11),
        Game(900, 1, opponent_age=12),
        Game(1000, 0, opponent_age=12),
    ]
    adult = [Game(750, 0, opponent_age=11), Game(1100, 0.5), Game(1150, 1)]
    assert rate_established(700, child, age=10, scholastic=True).unrounded == pytest.approx(842.28, abs=0.005)
    assert rate_established(700, child, age=10).unrounded == pytest.approx(749.29, abs=0.005)
    assert rate_established(1200, adult, scholastic=True).unrounded == pytest.approx(1201.79, abs=0.005)
    assert rate_established(1200, adult).unrounded == pytest.approx(1179.46, abs=0.005)


@pytest.mark.statement("Q28")
def test_a_result_explains_itself() -> None:
    """Two wins against equals at K 32: twice 16 points, and no bonus for it."""
    result = rate_established(1500, [Game(1500, 1), Game(1500, 1)])
    assert (result.score, result.expected_score, result.normal_k) == (2.0, 1.0, 32.0)
    assert [game.change for game in result.games] == [16.0, 16.0]
    assert (result.change, result.unrounded, result.rounded, result.rating_after) == (
        32.0,
        1532.0,
        1532,
        1532,
    )


def test_ratings_round_to_nearest_and_stop_at_100() -> None:
    """110 - 16 = 94; 24 * (1 - 10 / 11) = 2.18, which rounding away would make 3."""
    result = rate_established(110, [Game(110, 0)])
    assert (result.rounded, result.rating_after) == (94, 100)
    assert rate_established(2100, [Game(1700, 1)]).rating_after == 2102


@given(RATINGS, GAMES, st.floats(min_value=4, max_value=90))
def test_the_scholastic_measure_never_turns_the_sign_of_a_game(
    rating: float, games: list[Game], age: float
) -> None:
    plain = rate_established(rating, games, age=age)
    scholastic = rate_established(rating, games, age=age, scholastic=True)
    for game, other in zip(plain.games, scholastic.games, strict=True):
        assert game.expected_score == other.expected_score
        assert game.change * other.change >= 0.0
        assert other.k_factor / game.k_factor in {0.25, 1.0, 4.0}


@given(RATINGS, RATINGS)
def test_equal_k_conserves_points(one: float, other: float) -> None:
    low, high = (min(rating, 2068.0) for rating in (one, other))  # neither reaches 2100
    won = rate_established(low, [Game(high, 1)])
    lost = rate_established(high, [Game(low, 0)])
    assert won.change + lost.change == pytest.approx(0.0, abs=1e-9)


def test_a_rating_is_provisional_to_20_games() -> None:
    assert is_provisional(0)
    assert is_provisional(20)
    assert not is_provisional(20.5)


@pytest.mark.statement("F7")
def test_the_old_provisional_formula_serves_to_20_games() -> None:
    """(20 * 1400 + 1600 + 400) / 21 = 1428.57."""
    result = rate_provisional(1400, 20, [Game(1600, 1)])
    assert result.unrounded == pytest.approx(30000 / 21)
    assert result.rounded == 1429
    with pytest.raises(ValueError, match="at most 20 games, not 21"):
        rate_provisional(1400, 21, [Game(1600, 1)])


@pytest.mark.statement("I17")
def test_a_converted_rating_is_updated_as_one_of_ten_games() -> None:
    """The report's second example: FIDE 2440 is 2525 on 10 games.

    Four opponents of 2400, two wins and two draws:

    (10 * 2525 + 4 * 2400 + 2 * 400) / 14 = 2546.43
    """
    games = [Game(2400, 1), Game(2400, 1), Game(2400, 0.5), Game(2400, 0.5)]
    result = rate_provisional(assign_rating(fide=2440).rating, CONVERTED_GAMES, games)
    assert (result.rating_before, result.games_before) == (2525, 10)
    assert result.unrounded == pytest.approx(35650 / 14)
    assert result.rating_after == 2546


@pytest.mark.statement("L5")
@pytest.mark.parametrize(
    ("highest", "usual", "prison"),
    [(1750, 1600, 1400), (1799, 1600, 1400), (1700, 1600, 1400), (1699, 1500, 1300), (250, 100, 100)],
)
def test_floors_of_1995(highest: float, usual: int, prison: int) -> None:
    assert peak_floor(highest) == usual
    assert peak_floor(highest, prison=True) == prison


@pytest.mark.statement("L5")
@given(st.floats(min_value=400, max_value=3000))
def test_the_prison_floor_is_200_lower_and_at_least_300_below_the_peak(highest: float) -> None:
    assert peak_floor(highest) - peak_floor(highest, prison=True) == 200
    assert peak_floor(highest, prison=True) <= highest - 300


@pytest.mark.parametrize(
    ("arguments", "keywords", "message"),
    [
        ((math.nan, [Game(1500, 1)]), {}, "rating before the event must be"),
        ((1500, []), {}, "at least one game"),
        ((1500, [Game(math.inf, 1)]), {}, "opponent rating must be"),
        ((1500, [Game(1500, 0.7)]), {}, "a score is"),
        ((1500, [Game(1500, 1, opponent_age=-1)]), {}, "age must be"),
        ((1500, [Game(1500, 1)]), {"age": math.nan, "scholastic": True}, "age must be"),
    ],
)
def test_what_cannot_be_rated_is_refused_with_a_reason(
    arguments: tuple[Any, ...], keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        rate_established(*arguments, **keywords)


def test_a_floor_needs_a_number() -> None:
    with pytest.raises(ValueError, match="highest rating must be"):
        peak_floor(math.inf)

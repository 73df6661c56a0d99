"""The approximating formulas of 2001 beyond their own examples (those are in tests/examples/a01.toml)."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.calculators.approx2001 import (
    bonus_threshold,
    effective_games,
    is_bonus_eligible,
    is_established,
    k_factor,
    peak_floor,
    performance_rating,
    rate_special,
    rate_standard,
    uses_special_formula,
)
from ratebook.calculators.arithmetic import Game

EXAMPLE = [Game(1250, 1), Game(1400, 1), Game(1500, 1), Game(1550, 0.5)]
"""The games of the page's standard example, by a player of 1300 based on 45 games."""

GAMES = st.lists(
    st.builds(Game, st.floats(min_value=100, max_value=3000), st.sampled_from((0.0, 0.5, 1.0)), st.none()),
    min_size=1,
    max_size=12,
)


@pytest.mark.statement("F7")
def test_an_unrated_player_starts_from_nothing() -> None:
    """N = 0 and R_pre = 0: 1500 + 400 / 3."""
    result = rate_special(None, 0, [Game(1400, 1), Game(1500, 1), Game(1600, 0)])
    assert result.rating_before == 0.0
    assert result.average_opponent == 1500.0
    assert (result.wins, result.losses) == (2, 1)
    assert result.unrounded == pytest.approx(1500 + 400 / 3)
    assert result.rounded == 1633


@pytest.mark.statement("F7")
def test_a_rating_based_on_no_game_has_no_weight() -> None:
    games = [Game(1400, 1), Game(1500, 0.5)]
    assert rate_special(1300, 0, games) == rate_special(None, 0, games)


@pytest.mark.statement("F7")
def test_the_special_formula_rounds_to_nearest_even_when_the_rating_rises() -> None:
    """(8 * 1500 + 1500 + 400) / 9 = 1544.44, which rounding away would make 1545."""
    result = rate_special(1500, 8, [Game(1500, 1)])
    assert result.unrounded == pytest.approx(13900 / 9)
    assert result.rounded == 1544


@pytest.mark.statement("F7")
def test_the_special_formula_can_fall_by_a_win_as_the_page_warns() -> None:
    """(6 * 1500 + 600 + 400) / 7."""
    assert rate_special(1500, 6, [Game(600, 1)]).unrounded == pytest.approx(10000 / 7)


@pytest.mark.statement("F7")
def test_no_rating_drops_below_100() -> None:
    result = rate_special(None, 0, [Game(300, 0)])
    assert (result.rounded, result.rating_after) == (-100, 100)


@pytest.mark.statement("F7")
@given(GAMES, st.integers(min_value=0, max_value=8), st.floats(min_value=100, max_value=3000))
def test_the_special_formula_lies_between_the_rating_and_the_performance(
    games: list[Game], games_before: int, rating: float
) -> None:
    performance = performance_rating([game.opponent_rating for game in games], [game.score for game in games])
    result = rate_special(rating, games_before, games).unrounded
    if games_before == 0:
        assert result == pytest.approx(performance)
    else:
        assert min(rating, performance) - 1e-6 <= result <= max(rating, performance) + 1e-6


@pytest.mark.parametrize(("games_before", "special", "established"), [(8, True, False), (9, False, False)])
def test_nine_games_are_enough_for_the_standard_formula(
    games_before: int, *, special: bool, established: bool
) -> None:
    assert uses_special_formula(games_before) is special
    assert is_established(games_before) is established


@pytest.mark.statement("S6")
def test_a_rating_is_established_from_26_games() -> None:
    assert not is_established(25)
    assert is_established(25.5)
    assert is_established(26)


@pytest.mark.statement("E2")
@pytest.mark.parametrize(
    ("rating", "expected"),
    [
        (100, 7.4452919691),
        (1300, 16.5748),
        (1500, 20.5846742398),
        (1700, 26.7261241912),
        (2000, 42.2577127364),
        (2199.999999, 50.0),
        (2200, 50.0),
        (2700, 50.0),
    ],
)
def test_the_effective_games_that_a_rating_allows(rating: float, expected: float) -> None:
    result = effective_games(rating, 1000)
    assert result.by_rating == pytest.approx(expected, abs=1e-4)
    assert result.effective == result.by_rating
    assert result.counted == 50.0


@pytest.mark.statement("E2")
def test_fewer_games_played_than_the_rating_allows_count_as_they_are() -> None:
    assert effective_games(1700, 12).effective == 12.0
    assert effective_games(2400, 49).effective == 49.0
    assert effective_games(2400, 51).effective == 50.0


@pytest.mark.statement("E2")
@given(st.floats(min_value=100, max_value=3000), st.floats(min_value=100, max_value=3000))
def test_a_higher_rating_never_counts_on_fewer_games(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert effective_games(low, 50).effective <= effective_games(high, 50).effective <= 50.0


@pytest.mark.statement("G2", "G5")
@pytest.mark.parametrize(
    ("effective", "games", "full", "half"),
    [
        (6, 4, 80.0, 50.0),
        (6, 6, 66.67, 44.44),
        (6, 10, 50.0, 36.36),
        (20, 4, 33.33, 18.18),
        (20, 6, 30.77, 17.39),
        (20, 10, 26.67, 16.0),
        (50, 4, 14.81, 7.69),
        (50, 6, 14.29, 7.547),
        (50, 10, 13.33, 7.27),
    ],
)
def test_full_and_half_k(effective: float, games: int, full: float, half: float) -> None:
    assert k_factor(effective, games) == pytest.approx(full, abs=0.005)
    assert k_factor(effective, games, half_k=True) == pytest.approx(half, abs=0.005)


@pytest.mark.statement("G5")
def test_a_half_k_event_keeps_the_full_bonus_threshold() -> None:
    """The page's example at half K: 400 / (16.5749 + 2) * 2.136666, less 20 for the bonus."""
    result = rate_standard(1300, 45, EXAMPLE, half_k=True)
    assert result.k_factor == pytest.approx(21.534507, abs=1e-6)
    assert result.bonus_threshold == 20.0
    assert result.change_without_bonus == pytest.approx(46.012060, abs=1e-6)
    assert result.bonus == pytest.approx(26.012060, abs=1e-6)
    assert result.rating_after == 1373


@pytest.mark.statement("E2", "G4", "G6")
def test_the_example_with_unrounded_intermediates() -> None:
    """1446.157628 is the one-pass number of A01."""
    result = rate_standard(1300, 45, EXAMPLE)
    assert result.k_factor == pytest.approx(38.882444, abs=1e-6)
    assert result.expected_score == pytest.approx(1.363334, abs=1e-6)
    assert result.change_without_bonus == pytest.approx(83.078814, abs=1e-6)
    assert result.bonus == pytest.approx(63.078814, abs=1e-6)
    assert result.unrounded == pytest.approx(1446.157628, abs=1e-6)
    assert result.average_opponent == 1425.0


@pytest.mark.statement("B2")
def test_the_multiplier_announced_for_2003_pays_less() -> None:
    result = rate_standard(1300, 45, EXAMPLE, bonus_multiplier=16)
    assert result.bonus_threshold == 32.0
    assert result.unrounded == pytest.approx(1434.157628, abs=1e-6)
    assert result.rating_after == 1435


@pytest.mark.statement("G4")
@pytest.mark.parametrize(("games", "expected"), [(1, 20.0), (3, 20.0), (4, 20.0), (9, 30.0)])
def test_short_events_are_treated_as_four_rounds(games: int, expected: float) -> None:
    assert bonus_threshold(games) == expected


@pytest.mark.statement("B3")
@pytest.mark.parametrize(
    ("opponents", "eligible"),
    [
        ("abc", True),
        ("aab", False),  # m = 3, one met twice: the specification of 2015 says yes
        ("aabb", False),  # two opponents twice each: every specification says yes
        ("aabc", True),
        ("aaabcd", False),
        ("ab", False),
        ("aabbcc", True),
        ("a", False),
    ],
)
def test_a_bonus_needs_three_distinct_opponents_and_nobody_thrice(opponents: str, *, eligible: bool) -> None:
    assert is_bonus_eligible([Game(1500, 1, key) for key in opponents]) is eligible


@pytest.mark.statement("B3")
def test_an_opponent_without_a_key_is_somebody_else() -> None:
    assert is_bonus_eligible([Game(1500, 1), Game(1500, 1), Game(1500, 1)])
    assert is_bonus_eligible([Game(1500, 1, "a"), Game(1500, 1, "a"), Game(1500, 1), Game(1500, 1)])
    assert not is_bonus_eligible([Game(1500, 1, "a"), Game(1500, 1, "a"), Game(1500, 1)])


@pytest.mark.statement("B3", "G4")
def test_without_eligibility_there_is_no_bonus() -> None:
    """Two opponents twice each, at the average of the example's: a large change, but nothing on top."""
    met_once = [Game(1250, 1, "a"), Game(1400, 1, "b"), Game(1500, 1, "c"), Game(1550, 0.5, "d")]
    assert rate_standard(1300, 45, met_once).bonus_eligible
    twice_two = [Game(1325, 1, "a"), Game(1325, 1, "a"), Game(1525, 1, "b"), Game(1525, 0.5, "b")]
    result = rate_standard(1300, 45, twice_two)
    assert not result.bonus_eligible
    assert result.bonus == 0.0
    assert result.change_without_bonus > result.bonus_threshold
    assert result.unrounded == 1300 + result.change_without_bonus


@pytest.mark.statement("G4")
def test_a_change_below_the_threshold_earns_no_bonus() -> None:
    """K = 800 / 54; one draw more than expected against equals is worth half of it."""
    games = [Game(2200, 1), Game(2200, 0.5), Game(2200, 0.5), Game(2200, 0.5)]
    result = rate_standard(2200, 50, games)
    assert result.bonus == 0.0
    assert result.unrounded == pytest.approx(2200 + 400 / 54)
    assert result.rating_after == 2208


@pytest.mark.statement("G6")
def test_a_loss_is_rounded_down() -> None:
    """K = 800 / 51, a loss to an equal costs 7.84 and so 8 points."""
    result = rate_standard(2200, 50, [Game(2200, 0)])
    assert result.unrounded == pytest.approx(2200 - 400 / 51)
    assert result.rounded == 2192


def test_the_standard_formula_stops_at_100_too() -> None:
    """K = 800 / 10 and S - E = -1/2."""
    result = rate_standard(101, 9, [Game(101, 0)])
    assert (result.rounded < 100, result.rating_after) == (True, 100)


@pytest.mark.statement("G6")
@given(st.integers(min_value=100, max_value=2900), st.integers(min_value=9, max_value=500), GAMES)
def test_a_rating_rises_exactly_if_more_was_scored_than_expected(
    rating: int, games_before: int, games: list[Game]
) -> None:
    result = rate_standard(rating, games_before, games)
    surplus = result.score - result.expected_score
    if abs(result.change_without_bonus) > 1e-5:
        assert math.copysign(1, result.rounded - rating) == math.copysign(1, surplus)
        assert result.rounded != rating
    assert result.rating_after >= 100
    assert result.bonus >= 0.0


@given(st.data(), GAMES)
def test_the_order_of_the_games_does_not_matter(data: st.DataObject, games: list[Game]) -> None:
    shuffled = data.draw(st.permutations(games))
    first, second = rate_standard(1600, 30, games), rate_standard(1600, 30, shuffled)
    assert first.unrounded == pytest.approx(second.unrounded, abs=1e-9)
    assert first.k_factor == second.k_factor


@pytest.mark.statement("L2")
@pytest.mark.parametrize(
    ("highest", "floor"),
    [
        (1941, 1700),
        (1588, 100),
        (1599.49, 100),
        (1599.99, 100),
        (1600, 1400),
        (1699, 1400),
        (1700, 1500),
        (2299, 2000),
        (2300, 2100),
        (2899, 2100),
        (100, 100),
    ],
)
def test_the_floor_below_a_highest_rating(highest: float, floor: int) -> None:
    assert peak_floor(highest).floor == floor


@pytest.mark.statement("L2")
@given(st.floats(min_value=0, max_value=3500), st.floats(min_value=0, max_value=3500))
def test_a_higher_peak_never_lowers_the_floor(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert peak_floor(low).floor <= peak_floor(high).floor
    assert peak_floor(high).floor in {100, *range(1400, 2101, 100)}


@pytest.mark.parametrize(
    ("opponents", "scores", "expected"),
    [
        ([1500, 1700], [1, 0], 1600.0),
        ([1500], [1], 1900.0),
        ([1500], [0.5], 1500.0),
        ([1000, 1100, 1200, 1300], [1, 1, 1, 0], 1350.0),
    ],
)
def test_a_performance_is_the_average_and_400_for_each_net_win(
    opponents: list[float], scores: list[float], expected: float
) -> None:
    assert performance_rating(opponents, scores) == expected


def test_a_performance_needs_a_score_for_each_opponent() -> None:
    with pytest.raises(ValueError, match="2 opponents but 1 scores"):
        performance_rating([1500, 1600], [1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1500, 9, EXAMPLE), "at most 8 games, not 9"),
        ((1500, -1, EXAMPLE), "number of games before"),
        ((None, 3, EXAMPLE), "based on 3 games must be given"),
        ((math.nan, 3, EXAMPLE), "rating before the event must be"),
        ((1500, 3, []), "at least one game"),
        ((1500, 3, [Game(1500, 0.3)]), "a score is"),
        ((1500, 3, [Game(math.inf, 1)]), "opponent rating must be"),
        ((1500, 3, [Game(1500, 1, "a"), Game(1501, 1, "a")]), "opponent 'a' is given two ratings"),
    ],
)
def test_the_special_formula_says_what_it_refuses(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rate_special(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1500, 8, EXAMPLE), "needs the special formula"),
        ((1500, math.nan, EXAMPLE), "number of games before"),
        ((math.inf, 30, EXAMPLE), "rating before the event must be"),
        ((1500, 30, []), "at least one game"),
        ((1500, 30, [Game(1500, 2)]), "a score is"),
        ((1500, 30, [Game(1500, 1, "a"), Game(1501, 1, "a")]), "opponent 'a' is given two ratings"),
    ],
)
def test_the_standard_formula_says_what_it_refuses(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rate_standard(*arguments)


def test_other_multipliers_and_empty_events_are_refused() -> None:
    with pytest.raises(ValueError, match="10 or 16, not 12"):
        bonus_threshold(4, multiplier=12)  # type: ignore[arg-type] # a caller without a type checker
    with pytest.raises(ValueError, match="at least one game"):
        bonus_threshold(0)
    with pytest.raises(ValueError, match="at least one game"):
        k_factor(20, 0)
    with pytest.raises(ValueError, match="highest rating must be"):
        peak_floor(math.nan)

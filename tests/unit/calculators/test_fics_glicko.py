"""Glicko as on FICS against values not from our code: docs/rules/coverage.md#m5, and bc with the server's q and p."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.calculators.fics_glicko import (
    FICS_GROWTH,
    FicsRating,
    P,
    Q,
    attenuation,
    deviation_after_time,
    expected_score,
    intervals,
    probability_stronger,
    rate_both,
    rate_game,
)

PLAYERS = st.builds(
    FicsRating, st.floats(min_value=0, max_value=3500), st.floats(min_value=0.01, max_value=350)
)
SCORES = st.sampled_from((0.0, 0.5, 1.0))


@pytest.mark.statement("M5")
def test_the_constants_are_those_of_the_server_s_program() -> None:
    assert pytest.approx(0.00575646273249, abs=1e-14) == Q
    assert pytest.approx(0.000010072398601964, abs=1e-18) == P
    assert pytest.approx(2.199289, abs=1e-9) == FICS_GROWTH


@pytest.mark.statement("M5")
def test_a_new_player_is_1720_with_350() -> None:
    assert FicsRating() == (1720.0, 350.0)


@pytest.mark.statement("M5")
@pytest.mark.parametrize(
    ("player", "opponent", "score", "k_factor", "rating", "deviation"),
    [
        (FicsRating(), FicsRating(), 1, 324.4240, 1882.2120, 290.2305),
        (FicsRating(1500, 200), FicsRating(1400, 30), 1, 175.9400, 1563.4320, 175.2202),
        (FicsRating(1800, 60), FicsRating(), 0, 13.6868, 1792.1105, 59.6126),
        (FicsRating(1600, 80), FicsRating(1750, 120), 0.5, 33.1203, 1606.3411, 78.4648),
    ],
)
def test_one_game(  # noqa: PLR0913, PLR0917 - the columns of a table of golden numbers
    player: FicsRating, opponent: FicsRating, score: float, k_factor: float, rating: float, deviation: float
) -> None:
    result = rate_game(player, opponent, score)
    assert result.k_factor == pytest.approx(k_factor, abs=1e-4)
    assert result.after.rating == pytest.approx(rating, abs=1e-4)
    assert result.after.deviation == pytest.approx(deviation, abs=1e-4)
    assert result.change == pytest.approx(rating - player.rating, abs=1e-4)
    assert (result.before, result.opponent, result.score) == (player, opponent, score)


@pytest.mark.statement("M5")
def test_the_intermediate_values_of_a_game() -> None:
    result = rate_game(FicsRating(1500, 200), FicsRating(1400, 30), 1)
    assert result.attenuation == pytest.approx(0.995498, abs=5e-7)
    assert result.expected_score == pytest.approx(0.639468, abs=5e-7)
    assert rate_game(FicsRating(1600, 80), FicsRating(1750, 120), 0).expected_score == pytest.approx(
        0.308544967, abs=1e-9
    )


@pytest.mark.statement("M5")
def test_both_players_are_rated_from_the_values_before_the_game() -> None:
    first, second = FicsRating(1500, 200), FicsRating(1400, 30)
    won, lost = rate_both(first, second, 1)
    assert won == rate_game(first, second, 1)
    assert lost == rate_game(second, first, 0)


@pytest.mark.statement("M5")
def test_a_deviation_of_nothing_neither_divides_nor_moves() -> None:
    result = rate_game(FicsRating(1500, 0), FicsRating(1700, 100), 1)
    assert result.after == FicsRating(1500, 0)
    assert result.k_factor == 0.0


@pytest.mark.statement("M5", "Q29")
def test_the_deviation_grows_with_the_time_without_a_game() -> None:
    assert deviation_after_time(60, 0) == 60.0
    assert deviation_after_time(40, 7 * 24 * 60) == pytest.approx(40.252627, abs=1e-6)
    assert deviation_after_time(60, 9, growth=100) == pytest.approx(61.889082, abs=1e-6)
    assert deviation_after_time(60, 9, growth=0) == 60.0
    assert deviation_after_time(349, 1e9, growth=1e6) == 350.0


@pytest.mark.statement("M5")
@given(
    st.floats(min_value=0, max_value=350),
    st.floats(min_value=0, max_value=1e9),
    st.floats(min_value=0, max_value=1e9),
)
def test_a_longer_time_never_leaves_a_smaller_deviation(deviation: float, one: float, other: float) -> None:
    shorter, longer = (deviation_after_time(deviation, time) for time in sorted((one, other)))
    assert deviation - 1e-9 <= shorter <= longer <= 350.0


@pytest.mark.statement("M5")
@given(PLAYERS, PLAYERS, SCORES)
def test_playing_never_raises_a_deviation(player: FicsRating, opponent: FicsRating, score: float) -> None:
    result = rate_game(player, opponent, score)
    assert 0.0 < result.after.deviation <= player.deviation
    assert 0.0 < result.attenuation <= 1.0
    assert 0.0 < result.expected_score < 1.0


@pytest.mark.statement("M5")
@given(PLAYERS, PLAYERS)
def test_a_win_never_lowers_a_rating_and_a_loss_never_raises_it(
    player: FicsRating, opponent: FicsRating
) -> None:
    loss, draw, win = (rate_game(player, opponent, score).change for score in (0, 0.5, 1))
    assert loss <= draw <= win
    assert loss <= 0.0 <= win


@pytest.mark.statement("M5")
@given(PLAYERS, PLAYERS, st.floats(min_value=0, max_value=350))
def test_a_less_certain_opponent_moves_the_expectancy_towards_a_half(
    player: FicsRating, opponent: FicsRating, extra: float
) -> None:
    vaguer = FicsRating(opponent.rating, opponent.deviation + extra)
    precise = abs(expected_score(player.rating, opponent) - 0.5)
    assert abs(expected_score(player.rating, vaguer) - 0.5) <= precise + 1e-12


@pytest.mark.statement("M5")
@given(st.floats(min_value=0, max_value=350), st.floats(min_value=0, max_value=350))
def test_a_larger_deviation_attenuates_more(one: float, other: float) -> None:
    small, large = sorted((one, other))
    assert 0.0 < attenuation(large) <= attenuation(small) <= 1.0


@pytest.mark.statement("M5")
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (FicsRating(1900, 0), FicsRating(1500, 0), 10 / 11),
        (FicsRating(1900, 300), FicsRating(1500, 400), 0.7734006),  # the joint deviation is 500
        (FicsRating(1850, 50), FicsRating(1800, 120), 0.5661271),
        (FicsRating(1700, 20), FicsRating(1700, 300), 0.5),
    ],
)
def test_the_probability_that_one_true_rating_exceeds_another(
    first: FicsRating, second: FicsRating, expected: float
) -> None:
    assert probability_stronger(first, second) == pytest.approx(expected, abs=1e-7)


@pytest.mark.statement("M5")
@given(PLAYERS, PLAYERS)
def test_one_of_two_true_ratings_is_the_higher(first: FicsRating, second: FicsRating) -> None:
    together = probability_stronger(first, second) + probability_stronger(second, first)
    assert together == pytest.approx(1.0, abs=1e-12)


@pytest.mark.statement("M5")
def test_the_intervals_reach_one_two_and_three_deviations() -> None:
    assert intervals(FicsRating(1500, 40)) == (
        (1, 1460, 1540, 0.67),
        (2, 1420, 1580, 0.95),
        (3, 1380, 1620, 0.997),
    )


@pytest.mark.parametrize(
    ("player", "opponent", "score", "message"),
    [
        (FicsRating(math.nan, 50), FicsRating(), 1, "own rating must be"),
        (FicsRating(), FicsRating(math.inf, 50), 1, "opponent rating must be"),
        (FicsRating(1500, -1), FicsRating(), 1, "rating deviation must be"),
        (FicsRating(), FicsRating(1500, math.nan), 1, "rating deviation must be"),
        (FicsRating(), FicsRating(), 0.75, "a score is"),
    ],
)
def test_a_game_that_cannot_be_rated_is_refused(
    player: FicsRating, opponent: FicsRating, score: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        rate_game(player, opponent, score)


def test_bad_times_deviations_and_players_are_refused() -> None:
    with pytest.raises(ValueError, match="elapsed time must be"):
        deviation_after_time(50, -1)
    with pytest.raises(ValueError, match="growth constant c must be"):
        deviation_after_time(50, 1, growth=-1)
    with pytest.raises(ValueError, match="rating deviation must be"):
        attenuation(1e300)
    with pytest.raises(ValueError, match="rating deviation must be"):
        intervals(FicsRating(1500, -50))
    with pytest.raises(ValueError, match="rating must be"):
        probability_stronger(FicsRating(math.nan, 50), FicsRating())

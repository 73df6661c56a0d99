"""Estimates against opponents without a rating: figures worked out by hand from Step 3 of the specification."""

from __future__ import annotations

import pytest

from ratebook.calculators.arithmetic import UNRATED, Game
from ratebook.calculators.estimate import EstimatePlayer, estimate_rating, last_game_worth
from ratebook.rules.rulebook import rules_on

RULES = rules_on("2024-06-01")
ESTABLISHED = EstimatePlayer(1500.0)


@pytest.mark.parametrize(
    ("age", "score", "faced"),
    [
        # Without a birth date the first rating is 750: PWe(R, 750) + PWe(R, 1500) = 1/2 at 750, 1 1/2 at 1500.
        (None, 1.0, 750.0),
        (None, 0.0, 1500.0),
        # 30 years: 1300. Both ramps are open: (2 R - 2800) / 800 + 1 = S + 1/2, so R = 1400 + 400 (S - 1/2).
        (30.0, 1.0, 1200.0),
        (30.0, 0.5, 1400.0),
        (30.0, 0.0, 1600.0),
        # 10 years: 50 x 10 = 500, too far from 1500 for a loss to count.
        (10.0, 1.0, 500.0),
    ],
)
def test_a_newcomer_is_faced_at_the_rating_of_step_3(age: float | None, score: float, faced: float) -> None:
    estimate = estimate_rating(RULES, ESTABLISHED, [Game(UNRATED, score, opponent_age=age)])
    assert list(estimate.opponents) == pytest.approx([faced])
    expected = 1.0 / (1.0 + 10.0 ** ((faced - 1500.0) / 400.0))
    assert list(estimate.expectancies) == pytest.approx([expected])


def test_two_games_with_one_newcomer_are_one_special_rating() -> None:
    """Of 1300 with 1 of 2 against 1500: (R - 1300) + 2 (R - 1500) = 800 (1.5 - 1.5), so R = 4300 / 3."""
    games = [Game(UNRATED, score, "anna", 30.0) for score in (1.0, 0.0)]
    estimate = estimate_rating(RULES, ESTABLISHED, games)
    assert list(estimate.opponents) == pytest.approx([4300 / 3, 4300 / 3])


def test_rated_opponents_stay_where_they_are_beside_a_newcomer() -> None:
    games = [Game(1400.0, 1.0), Game(UNRATED, 1.0, opponent_age=30.0), Game(1650.0, 0.5)]
    estimate = estimate_rating(RULES, ESTABLISHED, games)
    assert list(estimate.opponents) == pytest.approx([1400.0, 1200.0, 1650.0])


def test_a_player_without_a_rating_is_estimated_against_newcomers_too() -> None:
    """The newcomer starts at 1300 and draws with 1000: (R - 1300) + (R - 1000) = 800 (1 - 1), so R = 1150."""
    alone = EstimatePlayer(1000.0, 0.0)
    estimate = estimate_rating(RULES, alone, [Game(UNRATED, 0.5, opponent_age=30.0)])
    assert list(estimate.opponents) == pytest.approx([1150.0])


def test_what_the_last_game_decides_moves_the_newcomer_too() -> None:
    worth = last_game_worth(RULES, ESTABLISHED, [Game(UNRATED, 1.0, opponent_age=30.0)])
    for result, score in (("win", 1.0), ("draw", 0.5), ("loss", 0.0)):
        estimate = estimate_rating(RULES, ESTABLISHED, [Game(UNRATED, score, opponent_age=30.0)])
        assert getattr(worth, result) == estimate.rating_after

"""The expected score that results show: figures that follow by hand, and worlds whose parameters are known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ratebook.lab.fits.expectancy import ExpectancySums, IntervalEstimate, expectancy_of
from ratebook.lab.worlds.making import make_world
from ratebook.lab.worlds.world import World
from ratebook.model import System
from ratebook.replay.run import Options
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from pathlib import Path

Z = 1.959963984540054


def gathered(*games: tuple[float, float, float, int]) -> ExpectancySums:
    """Return sums of games: difference, level, score and how many."""
    sums = ExpectancySums()
    for difference, level, score, count in games:
        ones = np.ones(count)
        sums.add(difference * ones, level * ones, score * ones)
    return sums


def test_ten_to_one_is_one_scale() -> None:
    """100 wins and 10 losses at 250 points: the scale is 250, and the error of the slope 1 / sqrt(n p q) / x."""
    found = gathered((250.0, 1500.0, 1.0, 100), (250.0, 1500.0, 0.0, 10)).expectancy(50)
    assert found.scale is not None
    assert found.scale.value == pytest.approx(250.0)
    error = 1.0 / math.sqrt(110 * (10 / 11) * (1 / 11)) / (250.0 * math.log(10.0) / 400.0)
    assert found.scale.low == pytest.approx(400.0 / (1.6 + Z * error))
    assert found.scale.high == pytest.approx(400.0 / (1.6 - Z * error))
    (point,) = found.curve
    assert (point.difference, point.games, point.drawn) == (250.0, 110, 0.0)
    assert point.score.value == pytest.approx(point.fitted) == pytest.approx(10 / 11)
    assert point.rules == pytest.approx(1.0 / (1.0 + 10.0 ** (-250.0 / 400.0)))
    # One difference alone determines no line.
    assert found.slope is None


def test_white_s_advantage_is_the_intercept_of_white_s_score() -> None:
    """3 to 1 for White among equals, 30 to 1 with 400 points more: 400 log10(3) points, whoever is the favourite."""
    sums = ExpectancySums()
    for ahead, wins, losses in ((0.0, 75, 25), (400.0, 300, 10), (-400.0, 69, 230)):
        scores = np.repeat([1.0, 0.0], [wins, losses])
        sums.add_white(np.full(len(scores), ahead), scores)
    white = sums.expectancy(50).white
    assert white is not None
    assert white.value == pytest.approx(400.0 * math.log10(3.0))
    assert white.shows


def test_a_line_goes_through_two_differences() -> None:
    """Even chances of equals but 3 to 1 for them here: intercept log 3; at 400 points 30 to 1: slope 1."""
    found = gathered(
        (0.0, 1500.0, 1.0, 75), (0.0, 1500.0, 0.0, 25), (400.0, 1500.0, 1.0, 300), (400.0, 1500.0, 0.0, 10)
    ).expectancy(50)
    assert found.slope is not None
    assert found.intercept is not None
    assert found.slope.value == pytest.approx(1.0)
    assert found.intercept.value == pytest.approx(math.log(3.0))
    assert found.intercept.high - found.intercept.value == pytest.approx(Z / math.sqrt(100 * 0.75 * 0.25))


def test_draws_are_counted_between_equals_and_by_level() -> None:
    """20 of 100 games at 1500, 40 of 100 at 1900: five points of a hundred more for each hundred points of level."""
    games = (
        (level, score, count)
        for level, drawn in ((1500.0, 20), (1900.0, 40))
        for score, count in ((0.5, drawn), (1.0, (100 - drawn) // 2), (0.0, (100 - drawn) // 2))
    )
    found = gathered(
        *((0.0, level, score, count) for level, score, count in games),
        (100.0, 1500.0, 1.0, 64),
        (100.0, 1500.0, 0.0, 36),
    ).expectancy(50)
    assert found.draws_by_level is not None
    assert found.draws_by_level.value == pytest.approx(0.05)
    assert found.draws_by_level.shows
    assert not IntervalEstimate(0.01, -0.01, 0.03).shows


@pytest.mark.parametrize("won", [50, 54])
def test_results_that_hardly_follow_ratings_give_no_scale(won: int) -> None:
    """54 of 100 is within chance of even, so that the interval of the scale would have no end."""
    assert gathered((300.0, 1500.0, 1.0, won), (300.0, 1500.0, 0.0, 100 - won)).expectancy(50).scale is None


def test_nothing_is_said_of_nothing() -> None:
    assert ExpectancySums().expectancy(50)._asdict() == {
        "games": 0,
        **dict.fromkeys(
            ("scale", "slope", "intercept", "draws", "draws_by_level", "draws_by_difference", "white")
        ),
        "curve": (),
    }


@pytest.mark.parametrize("seed", [1, 2])
def test_a_world_shows_the_parameters_that_it_was_drawn_with(seed: int, tmp_path: Path) -> None:
    """Scale 400, a slope of 1 without an intercept, and 30 % of draws between equals, whatever the level.

    All within three errors; `make lab-check` counts how many of 100 intervals hold them.
    """
    make_world(World(seed=seed, years=2, members=200, regions=1, draws=0.3), tmp_path / "world")
    options = Options(short=10**9)
    found, _ = expectancy_of(
        tmp_path / "world", load_rulebook(), System.REGULAR, 100, options, by_strength=True
    )
    assert found is not None
    assert found.games > 3_000
    wanted = (found.scale, 400.0), (found.slope, 1.0), (found.intercept, 0.0), (found.draws, 0.3)
    for estimate, value in (*wanted, (found.draws_by_level, 0.0), (found.draws_by_difference, 0.0)):
        assert estimate is not None
        assert abs(estimate.value - value) < 3.0 / Z * (estimate.high - estimate.value)

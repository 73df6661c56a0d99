"""Draws as columns, and the expectation of a game."""

from __future__ import annotations

import math

import numpy as np

from ratebook.demo.chance import Chance
from ratebook.lab.worlds.draws import Draws, expected


def test_columns_hold_the_draws_of_the_stream_one_after_another() -> None:
    chance, draws = Chance(7, "a stream"), Draws(7, "a stream")
    taken = np.concatenate([draws.fractions(3), draws.fractions(0), draws.fractions(5)])
    assert taken.tolist() == [chance.fraction() for _ in range(8)]


def test_bells_have_the_spread_of_one() -> None:
    bells = Draws(1, "bells").bells(200_000)
    assert abs(bells.mean()) < 4.0 / math.sqrt(200_000)
    assert abs(bells.var() - 1.0) < 4.0 * math.sqrt(2.0 / 200_000)


def test_weighted_places_come_as_often_as_their_weights_say() -> None:
    count = 100_000
    drawn = np.bincount(Draws(1, "places").weighted([1.0, 0.0, 3.0], count), minlength=3) / count
    assert drawn[1] == 0.0
    assert abs(drawn[2] - 0.75) < 4.0 * math.sqrt(0.75 * 0.25 / count)


def test_the_expectation_is_that_of_the_formula() -> None:
    differences = np.array([-2800.0, -735.5, -400.0, -1.0, 0.0, 0.25, 200.0, 400.0, 1234.5])
    formula = [1.0 / (1.0 + 10.0 ** (-one / 400.0)) for one in differences]
    np.testing.assert_allclose(expected(differences), formula, rtol=3e-15)
    np.testing.assert_allclose(expected(differences) + expected(-differences), 1.0, rtol=3e-15)

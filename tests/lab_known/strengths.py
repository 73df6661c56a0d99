"""Forecasts by those who know true strengths, and by those who know them with an error."""

import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq

from lab_known.answers import KnownAnswer, KnownFigure, about
from ratebook.lab.cells.forecasts import LOGIT, ForecastGames, expectation
from ratebook.lab.cells.scores import Sums
from ratebook.lab.cells.truth import Truth
from ratebook.lab.studies.store import world_in
from ratebook.lab.worlds.draws import Draws, expected
from ratebook.lab.worlds.making import TRUTH
from ratebook.lab.worlds.world import PRESETS, World
from ratebook.replay.load import first_places
from ratebook.replay.memory import Array

STANDARD_ERRORS = 3.0
WORLD = PRESETS["school"]._replace(members=600, arrivals=100, years=3)
PAIRS = 400_000
SPREAD, ERROR = 50.0, 25.0
"""Of strengths and of their ratings, rating points: so small that the logistic function is nearly straight."""


def true_games(folder: Path) -> ForecastGames:
    """Return the games of a world, each once, from the side of whoever is stronger in truth."""
    sizes = pl.read_parquet(folder / "sections.parquet")["entries"].to_numpy()
    played = pl.read_parquet(folder / "entries.parquet")["games"].to_numpy()
    games = pl.read_parquet(folder / "games.parquet")
    strength = pq.read_table(folder / TRUTH)["strength"].to_numpy()
    section = np.repeat(np.arange(len(sizes)), sizes)
    entry = np.repeat(np.arange(len(section)), played)
    other = first_places(sizes)[section[entry]] + games["opponent"].to_numpy()
    stronger = (strength[entry] > strength[other]) | ((strength[entry] == strength[other]) & (entry < other))
    place = np.flatnonzero(stronger)
    entry, other = entry[place], other[place]
    score = games["score"].to_numpy()[place] / 2.0
    return ForecastGames(
        section[entry], entry, other, strength[entry] - strength[other], score, np.zeros(len(score)), place
    )


def regression_errors(difference: Array, score: Array) -> tuple[float, float]:
    """Return the standard errors of slope and intercept of a calibrated forecast, whatever the share of draws.

    ``H^-1 M H^-1`` with ``H = sum(p (1 - p) x x')`` and ``M = sum((s - p)^2 x x')``.
    """
    forecast = expectation(difference)
    design = np.stack([difference * LOGIT, np.ones_like(difference)])
    inverse = np.linalg.inv((design * (forecast * (1.0 - forecast))) @ design.T)
    errors = inverse @ ((design * (score - forecast) ** 2) @ design.T) @ inverse
    return math.sqrt(errors[0, 0]), math.sqrt(errors[1, 1])


def _from_true_strengths(of: World, folder: Path) -> Iterator[KnownFigure]:
    world = world_in(folder, of)
    games = true_games(world)
    sums = Sums()
    sums.add(games.difference, games.score)
    scores = sums.scores()
    assert scores is not None, "the world has games"
    slope, intercept = regression_errors(games.difference, games.score)
    yield about("slope of forecasts from true strengths", 1.0, STANDARD_ERRORS * slope, scores.slope)
    yield about("intercept of the same", 0.0, STANDARD_ERRORS * intercept, scores.intercept)
    excess = Truth().add_games(games, pq.read_table(world / TRUTH)["strength"].to_numpy())
    yield about("excess of the same, nats a game", 0.0, 1e-12, float(np.abs(excess).max()))


def _in_all_worlds(folder: Path) -> Iterator[KnownFigure]:
    for preset in ("still", "school", "drift"):
        for figure in _from_true_strengths(PRESETS[preset], folder):
            yield figure._replace(what=f"{figure.what}, {preset}")


def _with_an_error(_: Path) -> Iterator[KnownFigure]:
    draws = Draws(8, "strengths with an error")
    strength, error = (spread * draws.bells(2 * PAIRS).reshape(2, PAIRS) for spread in (SPREAD, ERROR))
    true, said = strength[0] - strength[1], (strength + error)[0] - (strength + error)[1]
    score = (draws.fractions(PAIRS) < expected(true)).astype("f8")
    sums = Sums()
    sums.add(said, score)
    scores = sums.scores()
    assert scores is not None, "there are games"
    slope = SPREAD**2 / (SPREAD**2 + ERROR**2)
    yield about("slope of forecasts from ratings with an error", slope, 0.02, scores.slope)


STRENGTHS = (
    KnownAnswer(
        "A8",
        "forecasts from true strengths are calibrated, within 3 standard errors, and lose nothing",
        "results are drawn from them",
        partial(_from_true_strengths, WORLD),
    ),
    KnownAnswer(
        "A8",
        "the same in each kind of world, at its full size",
        "results are drawn from them",
        _in_all_worlds,
        long=True,
    ),
    KnownAnswer(
        "A8",
        "an independent error of variance V in a pool of variance T makes the slope T / (T + V)",
        "regression with errors in the variable",
        _with_an_error,
    ),
)

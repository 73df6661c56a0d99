"""Known answers on fits: R's printed digits, a table that outliers must not bend, and what worlds were drawn with."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lab_known.answers import KnownAnswer, KnownFigure, about
from lab_known.strengths import true_games
from ratebook.calculators.conversion1995 import ForeignFederation, conversion_table
from ratebook.lab.fits.conversions import fit_conversion
from ratebook.lab.fits.curves import loess_curve
from ratebook.lab.fits.expectancy import ExpectancySums
from ratebook.lab.fits.pairs import Pair
from ratebook.lab.studies.store import world_in
from ratebook.lab.worlds.draws import SCALE, Draws
from ratebook.lab.worlds.world import World

SPEED = (4, 4, 7, 7, 8, 9, 10, 10, 10, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 15, 16, 16, 17,
         17, 17, 18, 18, 18, 18, 19, 19, 19, 20, 20, 20, 20, 20, 22, 23, 24, 24, 24, 24, 25)  # fmt: skip
DISTANCE = (2, 10, 4, 22, 16, 10, 18, 26, 34, 17, 28, 14, 20, 24, 28, 26, 34, 34, 46, 26, 36, 60, 80, 20, 26, 54, 32,
            40, 32, 40, 50, 42, 56, 76, 84, 36, 46, 68, 32, 48, 52, 56, 64, 66, 54, 70, 92, 93, 120, 85)  # fmt: skip
PRINTED = {5: 7.797353, 6: 10.002308, 7: 12.499786, 8: 15.281082, 9: 18.446568, 10: 21.865315, 17: 48.355889}
"""What R's manual page of ``predict.loess`` prints of ``loess(dist ~ speed, cars)``, by speed."""

PLAYERS, ERROR, OUTLIERS, SLIPPED = 207, 55.0, 0.05, 400.0
"""Of R95's sample of FIDE ratings the size is known; the rest is ours."""
REPETITIONS = 20

WORLD = World(years=1, members=400, regions=1, draws=0.3)
SEEDS, CLASS = 100, 50


def _cars(_: Path) -> Iterator[KnownFigure]:
    at = np.array(list(PRINTED), dtype=np.float64)
    found = loess_curve(
        np.array(SPEED, dtype=np.float64),
        np.array(DISTANCE, dtype=np.float64),
        at,
        span=0.75,
        degree=2,
        robust=False,
        direct=False,
    )
    for (speed, printed), got in zip(PRINTED.items(), found.values.tolist(), strict=True):
        yield about(f"distance at speed {speed}, ft", printed, 0.0000005, got)
    yield about("residual standard error, ft", 15.29, 0.005, found.spread)


def _table(_: Path) -> Iterator[KnownFigure]:
    table = conversion_table(ForeignFederation.FIDE)
    foreign, converted = (
        np.array(table.foreign, dtype=np.float64),
        np.array(table.converted, dtype=np.float64),
    )
    squares = []
    for seed in range(REPETITIONS):
        draws = Draws(seed, "conversion")
        x = foreign[0] + draws.fractions(PLAYERS) * (foreign[-1] - foreign[0])
        y = np.interp(x, foreign, converted) + ERROR * draws.bells(PLAYERS)
        y -= SLIPPED * (draws.fractions(PLAYERS) < OUTLIERS)
        rows = fit_conversion([Pair(*pair) for pair in zip(x.tolist(), y.tolist(), strict=True)]).rows
        right = np.interp([row.foreign for row in rows], foreign, converted)
        squares.append(np.mean((np.array([row.rating for row in rows]) - right) ** 2))
    yield KnownFigure("root mean square of what is off, points", 0.0, 10.0, float(np.sqrt(np.mean(squares))))


def _parameters(folder: Path) -> Iterator[KnownFigure]:
    inside = Counter[str]()
    for seed in range(SEEDS):
        history = world_in(folder, WORLD._replace(seed=seed))
        games = true_games(history)
        sums = ExpectancySums()
        sums.add(games.difference, np.full(len(games.score), WORLD.strength), games.score)
        found = sums.expectancy(CLASS)
        for what, value, estimate in (
            ("scale", SCALE, found.scale),
            ("slope", 1.0, found.slope),
            ("intercept", 0.0, found.intercept),
            ("share of draws", WORLD.draws, found.draws),
        ):
            inside[what] += estimate is not None and estimate.low <= value <= estimate.high
    for what, count in inside.items():
        yield KnownFigure(f"intervals of 95 % that hold the {what}, of {SEEDS}", 92.0, 98.0, float(count))


FITS = (
    KnownAnswer(
        "A9",
        "scale and draws with which worlds were drawn are found again",
        "the settings of the worlds",
        _parameters,
        long=True,
    ),
    KnownAnswer(
        "A17", "loess gives R's digits for the data set cars", "R's manual page of predict.loess", _cars
    ),
    KnownAnswer(
        "A17",
        "players around the table of 1995, 5 % of them far below, give the table back within 10 points",
        "R95, Table 1",
        _table,
    ),
)

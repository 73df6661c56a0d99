"""What a difference of ratings is worth: the expected score and the share of draws that results show.

Games are counted in cells of one rating point of difference and a hundred of level, so that memory does not grow with
them. Intervals of 95 % take games as independent and no model of their scatter as true (sandwich estimator).
"""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ratebook.findings import Finding
from ratebook.lab.cells.cell import strengths_of
from ratebook.lab.cells.forecasts import LOGIT, expectation, games_of, ratings_before, rows_of
from ratebook.lab.cells.scores import SETTLED, logistic_fit
from ratebook.lab.cells.strata import populations
from ratebook.lab.studies.comparing import NORMAL_95
from ratebook.lab.worlds.draws import SCALE
from ratebook.model import System
from ratebook.replay.memory import Array
from ratebook.replay.run import Options, Run
from ratebook.rules.rulebook import Rulebook

MOST_POINTS, LEVEL_POINTS, LEVELS = 2_000, 100, 40
MIDDLE = 1_500.0
"""Rating from which levels are counted in the draw model."""
SCORES = np.array([0.0, 0.5, 1.0])


class IntervalEstimate(NamedTuple):
    """A value with an interval of 95 %."""

    value: float
    low: float
    high: float

    @property
    def shows(self) -> bool:
        """Return whether it differs from 0 by more than chance."""
        return not self.low <= 0.0 <= self.high


class CurvePoint(NamedTuple):
    """The games of a class of differences, from the favourite's side, by means of difference and score.

    *fitted* and *rules* are expected with the fitted scale, and with 400; *drawn* is the share of draws.
    """

    difference: float
    games: int
    score: IntervalEstimate
    fitted: float
    rules: float
    drawn: float


class Expectancy(NamedTuple):
    """What games show; estimates are None where results do not determine them.

    Attributes:
        games: how many.
        scale: rating points of ten to one, where equals score one half: ``E = 1 / (1 + 10^(-d / scale))``.
        slope, intercept: of the logistic regression of the favourite's score on the logit of the scale 400; 1 and 0
            where the rules expect what happens.
        draws: share of draws between equals, where that of others is in proportion to ``2 min(E, 1 - E)``.
        draws_by_level, draws_by_difference: what that share gains with a hundred points of level, of difference.
        curve: by class of difference.
        white: what White has more, in points of which 400 are ten to one, from the games whose colours are known.
    """

    games: int
    scale: IntervalEstimate | None
    slope: IntervalEstimate | None
    intercept: IntervalEstimate | None
    draws: IntervalEstimate | None
    draws_by_level: IntervalEstimate | None
    draws_by_difference: IntervalEstimate | None
    curve: tuple[CurvePoint, ...]
    white: IntervalEstimate | None


def expectancy_of(  # noqa: PLR0913 - whose games, and which ratings of them
    history: Path, rules: Rulebook, system: System, step: int, options: Options, *, by_strength: bool = False
) -> tuple[Expectancy | None, tuple[Finding, ...]]:
    """Return what the games of a history show of a system, or what is wrong with it.

    Args:
        history: a folder.
        rules: by which it is rated.
        system: of the games; those between established players count.
        step: rating points of a class of the curve.
        options: of the replay.
        by_strength: take true strengths instead of ratings; then all games count.
    """
    run = Run(history, rules, options)
    if run.failed:
        return None, tuple(run.findings)
    sums = ExpectancySums()
    place = tuple(System).index(system)
    truth = strengths_of(history) if by_strength else None
    for raw, ledger in run.rated_chunks():
        ratings = ratings_before(raw, rows_of(ledger, place), len(run.birth_days))
        games = games_of(raw, ratings)
        value, counts = ratings.before, populations(games, ratings) == 0
        if truth is not None:
            value, counts = truth.take(len(raw.entries["member"])), np.ones(len(games.score), bool)
        own, other = value[games.entry[counts]], value[games.other[counts]]
        score = games.score[counts]
        sums.add(np.abs(own - other), (own + other) / 2.0, np.where(own < other, 1.0 - score, score))
        colour = games.colour[counts]
        known = np.flatnonzero(colour != 0)
        ahead, won = ((own - other) * colour)[known], np.where(colour > 0, score, 1.0 - score)[known]
        sums.add_white(ahead, won)
    if run.failed:
        return None, tuple(run.findings)
    return sums.expectancy(step), tuple(run.findings)


class ExpectancySums:
    """Counts of games by difference, level and result, gathered chunk by chunk."""

    def __init__(self) -> None:
        shape = (MOST_POINTS + 1, LEVELS)
        self._count = np.zeros((*shape, len(SCORES)))
        self._difference, self._level = np.zeros(shape), np.zeros(shape)
        self._white = np.zeros((2 * MOST_POINTS + 1, len(SCORES)))
        self._ahead = np.zeros(2 * MOST_POINTS + 1)

    def add(self, difference: Array, level: Array, score: Array) -> None:
        """Add games by what the favourite has more, the mean rating of both, and the favourite's score."""
        row = np.minimum(np.floor(difference), MOST_POINTS).astype("i8")
        column = np.clip(np.floor(level / LEVEL_POINTS), 0, LEVELS - 1).astype("i8")
        place = (row * LEVELS + column).ravel()
        result = np.round(2.0 * score).astype("i8")
        size = self._level.size
        self._count += np.bincount(place * 3 + result, minlength=size * 3).reshape(self._count.shape)
        self._difference += np.bincount(place, difference, size).reshape(self._level.shape)
        self._level += np.bincount(place, level, size).reshape(self._level.shape)

    def add_white(self, ahead: Array, score: Array) -> None:
        """Add games by what White has more than Black, and White's score."""
        ahead = np.clip(ahead, -MOST_POINTS, MOST_POINTS)
        place = (np.floor(ahead) + MOST_POINTS).astype("i8")
        result = np.round(2.0 * score).astype("i8")
        self._white += np.bincount(place * 3 + result, minlength=self._white.size).reshape(self._white.shape)
        self._ahead += np.bincount(place, ahead, len(self._ahead))

    def _advantage(self) -> IntervalEstimate | None:
        """Return the intercept of the logistic regression of White's score, in rating points."""
        games = self._white.sum(axis=1)
        played = games > 0
        ahead = self._ahead[played] / games[played]
        line = _logistic(_Cells(self._white[played], ahead, np.zeros_like(ahead)), 2)
        return None if line is None else IntervalEstimate(*(value / LOGIT for value in line[1]))

    def expectancy(self, step: int) -> Expectancy:
        """Return what the games show, with the curve in classes of *step* points."""
        games = self._count.sum(axis=2)
        played = games > 0
        count = self._count[played]
        cells = _Cells(count, self._difference[played] / games[played], self._level[played] / games[played])
        scale = _scale(cells)
        line = _logistic(cells, 2)
        points = SCALE if scale is None else scale.value
        draws = _draws(cells, points)
        return Expectancy(
            games=int(games.sum()),
            scale=scale,
            slope=None if line is None else line[0],
            intercept=None if line is None else line[1],
            draws=draws[0],
            draws_by_level=draws[1],
            draws_by_difference=draws[2],
            curve=tuple(_curve(cells, step, points)),
            white=self._advantage(),
        )


class _Cells(NamedTuple):
    """Cells with games: by result, and means of difference and level."""

    count: Array
    difference: Array
    level: Array

    @property
    def games(self) -> Array:
        return np.asarray(self.count.sum(axis=1))


def _interval(value: float, error: float) -> IntervalEstimate:
    return IntervalEstimate(value, value - NORMAL_95 * error, value + NORMAL_95 * error)


def _intervals(coefficients: Array, design: Array, games: Array, count: Array) -> list[IntervalEstimate]:
    """Return the coefficients of a logistic fit with intervals."""
    forecast = 1.0 / (1.0 + np.exp(-(coefficients @ design)))
    inverse = np.linalg.inv((design * (games * forecast * (1.0 - forecast))) @ design.T)
    return _sandwich(coefficients, design, inverse, (count * (SCORES - forecast[:, None]) ** 2).sum(axis=1))


def _sandwich(coefficients: Array, design: Array, inverse: Array, scatter: Array) -> list[IntervalEstimate]:
    errors = np.sqrt(np.diag(inverse @ ((design * scatter) @ design.T) @ inverse))
    return list(map(_interval, coefficients.tolist(), errors.tolist()))


def _scale(cells: _Cells) -> IntervalEstimate | None:
    """Return 400 divided by the slope of the regression without an intercept: equals have even chances."""
    estimates = _logistic(cells, 1)
    if estimates is None or not estimates[0].low > 0.0:
        return None
    slope = estimates[0]
    return IntervalEstimate(SCALE / slope.value, SCALE / slope.high, SCALE / slope.low)


def _logistic(cells: _Cells, count: int) -> list[IntervalEstimate] | None:
    """Return the slope of the logistic regression, and with a *count* of 2 its intercept."""
    design = np.stack([cells.difference * LOGIT, np.ones_like(cells.difference)])[:count]
    line = logistic_fit(design, cells.games, cells.count @ SCORES)
    return None if line is None else _intervals(line, design, cells.games, cells.count)


def _draws(
    cells: _Cells, scale: float
) -> tuple[IntervalEstimate | None, IntervalEstimate | None, IntervalEstimate | None]:
    """Return the share of draws between equals, and what it gains with level and with difference."""
    forecast = expectation(cells.difference * SCALE / scale)
    expected = 2.0 * np.minimum(forecast, 1.0 - forecast)
    alone = _least_squares(cells, expected[None, :])
    level, difference = (cells.level - MIDDLE) / LEVEL_POINTS, cells.difference / LEVEL_POINTS
    more = _least_squares(cells, expected * np.stack([np.ones_like(level), level, difference]))
    return (alone[0] if alone else None), (more[1] if more else None), (more[2] if more else None)


def _least_squares(cells: _Cells, design: Array) -> list[IntervalEstimate] | None:
    games, drawn = cells.games, cells.count[:, 1]
    information = (design * games) @ design.T
    if not len(games) or not np.linalg.cond(information) < 1.0 / SETTLED:
        return None
    coefficients = np.linalg.solve(information, design @ drawn)
    share = coefficients @ design
    scatter = drawn * (1.0 - share) ** 2 + (games - drawn) * share**2
    return _sandwich(coefficients, design, np.linalg.inv(information), scatter)


def _curve(cells: _Cells, step: int, scale: float) -> list[CurvePoint]:
    """Return the classes that have games."""
    of_class = np.floor(cells.difference / step).astype("i8")
    points = []
    for number in np.unique(of_class).tolist():
        at = of_class == number
        count = cells.count[at].sum(axis=0)
        games = float(count.sum())
        difference = float((cells.difference[at] * cells.games[at]).sum() / games)
        score = float(count @ SCORES / games)
        error = math.sqrt(float(count @ (SCORES - score) ** 2)) / games
        fitted, rules = expectation(difference * np.array([SCALE / scale, 1.0])).tolist()
        points.append(
            CurvePoint(
                difference=difference,
                games=int(games),
                score=_interval(score, error),
                fitted=fitted,
                rules=rules,
                drawn=float(count[1] / games),
            )
        )
    return points

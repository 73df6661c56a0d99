"""How good forecasts are: sums that are gathered chunk by chunk, and what follows from them in the end.

A score of a game is half a point for a draw. With forecast p and score s:

* log loss: ``-(s log p + (1 - s) log(1 - p))``, in nats; 69.3 % of a nat is guessing;
* Brier score: ``(s - p)^2``, split into reliability and resolution by classes of the forecast (Murphy 1973);
* calibration error: the mean distance of score and forecast in bins of 50 points of difference (ECE);
* Kaggle score: log loss with decimal logarithms, forecasts below 0.01 or above 0.99 cut there, as in the contest of
  2011 (Deloitte/FIDE); 0.30103 is guessing;
* accuracy: games without a draw won by the favourite, half of those between equals;
* slope and intercept of the logistic regression of the score on the logit of the forecast, from the favourite's side: 1
  and 0 where it is calibrated;
* scale: the slope of the regression without an intercept, below 1 where ratings are too far apart.
"""

import math
from collections.abc import Iterator
from typing import Self

import numpy as np

from ratebook.lab.cells.content import CalibrationPoint, CellContent, Scores
from ratebook.lab.cells.forecasts import LOGIT, expectation
from ratebook.lab.cells.measures import Measure
from ratebook.lab.cells.strata import POPULATIONS
from ratebook.replay.memory import Array

CLASS_POINTS = 25.0
CLASSES = 160
"""Classes of the difference of ratings, to 2,000 points on either side; what is beyond is in the last ones."""
CLASSES_OF_BIN = 2
KAGGLE_CUT = 0.01
POWERS = 10
"""Moments of each class: the likelihood of a regression is expanded around its middle, exact to about 1e-12."""
NEWTON_STEPS = 50
CONVERGED = 1e-13
MEASURES = (
    Measure(
        "kaggle",
        "Kaggle",
        "log loss with decimal logarithms, forecasts cut at 0.01 and 0.99",
        lambda cell: scores_of(cell).kaggle,
        digits=5,
    ),
    Measure(
        "calibration_error",
        "Calibration",
        "error: mean distance of score and forecast in bins of 50 points",
        lambda cell: scores_of(cell).calibration_error,
        digits=4,
    ),
)


class Sums:
    """Sums over games from which `Scores` follow; sums of several chunks, or of several cells, are added.

    Attributes:
        of_games: games, log loss, Brier, correct games, decided games, score minus forecast of the favourite,
            and the Kaggle score.
        moments: games by class and power of the distance of the logit from the middle of the class.
        scored: the same, each game weighted by its score.
    """

    def __init__(self) -> None:
        self.of_games = np.zeros(7)
        self.moments = np.zeros((CLASSES, POWERS))
        self.scored = np.zeros((CLASSES, POWERS))
        self.reliable = np.zeros((CLASSES, 3))

    def add(self, difference: Array, score: Array) -> None:
        """Add games by the difference of their ratings, rating points, and their scores."""
        logit = difference * LOGIT
        forecast = expectation(difference)
        loss = log_loss(difference, score)
        favourite = np.sign(difference)
        decided = score != 0.5  # noqa: PLR2004 - a draw
        right = np.where(favourite == 0, 0.5, (score > 0.5) == (favourite > 0))  # noqa: PLR2004 - a win
        self.of_games += (
            len(score),
            loss.sum(),
            ((score - forecast) ** 2).sum(),
            right[decided].sum(),
            decided.sum(),
            ((score - forecast) * favourite).sum(),
            _kaggle(forecast, score).sum(),
        )
        of_class = np.clip(np.floor(difference / CLASS_POINTS) + CLASSES // 2, 0, CLASSES - 1).astype("i8")
        away = logit - _middle(of_class)
        power = np.ones_like(away)
        for number in range(POWERS):
            self.moments[:, number] += np.bincount(of_class, power, CLASSES)
            self.scored[:, number] += np.bincount(of_class, power * score, CLASSES)
            power = power * away
        for place, values in enumerate((np.ones_like(forecast), forecast, score)):
            self.reliable[:, place] += np.bincount(of_class, values, CLASSES)

    def __iadd__(self, other: Self) -> Self:
        self.of_games += other.of_games
        self.moments += other.moments
        self.scored += other.scored
        self.reliable += other.reliable
        return self

    def scores(self) -> Scores | None:
        """Return the scores; None where there is no game."""
        games, loss, brier, right, decided, bias, kaggle = self.of_games.tolist()
        if not games:
            return None
        count, forecast, score = self.reliable[self.reliable[:, 0] > 0].T
        slope, intercept = regression(self.moments, self.scored)
        bins = self.reliable.reshape(-1, CLASSES_OF_BIN, 3).sum(axis=1)
        return Scores(
            games=int(games),
            log_loss=loss / games,
            brier=brier / games,
            reliability=float((((forecast - score) ** 2) / count).sum() / games),
            resolution=float((count * (score / count - score.sum() / games) ** 2).sum() / games),
            calibration_error=float(np.abs(bins[:, 1] - bins[:, 2]).sum() / games),
            kaggle=kaggle / games,
            accuracy=right / decided if decided else math.nan,
            slope=slope,
            intercept=intercept,
            scale=regression(self.moments, self.scored, with_intercept=False)[0],
            bias=bias / games,
        )

    def calibration(self) -> Iterator[CalibrationPoint]:
        """Yield the classes of differences that have games."""
        for place, (count, forecast, score) in enumerate(self.reliable.tolist()):
            if count:
                middle = (place - CLASSES // 2 + 0.5) * CLASS_POINTS
                yield CalibrationPoint(difference=middle, games=int(count), forecast=forecast, score=score)


def log_loss(difference: Array, score: Array) -> Array:
    """Return the log loss of each game, nats: ``s log(1 + e^-x) + (1 - s) log(1 + e^x)`` with the logit x."""
    logit = difference * LOGIT
    # The same, and exact however far apart the ratings are.
    return np.asarray(np.logaddexp(0.0, logit) - score * logit)


def _kaggle(forecast: Array, score: Array) -> Array:
    cut = np.clip(forecast, KAGGLE_CUT, 1.0 - KAGGLE_CUT)
    return np.asarray(-(score * np.log10(cut) + (1.0 - score) * np.log10(1.0 - cut)))


def _middle(of_class: Array) -> Array:
    return np.asarray((of_class - CLASSES // 2 + 0.5) * (CLASS_POINTS * LOGIT))


def regression(moments: Array, scored: Array, *, with_intercept: bool = True) -> tuple[float, float]:
    """Return slope and intercept of the logistic regression of scores on logits whose classes have these moments.

    With a the intercept and b the slope, the likelihood is highest where ``sum(s) = sum(q)`` and
    ``sum(s x) = sum(q x)``; q is the logistic function of a + b x, and a Taylor series within each class.
    """
    classes = np.flatnonzero(moments[:, 0] > 0)
    middle = _middle(classes)
    games = _about_zero(moments[classes].T, middle)
    wanted = _about_zero(scored[classes].T, middle)[:2, 0].sum(axis=1)
    line = np.array([0.0, 1.0])
    for _ in range(NEWTON_STEPS):
        value, slope = _logistic_series(line[0] + line[1] * middle, line[1])
        zeroth, first, second = (games * slope).sum(axis=(1, 2))
        off = wanted - (games[:2] * value).sum(axis=(1, 2))
        if not with_intercept:
            zeroth, first, off[0] = 1.0, 0.0, 0.0
        determinant = zeroth * second - first * first
        if not determinant > 0.0:
            break
        step = np.array([second * off[0] - first * off[1], zeroth * off[1] - first * off[0]]) / determinant
        line += np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < CONVERGED:
            return float(line[1]), float(line[0])
    return math.nan, math.nan


def _about_zero(moments: Array, middle: Array) -> Array:
    """Return the sums of ``x^power d^number`` by power (0 to 2), number and class; x is the middle plus d."""
    zeroth, first, second = moments[:-2], moments[1:-1], moments[2:]
    return np.stack((zeroth, middle * zeroth + first, middle * (middle * zeroth + 2.0 * first) + second))


def _logistic_series(at: Array, scale: float) -> tuple[Array, Array]:
    """Return the Taylor coefficients of the logistic function q around *at*, and of ``q (1 - q)``, in u / scale."""
    terms = POWERS - 1
    series = np.zeros((terms, len(at)))
    series[0] = 1.0 / (1.0 + np.exp(-at))
    for number in range(terms - 1):
        # From q' = q - q^2, coefficient by coefficient.
        square = (series[: number + 1] * series[number::-1]).sum(axis=0)
        series[number + 1] = (series[number] - square) / (number + 1)
    slope = series[1:] * np.arange(1, terms)[:, None]
    power = scale ** np.arange(terms)[:, None]
    return (series * power)[:-1], slope * power[:-1]


def scores_of(content: CellContent) -> Scores:
    """Return the scores of all games between established players; zeros and NaN where there are none."""
    for scores in content.scores:
        if scores.population == POPULATIONS[0]:
            return scores
    return Scores()

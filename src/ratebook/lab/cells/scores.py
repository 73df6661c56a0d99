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
OF_POINT, MOST_POINTS = 8, 4_000
"""Parts of a rating point, to so many points on either side: so small that their mean stands for their games."""
NEWTON_STEPS, SETTLED = 50, 1e-12
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
        reliable: games, forecasts and scores by class.
        points: games, differences and scores by parts of a point of difference.
    """

    def __init__(self) -> None:
        self.of_games = np.zeros(7)
        self.reliable = np.zeros((CLASSES, 3))
        self.points = np.zeros((2 * OF_POINT * MOST_POINTS, 3))

    def add(self, difference: Array, score: Array) -> None:
        """Add games by the difference of their ratings, rating points, and their scores."""
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
        of_part = np.clip((difference + MOST_POINTS) * OF_POINT, 0, len(self.points) - 1).astype("i8")
        for sums, part, columns in (
            (self.reliable, of_class, (None, forecast, score)),
            (self.points, of_part, (None, difference, score)),
        ):
            for place, values in enumerate(columns):
                sums[:, place] += np.bincount(part, values, len(sums))

    def scores(self) -> Scores | None:
        """Return the scores; None where there is no game."""
        games, loss, brier, right, decided, bias, kaggle = self.of_games.tolist()
        if not games:
            return None
        count, forecast, score = self.reliable[self.reliable[:, 0] > 0].T
        played, difference, won = self.points[self.points[:, 0] > 0].T
        design = np.stack([difference / played * LOGIT, np.ones_like(played)])
        line, alone = (logistic_fit(rows, played, won) for rows in (design, design[:1]))
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
            slope=math.nan if line is None else float(line[0]),
            intercept=math.nan if line is None else float(line[1]),
            scale=math.nan if alone is None else float(alone[0]),
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


def logistic_fit(design: Array, games: Array, won: Array) -> Array | None:
    """Return the coefficients with which scores are most likely (Newton's method); None where they determine none.

    Args:
        design: of each coefficient, a row; the first one begins at 1.
        games: of each column, how many.
        won: what was scored in them.
    """
    coefficients = np.eye(1, len(design))[0]
    for _ in range(NEWTON_STEPS):
        forecast = 1.0 / (1.0 + np.exp(-(coefficients @ design)))
        information = (design * (games * forecast * (1.0 - forecast))) @ design.T
        if not np.linalg.cond(information) < 1.0 / SETTLED:
            return None
        step = np.linalg.solve(information, design @ (won - games * forecast))
        coefficients = coefficients + np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < SETTLED:
            return coefficients
    return None


def scores_of(content: CellContent) -> Scores:
    """Return the scores of all games between established players; zeros and NaN where there are none."""
    for scores in content.scores:
        if scores.population == POPULATIONS[0]:
            return scores
    return Scores()

"""Forecasts and ratings against the true strengths of a simulated federation.

The excess of a forecast p over the true expectation q is what it loses because it does not know q, whatever the result:
the Kullback-Leibler divergence ``q log(q / p) + (1 - q) log((1 - q) / (1 - p))``, in nats a game.
"""

import math
from dataclasses import replace

import numpy as np

from ratebook.lab.cells.content import BiasClass, Lag, TruthFigures
from ratebook.lab.cells.forecasts import LOGIT, ForecastGames, Ratings, expectation
from ratebook.lab.cells.measures import Measure
from ratebook.lab.cells.strata import CLASS_POINTS, CLASSES, add_by_class
from ratebook.replay.memory import Array

WIDTHS = (1.0, 2.0, 3.0)
"""Of intervals around a rating, in deviations: if these are right, 0.67, 0.95 and 0.997 hold it (R95, appendix B)."""
MEASURES = (
    Measure(
        "coverage",
        "Within 1, 2, 3 deviations",
        "shares of the strengths; 0.67, 0.95 and 0.997 should be",
        lambda cell: cell.truth.coverage or None,
        digits=3,
        against_truth=True,
    ),
)


def excess_of(difference: Array, true_difference: Array) -> Array:
    """Return the excess loss of each game, nats, from the differences of ratings and of true strengths."""
    forecast, true = difference * LOGIT, true_difference * LOGIT
    # Both logarithms by the logits, exact however far apart the players are.
    return np.asarray(
        expectation(true_difference) * (true - forecast)
        + np.logaddexp(0.0, forecast)
        - np.logaddexp(0.0, true)
    )


class Truth:
    """Sums over established entries and over games: excess loss, bias and spread.

    Attributes:
        white: what White truly has more, rating points.
        entries: by class of the true strength: entries, sums of the error and of its square.
        games: games, excess loss and its square.
        covered: entries whose error is within 1, 2 and 3 deviations, and all entries that have one.
    """

    def __init__(self, white: float = 0.0) -> None:
        self.white = white
        self.entries = np.zeros((CLASSES, 3))
        self.moments = np.zeros(6)
        self.games = np.zeros(3)
        self.covered = np.zeros(4)

    def add(self, ratings: Ratings, strength: Array, who: Array) -> None:
        """Add the entries *who* of a chunk, by their ratings before the sections and their true strengths."""
        rating, true = ratings.before[who], strength[who]
        error = rating - true
        add_by_class(self.entries, true, np.ones_like(error), error, error * error)
        if ratings.deviation is not None:
            away = np.abs(error) / ratings.deviation[who]
            self.covered += (*((away <= width).sum() for width in WIDTHS), len(away))
        self.moments += (
            len(rating),
            rating.sum(),
            true.sum(),
            (rating * rating).sum(),
            (true * true).sum(),
            (rating * true).sum(),
        )

    def differences(self, games: ForecastGames, strength: Array) -> Array:
        """Return the true differences of games, from the side of the one who is expected to score more."""
        return np.asarray(strength[games.entry] - strength[games.other] + self.white * games.colour)

    def add_games(self, games: ForecastGames, strength: Array) -> Array:
        """Add games and return the excess loss of each."""
        excess = excess_of(games.difference, self.differences(games, strength))
        self.games += (len(excess), excess.sum(), (excess * excess).sum())
        return excess

    def content(self, lag: Lag) -> TruthFigures:
        """Return what follows, with the lag; nothing where no strength was added."""
        games, excess, _ = self.games.tolist()
        figures = TruthFigures(games=int(games), excess=excess / games if games else None)
        count, rating, true, rating2, true2, both = self.moments.tolist()
        if not count:
            return figures
        of_rating = rating2 / count - (rating / count) ** 2
        of_true = true2 / count - (true / count) ** 2
        joint = both / count - rating * true / count**2
        differ = of_true > 0.0 and of_rating > 0.0
        shares = self.covered[:-1] / self.covered[-1] if self.covered[-1] else np.zeros(0)
        return replace(
            figures,
            bias=(rating - true) / count,
            rms_error=math.sqrt(float(self.entries[:, 2].sum()) / count),
            spread=math.sqrt(of_rating / of_true) if differ else None,
            correlation=joint / math.sqrt(of_rating * of_true) if differ else None,
            coverage=tuple(shares.tolist()),
            classes=tuple(
                BiasClass(lowest=place * CLASS_POINTS, entries=int(entries), bias=error / entries)
                for place, (entries, error, _) in enumerate(self.entries.tolist())
                if entries
            ),
            lag=lag,
        )

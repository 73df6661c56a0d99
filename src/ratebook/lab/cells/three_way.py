"""Forecasts of wins, draws and losses, from the forecast of the score and one fitted share of draws.

With p the favourite's forecast, m = 1 - p, and d the share of draws between equals, the favourite wins with probability
``1 - m (1 + d)``, draws with ``2 d m`` and loses with ``m (1 - d)``, so that the expectation stays p. The share d is
the most likely one in the training years. The three-way log loss is ``-log`` of the probability of what happened, in
nats.
"""

from functools import cached_property

import numpy as np

from ratebook.lab.cells.content import DrawsLoss
from ratebook.lab.cells.forecasts import expectation
from ratebook.lab.cells.measures import Measure
from ratebook.replay.memory import Array

CLASSES = 200
"""Of m, from 0 to 1/2, in which training games are counted."""
HALVINGS = 60
WIN, LOSS = 1.0, 0.0
MEASURES = (
    Measure(
        "three_way",
        "Three-way",
        "log loss of wins, draws and losses, nats",
        lambda cell: cell.three_way.log_loss if cell.three_way else None,
        digits=5,
    ),
)


class ThreeWay:
    """The share of draws in training games, and the loss of later games.

    Attributes:
        won: training games that the favourite won, by class of m: games, and the sum of m.
        drawn, lost: other training games.
        games, loss: what was scored.
    """

    def __init__(self) -> None:
        self.won = np.zeros((CLASSES, 2))
        self.drawn = self.lost = self.games = 0
        self.loss = 0.0

    def train(self, difference: Array, score: Array) -> None:
        """Add training games, by the difference of ratings (not negative) and the favourite's score."""
        weaker = expectation(-difference[score == WIN])
        of_class = np.minimum(weaker * (2 * CLASSES), CLASSES - 1).astype("i8")
        self.won[:, 0] += np.bincount(of_class, minlength=CLASSES)
        self.won[:, 1] += np.bincount(of_class, weaker, CLASSES)
        self.lost += int((score == LOSS).sum())
        self.drawn += int(len(score) - (score == WIN).sum() - (score == LOSS).sum())

    @cached_property
    def share(self) -> float:
        """Return the most likely share d, found when it is first asked for: the root of the likelihood's slope."""
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2.0
            low, high = (middle, high) if self._slope(middle) > 0.0 else (low, middle)
        return (low + high) / 2.0

    def _slope(self, share: float) -> float:
        games, total = self.won[self.won[:, 0] > 0].T
        of_wins = (total / (1.0 - total / games * (1.0 + share))).sum()
        return float(self.drawn / share - self.lost / (1.0 - share) - of_wins)

    def add(self, difference: Array, score: Array) -> None:
        """Score games; training is over with the first of them."""
        if not len(score):
            return
        weaker = expectation(-difference)
        win, loss = 1.0 - weaker * (1.0 + self.share), weaker * (1.0 - self.share)
        chance = np.where(score == WIN, win, np.where(score == LOSS, loss, 2.0 * self.share * weaker))
        self.games += len(score)
        with np.errstate(divide="ignore"):
            self.loss -= float(np.log(chance).sum())

    def content(self) -> DrawsLoss:
        """Return the share of draws, and the loss a game."""
        training = int(self.won[:, 0].sum()) + self.drawn + self.lost
        if not self.games:
            return DrawsLoss(training_games=training, games=0)
        loss = self.loss / self.games
        return DrawsLoss(training_games=training, games=self.games, draws=self.share, log_loss=loss)

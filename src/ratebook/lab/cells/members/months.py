"""The error of players' months, by which the first contest of rating systems was decided (Kaggle 2010).

What a player scores in a month is compared with what was forecast for the same games: the root of the mean of the
squared differences, over all players and months with a game, in points of games.
"""

import math

import numpy as np

from ratebook.lab.cells.content import MonthsError
from ratebook.lab.cells.measures import Measure
from ratebook.lab.cells.strata import groups
from ratebook.replay.memory import Array

MEASURES = (
    Measure(
        "months",
        "Months",
        "error of what a player scores in a month, games",
        lambda cell: cell.player_months.error,
        digits=4,
    ),
)


class PlayerMonths:
    """Sums over players and months; months come in order.

    Attributes:
        months: how many months of players are closed.
        squares: sum of their squared differences.
    """

    def __init__(self, members: int) -> None:
        self.months, self.squares = 0, 0.0
        self._off = np.zeros(members)
        self._played = np.zeros(members, bool)
        self._month: int | None = None

    def add(self, month: Array, member: Array, other: Array, error: Array) -> None:
        """Add games.

        Args:
            month: a number that grows by one from month to month.
            member: who played.
            other: against whom.
            error: of the forecast of *member*'s score, score minus forecast; that of *other* is the opposite.
        """
        for number, mine in groups(month):
            if number != self._month:
                self.close()
                self._month = number
            for who, off in ((member[mine], error[mine]), (other[mine], -error[mine])):
                np.add.at(self._off, who, off)
                self._played[who] = True

    def close(self) -> None:
        """Count the month that was added last."""
        who = np.flatnonzero(self._played)
        self.months += len(who)
        self.squares += float((self._off[who] ** 2).sum())
        self._off[who], self._played[who] = 0.0, False

    def content(self) -> MonthsError:
        """Return the root of the mean square of the months that are closed; NaN for none."""
        error = math.sqrt(self.squares / self.months) if self.months else math.nan
        return MonthsError(months=self.months, error=error)

"""Elo and Glicko, each rating the games of a section at once: nothing is known of a game until its section is over.

Glicko's formulas are those of R95, appendix B (`ratebook.calculators.fics_glicko`), summed over the games of a section:
with f the opponent's attenuation, E the expected score and I = sum of q^2 f^2 E (1 - E),

    R' = R + q RD^2 / (1 + RD^2 I) * sum of f (S - E),    RD'^2 = RD^2 / (1 + RD^2 I).
"""

import math
from typing import Protocol

import numpy as np

from ratebook.calculators.fics_glicko import LARGEST_DEVIATION, Q, attenuated, information, shrinkage
from ratebook.lab.cells.forecasts import PROVISIONAL_GAMES, expectation
from ratebook.lab.cells.level import YEAR_DAYS
from ratebook.lab.competitors.competitor import Competitor, Method
from ratebook.replay.memory import Array


class Rater(Protocol):
    """A system that rates sections.

    Attributes:
        rating: of each member, rating points; NaN for those who have not played.
    """

    rating: Array

    @property
    def deviation(self) -> Array | None:
        """Return the RD of each member, rating points; None where a system knows none."""

    def begin(self, member: Array, rating: Array, games: Array) -> None:
        """Take members with the rating and N that they have before their first section."""

    def wait(self, member: Array, day: Array) -> None:
        """Let members come to a section that ends on a day; each is in one section only."""

    def play(self, member: Array, entry: Array, other: Array, score: Array) -> None:
        """Rate the games of sections: *entry* and *other* are places in *member*, *score* is that of *entry*."""


class Elo:
    """R' = R + K sum of (S - E), with the same K for all."""

    deviation = None

    def __init__(self, members: int, k: float) -> None:
        self.k = k
        self.rating = np.full(members, math.nan)

    def begin(self, member: Array, rating: Array, games: Array) -> None:
        """Take new members."""
        del games
        self.rating[member] = rating

    def wait(self, member: Array, day: Array) -> None:
        """Do nothing: time does not matter."""

    def play(self, member: Array, entry: Array, other: Array, score: Array) -> None:
        """Rate the games of sections."""
        rating = self.rating[member]
        off = score - expectation(rating[entry] - rating[other])
        surplus = np.bincount(entry, off, len(member)) - np.bincount(other, off, len(member))
        self.rating[member] = rating + self.k * surplus


class Glicko:
    """Glicko with rating periods of a section.

    An RD grows with the time t since the last section: ``sqrt(RD^2 + c^2 t)`` with t in years, or as R95 prints it,
    ``sqrt(RD^2 + c^2 ln(1 + t))`` with t in days; at most 350. A rating that comes without RD has that of as many
    games between equals as its N says, and of 26 at most.

    Attributes:
        c: rating points.
    """

    def __init__(self, members: int, c: float, *, by_logarithm: bool) -> None:
        self.c, self.by_logarithm = c, by_logarithm
        self.rating, self.deviation = np.full(members, math.nan), np.full(members, LARGEST_DEVIATION)
        self._day = np.full(members, -1)

    def begin(self, member: Array, rating: Array, games: Array) -> None:
        """Take new members."""
        self.rating[member] = rating
        # Older games say little of players whose strength changes.
        known = np.minimum(games, PROVISIONAL_GAMES + 1.0)
        largest = LARGEST_DEVIATION * LARGEST_DEVIATION
        divisor = shrinkage(largest, known * information(1.0, 0.5))
        self.deviation[member] = np.sqrt(largest / divisor)

    def wait(self, member: Array, day: Array) -> None:
        """Let deviations grow."""
        since = np.where(self._day[member] < 0, 0, day - self._day[member])
        grown = np.log1p(since) if self.by_logarithm else since / YEAR_DAYS
        variance = self.deviation[member] ** 2 + self.c * self.c * grown
        self.deviation[member] = np.minimum(np.sqrt(variance), LARGEST_DEVIATION)
        self._day[member] = day

    def play(self, member: Array, entry: Array, other: Array, score: Array) -> None:
        """Rate the games of sections, both sides of each from the values before it."""
        rating, variance = self.rating[member], self.deviation[member] ** 2
        factor = attenuated(variance)
        learned, surplus = np.zeros(len(member)), np.zeros(len(member))
        for player, opponent, points in ((entry, other, score), (other, entry, 1.0 - score)):
            f = factor[opponent]
            expected = expectation((rating[player] - rating[opponent]) * f)
            learned += np.bincount(player, information(f, expected), len(member))
            surplus += np.bincount(player, f * (points - expected), len(member))
        variance = variance / shrinkage(variance, learned)
        self.rating[member] = rating + Q * variance * surplus
        self.deviation[member] = np.sqrt(variance)


def rater_of(competitor: Competitor, members: int) -> Rater:
    """Return what rates; a constant that is fitted must have been found."""
    assert competitor.constant is not None, "its constant was found"  # noqa: S101 - tells the type checker
    if competitor.method is Method.ELO:
        return Elo(members, competitor.constant)
    return Glicko(members, competitor.constant, by_logarithm=competitor.method is Method.GLICKO_1995)

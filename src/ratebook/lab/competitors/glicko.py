"""Glicko and its kin, with rating periods of a section: nothing is known of a game until its section is over.

The formulas are those of R95, appendix B (`ratebook.calculators.fics_glicko`), summed over the games of a section: with
f the opponent's attenuation, E the expected score and I = sum of q^2 f^2 E (1 - E),

    R' = R + q RD^2 / (1 + RD^2 I) * sum of f (S - E),    RD'^2 = RD^2 / (1 + RD^2 I).
"""

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ratebook.calculators.fics_glicko import LARGEST_DEVIATION, Q, attenuated, information, shrinkage
from ratebook.lab.cells.forecasts import PROVISIONAL_GAMES, expectation
from ratebook.lab.competitors.rating_system import Entries, RatedMembers, SectionGames
from ratebook.lab.days import YEAR_DAYS
from ratebook.replay.memory import Array

LARGEST = LARGEST_DEVIATION * LARGEST_DEVIATION
GROWTHS = tuple(5.0 * 2.0 ** (step / 2) for step in range(14))
"""Values of c that are tried, rating points: 5 to 453."""
HUNDRED = 100.0
SETTLED, MOST_STEPS = 1e-9, 100


class Glicko:
    """Glicko: an RD grows with the time t in years since the last section, ``sqrt(RD^2 + c^2 t)``, at most to 350.

    A rating that comes without RD has that of as many games between equals as its N says, and of 26 at most.

    Attributes:
        c: rating points.
    """

    FITS: ClassVar[Mapping[str, tuple[float, ...]]] = {"c": GROWTHS}

    def __init__(self, members: RatedMembers, *, c: float) -> None:
        self.c = c
        self.rating = np.full(members.size, math.nan)
        self.deviation: Array = np.full(members.size, LARGEST_DEVIATION)
        self._day = np.full(members.size, -1)

    def begin(self, entries: Entries) -> None:
        """Take new members."""
        self.rating[entries.member] = entries.rating
        # Older games say little of players whose strength changes.
        known = np.minimum(entries.games, PROVISIONAL_GAMES + 1.0)
        self.deviation[entries.member] = np.sqrt(LARGEST / shrinkage(LARGEST, known * information(1.0, 0.5)))

    def wait(self, entries: Entries) -> None:
        """Let deviations grow."""
        member = entries.member
        days = np.where(self._day[member] < 0, 0, entries.day - self._day[member])
        variance = self.deviation[member] ** 2 + self._growth(member, days)
        self.deviation[member] = np.minimum(np.sqrt(variance), LARGEST_DEVIATION)
        self._day[member] = entries.day

    def _growth(self, member: Array, days: Array) -> Array:
        """Return what is added to RD^2 in so many days, points squared."""
        del member
        return self.c * self.c * days / YEAR_DAYS

    def play(self, entries: Entries, games: SectionGames) -> None:
        """Rate the games of sections, both sides of each from the values before it."""
        learned, surplus = self._sums(entries, games)
        self._learn(entries.member, self.deviation[entries.member] ** 2, learned, surplus)

    def _learn(self, member: Array, variance: Array, learned: Array, surplus: Array) -> None:
        variance = variance / shrinkage(variance, learned)
        self.rating[member] += Q * variance * surplus
        self.deviation[member] = np.sqrt(variance)

    def _sums(self, entries: Entries, games: SectionGames, bonus: float = 0.0) -> tuple[Array, Array]:
        """Return I, 1 / points squared, and the sum of f (S - E + bonus), games, of each entry."""
        rating = self.rating[entries.member]
        factor = attenuated(self.deviation[entries.member] ** 2)
        sides, count = games.both_sides(), len(entries.member)
        f = factor[sides.other]
        expected = expectation((rating[sides.entry] - rating[sides.other] + sides.edge) * f)
        learned = np.bincount(sides.entry, information(f, expected), count)
        return learned, np.bincount(sides.entry, f * (sides.score - expected + bonus), count)


class Glicko1995(Glicko):
    """Glicko with the growth that R95 prints, by the logarithm of time: ``sqrt(RD^2 + c^2 ln(1 + t))``, t in days."""

    def _growth(self, member: Array, days: Array) -> Array:
        del member
        return self.c * self.c * np.log1p(days)


class Stephenson(Glicko):
    """Stephenson's Glicko: RD also grows with games, a bonus a game, and a pull towards the mean of the opponents.

    With m games, I and the sum as in Glicko,

        RD'^2 = 1 / (1 / (RD^2 + h^2 m) + I),
        R' = R + q RD'^2 * sum of f (S - E + b / 100) + (l / 100) (mean of the opponents' R - R).

    With h, b and l all 0 it is Glicko. Source: A. Stephenson, the R package PlayerRatings, doc/ChessRatings.pdf, 2012.

    Attributes:
        c: rating points, for a year.
        h: rating points, for a game.
        b: hundredths of a game.
        pull: l, per cent.
    """

    OPTIONAL = frozenset({"h", "b", "pull"})

    def __init__(
        self, members: RatedMembers, *, c: float, h: float = 9.0, b: float = 0.0, pull: float = 2.0
    ) -> None:
        super().__init__(members, c=c)
        self.h, self.b, self.pull = h, b, pull

    def play(self, entries: Entries, games: SectionGames) -> None:
        """Rate the games of sections, both sides of each from the values before it."""
        member, count = entries.member, len(entries.member)
        rating = self.rating[member]
        sides = games.both_sides()
        played = np.bincount(sides.entry, minlength=count)
        learned, surplus = self._sums(entries, games, self.b / HUNDRED)
        variance = 1.0 / (1.0 / (self.deviation[member] ** 2 + self.h * self.h * played) + learned)
        above = np.bincount(sides.entry, rating[sides.other] - rating[sides.entry], count)
        pulled = self.pull / HUNDRED * above / np.maximum(played, 1)
        self.rating[member] = rating + Q * variance * surplus + pulled
        self.deviation[member] = np.minimum(np.sqrt(variance), LARGEST_DEVIATION)


class Glicko2(Glicko):
    """Glicko-2: each member has a volatility, by which RD^2 grows, and which grows with surprising results.

    In the units of Glicko-2 (points divided by 173.7178), RD^2 grows by the square of the volatility in each period, in
    the last one by that of the new volatility, which is the root of the equation of step 5. With sections that are one
    period apart it is what the source describes. Source: M. E. Glickman, "Example of the Glicko-2 system", 2013.

    Attributes:
        tau: how much a volatility may change; no unit.
        period: days.
        start: volatility of new members.
    """

    FITS: ClassVar[Mapping[str, tuple[float, ...]]] = {
        "period": tuple(2.0 ** (step / 2) for step in range(2, 20))
    }

    def __init__(
        self, members: RatedMembers, *, tau: float = 0.5, period: float = 30.0, start: float = 0.06
    ) -> None:
        super().__init__(members, c=0.0)
        self.tau, self.period = tau, period
        self.volatility: Array = np.full(members.size, start)
        self._last_period = np.zeros(members.size)

    def _growth(self, member: Array, days: Array) -> Array:
        """Return the growth of all periods but the last one, which waits for the new volatility."""
        periods = np.where(self._day[member] < 0, 1.0, days / self.period)
        self._last_period[member] = np.minimum(periods, 1.0)
        return self._variance(member) * (periods - self._last_period[member])

    def _variance(self, member: Array) -> Array:
        """Return by what RD^2 grows in a period, points squared."""
        return np.asarray((self.volatility[member] / Q) ** 2)

    def play(self, entries: Entries, games: SectionGames) -> None:
        """Rate the games of sections, after the volatility that they show."""
        learned, surplus = self._sums(entries, games)
        member = entries.member
        played = np.flatnonzero(learned > 0.0)
        certainty = learned[played] / (Q * Q)
        self.volatility[member[played]] = self._volatility(
            self.volatility[member[played]],
            (self.deviation[member[played]] * Q) ** 2,
            1.0 / certainty,
            surplus[played] / certainty,
        )
        variance = self.deviation[member] ** 2 + self._variance(member) * self._last_period[member]
        variance = np.minimum(variance, LARGEST)
        self._learn(member, variance, learned, surplus)

    def _volatility(self, before: Array, variance: Array, v: Array, delta: Array) -> Array:
        """Return the volatilities after sections: the root of step 5, by the Illinois variant of regula falsi."""
        a = np.log(before * before)

        def off(x: Array) -> Array:
            grown = np.exp(x)
            known = variance + v + grown
            return np.asarray(
                grown * (delta * delta - known) / (2.0 * known * known) - (x - a) / (self.tau * self.tau)
            )

        surprise = delta * delta - variance - v
        low = np.where(surprise > 0.0, np.log(np.maximum(surprise, SETTLED)), a - self.tau)
        while (below := (surprise <= 0.0) & (off(low) < 0.0)).any():
            low = np.where(below, low - self.tau, low)
        left, right = a.copy(), low
        at_left, at_right = off(left), off(right)
        for _ in range(MOST_STEPS):
            if not (np.abs(right - left) > SETTLED).any():
                break
            slope = np.where(at_right == at_left, 1.0, at_right - at_left)
            following = left + (left - right) * at_left / slope
            at_next = off(following)
            crossed = at_next * at_right <= 0.0
            left, at_left = np.where(crossed, right, left), np.where(crossed, at_right, at_left / 2.0)
            right, at_right = following, at_next
        return np.asarray(np.exp(left / 2.0))

"""Elo with four ways to K, each rating the games of a section at once: R' = R + K sum of (S - E)."""

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ratebook.lab.cells.forecasts import expectation
from ratebook.lab.competitors.rating_system import Entries, RatedMembers, SectionGames
from ratebook.lab.days import years_of
from ratebook.replay.memory import Array

FIDE_FAR = 400.0
"""A larger difference counts as this one, rating points (FIDE Handbook B.02, 8.3.1)."""
FIDE_NEW_GAMES, FIDE_STRONG, FIDE_JUNIOR_BELOW, FIDE_JUNIOR_YEARS = 30.0, 2400.0, 2300.0, 18
FIDE_K_NEW, FIDE_K, FIDE_K_STRONG, FIDE_MOST = 40.0, 20.0, 10.0, 700.0
MANY_GAMES = 1_000.0
"""Of those who are only known to be established."""


class Elo:
    """Elo with the same K for all, or one that falls with the games before the section: ``k / (N + games)^power``.

    Attributes:
        k: rating points a game; NaN where it falls.
        games: N of each member.
    """

    FITS: ClassVar[Mapping[str, tuple[float, ...]]] = {
        "k": tuple(2.0 * 2.0 ** (step / 2) for step in range(14))
    }
    OPTIONAL = frozenset({"games", "power"})
    deviation = None

    def __init__(self, members: RatedMembers, *, k: float, games: float = 0.0, power: float = 0.0) -> None:
        self.k = math.nan if power else k
        self._most, self._more_games, self._power = k, games, power
        self.rating = np.full(members.size, math.nan)
        self.games = np.zeros(members.size)

    def begin(self, entries: Entries) -> None:
        """Take new members."""
        self.rating[entries.member] = entries.rating
        self.games[entries.member] = np.minimum(entries.games, MANY_GAMES)

    def wait(self, entries: Entries) -> None:
        """Do nothing: time does not matter."""

    def play(self, entries: Entries, games: SectionGames) -> None:
        """Rate the games of sections."""
        rating = self.rating[entries.member]
        difference = rating[games.entry] - rating[games.other] + games.edge
        off = games.score - expectation(self._counted(difference))
        count = len(entries.member)
        surplus = np.bincount(games.entry, off, count) - np.bincount(games.other, off, count)
        self.rating[entries.member] = rating + self._factor(entries, games) * surplus
        self.games[entries.member] += _played(entries, games)

    def _counted(self, difference: Array) -> Array:
        return difference

    def _factor(self, entries: Entries, games: SectionGames) -> Array:
        """Return K of each entry."""
        del games
        count = np.maximum(self.games[entries.member] + self._more_games, 1.0)
        return np.asarray(self._most / count**self._power)


class FederationK(Elo):
    """Elo with the K of the federation, N' and m included, and nothing else of its rules: no bonus, second pass, floor.

    K is that which the rules have used for the entry; where they used the special formula, ``800 / (N' + m)``.
    """

    FITS: ClassVar[Mapping[str, tuple[float, ...]]] = {}

    def __init__(self, members: RatedMembers) -> None:
        super().__init__(members, k=math.nan)

    def _factor(self, entries: Entries, games: SectionGames) -> Array:
        del games
        return entries.k


class FideElo(Elo):
    """Elo with the K of FIDE since 2014 (FIDE Handbook B.02, 8.3.3), and the section as the rating period.

    K is 40 for the first 30 games, and for those below 2300 until the end of the year in which they become 18; 10 for
    those who have ever reached 2400; else 20; and never more than 700 divided by the games of the section. A difference
    of more than 400 counts as 400. Where FIDE looks E up in a table, this takes the logistic curve.
    """

    FITS: ClassVar[Mapping[str, tuple[float, ...]]] = {}

    def __init__(self, members: RatedMembers) -> None:
        super().__init__(members, k=math.nan)
        self._born = members.birth_years
        self._was_strong = np.zeros(members.size, bool)

    def begin(self, entries: Entries) -> None:
        """Take new members."""
        super().begin(entries)
        self._was_strong[entries.member] = entries.rating >= FIDE_STRONG

    def play(self, entries: Entries, games: SectionGames) -> None:
        """Rate the games of sections."""
        super().play(entries, games)
        self._was_strong[entries.member] |= self.rating[entries.member] >= FIDE_STRONG

    def _counted(self, difference: Array) -> Array:
        return np.clip(difference, -FIDE_FAR, FIDE_FAR)

    def _factor(self, entries: Entries, games: SectionGames) -> Array:
        member = entries.member
        born = self._born[member]
        is_young = (born > 0) & (years_of(entries.day) - born <= FIDE_JUNIOR_YEARS)
        junior = is_young & (self.rating[member] < FIDE_JUNIOR_BELOW)
        k = np.where(junior | (self.games[member] < FIDE_NEW_GAMES), FIDE_K_NEW, FIDE_K)
        k = np.where(self._was_strong[member], FIDE_K_STRONG, k)
        return np.minimum(k, FIDE_MOST / np.maximum(_played(entries, games), 1.0))


def _played(entries: Entries, games: SectionGames) -> Array:
    """Return how many games each entry has."""
    count = len(entries.member)
    return np.asarray(np.bincount(games.entry, minlength=count) + np.bincount(games.other, minlength=count))

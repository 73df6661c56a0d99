"""The rating system of the league's clubs: Elo whose K falls with the games that a member has played."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratebook.lab.competitors.rating_system import Entries, RatedMembers, SectionGames


class ClubElo:
    """R' = R + K sum of (S - E) with K = most / (1 + games / half).

    Args:
        most: K of a member without games, rating points.
        half: games after which K is half of it.
    """

    FITS: ClassVar[Mapping[str, tuple[float, ...]]] = {"half": (5.0, 10.0, 20.0, 40.0, 80.0, 160.0)}
    deviation = None

    def __init__(self, members: RatedMembers, *, most: float = 80.0, half: float = 20.0) -> None:
        self.most, self.half = most, half
        self.rating = np.full(members.size, math.nan)
        self.games = np.zeros(members.size)

    def begin(self, entries: Entries) -> None:
        """Take new members with the rating and the games that the rules give them."""
        self.rating[entries.member] = entries.rating
        self.games[entries.member] = np.minimum(entries.games, 1_000.0)

    def wait(self, entries: Entries) -> None:
        """Do nothing: time does not matter."""

    def play(self, entries: Entries, games: SectionGames) -> None:
        """Rate the games of sections."""
        member, sides = entries.member, games.both_sides()
        rating, count = self.rating[member], len(entries.member)
        expected = 1.0 / (1.0 + 10.0 ** ((rating[sides.other] - rating[sides.entry] - sides.edge) / 400.0))
        surplus = np.bincount(sides.entry, sides.score - expected, count)
        self.rating[member] = rating + self.most / (1.0 + self.games[member] / self.half) * surplus
        self.games[member] += np.bincount(sides.entry, minlength=count)

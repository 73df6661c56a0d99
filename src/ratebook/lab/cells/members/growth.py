"""How far ratings are behind players who improve, where strengths are known.

A player improves in a year who gains 50 points of strength or more from the first section of the year to the last one.
The lag in points is what strengths of established players exceed ratings by in the sections of such years, less the
same of players of the same class of strength who gained and lost less than 50 points: what all ratings are too low by,
or those of weak players, is no lag. Divided by what the players gain a day, or a game, it is the lag in days, or in
games: so long ago they were as strong as they are rated.
"""

from typing import NamedTuple

import numpy as np

from ratebook.lab.cells.content import Lag, LagClass
from ratebook.lab.cells.measures import Measure
from ratebook.lab.cells.strata import CLASS_POINTS, CLASSES, add_by_class, groups
from ratebook.replay.memory import Array

IMPROVES = 50.0
"""Rating points in a year."""
MEASURES = (
    Measure(
        "lag",
        "Lag, points",
        "of players who improve, behind others of their strength",
        lambda cell: cell.truth.lag.points if cell.truth.lag else None,
        digits=1,
        against_truth=True,
    ),
    Measure(
        "lag_days",
        "Lag, days",
        "for how long they have been as strong as they are rated",
        lambda cell: cell.truth.lag.days if cell.truth.lag else None,
        digits=0,
        against_truth=True,
    ),
    Measure(
        "lag_games",
        "Lag, games",
        "the same in games",
        lambda cell: cell.truth.lag.games if cell.truth.lag else None,
        digits=1,
        against_truth=True,
    ),
)


class StrengthEntries(NamedTuple):
    """Entries in their order, as columns: *year* and *day* of the section's last day, and games played in the section.

    *rating* and *strength* are those before the section, rating points.
    """

    year: Array
    day: Array
    member: Array
    rating: Array
    strength: Array
    games: Array


class Growth:
    """Sums over the years of players; years come in order.

    Attributes:
        improving: by class of the strength in the last section of the year: entries, sums of strength less rating, and
            of points gained a day and a game.
        steady: by class: entries, and the sum of strength less rating.
        years: how many years of players improved.
    """

    def __init__(self, members: int) -> None:
        self.improving, self.steady = np.zeros((CLASSES, 4)), np.zeros((CLASSES, 2))
        self.years = 0
        self._year: int | None = None
        self._first, self._last = np.zeros((2, members)), np.zeros((2, members))
        self._entries, self._behind, self._games, self._newest = (np.zeros(members) for _ in range(4))

    def add(self, entries: StrengthEntries) -> None:
        """Add entries of established players."""
        for number, mine in groups(entries.year):
            if number != self._year:
                self.close()
                self._year = number
            who, at = entries.member[mine], np.stack([entries.day[mine], entries.strength[mine]])
            # Of several values of a member the last one that is written stays.
            new = np.flatnonzero(self._entries[who] == 0)[::-1]
            self._first[:, who[new]] = at[:, new]
            self._last[:, who] = at
            self._newest[who] = entries.games[mine]
            np.add.at(self._entries, who, 1.0)
            np.add.at(self._behind, who, entries.strength[mine] - entries.rating[mine])
            np.add.at(self._games, who, entries.games[mine])

    def close(self) -> None:
        """Count the year that was added last."""
        who = np.flatnonzero(self._entries)
        days, gained = (self._last - self._first)[:, who]
        entries, behind = self._entries[who], self._behind[who]
        # Those of the last section come after the strength was seen last.
        games = (self._games - self._newest)[who]
        improves = (gained >= IMPROVES) & (days > 0) & (games > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            sums = entries, behind, entries * gained / days, entries * gained / games
        strength, steady = self._last[1, who], np.abs(gained) < IMPROVES
        add_by_class(self.improving, strength[improves], *(values[improves] for values in sums))
        add_by_class(self.steady, strength[steady], entries[steady], behind[steady])
        self.years += int(improves.sum())
        for values in (self._entries, self._behind, self._games, self._newest):
            values[who] = 0.0

    def content(self) -> Lag:
        """Return the lag in points, days and games, and in points by class of strength.

        Only how many years of players improved where it is not known.
        """
        both = (self.improving[:, 0] > 0) & (self.steady[:, 0] > 0)
        if not both.any():
            return Lag(player_years=self.years)
        entries, behind, a_day, a_game = self.improving[both].T
        others = self.steady[both, 1] / self.steady[both, 0]
        points = float((behind - entries * others).sum())
        classes = zip(np.flatnonzero(both).tolist(), entries, behind, others, strict=True)
        return Lag(
            player_years=self.years,
            points=points / float(entries.sum()),
            days=points / float(a_day.sum()),
            games=points / float(a_game.sum()),
            classes=tuple(
                LagClass(lowest=at * CLASS_POINTS, entries=int(number), points=float(late / number - other))
                for at, number, late, other in classes
            ),
        )

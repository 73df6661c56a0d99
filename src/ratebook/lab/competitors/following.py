"""A competitor follows a replay: the same sections, games, openings and Step 1 ratings, and its own ratings.

Whatever rates is handed the games of a section at once, after the forecasts of all of them were written down.
"""

import math
from datetime import date
from typing import NamedTuple, Protocol

import numpy as np

from ratebook.lab.cells.forecasts import ForecastGames, Ratings, games_of, places_of
from ratebook.lab.competitors.competitor import Competitor, Method
from ratebook.lab.competitors.order import turns_of
from ratebook.lab.competitors.systems import Elo, Rater, rater_of
from ratebook.official_lists.calendar import THIRD_WEDNESDAY, cut_off_of
from ratebook.replay.load import RawChunk
from ratebook.replay.memory import Array

Rows = dict[str, Array]


class Followed(NamedTuple):
    """What a competitor makes of a chunk: its ledger rows, and its ratings before the sections."""

    rows: Rows
    ratings: Ratings


class Follower(Protocol):
    """Takes chunks in their order."""

    def follow(self, raw: RawChunk, rows: Rows, ratings: Ratings) -> Followed:
        """Return the competitor's rows and ratings of a chunk, from those of the rules."""


def follower_of(competitor: Competitor, members: int) -> Follower:
    """Return what follows for a competitor."""
    if competitor.method is Method.LIST:
        return LastList(members)
    return Rated(rater_of(competitor, members))


class Rated:
    """Follows with a system that rates sections."""

    def __init__(self, rater: Rater) -> None:
        self.rater = rater

    def follow(self, raw: RawChunk, rows: Rows, ratings: Ratings) -> Followed:
        """Return the system's rows and ratings, and let it rate the chunk."""
        before, after, deviation = self.rate(raw, ratings, games_of(raw, ratings))
        own = ratings._replace(
            before=before, deviation=deviation if self.rater.deviation is not None else None
        )
        return Followed(self._rows(rows, ratings, before, after), own)

    def rate(self, raw: RawChunk, ratings: Ratings, games: ForecastGames) -> tuple[Array, Array, Array]:
        """Rate a chunk; return ratings before, ratings after, and deviations before, by entry."""
        _, section_of_all = places_of(raw)
        rated = np.flatnonzero(ratings.row >= 0)
        section, member = section_of_all[rated], raw.entries["member"][rated]
        day = raw.sections["end"][section]
        turns = turns_of(section, member, len(raw.sections["end"]))
        place = np.full(len(section_of_all), -1)
        place[rated] = turns.place
        turn_of_game = turns.turn[games.section]
        order = np.argsort(turn_of_game, kind="stable")
        entry, other, score = place[games.entry][order], place[games.other][order], games.score[order]
        bounds = np.searchsorted(turn_of_game[order], np.arange(len(turns.first)))
        before, after, deviation = (np.full(len(section_of_all), math.nan) for _ in range(3))
        for turn in range(len(turns.first) - 1):
            mine = turns.entries[turns.first[turn] : turns.first[turn + 1]]
            who, at = member[mine], rated[mine]
            new = np.isnan(self.rater.rating[who])
            if new.any():
                self.rater.begin(who[new], ratings.before[at[new]], ratings.games[at[new]])
            self.rater.wait(who, day[mine])
            before[at] = self.rater.rating[who]
            if self.rater.deviation is not None:
                deviation[at] = self.rater.deviation[who]
            played = slice(bounds[turn], bounds[turn + 1])
            self.rater.play(who, entry[played], other[played], score[played])
            after[at] = self.rater.rating[who]
        return before, after, deviation

    def _rows(self, rows: Rows, ratings: Ratings, before: Array, after: Array) -> Rows:
        has = np.flatnonzero(ratings.row >= 0)
        row = ratings.row[has]
        own = {name: np.empty(len(row)) for name in ("rating_before", "rating")}
        own["rating_before"][row], own["rating"][row] = before[has], after[has]
        k = self.rater.k if isinstance(self.rater, Elo) else math.nan
        return {**rows, **own, "k": np.full(len(row), k)}


class LastList:
    """Follows with the ratings of the rules, as the official list in effect on the last day of a section has them.

    A list has the ratings of the sections that ended by its cut-off, the third Wednesday of the month before
    (docs/rules/readings.md#official-lists). Whoever is on none yet has the rating that the first section begins with.
    """

    def __init__(self, members: int) -> None:
        self.rating = np.full(members, math.nan)
        self._waits = {name: np.zeros(0) for name in ("day", "member", "rating")}

    def follow(self, raw: RawChunk, rows: Rows, ratings: Ratings) -> Followed:
        """Return the ratings of lists; rows are those of the rules."""
        _, section = places_of(raw)
        rated = np.flatnonzero(ratings.row >= 0)
        member, day = raw.entries["member"][rated], raw.sections["end"][section[rated]]
        self._begin(member, ratings.before[rated])
        now = {"day": day, "member": member, "rating": rows["rating"][ratings.row[rated]]}
        self._waits = {name: np.concatenate([waits, now[name]]) for name, waits in self._waits.items()}
        before = np.full(len(section), math.nan)
        # Sections come in the order of their last days.
        days = np.unique(day)
        months = np.array([date.fromordinal(last).strftime("%Y-%m") for last in days.tolist()])
        of_entry = months[np.searchsorted(days, day)] if len(day) else months
        for month in np.unique(months).tolist():
            self._publish(cut_off_of(month, THIRD_WEDNESDAY).toordinal())
            mine = np.flatnonzero(of_entry == month)
            before[rated[mine]] = self.rating[member[mine]]
        return Followed(rows, ratings._replace(before=before))

    def _begin(self, member: Array, rating: Array) -> None:
        new = np.flatnonzero(np.isnan(self.rating[member]))[::-1]
        # The first one of a member is written last, and stays.
        self.rating[member[new]] = rating[new]

    def _publish(self, cut_off: int) -> None:
        listed = self._waits["day"] <= cut_off
        self.rating[self._waits["member"][listed].astype("i8")] = self._waits["rating"][listed]
        self._waits = {name: values[~listed] for name, values in self._waits.items()}

"""A competitor follows a replay: the same sections, games, openings and Step 1 ratings, and its own ratings.

Whatever rates is handed the games of a section at once, after the forecasts of all of them were written down.
"""

import math
from datetime import date
from typing import NamedTuple, Protocol

import numpy as np

from ratebook.lab.cells.forecasts import ForecastGames, Ratings, games_of, sections_of
from ratebook.lab.cells.measures import Measures
from ratebook.lab.competitors.competitor import LIST, Competitor
from ratebook.lab.competitors.elo import Elo
from ratebook.lab.competitors.order import turns_of
from ratebook.lab.competitors.rating_system import Entries, RatedMembers, RatingSystem, SectionGames
from ratebook.lab.competitors.systems import made
from ratebook.lab.days import in_force_on
from ratebook.official_lists.calendar import THIRD_WEDNESDAY, cut_off_of
from ratebook.plugins import ContractError
from ratebook.replay.load import RawChunk
from ratebook.replay.memory import Array
from ratebook.rules.rulebook import Rulebook

Rows = dict[str, Array]


class Followed(NamedTuple):
    """What a competitor makes of a chunk: its ledger rows, and its ratings before the sections."""

    rows: Rows
    ratings: Ratings


class Follower(Protocol):
    """Takes chunks in their order."""

    def follow(self, raw: RawChunk, rows: Rows, ratings: Ratings) -> Followed:
        """Return the competitor's rows and ratings of a chunk, from those of the rules."""


def follower_of(
    competitor: Competitor, members: RatedMembers, rules: Rulebook, measures: Measures
) -> Follower:
    """Return what follows for a competitor that has ratings.

    Raises:
        ContractError: another package's system cannot be made.
    """
    if competitor.method == LIST:
        return LastList(members.size)
    return Rated(made(competitor, members), rules, measures)


class Rated:
    """Follows with a system that rates sections."""

    def __init__(self, rater: RatingSystem, rules: Rulebook, measures: Measures) -> None:
        self.rater, self._rules, self._measures = rater, rules, measures

    def follow(self, raw: RawChunk, rows: Rows, ratings: Ratings) -> Followed:
        """Return the system's rows and ratings, and let it rate the chunk."""
        own, after = self.rate(raw, rows, ratings, games_of(raw, ratings))
        rating = own.by_row(after)
        k = np.full(len(rating), self.rater.k if isinstance(self.rater, Elo) else math.nan)
        return Followed({**rows, "rating_before": own.by_row(own.before), "rating": rating, "k": k}, own)

    def rate(
        self, raw: RawChunk, rows: Rows, ratings: Ratings, games: ForecastGames
    ) -> tuple[Ratings, Array]:
        """Rate a chunk; return the system's ratings before, with deviations if it has these, and after, by entry."""
        section_of_all = sections_of(raw)
        rated = np.flatnonzero(ratings.row >= 0)
        section, member = section_of_all[rated], raw.entries["member"][rated]
        entries = Entries(
            member=member,
            day=raw.sections["end"][section],
            rating=ratings.before[rated],
            games=ratings.games[rated],
            k=self._k(raw.sections["start"][section], rows, ratings.row[rated]),
        )
        turns = turns_of(section, member, len(raw.sections["end"]))
        place = np.full(len(section_of_all), -1)
        place[rated] = turns.place
        turn_of_game = turns.turn[games.section]
        order = np.argsort(turn_of_game, kind="stable")
        edge = self._measures.white * games.colour
        played = SectionGames(place[games.entry], place[games.other], games.score, edge).taken(order)
        bounds = np.searchsorted(turn_of_game[order], np.arange(len(turns.first)))
        before, after, deviation = (np.full(len(section_of_all), math.nan) for _ in range(3))
        for turn in range(len(turns.first) - 1):
            mine = turns.entries[turns.first[turn] : turns.first[turn + 1]]
            now, at = entries.taken(mine), rated[mine]
            new = np.isnan(self.rater.rating[now.member])
            if new.any():
                self.rater.begin(now.taken(np.flatnonzero(new)))
            self.rater.wait(now)
            before[at] = self.rater.rating[now.member]
            if self.rater.deviation is not None:
                deviation[at] = self.rater.deviation[now.member]
            self.rater.play(now, played.taken(slice(bounds[turn], bounds[turn + 1])))
            after[at] = self.rater.rating[now.member]
            if not np.isfinite(after[at]).all():
                raise ContractError("a rating after a section is no number")
        has_deviation = self.rater.deviation is not None
        return ratings._replace(before=before, deviation=deviation if has_deviation else None), after

    def _k(self, start: Array, rows: Rows, row: Array) -> Array:
        """Return K by the rules: ``numerator / (N' + m)`` where they used the special formula, which has none."""
        numerator = in_force_on(self._rules, self._measures.system, start, lambda rules: rules.k_numerator)
        k = rows["k"][row]
        implied = numerator / (rows["effective_games"][row] + rows["played"][row])
        return np.where(np.isnan(k), implied, k)


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
        section = sections_of(raw)
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

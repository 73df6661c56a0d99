"""What is gathered of a replay chunk by chunk, so that memory grows with members and not with games."""

import json
import math
from collections.abc import Callable
from dataclasses import asdict
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa

from ratebook import __version__
from ratebook.lab.cells import forecasts, level, scores, three_way, truth
from ratebook.lab.cells.balance import PointsBalance
from ratebook.lab.cells.content import CellContent, FittedConstant, PopulationScores
from ratebook.lab.cells.level import Level
from ratebook.lab.cells.measures import SYSTEMS, Measures
from ratebook.lab.cells.members import changes, growth, months
from ratebook.lab.cells.members.changes import Changes
from ratebook.lab.cells.members.games import games_table
from ratebook.lab.cells.members.growth import Growth, StrengthEntries
from ratebook.lab.cells.members.months import PlayerMonths
from ratebook.lab.cells.members.starts import KnownAtStart, longest_section
from ratebook.lab.cells.scores import Sums
from ratebook.lab.cells.strata import POPULATIONS, UNKNOWN, Circumstances, populations
from ratebook.lab.cells.three_way import ThreeWay
from ratebook.lab.cells.truth import Truth
from ratebook.lab.competitors.competitor import LIST
from ratebook.lab.competitors.following import follower_of
from ratebook.lab.competitors.forecasts import GivenForecasts
from ratebook.lab.competitors.rating_system import members_of
from ratebook.lab.days import YEAR_DAYS, in_force_on, months_of, years_of
from ratebook.lab.worlds.making import white_in
from ratebook.replay.load import RawChunk
from ratebook.replay.memory import NOBODY, Array
from ratebook.replay.run import Run
from ratebook.replay.tables import EMPTY_COUNT
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import Rulebook

MEASURES = (
    *scores.MEASURES,
    *months.MEASURES,
    *three_way.MEASURES,
    *changes.MEASURES,
    *level.MEASURES,
    *growth.MEASURES,
    *truth.MEASURES,
)
"""Of every variant, in the order of tables."""


class Gathering:
    """What is gathered of one replay.

    Attributes:
        level: the standings and the level of each year.
        last_day: of the sections so far.
    """

    def __init__(self, run: Run, rules: Rulebook, measures: Measures, history: Path) -> None:
        birth_days, competitor = run.birth_days, measures.competitor
        members = len(birth_days)
        self._rules = rules
        self.last_day = date.min
        self.measures = measures
        self.system = SYSTEMS.index(measures.system)
        self.birth_days = birth_days
        self._starts = KnownAtStart(longest_section(history))
        self._given = self._follower = None
        if competitor is not None and competitor.file is not None:
            self._given = GivenForecasts(competitor.file)
        elif competitor is not None:
            self._follower = follower_of(competitor, members_of(birth_days), rules, measures)
        self._sums = {population: Sums() for population in POPULATIONS}
        self._months, self._three_way = PlayerMonths(members), ThreeWay()
        self._truth, self._growth = Truth(white_in(history)), Growth(members)
        self.level = Level(birth_days, *run.regions())
        self._balance, self._changes = PointsBalance(members), Changes(members)
        self._games_before = 0

    def add(self, raw: RawChunk, ledger: pa.Table, strength: Array | None) -> pa.Table:
        """Add a chunk and return its scored games."""
        section = forecasts.sections_of(raw)
        rows = forecasts.rows_of(ledger, self.system)
        ratings = forecasts.ratings_before(raw, rows, len(self.birth_days))
        if self._follower is not None:
            rows, ratings = self._follower.follow(raw, rows, ratings)
        scale = self._in_force(raw.sections["start"], lambda rules: rules.logistic_scale)
        end = raw.sections["end"]
        year, month = years_of(end), months_of(end)
        section_of_row = rows["section"] - raw.first_section
        if self.measures.competitor is None:
            self._balance.add(year[section_of_row], rows, ratings, forecasts.games_of(raw, ratings, scale))
        self.last_day = date.fromordinal(int(end[-1]))
        known = self._starts.known(raw, ratings)
        games = forecasts.games_of(raw, known, scale if self._rates_by_rules else None, self.measures.white)
        warm = end >= self.measures.since.toordinal()
        scored = warm & (end < self.measures.until.toordinal())
        is_kept = scored[games.section]
        if self._given is not None:
            games = self._given.forecast(games, self._games_before, is_kept)
        else:
            self.level.add(
                year[section_of_row],
                {**rows, "at_floor": self._at_floor(rows, raw.sections["start"][section_of_row])},
                None if strength is None else ratings.by_row(strength),
            )
            measured = ratings.established & (ratings.row >= 0) & scored[section]
            self._changes.add(rows, ratings.by_row(measured), ratings.by_row(_surplus(ratings, games)))
            if strength is not None:
                self._truth.add(ratings, strength, measured)
                self._grow(raw, year[section], ratings, strength, np.flatnonzero(measured))
        if self.measures.three_way:
            training = np.flatnonzero(~warm[games.section] & (populations(games, known) == 0))
            self._three_way.train(games.difference[training], games.score[training])
        games = forecasts.ForecastGames(*(values[is_kept] for values in games))
        population = populations(games, known)
        for place, sums in enumerate(self._sums.values()):
            mine = np.flatnonzero(population == place)
            sums.add(games.difference[mine], games.score[mine])
        firm = np.flatnonzero(population == 0)
        self._score_established(
            raw, forecasts.ForecastGames(*(values[firm] for values in games)), strength, month
        )
        first, self._games_before = self._games_before, self._games_before + len(raw.games["score"])
        if not self.measures.is_baseline:
            return games_table(raw, first, games)
        number = raw.games["round"][games.place].astype("i8")
        circumstances = Circumstances(
            games=games,
            ratings=known,
            size=raw.sections["entries"][games.section],
            year=year[games.section],
            age=self._ages(raw, games),
            round=np.where(number == 0, UNKNOWN, number),
        )
        true = None if strength is None else self._truth.differences(games, strength)
        return games_table(raw, first, games, circumstances, true)

    def _at_floor(self, rows: dict[str, Array], day: Array) -> Array:
        """Return whether a floor held each rating; the absolute floor holds those of the steps already."""
        if self._follower is not None:
            return np.zeros(len(day), bool)
        absolute = self._in_force(day, lambda rules: rules.absolute_floor)
        return ~np.isnan(rows["floor_applied"]) | (rows["rating"] <= absolute)

    @property
    def _rates_by_rules(self) -> bool:
        """Return whether the ratings are those of the federation: its official lists have them too."""
        competitor = self.measures.competitor
        return competitor is None or competitor.method == LIST

    @property
    def has_ratings(self) -> bool:
        """Return whether there are ratings: forecasts that another program made have none."""
        return self._given is None

    def _in_force(self, day: Array, read: Callable[[RulesInForce], float]) -> Array:
        return in_force_on(self._rules, self.measures.system, day, read)

    def _ages(self, raw: RawChunk, games: forecasts.ForecastGames) -> Array:
        """Return the age of the younger player of each game, years; -1 where neither is known."""
        end = raw.sections["end"][games.section]
        member = raw.entries["member"]
        born = np.where(member == NOBODY, EMPTY_COUNT, self.birth_days[member])
        known = np.where(born == EMPTY_COUNT, -math.inf, born)
        younger = end - np.maximum(known[games.entry], known[games.other])
        return np.where(np.isinf(younger), UNKNOWN, younger / YEAR_DAYS)

    def _grow(
        self, raw: RawChunk, year: Array, ratings: forecasts.Ratings, strength: Array, who: Array
    ) -> None:
        section = forecasts.sections_of(raw)
        self._growth.add(
            StrengthEntries(
                year=year[who],
                day=raw.sections["end"][section[who]],
                member=raw.entries["member"][who],
                rating=ratings.before[who],
                strength=strength[who],
                games=raw.entries["games"][who],
            )
        )

    def _score_established(
        self, raw: RawChunk, games: forecasts.ForecastGames, strength: Array | None, month: Array
    ) -> None:
        """Add games between established players to what is measured of these alone."""
        error = games.score - forecasts.expectation(games.difference)
        if strength is not None:
            self._truth.add_games(games, strength)
        members = raw.entries["member"][games.entry], raw.entries["member"][games.other]
        self._months.add(month[games.section], *members, error)
        if self.measures.three_way:
            self._three_way.add(games.difference, games.score)

    def content(self, fitted: FittedConstant | None) -> CellContent:
        """Return what is kept, with the constant that was fitted before."""
        for part in (self.level, self._months, self._growth):
            part.close()
        return CellContent(
            ratebook=__version__,
            measures=json.loads(json.dumps(self.measures.key, default=str)),
            fitted=fitted,
            scores=tuple(
                PopulationScores(population=population, **asdict(scores))
                for population, sums in self._sums.items()
                if (scores := sums.scores()) is not None
            ),
            player_months=self._months.content(),
            three_way=self._three_way.content() if self.measures.three_way else None,
            calibration=tuple(self._sums[POPULATIONS[0]].calibration()),
            truth=self._truth.content(self._growth.content()),
            level=tuple(self.level.years),
            changes=self._changes.content(),
            balance=self._balance.content(),
        )


def _surplus(ratings: forecasts.Ratings, games: forecasts.ForecastGames) -> Array:
    """Return what each entry scored beyond the forecasts of its games, games."""
    count = len(ratings.row)
    error = games.score - forecasts.expectation(games.difference)
    return np.asarray(np.bincount(games.entry, error, count) - np.bincount(games.other, error, count))

"""One cell: a replay with its scores, gathered chunk by chunk, so that memory grows with members and not with games."""

import json
import math
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ratebook import __version__
from ratebook.findings import Finding
from ratebook.lab.cells.balance import PointsBalance
from ratebook.lab.cells.forecasts import (
    ForecastGames,
    Ratings,
    expectation,
    games_of,
    places_of,
    ratings_before,
    rows_of,
)
from ratebook.lab.cells.level import YEAR_DAYS, Level
from ratebook.lab.cells.scores import Sums, log_loss
from ratebook.lab.cells.strata import CUTS, POPULATIONS, UNKNOWN, Circumstances, groups, populations
from ratebook.lab.cells.truth import Truth
from ratebook.lab.competitors.competitor import Competitor
from ratebook.lab.competitors.fitting import fit_constant
from ratebook.lab.competitors.following import follower_of
from ratebook.lab.worlds.making import TRUTH
from ratebook.model import System
from ratebook.replay.ledger import ParquetFile
from ratebook.replay.load import RawChunk
from ratebook.replay.memory import NOBODY, Array
from ratebook.replay.run import Options, Run
from ratebook.replay.tables import EMPTY_COUNT
from ratebook.rules.rulebook import Rulebook

SYSTEMS = tuple(System)
BLOCKS = pa.schema(
    [
        pa.field("section", pa.int32(), nullable=False),
        pa.field("games", pa.int32(), nullable=False),
        pa.field("log_loss", pa.float64(), nullable=False),
        pa.field("brier", pa.float64(), nullable=False),
        pa.field("excess", pa.float64(), nullable=False),
    ]
)
"""Sums of the sections with scored games: blocks from which intervals of differences follow. ``excess`` is 0 where no
one knows the truth."""


class Measures(NamedTuple):
    """What is measured.

    Attributes:
        system: of the scores.
        since: games of sections that end earlier only warm the ratings up.
        competitor: whose ratings are measured instead of those of the rules. The games, and which of them are between
            established players, are those of the rules.
    """

    system: System = System.REGULAR
    since: date = date.min
    competitor: Competitor | None = None


class CellOutcome(NamedTuple):
    """What a cell gives.

    Attributes:
        content: tables and figures, as they are stored.
        findings: of the history; with an error there is no content.
    """

    content: dict[str, Any] | None
    findings: tuple[Finding, ...]


class Gathering:
    """What is gathered of one replay."""

    def __init__(self, birth_days: Array, measures: Measures) -> None:
        self.measures = measures
        competitor = measures.competitor
        self.follower = None if competitor is None else follower_of(competitor, len(birth_days))
        self.system = SYSTEMS.index(measures.system)
        self.birth_days = birth_days
        self.sums: dict[tuple[str, str, int], Sums] = {}
        self.truth = Truth()
        self.level = Level(birth_days)
        self.balance = PointsBalance(len(birth_days))

    def add(self, raw: RawChunk, ledger: pa.Table, strength: Array | None) -> dict[str, Array]:
        """Add a chunk and return the sums of its sections."""
        _, section = places_of(raw)
        rows = rows_of(ledger, self.system)
        ratings = ratings_before(raw, rows, len(self.birth_days))
        if self.follower is not None:
            rows, ratings = self.follower.follow(raw, rows, ratings)
        games = games_of(raw, ratings)
        year = _years(raw.sections["end"])
        year_of_row = year[rows["section"] - raw.first_section]
        self.level.add(year_of_row, rows, _by_row(ratings, strength))
        if self.follower is None:
            self.balance.add(year_of_row, rows, ratings, games)
        scored = raw.sections["end"] >= self.measures.since.toordinal()
        kept = scored[games.section]
        games = ForecastGames(*(values[kept] for values in games))
        population = populations(games, ratings)
        size = raw.sections["entries"]
        of = Circumstances(
            games, ratings, size[games.section], year[games.section], self._ages(raw, section, games)
        )
        for place, name in enumerate(POPULATIONS):
            self._score(name, "", 0, games, np.flatnonzero(population == place))
        firm = np.flatnonzero(population == 0)
        for cut, values in CUTS.items():
            for value, places in groups(values(of)[firm]):
                self._score(POPULATIONS[0], cut, value, games, firm[places])
        if strength is not None:
            self.truth.add(ratings, strength, ratings.established & (ratings.row >= 0) & scored[section])
        return self._blocks(raw, ForecastGames(*(values[firm] for values in games)), strength)

    def _score(self, population: str, cut: str, value: int, games: ForecastGames, places: Array) -> None:
        if len(places):
            sums = self.sums.setdefault((population, cut, value), Sums())
            sums.add(games.difference[places], games.score[places])

    def _ages(self, raw: RawChunk, section: Array, games: ForecastGames) -> Array:
        """Return the age of the younger player of each game, years; -1 where neither is known."""
        member = raw.entries["member"]
        born = np.where(member == NOBODY, EMPTY_COUNT, self.birth_days[member])
        days = np.where(born == EMPTY_COUNT, math.inf, raw.sections["end"][section] - born)
        younger = np.minimum(days[games.entry], days[games.other])
        return np.where(np.isinf(younger), UNKNOWN, younger / YEAR_DAYS)

    def _blocks(self, raw: RawChunk, games: ForecastGames, strength: Array | None) -> dict[str, Array]:
        """Return the sums of the sections with games between established players."""
        count = len(raw.sections["end"])
        excess = np.zeros(len(games.score)) if strength is None else self.truth.add_games(games, strength)
        number = np.bincount(games.section, minlength=count)
        has = np.flatnonzero(number)
        sums = {
            "games": number,
            "log_loss": np.bincount(games.section, log_loss(games.difference, games.score), count),
            "brier": np.bincount(games.section, (games.score - expectation(games.difference)) ** 2, count),
            "excess": np.bincount(games.section, excess, count),
        }
        return {"section": has + raw.first_section, **{name: values[has] for name, values in sums.items()}}

    def content(self) -> dict[str, Any]:
        """Return the tables."""
        self.level.close()
        return {
            "scores": [
                {"population": population, "cut": cut, "value": value, **scores._asdict()}
                for (population, cut, value), sums in sorted(self.sums.items())
                if (scores := sums.scores()) is not None
            ],
            "calibration": [
                {"difference": middle, "games": games, "forecast": forecast, "score": score}
                for middle, games, forecast, score in self.sums.get(
                    (POPULATIONS[0], "", 0), Sums()
                ).calibration()
            ],
            "truth": self.truth.table(),
            "level": self.level.lines,
            "balance": self.balance.table(),
        }


def run_cell(
    history: Path,
    rules: Rulebook,
    measures: Measures,
    target: Path,
    options: Options | None = None,
) -> CellOutcome:
    """Replay *history* under *rules*, score it, and write the sums of its sections to *target*.

    Raises:
        OSError: *target* cannot be written.
    """
    chosen = (options or Options())._replace(workings=True)
    run = Run(history, rules, chosen)
    if run.failed:
        return CellOutcome(None, tuple(run.findings))
    measured, fitted = measures, None
    if measures.competitor is not None and measures.competitor.is_fitted:
        fitted = fit_constant(
            Run(history, rules, chosen),
            SYSTEMS.index(measures.system),
            measures.competitor,
            measures.since.toordinal(),
        )
        measured = measures._replace(competitor=measures.competitor._replace(constant=fitted.value))
    gathering = Gathering(run.birth_days, measured)
    truth = _strengths(history)
    with ParquetFile(target, BLOCKS) as file:
        for raw, ledger in run.rated_chunks():
            strength = None if truth is None else truth.take(len(raw.entries["member"]))
            blocks = gathering.add(raw, ledger, strength)
            file.write(
                pa.table([pa.array(blocks[field.name]).cast(field.type) for field in BLOCKS], schema=BLOCKS)
            )
        if run.failed:
            return CellOutcome(None, tuple(run.findings))
        file.complete = True
    content = gathering.content()
    said = {
        "ratebook": __version__,
        "measures": json.loads(json.dumps(measures, default=str)),
        "fitted": None if fitted is None else fitted._asdict(),
    }
    return CellOutcome({**said, **content}, tuple(run.findings))


class _Strengths:
    """The true strengths of entries, taken a number at a time."""

    def __init__(self, batches: Iterator[pa.RecordBatch]) -> None:
        self._batches = batches
        self._held = np.zeros(0)

    def take(self, count: int) -> Array:
        """Return the strengths of the next *count* entries."""
        while len(self._held) < count:
            self._held = np.concatenate([self._held, np.asarray(next(self._batches).column(0))])
        taken, self._held = self._held[:count], self._held[count:]
        return taken


def _strengths(history: Path) -> _Strengths | None:
    path = history / TRUTH
    return _Strengths(pq.ParquetFile(path).iter_batches()) if path.exists() else None


def _by_row(ratings: Ratings, strength: Array | None) -> Array | None:
    """Return the strengths of entries by the rows that these have in the ledger."""
    if strength is None:
        return None
    has = np.flatnonzero(ratings.row >= 0)
    found = np.empty(len(has))
    found[ratings.row[has]] = strength[has]
    return found


def _years(days: Array) -> Array:
    """Return the years of day numbers."""
    known, place = np.unique(days, return_inverse=True)
    return np.array([date.fromordinal(day).year for day in known.tolist()])[place]

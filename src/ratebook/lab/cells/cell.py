"""One cell: a replay with its scores, gathered chunk by chunk, so that memory grows with members and not with games."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from ratebook.findings import Finding, Place, finding
from ratebook.lab.cells.content import CellContent
from ratebook.lab.cells.gathering import Gathering
from ratebook.lab.cells.measures import SYSTEMS, Measures
from ratebook.lab.cells.members.games import games_schema
from ratebook.lab.cells.members.people import people_beside, write_people
from ratebook.lab.cells.members.starts import longest_section
from ratebook.lab.competitors.fitting import fit_constant
from ratebook.lab.competitors.forecasts import ForecastsError
from ratebook.lab.competitors.systems import is_own
from ratebook.lab.worlds.making import TRUTH
from ratebook.plugins import reason_of
from ratebook.replay.ledger import ParquetFile
from ratebook.replay.memory import Array
from ratebook.replay.run import Options, Run
from ratebook.rules.rulebook import Rulebook


class CellOutcome(NamedTuple):
    """What a cell gives.

    Attributes:
        content: what is kept.
        findings: of the history; with an error there is no content.
    """

    content: CellContent | None
    findings: tuple[Finding, ...]


def run_cell(
    history: Path, rules: Rulebook, measures: Measures, target: Path, options: Options | None = None
) -> CellOutcome:
    """Replay *history* under *rules*, score it, and write its scored games to *target*.

    Raises:
        OSError: *target* cannot be written.
    """
    where = (
        Place(subject=measures.competitor.title or measures.competitor.method)
        if measures.competitor
        else Place()
    )
    try:
        return _run_cell(history, rules, measures, target, options)
    except ForecastsError as failure:
        refused = finding(failure.case, where, **failure.values)
    except Exception as failure:
        if measures.competitor is None or is_own(measures.competitor):
            raise
        # Whatever another package's system does is a finding.
        refused = finding("plugin-failed.competitor", where, name=where.subject, reason=reason_of(failure))
    return CellOutcome(None, (refused,))


def _run_cell(
    history: Path, rules: Rulebook, measures: Measures, target: Path, options: Options | None
) -> CellOutcome:
    chosen = (options or Options())._replace(workings=True)
    run = Run(history, rules, chosen)
    if run.failed:
        return CellOutcome(None, tuple(run.findings))
    measured, fitted = measures, None
    if measures.competitor is not None and measures.competitor.fitted:
        fitted = fit_constant(Run(history, rules, chosen), rules, measures, longest_section(history))
        measured = measures._replace(competitor=measures.competitor.with_fitted(fitted.value))
    gathering = Gathering(run, rules, measured, history)
    truth = strengths_of(history)
    with ParquetFile(target, games_schema(is_baseline=measures.is_baseline)) as file:
        for raw, ledger in run.rated_chunks():
            strength = None if truth is None else truth.take(len(raw.entries["member"]))
            file.write(gathering.add(raw, ledger, strength))
        if run.failed:
            return CellOutcome(None, tuple(run.findings))
        if measures.people and gathering.has_ratings:
            system = pl.col("system") == SYSTEMS.index(measures.system)
            in_force = (
                rules.in_force(measures.system, gathering.last_day) if measures.competitor is None else None
            )
            write_people(
                run.standings().filter(system), gathering.level.rating, in_force, people_beside(target)
            )
        file.complete = True
    return CellOutcome(gathering.content(fitted), tuple(run.findings))


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


def strengths_of(history: Path) -> _Strengths | None:
    """Return what reads the true strengths of a simulated federation; None where no one knows them."""
    path = history / TRUTH
    return _Strengths(pq.ParquetFile(path).iter_batches()) if path.exists() else None

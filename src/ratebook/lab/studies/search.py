"""Which values of rules do best: a root for a target, a minimum for a score; each evaluation is a cell that is kept."""

import math
from collections.abc import Callable, Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, TypeAlias

import polars as pl

from ratebook.findings import Finding, Place, finding
from ratebook.lab.cells.content import CellContent
from ratebook.lab.cells.measures import Measures
from ratebook.lab.cells.scores import scores_of
from ratebook.lab.studies.comparing import LossDifference, differences, over_worlds
from ratebook.lab.studies.running import Task, compute, history_of
from ratebook.lab.studies.store import CELLS, CellFiles, history_digest, kept, place_of
from ratebook.lab.studies.study import Range, Study, Variant, of_world, variants_of
from ratebook.lab.studies.summary import cohort_levels, drift_of
from ratebook.rules.timeline import RulebookError

EDGE = 0.01
"""Of a range: a best value so near to its end is on the edge."""
POPULATION = 8
"""Points for each rule of a differential evolution."""
INERT = 1e-9
"""Scores that differ by less over a whole range say that the rule has no effect."""


CellMeasure: TypeAlias = Callable[[CellContent], float | None]
"""What reads a figure from what is kept of a cell."""


class Objective(StrEnum):
    """What is made small."""

    LOG_LOSS = "log_loss"
    BRIER = "brier"
    EXCESS = "excess"


class Evaluation(NamedTuple):
    """The rules' values that were tried, and what came out; None where they rate nothing."""

    values: tuple[float, ...]
    result: float | None


class Verdict(StrEnum):
    """What may be said of a rule's best value."""

    INSIDE = "inside the range"
    EDGE = "on the edge of the range"
    INERT = "inert: the rule has no effect here"


class SearchResult(NamedTuple):
    """The best values (None: none solves the target) with their result, a verdict a rule, and all that was tried."""

    values: tuple[float, ...] | None
    result: float | None
    verdicts: tuple[Verdict, ...]
    tried: tuple[Evaluation, ...]


class Evaluator:
    """Replays the history of a study, or each of its worlds, with other values of some rules, each combination once.

    Attributes:
        since: the first day of the scored years.
        tried: what was evaluated, by its values.
    """

    def __init__(
        self,
        study: Study,
        results: Path,
        free: Sequence[Range],
        measure: CellMeasure,
        progress: Callable[[Evaluation], None],
    ) -> None:
        (results / CELLS).mkdir(0o700, parents=True, exist_ok=True)
        self._study, self._results, self._free = study, results, free
        self._measure, self._progress = measure, progress
        histories = [history_of(of_world(study, number), results) for number in range(study.seeds)]
        self._histories = {history: history_digest(history) for history in histories}
        self._base = variants_of(study._replace(ranges=()))[0]
        self.since = study.measures.since
        self.tried: dict[tuple[float, ...], Evaluation] = {}

    def __call__(self, values: Sequence[float]) -> float | None:
        """Return what is measured with these values, the mean over worlds; None where they are infeasible."""
        key = tuple(map(float, values))
        if key not in self.tried:
            figures = list(map(self._measure, self.contents(key)))
            known = [figure for figure in figures if figure is not None]
            mean = sum(known) / len(known) if known and len(known) == len(figures) else None
            self.tried[key] = Evaluation(key, mean)
            self._progress(self.tried[key])
        return self.tried[key].result

    def contents(self, values: Sequence[float]) -> tuple[CellContent, ...]:
        """Return the cells of these values, one for each world; none where they rate nothing."""
        try:
            variant = self._variant(values)
            variant.rules.check_resolves()
        except RulebookError:
            return ()
        return tuple(map(kept, self._cells(variant, self._study.measures)))

    def _variant(self, values: Sequence[float]) -> Variant:
        levels = {axis.rule: repr(float(value)) for axis, value in zip(self._free, values, strict=True)}
        return Variant({**self._base.levels, **levels}, self._base.rules.with_overlay(levels))

    def _cells(self, variant: Variant, measures: Measures) -> tuple[CellFiles, ...]:
        """Return the cells of a variant, computed if they are not there; none where its rules rate nothing."""
        cells = []
        for history, digest in self._histories.items():
            place = place_of(self._results, digest, variant.rules, measures)
            task = Task(name=variant.name, history=history, variant=variant, measures=measures, place=place)
            if not place.is_there and compute(task).failed:
                return ()
            cells.append(place)
        return tuple(cells)

    def tuning_ends(self) -> date | None:
        """Return the day before which values are looked for; None where there is no year to report on."""
        if self._study.tune_until is not None:
            return self._study.tune_until
        sections = next(iter(self._histories)) / "sections.parquet"
        days: list[date] = pl.read_parquet(sections, columns=["end"])["end"].to_list()
        first, last = max(min(days), self.since), max(days)
        middle = date((first.year + last.year + 1) // 2, 1, 1)
        return middle if first < middle <= last else None

    def drift_ends(self, values: Sequence[float]) -> date | None:
        """Return the day up to which drifts are looked at; None where the cohort has no two years on both sides.

        A year of the cohort is one of the scored years; *values* are any that rate.
        """
        if self._study.tune_until is not None:
            return self._study.tune_until
        first = self.contents(values)[:1]
        ends = [end for content in first for end, _ in cohort_levels(content.level) if end >= self.since]
        return ends[len(ends) // 2] if len(ends) > 2 else None  # noqa: PLR2004 - the one in the middle is on both sides

    def reading(self, measure: CellMeasure) -> "Evaluator":
        """Return what reads another figure from the same cells."""
        return Evaluator(self._study, self._results, self._free, measure, self._progress)

    def until(self, day: date) -> "Evaluator":
        """Return what evaluates the same by the games before a day."""
        study = self._study._replace(measures=self._study.measures._replace(until=day))
        return Evaluator(study, self._results, self._free, self._measure, self._progress)

    def reported(self, values: Sequence[float], since: date) -> tuple[LossDifference, ...]:
        """Return how values differ from the baseline from a day on, the mean of all worlds; nothing if a side fails."""
        measures = self._study.measures._replace(since=since)
        bases = self._cells(self._base, measures._replace(is_baseline=True))
        cells = zip(bases, self._cells(self._variant(values), measures), self._histories, strict=False)
        return tuple(map(over_worlds, zip(*(differences(*cell) for cell in cells), strict=True)))


def drift(since: date = date.min, until: date = date.max) -> CellMeasure:
    """Return what reads the drift of the monitoring cohort from one day to another, rating points a year."""
    return lambda content: drift_of(content.level, since, until)


def score_of(score: Objective) -> CellMeasure:
    """Return what reads a score from a cell."""

    def read(content: CellContent) -> float | None:
        if score is Objective.EXCESS:
            return content.truth.excess
        value: float = getattr(scores_of(content), score.value)
        return None if math.isnan(value) else value

    return read


class Solution(NamedTuple):
    """A value that was solved for in earlier years, and how the cohort drifts with it in later ones.

    Attributes:
        found: in the years before *day*; in all scored years where it is None.
        later: drift from that day on, rating points a year; None where there is no value, or no later year.
    """

    found: SearchResult
    day: date | None
    later: float | None


def solution(evaluate: Evaluator, free: Range, target: float, tolerance: float) -> Solution:
    """Return the value of a rule whose drift is *target* in the earlier half of the years of the cohort."""
    day = evaluate.drift_ends([free.low])
    result = solve(evaluate.reading(drift(evaluate.since, day or date.max)), free, target, tolerance)
    cells = () if day is None or result.values is None else evaluate.contents(result.values)
    later = drift(day or date.min)(cells[0]) if cells else None
    return Solution(result, day, later)


def solve(evaluate: Evaluator, free: Range, target: float, tolerance: float) -> SearchResult:
    """Return the value of a rule whose drift is *target*, within *tolerance* of the value, by Brent's method.

    There is none where the drift is on one side of the target at both ends of the range.
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - only now it is needed

    class Infeasible(Exception):  # noqa: N818 - ends the search
        pass

    def off(value: float) -> float:
        measured = evaluate([value])
        if measured is None:
            raise Infeasible
        return measured - target

    try:
        low, high = off(free.low), off(free.high)
        if abs(high - low) < INERT:
            return _found(evaluate, None, (Verdict.INERT,))
        if low * high > 0.0:
            return _found(evaluate, None, (Verdict.EDGE,))
        value = float(brentq(off, free.low, free.high, xtol=tolerance))
        off(value)
    except Infeasible:
        return _found(evaluate, None, (Verdict.EDGE,))
    return _found(evaluate, (value,), (Verdict.INSIDE,))


def search(
    evaluate: Evaluator, free: Sequence[Range], *, everywhere: bool, most: int, seed: int
) -> SearchResult:
    """Return the values with the lowest score: downhill from the middle (Nelder and Mead), or from *everywhere*.

    Args:
        evaluate: gives the score.
        free: the rules and their ranges.
        everywhere: by differential evolution, which needs many more evaluations.
        most: evaluations, roughly.
        seed: of the differential evolution.
    """
    from scipy.optimize import differential_evolution, minimize  # noqa: PLC0415 - only now they are needed

    widths = [axis.high - axis.low for axis in free]

    def scaled(point: Sequence[float]) -> list[float]:
        return [
            axis.low + width * min(1.0, max(0.0, at))
            for axis, width, at in zip(free, widths, point, strict=True)
        ]

    def loss(point: Sequence[float]) -> float:
        measured = evaluate(scaled(point))
        return math.inf if measured is None else measured

    bounds = [(0.0, 1.0)] * len(free)
    if everywhere:
        generations = max(1, most // (POPULATION * len(free)) - 1)
        differential_evolution(loss, bounds, rng=seed, maxiter=generations, popsize=POPULATION, polish=False)
    else:
        start = [0.5] * len(free)
        minimize(loss, start, method="Nelder-Mead", bounds=bounds, options={"maxfev": most, "xatol": 1e-3})
    feasible = [trial for trial in evaluate.tried.values() if trial.result is not None]
    if not feasible:
        return _found(evaluate, None, (Verdict.EDGE,) * len(free))
    best = min(feasible, key=lambda trial: trial.result if trial.result is not None else math.inf)
    return _found(evaluate, best.values, tuple(_verdict(evaluate, free, best, at) for at in range(len(free))))


def _verdict(evaluate: Evaluator, free: Sequence[Range], best: Evaluation, at: int) -> Verdict:
    """Return what may be said of one of the best values, after a look at both ends of its range."""
    ends = []
    for value in (free[at].low, free[at].high):
        values = [*best.values]
        values[at] = value
        ends.append(evaluate(values))
    if best.result is not None and all(
        measured is not None and abs(measured - best.result) < INERT for measured in ends
    ):
        return Verdict.INERT
    place = (best.values[at] - free[at].low) / (free[at].high - free[at].low)
    better = any(
        measured is not None and best.result is not None and measured <= best.result for measured in ends
    )
    return Verdict.EDGE if better or not EDGE < place < 1.0 - EDGE else Verdict.INSIDE


def _found(
    evaluate: Evaluator, values: tuple[float, ...] | None, verdicts: tuple[Verdict, ...]
) -> SearchResult:
    result = None if values is None else evaluate(values)
    return SearchResult(values, result, verdicts, tuple(evaluate.tried.values()))


def unknown_rule(free: Sequence[Range], study: Study) -> tuple[Finding, ...]:
    """Return findings about ranges whose ends no rule takes."""
    base = variants_of(study._replace(ranges=()))[0].rules
    findings = []
    for span in free:
        try:
            base.with_overlay({span.rule: repr(span.low)})
        except RulebookError as failure:
            findings.append(finding("study-not-read.rules", Place(field=span.rule), failure=str(failure)))
    return tuple(findings)

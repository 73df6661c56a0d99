"""Looking for values of rules: what is found is checked by another replay, and what is no optimum is not called one."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from ratebook.lab.studies.running import history_of
from ratebook.lab.studies.search import (
    Evaluation,
    Evaluator,
    Objective,
    Verdict,
    drift,
    score_of,
    search,
    solution,
    solve,
    unknown_rule,
)
from ratebook.lab.studies.study import Range, Study, of_world, read_study

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.long

BONUS = Range("bonus_multiplier", 2.0, 40.0)
TARGET = 35.0
"""Points a year: the cohort of so small a world gains whatever its first ratings lack."""
STUDY = """
[world]
preset = "still"
years = 6
members = 150
regions = 1
events = 8.0
error = 200.0
openings = "published"
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Give a small study."""
    path = tmp_path_factory.mktemp("search") / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    return read_study(path)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder that all searches share."""
    return tmp_path_factory.mktemp("results")


def quiet(_: Evaluation) -> None:
    """Say nothing."""


def test_the_threshold_with_some_drift_lies_between_two_others(study: Study, results: Path) -> None:
    evaluations: list[Evaluation] = []
    found = solve(Evaluator(study, results, [BONUS], drift(), evaluations.append), BONUS, TARGET, 0.5)
    assert found.values is not None
    assert found.verdicts == (Verdict.INSIDE,)
    assert tuple(evaluations) == found.tried
    by_value = {one.values[0]: one.result for one in found.tried}
    (value,) = found.values
    again = Evaluator(study, results, [BONUS], drift(), quiet)
    lower, higher = again([max(2.0, value - 2.0)]), again([value + 2.0])
    assert lower is not None
    assert higher is not None
    # A higher threshold gives fewer bonus points.
    assert lower > found.result > higher  # type: ignore[operator]
    assert by_value[2.0] > TARGET > by_value[40.0]  # type: ignore[operator]
    assert found.result == pytest.approx(TARGET, abs=5.0)


def test_a_target_out_of_reach_is_not_found(study: Study, results: Path) -> None:
    found = solve(Evaluator(study, results, [BONUS], drift(), quiet), BONUS, 900.0, 0.5)
    assert (found.values, found.verdicts) == (None, (Verdict.EDGE,))
    inert = Range("match_change", 60.0, 80.0)
    found = solve(Evaluator(study, results, [inert], drift(), quiet), inert, 0.0, 0.5)
    assert (found.values, found.verdicts) == (None, (Verdict.INERT,))


def test_a_threshold_is_solved_in_earlier_years_and_its_drift_is_that_of_later_ones(
    study: Study, results: Path
) -> None:
    """The cohort is there from the fourth of six years on: its first gain is solved for, the second one reported."""
    evaluate = Evaluator(study, results, [BONUS], drift(), quiet)
    ends = [evaluate.reading(drift(until=date(2009, 1, 1)))([value]) for value in (BONUS.low, BONUS.high)]
    target = sum(end for end in ends if end is not None) / 2.0
    found, day, later = solution(evaluate, BONUS, target, 0.5)
    assert day == date(2009, 1, 1)
    assert found.values is not None
    (content,) = evaluate.contents(found.values)
    level = {row.year: row.cohort.level for row in content.level if row.cohort.level is not None}
    assert sorted(level) == [2007, 2008, 2009]
    assert found.result == pytest.approx(level[2008] - level[2007])
    assert found.result == pytest.approx(target, abs=5.0)
    assert later == pytest.approx(level[2009] - level[2008])
    assert drift()(content) == pytest.approx((level[2009] - level[2007]) / 2.0)
    short = Evaluator(
        study._replace(measures=study.measures._replace(since=date(2009, 6, 1))),
        results,
        [BONUS],
        drift(),
        quiet,
    )
    assert short.drift_ends([BONUS.low]) is None


def test_values_from_everywhere(study: Study, results: Path) -> None:
    evaluate = Evaluator(study, results, [BONUS], score_of(Objective.LOG_LOSS), quiet)
    found = search(evaluate, [BONUS], everywhere=True, most=8, seed=1)
    assert found.result == min(one.result for one in found.tried if one.result is not None)


def test_a_range_of_no_rule_is_a_finding(study: Study) -> None:
    assert [one.code for one in unknown_rule([Range("bonus", 1.0, 2.0), BONUS], study)] == ["study-not-read"]


def test_values_are_looked_for_in_earlier_years_and_reported_on_later_ones(
    study: Study, results: Path
) -> None:
    """Half of the six years each; a search does not see the later half, and the report not the earlier one."""
    evaluate = Evaluator(study, results, [BONUS], score_of(Objective.LOG_LOSS), quiet)
    day = evaluate.tuning_ends()
    assert day is not None
    days: list[date] = pl.read_parquet(history_of(study, results) / "sections.parquet")["end"].to_list()
    first = min(days).year
    assert (day.year, day.month, day.day) == (first + 3, 1, 1)
    assert evaluate([6.0]) != evaluate.until(day)([6.0])
    later = {loss.loss: loss for loss in evaluate.reported([6.0], day)}
    assert later["log_loss"].error > 0.0
    given = study._replace(tune_until=date(first + 1, 2, 3))
    assert Evaluator(given, results, [BONUS], drift(), quiet).tuning_ends() == given.tune_until


def test_several_worlds_are_searched_together(study: Study, results: Path) -> None:
    """The score is the mean of those of the worlds, each searched alone; the report has an interval of two worlds."""
    both = Evaluator(study._replace(seeds=2), results, [BONUS], score_of(Objective.LOG_LOSS), quiet)
    alone = [
        Evaluator(
            of_world(study._replace(seeds=2), world), results, [BONUS], score_of(Objective.LOG_LOSS), quiet
        )
        for world in (0, 1)
    ]
    scores = [evaluate([6.0]) for evaluate in alone]
    assert scores[0] != scores[1]
    assert both([6.0]) == pytest.approx(np.mean([score or 0.0 for score in scores]))
    day = both.tuning_ends()
    assert day is not None
    mean, *_ = both.reported([6.0], day)
    singles = [evaluate.reported([6.0], day)[0].difference for evaluate in alone]
    assert mean.difference == pytest.approx(np.mean(singles))
    assert mean.blocks == 2
    assert mean.error == pytest.approx(abs(singles[0] - singles[1]) / 2.0)

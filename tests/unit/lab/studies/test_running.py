"""Cells are computed once, whoever computes them, and compared in pairs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from ratebook.lab.cells.cell import players_beside
from ratebook.lab.studies.comparing import Blocks, differences
from ratebook.lab.studies.running import Done, Task, compute, missing, run_here, sliced, tasks_of
from ratebook.lab.studies.store import kept
from ratebook.lab.studies.study import read_study

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.lab.studies.study import Study

pytestmark = pytest.mark.long

STUDY = """
score-from = 2005-01-01
[world]
years = 4
members = 120
arrivals = 20
children = 0.5
regions = 1
[factor.bonus]
6 = { bonus_multiplier = 6 }
"six again" = { bonus_multiplier = 6.0 }
30 = { bonus_multiplier = 30 }
[factor.k]
full = { reduced_k = "off" }
none = { bonus_multiplier = 1e300 }
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Give a small study."""
    path = tmp_path_factory.mktemp("study") / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    return read_study(path)


@pytest.fixture(scope="module")
def results(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give its results."""
    folder = tmp_path_factory.mktemp("results")
    list(run_here(tasks_of(study, folder), lambda *_: None))
    return folder


def content_of(results: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((results / "cells").iterdir())}


def test_what_is_there_is_not_computed_again_and_same_rules_are_one_cell(study: Study, results: Path) -> None:
    tasks = tasks_of(study, results)
    assert len(tasks) == 6
    assert missing(tasks) == ()
    places = {one.variant.name: one.place for one in tasks}
    assert places["bonus 6, k full"] == places["bonus six again, k full"]
    assert len(set(places.values())) == 3


def test_a_cell_that_was_deleted_comes_back_with_the_same_bytes(study: Study, results: Path) -> None:
    before = content_of(results)
    tasks = tasks_of(study, results)
    tasks[1].place.tables.unlink()
    told: list[tuple[int, int]] = []

    def tell(done: int, everything: int, _: Done | None) -> None:
        told.append((done, everything))

    assert [one.task.place for one in run_here(tasks, tell)] == [tasks[1].place]
    assert told == [(0, 1), (1, 1)]
    assert content_of(results) == before


def test_slices_are_everything_together_and_give_the_same_bytes(
    study: Study, results: Path, tmp_path: Path
) -> None:
    tasks = tasks_of(study, tmp_path)
    slices = [sliced(tasks, number, 4) for number in (1, 2, 3, 4)]
    assert sorted(one.variant.name for part in slices for one in part) == sorted(
        one.variant.name for one in tasks
    )
    for part in slices:
        list(run_here(part, lambda *_: None))
    assert content_of(tmp_path) == content_of(results)


def test_rules_that_rate_nothing_leave_no_cell(study: Study, tmp_path: Path) -> None:
    task = next(one for one in tasks_of(study, tmp_path) if one.variant.levels["k"] == "full")
    wrong = task.variant._replace(rules=task.variant.rules.with_overlay({"logistic_scale": "1e-320"}))
    done = compute(Task(task.name, task.history, wrong, task.measures, task.place))
    assert done.failed
    assert [one.code for one in done.findings] == ["what-if-unusable"]
    assert not task.place.is_there


def jackknife(lost: list[np.ndarray], games: list[np.ndarray], times: int) -> float:
    """Return the error of the difference of two means: one block after the other is left out."""
    without = [
        (lost[1].sum() - times * lost[1][at]) / (games[1].sum() - times * games[1][at])
        - (lost[0].sum() - times * lost[0][at]) / (games[0].sum() - times * games[0][at])
        for at in np.flatnonzero((games[0] > 0) | (games[1] > 0))
    ]
    number = len(without)
    return math.sqrt((number - 1) / number * ((np.array(without) - np.mean(without)) ** 2).sum())


@pytest.mark.parametrize("blocks", [Blocks.SECTION, Blocks.EVENT, Blocks.MONTH])
def test_differences_have_the_error_of_a_jackknife(study: Study, results: Path, blocks: Blocks) -> None:
    """Leaving out one block after the other is another way to the same error (Efron and Stein 1981)."""
    tasks = {one.variant.name: one for one in tasks_of(study, results)}
    first, second = tasks["bonus 6, k full"], tasks["bonus 30, k full"]
    found = {one.loss: one for one in differences(first.place, second.place, first.history, blocks)}
    sums = [pl.read_parquet(one.place.blocks) for one in (first, second)]
    sections = pl.read_parquet(first.history / "sections.parquet")
    keys = {
        Blocks.SECTION: np.arange(len(sections)),
        Blocks.EVENT: np.unique(sections["event"].to_numpy(), return_inverse=True)[1],
        Blocks.MONTH: np.unique(sections["end"].dt.strftime("%Y-%m").to_numpy(), return_inverse=True)[1],
    }[blocks]
    count = keys.max() + 1
    for loss, one in found.items():
        games = [np.bincount(keys[each["section"]], each["games"], count) for each in sums]
        lost = [np.bincount(keys[each["section"]], each[loss], count) for each in sums]
        whole = lost[1].sum() / games[1].sum() - lost[0].sum() / games[0].sum()
        assert one.difference == pytest.approx(whole, rel=1e-9)
        assert one.first == pytest.approx(kept(first.place).truth.excess, rel=1e-9) or loss != "excess"
        assert one.error == pytest.approx(jackknife(lost, games, 1), rel=0.1)
        assert one.blocks == ((games[0] > 0) | (games[1] > 0)).sum()


def test_players_are_blocks_of_all_their_games(study: Study, results: Path) -> None:
    """Whoever is left out takes all games along, so that twice what is counted for two players leaves with one."""
    tasks = {one.variant.name: one for one in tasks_of(study, results)}
    first, second = tasks["bonus 6, k full"], tasks["bonus 30, k full"]
    sums = [pl.read_parquet(players_beside(one.place.blocks)) for one in (first, second)]
    by_section = differences(first.place, second.place, first.history, Blocks.SECTION)
    found = differences(first.place, second.place, first.history, Blocks.PLAYER)
    for one, other in zip(found, by_section, strict=True):
        lost = [each[one.loss].to_numpy() for each in sums]
        games = [each["games"].to_numpy() for each in sums]
        assert one.difference == pytest.approx(other.difference, rel=1e-9)
        assert one.error == pytest.approx(jackknife(lost, games, 2), rel=0.1)
        assert one.blocks == len(games[0])


def test_a_cell_does_not_differ_from_itself(study: Study, results: Path) -> None:
    one = tasks_of(study, results)[0]
    for found in differences(one.place, one.place, one.history):
        assert (found.difference, found.error) == (0.0, 0.0)
        assert math.isnan(found.z)

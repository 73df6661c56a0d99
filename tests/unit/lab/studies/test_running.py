"""Cells are computed once, whoever computes them, and compared in pairs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from ratebook.lab.cells.scores import scores_of
from ratebook.lab.cells.strata import CUTS
from ratebook.lab.studies.comparing import Blocks, LossDifference, PairedGames, differences, holm, over_worlds
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
    steps: list[tuple[int, int]] = []

    def tell(done: int, everything: int, _: Done | None) -> None:
        steps.append((done, everything))

    assert [one.task.place for one in run_here(tasks, tell)] == [tasks[1].place]
    assert steps == [(0, 1), (1, 1)]
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


def games_of(first: Task, second: Task) -> pl.DataFrame:
    """Return the games between established players, with the log losses of two cells and the names of their blocks."""
    games = pl.read_parquet(first.place.games).filter(pl.col("population") == 0)
    games = games.join(pl.read_parquet(second.place.games), on="game", suffix="_second").sort("game")
    sections = pl.read_parquet(first.history / "sections.parquet")
    score = games["half_points"].to_numpy() / 2
    losses = []
    for name in ("forecast", "forecast_second"):
        expected = 1 / (1 + 10 ** (-games[name].to_numpy().astype("f8") / 400))
        losses.append(-(score * np.log(expected) + (1 - score) * np.log(1 - expected)))
    return games.with_columns(
        off=losses[1] - losses[0],
        event=sections["event"].gather(games["section"]),
        month=sections["end"].dt.strftime("%Y-%m").gather(games["section"]),
    )


@pytest.fixture(scope="module")
def pair(study: Study, results: Path) -> tuple[Task, Task]:
    """Give two cells that differ, the baseline first."""
    tasks = {one.variant.name: one for one in tasks_of(study, results)}
    return tasks["bonus 6, k full"], tasks["bonus 30, k full"]


@pytest.mark.parametrize("blocks", [Blocks.SECTION, Blocks.EVENT, Blocks.MONTH])
def test_differences_have_the_error_of_a_jackknife(pair: tuple[Task, Task], blocks: Blocks) -> None:
    """Leaving out one block after the other is another way to the same error (Efron and Stein 1981)."""
    games = games_of(*pair)
    found = differences(pair[0].place, pair[1].place, pair[0].history, blocks)[0]
    assert found.games == len(games)
    assert found.difference == pytest.approx(games["off"].mean(), rel=1e-9)
    assert found.second == pytest.approx(scores_of(kept(pair[1].place)).log_loss, abs=1e-6)
    key, off = games[blocks.value].to_numpy(), games["off"].to_numpy()
    names = np.unique(key)
    without = np.array([off[key != name].mean() for name in names])
    error = math.sqrt((len(names) - 1) / len(names) * ((without - without.mean()) ** 2).sum())
    assert found.blocks == len(names)
    assert found.error == pytest.approx(error, rel=0.1)


def test_games_that_share_a_player_are_taken_as_dependent(pair: tuple[Task, Task]) -> None:
    """The sum over all pairs of games that share a player, game by game, as the formula is defined."""
    games = games_of(*pair)
    z = (games["off"].to_numpy() - games["off"].mean()) / len(games)
    member, other = games["member"].to_numpy(), games["other"].to_numpy()
    variance = 0.0
    for at in range(len(z)):
        shares = (member == member[at]) | (other == other[at]) | (member == other[at]) | (other == member[at])
        variance += z[at] * z[shares].sum()
    players = len(np.unique(np.concatenate([member, other])))
    found = differences(pair[0].place, pair[1].place, pair[0].history, Blocks.BOTH_PLAYERS)[0]
    assert found.blocks == players
    assert found.error == pytest.approx(math.sqrt(variance * players / (players - 1)), rel=1e-9)
    by_player = differences(pair[0].place, pair[1].place, pair[0].history, Blocks.PLAYER)[0]
    sums = [
        (z * ((member == who) | (other == who))).sum() for who in np.unique(np.concatenate([member, other]))
    ]
    assert by_player.error == pytest.approx(
        math.sqrt(np.square(sums).sum() * players / (players - 1)), rel=1e-9
    )
    assert by_player.error > found.error


def test_parts_are_those_of_the_baseline_for_every_variant(pair: tuple[Task, Task]) -> None:
    """A class is that of the baseline's mean rating, so that the same games are compared; small parts are left out."""
    games = games_of(*pair)
    parts = PairedGames(pair[0].place, pair[0].history).difference(pair[1].place).parts
    for cut in CUTS:
        found = {part.value: part.loss for part in parts if part.cut == cut}
        wanted = (
            games.group_by(cut).agg(pl.len(), pl.col("off").mean()).filter(pl.col("len") >= 200).sort(cut)
        )
        assert {
            value: (loss.games, pytest.approx(loss.difference)) for value, loss in sorted(found.items())
        } == {value: (count, off) for value, count, off in wanted.rows()}
        assert all(loss.error > 0.0 or loss.blocks < 20 for loss in found.values())
    everything = pl.read_parquet(pair[0].place.games).group_by("population").len().sort("population")
    assert [part.loss.games for part in parts if not part.cut] == everything["len"].to_list()


def test_comparisons_are_adjusted_step_by_step() -> None:
    """Holm's example of three: the smallest three times, the next twice, and none below one before it."""
    assert holm([0.01, 0.04, math.nan, 0.03]) == pytest.approx((0.03, 0.06, math.nan, 0.06), nan_ok=True)
    assert holm([0.9, 0.8]) == (1.0, 1.0)


def test_the_interval_over_worlds_is_that_of_student() -> None:
    """Of 1, 2, 3, 4, 5: the mean is 3, the deviation 1.5811, t of four degrees 2.7764."""
    worlds = [LossDifference("log_loss", 0.0, off, off, 0.1, 30, 100) for off in (1.0, 2.0, 3.0, 4.0, 5.0)]
    mean = over_worlds(worlds)
    assert (mean.difference, mean.blocks, mean.games) == (3.0, 5, 500)
    assert mean.margin == pytest.approx(2.7764451 * 1.5811388 / math.sqrt(5.0), rel=1e-6)


def test_a_cell_does_not_differ_from_itself(study: Study, results: Path) -> None:
    one = tasks_of(study, results)[0]
    for found in differences(one.place, one.place, one.history):
        assert found.difference == 0.0
        assert math.isnan(found.z)
        # One federation does not show how its excess varies.
        assert found.error == 0.0 or (found.loss == "excess" and math.isnan(found.error))

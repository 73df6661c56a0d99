"""A cell against scores computed apart: from the ledger of a replay by Polars, and by scikit-learn."""

from __future__ import annotations

import math
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from lab_known.replays import games_by_polars, ledger_of
from ratebook.lab.cells.cell import run_cell
from ratebook.lab.cells.measures import Measures
from ratebook.lab.cells.scores import scores_of
from ratebook.lab.worlds.making import make_world
from ratebook.lab.worlds.world import World
from ratebook.records.record import plain
from ratebook.replay.run import Options
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.lab.cells.content import CellContent

WORLD = World(
    years=5, members=110, arrivals=20, leaving=0.1, children=0.4, walk=40.0, regions=1, dual=0.5, events=5.0
)
SINCE = date(2005, 7, 1)
RULES = load_rulebook().with_overlay({"bonus_multiplier": "8"})


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a world with its truth."""
    folder = tmp_path_factory.mktemp("cells") / "world"
    make_world(WORLD, folder)
    return folder


@pytest.fixture(scope="module")
def content(world: Path) -> CellContent:
    """Give what is kept of a cell."""
    cell = run_cell(
        world,
        RULES,
        Measures(since=SINCE, is_baseline=True),
        world.parent / "games.parquet",
        Options(sections_at_once=37),
    )
    assert cell.findings == ()
    assert cell.content is not None
    return cell.content


@pytest.fixture(scope="module")
def games(world: Path) -> pl.DataFrame:
    """Give the games between established players since the day, made from the ledger of a plain replay."""
    return games_by_polars(world, ledger_of(world, RULES), SINCE)


@pytest.mark.long
def test_scores_are_those_of_scikit_learn(content: CellContent, games: pl.DataFrame) -> None:
    """A draw is half a win and half a loss: two rows of half the weight (LABORATORY A2)."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - it takes seconds, and only this test needs it
    from sklearn.metrics import brier_score_loss, log_loss  # noqa: PLC0415 - the same

    found = scores_of(content)
    assert found.games == len(games) > 1000
    logit = games["difference"].to_numpy() * math.log(10) / 400
    score = games["result"].to_numpy()
    forecast = 1 / (1 + np.exp(-logit))
    rows = np.concatenate([forecast, forecast])
    wins = np.repeat([1, 0], len(score))
    weight = np.concatenate([score, 1 - score])
    assert found.log_loss == pytest.approx(log_loss(wins, rows, sample_weight=weight), rel=1e-9)
    # The Brier score of the two rows has the spread of a draw in it, s (1 - s).
    of_rows = brier_score_loss(wins, rows, sample_weight=weight)
    assert found.brier == pytest.approx(of_rows - (score * (1 - score)).mean(), rel=1e-9)
    for with_intercept, names in ((True, ("slope", "intercept")), (False, ("scale",))):
        model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000, fit_intercept=with_intercept)
        model.fit(np.concatenate([logit, logit])[:, None], wins, sample_weight=weight)
        wanted = [model.coef_[0, 0], *model.intercept_] if with_intercept else [model.coef_[0, 0]]
        assert [getattr(found, name) for name in names] == pytest.approx(wanted, abs=1e-6)
    decided = score != 0.5
    right = np.where(logit == 0, 0.5, score == 1)[decided]
    assert found.accuracy == pytest.approx(right.mean(), rel=1e-12)


def test_the_split_of_the_brier_score_is_that_of_its_classes(
    content: CellContent, games: pl.DataFrame
) -> None:
    classes = (
        games.with_columns(
            band=(pl.col("difference") / 25).floor(), forecast=1 / (1 + 10 ** (-pl.col("difference") / 400))
        )
        .group_by("band")
        .agg(pl.len(), pl.col("forecast").mean(), pl.col("result").mean())
    )
    share = pl.col("len") / len(games)
    mean = games["result"].mean()
    reliability, resolution = classes.select(
        (share * (pl.col("forecast") - pl.col("result")) ** 2).sum(),
        ((share * (pl.col("result") - mean) ** 2).sum()).alias("resolution"),
    ).row(0)
    found = scores_of(content)
    assert [found.reliability, found.resolution] == pytest.approx([reliability, resolution], rel=1e-9)


def test_games_are_kept(world: Path, content: CellContent, games: pl.DataFrame) -> None:
    whole = scores_of(content)
    assert content.truth.excess is not None
    kept = pl.read_parquet(world.parent / "games.parquet")
    assert kept["game"].is_sorted()
    firm = kept.filter(pl.col("population") == 0)
    by_section = games.group_by("section").len().sort("section")
    assert firm.group_by("section").len().sort("section").rows() == by_section.rows()
    logit = firm["forecast"].to_numpy().astype("f8") * math.log(10) / 400
    of_games = np.log1p(np.exp(-logit)) + (1 - firm["half_points"].to_numpy() / 2) * logit
    assert np.mean(of_games) == pytest.approx(whole.log_loss, abs=1e-7)
    true = firm["true"].to_numpy()
    assert np.sort(np.abs(true)) == pytest.approx(np.sort(np.abs(games["true"].to_numpy())), abs=1e-3)


def test_the_excess_is_the_divergence_from_the_truth(content: CellContent, games: pl.DataFrame) -> None:
    said = 1 / (1 + 10 ** (-games["difference"].to_numpy() / 400))
    true = 1 / (1 + 10 ** (-games["true"].to_numpy() / 400))
    divergence = true * np.log(true / said) + (1 - true) * np.log((1 - true) / (1 - said))
    assert content.truth.excess == pytest.approx(divergence.mean(), rel=1e-9)


def test_the_balance_of_points_closes_in_every_year(world: Path, content: CellContent) -> None:
    ledger = ledger_of(world, RULES)
    ends = pl.read_parquet(world / "sections.parquet")["end"]
    rows = ledger.filter(pl.col("system") == 0)
    rows = rows.with_columns(year=ends.gather(rows["section"]).dt.year())
    before = 0.0
    assert len(content.balance) == WORLD.years
    for line in content.balance:
        last = rows.filter(pl.col("year") <= line.year).group_by("member").agg(pl.col("rating").last())
        assert line.pool == pytest.approx(last["rating"].sum(), abs=1e-6)
        entered = sum(line.causes.values())
        assert entered == pytest.approx(line.pool - before, abs=1e-6)
        before = line.pool
        of_year = rows.filter(pl.col("year") == line.year)
        assert line.causes["bonus"] == pytest.approx(of_year["bonus"].sum(), abs=1e-6)
        new = of_year.filter(pl.col("source") != 0)
        assert line.causes["entry"] == pytest.approx(new["rating_before"].sum(), abs=1e-6)
        assert line.causes["office"] == 0.0
    assert content.balance[0].causes["openings"] > 0 < content.balance[-1].causes["unequal K"]


def test_chunks_make_no_difference(world: Path, content: CellContent, tmp_path: Path) -> None:
    again = run_cell(world, RULES, Measures(since=SINCE), tmp_path / "games.parquet").content
    assert again is not None
    for ours, theirs in zip(again.scores, content.scores, strict=True):
        assert numbers(ours) == pytest.approx(numbers(theirs), rel=1e-9, nan_ok=True)
    for year, same_year in zip(again.level, content.level, strict=True):
        assert numbers(year) == pytest.approx(numbers(same_year), rel=1e-9, nan_ok=True)


def numbers(record: object) -> dict[str, float]:
    return {name: value for name, value in plain(record).items() if isinstance(value, int | float)}

"""Forecasts from a file, and the advantage of White: against the games themselves."""

from __future__ import annotations

import math
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from ratebook.lab.cells.cell import CellOutcome, run_cell
from ratebook.lab.cells.measures import Measures
from ratebook.lab.cells.scores import scores_of
from ratebook.lab.competitors.competitor import FORECASTS, Competitor
from ratebook.lab.worlds.making import make_world
from ratebook.lab.worlds.world import World
from ratebook.replay.run import Options
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from pathlib import Path

WHITE = 60.0
SINCE = date(2006, 1, 1)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a world in which White has an advantage."""
    folder = tmp_path_factory.mktemp("forecasts") / "world"
    make_world(World(years=4, members=120, regions=1, events=8.0, white=WHITE), folder)
    return folder


def cell(world: Path, games: Path, competitor: Competitor | None = None, white: float = 0.0) -> CellOutcome:
    measures = Measures(since=SINCE, competitor=competitor, is_baseline=competitor is None, white=white)
    return run_cell(world, load_rulebook(), measures, games, Options(sections_at_once=37))


@pytest.fixture(scope="module")
def baseline(world: Path) -> pl.DataFrame:
    """Give the scored games of the rules, each from the side of the player who is listed first."""
    target = world.parent / "baseline.parquet"
    assert cell(world, target).content is not None
    return pl.read_parquet(target)


def given(folder: Path, games: pl.DataFrame, probability: pl.Expr) -> Competitor:
    path = folder / "theirs.csv"
    games.select("game", probability=probability).write_csv(path)
    return Competitor(FORECASTS, title="theirs", digest="1", file=path)


def expected(difference: str) -> pl.Expr:
    return 1 / (1 + 10 ** (-pl.col(difference).cast(pl.Float64) / 400))


def loss(probability: np.ndarray, score: np.ndarray) -> float:
    return float(-(score * np.log(probability) + (1 - score) * np.log(1 - probability)).mean())


def test_forecasts_of_a_file_are_scored_as_they_stand(
    world: Path, baseline: pl.DataFrame, tmp_path: Path
) -> None:
    """Those of one who knows the strengths and forgets White; nothing is said of ratings that nobody made."""
    shuffled = baseline.sample(fraction=1.0, shuffle=True, seed=1)
    outcome = cell(world, tmp_path / "games.parquet", given(tmp_path, shuffled, expected("true")))
    content = outcome.content
    assert content is not None
    firm = baseline.filter(pl.col("population") == 0)
    probability = firm.select(expected("true")).to_series().to_numpy()
    overall = scores_of(content)
    assert overall.games == len(firm) > 500
    assert overall.log_loss == pytest.approx(loss(probability, firm["half_points"].to_numpy() / 2), rel=1e-6)
    assert content.truth.excess == pytest.approx(0.0, abs=1e-9)
    assert (content.level, content.balance) == ((), ())
    assert (content.truth.bias, content.truth.spread) == (None, None)
    assert math.isnan(content.changes.change)


def test_the_same_forecasts_give_the_same_losses(world: Path, baseline: pl.DataFrame, tmp_path: Path) -> None:
    target = tmp_path / "games.parquet"
    outcome = cell(world, target, given(tmp_path, baseline, expected("forecast")))
    assert outcome.findings == ()
    again = pl.read_parquet(target)
    assert again["game"].equals(baseline["game"])
    assert np.abs(again["forecast"].to_numpy() - baseline["forecast"].to_numpy()).max() < 1e-3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,p\n1,0.5\n", "lacks a column; it has: id, p"),
        ("game,probability\n1,0.5\n1,0.6\n", "Game 1 has two forecasts"),
        ("game,probability\n1,0.5\n2,1\n3,x\n", "Line 3 has no number of a game, or a probability"),
        ("game,probability\n1,0.5\n", "There is no forecast for game"),
        ("", "lacks a column; it has: none"),
    ],
)
def test_what_cannot_be_used_is_a_finding(world: Path, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "theirs.csv"
    path.write_text(text)
    competitor = Competitor(FORECASTS, title="theirs", digest="1", file=path)
    outcome = cell(world, tmp_path / "games.parquet", competitor)
    assert outcome.content is None
    assert [finding.code for finding in outcome.findings] == ["forecasts-not-used"]
    assert message in outcome.findings[0].message
    assert not (tmp_path / "games.parquet").exists()


def test_white_s_advantage_is_in_every_forecast(world: Path, baseline: pl.DataFrame, tmp_path: Path) -> None:
    """The forecast of each game moves by so many points towards White, and forecasts become better for it."""
    target = tmp_path / "games.parquet"
    outcome = cell(world, target, white=WHITE)
    assert outcome.content is not None
    games = pl.read_parquet(target)
    colours = pl.read_parquet(world / "games.parquet")["colour"].gather(games["game"]).to_numpy()
    moved = games["forecast"].to_numpy() - baseline["forecast"].to_numpy()
    assert np.abs(moved - WHITE * colours).max() < 1e-3
    firm = baseline.filter(pl.col("population") == 0)
    plain = loss(firm.select(expected("forecast")).to_series().to_numpy(), firm["half_points"].to_numpy() / 2)
    assert scores_of(outcome.content).log_loss < plain


def test_white_scores_as_the_world_says(world: Path) -> None:
    """Over all games, White's score is that of the strengths with 60 points more."""
    sections, entries, games = (
        pl.read_parquet(world / f"{name}.parquet") for name in ("sections", "entries", "games")
    )
    strength = pl.read_parquet(world / "truth.parquet")["strength"].to_numpy()
    first = np.repeat(np.cumsum(sections["entries"]) - sections["entries"], sections["entries"])
    entry = np.repeat(np.arange(len(entries)), entries["games"])
    difference = strength[entry] - strength[first[entry] + games["opponent"].to_numpy()] + WHITE
    white = games["colour"].to_numpy() == 1
    wanted = float((1 / (1 + 10 ** (-difference[white] / 400))).mean())
    error = 0.5 / math.sqrt(int(white.sum()))
    assert float(games["score"].to_numpy()[white].mean()) / 2 == pytest.approx(wanted, abs=4 * error)
    assert wanted > 0.5 + 4 * error

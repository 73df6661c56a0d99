"""A forecast is that of the formula which is scored, and knows only what was known when the section began."""

from __future__ import annotations

import math
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from lab_known.replays import games_by_polars, ledger_of
from ratebook.lab.cells.cell import run_cell
from ratebook.lab.cells.level import Level
from ratebook.lab.cells.measures import Measures
from ratebook.lab.cells.scores import scores_of
from ratebook.lab.imports.histories import import_history
from ratebook.lab.worlds.making import make_world
from ratebook.lab.worlds.world import World
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from pathlib import Path

LEAGUE = """date,event,section,white,black,result,white-rating,black-rating
2005-01-08,L,league,ann,bob,1-0,1500,1500
2005-03-05,W,weekend,ann,cid,1-0,1500,1500
2005-03-05,W,weekend,ann,dan,1-0,1500,1500
2005-03-06,W,weekend,ann,eve,1-0,1500,1500
2005-06-25,L,league,bob,cid,1-0,1500,1500
"""


SINCE = date(2005, 1, 1)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a world of two years."""
    folder = tmp_path_factory.mktemp("forecasts") / "world"
    make_world(World(years=2, members=60, arrivals=40, regions=1, events=8.0), folder)
    return folder


def test_who_is_established_is_the_same_for_every_variant(world: Path, tmp_path: Path) -> None:
    """More than 25 games, though the rules of a variant say more than 50: else other games were compared."""
    scored = []
    for least in (25, 50):
        rules, target = (
            load_rulebook().with_overlay({"established_above_games": str(least)}),
            tmp_path / f"{least}.parquet",
        )
        assert run_cell(world, rules, Measures(since=SINCE, is_baseline=True), target).content is not None
        scored.append(pl.read_parquet(target).select("game", "population", "experience"))
    assert scored[0].equals(scored[1])
    established = scored[1].filter(pl.col("population") == 0)["experience"]
    assert established.min() == 26
    assert (established == 26).sum() > 100


def test_a_scale_of_500_is_scored_with_500(world: Path, tmp_path: Path) -> None:
    rules = load_rulebook().with_overlay({"logistic_scale": "500"})
    content = run_cell(world, rules, Measures(since=SINCE), tmp_path / "games.parquet").content
    assert content is not None
    games = games_by_polars(world, ledger_of(world, rules), SINCE)
    forecast = 1.0 / (1.0 + 10.0 ** (-games["difference"].to_numpy() / 500.0))
    score, true = games["result"].to_numpy(), 1.0 / (1.0 + 10.0 ** (-games["true"].to_numpy() / 400.0))
    found = scores_of(content)
    assert found.games == len(games) > 500
    loss = -(score * np.log(forecast) + (1.0 - score) * np.log(1.0 - forecast)).mean()
    assert found.log_loss == pytest.approx(loss, rel=1e-9)
    assert found.brier == pytest.approx(((score - forecast) ** 2).mean(), rel=1e-9)
    excess = true * np.log(true / forecast) + (1 - true) * np.log((1 - true) / (1 - forecast))
    assert content.truth.excess == pytest.approx(excess.mean(), rel=1e-9)
    assert sum(year.causes["office"] for year in content.balance) == 0.0


def test_a_league_is_forecast_without_the_weekend_in_its_middle(tmp_path: Path) -> None:
    """All players have 1500 when the league begins, so that each of its games is forecast as even."""
    (tmp_path / "games.csv").write_text(LEAGUE, encoding="utf-8")
    assert import_history(tmp_path / "games.csv", tmp_path / "history")[1] == ()
    before = ledger_of(tmp_path / "history")["rating_before"].to_list()
    assert sum(rating != 1500.0 for rating in before) == 2  # Ann and Cid, in the league that ends last
    measures = Measures(since=date(2005, 6, 1))
    content = run_cell(tmp_path / "history", load_rulebook(), measures, tmp_path / "games.parquet").content
    assert content is not None
    assert scores_of(content).games == 2
    assert scores_of(content).log_loss == pytest.approx(math.log(2.0))


def test_a_year_without_games_is_one_without_activity() -> None:
    """Active in the year and in the three before it: not in 2008 to 2010, if no one played in 2007."""
    level = Level(np.array([date(1967, 5, 1).toordinal()]), [""], np.zeros(1, "i8"))
    played = [2003, 2004, 2005, 2006, 2008, 2009, 2010, 2011]
    for year in played:
        rows = {"member": np.array([0]), "rating": np.array([1500.0 + year]), "games": np.array([99.0])}
        level.add(np.array([year]), {**rows, "at_floor": np.array([False])}, None)
    level.close()
    assert [(line.year, line.cohort.players) for line in level.years] == [
        (year, int(year in {2006, 2011})) for year in played
    ]

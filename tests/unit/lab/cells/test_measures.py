"""What a cell measures beside the scores, computed again from the ledger of a plain replay and from the history."""

from __future__ import annotations

import math
from datetime import date
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize_scalar

from lab_known.replays import known_at_start
from ratebook.lab.cells.cell import run_cell
from ratebook.lab.cells.measures import Measures
from ratebook.lab.cells.scores import scores_of
from ratebook.lab.worlds.making import make_world
from ratebook.lab.worlds.world import World
from ratebook.replay.run import Options, replay
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.lab.cells.content import CellContent

WORLD = World(
    years=4, members=100, arrivals=20, children=0.5, regions=1, events=8.0, strength=900.0, growth=900.0
)
SINCE = date(2005, 7, 1)
RULES = load_rulebook().with_overlay({"absolute_floor": "700"})


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a world of weak players, of whom many are children."""
    folder = tmp_path_factory.mktemp("measures") / "world"
    make_world(WORLD, folder)
    return folder


@pytest.fixture(scope="module")
def content(world: Path) -> CellContent:
    """Give what is kept of a cell."""
    measures = Measures(since=SINCE, three_way=True, is_baseline=True)
    found = run_cell(
        world, RULES, measures, world.parent / "games.parquet", Options(sections_at_once=53)
    ).content
    assert found is not None
    return found


@pytest.fixture(scope="module")
def entries(world: Path) -> pl.DataFrame:
    """Give the ledger rows with the seats, strengths and days of their entries."""
    sections = (
        pl.read_parquet(world / "sections.parquet").with_row_index("section").cast({"section": pl.Int32})
    )
    seats = pl.read_parquet(world / "entries.parquet").select("member", entered="games")
    seats = seats.with_columns(
        pl.read_parquet(world / "truth.parquet"),
        section=sections["section"].gather(np.repeat(np.arange(len(sections)), sections["entries"])),
        entry=pl.int_range(pl.len(), dtype=pl.Int64),
    ).with_columns(seat=pl.int_range(pl.len()).over("section"))
    ledger = replay(world, RULES).ledger
    assert ledger is not None
    rows = seats.join(ledger.filter(pl.col("system") == 0), on=["section", "member"], how="left").join(
        sections.select("section", "start", "end"), on="section"
    )
    return rows.with_columns(
        year=pl.col("end").dt.year(),
        established=(pl.col("source") == 0) & (pl.col("games_before") > 25),
        later=pl.col("end") >= SINCE,
    ).sort("entry")


@pytest.fixture(scope="module")
def sides(world: Path, entries: pl.DataFrame) -> pl.DataFrame:
    """Give each rated game, once from either side, with what was known when its section began."""
    rated = known_at_start(entries.filter(pl.col("rating").is_not_null()))
    entries = pl.concat([rated, entries.filter(pl.col("rating").is_null())]).sort("entry")
    entries = entries.with_columns(established=(pl.col("source") == 0) & (pl.col("games_before") > 25))
    played = pl.read_parquet(world / "games.parquet").with_columns(
        entry=pl.Series(np.repeat(entries["entry"].to_numpy(), entries["entered"].to_numpy()))
    )
    opponents = entries.select(
        "section", opponent=pl.col("seat").cast(pl.UInt16), other="member", against="rating_before",
        other_established="established",
    )  # fmt: skip
    both = played.join(
        entries.select("entry", "section", "seat", "member", "rating_before", "established", "end", "later"),
        on="entry",
    ).join(opponents, on=["section", "opponent"])
    return both.filter(pl.col("rating_before").is_not_null() & pl.col("against").is_not_null()).with_columns(
        result=pl.col("score") / 2.0,
        difference=pl.col("rating_before") - pl.col("against"),
        forecast=1 / (1 + 10 ** ((pl.col("against") - pl.col("rating_before")) / 400)),
        firm=pl.col("established") & pl.col("other_established"),
    )


@pytest.fixture(scope="module")
def favourites(sides: pl.DataFrame) -> pl.DataFrame:
    """Give each game between established players from the side of the favourite, or of the one who is listed first."""
    first = (pl.col("difference") == 0) & (pl.col("seat") < pl.col("opponent"))
    return sides.filter(pl.col("firm") & ((pl.col("difference") > 0) | first))


def test_the_kaggle_score_cuts_forecasts(content: CellContent, favourites: pl.DataFrame) -> None:
    scored = favourites.filter("later")
    assert (scored["forecast"] > 0.99).any()
    cut = scored["forecast"].clip(0.01, 0.99).to_numpy()
    score = scored["result"].to_numpy()
    wanted = -(score * np.log10(cut) + (1 - score) * np.log10(1 - cut)).mean()
    assert scores_of(content).kaggle == pytest.approx(wanted, rel=1e-9)


def test_the_calibration_error_is_that_of_bins_of_50_points(
    content: CellContent, favourites: pl.DataFrame
) -> None:
    scored = favourites.filter("later")
    bins = scored.group_by((pl.col("difference") / 50).floor()).agg(
        pl.len(), pl.col("forecast", "result").mean()
    )
    wanted = (bins["len"] * (bins["forecast"] - bins["result"]).abs()).sum() / len(scored)
    assert scores_of(content).calibration_error == pytest.approx(wanted, rel=1e-9)


def test_players_months_are_those_of_their_games(content: CellContent, sides: pl.DataFrame) -> None:
    months = (
        sides.filter(pl.col("later") & pl.col("firm"))
        .group_by("member", pl.col("end").dt.strftime("%Y-%m"))
        .agg(off=(pl.col("result") - pl.col("forecast")).sum())
    )
    assert content.player_months.months == len(months) > 300
    assert content.player_months.error == pytest.approx(
        math.sqrt((months["off"].to_numpy() ** 2).mean()), rel=1e-9
    )


def test_the_share_of_draws_is_the_most_likely_one_before(
    content: CellContent, favourites: pl.DataFrame
) -> None:
    def loss(games: pl.DataFrame, share: float) -> float:
        m, score = 1 - games["forecast"].to_numpy(), games["result"].to_numpy()
        chance = np.select([score == 1, score == 0], [1 - m * (1 + share), m * (1 - share)], 2 * share * m)
        return float(-np.log(chance).sum())

    training, scored = favourites.filter(~pl.col("later")), favourites.filter("later")
    best = minimize_scalar(
        lambda share: loss(training, share),
        bounds=(1e-6, 1 - 1e-6),
        method="bounded",
        options={"xatol": 1e-9},
    ).x
    found = content.three_way
    assert found is not None
    assert found.draws is not None
    assert (found.training_games, found.games) == (len(training), len(scored))
    # Training games are counted in classes, which moves the share a little; the world's is 0.25.
    assert found.draws == pytest.approx(best, abs=2e-6)
    assert found.draws == pytest.approx(0.25, abs=0.08)
    assert found.log_loss == pytest.approx(loss(scored, found.draws) / len(scored), rel=1e-9)


def test_changes_are_those_of_the_ledger(
    content: CellContent, entries: pl.DataFrame, sides: pl.DataFrame
) -> None:
    surplus = sides.group_by("entry").agg(surplus=(pl.col("result") - pl.col("forecast")).sum())
    rows = entries.join(surplus, on="entry").filter(pl.col("established") & pl.col("later")).sort("entry")
    pairs = rows.with_columns(earlier=pl.col("surplus").shift().over("member")).drop_nulls("earlier")
    found = content.changes
    assert found.pairs == len(pairs)
    wanted = np.corrcoef(pairs["earlier"], pairs["surplus"])[0, 1]
    assert found.autocorrelation == pytest.approx(wanted, abs=1e-9)
    moved = (rows["rating"] - rows["rating_before"]).abs()
    assert found.change == pytest.approx(moved.mean(), rel=1e-9)
    classes = (
        rows.with_columns(moved=moved, low=(pl.col("rating_before") / 200).floor() * 200)
        .group_by("low")
        .agg(pl.len(), pl.col("moved", "k").mean())
        .sort("low")
    )
    assert [(row.lowest, row.sections) for row in found.classes] == classes.select("low", "len").rows()
    assert [row.k for row in found.classes] == pytest.approx(classes["k"].to_list(), rel=1e-9)
    assert [row.change for row in found.classes] == pytest.approx(classes["moved"].to_list(), rel=1e-9)


def test_the_level_of_a_year_is_that_of_its_last_rows(
    world: Path, content: CellContent, entries: pl.DataFrame
) -> None:
    born = pl.read_parquet(world / "members.parquet")["birth_date"].dt.year()
    line = content.level[-1]
    last = entries.filter(pl.col("rating").is_not_null()).group_by("member", maintain_order=True).last()
    now = last.filter((pl.col("year") == line.year) & (pl.col("games") > 25))
    floored = (now["floor_applied"].is_not_null() | (now["rating"] == 700.0)).to_numpy().mean()
    assert line.at_floor == pytest.approx(floored, abs=1e-12)
    assert floored > 0.0
    pairs = [
        np.sign((a[0] - b[0]) * (a[1] - b[1]))
        for a, b in combinations(now.select("rating", "strength").rows(), 2)
    ]
    assert line.tau == pytest.approx(np.mean(pairs), abs=0.01)
    ages = line.year - born.gather(now["member"])
    children = now.filter((ages >= 13) & (ages <= 19))
    group = next(age for age in line.ages if age.youngest == 13)
    assert group.players == len(children)
    wanted = np.percentile(children["rating"], [5, 25, 50, 75, 95]).tolist()
    assert list((group.percentiles or {}).values()) == pytest.approx(wanted)
    lives = pl.read_parquet(world / "members.parquet")["region"].gather(now["member"])
    counted = lives.value_counts().filter(pl.col("count") >= 20).sort("region")
    assert [(home.region, home.players) for home in line.regions] == counted.rows()
    home = now.filter(lives == counted["region"][0])
    assert line.regions[0].mean == pytest.approx(home["rating"].mean())
    before = entries.filter((pl.col("year") < line.year) & pl.col("rating").is_not_null())
    earlier = before.group_by("member", maintain_order=True).last().select("member", was="rating")
    gained = children.join(earlier, on="member").select(pl.col("rating") - pl.col("was")).to_series()
    assert group.change == pytest.approx(gained.mean())


def test_the_lag_is_that_of_years_in_which_players_gained(
    content: CellContent, entries: pl.DataFrame
) -> None:
    rows = entries.filter(pl.col("established") & pl.col("later"))
    years = rows.group_by("member", "year", maintain_order=True).agg(
        entries=pl.len(),
        behind=(pl.col("strength") - pl.col("rating_before")).sum(),
        strong=pl.col("strength").last(),
        gained=pl.col("strength").last() - pl.col("strength").first(),
        days=(pl.col("end").last() - pl.col("end").first()).dt.total_days(),
        games=pl.col("entered").head(pl.len() - 1).sum(),
    )
    years = years.with_columns(of_class=(pl.col("strong") / 200).floor())
    steady = (
        years.filter(pl.col("gained").abs() < 50).group_by("of_class").agg(pl.col("entries", "behind").sum())
    )
    improving = years.filter(pl.col("gained") >= 50)
    lag = content.truth.lag
    assert lag is not None
    assert lag.player_years == len(improving) > 20
    compared = improving.join(steady, on="of_class", suffix="_steady")
    assert len(compared) > 0
    entered = compared["entries"].to_numpy()
    others = compared["behind_steady"].to_numpy() / compared["entries_steady"].to_numpy()
    points = (compared["behind"].to_numpy() - entered * others).sum() / entered.sum()
    assert lag.points == pytest.approx(points, rel=1e-9)
    for unit in ("days", "games"):
        rate = np.average(compared["gained"].to_numpy() / compared[unit].to_numpy(), weights=entered)
        assert getattr(lag, unit) == pytest.approx(points / rate, rel=1e-9)


@pytest.mark.usefixtures("content")
def test_rounds_are_parts_where_the_history_has_them(world: Path, favourites: pl.DataFrame) -> None:
    wanted = favourites.filter("later").group_by("round").len().sort("round")
    games = pl.read_parquet(world.parent / "games.parquet").filter(pl.col("population") == 0)
    assert games.group_by("round").len().sort("round").rows() == wanted.rows()
    assert len(wanted) >= 5

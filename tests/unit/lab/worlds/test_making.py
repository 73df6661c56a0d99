"""Simulated federations: what was drawn, and that nothing but strength decides."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from ratebook.lab.worlds.draws import expected
from ratebook.lab.worlds.making import Made, make_world
from ratebook.lab.worlds.world import PRESETS, World
from ratebook.replay.run import check_history
from ratebook.replay.tables import SCHEMAS

if TYPE_CHECKING:
    from pathlib import Path

SMALL = World(
    years=2,
    members=150,
    arrivals=60,
    leaving=0.2,
    leaving_children=0.2,
    children=0.5,
    walk=60.0,
    regions=2,
    fide=0.5,
    spread=450.0,
)
QUAD = 4


def table(folder: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(folder / f"{name}.parquet")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Made]:
    """Give a world and how large it is."""
    folder = tmp_path_factory.mktemp("world") / "small"
    return folder, make_world(SMALL, folder)


def games_of(folder: Path) -> pl.DataFrame:
    """Return the games of a world, a row for each side, with entries, sections and true strengths."""
    entries = table(folder, "entries").with_row_index("entry")
    sections = table(folder, "sections").with_row_index("section")
    of_section = np.repeat(np.arange(len(sections)), sections["entries"].to_numpy())
    first = np.cumsum(sections["entries"].to_numpy()) - sections["entries"].to_numpy()
    entry = np.repeat(np.arange(len(entries)), entries["games"].to_numpy())
    games = table(folder, "games")
    other = first[of_section[entry]] + games["opponent"].to_numpy()
    strength = table(folder, "truth")["strength"].to_numpy()
    return pl.DataFrame(
        {
            "section": of_section[entry],
            "entry": entry,
            "other": other,
            "score": games["score"].to_numpy() / 2.0,
            "round": games["round"].to_numpy(),
            "colour": games["colour"].to_numpy(),
            "difference": strength[entry] - strength[other],
        }
    )


def test_other_luck_changes_results_alone(small: tuple[Path, Made], tmp_path: Path) -> None:
    make_world(SMALL, tmp_path / "again", luck=1)
    for name in ("members", "balances", "sections", "truth"):
        assert table(tmp_path / "again", name).equals(table(small[0], name))
    before, again = table(small[0], "entries"), table(tmp_path / "again", "entries")
    assert again["member"].equals(before["member"])
    assert not table(tmp_path / "again", "games")["score"].equals(table(small[0], "games")["score"])


def test_a_world_is_a_history_without_findings(small: tuple[Path, Made]) -> None:
    folder, made = small
    assert check_history(folder) == ()
    assert made.entries == len(table(folder, "entries")) == len(table(folder, "truth"))
    assert made.games * 2 == len(table(folder, "games"))
    assert made.members == len(table(folder, "members")) == 150 + 2 * 60
    assert len(table(folder, "foreign_ratings")) > 0


def test_everybody_meets_others_once_a_section_and_both_sides_say_the_same(small: tuple[Path, Made]) -> None:
    games = games_of(small[0])
    assert not games.select("entry", "other").is_duplicated().any()
    assert (games["entry"] != games["other"]).all()
    mirrored = games.select(
        "round", entry="other", other="entry", reverse=1.0 - pl.col("score"), black=-pl.col("colour")
    )
    both = games.join(mirrored, on=["entry", "other", "round"])
    assert len(both) == len(games)
    assert (both["score"] == both["reverse"]).all()
    assert (both["colour"] == both["black"]).all()
    assert set(games["colour"]) == {1, -1}
    # Nobody has the same colour much more often than the other.
    assert (games.group_by("entry").agg(pl.col("colour").sum().abs())["colour"] <= 2).all()


def test_in_a_quad_everyone_meets_everyone(small: tuple[Path, Made]) -> None:
    folder, _ = small
    sections, entries = table(folder, "sections"), table(folder, "entries")
    size = np.repeat(sections["entries"].to_numpy(), sections["entries"].to_numpy())
    games = entries["games"].to_numpy()[size == QUAD]
    assert len(games) > 0
    assert (games == QUAD - 1).all()


def test_the_same_settings_give_the_same_columns_everywhere(small: tuple[Path, Made], tmp_path: Path) -> None:
    """The digest is of values, not of files, whose bytes the library of the day decides."""
    folder, _ = small
    make_world(SMALL, tmp_path / "again")
    make_world(SMALL._replace(seed=2), tmp_path / "other")

    def digest(place: Path) -> str:
        content = hashlib.sha256()
        for name in (*SCHEMAS, "truth"):
            for column in table(place, name).iter_columns():
                texts = column.dtype == pl.String
                content.update(
                    "\n".join(column).encode() if texts else column.to_physical().to_numpy().tobytes()
                )
        return content.hexdigest()

    assert digest(folder) == digest(tmp_path / "again") != digest(tmp_path / "other")
    assert digest(folder) == DIGEST


DIGEST = "7e72e34dac1b26c5b44cb400a9bacf38c8c9ebb9f13a1e750987a0a87cadd517"
"""Of the columns as they were drawn when the test was written; another platform must draw the same."""


def test_strengths_alone_decide_games(tmp_path: Path) -> None:
    """With true strengths as forecasts, scores differ from expectations by chance alone, at every difference."""
    make_world(PRESETS["school"]._replace(members=900, arrivals=200, years=3), tmp_path / "world")
    games = games_of(tmp_path / "world").filter(pl.col("entry") < pl.col("other"))
    forecast = expected(games["difference"].to_numpy())
    score = games["score"].to_numpy()
    band = np.digitize(games["difference"].to_numpy(), [-300, -100, -30, 30, 100, 300])
    assert len(games) > 10_000
    for one in range(7):
        at = band == one
        error = np.sqrt((forecast[at] * (1.0 - forecast[at])).sum())
        assert abs((score[at] - forecast[at]).sum()) < 4.0 * error
    drawn = (score == 0.5)[np.abs(games["difference"].to_numpy()) < 20]
    assert abs(drawn.mean() - World().draws) < 4.0 * np.sqrt(0.25 * 0.75 / len(drawn))


def test_children_improve_and_others_of_a_still_world_stay_as_they_are(tmp_path: Path) -> None:
    make_world(PRESETS["still"]._replace(members=60, years=1, regions=1), tmp_path / "still")
    strength = table(tmp_path / "still", "entries").with_columns(table(tmp_path / "still", "truth"))
    assert (strength.group_by("member").agg(pl.col("strength").n_unique())["strength"] == 1).all()
    balances = table(tmp_path / "still", "balances")
    first = strength.group_by("member").first().join(balances, on="member")
    assert (first["strength"] == first["rating"]).all()
    growing = World(years=3, members=80, children=1.0, regions=1)
    make_world(growing, tmp_path / "grow")
    people = table(tmp_path / "grow", "entries").with_columns(table(tmp_path / "grow", "truth"))
    gained = people.group_by("member").agg(gain=pl.col("strength").last() - pl.col("strength").first())[
        "gain"
    ]
    assert (gained >= 0).all()
    # Half of them are children at the beginning, who gain most of some 500 points in three years.
    assert gained.mean() > 100  # type: ignore[operator]


def test_a_place_that_is_taken_stays_as_it_is(small: tuple[Path, Made]) -> None:
    with pytest.raises(FileExistsError):
        make_world(SMALL, small[0])

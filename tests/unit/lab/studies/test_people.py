"""Persons in two variants, against their standings at the end of plain replays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import polars as pl
import pytest

from ratebook.lab.studies.people import people_between
from ratebook.lab.studies.running import run_here, tasks_of
from ratebook.lab.studies.study import read_study
from ratebook.rating.floors import peak_floor
from ratebook.replay.run import replay
from ratebook.rules.rulebook import rules_on

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.long

STUDY = """
[world]
years = 3
members = 80
regions = 1
events = 8.0
strength = 2050.0
[factor.bonus]
6 = { bonus_multiplier = 6 }
30 = { bonus_multiplier = 30 }
[competitors]
elo = { k = 24 }
"""


def test_people_are_those_of_the_standings(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    study = read_study(path)
    study = study._replace(measures=study.measures._replace(people=True))
    tasks = tasks_of(study, tmp_path)
    list(run_here(tasks, lambda *_: None))
    found = people_between(tasks[0].place, tasks[1].place, tasks[0].history, 5)
    ids = pl.read_parquet(tasks[0].history / "members.parquet")["id"]
    sides = []
    for task in tasks[:2]:
        standings = replay(task.history, task.variant.rules).standings
        assert standings is not None
        sides.append(standings.filter((pl.col("system") == 0) & (pl.col("games") > 25)))
    joined = sides[0].join(sides[1], on="member", suffix="_second")
    assert found.members == len(joined)
    ends = [
        (ids[row["member"]], math.floor(row["rating"] + 0.5), math.floor(row["rating_second"] + 0.5))
        for row in joined.iter_rows(named=True)
    ]
    moved = {(one, first, second, second - first) for one, first, second in ends}
    shown = {(one.id, one.first, one.second, one.difference) for one in found.movers}
    assert shown <= moved
    # The higher threshold gives fewer points, so that all who move lose.
    lowest = sorted(difference for *_, difference in moved)[:5]
    assert sorted(one.difference for one in found.movers if one.difference < 0) == lowest
    turnovers = {one.what: one for one in found.turnovers}
    masters = [[row["peak"] is not None and row["peak"] >= 2199.5 for row in side.iter_rows(named=True)]
               for side in (joined, joined.select(peak="peak_second"))]  # fmt: skip
    national = turnovers["National Master"]
    assert (national.first, national.second) == tuple(map(sum, masters))
    assert national.lost == sum(one and not other for one, other in zip(*masters, strict=True)) > 0
    rules = rules_on("2006-12-28")
    floors = [sum(peak_floor(rules, peak) >= 1800 for peak in joined[name] if peak is not None)
              for name in ("peak", "peak_second")]  # fmt: skip
    floor = turnovers["floor of 1800 or more"]
    assert [floor.first, floor.second] == floors
    # A competitor has ratings alone.
    against = people_between(tasks[0].place, tasks[2].place, tasks[0].history, 3)
    assert {one.what.split()[-1] for one in against.turnovers} == {"better"}
    assert len(against.movers) > 3

"""Studies: how often intervals hold what they should, and what a search must not call an optimum.

The intervals are of two variants, in federations that have nothing in common.
"""

import math
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from lab_known.answers import KnownAnswer, KnownFigure, same
from ratebook.lab.cells.cell import run_cell
from ratebook.lab.cells.measures import Measures
from ratebook.lab.studies.comparing import LOSSES, LossDifference, differences
from ratebook.lab.studies.search import Evaluator, Objective, Verdict, score_of, search
from ratebook.lab.studies.store import CellFiles, world_in
from ratebook.lab.studies.study import Range, read_study
from ratebook.lab.worlds.world import PRESETS
from ratebook.rules.rulebook import load_rulebook

BONUSES = (6, 14)
WORLD = PRESETS["school"]._replace(members=300, arrivals=60, years=4, regions=2)
SEEDS = 200
LEAST = {"log_loss": 0.93, "brier": 0.93, "excess": 0.85}
"""Of intervals of 95 %. Those of the excess are too narrow in one world; --blocks both-players makes all too narrow."""


def _coverage(folder: Path) -> Iterator[KnownFigure]:
    """Yield how often the interval of one world holds the mean of all others."""
    rules = load_rulebook()
    found: dict[str, list[LossDifference]] = {loss: [] for loss in LOSSES}
    for seed in range(1, SEEDS + 1):
        world = world_in(folder, WORLD._replace(seed=seed))
        cells = [CellFiles(folder / f"{bonus}.json", folder / f"{bonus}.parquet") for bonus in BONUSES]
        for bonus, cell in zip(BONUSES, cells, strict=True):
            measures = Measures(since=date(2005, 1, 1), is_baseline=bonus == BONUSES[0])
            run_cell(world, rules.with_overlay({"bonus_multiplier": str(bonus)}), measures, cell.games)
        for difference in differences(cells[0], cells[1], world):
            found[difference.loss].append(difference)
    for loss, worlds in found.items():
        total = sum(one.difference for one in worlds)
        held = 0
        for one in worlds:
            low, high = one.interval
            held += low <= (total - one.difference) / (SEEDS - 1) <= high
        yield KnownFigure(f"share of intervals that hold the mean, {loss}", LEAST[loss], 1.0, held / SEEDS)


STUDY = """
[world]
preset = "still"
years = 2
members = 60
regions = 1
events = 8.0
"""
FREE = (Range("logistic_scale", 5.0, 300.0), Range("match_change", 60.0, 80.0))
"""A scale that is too small at its upper end still, and a limit of matches where no one plays one."""
VALUES_TRIED = 12


def _flags(folder: Path) -> Iterator[KnownFigure]:
    path = folder / "flags.toml"
    path.write_text(STUDY, encoding="utf-8")
    evaluate = Evaluator(read_study(path), folder, FREE, score_of(Objective.EXCESS), lambda _: None)
    found = search(evaluate, FREE, everywhere=False, most=VALUES_TRIED, seed=1)
    edge, inert = found.verdicts
    yield same("verdicts other than 'on the edge' where more would be better", edge is not Verdict.EDGE)
    yield same("verdicts other than 'inert' where nothing changes", inert is not Verdict.INERT)
    passed_over = sum(one.result is None for one in found.tried)
    yield KnownFigure("values that rate nothing and are passed over", 1.0, math.inf, passed_over)


STUDIES = (
    KnownAnswer(
        "A10",
        "95 % of the intervals of a difference in one federation hold that of all others",
        "200 seeds",
        _coverage,
        long=True,
    ),
    KnownAnswer(
        "A18",
        "neither a rule without effect nor a value on the edge of its range is called an optimum",
        "strengths fit a scale of 400, and no one plays a match",
        _flags,
    ),
)

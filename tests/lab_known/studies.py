"""Studies: how often intervals hold what they should, and what a search must not call an optimum.

The intervals are of equal variants, in federations that have nothing in common.
"""

import math
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from lab_known.answers import KnownAnswer, KnownFigure, same
from ratebook.lab.cells.cell import run_cell
from ratebook.lab.cells.measures import Measures
from ratebook.lab.cells.members.blocks import LOSSES
from ratebook.lab.studies.comparing import Blocks, differences
from ratebook.lab.studies.search import Evaluator, Objective, Verdict, score_of, search
from ratebook.lab.studies.store import CellFiles, world_in
from ratebook.lab.studies.study import Range, read_study
from ratebook.lab.worlds.world import PRESETS
from ratebook.rules.rulebook import load_rulebook

WORLD = PRESETS["school"]._replace(members=300, arrivals=60, years=4, regions=2)
SEEDS = 100
LEAST, MOST = 0.90, 0.99


def _equal_variants(folder: Path) -> Iterator[KnownFigure]:
    rules, worlds, cells = load_rulebook(), [], []
    for seed in range(1, SEEDS + 1):
        worlds.append(world_in(folder, WORLD._replace(seed=seed)))
        cells.append(CellFiles(folder / f"equal {seed}.json", folder / f"equal {seed}.parquet"))
        run_cell(worlds[-1], rules, Measures(since=date(2005, 1, 1)), cells[-1].blocks)
    covered = dict.fromkeys(LOSSES, 0)
    # Each world is compared with the next one, and the last one with the first.
    for place, world in enumerate(worlds):
        for one in differences(cells[place - 1], cells[place], world, Blocks.PLAYER):
            low, high = one.interval
            covered[one.loss] += low <= 0.0 <= high
    for loss, count in covered.items():
        name = loss.replace("_", " ")
        yield KnownFigure(
            f"share of intervals of 95 % that hold 0, {name}, blocks of players", LEAST, MOST, count / SEEDS
        )


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
        "intervals of the difference of equal variants in two federations hold 0",
        "the same rules, 100 seeds",
        _equal_variants,
        long=True,
    ),
    KnownAnswer(
        "A18",
        "neither a rule without effect nor a value on the edge of its range is called an optimum",
        "strengths fit a scale of 400, and no one plays a match",
        _flags,
    ),
)

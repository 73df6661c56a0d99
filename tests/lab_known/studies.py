"""Studies: how often intervals hold what they should, and what a search must not call an optimum.

The intervals are of two variants, in federations that have nothing in common.
"""

import math
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import numpy as np

from lab_known.answers import KnownAnswer, KnownFigure, same
from ratebook.lab.cells.cell import run_cell
from ratebook.lab.cells.measures import Measures
from ratebook.lab.studies.comparing import (
    DEFAULT_BLOCKS,
    LOSSES,
    Blocks,
    LossDifference,
    differences,
    over_worlds,
)
from ratebook.lab.studies.search import Evaluator, Objective, Verdict, score_of, search
from ratebook.lab.studies.store import CellFiles, world_in
from ratebook.lab.studies.study import Range, read_study
from ratebook.lab.worlds.making import make_world
from ratebook.lab.worlds.world import PRESETS
from ratebook.replay.memory import Array
from ratebook.rules.rulebook import load_rulebook

BONUSES = (6, 14)
WORLD = PRESETS["school"]._replace(members=300, arrivals=60, years=4, regions=2)
SEEDS, AT_ONCE, ORDERS = 200, 5, 5
"""Federations, how many a study has, and in how many orders they are divided into studies."""
FEDERATIONS, TURNS = 10, 20
OTHER_LUCK = 10_000_019
LOW, HIGH = 0.93, 0.97
"""Of intervals of 95 %."""


def _difference(world: Path, blocks: Blocks) -> tuple[LossDifference, ...]:
    """Return how the larger bonus differs in a federation, in the games of its later years."""
    rules = load_rulebook()
    cells = [CellFiles(world / f"{bonus}.json", world / f"{bonus}.parquet") for bonus in BONUSES]
    for bonus, cell in zip(BONUSES, cells, strict=True):
        measures = Measures(since=date(2005, 1, 1), is_baseline=bonus == BONUSES[0])
        run_cell(world, rules.with_overlay({"bonus_multiplier": str(bonus)}), measures, cell.games)
    return differences(cells[0], cells[1], world, blocks)


def _shares(
    found: list[tuple[LossDifference, ...]], held: Callable[[LossDifference, float, float], bool]
) -> Array:
    """Return for each loss how often an interval holds the mean of all others, whose count is the last argument."""
    shares = []
    for of_loss in zip(*found, strict=True):
        total, rest = sum(loss.difference for loss in of_loss), len(of_loss) - 1
        shares.append(np.mean([held(loss, (total - loss.difference) / rest, rest) for loss in of_loss]))
    return np.array(shares)


def _in_other_federations(folder: Path) -> Iterator[KnownFigure]:
    """Yield how often intervals hold the mean of federations that were drawn alike: of players, and over five."""
    found = [
        _difference(world_in(folder, WORLD._replace(seed=seed)), Blocks.PLAYER)
        for seed in range(1, SEEDS + 1)
    ]
    shares = _shares(found, lambda loss, mean, _: loss.interval[0] <= mean <= loss.interval[1])
    for name, share in zip(LOSSES[:2], shares, strict=False):
        yield KnownFigure(f"share of intervals of players that hold the mean, {name}", LOW, 1.0, share)
    for name, of_loss in zip(LOSSES, zip(*found, strict=True), strict=True):
        mean, held = np.mean([loss.difference for loss in of_loss]), []
        for order in range(ORDERS):
            shuffled = np.random.default_rng(order).permutation(SEEDS)
            for study in shuffled.reshape(-1, AT_ONCE):
                low, high = over_worlds([of_loss[world] for world in study]).interval
                held.append(low <= mean <= high)
        yield KnownFigure(
            f"share of intervals over {AT_ONCE} federations, {name}", LOW, HIGH, float(np.mean(held))
        )


def _with_other_luck(folder: Path) -> Iterator[KnownFigure]:
    """Yield how often intervals hold what is expected of the same members, sections and strengths."""
    held: list[Array] = []
    for seed in range(1, FEDERATIONS + 1):
        found = []
        for turn in range(1, TURNS + 1):
            world = folder / f"luck-{seed}-{turn}"
            make_world(WORLD._replace(seed=seed), world, luck=OTHER_LUCK * turn)
            found.append(_difference(world, DEFAULT_BLOCKS))
        # The mean of the others has an error too.
        held.append(
            _shares(
                found,
                lambda loss, mean, rest: abs(loss.difference - mean) <= loss.margin * math.sqrt(1 + 1 / rest),
            )
        )
    for name, share in zip(LOSSES[:2], np.mean(held, axis=0), strict=False):
        yield KnownFigure(f"share of intervals that hold what is expected, {name}", LOW, HIGH, share)


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
        "95 % of the intervals over five federations hold the difference in all of them; of players, at least as many",
        "200 seeds",
        _in_other_federations,
        long=True,
    ),
    KnownAnswer(
        "A19",
        "95 % of the intervals of one federation hold what its members would give with other luck",
        "10 federations, 20 times the same members, sections and strengths",
        _with_other_luck,
        long=True,
    ),
    KnownAnswer(
        "A18",
        "neither a rule without effect nor a value on the edge of its range is called an optimum",
        "strengths fit a scale of 400, and no one plays a match",
        _flags,
    ),
)

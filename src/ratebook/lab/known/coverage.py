"""How often intervals hold what they should: of equal variants, in federations that have nothing in common."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from ratebook.lab.cells.cell import run_cell
from ratebook.lab.cells.measures import Measures
from ratebook.lab.known.answers import KnownAnswer, KnownFigure
from ratebook.lab.studies.comparing import LOSSES, Blocks, differences
from ratebook.lab.studies.store import CellFiles, world_in
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


COVERAGE = (
    KnownAnswer(
        "A10",
        "intervals of the difference of equal variants in two federations hold 0",
        "the same rules, 100 seeds",
        _equal_variants,
        long=True,
    ),
)

"""Differences of two cells over the same history, paired by blocks of games, with intervals.

With sums of loss l and of games n in each block, and mean losses L = sum(l) / sum(n), a block moves the difference of
two cells by ``z = (l1 - L1 n1) / N1 - (l2 - L2 n2) / N2``; its standard error is ``sqrt(B / (B - 1) sum(z^2))`` for B
blocks. What both cells find hard in a section is in both, and cancels: an unpaired error would be many times as large.
Blocks of players have every game twice, whole on either side: their error is too large rather than too small, by 1.4
times if the games of a player have nothing in common.
"""

import math
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from ratebook.lab.cells.cell import players_beside
from ratebook.lab.cells.members.blocks import LOSSES
from ratebook.lab.studies.store import CellFiles, sums_in

NORMAL_95 = 1.959963984540054
"""97.5 % point of the normal distribution."""
LEAST_BLOCKS = 20


class Blocks(StrEnum):
    """By what games are held together."""

    SECTION = "section"
    EVENT = "event"
    MONTH = "month"
    PLAYER = "player"


class LossDifference(NamedTuple):
    """The difference of a mean loss: of the second cell, minus that of the first.

    Attributes:
        loss: which one.
        first, second: mean losses a game.
        difference: second minus first.
        error: standard error; NaN with fewer than 20 blocks.
        blocks: how many.
    """

    loss: str
    first: float
    second: float
    difference: float
    error: float
    blocks: int

    @property
    def interval(self) -> tuple[float, float]:
        """Return the bounds of the interval of 95 %."""
        return self.difference - NORMAL_95 * self.error, self.difference + NORMAL_95 * self.error

    @property
    def z(self) -> float:
        """Return the difference in standard errors; NaN where there is none."""
        return self.difference / self.error if self.error > 0.0 else math.nan


def differences(
    first: CellFiles, second: CellFiles, history: Path, blocks: Blocks = Blocks.SECTION
) -> tuple[LossDifference, ...]:
    """Return the differences of two cells of a history.

    Raises:
        OSError: a cell is not there.
        DamagedCellError: it has been damaged.
    """
    joined = _sums(first, history, blocks).join(
        _sums(second, history, blocks), on="block", how="full", coalesce=True, suffix="_second"
    )
    joined = joined.fill_null(0).sort("block")
    games = [joined[name].to_numpy().astype("f8") for name in ("games", "games_second")]
    times = 2.0 if blocks is Blocks.PLAYER else 1.0
    return tuple(
        _difference(loss, [joined[loss].to_numpy(), joined[f"{loss}_second"].to_numpy()], games, times)
        for loss in LOSSES
    )


def _difference(loss: str, losses: list[np.ndarray], games: list[np.ndarray], times: float) -> LossDifference:
    """Return the difference; each game is in so many *times* blocks."""
    count = len(games[0])
    if not all(played.sum() > 0 for played in games):
        return LossDifference(
            loss=loss, first=math.nan, second=math.nan, difference=math.nan, error=math.nan, blocks=count
        )
    means = [float(lost.sum() / played.sum()) for lost, played in zip(losses, games, strict=True)]
    moved = [
        (lost - mean * played) / played.sum() for lost, mean, played in zip(losses, means, games, strict=True)
    ]
    z = times * (moved[1] - moved[0])
    error = math.sqrt(count / (count - 1) * float((z * z).sum())) if count >= LEAST_BLOCKS else math.nan
    return LossDifference(
        loss=loss, first=means[0], second=means[1], difference=means[1] - means[0], error=error, blocks=count
    )


def _sums(place: CellFiles, history: Path, blocks: Blocks) -> pl.DataFrame:
    if blocks is Blocks.PLAYER:
        return sums_in(players_beside(place.blocks)).rename({"member": "block"})
    sums = sums_in(place.blocks)
    if blocks is Blocks.SECTION:
        return sums.rename({"section": "block"})
    sections = pl.read_parquet(history / "sections.parquet", columns=["event", "end"])
    names = sections["event"] if blocks is Blocks.EVENT else sections["end"].dt.strftime("%Y-%m")
    named = sums.with_columns(block=names.gather(sums["section"])).drop("section")
    return named.group_by("block").sum()

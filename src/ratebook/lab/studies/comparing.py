"""Differences of two cells over the same games, with intervals: overall, by population and by part of the games.

With d the difference of the losses of a game and D its mean over N games, a game moves the difference by
``z = (d - D) / N``. What both cells find hard is in both, and cancels. With S the sum of z over the games of a block,
the variance is the sum of S^2. Blocks of sections answer how far luck in the results of these members may have moved
the difference. Members differ too: blocks of players hold in another federation (decision 68). These have every game
twice; dyadic-robust errors subtract the sum of S^2 over pairs of players (Aronow, Samii and Assenova 2015).
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from ratebook.lab.cells.forecasts import HALF_POINT, expectation
from ratebook.lab.cells.scores import log_loss
from ratebook.lab.cells.strata import CUTS, POPULATIONS
from ratebook.lab.cells.truth import excess_of
from ratebook.lab.studies.store import CellFiles, table_in
from ratebook.replay.memory import Array

LOSSES = ("log_loss", "brier", "excess")
NORMAL_95 = 1.959963984540054
"""97.5 % point of the normal distribution."""
LEAST_BLOCKS = 20
LEAST_GAMES = 200
"""Of a part that is shown: the best of several variants in fewer games is mostly luck."""


class Blocks(StrEnum):
    """What games that have something in common share."""

    BOTH_PLAYERS = "both-players"
    SECTION = "section"
    EVENT = "event"
    MONTH = "month"
    PLAYER = "player"


DEFAULT_BLOCKS = Blocks.SECTION


class LossDifference(NamedTuple):
    """The difference of a mean loss: of the second cell, minus that of the first.

    Attributes:
        loss: which one.
        first, second: mean losses a game.
        difference: second minus first.
        error: standard error; NaN with fewer than 20 blocks, and for the excess in a single world.
        blocks: how many; worlds, where a study has several.
        games: in both cells.
        quantile: errors on either side of an interval of 95 %.
        p: how likely so large a difference is by chance, not adjusted; NaN where there is no error.
    """

    loss: str
    first: float
    second: float
    difference: float
    error: float
    blocks: int
    games: int = 0
    quantile: float = NORMAL_95
    p: float = math.nan

    @property
    def margin(self) -> float:
        """Return half the width of the interval of 95 %."""
        return self.quantile * self.error

    @property
    def interval(self) -> tuple[float, float]:
        """Return the bounds of the interval of 95 %."""
        return self.difference - self.margin, self.difference + self.margin

    @property
    def z(self) -> float:
        """Return the difference in standard errors; NaN where there is none."""
        return self.difference / self.error if self.error > 0.0 else math.nan


class PartDifference(NamedTuple):
    """The difference of the log loss in a population, or in a part of the games between established players."""

    population: str
    cut: str
    value: int
    loss: LossDifference


class CellDifference(NamedTuple):
    """How a cell differs from the baseline.

    Attributes:
        losses: each in the games between players whom the baseline has as established.
        parts: of the log loss, in each population and in the parts that have 200 games.
        sums: by which each block moves the difference of the log loss; blocks of pairs are subtracted.
    """

    losses: tuple[LossDifference, ...]
    parts: tuple[PartDifference, ...]
    sums: tuple[Array, ...]


class _Keys(NamedTuple):
    """Blocks: numbers from 0 up to *size*, each column with that of each game."""

    columns: tuple[Array, ...]
    size: int

    def at(self, places: Array) -> "_Keys":
        return self._replace(columns=tuple(column[places] for column in self.columns))

    def sums(self, part: Array, parts: int, z: Array) -> tuple[Array, Array]:
        """Return the sums of *z* by part and block, and how many blocks each part has."""
        sums, seen = np.zeros(parts * self.size), np.zeros(parts * self.size, bool)
        for column in self.columns:
            # In place: with millions of games, a new column costs as much as what is computed.
            key = part.astype("i8")
            key *= self.size
            key += column
            sums += np.bincount(key, z, len(sums))
            seen[key] = True
        return sums.reshape(parts, -1), seen.reshape(parts, -1).sum(axis=1)


class PairedGames:
    """The games of a baseline, with which other cells of its history are compared.

    Raises:
        OSError: the cell is not there.
        DamagedCellError: it has been damaged, or is not that of a baseline.
    """

    def __init__(self, base: CellFiles, history: Path, blocks: Blocks = DEFAULT_BLOCKS) -> None:
        table = table_in(base.games)
        self._game, self._score = table["game"].to_numpy(), table["half_points"].to_numpy() * HALF_POINT
        self._population, self._true = table["population"].to_numpy(), table["true"].to_numpy()
        self._keys = _keys_of(table, history, blocks)
        self._firm = np.flatnonzero(self._population == 0)
        self._cuts = {cut: _numbered(table[cut].to_numpy()[self._firm]) for cut in CUTS}
        forecast = table["forecast"].to_numpy().astype("f8")
        self._log_loss, self._others = log_loss(forecast, self._score), self._others_of(forecast)

    def difference(self, cell: CellFiles) -> CellDifference:
        """Return how a cell differs from the baseline in the games that both have.

        Raises:
            OSError: the cell is not there.
            DamagedCellError: it has been damaged.
        """
        table = table_in(cell.games)
        game, forecast = table["game"].to_numpy(), table["forecast"].to_numpy().astype("f8")
        common = np.ones(len(self._game), bool)
        if not np.array_equal(game, self._game):
            place = np.minimum(np.searchsorted(game, self._game), max(0, len(game) - 1))
            common = game[place] == self._game if len(game) else ~common
            forecast = forecast[place] if len(game) else np.zeros(len(common))
        off = log_loss(forecast, self._score)
        off -= self._log_loss
        populations, sums = _divided(self._log_loss, off, self._keys, self._population, common)
        parts = [
            PartDifference(population, "", 0, loss)
            for population, loss in zip(POPULATIONS, populations, strict=False)
        ]
        firm, common = [keys.at(self._firm) for keys in self._keys], common[self._firm]
        first, off = self._log_loss[self._firm], off[self._firm]
        for cut, (values, numbers) in self._cuts.items():
            divided, _ = _divided(first, off, firm, numbers, common)
            parts += [
                PartDifference(POPULATIONS[0], cut, int(value), loss)
                for value, loss in zip(values, divided, strict=False)
                if loss.games >= LEAST_GAMES
            ]
        whole = np.zeros(len(off), "u1")
        brier, excess = (
            _divided(first, second - first, firm, whole, common)[0][0]._replace(loss=loss)
            for loss, first, second in zip(LOSSES[1:], self._others, self._others_of(forecast), strict=True)
        )
        # It follows from strengths, not from results: only several federations show how it varies.
        excess = excess._replace(error=math.nan, p=math.nan)
        return CellDifference((populations[0], brier, excess), tuple(parts), sums)

    def _others_of(self, forecast: Array) -> tuple[Array, Array]:
        """Return the Brier and the excess loss of games between established players."""
        forecast, score = forecast[self._firm], self._score[self._firm]
        return (score - expectation(forecast)) ** 2, excess_of(forecast, self._true[self._firm].astype("f8"))


def _divided(
    first: Array, off: Array, blocks: Sequence[_Keys], part: Array, common: Array
) -> tuple[list[LossDifference], tuple[Array, ...]]:
    """Return the differences in *common* games by their parts, and the sums of blocks of the first part.

    *off* is by how much the losses of the second cell are above the *first* ones.
    """
    parts = int(part.max(initial=0)) + 1
    if not common.all():
        at = np.flatnonzero(common)
        first, off, part, blocks = first[at], off[at], part[at], [keys.at(at) for keys in blocks]
    games = np.bincount(part, minlength=parts)
    divisors = np.maximum(games, 1)
    mean, difference = (np.bincount(part, losses, parts) / divisors for losses in (first, off))
    z = off - difference[part]
    z /= divisors[part]
    sums, counts = zip(*(keys.sums(part, parts, z) for keys in blocks), strict=True)
    divided = [
        _loss_difference(
            (mean[place], difference[place]), [rows[place] for rows in sums], counts[0][place], count
        )
        for place, count in enumerate(games.tolist())
    ]
    return divided, tuple(rows[0].copy() for rows in sums)


def _loss_difference(
    figures: tuple[float, float], sums: Sequence[Array], blocks: int, games: int
) -> LossDifference:
    """Return a difference, with its error from the sums of blocks; *figures* are the mean of the first, and it."""
    first, difference = map(float, figures if games else (math.nan, math.nan))
    error = math.nan
    if blocks >= LEAST_BLOCKS:
        variance, *less = (float((rows * rows).sum()) for rows in sums)
        # Where players balance one another, what is left may be negative: the pairs alone are no less.
        variance = max(variance - less[0], less[0]) if less else variance
        error = math.sqrt(blocks / (blocks - 1) * variance)
    return LossDifference(
        loss=LOSSES[0],
        first=first,
        second=first + difference,
        difference=difference,
        error=error,
        blocks=int(blocks) if games else 0,
        games=games,
        p=math.erfc(abs(difference) / error / math.sqrt(2.0)) if error > 0.0 else math.nan,
    )


def _keys_of(table: pl.DataFrame, history: Path, blocks: Blocks) -> tuple[_Keys, ...]:
    """Return the blocks of games, and those whose squares are subtracted."""
    if blocks in {Blocks.PLAYER, Blocks.BOTH_PLAYERS}:
        sides = table["member"].to_numpy(), table["other"].to_numpy()
        players = _Keys(sides, int(max(side.max(initial=0) for side in sides)) + 1)
        if blocks is Blocks.PLAYER:
            return (players,)
        pairs, pair = _numbered(np.minimum(*sides).astype("i8") * players.size + np.maximum(*sides))
        return players, _Keys((pair,), len(pairs))
    section = table["section"].to_numpy()
    if blocks is not Blocks.SECTION:
        sections = pl.read_parquet(history / "sections.parquet", columns=["event", "end"])
        event, month = sections["event"], sections["end"].dt.strftime("%Y-%m")
        section = ((event if blocks is Blocks.EVENT else month).rank("dense").to_numpy() - 1)[section]
    return (_Keys((section,), int(section.max(initial=0)) + 1),)


def _numbered(values: Array) -> tuple[Array, Array]:
    """Return the different values, and the number of each one."""
    different, number = np.unique(values, return_inverse=True)
    return different, number.astype("i4")


def difference_of_levels(
    firsts: Sequence[CellDifference], others: Sequence[CellDifference]
) -> LossDifference:
    """Return how the mean log loss of some cells differs from that of others: blocks move both."""
    first, second = (
        (
            float(np.mean([cell.losses[0].first for cell in cells])),
            float(np.mean([cell.losses[0].difference for cell in cells])),
            [np.mean(rows, axis=0) for rows in zip(*(cell.sums for cell in cells), strict=True)],
        )
        for cells in (firsts, others)
    )
    sums = [more - less for less, more in zip(first[2], second[2], strict=True)]
    loss = others[0].losses[0]
    return _loss_difference((first[0] + first[1], second[1] - first[1]), sums, loss.blocks, loss.games)


def differences(
    first: CellFiles, second: CellFiles, history: Path, blocks: Blocks = DEFAULT_BLOCKS
) -> tuple[LossDifference, ...]:
    """Return the differences of a cell from the baseline of its history.

    Raises:
        OSError: a cell is not there.
        DamagedCellError: it has been damaged.
    """
    return PairedGames(first, history, blocks).difference(second).losses


def over_worlds(differences: Sequence[LossDifference]) -> LossDifference:
    """Return the mean of the differences in several worlds, with its interval over them (Student's t)."""
    if len(differences) == 1:
        return differences[0]
    from scipy.stats import t  # noqa: PLC0415 - it takes a second to load, and few need it

    first, second, off = (
        np.array([getattr(each, name) for each in differences]) for name in ("first", "second", "difference")
    )
    count = len(differences)
    error = float(off.std(ddof=1)) / math.sqrt(count)
    return LossDifference(
        loss=differences[0].loss,
        first=float(first.mean()),
        second=float(second.mean()),
        difference=float(off.mean()),
        error=error,
        blocks=count,
        games=sum(each.games for each in differences),
        quantile=float(t.ppf(0.975, count - 1)),
        p=float(2.0 * t.sf(abs(off.mean()) / error, count - 1)) if error > 0.0 else math.nan,
    )


def holm(chances: Sequence[float]) -> tuple[float, ...]:
    """Return the chances of several comparisons, adjusted so that the smallest counts all of them (Holm 1979).

    NaN, where nothing was compared, stays and is not counted.

    >>> holm([0.01, 0.04, float("nan"), 0.03])
    (0.03, 0.06, nan, 0.06)
    """
    compared = sorted((chance, place) for place, chance in enumerate(chances) if not math.isnan(chance))
    adjusted, least = [math.nan] * len(chances), 0.0
    for rank, (chance, place) in enumerate(compared):
        least = max(least, min(1.0, (len(compared) - rank) * chance))
        adjusted[place] = least
    return tuple(adjusted)

"""Differences of two cells over the same games, with intervals: overall, by population and by part of the games.

With d the difference of the losses of a game and D its mean over N games, a game moves the difference by
``z = (d - D) / N``. What both cells find hard is in both, and cancels. Games have something in common if they share a
player: with S the sum of z over the games of a player, and over those of a pair of players, the variance is the sum of
S^2 over players less that over pairs, as every pair is in two players (dyadic-robust; Aronow, Samii and Assenova 2015).
Blocks of players leave the pairs in: their error is too large rather than too small, by 1.4 times if the games of a
player have nothing in common. They are used unless another is asked for, since the others are too narrow (decision 61).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from ratebook.lab.cells.forecasts import HALF_POINT, expectation
from ratebook.lab.cells.scores import log_loss
from ratebook.lab.cells.strata import CUTS, POPULATIONS, groups
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


class LossDifference(NamedTuple):
    """The difference of a mean loss: of the second cell, minus that of the first.

    Attributes:
        loss: which one.
        first, second: mean losses a game.
        difference: second minus first.
        error: standard error; NaN with fewer than 20 blocks.
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


class PairedGames:
    """The games of a baseline, with which other cells of its history are compared.

    Raises:
        OSError: the cell is not there.
        DamagedCellError: it has been damaged, or is not that of a baseline.
    """

    def __init__(self, base: CellFiles, history: Path) -> None:
        self._table = table_in(base.games)
        self._history = history
        self._forecast, self._game = self._column("forecast").astype("f8"), self._column("game")
        self._score = self._column("half_points") * HALF_POINT
        self._population, self._true = self._column("population"), self._column("true").astype("f8")
        member, other = self._column("member").astype("i8"), self._column("other").astype("i8")
        self._members = np.stack([member, other])
        self._pair = np.minimum(member, other) * (1 << 31) + np.maximum(member, other)
        self._keys: dict[Blocks, Array] = {}

    def _column(self, name: str) -> Array:
        return self._table[name].to_numpy()

    def differences(
        self, others: Sequence[CellFiles], blocks: Blocks = Blocks.PLAYER, firsts: Sequence[CellFiles] = ()
    ) -> tuple[LossDifference, ...]:
        """Return how the mean loss of *others* differs from that of *firsts*, or else from the baseline's.

        Only games between players whom the baseline has as established count.
        """
        at = np.flatnonzero(self._population == 0)
        forecasts, common = self._forecasts([*others, *firsts])
        at = at[common[at]]
        losses = [self._losses(forecast, at) for forecast in (*forecasts, self._forecast)]
        compared = []
        for loss in LOSSES:
            second = np.mean([each[loss] for each in losses[: len(others)]], axis=0)
            first = np.mean([each[loss] for each in losses[len(others) : -1] or losses[-1:]], axis=0)
            compared.append(self._difference(loss, first, second, at, blocks))
        return tuple(compared)

    def parts(self, other: CellFiles) -> Iterator[PartDifference]:
        """Yield how a cell differs from the baseline in each population, and in the parts that have 200 games."""
        (forecast,), common = self._forecasts([other])
        for place, population in enumerate(POPULATIONS):
            at = np.flatnonzero(common & (self._population == place))
            yield PartDifference(population, "", 0, self._log_loss(forecast, at))
        firm = np.flatnonzero(common & (self._population == 0))
        for cut in CUTS:
            for value, places in groups(self._column(cut)[firm]):
                if len(places) >= LEAST_GAMES:
                    yield PartDifference(POPULATIONS[0], cut, value, self._log_loss(forecast, firm[places]))

    def _log_loss(self, forecast: Array, at: Array) -> LossDifference:
        first, second = (log_loss(said[at], self._score[at]) for said in (self._forecast, forecast))
        return self._difference("log_loss", first, second, at, Blocks.PLAYER)

    def _forecasts(self, cells: Sequence[CellFiles]) -> tuple[list[Array], Array]:
        """Return the forecasts of cells by the baseline's games, and which of these all cells have."""
        forecasts, common = [], np.ones(len(self._game), bool)
        for cell in cells:
            table = table_in(cell.games)
            game = table["game"].to_numpy()
            place = np.minimum(np.searchsorted(game, self._game), max(0, len(game) - 1))
            common &= (game[place] == self._game) if len(game) else False
            forecasts.append(
                table["forecast"].to_numpy().astype("f8")[place] if len(game) else self._forecast
            )
        return forecasts, common

    def _losses(self, forecast: Array, at: Array) -> Mapping[str, Array]:
        forecast, score, true = forecast[at], self._score[at], self._true[at]
        return {
            "log_loss": log_loss(forecast, score),
            "brier": (score - expectation(forecast)) ** 2,
            "excess": np.where(np.isnan(true), 0.0, excess_of(forecast, np.nan_to_num(true))),
        }

    def _difference(
        self, loss: str, first: Array, second: Array, at: Array, blocks: Blocks
    ) -> LossDifference:
        if not len(at):
            return LossDifference(
                loss=loss, first=math.nan, second=math.nan, difference=math.nan, error=math.nan, blocks=0
            )
        off = second - first
        z = (off - off.mean()) / len(off)
        squares, count = self._squares(z, at, blocks)
        error = math.sqrt(count / (count - 1) * squares) if count >= LEAST_BLOCKS else math.nan
        difference = float(off.mean())
        return LossDifference(
            loss=loss,
            first=float(first.mean()),
            second=float(second.mean()),
            difference=difference,
            error=error,
            blocks=count,
            games=len(at),
            p=math.erfc(abs(difference) / error / math.sqrt(2.0)) if error > 0.0 else math.nan,
        )

    def _squares(self, z: Array, at: Array, blocks: Blocks) -> tuple[float, int]:
        """Return the variance of the sum of *z* by blocks, and how many there are."""
        if blocks in {Blocks.PLAYER, Blocks.BOTH_PLAYERS}:
            of_players, players = _of_blocks(np.concatenate(self._members[:, at]), np.concatenate([z, z]))
            of_pairs, _ = _of_blocks(self._pair[at], z) if blocks is Blocks.BOTH_PLAYERS else (0.0, 0)
            # Where players balance one another, what is left may be negative: the pairs alone are no less.
            return max(of_players - of_pairs, of_pairs), players
        return _of_blocks(self._key(blocks)[at], z)

    def _key(self, blocks: Blocks) -> Array:
        """Return a number of the block of each game."""
        if blocks not in self._keys:
            key = self._column("section")
            if blocks is not Blocks.SECTION:
                sections = pl.read_parquet(self._history / "sections.parquet", columns=["event", "end"])
                event, month = sections["event"], sections["end"].dt.strftime("%Y-%m")
                names = event if blocks is Blocks.EVENT else month
                key = names.rank("dense").to_numpy()[key]
            self._keys[blocks] = key
        return self._keys[blocks]


def _of_blocks(key: Array, z: Array) -> tuple[float, int]:
    """Return the sum of the squared sums of *z* over blocks, and how many these are."""
    known, place = np.unique(key, return_inverse=True)
    return float((np.bincount(place, z) ** 2).sum()), len(known)


def differences(
    first: CellFiles, second: CellFiles, history: Path, blocks: Blocks = Blocks.PLAYER
) -> tuple[LossDifference, ...]:
    """Return the differences of a cell from the baseline of its history.

    Raises:
        OSError: a cell is not there.
        DamagedCellError: it has been damaged.
    """
    return PairedGames(first, history).differences([second], blocks)


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

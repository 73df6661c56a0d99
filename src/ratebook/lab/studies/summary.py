"""The variants of a study in a table: scores, level, and the difference of each from the baseline."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ratebook.lab.cells.content import CellContent, FittedConstant, YearLevel
from ratebook.lab.cells.gathering import MEASURES
from ratebook.lab.cells.measures import Figure
from ratebook.lab.cells.scores import scores_of
from ratebook.lab.studies.comparing import Blocks, LossDifference, differences
from ratebook.lab.studies.lock import Lock, LockedVariant
from ratebook.lab.studies.store import kept


class VariantLine(NamedTuple):
    """A variant.

    Attributes:
        name: its levels.
        games: scored, between established players.
        log_loss, brier, accuracy, scale: see `ratebook.lab.cells.scores`.
        excess: nats a game over forecasts that know the truth; None where no one knows it.
        bias: mean of rating minus strength, rating points; None as above.
        spread: of ratings, by that of strengths; None as above.
        drift: rating points that the monitoring cohort gains a year beyond its strength, or gains at all where no one
            knows that; None where there is no cohort.
        strong: share of active established players of 2200 or more, at the end.
        differences: from the baseline, by loss.
        is_competitor: whether another system rates.
        more: the figures of all measures, by name.
        fitted: in words, what was found of a competitor's constant that is fitted; else empty.
    """

    name: str
    games: int
    log_loss: float
    brier: float
    accuracy: float
    scale: float
    excess: float | None
    bias: float | None
    spread: float | None
    drift: float | None
    strong: float | None
    differences: tuple[LossDifference, ...]
    is_competitor: bool = False
    more: Mapping[str, Figure] = MappingProxyType({})
    fitted: str = ""

    @property
    def log_loss_difference(self) -> LossDifference:
        """Return the difference of the log loss."""
        return self._difference("log_loss")

    @property
    def excess_difference(self) -> LossDifference:
        """Return the difference of the excess; 0 with no interval where no one knows the truth."""
        return self._difference("excess")

    def _difference(self, loss: str) -> LossDifference:
        return next(difference for difference in self.differences if difference.loss == loss)


class Effect(NamedTuple):
    """What a level of a factor does: the mean over all combinations of the others, minus that of the first level."""

    factor: str
    level: str
    drift: float
    loss: float


def summary(lock: Lock, blocks: Blocks = Blocks.PLAYER) -> tuple[VariantLine, ...]:
    """Return a line for each variant whose cell is there, the baseline first.

    Raises:
        OSError: the baseline's cell is not there.
    """
    base = lock.variants[0]
    return tuple(
        line_of(variant, kept(variant.place), differences(base.place, variant.place, lock.history, blocks))
        for variant in lock.variants
        if variant.place.is_there
    )


def line_of(
    variant: LockedVariant, content: CellContent, differences: tuple[LossDifference, ...]
) -> VariantLine:
    """Return the line of a cell."""
    scores = scores_of(content)
    truth, level = content.truth, content.level
    return VariantLine(
        name=variant.name,
        games=scores.games,
        log_loss=scores.log_loss,
        brier=scores.brier,
        accuracy=scores.accuracy,
        scale=scores.scale,
        excess=truth.excess,
        bias=truth.bias,
        spread=truth.spread,
        drift=drift_of(level),
        strong=level[-1].strong if level else None,
        differences=differences,
        is_competitor=variant.is_competitor,
        more={measure.name: measure.read(content) for measure in MEASURES},
        fitted=_fitted(content.fitted),
    )


def _fitted(constant: FittedConstant | None) -> str:
    if constant is None:
        return ""
    edge = ", on the edge of what was tried: no optimum" if constant.on_edge else ""
    return f"{constant.value:.4g}, from {constant.games:,} games of training years{edge}"


def drift_of(levels: Sequence[YearLevel]) -> float | None:
    """Return the slope of the cohort's level on the year, by least squares: of its mean rating minus its strength.

    Without known strengths it is that of the mean rating.
    """
    cohort = [(row.year, row.cohort.level) for row in levels if row.cohort.level is not None]
    if len(cohort) < 2:  # noqa: PLR2004 - two points make a slope
        return None
    years, level = np.array(cohort, "f8").T
    away = years - years.mean()
    return float((away * level).sum() / (away * away).sum())


def effects(lock: Lock, lines: Sequence[VariantLine]) -> tuple[Effect, ...]:
    """Return the main effects of all factors on drift and log loss, where every combination is there."""
    by_name = {line.name: line for line in lines}
    compared: list[Effect] = []
    for factor, levels in lock.contents["factors"].items():
        means = {}
        for level in levels:
            mine = [
                by_name.get(variant.name) for variant in lock.variants if variant.levels.get(factor) == level
            ]
            if not mine or None in mine:
                return ()
            with_level = [line for line in mine if line is not None]
            drifts = [math.nan if line.drift is None else line.drift for line in with_level]
            means[level] = (float(np.mean(drifts)), float(np.mean([line.log_loss for line in with_level])))
        first = means[levels[0]]
        compared += [
            Effect(factor, level, means[level][0] - first[0], means[level][1] - first[1])
            for level in levels[1:]
        ]
    return tuple(compared)

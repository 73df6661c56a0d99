"""The variants of a study in a table: scores, level, and the difference of each from the baseline."""

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ratebook.lab.cells.content import CellContent, FittedConstant, YearLevel
from ratebook.lab.cells.gathering import MEASURES
from ratebook.lab.cells.measures import Figure
from ratebook.lab.cells.scores import scores_of
from ratebook.lab.studies.comparing import (
    Blocks,
    LossDifference,
    PairedGames,
    PartDifference,
    holm,
    over_worlds,
)
from ratebook.lab.studies.lock import Lock, LockedVariant
from ratebook.lab.studies.store import CellFiles, kept

Cells: TypeAlias = Mapping[str, Sequence[CellContent]]
"""The cells of each variant, one for each world; the baseline first."""


class VariantLine(NamedTuple):
    """A variant.

    Attributes:
        name: its levels.
        games: scored, between established players.
        log_loss, brier, accuracy, scale: see `ratebook.lab.cells.scores`.
        excess: nats a game over forecasts that know the truth; None where no one knows it.
        bias: mean of rating minus strength, rating points; None as above.
        spread: of ratings, by that of strengths; None as above.
        drift: rating points that the monitoring cohort gains in a scored year beyond its strength, or gains at all
            where no one knows that; None where there is no cohort.
        strong: share of active established players of 2200 or more, at the end.
        differences: from the baseline, by loss.
        parts: differences of the log loss from the baseline, in other populations and in parts of the games.
        is_competitor: whether another system rates.
        more: the figures of all measures, by name.
        fitted: in words, what was found of a competitor's constant that is fitted; else empty.
        margins: half the intervals of 95 % of the figures over worlds, by name; empty for a single world.
        worlds: of how many the figures are means.
        adjusted: the chance of so large a difference of the log loss, adjusted for all lines (Holm); NaN for none.
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
    parts: tuple[PartDifference, ...] = ()
    margins: Mapping[str, float] = MappingProxyType({})
    worlds: int = 1
    adjusted: float = math.nan

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
    """What a level of a factor does: the mean over all combinations of the others, minus that of the first level.

    Attributes:
        factor, level: which one.
        drift: rating points a year.
        loss: of the log loss.
        drift_margin: half the interval of 95 % over worlds; NaN for a single world.
    """

    factor: str
    level: str
    drift: float
    loss: LossDifference
    drift_margin: float = math.nan


def summary(lock: Lock, blocks: Blocks = Blocks.PLAYER) -> tuple[VariantLine, ...]:
    """Return a line for each variant whose cells are there, the baseline first; figures are means over worlds.

    Raises:
        OSError: the baseline's cell is not there.
    """
    by_variant: dict[str, list[VariantLine]] = {}
    for world in lock.worlds:
        base = world.variants[0]
        if world is not lock and not base.place.is_there:
            continue
        games = PairedGames(base.place, world.history)
        for variant in world.variants:
            if variant.place.is_there:
                line = line_of(
                    variant,
                    kept(variant.place),
                    lock.since,
                    games.differences([variant.place], blocks),
                    tuple(games.parts(variant.place)),
                )
                by_variant.setdefault(variant.name, []).append(line)
    lines = [_mean(lines) for lines in by_variant.values()]
    chances = holm([line.log_loss_difference.p for line in lines])
    return tuple(line._replace(adjusted=chance) for line, chance in zip(lines, chances, strict=True))


def cells_of(lock: Lock) -> Cells:
    """Return what is kept of each variant, in all worlds in which it and the baseline are there."""
    cells: dict[str, list[CellContent]] = {}
    for world in lock.worlds:
        if world.variants[0].place.is_there:
            for variant in world.variants:
                if variant.place.is_there:
                    cells.setdefault(variant.name, []).append(kept(variant.place))
    return cells


FIGURES = ("log_loss", "brier", "accuracy", "scale", "excess", "bias", "spread", "drift", "strong")
"""Of a line; each is a number, or none."""


def _mean(lines: Sequence[VariantLine]) -> VariantLine:
    """Return the line of a variant whose figures are means over worlds, with their intervals."""
    if len(lines) == 1:
        return lines[0]
    figures: dict[str, list[Figure]] = {name: [getattr(line, name) for line in lines] for name in FIGURES}
    more = {name: [line.more[name] for line in lines] for name in lines[0].more}
    means: dict[str, Any] = {name: mean_of(values) for name, values in (figures | more).items()}
    by_part: dict[tuple[str, str, int], list[LossDifference]] = {}
    for line in lines:
        for part in line.parts:
            by_part.setdefault(part[:3], []).append(part.loss)
    return lines[0]._replace(
        **{name: means[name][0] for name in FIGURES},
        games=sum(line.games for line in lines),
        more={name: means[name][0] for name in more},
        margins={name: margin for name, (_, margin) in means.items() if not math.isnan(margin)},
        differences=tuple(
            over_worlds(differences)
            for differences in zip(*(line.differences for line in lines), strict=True)
        ),
        parts=tuple(
            PartDifference(*part, over_worlds(losses))
            for part, losses in by_part.items()
            if len(losses) == len(lines)
        ),
        fitted="; ".join(dict.fromkeys(line.fitted for line in lines if line.fitted)),
        worlds=len(lines),
    )


def mean_of(figures: Sequence[Figure]) -> tuple[Figure, float]:
    """Return the mean of a figure over worlds, and half its interval of 95 %, by Student's t.

    None where it is not known in every world; figures of several numbers have no interval.
    """
    if isinstance(figures[0], tuple):
        if not all(isinstance(figure, tuple) and len(figure) == len(figures[0]) for figure in figures):
            return None, math.nan
        return tuple(np.mean(np.array(figures), axis=0).tolist()), math.nan
    known = [figure for figure in figures if isinstance(figure, float | int) and not math.isnan(figure)]
    if len(known) < len(figures):
        return None, math.nan
    if len(known) == 1:
        return known[0], math.nan
    from scipy.stats import t  # noqa: PLC0415 - it takes a second to load, and few need it

    count = len(known)
    margin = float(t.ppf(0.975, count - 1)) * float(np.std(known, ddof=1)) / math.sqrt(count)
    return float(np.mean(known)), margin


def line_of(
    variant: LockedVariant,
    content: CellContent,
    since: date,
    differences: tuple[LossDifference, ...],
    parts: tuple[PartDifference, ...] = (),
) -> VariantLine:
    """Return the line of a cell whose scored years begin with a day."""
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
        drift=drift_of(level, since),
        strong=level[-1].strong if level else None,
        differences=differences,
        is_competitor=variant.is_competitor,
        more={measure.name: measure.read(content) for measure in MEASURES},
        fitted=_fitted(content.fitted),
        parts=parts,
        margins={},
    )


def _fitted(constant: FittedConstant | None) -> str:
    if constant is None:
        return ""
    edge = ", on the edge of what was tried: no optimum" if constant.on_edge else ""
    return f"{constant.value:.4g}, from {constant.games:,} games of training years{edge}"


def cohort_levels(levels: Sequence[YearLevel]) -> list[tuple[date, float]]:
    """Return the level of the monitoring cohort at the end of each year that has one, with the day after it."""
    return [(date(row.year + 1, 1, 1), row.cohort.level) for row in levels if row.cohort.level is not None]


def drift_of(levels: Sequence[YearLevel], since: date = date.min, until: date = date.max) -> float | None:
    """Return the slope of the cohort's level on the year, by least squares: of its mean rating minus its strength.

    Without known strengths it is that of the mean rating. Levels count from the eve of *since* to that of *until*.
    """
    cohort = [(end.year, level) for end, level in cohort_levels(levels) if since <= end <= until]
    if len(cohort) < 2:  # noqa: PLR2004 - two points make a slope
        return None
    years, level = np.array(cohort, "f8").T
    away = years - years.mean()
    return float((away * level).sum() / (away * away).sum())


def effects(lock: Lock, blocks: Blocks = Blocks.PLAYER) -> tuple[Effect, ...]:
    """Return the main effects of all factors on drift and log loss, where every combination is there."""
    if lock.missing:
        return ()
    worlds = [tuple(_effects_in(world, blocks)) for world in lock.worlds]
    compared = []
    for of_worlds in zip(*worlds, strict=True):
        drift, margin = mean_of([effect.drift for effect in of_worlds])
        compared.append(
            of_worlds[0]._replace(
                drift=math.nan if drift is None else drift,
                loss=over_worlds([effect.loss for effect in of_worlds]),
                drift_margin=margin,
            )
        )
    return tuple(compared)


def _effects_in(world: Lock, blocks: Blocks) -> Iterator[Effect]:
    """Yield the main effects in one world."""
    games = PairedGames(world.variants[0].place, world.history)
    for factor, levels in world.contents["factors"].items():
        places = {
            level: [variant.place for variant in world.variants if variant.levels.get(factor) == level]
            for level in levels
        }
        if not all(places.values()):
            return
        drifts = {level: _mean_drift(cells, world.since) for level, cells in places.items()}
        for level in levels[1:]:
            loss = games.differences(places[level], blocks, places[levels[0]])[0]
            yield Effect(factor, level, drifts[level] - drifts[levels[0]], loss)


def _mean_drift(cells: Sequence[CellFiles], since: date) -> float:
    drifts = [drift_of(kept(cell).level, since) for cell in cells]
    return float(np.mean([math.nan if drift is None else drift for drift in drifts]))

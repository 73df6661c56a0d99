"""The variants of a study in a table: scores, level, and the difference of each from the baseline."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ratebook.lab.cells.content import CellContent, FittedConstant, YearLevel
from ratebook.lab.cells.gathering import MEASURES
from ratebook.lab.cells.measures import Figure
from ratebook.lab.cells.scores import scores_of
from ratebook.lab.studies import comparing
from ratebook.lab.studies.lock import Lock, LockedVariant
from ratebook.lab.studies.store import kept

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
    differences: tuple[comparing.LossDifference, ...]
    is_competitor: bool = False
    more: Mapping[str, Figure] = MappingProxyType({})
    fitted: str = ""
    parts: tuple[comparing.PartDifference, ...] = ()
    margins: Mapping[str, float] = MappingProxyType({})
    worlds: int = 1
    adjusted: float = math.nan

    @property
    def log_loss_difference(self) -> comparing.LossDifference:
        """Return the difference of the log loss."""
        return self.differences[comparing.LOSSES.index("log_loss")]

    @property
    def excess_difference(self) -> comparing.LossDifference:
        """Return the difference of the excess; NaN where no one knows the truth."""
        return self.differences[comparing.LOSSES.index("excess")]


class Effect(NamedTuple):
    """What a level of a factor does: the mean over all combinations of the others, minus that of the first level.

    *drift* is in rating points a year, its margin half the interval of 95 % over worlds; NaN for a single world.
    """

    factor: str
    level: str
    drift: float
    loss: comparing.LossDifference
    drift_margin: float = math.nan


class StudySummary(NamedTuple):
    """A line for each variant whose cells are there, the baseline first, and the main effects of all factors.

    Figures are means over worlds. There are no effects unless every combination is there.
    """

    lines: tuple[VariantLine, ...]
    effects: tuple[Effect, ...]


def summary(
    lock: Lock,
    blocks: comparing.Blocks = comparing.DEFAULT_BLOCKS,
    progress: Callable[[int, int], None] | None = None,
) -> StudySummary:
    """Return what a study found.

    Args:
        lock: what the results are of.
        blocks: what games share that intervals of a single world take as dependent.
        progress: called after each cell with how many are compared, and how many there are.

    Raises:
        OSError: the baseline's cell is not there.
    """
    by_variant: dict[str, list[VariantLine]] = {}
    effects: list[tuple[Effect, ...]] = []
    count = sum(variant.place.is_there for world in lock.worlds for variant in world.variants)
    for world in lock.worlds:
        base = world.variants[0]
        if world is not lock and not base.place.is_there:
            continue
        games = comparing.PairedGames(base.place, world.history, blocks)
        compared: list[_Compared] = []
        for variant in world.variants:
            if variant.place.is_there:
                difference = games.difference(variant.place)
                line = line_of(variant, kept(variant.place), lock.since, difference)
                by_variant.setdefault(variant.name, []).append(line)
                compared.append(_Compared(variant, line.drift, difference))
                if progress is not None:
                    progress(sum(map(len, by_variant.values())), count)
        if not lock.missing:
            effects.append(tuple(_effects_in(world, compared)))
    lines = [_mean(lines) for lines in by_variant.values()]
    chances = comparing.holm([line.log_loss_difference.p for line in lines])
    return StudySummary(
        tuple(line._replace(adjusted=chance) for line, chance in zip(lines, chances, strict=True)),
        tuple(map(_mean_effect, zip(*effects, strict=True))),
    )


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
    by_part: dict[tuple[str, str, int], list[comparing.LossDifference]] = {}
    for line in lines:
        for part in line.parts:
            by_part.setdefault(part[:3], []).append(part.loss)
    return lines[0]._replace(
        **{name: means[name][0] for name in FIGURES},
        games=sum(line.games for line in lines),
        more={name: means[name][0] for name in more},
        margins={name: margin for name, (_, margin) in means.items() if not math.isnan(margin)},
        differences=tuple(
            comparing.over_worlds(differences)
            for differences in zip(*(line.differences for line in lines), strict=True)
        ),
        parts=tuple(
            comparing.PartDifference(*part, comparing.over_worlds(losses))
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
    variant: LockedVariant, content: CellContent, since: date, difference: comparing.CellDifference
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
        differences=difference.losses,
        is_competitor=variant.is_competitor,
        more={measure.name: measure.read(content) for measure in MEASURES},
        fitted=_fitted(content.fitted),
        parts=difference.parts,
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


class _Compared(NamedTuple):
    """A variant in one world."""

    variant: LockedVariant
    drift: float | None
    difference: comparing.CellDifference


def _effects_in(world: Lock, compared: Sequence[_Compared]) -> Iterator[Effect]:
    """Yield the main effects in one world."""
    for factor, levels in world.contents["factors"].items():
        cells = {
            level: [cell for cell in compared if cell.variant.levels.get(factor) == level] for level in levels
        }
        if not all(cells.values()):
            return
        of_first = cells[levels[0]]
        for level, of_level in list(cells.items())[1:]:
            loss = comparing.difference_of_levels(
                *([cell.difference for cell in side] for side in (of_first, of_level))
            )
            yield Effect(factor, level, _mean_drift(of_level) - _mean_drift(of_first), loss)


def _mean_drift(cells: Sequence[_Compared]) -> float:
    return float(np.mean([math.nan if cell.drift is None else cell.drift for cell in cells]))


def _mean_effect(of_worlds: Sequence[Effect]) -> Effect:
    drift, margin = mean_of([effect.drift for effect in of_worlds])
    return of_worlds[0]._replace(
        drift=drift if isinstance(drift, float) else math.nan,
        loss=comparing.over_worlds([effect.loss for effect in of_worlds]),
        drift_margin=margin,
    )

"""A study for those who read one page: each variant in rating points and per cent, beside the baseline."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ratebook.lab.cells.content import CellContent, YearLevel
from ratebook.lab.cells.level import AGES, STRONG
from ratebook.lab.cells.scores import scores_of
from ratebook.lab.studies.summary import Cells, mean_of
from ratebook.lab.studies.tables import figure_text
from ratebook.pages.columns import counted

CHILDREN, JUNIORS = AGES[0], AGES[1]
MOST_NAMED = 4
"""Of more variants, sentences name those with the lowest and the highest figure."""
SURE = math.log(2.0)
"""Log loss of guessing, nats a game."""


class KeyFigure(NamedTuple):
    """A figure that needs no statistics to be understood, read from a cell whose years from a given one on are scored.

    Its *sentence* has a place for the figure; where it is empty, the table alone has it.
    """

    heading: str
    about: str
    sentence: str
    digits: int
    read: Callable[[CellContent, int], float | None]


class KeyValue(NamedTuple):
    """A figure of a variant and how it differs from the baseline; margins are NaN for a single world."""

    figure: float
    margin: float = math.nan
    difference: float = math.nan
    difference_margin: float = math.nan


class GlanceCell(NamedTuple):
    """A figure as it is shown, and how it differs from the baseline's; both empty where it is not known."""

    figure: str = ""
    difference: str = ""


class GlanceLine(NamedTuple):
    """A variant at a glance, and those after it of which all figures look the same."""

    name: str
    alike: tuple[str, ...]
    cells: tuple[GlanceCell, ...]


class Glance(NamedTuple):
    """What is said first: sentences, and the figures of all variants in a table."""

    sentences: tuple[str, ...]
    figures: tuple[KeyFigure, ...]
    lines: tuple[GlanceLine, ...]
    worlds: int


def _too_low(ages: tuple[int, int]) -> Callable[[CellContent, int], float | None]:
    """Return what reads by how many points players of an age are rated below their strength at the end."""

    def read(cell: CellContent, _since: int) -> float | None:
        groups = [group for group in (cell.level[-1].ages if cell.level else ()) if group.youngest == ages[0]]
        known = groups and groups[0].strength is not None and groups[0].level is not None
        return -groups[0].level if known and groups[0].level is not None else None

    return read


def _moved(cell: CellContent, since: int) -> float | None:
    """Return by how much the level of active players has moved since the year before the scored ones."""
    ends = ends_of(cell.level, since)
    if ends is None or ends[0].active.level is None or ends[1].active.level is None:
        return None
    return ends[1].active.level - ends[0].active.level


def ends_of(level: Sequence[YearLevel], since: int) -> tuple[YearLevel, YearLevel] | None:
    """Return the years between which the level moves: the one before the scored ones, or the first, and the last."""
    before = [year for year in level if year.year < since] or level[:1]
    return (before[-1], level[-1]) if level and before[-1] is not level[-1] else None


def _known_of(population: str) -> Callable[[CellContent, int], float | None]:
    """Return what reads how far the forecasts of a population of games are on the way from guessing to certainty."""

    def read(cell: CellContent, _since: int) -> float | None:
        losses = [part.log_loss for part in cell.scores if part.population == population]
        return 100.0 * (1.0 - losses[0] / SURE) if losses and not math.isnan(losses[0]) else None

    return read


FIGURES = (
    KeyFigure(
        f"Up to {CHILDREN[1]} years, below strength",
        f"mean strength less mean rating of active established players of {CHILDREN[1]} years and under, at the end",
        f"children of {CHILDREN[1]} years and under are rated {{figure}} points below their strength",
        0,
        _too_low(CHILDREN),
    ),
    KeyFigure(
        f"{JUNIORS[0]} to {JUNIORS[1]} years, below strength",
        f"the same of players of {JUNIORS[0]} to {JUNIORS[1]} years",
        "",
        0,
        _too_low(JUNIORS),
    ),
    KeyFigure(
        "Level moved by",
        "what the mean rating of active established players gains, less what their strength gains where that is known",
        "after {years} the level of active players has moved by {figure} points",
        0,
        _moved,
    ),
    KeyFigure(
        "Favourites who win, %",
        "share of the decided games that the player with the higher rating wins",
        "the favourite wins {figure} % of the decided games",
        1,
        lambda cell, _: 100.0 * scores_of(cell).accuracy,
    ),
    KeyFigure(
        "Known of results, %",
        "how far forecasts are on the way from guessing (0 %) to knowing every result (100 %), by their log loss",
        "ratings of established players tell {figure} % of what there is to know of a result",
        2,
        _known_of("established"),
    ),
    KeyFigure(
        "Known of newcomers, %",
        "the same of games with a newcomer, who had no rating before",
        "first ratings tell {figure} % of what there is to know of a newcomer's result",
        1,
        _known_of("newcomers"),
    ),
    KeyFigure(
        f"{STRONG:.0f} or more, %",
        "share of active established players, at the end",
        "",
        1,
        lambda cell, _: 100.0 * cell.level[-1].strong if cell.level else None,
    ),
)


def glance_of(cells: Cells, since: int) -> Glance:
    """Return a study at a glance.

    Args:
        cells: of each variant, one for each world; the baseline first.
        since: the first year that is scored.
    """
    of_figures = {figure: _values(figure, cells, since) for figure in FIGURES}
    known = tuple(figure for figure, values in of_figures.items() if any(values.values()))
    names: dict[tuple[GlanceCell, ...], list[str]] = {}
    for name in cells:
        names.setdefault(tuple(_cell(figure, of_figures[figure][name]) for figure in known), []).append(name)
    lines = tuple(GlanceLine(first, tuple(alike), row) for row, (first, *alike) in names.items())
    ends = ends_of(next(iter(cells.values()))[0].level, since)
    years = counted(ends[1].year - ends[0].year, "year") if ends else ""
    sentences = [_sentence(figure, of_figures[figure], years) for figure in known]
    return Glance(tuple(filter(None, sentences)), known, lines, len(next(iter(cells.values()))))


def _values(figure: KeyFigure, cells: Cells, since: int) -> dict[str, KeyValue | None]:
    read = {name: [figure.read(cell, since) for cell in worlds] for name, worlds in cells.items()}
    base = next(iter(read.values()))
    values: dict[str, KeyValue | None] = {}
    for name, numbers in read.items():
        mean, margin = mean_of(numbers)
        pairs = zip(numbers, base, strict=False)
        off = [own - first for own, first in pairs if own is not None and first is not None]
        difference, of_difference = mean_of(off) if off and numbers is not base else (math.nan, math.nan)
        apart = difference if isinstance(difference, float) else math.nan
        values[name] = KeyValue(mean, margin, apart, of_difference) if isinstance(mean, float) else None
    return values


def _cell(figure: KeyFigure, value: KeyValue | None) -> GlanceCell:
    if value is None:
        return GlanceCell()
    return GlanceCell(shown(value.figure, value.margin, figure), beside(value, figure))


def _sentence(figure: KeyFigure, values: Mapping[str, KeyValue | None], years: str) -> str:
    (base, first), *rest = values.items()
    if first is None or not figure.sentence:
        return ""
    statement = figure.sentence.format(figure=shown(first.figure, first.margin, figure), years=years)
    others = [(name, value) for name, value in rest if value is not None]
    named = others
    if len(others) > MOST_NAMED:
        in_order = sorted(others, key=lambda other: other[1].figure)
        named = [in_order[0], in_order[-1]]
    ends = [
        f"with {name} it is {shown(value.figure, value.margin, figure)}, {beside(value, figure)}"
        for name, value in named
    ]
    between = " The others are between these two." if len(named) < len(others) else ""
    return f"With {base}, {'; '.join((statement, *ends))}.{between}"


def shown(value: float, margin: float, figure: KeyFigure) -> str:
    """Return a figure with its interval.

    >>> shown(69.6, 4.4, FIGURES[0]), shown(-50.2, math.nan, FIGURES[2])
    ('70 ± 4', '-50')
    """
    return figure_text(value, margin, f".{figure.digits}f")


def beside(value: KeyValue, figure: KeyFigure) -> str:
    """Return how a figure differs from the baseline's.

    >>> beside(KeyValue(67.0, 4.0, -3.1, 1.2), FIGURES[0]), beside(KeyValue(70.0, 4.0, 0.2, 0.9), FIGURES[0])
    ('3 ± 1 less', 'not clearly different')
    """
    if math.isnan(value.difference):
        return ""
    size = f"{abs(value.difference):.{figure.digits}f}"
    has_margin = not math.isnan(value.difference_margin)
    if has_margin and abs(value.difference) < value.difference_margin:
        return "not clearly different"
    if float(size) == 0.0:
        return "the same"
    margin = f" ± {value.difference_margin:.{figure.digits}f}" if has_margin else ""
    return f"{size}{margin} {'more' if value.difference > 0.0 else 'less'}"

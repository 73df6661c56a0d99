"""A graph of ratings as SVG: made on the server, readable without script, in words too.

Each system has a dash of its own besides its colour. Where many sections fall on one column of pixels, the first, the
last, the lowest and the highest are drawn.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import NamedTuple

from ratebook.book.ledger.history import SeriesPoint
from ratebook.model import System
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.rating.formulas import rounded

WIDTH, HEIGHT = 720, 280
LEFT, RIGHT, TOP, BOTTOM = 62, 708, 12, 250
LEAST_SPAN = 100.0
"""Rating points that a graph shows at least."""
MOST_LINES = 6
STEPS = (20, 50, 100, 200, 500)
DAYS_OF_YEAR = 365.25


class Label(NamedTuple):
    """A line of the grid with its label."""

    at: float
    text: str


class Curve(NamedTuple):
    """The ratings of one system: the path, the last point, and the figures for people who do not see it."""

    system: System
    title: str
    path: str
    points: tuple[tuple[float, float, str], ...]
    words: str


class Graph(NamedTuple):
    """A graph, ready to be drawn."""

    title: str
    words: str
    ratings: tuple[Label, ...]
    years: tuple[Label, ...]
    curves: tuple[Curve, ...]


def rating_graph(name: str, series: Mapping[System, Sequence[SeriesPoint]]) -> Graph | None:
    """Return the graph of a member's ratings; None where there is no more than one point to show."""
    points = [point for one in series.values() for point in one]
    if len({point.end for point in points}) < 2:  # noqa: PLR2004 - a line has two ends
        return None
    first, last = min(point.end for point in points), max(point.end for point in points)
    low, high, step = scale(min(point.rating for point in points), max(point.rating for point in points))
    days = (last - first).days

    def across(day: date) -> float:
        return LEFT + (RIGHT - LEFT) * (day - first).days / days

    def up(rating: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (rating - low) / (high - low)

    curves = tuple(
        Curve(
            system,
            SYSTEM_TITLES[system],
            path_of(thinned((across(one.end), up(one.rating)) for one in those)),
            tuple(
                (across(one.end), up(one.rating), f"{one.end}: {rounded(one.rating):.0f}")
                for one in ends(those)
            ),
            in_words(SYSTEM_TITLES[system], those),
        )
        for system, those in series.items()
    )
    return Graph(
        f"Ratings of {name}",
        " ".join(one.words for one in curves),
        tuple(Label(up(rating), f"{rating:.0f}") for rating in levels(low, high, step)),
        tuple(Label(across(day), str(day.year)) for day in new_years(first, last)),
        curves,
    )


def scale(lowest: float, highest: float) -> tuple[float, float, float]:
    """Return the lowest and the highest rating of the scale, and the step of its lines, in rating points.

    >>> scale(1512.3, 1598.0)
    (1500, 1620, 20)
    """
    middle, half = (lowest + highest) / 2, max(highest - lowest, LEAST_SPAN) / 2
    low, high = min(lowest, middle - half), max(highest, middle + half)
    step = next((one for one in STEPS if (high - low) / one <= MOST_LINES), STEPS[-1])
    return step * math.floor(low / step), step * math.ceil(high / step), step


def levels(low: float, high: float, step: float) -> Iterator[float]:
    """Yield the ratings at which the grid has lines."""
    for number in range(round((high - low) / step) + 1):
        yield low + number * step


def new_years(first: date, last: date) -> Iterator[date]:
    """Yield the first days of the years at which the grid has lines, at most a dozen."""
    years = range(first.year + 1, last.year + 1)
    every = max(1, math.ceil(len(years) / 12))
    for year in years[::every]:
        yield date(year, 1, 1)


def thinned(points: Iterable[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield the points that a line through all of them needs: of each column of pixels four at most."""
    for _, those in groupby(points, key=lambda one: round(one[0])):
        column = list(those)
        if len(column) <= 4:  # noqa: PLR2004 - first, last, lowest, highest
            yield from column
            continue
        kept = {0, len(column) - 1}
        kept |= {min(range(len(column)), key=lambda at: column[at][1])}
        kept |= {max(range(len(column)), key=lambda at: column[at][1])}
        yield from (column[at] for at in sorted(kept))


def path_of(points: Iterable[tuple[float, float]]) -> str:
    """Return points as the path of a line, to a tenth of a pixel.

    >>> path_of([(44.0, 12.04), (50.25, 13.0)])
    'M44,12L50.2,13'
    """
    return "M" + "L".join(f"{round(x, 1):g},{round(y, 1):g}" for x, y in points)


def ends(points: Sequence[SeriesPoint]) -> tuple[SeriesPoint, ...]:
    """Return the last point, which has a mark."""
    return (points[-1],)


def in_words(title: str, points: Sequence[SeriesPoint]) -> str:
    """Return the figures of one system for people who do not see its line."""
    first, last = points[0], points[-1]
    highest = max(points, key=lambda one: one.rating)
    if len(points) == 1:
        return f"{title}: {rounded(last.rating):.0f} after one section, {last.end}."
    return (
        f"{title}: from {rounded(first.rating):.0f} on {first.end} to {rounded(last.rating):.0f} on {last.end},"
        f" highest {rounded(highest.rating):.0f} on {highest.end}, {len(points)} sections."
    )

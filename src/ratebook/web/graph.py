"""A graph of ratings as SVG: made on the server, readable without script, in words too.

Each system has a dash of its own besides its colour. Where many sections fall on one column of pixels, the first, the
last, the lowest and the highest are drawn; columns are made wider until the points are few enough for a page. Ratings
are drawn as they are published: a tenth of a pixel would tell decimals.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import NamedTuple, TypeAlias, TypeVar
from urllib.parse import quote

from ratebook.book.ledger.history import SeriesPoint
from ratebook.model import System
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.rating.formulas import rounded

WIDTH, HEIGHT = 720, 280
LEFT, RIGHT, TOP, BOTTOM = 62, 708, 12, 250
LEAST_SPAN = 100.0
"""Rating points that a graph shows at least."""
FLOOR_WITHIN = 150.0
"""Rating points below the lowest rating up to which the scale reaches down to the floor."""
OFFICIAL_GOES_ON = timedelta(days=45)
"""For so long after the last section a graph shows which rating is official."""
MOST_LINES = 6
MOST_LINKS = 60
MOST_POINTS = 400
STEPS = (20, 50, 100, 200, 500)
MONTHS_SHOWN = 24
"""In shorter times the grid has lines at months."""
RANGES = {"1 year": 1, "5 years": 5}

Series: TypeAlias = Mapping[System, Sequence[SeriesPoint]]
Placed = TypeVar("Placed")


class GraphQuestion(NamedTuple):
    """What of a player's ratings a graph shows: one system or all, from a day to another."""

    system: System | None = None
    since: date | None = None
    until: date | None = None

    def of(self, series: Series) -> dict[System, Sequence[SeriesPoint]]:
        """Return the part of *series* that is asked for."""
        first, last = self.since or date.min, self.until or date.max
        within = {
            system: [point for point in line if first <= point.end <= last]
            for system, line in series.items()
            if self.system in {None, system}
        }
        return {system: line for system, line in within.items() if line}

    @property
    def query(self) -> str:
        """Return it as the query of an address."""
        values = {"system": self.system, "from": self.since, "to": self.until}
        return "?" + "&".join(f"{name}={value}" for name, value in values.items() if value is not None)


class GraphLink(NamedTuple):
    """A link to another graph of the same player."""

    text: str
    query: str
    current: bool


class Choices(NamedTuple):
    """Links to other graphs of a player; empty where there is nothing to choose."""

    systems: tuple[GraphLink, ...]
    ranges: tuple[GraphLink, ...]


def choices(series: Series, question: GraphQuestion, today: date) -> Choices:
    """Return the graphs that can be chosen: each system, and ranges that are shorter than the history, with ratings."""
    systems = [(None, "All systems"), *((system, SYSTEM_TITLES[system]) for system in series)]
    ends = [end for those in series.values() if those for end in (those[0].end, those[-1].end)] or [today]
    since = {text: _years_before(today, years) for text, years in RANGES.items()}
    ranges = [(text, day) for text, day in since.items() if min(ends) < day <= max(ends)]
    return Choices(
        tuple(
            GraphLink(text, question._replace(system=system).query, question.system == system)
            for system, text in (systems if len(series) > 1 else [])
        ),
        tuple(
            GraphLink(text, question._replace(since=day, until=None).query, question.since == day)
            for text, day in ([*ranges, ("All years", None)] if ranges else [])
        ),
    )


def _years_before(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


class Standard(NamedTuple):
    """What else a graph of one system shows: the floor in force, and official ratings from days on until today."""

    floor: float | None = None
    official: Sequence[tuple[date, int]] = ()
    today: date = date.min


NO_STANDARD = Standard()


class Label(NamedTuple):
    """A line of the grid with its label."""

    at: float
    text: str


class GraphMark(NamedTuple):
    """A point that is marked: what it says, and where it leads."""

    x: float
    y: float
    text: str
    link: str


class Curve(NamedTuple):
    """The ratings of one system: the path, marks, the figures in words, and for the script what each point is.

    *points* has for each point of the path rating, day and section, with spaces between, and semicolons between points.
    """

    system: System
    title: str
    path: str
    marks: tuple[GraphMark, ...]
    words: str
    points: str


class Graph(NamedTuple):
    """A graph, ready to be drawn; *floor* and *official* (a path) are there for one system alone."""

    title: str
    words: str
    ratings: tuple[Label, ...]
    times: tuple[Label, ...]
    curves: tuple[Curve, ...]
    floor: Label | None
    official: str
    official_words: str
    floor_words: str


def rating_graph(
    name: str, series: Series, address: Callable[[SeriesPoint, System], str], standard: Standard = NO_STANDARD
) -> Graph | None:
    """Return the graph of a member's ratings; None where there is no more than one day to show.

    *address* says where a point leads.
    """
    shown = [(system, [_published(point) for point in line]) for system, line in series.items()]
    points = [point for _, line in shown for point in line]
    if len({point.end for point in points}) < 2:  # noqa: PLR2004 - a line has two ends
        return None
    first, last = min(point.end for point in points), max(point.end for point in points)
    if standard.official:
        last = max(last, min(last + OFFICIAL_GOES_ON, standard.today))
    steps = official_steps(standard.official, first, last)
    heights = [point.rating for point in points] + [float(rating) for _, rating in steps]
    floor = standard.floor
    if floor is not None and min(heights) - FLOOR_WITHIN <= floor:
        heights.append(floor)
    low, high, step = scale(min(heights), max(heights))
    days = (last - first).days

    def across(day: date) -> float:
        return round(LEFT + (RIGHT - LEFT) * (day - first).days / days, 1)

    def up(rating: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (rating - low) / (high - low), 1)

    width = column_width([[across(point.end) for point in line] for _, line in shown])
    with_links = len(points) <= MOST_LINKS
    curves = []
    for system, line in shown:
        title = SYSTEM_TITLES[system]
        drawn = list(thinned(line, lambda point: across(point.end) // width, lambda point: point.rating))
        marks = [
            GraphMark(
                across(point.end),
                up(point.rating),
                f"{title} {point.rating:.0f}, {point.end}",
                address(point, system),
            )
            for point in (line if with_links else line[-1:])
        ]
        curves.append(
            Curve(
                system=system,
                title=title,
                path=path_of((across(point.end), up(point.rating)) for point in drawn),
                marks=tuple(marks),
                words=in_words(title, line),
                points=";".join(f"{point.rating:.0f} {point.end} {_section(point)}" for point in drawn),
            )
        )
    official_words = (
        f"Official since {standard.official[-1][0]}: {standard.official[-1][1]}." if steps else ""
    )
    floor_words = "" if floor is None else f"Floor in force: {floor:.0f}."
    return Graph(
        title=f"Ratings of {name}",
        words=" ".join(filter(None, [*(curve.words for curve in curves), official_words, floor_words])),
        ratings=tuple(Label(up(rating), f"{rating:.0f}") for rating in levels(low, high, step)),
        times=tuple(Label(across(day), text) for day, text in time_marks(first, last)),
        curves=tuple(curves),
        floor=Label(up(floor), f"floor {floor:.0f}") if floor is not None and floor >= low else None,
        official=step_path([(across(day), up(rating)) for day, rating in steps], across(last))
        if steps
        else "",
        official_words=official_words,
        floor_words=floor_words,
    )


def _published(point: SeriesPoint) -> SeriesPoint:
    return point._replace(rating=rounded(point.rating))


def _section(point: SeriesPoint) -> str:
    """Return the section of a point as part of an address; empty where a decision moved the rating."""
    return "" if point.event_id is None else f"{quote(point.event_id, safe='')}/{point.section}"


def official_steps(official: Sequence[tuple[date, int]], first: date, last: date) -> list[tuple[date, int]]:
    """Return the official ratings from *first* to *last*; what held on the first day counts from it on."""
    held = [rating for day, rating in official if day <= first][-1:]
    later = [(day, rating) for day, rating in official if first < day <= last]
    return [*((first, rating) for rating in held), *later]


def step_path(points: Sequence[tuple[float, float]], end: float) -> str:
    """Return steps as a path, each level up to where the next begins.

    >>> step_path([(62.0, 100.0), (90.0, 80.5)], 100.0)
    'M62,100H90V80.5H100'
    """
    (x, y), *others = points
    return f"M{x:g},{y:g}" + "".join(f"H{across:g}V{up:g}" for across, up in others) + f"H{end:g}"


def scale(lowest: float, highest: float) -> tuple[float, float, float]:
    """Return the lowest and the highest rating of the scale, and the step of its lines, in rating points.

    >>> scale(1512.3, 1598.0)
    (1500, 1620, 20)
    """
    middle, half = (lowest + highest) / 2, max(highest - lowest, LEAST_SPAN) / 2
    low, high = min(lowest, middle - half), max(highest, middle + half)
    step = next((width for width in STEPS if (high - low) / width <= MOST_LINES), STEPS[-1])
    return step * math.floor(low / step), step * math.ceil(high / step), step


def levels(low: float, high: float, step: float) -> Iterator[float]:
    """Yield the ratings at which the grid has lines."""
    for number in range(round((high - low) / step) + 1):
        yield low + number * step


def time_marks(first: date, last: date) -> Iterator[tuple[date, str]]:
    """Yield the first days of years or, in short times, of a few months at which the grid has lines, at most a dozen.

    >>> [text for _, text in time_marks(date(2020, 5, 2), date(2020, 8, 1))]
    ['2020-06', '2020-07', '2020-08']
    """
    months = range(first.year * 12 + first.month, last.year * 12 + last.month)
    if len(months) < MONTHS_SHOWN:
        for month in months[:: max(1, math.ceil(len(months) / 5))]:
            day = date(month // 12, month % 12 + 1, 1)
            yield day, f"{day:%Y-%m}"
        return
    years = range(first.year + 1, last.year + 1)
    for year in years[:: max(1, math.ceil(len(years) / 12))]:
        yield date(year, 1, 1), str(year)


def column_width(curves: Sequence[Sequence[float]]) -> int:
    """Return how many pixels wide the columns are in which points are thinned, so that not too many are left."""
    width = 1
    while width < WIDTH and sum(_left(places, width) for places in curves) > MOST_POINTS:
        width *= 2
    return width


def _left(places: Sequence[float], width: int) -> int:
    """Return how many points are left of those at some *places* at most."""
    return sum(min(len(list(those)), 4) for _, those in groupby(x // width for x in places))


def thinned(
    points: Iterable[Placed], column: Callable[[Placed], float], height: Callable[[Placed], float]
) -> Iterator[Placed]:
    """Yield the points that a line through all of them needs: of each column of pixels four at most."""
    for _, group in groupby(points, key=column):
        in_column = list(group)
        if len(in_column) <= 4:  # noqa: PLR2004 - first, last, lowest, highest
            yield from in_column
            continue
        order = sorted(range(len(in_column)), key=lambda at: height(in_column[at]))
        for at in sorted({0, len(in_column) - 1, order[0], order[-1]}):
            yield in_column[at]


def path_of(points: Iterable[tuple[float, float]]) -> str:
    """Return points as the path of a line, to a tenth of a pixel.

    >>> path_of([(44.0, 12.04), (50.25, 13.0)])
    'M44,12L50.2,13'
    """
    return "M" + "L".join(f"{round(x, 1):g},{round(y, 1):g}" for x, y in points)


def in_words(title: str, points: Sequence[SeriesPoint]) -> str:
    """Return the figures of one system for people who do not see its line."""
    first, last = points[0], points[-1]
    highest = max(points, key=lambda point: point.rating)
    if len(points) == 1:
        return f"{title}: {rounded(last.rating):.0f} after one section, {last.end}."
    return (
        f"{title}: from {rounded(first.rating):.0f} on {first.end} to {rounded(last.rating):.0f} on {last.end},"
        f" highest {rounded(highest.rating):.0f} on {highest.end}, {len(points)} sections."
    )

"""A graph of ratings, which are drawn as they are published: a tenth of a pixel would tell decimals."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import NamedTuple
from urllib.parse import quote

from ratebook.book.ledger.history import SeriesPoint
from ratebook.model import System
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.rating.formulas import rounded
from ratebook.web.layout.words import day_words
from ratebook.web.pictures.choices import Series
from ratebook.web.pictures.paths import area_path, line_path, step_path
from ratebook.web.pictures.scale import Label, RatingScale, TimeScale
from ratebook.web.pictures.thinning import Point, column_width, thinned

FLOOR_WITHIN = 150.0
"""Rating points below the lowest rating up to which the scale reaches down to the floor."""
OFFICIAL_GOES_ON = timedelta(days=45)
"""For so long after the last section a graph shows which rating is official."""
MOST_LINKS = 60
MOST_POINTS = 400


class Standard(NamedTuple):
    """What else a graph of one system shows: the floor in force, and official ratings from days on until today."""

    floor: float | None = None
    official: Sequence[tuple[date, int]] = ()
    today: date = date.min


NO_STANDARD = Standard()


class GraphMark(NamedTuple):
    """A point that is marked: what it says, and where it leads."""

    place: Point
    text: str
    link: str


class Curve(NamedTuple):
    """The ratings of one system: the path, marks, the figures in words, and for the script what each point is.

    *alone* is the rating where it is the only one.
    *points* has for each point of the path rating, day and section, with bars between, and semicolons between points.
    """

    system: System
    title: str
    path: str
    marks: tuple[GraphMark, ...]
    alone: str
    words: str
    points: str


class Graph(NamedTuple):
    """A graph, ready to be drawn; *area*, *floor* and *official* are there for one system alone."""

    title: str
    ratings: tuple[Label, ...]
    times: tuple[Label, ...]
    curves: tuple[Curve, ...]
    area: str
    floor: Label | None
    official: str
    official_words: str
    floor_words: str

    @property
    def words(self) -> str:
        """Return everything in words."""
        curves = (curve.words for curve in self.curves)
        return " ".join(filter(None, [*curves, self.official_words, self.floor_words]))


def rating_graph(
    name: str, series: Series, address: Callable[[SeriesPoint, System], str], standard: Standard = NO_STANDARD
) -> Graph | None:
    """Return the graph of a member's ratings; None where there are none to show.

    *address* says where a point leads.
    """
    shown = {
        system: [point._replace(rating=rounded(point.rating)) for point in line]
        for system, line in series.items()
    }
    points = [point for line in shown.values() for point in line]
    if not points:
        return None
    first, last = min(point.end for point in points), max(point.end for point in points)
    if standard.official:
        last = max(last, min(last + OFFICIAL_GOES_ON, standard.today))
    official, floor = official_steps(standard.official, first, last), standard.floor
    heights = [point.rating for point in points] + [float(rating) for _, rating in official]
    if floor is not None and min(heights) - FLOOR_WITHIN <= floor:
        heights.append(floor)
    ratings, times = RatingScale.of(min(heights), max(heights)), TimeScale.of(first, last)

    def place(day: date, rating: float) -> Point:
        return Point(times.across(day), ratings.down(rating))

    lines = {system: [place(point.end, point.rating) for point in line] for system, line in shown.items()}
    width = column_width(list(lines.values()), MOST_POINTS)

    def curve(system: System) -> Curve:
        sections, line, title = shown[system], lines[system], SYSTEM_TITLES[system]
        drawn, marked = list(thinned(line, width)), range(len(line))
        return Curve(
            system=system,
            title=title,
            path=line_path([line[at] for at in drawn]),
            marks=tuple(
                GraphMark(line[at], f"{title} {_said(sections[at])}", address(sections[at], system))
                for at in (marked if len(points) <= MOST_LINKS else marked[-1:])
            ),
            alone=f"{sections[0].rating:.0f}" if len(sections) == 1 else "",
            words=in_words(title, sections),
            points=";".join(_for_script(sections[at]) for at in drawn),
        )

    return Graph(
        title=f"Ratings of {name}",
        ratings=ratings.labels,
        times=times.labels,
        curves=tuple(map(curve, shown)),
        area=area_path([line[at] for line in lines.values() for at in thinned(line, width)])
        if len(lines) == 1
        else "",
        floor=None
        if floor is None or floor < ratings.low
        else Label(ratings.down(floor), f"floor {floor:.0f}"),
        official=step_path([place(*step) for step in official], times.across(last)) if official else "",
        official_words=f"Official since {day_words(standard.official[-1][0])}: {standard.official[-1][1]}."
        if official
        else "",
        floor_words="" if floor is None else f"Floor in force: {floor:.0f}.",
    )


def official_steps(official: Sequence[tuple[date, int]], first: date, last: date) -> list[tuple[date, int]]:
    """Return the official ratings from *first* to *last*; what held on the first day counts from it on."""
    held = [rating for day, rating in official if day <= first][-1:]
    later = [(day, rating) for day, rating in official if first < day <= last]
    return [*((first, rating) for rating in held), *later]


def in_words(title: str, points: Sequence[SeriesPoint]) -> str:
    """Return the figures of one system for people who do not see its line.

    >>> in_words("OTB Quick", [SeriesPoint(date(2025, 3, 1), 1500.0, "E1", 1)])
    'OTB Quick: 1500 after one section, 1 March 2025.'
    """
    first, last = points[0], points[-1]
    if len(points) == 1:
        return f"{title}: {last.rating:.0f} after one section, {day_words(last.end)}."
    highest = max(points, key=lambda point: point.rating)
    return (
        f"{title}: from {_said(first, ' on ')} to {_said(last, ' on ')}, highest {_said(highest, ' on ')},"
        f" {len(points)} sections."
    )


def _said(point: SeriesPoint, between: str = ", ") -> str:
    return f"{point.rating:.0f}{between}{day_words(point.end)}"


def _for_script(point: SeriesPoint) -> str:
    """Return a point for the script; its section, part of an address, is empty where a decision moved the rating."""
    section = "" if point.event_id is None else f"{quote(point.event_id, safe='')}/{point.section}"
    return f"{point.rating:.0f}|{point.end}|{section}"

"""A graph of ratings, which are drawn as they are published: a tenth of a pixel would tell decimals."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import chain
from typing import NamedTuple

from markupsafe import Markup, escape

from ratebook.book.columns import section_at
from ratebook.book.ledger.history import SeriesPoint
from ratebook.model import System
from ratebook.rating.formulas import rounded
from ratebook.web.layout.words import day_words
from ratebook.web.pictures.paths import Point, area_below, line_path, step_path
from ratebook.web.pictures.scale import Label, RatingScale, TimeScale
from ratebook.web.pictures.thinning import column_width, thinned
from ratebook.web.routing import part

FLOOR_WITHIN = 150.0
"""Rating points below the lowest rating up to which the scale reaches down to the floor."""
OFFICIAL_GOES_ON = timedelta(days=45)
"""For so long after the last section a graph shows which rating is official."""
MOST_LINKS, LINKS_ON_A_PHONE = 60, 20
MOST_POINTS = 400
DOT = Point(13, 40)
"""How wide and high a marked point is in a picture as large as it gets."""


class Standard(NamedTuple):
    """What else a graph of one system shows: the floor in force, and official ratings from days on until today."""

    floor: float | None = None
    official: Sequence[tuple[date, int]] = ()
    today: date = date.min


NO_STANDARD = Standard()


class GraphLine(NamedTuple):
    """Ratings that are drawn as one line.

    Attributes:
        title: what it is called.
        system: in which the ratings are.
        points: in the order of history.
        why: address below which the explanations of the ratings are.
        look: how it is drawn; empty: as the line of its system.
    """

    title: str
    system: System
    points: Sequence[SeriesPoint]
    why: str
    look: str = ""


class GraphMark(NamedTuple):
    """A point that is marked: what it says, and where it leads."""

    place: Point
    text: str
    link: str


class Curve(NamedTuple):
    """The ratings of one line: the path, marks, the figures in words, and for the script what each point is.

    *alone* is the rating where it is the only one of the graph.
    *points* has for each point of the path rating, day and section, with bars between, and semicolons between points.
    """

    look: str
    system: System
    title: str
    why: str
    path: str
    marks: tuple[GraphMark, ...]
    alone: str
    words: str
    points: str

    @property
    def html_marks(self) -> Iterator[Markup]:
        """Yield the marks as SVG: a template takes several times as long for dozens of them."""
        is_crowded = len(self.marks) > LINKS_ON_A_PHONE
        for number, ((x, y), text, link) in enumerate(self.marks, start=1):
            words = escape(text)
            look = f"{self.look} extra" if is_crowded and number < len(self.marks) else self.look
            dot = (
                f'<circle class="{look}" cx="{x / 10}%" cy="{y / 10}%" r="4"><title>{words}</title></circle>'
            )
            if link:
                dot = f'<a href="{escape(link)}" tabindex="-1" aria-label="{words}">{dot}</a>'
            yield Markup(dot)  # noqa: S704 - every text and address in it is escaped


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


def rating_graph(title: str, lines: Sequence[GraphLine], standard: Standard = NO_STANDARD) -> Graph | None:
    """Return the graph of some ratings; None where there are none to show."""
    lines = [line for line in lines if line.points]
    if not lines:
        return None
    first, last = min(line.points[0].end for line in lines), max(line.points[-1].end for line in lines)
    if standard.official:
        last = max(last, min(last + OFFICIAL_GOES_ON, standard.today))
    official, floor = official_steps(standard.official, first, last), standard.floor
    shown = [[rounded(point.rating) for point in line.points] for line in lines]
    heights = [*chain.from_iterable(shown), *(rating for _, rating in official)]
    if floor is not None and min(heights) - FLOOR_WITHIN <= floor:
        heights.append(floor)
    ratings, times = RatingScale.of(min(heights), max(heights)), TimeScale.of(first, last)

    numbers = [len(line) for line in shown]
    width = column_width(numbers, MOST_POINTS)

    def curve(line: GraphLine, shown: Sequence[float]) -> Curve:
        across, down = times.all_across(point.end for point in line.points), ratings.all_down(shown)
        drawn = list(thinned(across, down, width))
        return Curve(
            look=line.look or line.system.value,
            system=line.system,
            title=line.title,
            why=line.why,
            path=line_path([(across[at], down[at]) for at in drawn]),
            marks=tuple(
                GraphMark(
                    Point(across[at], down[at]),
                    f"{line.title} {_said(line.points[at])}",
                    _link(line, line.points[at]),
                )
                for at in (apart(across, down) if sum(numbers) <= MOST_LINKS else drawn[-1:])
            ),
            alone=f"{shown[0]:.0f}" if sum(numbers) == 1 else "",
            words=in_words(line.title, line.points, shown),
            points=";".join(
                f"{shown[at]:.0f}|{line.points[at].end}|{_section(line.points[at])}" for at in drawn
            ),
        )

    curves = tuple(map(curve, lines, shown))
    return Graph(
        title=title,
        ratings=ratings.labels,
        times=times.labels,
        curves=curves,
        area=area_below(curves[0].path) if len(curves) == 1 else "",
        floor=None
        if floor is None or floor < ratings.low
        else Label(ratings.down(floor), f"floor {floor:.0f}"),
        official=step_path(
            [(times.across(day), ratings.down(rating)) for day, rating in official], times.across(last)
        )
        if official
        else "",
        official_words=f"Official since {day_words(standard.official[-1][0])}: {standard.official[-1][1]}."
        if official
        else "",
        floor_words="" if floor is None else f"Floor in force: {floor:.0f}.",
    )


def apart(across: Sequence[int], down: Sequence[int]) -> list[int]:
    """Return which of some points can be marked: where one would cover another, the later.

    >>> apart([0, 100, 103, 103], [500, 500, 520, 200])
    [0, 2, 3]
    """
    marked: list[int] = []
    for at in reversed(range(len(across))):
        beside = (other for other in marked if across[other] - across[at] < DOT.x)
        if all(abs(down[other] - down[at]) >= DOT.y for other in beside):
            marked.append(at)
    return marked[::-1]


def official_steps(official: Sequence[tuple[date, int]], first: date, last: date) -> list[tuple[date, int]]:
    """Return the official ratings from *first* to *last*; what held on the first day counts from it on."""
    held = [rating for day, rating in official if day <= first][-1:]
    later = [(day, rating) for day, rating in official if first < day <= last]
    return [*((first, rating) for rating in held), *later]


def in_words(title: str, points: Sequence[SeriesPoint], shown: Sequence[float]) -> str:
    """Return the figures of one system, with the ratings as *shown*, for people who do not see its line.

    >>> in_words("OTB Quick", [SeriesPoint(date(2025, 3, 1), 1500.4, "")], [1500.0])
    'OTB Quick: 1500 after one section, 1 March 2025.'
    """
    if len(points) == 1:
        return f"{title}: {shown[0]:.0f} after one section, {day_words(points[0].end)}."
    highest = points[shown.index(max(shown))]
    return (
        f"{title}: {shown[0]:.0f} to {shown[-1]:.0f} in {len(points)} sections, highest"
        f" {_said(highest, ' on ')}."
    )


def _said(point: SeriesPoint, between: str = ", ") -> str:
    return f"{rounded(point.rating):.0f}{between}{day_words(point.end)}"


def _section(point: SeriesPoint) -> str:
    """Return the section of a point as part of an address; empty where a decision moved the rating."""
    if not point.place:
        return ""
    event, number = section_at(point.place)
    return f"{part(event)}/{number}"


def _link(line: GraphLine, point: SeriesPoint) -> str:
    section = _section(point)
    return section and f"{line.why}{section}?system={line.system.value}"

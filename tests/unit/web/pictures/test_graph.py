"""The graph of ratings: what is published, thinned to what a page can hold."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from ratebook.book.columns import place_of, section_at
from ratebook.book.ledger.history import SeriesPoint
from ratebook.book.ledger.rows import Standing
from ratebook.book.profile import Federation, Profile
from ratebook.model import EnteredFloor, FloorKind, Rating, System
from ratebook.pages.ratings import floor_in_force
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.rules.rulebook import load_rulebook
from ratebook.web.pictures.choices import GraphQuestion, ranges_of
from ratebook.web.pictures.graph import (
    MOST_LINKS,
    MOST_POINTS,
    Graph,
    GraphLine,
    Standard,
    official_steps,
    rating_graph,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

DAY = date(2020, 1, 1)
REGULAR, QUICK = System.REGULAR, System.QUICK


def series(ratings: Sequence[float], every: int = 1) -> list[SeriesPoint]:
    return [
        SeriesPoint(DAY + timedelta(every * at), rating, place_of(DAY, f"E{at}", 1))
        for at, rating in enumerate(ratings)
    ]


def line(system: System, points: Sequence[SeriesPoint]) -> GraphLine:
    return GraphLine(SYSTEM_TITLES[system], system, points, "/why/")


def drawn(points: Sequence[SeriesPoint], standard: Standard | None = None) -> Graph:
    found = rating_graph("A", [line(REGULAR, points)], standard or Standard())
    assert found is not None
    return found


def test_points_stand_where_a_ruler_puts_them() -> None:
    # 1500 to 1600 in steps of 20; 100 days, of which the second section is on day 25.
    points = [
        SeriesPoint(DAY, 1500.0, place_of(DAY, "E0", 1)),
        SeriesPoint(DAY + timedelta(25), 1580.0, place_of(DAY, "E1", 1)),
        SeriesPoint(DAY + timedelta(100), 1600.0, place_of(DAY, "E2", 1)),
    ]
    graph = drawn(points)
    (curve,) = graph.curves
    assert curve.path == "M0,1000L250,200L1000,0"
    assert graph.area == "M0,1000L250,200L1000,0V1000H0Z"
    assert [(line.text, line.at) for line in graph.ratings if not line.is_extra] == [
        ("1500", 1000),
        ("1540", 600),
        ("1580", 200),
    ]
    # 1 February is day 31 of 100, 1 March of the leap year day 60, 1 April day 91.
    assert [(line.text, line.at) for line in graph.times] == [
        ("Feb 2020", 310),
        ("Mar 2020", 600),
        ("Apr 2020", 910),
    ]


def test_one_rating_stands_in_the_middle_and_leads_to_its_section() -> None:
    graph = drawn(series([1512.0]))
    (curve,) = graph.curves
    (mark,) = curve.marks
    assert (mark.place.x, mark.link, curve.alone) == (500, "/why/E0/1?system=regular", "1512")
    assert mark.text == "OTB Regular 1512, 1 January 2020"
    # 1460 to 1580: 68 of 120 points below the top.
    assert mark.place.y == round(1000 * 68 / 120)
    assert curve.words == "OTB Regular: 1512 after one section, 1 January 2020."


def test_several_curves_have_no_area_and_no_ratings_no_graph() -> None:
    both = rating_graph("A", [line(REGULAR, series([1500.0])), line(QUICK, series([1400.0]))])
    assert both is not None
    assert both.area == ""
    assert [curve.words[:9] for curve in both.curves] == ["OTB Regul", "OTB Quick"]
    # The words below say both; beside their points they could cover each other.
    assert [curve.alone for curve in both.curves] == ["", ""]
    assert rating_graph("A", []) is None


def test_decimals_that_are_not_published_cannot_be_measured() -> None:
    assert drawn(series([1500.4, 1512.3, 1490.1])) == drawn(series([1499.6, 1511.8, 1490.4]))


def test_a_thousand_sections_are_thinned_but_the_extremes_stay() -> None:
    ratings = [1500.0 + (at * 7919) % 400 for at in range(1500)]
    (curve,) = drawn(series(ratings)).curves
    points = [one.split("|") for one in curve.points.split(";")]
    assert len(points) == curve.path.count(",") <= MOST_POINTS
    assert {int(rating) for rating, *_ in points} >= {1500, 1899}
    assert (points[0][2], points[-1][2]) == ("E0/1", "E1499/1")
    assert len(curve.marks) == 1


def test_few_points_are_links() -> None:
    (curve,) = drawn(series([1500.0] * MOST_LINKS)).curves
    assert [one.link for one in curve.marks] == [f"/why/E{at}/1?system=regular" for at in range(MOST_LINKS)]


def test_near_points_are_apart_or_one_mark() -> None:
    # Two sections of one weekend, a third and two thirds of the way across.
    (curve,) = drawn(series([1500.0, 1510.0])).curves
    assert [mark.place.x for mark in curve.marks] == [333, 667]
    # Of one day: 3 of 120 points are no width of a dot, 60 are.
    same, other = (drawn(series([1500.0, after], every=0)).curves[0].marks for after in (1503.0, 1560.0))
    assert [[mark.text.split(",")[0] for mark in marks] for marks in (same, other)] == [
        ["OTB Regular 1503"],
        ["OTB Regular 1500", "OTB Regular 1560"],
    ]


@pytest.mark.parametrize(("points", "left_out"), [(20, 0), (40, 39)])
def test_a_phone_shows_the_last_mark_of_many(points: int, left_out: int) -> None:
    (curve,) = drawn(series([1500.0] * points, every=30)).curves
    marks = list(curve.html_marks)
    assert [" extra" in mark for mark in marks] == [True] * left_out + [False] * (points - left_out)


def test_floor_and_official_ratings_are_drawn_and_said() -> None:
    standard = Standard(1400.0, ((DAY + timedelta(5), 1510),), DAY + timedelta(400))
    graph = drawn(series([1500.0, 1520.0], every=30), standard)
    assert graph.floor is not None
    assert graph.official.startswith("M")
    assert graph.words.endswith("Official since 6 January 2020: 1510. Floor in force: 1400.")
    low = drawn(series([1900.0, 1920.0]), Standard(1500.0))
    assert low.floor is None
    assert low.words.endswith("Floor in force: 1500.")


def test_official_ratings_hold_from_their_day_until_the_next() -> None:
    lists = [(DAY, 1500), (DAY + timedelta(31), 1510), (DAY + timedelta(60), 1520)]
    first, last = DAY + timedelta(10), DAY + timedelta(50)
    assert official_steps(lists, first, last) == [(first, 1500), (DAY + timedelta(31), 1510)]


def test_a_part_of_the_history_is_asked_for_by_links() -> None:
    whole = {REGULAR: series([1500.0] * 9, every=365), QUICK: series([1400.0])}
    since = date(2026, 6, 1)
    asked = GraphQuestion(REGULAR, since)
    assert [section_at(point.place)[0] for point in asked.of(whole)[REGULAR]] == ["E7", "E8"]
    assert list(asked.of(whole)) == [REGULAR]
    assert ranges_of(whole, asked, date(2027, 6, 1)) == (
        ("1 year", "?system=regular&from=2026-06-01#graph", True, 0),
        ("4 years", "?system=regular&from=2023-06-01#graph", False, 0),
        ("All", "?system=regular#graph", False, 0),
    )


@pytest.mark.parametrize(
    ("rating", "floors", "expected"),
    [
        # D25 section 5: 1941 less 200, down to a multiple of 100.
        (Rating(1900.0, 30.0, peak=1941.0), (), 1700.0),
        # The same: 100 + 4 for each win, 2 for each draw, 1 for each long section.
        (Rating(130.0, 10.0, wins=3, draws=1, losses=6, long_events=10), (), 124.0),
        (Rating(1900.0, 30.0, peak=1941.0), (EnteredFloor(REGULAR, FloorKind.MONEY, 1800.0),), 1800.0),
        (Rating(1900.0, 30.0, peak=1941.0), (EnteredFloor(REGULAR, FloorKind.LOWERED, 1600.0),), 1600.0),
    ],
)
def test_the_floor_in_force_is_the_highest(
    rating: Rating, floors: tuple[EnteredFloor, ...], expected: float
) -> None:
    federation = Federation(Profile(), load_rulebook(), 1, "")
    standing = Standing(rating, floors, DAY, "")
    assert floor_in_force(federation, REGULAR, standing, date(2024, 6, 1)) == expected

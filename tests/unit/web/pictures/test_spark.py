"""The small line of a card: placed by day and rating, good with one rating and with thousands."""

from __future__ import annotations

from datetime import date, timedelta

from ratebook.book.columns import place_of
from ratebook.book.ledger.history import SeriesPoint
from ratebook.web.pictures.spark import MOST_SECTIONS, sparkline

DAY = date(2024, 1, 1)


def point(day: int, rating: float) -> SeriesPoint:
    return SeriesPoint(DAY + timedelta(day), rating, place_of(DAY, "E1", 1), 4)


def test_ratings_stand_by_day_and_height() -> None:
    # From 1500 to 1700, over 100 days.
    picture = sparkline([point(0, 1500.2), point(25, 1700.0), point(100, 1550.0)])
    assert picture is not None
    assert picture.line == "M0,1000L250,0L1000,750"
    assert picture.area == "M0,1000L250,0L1000,750V1000H0Z"
    assert picture.last == (1000, 750)


def test_one_rating_is_a_dot_in_the_middle() -> None:
    picture = sparkline([point(0, 1500.0)])
    assert picture is not None
    assert (picture.last, picture.area) == ((500, 500), "")
    assert sparkline([]) is None


def test_small_changes_stay_small_and_a_long_career_short() -> None:
    # Of 100 points that are shown at least, ten in the middle.
    few = sparkline([point(0, 1500.0), point(90, 1510.0)])
    assert few is not None
    assert few.line == "M0,550L1000,450"
    long = sparkline([point(day, 1500.0 + day % 7) for day in range(2000)])
    assert long is not None
    assert long.line.count(",") == MOST_SECTIONS

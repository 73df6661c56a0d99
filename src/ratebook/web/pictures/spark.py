"""The last ratings of a card as a small line."""

from collections.abc import Sequence
from typing import NamedTuple

from ratebook.book.ledger.history import SeriesPoint
from ratebook.rating.formulas import rounded
from ratebook.web.pictures.paths import area_path, line_path
from ratebook.web.pictures.scale import LEAST_SPAN, RatingScale, TimeScale
from ratebook.web.pictures.thinning import Point

MOST_SECTIONS = 40


class Sparkline(NamedTuple):
    """A line, the area below it (none for one rating), and the place of the last rating."""

    line: str
    area: str
    last: Point


def sparkline(points: Sequence[SeriesPoint]) -> Sparkline | None:
    """Return the line of the last ratings; None where there are none."""
    if not points:
        return None
    shown = points[-MOST_SECTIONS:]
    ratings = [rounded(point.rating) for point in shown]
    middle = (min(ratings) + max(ratings)) / 2
    half = max(max(ratings) - min(ratings), LEAST_SPAN) / 2
    scale, times = RatingScale(middle - half, middle + half, half), TimeScale.of(shown[0].end, shown[-1].end)
    places = [
        Point(times.across(point.end), scale.down(rating))
        for point, rating in zip(shown, ratings, strict=True)
    ]
    return Sparkline(line_path(places), area_path(places) if len(places) > 1 else "", places[-1])

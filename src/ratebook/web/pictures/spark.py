"""The last ratings of a card as a small line."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from ratebook.book.ledger.history import SeriesPoint
from ratebook.rating.formulas import rounded
from ratebook.web.pictures.paths import Point, area_below, line_path
from ratebook.web.pictures.scale import LEAST_SPAN, SIDE, RatingScale, TimeScale

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
    scale, times = _around(ratings), TimeScale.of(shown[0].end, shown[-1].end)
    places = [*map(Point, times.all_across(point.end for point in shown), scale.all_down(ratings))]
    line = line_path(places)
    return Sparkline(line, area_below(line) if len(places) > 1 else "", places[-1])


def _around(ratings: Sequence[float]) -> RatingScale:
    lowest, highest = min(ratings), max(ratings)
    middle, half = (lowest + highest) / 2, max(highest - lowest, LEAST_SPAN) / 2
    return RatingScale(middle - half, middle + half, half)


def trend(ratings: Sequence[tuple[int, int]], months: int) -> Markup:
    """Return official ratings as a line of a table, each with its month, the first one 0 and the last one *months*.

    >>> 'd="M0,750L500,500L1000,250"' in trend([(0, 1500), (1, 1525), (2, 1550)], 2)
    True
    """
    scale = _around([rating for _, rating in ratings])
    heights = scale.all_down(rating for _, rating in ratings)
    places = [
        Point(round(SIDE * at / months), height) for (at, _), height in zip(ratings, heights, strict=True)
    ]
    words = f"from {ratings[0][1]} to {ratings[-1][1]}"
    return Markup(  # noqa: S704 - numbers
        f'<svg class="trend" viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label="{words}">'
        f'<path d="{line_path(places)}"/><path class="last" d="M{places[-1].x},{places[-1].y}h0"/></svg>'
    )

"""Which of many points a line needs.

Where many points fall on one column, the first, the last, the lowest and the highest are drawn; columns are made wider
until the points are few enough for a page.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ratebook.web.pictures.scale import SIDE

PER_COLUMN = 4


class Point(NamedTuple):
    """Where a point stands."""

    x: int
    y: int


def column_width(lines: Sequence[Sequence[Point]], most: int) -> int:
    """Return how wide columns are so that of all *lines* at most so many points are left."""
    width = 1
    while width < SIDE and sum(map(len, lines)) > most < sum(_drawn(line, width) for line in lines):
        width *= 2
    return width


def _drawn(line: Sequence[Point], width: int) -> int:
    """Return how many points of a line are drawn at most."""
    return sum(min(number, PER_COLUMN) for number in Counter(point.x // width for point in line).values())


def thinned(line: Sequence[Point], width: int) -> Iterator[int]:
    """Yield which points a line needs whose columns have a *width*.

    >>> list(
    ...     thinned(
    ...         [Point(0, 5), Point(0, 7), Point(0, 5), Point(0, 6), Point(0, 1), Point(0, 5), Point(9, 5)], 4
    ...     )
    ... )
    [0, 1, 4, 5, 6]
    """
    for _, column in groupby(range(len(line)), key=lambda at: line[at].x // width):
        points = list(column)
        if len(points) <= PER_COLUMN:
            yield from points
        else:
            heights = sorted(points, key=lambda at: line[at].y)
            yield from sorted({points[0], points[-1], heights[0], heights[-1]})

"""Which of many points a line needs.

Where many points fall on one column, the first, the last, the lowest and the highest are drawn; columns are so wide
that the points are few enough for a page.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from ratebook.web.pictures.scale import SIDE

PER_COLUMN = 4


def column_width(numbers: Sequence[int], most: int) -> int:
    """Return how wide columns are so that of lines with so many points at most so many points are left.

    >>> column_width([150, 250], 400), column_width([1500], 400), column_width([1500, 200], 400)
    (1, 11, 21)
    """
    if sum(numbers) <= most:
        return 1
    columns = range(most // PER_COLUMN, 1, -1)
    fit = (each for each in columns if sum(min(number, each * PER_COLUMN) for number in numbers) <= most)
    return math.ceil((SIDE + 1) / next(fit, 1))


def thinned(across: Sequence[int], down: Sequence[int], width: int) -> Iterator[int]:
    """Yield which points a line needs whose columns have a *width*, of those so far *across* and *down*.

    >>> list(thinned([0, 0, 0, 0, 0, 0, 9], [5, 7, 5, 6, 1, 5, 5], 4))
    [0, 1, 4, 5, 6]
    """
    for _, column in groupby(range(len(across)), key=lambda at: across[at] // width):
        points = list(column)
        if len(points) <= PER_COLUMN:
            yield from points
        else:
            heights = sorted(points, key=down.__getitem__)
            yield from sorted({points[0], points[-1], heights[0], heights[-1]})

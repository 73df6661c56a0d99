"""Points as the paths of SVG."""

from collections.abc import Sequence
from typing import NamedTuple

from ratebook.web.pictures.scale import SIDE


class Point(NamedTuple):
    """Where a point stands."""

    x: int
    y: int


def line_path(points: Sequence[tuple[int, int]]) -> str:
    """Return points as a line.

    >>> line_path([(44, 12), (50, 13)])
    'M44,12L50,13'
    """
    return "M" + "L".join(f"{x},{y}" for x, y in points)


def area_below(line: str) -> str:
    """Return the area under a line.

    >>> area_below("M44,12L50,13")
    'M44,12L50,13V1000H44Z'
    """
    return f"{line}V{SIDE}H{line[1:].partition(',')[0]}Z"


def step_path(points: Sequence[tuple[int, int]], end: int) -> str:
    """Return points as steps, each level up to where the next begins.

    >>> step_path([(62, 100), (90, 80)], 100)
    'M62,100H90V80H100'
    """
    (x, y), *others = points
    return f"M{x},{y}" + "".join(f"H{across}V{down}" for across, down in others) + f"H{end}"

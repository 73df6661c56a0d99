"""What a known answer is: what must come out and why, and a function that lets the laboratory compute it."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple


class KnownFigure(NamedTuple):
    """Something computed, and the bounds between which it has to be.

    Attributes:
        what: in words, with its unit.
        low, high: bounds that are allowed; equal where there is one value.
        got: what came out.
    """

    what: str
    low: float
    high: float
    got: float

    @property
    def holds(self) -> bool:
        """Return whether it is within its bounds; NaN is not."""
        return self.low <= self.got <= self.high

    def __str__(self) -> str:
        """Return it as a line: what, the bounds, what came out."""
        bounds = f"{self.low:.6g}" if self.low == self.high else f"{self.low:.6g} to {self.high:.6g}"
        return f"{self.what}: expected {bounds}, found {self.got:.6g}{'' if self.holds else ' - FAILS'}"


class KnownAnswer(NamedTuple):
    """Something that is known beforehand.

    Attributes:
        number: as A8; several answers may share one.
        says: what must come out.
        source: why: a formula, a document, or another computation.
        compute: yields the figures; its argument is a folder in which worlds and cells may be left for other answers.
        long: whether it takes more than a second or so, so that only `make lab-check` computes it.
    """

    number: str
    says: str
    source: str
    compute: Callable[[Path], Iterable[KnownFigure]]
    long: bool = False


def about(what: str, wanted: float, tolerance: float, got: float) -> KnownFigure:
    """Return a figure that has to be *wanted*, give or take *tolerance*."""
    return KnownFigure(what, wanted - tolerance, wanted + tolerance, got)


def same(what: str, differing: int) -> KnownFigure:
    """Return a figure that counts what differs; nothing may."""
    return KnownFigure(what, 0.0, 0.0, float(differing))

"""What is measured in a cell, and how a figure that follows from it is shown."""

import math
from collections.abc import Callable
from datetime import date
from typing import NamedTuple, TypeAlias

from ratebook.lab.cells.content import CellContent
from ratebook.lab.competitors.competitor import Competitor
from ratebook.model import System

SYSTEMS = tuple(System)

Figure: TypeAlias = float | tuple[float, ...] | None
"""One number, several of a kind, or none where it is not known."""


class Measures(NamedTuple):
    """What is measured.

    Attributes:
        system: of the scores.
        since: games of sections that end earlier only warm the ratings up.
        competitor: whose ratings are measured instead of those of the rules. The games, and which of them are between
            established players, are those of the rules.
        three_way: whether forecasts of wins, draws and losses are scored too, with a share of draws from games before
            that day.
        people: whether the standings of members are kept, for the office alone.
        is_baseline: whether the games are kept with the parts that they are in, so that others can be compared.
        until: games of sections that end on this day or later are not scored.
        white: what White has more in every forecast, points of which 400 are ten to one.
    """

    system: System = System.REGULAR
    since: date = date.min
    competitor: Competitor | None = None
    three_way: bool = False
    people: bool = False
    is_baseline: bool = False
    until: date = date.max
    white: float = 0.0

    @property
    def key(self) -> "Measures":
        """Return what tells measures apart, wherever files lie."""
        if self.competitor is None:
            return self
        return self._replace(competitor=self.competitor.without_file)


class Measure(NamedTuple):
    """A figure of a variant beside its scores: declared where it is gathered, named in `gathering.MEASURES`.

    *name* is its name in JSON, *title* heads its column, *about* is the note below a table. It is shown multiplied by
    *times*, with so many *digits* behind the point; *against_truth* is known only where true strengths are.
    """

    name: str
    title: str
    about: str
    read: Callable[[CellContent], Figure]
    digits: int
    times: float = 1.0
    signed: bool = False
    against_truth: bool = False

    @property
    def form(self) -> str:
        """Return how a number is written."""
        return f"{'+' if self.signed else ''}.{self.digits}f"

    def text(self, figure: Figure) -> str:
        """Return a figure as tables show it; empty where it is not known.

        >>> change = Measure("change", "Change", "", lambda cell: cell.changes.change, 1)
        >>> change.text(12.34), change.text(None), change.text((0.5, 1.0))
        ('12.3', '', '0.5  1.0')
        """
        if isinstance(figure, tuple):
            return "  ".join(self.text(part) for part in figure)
        if figure is None or math.isnan(figure):
            return ""
        return format(figure * self.times, self.form)

"""Which graphs of a player there are: of one system or all, of some years or all."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple, TypeAlias

from ratebook.book.ledger.history import SeriesPoint
from ratebook.model import System
from ratebook.web.layout.choices import MenuItem

RANGES = {"1 year": 1, "4 years": 4}


Series: TypeAlias = Mapping[System, Sequence[SeriesPoint]]


class GraphQuestion(NamedTuple):
    """What of a player's ratings a graph shows: one system or all, from a day to another."""

    system: System | None = None
    since: date | None = None
    until: date | None = None

    def of(self, series: Series) -> dict[System, Sequence[SeriesPoint]]:
        """Return the part of *series* that is asked for."""
        first, last = self.since or date.min, self.until or date.max
        within = {
            system: [point for point in line if first <= point.end <= last]
            for system, line in series.items()
            if self.system in {None, system}
        }
        return {system: line for system, line in within.items() if line}

    @property
    def address(self) -> str:
        """Return where the graph is, from another one of the same player."""
        values = {"system": self.system, "from": self.since, "to": self.until}
        query = "&".join(f"{name}={value}" for name, value in values.items() if value is not None)
        return f"?{query}#graph"


def ranges_of(series: Series, question: GraphQuestion, today: date) -> tuple[MenuItem, ...]:
    """Return the ranges that are shorter than the history and have ratings, and all of it; nothing if none is."""
    ends = [end for line in series.values() if line for end in (line[0].end, line[-1].end)] or [today]
    since = {text: _years_before(today, years) for text, years in RANGES.items()}
    ranges = [(text, day) for text, day in since.items() if min(ends) < day <= max(ends)]
    return tuple(
        MenuItem(text, question._replace(since=day, until=None).address, question.since == day)
        for text, day in ([*ranges, ("All", None)] if ranges else [])
    )


def _years_before(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)

"""Which graphs of a player there are: of one system or all, of some years or all."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple, TypeAlias

from ratebook.book.ledger.history import SeriesPoint
from ratebook.model import System
from ratebook.records.system_titles import SYSTEM_TITLES

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
    def query(self) -> str:
        """Return it as the query of an address."""
        values = {"system": self.system, "from": self.since, "to": self.until}
        return "?" + "&".join(f"{name}={value}" for name, value in values.items() if value is not None)


class GraphLink(NamedTuple):
    """A link to another graph of the same player."""

    text: str
    query: str
    current: bool


class Choices(NamedTuple):
    """Links to other graphs of a player; empty where there is nothing to choose."""

    systems: tuple[GraphLink, ...]
    ranges: tuple[GraphLink, ...]


def choices(series: Series, question: GraphQuestion, today: date) -> Choices:
    """Return the graphs that can be chosen: each system, and ranges that are shorter than the history, with ratings."""
    systems = [(None, "All systems"), *((system, SYSTEM_TITLES[system]) for system in series)]
    ends = [end for those in series.values() if those for end in (those[0].end, those[-1].end)] or [today]
    since = {text: _years_before(today, years) for text, years in RANGES.items()}
    ranges = [(text, day) for text, day in since.items() if min(ends) < day <= max(ends)]
    return Choices(
        tuple(
            GraphLink(text, question._replace(system=system).query, question.system == system)
            for system, text in (systems if len(series) > 1 else [])
        ),
        tuple(
            GraphLink(text, question._replace(since=day, until=None).query, question.since == day)
            for text, day in ([*ranges, ("All", None)] if ranges else [])
        ),
    )


def _years_before(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)

"""What was known of players when a section began: a long section is forecast without what happened beside it.

Sections are rated in the order of their last days. Of a member's rows that end on the first day of a section or later,
the earliest one begins with what was known before that day; it is at the latest the row of the section itself.
"""

from pathlib import Path

import numpy as np
import polars as pl

from ratebook.lab.cells.forecasts import Ratings, sections_of
from ratebook.replay.load import RawChunk
from ratebook.replay.memory import Array

DAYS = 1 << 32
"""More than any day number."""
KNOWN = ("before", "games", "newcomer", "deviation")


def longest_section(history: Path) -> int:
    """Return the days from the first to the last day of the longest section."""
    sections = pl.read_parquet(history / "sections.parquet", columns=["start", "end"])
    longest = sections.select((pl.col("end") - pl.col("start")).dt.total_days().max()).item()
    return int(longest or 0)


class KnownAtStart:
    """Rows that sections still to come may begin before.

    Attributes:
        longest: days of the longest section, from its first to its last day.
    """

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self._kept: dict[str, Array] = {}

    def known(self, raw: RawChunk, ratings: Ratings) -> Ratings:
        """Return the ratings of a chunk's entries as they were before the first days of their sections."""
        section = sections_of(raw)
        has = np.flatnonzero(ratings.row >= 0)
        day, start = (raw.sections[name][section[has]].astype("i8") for name in ("end", "start"))
        member = raw.entries["member"][has].astype("i8")
        names = [name for name in KNOWN if getattr(ratings, name) is not None]
        now = {
            "key": member * DAYS + day,
            "day": day,
            **{name: getattr(ratings, name)[has] for name in names},
        }
        rows = {
            name: np.concatenate([self._kept.get(name, values[:0]), values]) for name, values in now.items()
        }
        order = np.argsort(rows["key"], kind="stable")
        first = order[np.searchsorted(rows["key"][order], member * DAYS + start)]
        if len(day):
            later = rows["day"] >= day[-1] - self.longest
            self._kept = {name: values[later] for name, values in rows.items()}
        at_start = {name: getattr(ratings, name).copy() for name in names}
        for name, values in at_start.items():
            values[has] = rows[name][first]
        return ratings._replace(**at_start)

"""Rated reports as one Polars frame, for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from ratebook.formats.results.rated import HEADER
from ratebook.rating.results import Workings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ratebook.rating.results import RatedEntry, RatedSection
    from ratebook.reports.rate import RatedReport

_KINDS: dict[str, type[pl.DataType]] = {
    **dict.fromkeys(("section", "seat", "published"), pl.Int32),
    **dict.fromkeys(("before", "games_before", "after", "games_after", *Workings._fields[1:]), pl.Float64),
    "established": pl.Boolean,
}
SCHEMA: dict[str, type[pl.DataType]] = {
    "event": pl.String,
    "end": pl.Date,
    **{name: _KINDS.get(name, pl.String) for name in HEADER},
}
"""The columns of a frame: event and last day, then those of docs/formats/rated.md."""


def rated_frame(reports: Iterable[RatedReport]) -> pl.DataFrame:
    """Return the results of *reports*: one row for each section, system and seat.

    The columns are those of the CSV (docs/formats/rated.md), after the event's id, or its name where it has none, and
    the section's last day. Games are infinite where a rating is only known to be established; what does not exist is
    null. A report that was not rated, since it has errors, has no row.
    """
    rows = [
        (event, section.section.end, *_row(section, entry))
        for report in reports
        if report.report is not None
        for event in [report.report.event.id or report.report.event.name]
        for section in report.sections
        for entry in section.entries
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _row(rated: RatedSection, entry: RatedEntry) -> Iterator[object]:
    """Yield the values of a seat in the order of `HEADER`."""
    yield from (rated.section.number, rated.system.value, entry.seat, entry.player)
    yield rated.facts[entry.player].name
    yield from entry.before
    yield from entry.after or (None,) * 4
    yield from entry.workings or (None,) * len(Workings._fields)

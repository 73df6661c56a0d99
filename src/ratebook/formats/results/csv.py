"""Rated sections as CSV: one line for each seat and system."""

from collections.abc import Iterable

from ratebook.formats.reading.spreadsheet import csv_text, guarded
from ratebook.formats.results.json import games_as_json
from ratebook.rating.results import RatedEntry, RatedSection, Workings

HEADER = (
    "section",
    "system",
    "seat",
    "player",
    "name",
    "before",
    "games_before",
    "source",
    "after",
    "games_after",
    "published",
    "established",
    *Workings._fields,
)


def rated_as_csv(sections: Iterable[RatedSection]) -> str:
    """Return the results of *sections* as CSV with a header line; empty cells where there is no value."""
    return csv_text([HEADER, *(_cells(rated, entry) for rated in sections for entry in rated.entries)])


def _cells(rated: RatedSection, entry: RatedEntry) -> list[object]:
    after, workings = entry.after, entry.workings
    cells: list[object] = [
        rated.section.number,
        rated.system.value,
        entry.seat,
        guarded(entry.player),
        guarded(rated.facts[entry.player].name),
        entry.before.rating,
        games_as_json(entry.before.games),
        entry.before.source,
    ]
    if after is None:
        cells += [""] * 4
    else:
        cells += [after.rating, games_as_json(after.games), after.published, int(after.established)]
    # None becomes an empty cell.
    return cells + list(workings or [""] * len(Workings._fields))

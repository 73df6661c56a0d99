"""Rated sections as CSV: one line for each seat and system."""

import csv
import io
from collections.abc import Iterable

from ratebook.formats.reading.spreadsheet import guarded
from ratebook.formats.results.json import games_as_json
from ratebook.rating.results import RatedSection

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
    "formula",
    "effective_games",
    "k",
    "score",
    "expected",
    "bonus",
    "step3",
    "step4",
    "step5",
    "floor",
)


def rated_as_csv(sections: Iterable[RatedSection]) -> str:
    """Return the results of *sections* as CSV with a header line; empty cells where there is no value."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for rated in sections:
        for entry in rated.entries:
            after, workings = entry.after, entry.workings
            writer.writerow(
                [
                    rated.section.number,
                    rated.system.value,
                    entry.seat,
                    guarded(entry.player),
                    guarded(rated.facts[entry.player].name),
                    entry.before.rating,
                    games_as_json(entry.before.games),
                    entry.before.source,
                    *(
                        [""] * 4
                        if after is None
                        else [
                            after.rating,
                            games_as_json(after.games),
                            after.published,
                            int(after.established),
                        ]
                    ),
                    *(
                        [""] * 10
                        if workings is None
                        else ["" if value is None else value for value in workings]
                    ),
                ]
            )
    return out.getvalue()

"""Rated sections and explanations as JSON values, and rated sections as CSV, one line for each seat and system.

The formats of JSON are ``ratebook-rated/1`` and ``ratebook-explanation/1``.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ratebook.findings import Finding
from ratebook.formats.reading.spreadsheet import csv_text, guarded
from ratebook.rating.results import RatedEntry, RatedSection, Workings
from ratebook.records.explanations import Explanation
from ratebook.records.record import plain
from ratebook.records.reports import said
from ratebook.rules.rulebook import as_json, fingerprint

RATED_FORMAT = "ratebook-rated/1"
EXPLANATION_FORMAT = "ratebook-explanation/1"


def games_as_json(games: float) -> float | int | None:
    """Return N for JSON: whole numbers without a point, None where only "established" is known."""
    if math.isinf(games):
        return None
    return int(games) if games == int(games) else games


def entry_as_json(entry: RatedEntry) -> dict[str, Any]:
    """Return one seat of the rated report."""
    before, after, workings = entry.before, entry.after, entry.workings
    return {
        "seat": entry.seat,
        "player": entry.player,
        "before": before._asdict() | {"games": games_as_json(before.games)},
        "after": None if after is None else after._asdict() | {"games": games_as_json(after.games)},
        "workings": None if workings is None else workings._asdict(),
    }


def section_as_json(rated: RatedSection) -> dict[str, Any]:
    """Return one section in one system of the rated report."""
    return {
        "number": rated.section.number,
        "system": rated.system.value,
        "rules": as_json(rated.rules),
        "rules_fingerprint": fingerprint(rated.rules),
        "entries": [entry_as_json(entry) for entry in rated.entries],
    }


def rated_as_json(
    sections: Iterable[RatedSection], findings: Iterable[Finding], accepted: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the rated report (the contract of ``ratebook rate --json``).

    *accepted* are the codes of the warnings that were acknowledged; where there are none, the key is left out.
    """
    return {
        "format": RATED_FORMAT,
        **({"accepted": list(accepted)} if accepted else {}),
        "problems": plain(said(findings)),
        "sections": [section_as_json(rated) for rated in sections],
    }


def explanations_as_json(explanations: Iterable[Explanation], findings: Iterable[Finding]) -> dict[str, Any]:
    """Return explanations (one for each system of the section) with the findings."""
    return {
        "format": EXPLANATION_FORMAT,
        "problems": plain(said(findings)),
        "explanations": plain(list(explanations), office=True),
    }


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

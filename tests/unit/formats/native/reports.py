"""The contract's example of a native report, and changes of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ratebook.formats.contract import is_unreadable
from ratebook.formats.native.read import parse_native_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.findings import Finding


# Copied from the contract (formats/report-json.md), character for character.
CONTRACT_EXAMPLE = """
{
  "format": "ratebook-report/1",
  "event": {"id": "202611140001", "name": "Autumn Quad", "start": "2026-11-14", "end": "2026-11-14",
            "city": "", "state": "", "country": "USA", "affiliate": "", "chief_td": ""},
  "players": [
    {"id": "P1", "name": "", "birth_date": "2012-05-01", "adult": null, "canadian_resident": false,
     "ratings": {
       "regular": {"rating": 612.4, "games": 38, "wins": 17, "draws": 5, "losses": 16, "record": "mixed",
                   "long_events": 9, "peak": 640.2, "life_master_games": 0,
                   "published": 605, "published_games": 35, "as_of": "2026-10-03"},
       "quick":   {"rating": 598.1, "games": null}
     },
     "fide": {"rating": 1480, "as_of": "2026-11-01"}, "cfc": {"rating": 1200, "as_of": "2026-09-01"},
     "floors": [{"system": "regular", "kind": "money", "floor": 1800}], "ceilings": [{"system": "regular", "ceiling": 2000}],
     "us_member": true, "usa_flag": true, "fide_opt_in": false,
     "matches": [{"system": "regular", "end": "2026-05-01", "change": 23.4}]},
    {"id": "P2", "ratings": {"regular": {"rating": 655.0, "games": 52}}},
    {"id": "P3", "ratings": {"regular": {"rating": 580.25, "games": 12}}},
    {"id": "P4", "ratings": {}, "initial": {"regular": {"rating": 498, "games": 0}}}
  ],
  "sections": [
    {"number": 1, "name": "Quad A", "start": "2026-11-14", "end": "2026-11-14", "time_control": "G/90;d5",
     "type": "round-robin", "online": false, "half_k": false,
     "entries": [{"seat": 1, "player": "P1", "rounds": ["W2w", "W3b", "D4w"]},
                 {"seat": 2, "player": "P2", "rounds": ["L1b", "W4w", "D3b"]},
                 {"seat": 3, "player": "P3", "rounds": ["L4b", "L1w", "D2w"]},
                 {"seat": 4, "player": "P4", "rounds": ["W3w", "L2b", "D1b"]}]}
  ]
}
"""  # noqa: E501 - the contract's own lines

Values = dict[str, Any]


def problems_after(change: Callable[[Values], object]) -> tuple[Finding, ...]:
    """Return the findings on the contract's example after *change*; none of them may be a surprise."""
    values = json.loads(CONTRACT_EXAMPLE)
    change(values)
    result = parse_native_json(json.dumps(values).encode(), "quad.json")
    assert (result.report is None) == is_unreadable(result.findings)
    return result.findings


def player(values: Values, number: int = 1) -> Values:
    chosen: Values = values["players"][number - 1]
    return chosen


def regular(values: Values) -> Values:
    chosen: Values = player(values)["ratings"]["regular"]
    return chosen


def section(values: Values) -> Values:
    chosen: Values = values["sections"][0]
    return chosen


def entry(values: Values, seat: int) -> Values:
    chosen: Values = section(values)["entries"][seat - 1]
    return chosen


def set_at(*path: str | int, to: object) -> Callable[[Values], None]:
    """Return a change that sets the value at *path*."""

    def change(values: Values) -> None:
        inner: Any = values
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = to

    return change

"""The native report written: everything that a report says, one player and one entry a line.

What has its default is left out, so that the file shows what is known. Reading the file gives the same report.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from ratebook.formats.contract import Written
from ratebook.formats.losses import Losses
from ratebook.formats.native.read import REPORT_FORMAT
from ratebook.formats.reading.cells import cell_text, plain_number
from ratebook.model import (
    Ceiling,
    EarlierMatch,
    EnteredFloor,
    Event,
    ForeignRating,
    InitialRating,
    PlayerFacts,
    Rating,
    System,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ratebook.formats.contract import AfterRatings
    from ratebook.model import Entry, Report, Section

FILE_NAME = "report.json"

RECORDS = (Rating, ForeignRating, InitialRating, EnteredFloor, Ceiling, EarlierMatch)

_EVENT_DEFAULTS = Event()._asdict()
_PLAYER_DEFAULTS = PlayerFacts("")._asdict()


def write(report: Report, after: AfterRatings | None = None) -> Written:
    """Return *report* as a native report; ratings *after* the event are the rated report's business, not this one's.

    One thing only has no place: a section whose first day is unknown in an event whose first day is known.
    """
    del after
    losses = Losses()
    if report.event.start is not None:
        losses.add(
            "unknown first day of a section, which reads as the event's",
            sum(section.start is None for section in report.sections),
        )
    lines = [
        "{",
        f'  "format": {_json(REPORT_FORMAT)},',
        f'  "event": {_json(_known(report.event, _EVENT_DEFAULTS))},',
    ]
    lines.append('  "players": [')
    lines += _separated(f"    {_json(_player(key, player))}" for key, player in report.players.items())
    lines += ["  ],", '  "sections": [']
    lines += _separated(_section_text(section) for section in report.sections)
    lines += ["  ]", "}", ""]
    return Written({FILE_NAME: "\n".join(lines).encode()}, losses.findings(FILE_NAME))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _separated(items: Iterable[str]) -> list[str]:
    """Return the items of a JSON list, each on lines of its own."""
    texts = list(items)
    return [*(f"{text}," for text in texts[:-1]), *texts[-1:]]


def _plain(value: object) -> object:
    """Return *value* as JSON has it: dates as text, records as objects without what is unknown in them."""
    if isinstance(value, float):
        return plain_number(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {system.value: _plain(value[system]) for system in System if system in value}
    if isinstance(value, RECORDS):
        # Games of null mean an established rating; their absence would be an assumption.
        return {
            field: _plain(inner)
            for field, inner in value._asdict().items()
            if inner is not None or field == "games"
        }
    if isinstance(value, tuple):
        return [_plain(inner) for inner in value]
    return value


def _known(record: Event | PlayerFacts, defaults: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of *record* that do not have their defaults."""
    return {field: _plain(value) for field, value in record._asdict().items() if value != defaults[field]}


def _player(key: str, player: PlayerFacts) -> dict[str, object]:
    return {"id": key, **_known(player._replace(id=""), _PLAYER_DEFAULTS)}


def _section_text(section: Section) -> str:
    """Return a section: its facts on one line, then its entries."""
    facts: dict[str, object] = {"number": section.number, "name": section.name}
    if section.start is not None:
        facts["start"] = section.start.isoformat()
    facts["end"] = section.end.isoformat()
    if section.time_control is not None:
        facts["time_control"] = section.time_control
    facts["type"] = section.type
    facts["online"] = section.online
    if section.half_k:
        facts["half_k"] = True
    if section.youth:
        facts["youth"] = True
    entries = _separated(f"       {_entry_text(entry)}" for entry in section.entries)
    return "\n".join([f"    {_json(facts)[:-1]},", '     "entries": [', *entries, "     ]}"])


def _entry_text(entry: Entry) -> str:
    facts: dict[str, object] = {
        "seat": entry.seat,
        "player": entry.player,
        "rounds": [cell_text(cell) for cell in entry.rounds],
    }
    if entry.update:
        facts["update"] = True
    if entry.floor_request is not None:
        facts["floor_request"] = entry.floor_request
    return _json(facts)

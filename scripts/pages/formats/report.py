"""The native report: its JSON Schema and its page, from the tables of the fields."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scripts.pages.places import MADE_BY

from ratebook.formats.native.read import REPORT_FORMAT
from ratebook.formats.reading.kinds import Bounded, Bounds, Choice, Day, Flag, Lines, Number, PrivateDay, Text
from ratebook.formats.reading.record import BySystem, Listed, Nested
from ratebook.formats.reading.tables import (
    CEILING,
    ENTRY,
    EVENT,
    FLOOR,
    FOREIGN,
    INITIAL,
    MATCH,
    PLAYER,
    PRIZE,
    RATING,
    SECTION,
    Rounds,
)
from ratebook.model import System

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratebook.formats.reading.kinds import FieldKind
    from ratebook.formats.reading.record import Field, RecordTable

TABLES: dict[str, RecordTable[Any]] = {
    "event": EVENT,
    "player": PLAYER,
    "rating": RATING,
    "foreign-rating": FOREIGN,
    "initial-rating": INITIAL,
    "floor": FLOOR,
    "ceiling": CEILING,
    "earlier-match": MATCH,
    "section": SECTION,
    "entry": ENTRY,
    "prize": PRIZE,
}
"""The records of a report by the names that the schema and the page give them."""

_NULL = {"type": "null"}

_INTRODUCTION = f"""
# The native report

{MADE_BY} from the tables of `src/ratebook/formats/reading/tables.py`.

One JSON file describes one event with everything that is needed to rate it.
Every other format converts to it and from it, and it can be edited by hand.
[report.schema.json](report.schema.json) is its JSON Schema.

The file is an object:

| key | value | |
| --- | --- | --- |
| `format` | `"{REPORT_FORMAT}"` | required |
| `event` | an [event](#event) | |
| `players` | a list of [players](#player) | required |
| `sections` | a list of [sections](#section), at least one | required |
| `prizes` | a list of [prizes](#prize) won in the sections | |

A key that is absent or null says nothing. If what is missing matters for a number, a finding names the assumption made.
An unknown key is an error, and so is a key that occurs twice.
The systems are {", ".join(f"`{system.value}`" for system in System)}.
In a foreign FIDE event, entries with `update` are of players whose OTB Regular rating is updated.
All others bring a FIDE rating.

A round is a result letter, the seat of the opponent and, if it is known, the colour: `W12b`, `D3`, `H`.

| letters | |
| --- | --- |
| `W` `D` `L` | played: win, draw, loss |
| `N` `R` `S` | played, but reported by one side only: win, draw, loss |
| `X` `Z` `F` | forfeit: win, draw, loss |
| `B` `H` `U` | full bye, half bye, unpaired |
| empty or null | nothing |
""".strip()


def report_schema() -> str:
    """Return the JSON Schema of the native report."""
    properties = {
        "format": {"const": REPORT_FORMAT},
        "event": _nullable(_reference("event")),
        "players": {"type": "array", "items": _reference("player")},
        "sections": {"type": "array", "items": _reference("section"), "minItems": 1},
        "prizes": _nullable({"type": "array", "items": _reference("prize")}),
    }
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": REPORT_FORMAT,
        **_object(properties, ("format", "players", "sections")),
        "$defs": {name: _record_schema(table) for name, table in TABLES.items()},
    }
    return json.dumps(schema, indent=1) + "\n"


def _object(properties: dict[str, Any], required: tuple[str, ...]) -> dict[str, Any]:
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False}


def _record_schema(table: RecordTable[Any]) -> dict[str, Any]:
    properties = {}
    for field in table.fields:
        schema = _kind_schema(field.kind)
        properties[field.name] = {
            "description": "; ".join(filter(None, (field.title, field.about))),
            **(schema if field.required else _nullable(schema)),
        }
    return _object(properties, table.required)


def _kind_schema(kind: FieldKind[Any]) -> dict[str, Any]:
    if isinstance(kind, Nested):
        return _reference(_name_of(kind.table))
    if isinstance(kind, BySystem):
        record = _nullable(_reference(_name_of(kind.table)))
        return _object({system.value: record for system in System}, ())
    if isinstance(kind, Listed):
        return {"type": "array", "items": _reference(_name_of(kind.table)), **kind.schema}
    return kind.schema


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    return {**schema, "type": [schema["type"], "null"]} if "type" in schema else {"anyOf": [schema, _NULL]}


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _name_of(table: RecordTable[Any]) -> str:
    return next(name for name, known in TABLES.items() if known is table)


def report_page() -> str:
    """Return the page of the native report."""
    parts = [_INTRODUCTION]
    for name, table in TABLES.items():
        rows = "\n".join(_row(field) for field in table.fields)
        parts.append(
            f"## {_words(name).capitalize()}\n\n| key | what | value | |\n| --- | --- | --- | --- |\n{rows}"
        )
    return "\n\n".join(parts) + "\n"


def _words(name: str) -> str:
    return name.replace("-", " ")


def _row(field: Field) -> str:
    return f"| `{field.name}` | {field.title} | {_value(field.kind)} | {'; '.join(_notes(field))} |"


def _notes(field: Field) -> Iterator[str]:
    if field.required:
        yield "required"
    if field.about:
        yield field.about
    if field.private:
        yield "private"


def _value(kind: FieldKind[Any]) -> str:
    if isinstance(kind, Bounded):
        what = kind.unit or "number" if isinstance(kind, Number) else f"whole {kind.unit or 'number'}"
        return f"{what}, {kind.low:,} to {kind.high:,}"
    if isinstance(kind, Choice):
        return ", ".join(f"`{word.value}`" for word in kind.words)
    if isinstance(kind, Bounds):
        return f"some of {', '.join(f'`{word}`' for word in kind.words)}, separated by spaces"
    if isinstance(kind, Nested | BySystem | Listed):
        name = _name_of(kind.table)
        link = f"[{_words(name)}](#{name})"
        return {Nested: link, BySystem: f"object: {link} by system", Listed: f"list: {link}"}[type(kind)]
    return _WORDS[type(kind)]


_WORDS = {
    Text: "text",
    Flag: "true or false",
    Day: "day, `YYYY-MM-DD`",
    PrivateDay: "day, `YYYY-MM-DD`",
    Rounds: "list of rounds",
    Lines: "list of texts",
}

"""The columns of a history: tables, types and what an empty value means (docs/history-columns.md describes them).

A history is eight Arrow tables. In memory they are whatever has the Arrow PyCapsule interface (Polars frames, PyArrow
tables); on disk they are Parquet files of the same names in one folder.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ratebook.replay.memory import Array

VERSION = b"1"
VERSION_KEY = b"ratebook-history"

EPOCH = 719_163
"""Day number of 1970-01-01, from which Arrow counts."""

EMPTY_COUNT = -1
"""An empty value in an array of whole numbers or days; in one of floats it is NaN."""


def _field(name: str, kind: pa.DataType, *, null: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable=null)


_DAY = pa.date32()
_INDEX = pa.int32()
_POINTS = pa.float64()

_CARRIED_COLUMNS = [
    _field("wins", pa.int32(), null=True),
    _field("draws", pa.int32(), null=True),
    _field("losses", pa.int32(), null=True),
    _field("record", pa.int8(), null=True),
    _field("long_events", pa.int32(), null=True),
    _field("peak", _POINTS, null=True),
    _field("life_master_games", pa.int32(), null=True),
    _field("floor_money", _POINTS, null=True),
    _field("floor_olm", _POINTS, null=True),
    _field("floor_lowered", _POINTS, null=True),
    _field("floor_office", _POINTS, null=True),
]
"""What a rating carries, in balances and in final standings."""

SCHEMAS: dict[str, pa.Schema] = {
    "members": pa.schema(
        [
            _field("id", pa.string()),
            _field("birth_date", _DAY, null=True),
            _field("adult", pa.bool_()),
            _field("canadian_resident", pa.bool_()),
            _field("usa_flag", pa.bool_()),
            _field("fide_opt_in", pa.bool_()),
        ]
    ),
    "balances": pa.schema(
        [
            _field("member", _INDEX),
            _field("system", pa.int8()),
            _field("as_of", _DAY, null=True),
            _field("rating", _POINTS),
            _field("games", _POINTS, null=True),
            *_CARRIED_COLUMNS,
        ]
    ),
    "foreign_ratings": pa.schema(
        [
            _field("member", _INDEX),
            _field("source", pa.int8()),
            _field("list_date", _DAY),
            _field("rating", _POINTS),
        ]
    ),
    "decisions": pa.schema(
        [
            _field("member", _INDEX),
            _field("system", pa.int8()),
            _field("effective", _DAY),
            _field("kind", pa.int8()),
            _field("floor_kind", pa.int8()),
            _field("value", _POINTS),
            _field("games", _POINTS),
        ]
    ),
    "published_ratings": pa.schema(
        [
            _field("member", _INDEX),
            _field("system", pa.int8()),
            _field("list_date", _DAY),
            _field("rating", pa.int32()),
            _field("games", pa.int32(), null=True),
        ]
    ),
    "sections": pa.schema(
        [
            _field("event", pa.string()),
            _field("number", pa.int32()),
            _field("start", _DAY),
            _field("end", _DAY),
            _field("kind", pa.int8()),
            _field("half_k", pa.bool_()),
            _field("youth", pa.bool_()),
            _field("systems", pa.uint8()),
            _field("entries", pa.int32()),
        ]
    ),
    "entries": pa.schema(
        [
            _field("member", _INDEX),
            _field("games", pa.uint16()),
            _field("marks", pa.uint8()),
            _field("fide", _POINTS),
        ]
    ),
    "games": pa.schema(
        [
            _field("opponent", pa.uint16()),
            _field("score", pa.uint8()),
        ]
    ),
}
"""The tables of a history, by name."""

SIDE_TABLES = ("members", "balances", "foreign_ratings", "decisions", "published_ratings")
"""Tables that are held in memory as a whole; they grow with members."""

MAY_LACK = frozenset({"published_ratings"})
"""Tables whose file a history on disk may lack: none of their facts is known then."""

STREAMED = ("sections", "entries", "games")
"""Tables that are read chunk by chunk."""

LEDGER = pa.schema(
    [
        _field("member", _INDEX),
        _field("section", pa.int32()),
        _field("system", pa.int8()),
        _field("source", pa.int8()),
        _field("formula", pa.int8()),
        _field("played", pa.int32()),
        _field("rating_before", _POINTS),
        _field("games_before", _POINTS),
        _field("rating", _POINTS),
        _field("games", _POINTS),
        _field("k", _POINTS, null=True),
        _field("score", _POINTS),
        _field("expected", _POINTS),
        _field("bonus", _POINTS, null=True),
        _field("floor_applied", _POINTS, null=True),
    ]
)
"""Ledger rows: one a player, section and system with a rated game."""

CARRIED = pa.schema(
    [
        _field("wins", pa.int32(), null=True),
        _field("draws", pa.int32(), null=True),
        _field("losses", pa.int32(), null=True),
        _field("record", pa.int8()),
        _field("long_events", pa.int32(), null=True),
        _field("peak", _POINTS, null=True),
        _field("life_master_games", pa.int32(), null=True),
        _field("lowered", _POINTS, null=True),
        _field("match_change", _POINTS, null=True),
        _field("effective_games", _POINTS),
        _field("step3", _POINTS, null=True),
        _field("step4", _POINTS, null=True),
        _field("step5", _POINTS),
    ]
)
"""What a ledger with workings has besides."""

FULL_LEDGER = pa.schema([*LEDGER, *CARRIED])
"""A ledger with workings."""

STANDINGS = pa.schema(
    [
        _field("member", _INDEX),
        _field("system", pa.int8()),
        _field("as_of", _DAY, null=True),
        _field("rating", _POINTS),
        _field("games", _POINTS),
        *_CARRIED_COLUMNS,
    ]
)
"""The final standings of all rated members; the columns are those of ``balances``."""


class History(NamedTuple):
    """The eight tables; each is anything with the Arrow PyCapsule interface (a Polars frame, a PyArrow table).

    Attributes:
        members: one row a member; a member is named by the number of the row in all other tables.
        balances: where ledgers begin, one row a member and system.
        foreign_ratings: FIDE and CFC ratings, by member, source and list date.
        decisions: of the office, by member, system and day.
        published_ratings: of official lists, by member, system and list date; a rating stays until the next row.
        sections: in the order of rating: end date, event, number (docs/rules/readings.md#a11).
        entries: section after section; a player with two seats is one entry.
        games: entry after entry, in the order of rounds; a game appears once for each side that has it rated.
    """

    members: Any
    balances: Any
    foreign_ratings: Any
    decisions: Any
    published_ratings: Any
    sections: Any
    entries: Any
    games: Any


def arrow_table(given: Any) -> pa.Table:  # noqa: ANN401 - anything with the PyCapsule interface
    """Return *given* as a PyArrow table, without copying where its types allow it."""
    return given if isinstance(given, pa.Table) else pa.table(given)


def table_of(name: str, columns: Mapping[str, Array], schema: pa.Schema | None = None) -> pa.Table:
    """Return a table of a history from arrays: days as day numbers, -1 and NaN for empty values, ids as numbers."""
    fields = SCHEMAS[name] if schema is None else schema
    return pa.table([arrow_column(columns[field.name], field) for field in fields], schema=fields)


def arrow_column(values: Array, field: pa.Field) -> pa.Array:
    """Return an array as a column of the type of *field*."""
    if pa.types.is_string(field.type):
        return pa.array(values).cast(pa.string())
    if pa.types.is_boolean(field.type):
        return pa.array(values.astype(bool))
    numbers = np.asarray(values)
    mask = None
    if field.nullable:
        empty = np.isnan(numbers) if numbers.dtype.kind == "f" else numbers == EMPTY_COUNT
        mask = empty if empty.any() else None
    if pa.types.is_date(field.type):
        days = (numbers - EPOCH).astype("i4")
        return pa.array(days, type=pa.int32(), mask=mask).view(field.type)
    wanted = field.type.to_pandas_dtype()
    return pa.array(numbers.astype(wanted, copy=False), type=field.type, mask=mask)


def array_of(column: pa.ChunkedArray | pa.Array, kind: pa.DataType) -> Array:
    """Return a column as an array: days as day numbers (int32), empty values as -1 or NaN, truth as 0 and 1.

    Raises:
        pa.ArrowInvalid: the column does not fit its type, or has an empty value that its type has no place for.
    """
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if whole.type != kind:
        whole = whole.cast(kind)
    if pa.types.is_boolean(kind):
        return np.asarray(whole.cast(pa.uint8()))
    if pa.types.is_date(kind):
        days = whole.view(pa.int32())
        empty = EMPTY_COUNT - EPOCH
        return np.asarray(days.fill_null(empty) if days.null_count else days) + np.int32(EPOCH)
    if pa.types.is_floating(kind):
        return np.asarray(whole.fill_null(float("nan")) if whole.null_count else whole)
    if whole.null_count:
        if pa.types.is_unsigned_integer(kind):
            raise pa.ArrowInvalid("an empty value where a number is needed")
        whole = whole.fill_null(EMPTY_COUNT)
    return np.asarray(whole)

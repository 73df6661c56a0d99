"""The columns of a history: tables, types and what an empty value means (docs/history-columns.md describes them).

A history is eight Arrow tables. In memory they are whatever has the Arrow PyCapsule interface (Polars frames, PyArrow
tables); on disk they are Parquet files of the same names in one folder.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ratebook.replay.memory import Array

VERSION = b"2"
READ_VERSIONS = (b"1", VERSION)
VERSION_KEY = b"ratebook-history"

EPOCH = 719_163
"""Day number of 1970-01-01, from which Arrow counts."""

EMPTY_COUNT = -1
"""An empty value in an array of whole numbers or days; in one of floats it is NaN."""


def _columns(*lines: str) -> pa.Schema:
    """Return columns from their names and types; those whose type has a question mark may be empty."""
    named = [column.split() for column in ", ".join(lines).split(", ")]
    return pa.schema(
        [
            pa.field(name, pa.type_for_alias(kind.rstrip("?")), nullable=kind[-1] == "?")
            for name, kind in named
        ]
    )


_CARRIED = (
    "wins int32?, draws int32?, losses int32?, record int8?, long_events int32?, peak float64?",
    "life_master_games int32?, at_least int8, floor_money float64?, floor_olm float64?, floor_lowered float64?",
    "floor_office float64?",
)
"""What a rating carries, in balances and in final standings."""

SCHEMAS: dict[str, pa.Schema] = {
    "members": _columns(
        "id string, birth_date date32?, adult bool, canadian_resident bool, usa_flag bool, fide_opt_in bool",
        "region string",
    ),
    "balances": _columns(
        "member int32, system int8, as_of date32?, rating float64, games float64?", *_CARRIED
    ),
    "foreign_ratings": _columns("member int32, source int8, list_date date32, rating float64"),
    "decisions": _columns(
        "member int32, system int8, effective date32, kind int8, floor_kind int8, value float64, games float64"
    ),
    "published_ratings": _columns("member int32, system int8, list_date date32, rating int32, games int32?"),
    "sections": _columns(
        "event string, number int32, start date32, end date32, kind int8, half_k bool, youth bool",
        "systems uint8, entries int32",
    ),
    "entries": _columns("member int32, games uint16, marks uint8, fide float64"),
    "games": _columns("opponent uint16, score uint8, round uint8, colour int8"),
}
"""The tables of a history, by name."""

SIDE_TABLES = ("members", "balances", "foreign_ratings", "decisions", "published_ratings")
"""Tables that are held in memory as a whole; they grow with members."""

MAY_LACK = frozenset({"published_ratings"})
"""Tables whose file a history on disk may lack: none of their facts is known then."""

LATER_COLUMNS = {"members": ("region",), "balances": ("at_least",), "games": ("round", "colour")}
"""Columns that tables of earlier versions lack: they are zeros or empty texts then, and so are their empty values."""

STREAMED = ("sections", "entries", "games")
"""Tables that are read chunk by chunk."""

LEDGER = _columns(
    "member int32, section int32, system int8, source int8, formula int8, played int32",
    "rating_before float64, games_before float64, rating float64, games float64, k float64?",
    "score float64, expected float64, bonus float64?, floor_applied float64?",
)
"""Ledger rows: one a player, section and system with a rated game."""

FULL_LEDGER = pa.schema(
    [
        *LEDGER,
        *_columns(
            "wins int32?, draws int32?, losses int32?, record int8, long_events int32?, peak float64?",
            "life_master_games int32?, at_least int8, lowered float64?, match_change float64?, effective_games float64",
            "step3 float64?, step4 float64?, step5 float64",
        ),
    ]
)
"""A ledger with workings."""

STANDINGS = _columns("member int32, system int8, as_of date32?, rating float64, games float64", *_CARRIED)
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


def arrow_table(name: str, given: Any) -> pa.Table:  # noqa: ANN401 - anything with the PyCapsule interface
    """Return the table *name* as a PyArrow table with all its columns, without copying where its types allow it."""
    table = given if isinstance(given, pa.Table) else pa.table(given)
    for column in LATER_COLUMNS.get(name, ()):
        field = SCHEMAS[name].field(column)
        nothing = _nothing(field)
        if column not in table.column_names:
            table = table.append_column(field, pa.repeat(nothing, table.num_rows))
        elif table[column].null_count:
            filled = table[column].cast(field.type).fill_null(nothing)
            table = table.set_column(table.column_names.index(column), field, filled)
    return table


def table_of(name: str, columns: Mapping[str, Array], schema: pa.Schema | None = None) -> pa.Table:
    """Return a table of a history from arrays: days as day numbers, -1 and NaN for empty values, ids as numbers.

    Columns of the table *name* that are not given are empty: zeros, or empty texts, if they must have a value. Those of
    another *schema* are all given.
    """
    if schema is not None:
        return pa.table([arrow_column(columns[field.name], field) for field in schema], schema=schema)
    count = len(next(iter(columns.values())))
    return pa.table(
        [
            arrow_column(columns[field.name], field)
            if field.name in columns
            else pa.repeat(pa.scalar(None, field.type) if field.nullable else _nothing(field), count)
            for field in SCHEMAS[name]
        ],
        schema=SCHEMAS[name],
    )


def _nothing(field: pa.Field) -> pa.Scalar:
    return pa.scalar("", field.type) if pa.types.is_string(field.type) else pa.scalar(0).cast(field.type)


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
    wanted = number_type(field.type)
    return pa.array(numbers.astype(wanted, copy=False), type=field.type, mask=mask)


def number_type(kind: pa.DataType) -> np.dtype[Any]:
    """Return the type of an array that holds the values of a column of numbers or truths.

    PyArrow's own ``to_pandas_dtype`` needs pandas before PyArrow 26.

    >>> number_type(pa.int32()), number_type(pa.float64())
    (dtype('int32'), dtype('float64'))
    """
    dtype: np.dtype[Any] = pa.array([], kind).to_numpy(zero_copy_only=False).dtype
    return dtype


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

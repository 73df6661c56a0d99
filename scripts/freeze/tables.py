"""Tables as hashes, column by column: those of a book, and Parquet files; floats by their exact bits."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from scripts.freeze.record import Record

if TYPE_CHECKING:
    from pathlib import Path

OF_THIS_MACHINE = {("runs", "platform")}
ROWS_AT_ONCE = 20_000


def add_tables(record: Record, title: str, book: Path) -> None:
    """Record every table of *book*, a file of SQLite, in the order of its key."""
    with closing(sqlite3.connect(f"file:{book}?mode=ro", uri=True)) as connection:
        names = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall()
        for (table,) in names:
            if not table.startswith("sqlite_"):
                _add_table(record, f"{title} table {table}", connection, table)


def columns_of(book: Path) -> dict[str, str]:
    """Return the hash of each column of *book*, a file of SQLite, by table and column."""
    record = Record()
    add_tables(record, "", book)
    return {
        f"{table} {name}": value for table, kinds in record.hashes().items() for name, value in kinds.items()
    }


def _add_table(record: Record, entry: str, connection: sqlite3.Connection, table: str) -> None:
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    key = ", ".join(f'"{name}"' for name in _key(connection, table))
    rows = connection.execute(f'SELECT * FROM "{table}" ORDER BY {key or "rowid"}')  # noqa: S608 - names of the schema
    while part := rows.fetchmany(ROWS_AT_ONCE):
        for column, values in zip(columns, zip(*part, strict=True), strict=True):
            if (table, column) not in OF_THIS_MACHINE:
                record.add(entry, column, "\n".join(map(repr, values)))
    if not rows.description or not connection.execute(f'SELECT 1 FROM "{table}" LIMIT 1').fetchone():  # noqa: S608
        record.add(entry, "empty", " ".join(columns))


def _key(connection: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns of the primary key, or else of the first index that is unique for all rows."""
    primary = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")') if row[5]]
    if primary:
        return primary
    for _, index, unique, _, partial in connection.execute(f'PRAGMA index_list("{table}")').fetchall():
        if unique and not partial:
            return [row[2] for row in connection.execute(f'PRAGMA index_info("{index}")')]
    return []


def add_parquet(record: Record, entry: str, path: Path) -> None:
    """Record every column of a Parquet file."""
    import pyarrow as pa  # noqa: PLC0415 - only where there are such files
    import pyarrow.parquet as pq  # noqa: PLC0415 - as above

    table = pq.read_table(path)
    for name in table.column_names:
        column = table.column(name)
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        for start in range(0, len(column), ROWS_AT_ONCE):
            record.add(entry, name, "\n".join(map(repr, column.slice(start, ROWS_AT_ONCE).to_pylist())))

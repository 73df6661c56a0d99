"""The rows of all tables, out of either store and into either; what comes back is the same, bit for bit."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Table, Text, func, inspect, select, text, update

from ratebook.book import schema
from ratebook.book.audit import BOOK, note_audit
from ratebook.book.chain.links import link_noted
from ratebook.book.connection import Actor, Connection
from ratebook.book.copies.bulk import add_rows
from ratebook.book.profile import revision

_BATCH = 1_000

Value = str | int | float | bool | None


def tables() -> dict[str, tuple[str, ...]]:
    """Return the columns of every table, in an order in which each table refers to those before it."""
    return {
        table.name: tuple(column.name for column in table.columns) for table in schema.metadata.sorted_tables
    }


def count_rows(connection: Connection) -> int:
    """Return how many rows the whole book has."""
    return sum(
        int(connection.execute(select(func.count()).select_from(table)).scalar_one())
        for table in schema.metadata.sorted_tables
    )


def read_rows(connection: Connection, name: str) -> Iterator[list[list[Value]]]:
    """Yield the rows of a table in the order of their keys, a batch at a time, with days as text."""
    table = schema.metadata.tables[name]
    rows = connection.execution_options(yield_per=_BATCH).execute(
        select(table).order_by(*_key(connection, table))
    )
    for batch in rows.partitions():
        yield [[_plain(value) for value in row] for row in batch]


def _key(connection: Connection, table: Table) -> list[ColumnElement[Any]]:
    """Return what identifies a row, as it sorts by bytes in either store."""
    columns: list[ColumnElement[Any]] = list(table.primary_key)
    if connection.dialect.name == "sqlite":
        return columns
    return [column.collate("C") if isinstance(column.type, Text) else column for column in columns]


def _plain(value: Any) -> Value:  # noqa: ANN401 - of any column
    if isinstance(value, date):
        return value.isoformat()
    # SQLite keeps no sign of a zero.
    return value + 0.0 if isinstance(value, float) else value


def kinds_of_columns(connection: Connection) -> dict[str, dict[str, type]]:
    """Return what the columns of the tables in the store hold, by table and column, whatever their version."""
    inspector = inspect(connection)
    return {
        name: {column["name"]: column["type"].python_type for column in inspector.get_columns(name)}
        for name in inspector.get_table_names()
        if name != "alembic_version"
    }


def defer_references(connection: Connection) -> None:
    """Let rows refer to rows that are written later in the transaction: members to those they were merged into."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")


def fill_table(
    connection: Connection, name: str, kinds: Mapping[str, type], rows: Iterator[list[Value]]
) -> None:
    """Write all rows of a table; *kinds* are its columns, in the order of the rows."""
    add_rows(connection, name, list(kinds), rows)
    if connection.dialect.name != "sqlite" and kinds.get("id") is int:
        continue_numbers(connection, name)


def continue_numbers(connection: Connection, table: str) -> None:
    """Make a PostgreSQL server count on from the highest number of a table; SQLite does so by itself.

    A count is only ever raised: the server does not take it back with the transaction.
    """
    connection.execute(
        text(
            f'SELECT setval(sequence, greatest((SELECT max(id) FROM "{table}"), nextval(sequence))) '  # noqa: S608 - as above
            "FROM pg_get_serial_sequence(:name, 'id') AS sequence "
            f'WHERE sequence IS NOT NULL AND EXISTS (SELECT 1 FROM "{table}")'
        ),
        {"name": table},
    )


def note_restored(connection: Connection, last_revision: int, name: str, actor: Actor) -> None:
    """Note who restored the backup *name*, and raise the revision above all that other programs have seen."""
    above = max(last_revision, revision(connection)) + 1
    connection.execute(update(schema.book).values(revision=above))
    # What was done since the backup is undone by it.
    connection.execute(update(schema.changed).values(revision=above))
    note_audit(connection, actor, "restore-book", BOOK, name)
    link_noted(connection)

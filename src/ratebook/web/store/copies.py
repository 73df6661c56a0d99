"""A web store copied while it is in use, and restored into one in use: row by row, from a server as from a file.

A copy is always a file. What is not restored: sessions and links, so that no one is let in who was shut out meanwhile.
"""

from collections.abc import Iterator
from contextlib import closing

from sqlalchemy import Table, delete, select

from ratebook.book.connection import Connection
from ratebook.book.copies.bulk import add_rows
from ratebook.book.copies.tables import continue_numbers
from ratebook.web.store import schema
from ratebook.web.store.opening import Store, open_store

_BATCH = 1_000
_TABLES: tuple[Table, ...] = tuple(schema.metadata.sorted_tables)
_ENDED = frozenset({"sessions", "links", "sendings"})


def copy_store(store: Store, target: str) -> None:
    """Copy one state of the store into a new file."""
    with closing(open_store(target)) as copy:
        with store.reading() as source, copy.writing() as into:
            for table in _TABLES:
                _fill(into, table, _rows(source, table))
        with closing(copy.engine.raw_connection()) as connection:
            # One file, without what SQLite keeps beside it.
            connection.cursor().execute("PRAGMA journal_mode = DELETE")


def restore_store(copy: Store, store: Store) -> None:
    """Put what a copy has in the place of what the store has, all or nothing; the log of both is kept."""
    with copy.reading() as source, store.writing() as into:
        for table in reversed(_TABLES):
            if table is not schema.log:
                into.execute(delete(table))
        for table in _TABLES:
            if table is schema.log:
                _add_to_log(source, into)
            elif table.name not in _ENDED:
                _fill(into, table, _rows(source, table))


def _rows(connection: Connection, table: Table) -> Iterator[tuple[object, ...]]:
    rows = connection.execution_options(yield_per=_BATCH).execute(select(table).order_by(*table.primary_key))
    yield from map(tuple, rows)


def _fill(connection: Connection, table: Table, rows: Iterator[tuple[object, ...]]) -> None:
    add_rows(connection, table.name, [column.name for column in table.columns], rows)
    if connection.dialect.name != "sqlite" and "id" in table.columns:
        continue_numbers(connection, table.name)


def _add_to_log(source: Connection, into: Connection) -> None:
    """Add the entries that the log does not have: rows of a log never change, so they are known by what they say."""
    columns = [column for column in schema.log.columns if column.name != "id"]
    logged = set(map(tuple, into.execute(select(*columns))))
    rows = map(tuple, source.execute(select(*columns).order_by(schema.log.c.id)))
    add_rows(
        into, schema.log.name, [column.name for column in columns], (row for row in rows if row not in logged)
    )

"""Rows straight into a table, in the way in which each store takes them fastest."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection

from ratebook.book.failures import failure_of

_BATCH = 1_000


def add_rows(
    connection: Connection, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Add *rows*, each in the order of *columns*, by ``executemany`` on SQLite and by ``COPY`` on PostgreSQL.

    Raises:
        BookError: PostgreSQL refuses them.
    """
    named = ", ".join(f'"{column}"' for column in columns)
    if connection.dialect.name == "sqlite":
        statement = f'INSERT INTO "{table}" ({named}) VALUES ({", ".join("?" * len(columns))})'  # noqa: S608 - names of the schema
        waiting = iter(rows)
        while batch := [tuple(row) for row in islice(waiting, _BATCH)]:
            connection.exec_driver_sql(statement, batch)
        return
    driver: Any = connection.connection.driver_connection
    try:
        # One statement for all of them: rows may refer to rows further down.
        with driver.cursor() as cursor, cursor.copy(f'COPY "{table}" ({named}) FROM STDIN') as copy:
            for row in rows:
                copy.write_row(row)
    except connection.dialect.loaded_dbapi.Error as failure:
        raise failure_of(failure, table) from failure

"""A book beside the book on a PostgreSQL server, to be checked and then switched in one transaction."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from sqlalchemy import Engine, inspect, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from ratebook.book import schema
from ratebook.book.connection import Actor, Connection, engine_for, milliseconds, shown_place
from ratebook.book.copies.tables import continue_numbers, note_restored
from ratebook.book.failures import failure_of
from ratebook.book.migrations import migrate
from ratebook.book.profile import revision

SCHEMA = "ratebook_restoring"
"""The schema of the database in which a backup is checked."""


class Stage(NamedTuple):
    """An empty place beside the book; *place* is its address."""

    place: str
    engine: Engine
    wait_seconds: float

    def switch(self, name: str, actor: Actor) -> None:
        """Replace the book by what was staged, the backup *name*."""
        with self.engine.begin() as connection:
            connection.execute(text(f"SET LOCAL lock_timeout = {milliseconds(self.wait_seconds)}"))
            _switch_tables(connection, name, actor)


@contextmanager
def staged(place: str, wait_seconds: float) -> Iterator[Stage]:
    """Give an empty stage beside the book at *place*; it is removed at the end.

    Raises:
        BookError: the store fails.
    """
    engine = engine_for(place, must_exist=True, wait_seconds=wait_seconds)
    beside = make_url(place).update_query_dict({"options": f"-csearch_path={SCHEMA}"})
    try:
        with engine.begin() as connection:
            connection.execute(text(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE"))
            connection.execute(text(f"CREATE SCHEMA {SCHEMA}"))
        yield Stage(beside.render_as_string(hide_password=False), engine, wait_seconds)
    except SQLAlchemyError as failure:
        raise failure_of(failure, shown_place(place)) from failure
    finally:
        # Where the server is away, the next restore removes it.
        with suppress(SQLAlchemyError), engine.begin() as connection:
            connection.execute(text(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE"))
        engine.dispose()


def _switch_tables(connection: Connection, name: str, actor: Actor) -> None:
    """Take the rows of the staged tables over into the book's own, whose rights and names stay as they are."""
    last = 0
    if inspect(connection).has_table("book"):
        # First of all, so that no reader starts before the new rows and finds the old ones gone.
        connection.execute(text("LOCK TABLE book IN ACCESS EXCLUSIVE MODE"))
        last = revision(connection)
    migrate(connection)
    tables = schema.metadata.sorted_tables
    names = ", ".join(f'"{table.name}"' for table in tables)
    # The triggers refuse to delete rows; emptying all tables at once is no deleting of rows.
    connection.execute(text(f"TRUNCATE {names}"))
    for table in tables:
        columns = ", ".join(f'"{column.name}"' for column in table.columns)
        connection.execute(
            text(f'INSERT INTO "{table.name}" ({columns}) SELECT {columns} FROM {SCHEMA}."{table.name}"')  # noqa: S608 - names of the schema
        )
        if table.columns.get("id") is not None and table.c.id.autoincrement is True:
            continue_numbers(connection, table.name)
    note_restored(connection, last, name, actor)

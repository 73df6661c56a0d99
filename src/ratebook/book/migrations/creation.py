"""The tables of a new book, in an empty store."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy import inspect
from sqlalchemy.exc import SQLAlchemyError

from ratebook.book.connection import (
    VERSION,
    WAIT_SECONDS,
    Connection,
    connect_file,
    engine_for,
    file_of,
    shown_place,
)
from ratebook.book.failures import failure_of, refused
from ratebook.book.migrations import migrate
from ratebook.findings import Place


@contextmanager
def new_tables(place: str, version: str = VERSION, *, shown: str = "") -> Iterator[Connection]:
    """Make the tables of a book in an empty store and give the connection that fills them.

    All is kept when the block ends, nothing if it raises or is killed: then there is no book, and at most an empty
    file. *shown* is the place as the user wrote it, where that is another.

    Raises:
        BookError: there is something already, or the store fails.
    """
    engine = engine_for(place, must_exist=False)
    shown = shown_place(shown or place)
    path = file_of(place)
    made_here = path is not None and engine.dialect.name == "sqlite" and not os.path.lexists(path)
    filled = False
    try:
        with engine.execution_options(ratebook_writes=True).begin() as connection:
            tables = inspect(connection).get_table_names()
            if "book" in tables:
                raise refused("book-exists", Place(file=shown))
            if tables:
                raise refused("book-place-in-use", Place(file=shown), there=", ".join(sorted(tables)[:3]))
            migrate(connection, version)
            yield connection
        filled = True
    except SQLAlchemyError as failure:
        raise failure_of(failure, shown) from failure
    finally:
        engine.dispose()
        if path is not None and made_here and not filled:
            _remove_empty(path)


def _remove_empty(path: str) -> None:
    """Remove the file that was made for a book, unless another program has filled it meanwhile."""
    with suppress(OSError, sqlite3.Error):
        # Opened to write, so that closing it removes the log and the other files beside it.
        with closing(connect_file(path, "mode=rw", WAIT_SECONDS)) as connection:
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not tables:
            Path(path).unlink()

"""Opening a book: one SQLite file, or a PostgreSQL database.

Readers see one state for as long as they read. Writers are one at a time: SQLite gives the whole file to one of them,
and in PostgreSQL each takes the row of the table ``book`` first. Whatever raises or kills the program before the end of
a transaction leaves the book as it was.
"""

from __future__ import annotations

import functools
import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import create_engine, event, make_url, select, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from ratebook.book import schema
from ratebook.book.failures import failure_of, refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine

VERSION = "0001"
"""The migration that this program's tables are at."""

WAIT_SECONDS = 30.0
"""How long a writer waits for another."""

_POSTGRESQL = "postgresql"


class Actor(NamedTuple):
    """Who does something, and when.

    Attributes:
        name: as given with ``--as``, or the user of the system.
        at: the moment, in UTC, as text.
    """

    name: str
    at: str


class Book:
    """An open book.

    Attributes:
        url: where it is: a path, or the address of a database without its password.
        engine: the connections to it.
    """

    def __init__(self, engine: Engine, url: str) -> None:
        self.engine = engine
        self.url = url

    @property
    def on_server(self) -> bool:
        """Whether the book lies on a PostgreSQL server."""
        return self.engine.dialect.name == _POSTGRESQL

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the book, whatever others write meanwhile.

        Raises:
            BookError: the store fails.
        """
        with self._connected() as connection:
            if self.on_server:
                connection = connection.execution_options(isolation_level="REPEATABLE READ")  # noqa: PLW2901 - the same connection
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give the connection of the only writer; what it did is kept when the block ends, nothing if it raises.

        Raises:
            BookError: the store fails, or another writer does not end.
        """
        with self._connected() as connection:
            connection = connection.execution_options(ratebook_writes=True)  # noqa: PLW2901 - the same connection
            with connection.begin():
                if self.on_server:
                    connection.execute(text(f"SET LOCAL lock_timeout = '{WAIT_SECONDS:.0f}s'"))
                    connection.execute(select(schema.book.c.id).with_for_update())
                yield connection

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        try:
            with self.engine.connect() as connection:
                yield connection
        except SQLAlchemyError as failure:
            raise failure_of(failure, self.url) from failure

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()


def open_book(place: str) -> Book:
    """Open the book at *place*: the path of a file, or a URL such as ``postgresql://office@server/ratebook``.

    Raises:
        BookError: there is no book, it cannot be read, or its tables are of another version.
    """
    book = Book(engine_for(place, must_exist=True), shown_place(place))
    try:
        _check_version(book)
    except BaseException:
        book.close()
        raise
    return book


def _check_version(book: Book) -> None:
    with book.reading() as connection:
        version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if version == VERSION:
        return
    if version is None or str(version) > VERSION:
        raise refused(
            "book-newer",
            book.url,
            f"The book was written by a newer version of ratebook (tables {version}, here {VERSION}).",
            "Update ratebook.",
        )
    raise refused(
        "book-older",
        book.url,
        f"The book has tables of an older version of ratebook ({version}, here {VERSION}).",
        "Make a backup, then run ratebook book upgrade.",
    )


def shown_place(place: str) -> str:
    """Return *place* without a password."""
    return make_url(place).render_as_string(hide_password=True) if is_url(place) else place


def is_url(place: str) -> bool:
    """Return whether *place* is the address of a database, not a path."""
    return "://" in place


def engine_for(place: str, *, must_exist: bool) -> Engine:
    """Return the engine for *place*.

    Raises:
        BookError: the address is not understood, or the file is missing although it must exist.
    """
    if not is_url(place):
        if must_exist and not os.path.isfile(place):  # noqa: PTH113 - as the rest of this module
            raise refused(
                "book-missing",
                place,
                "There is no book of this name.",
                "Check the path, or make one with ratebook book init.",
            )
        return _sqlite_engine(place, must_exist=must_exist)
    try:
        url = make_url(place)
        if url.get_backend_name() == "sqlite" and url.database:
            return engine_for(url.database, must_exist=must_exist)
        if url.get_backend_name() != _POSTGRESQL:
            raise refused(
                "book-address-wrong",
                url.get_backend_name(),
                "A book lies in a SQLite file or on a PostgreSQL server.",
                "Give a path, or postgresql://user@server/database.",
            )
        return create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=False)
    except (ArgumentError, NoSuchModuleError) as failure:
        raise refused(
            "book-address-wrong",
            place.partition("://")[0],
            f"The address is not understood: {failure}.",
            "Give a path, or postgresql://user@server/database.",
        ) from failure
    except ImportError as failure:
        raise refused(
            "book-driver-missing",
            shown_place(place),
            "The driver for PostgreSQL is not installed.",
            'Install it with pip install "ratebook[postgres]".',
        ) from failure


def _sqlite_engine(path: str, *, must_exist: bool) -> Engine:
    engine = create_engine(
        f"sqlite+pysqlite:///{path}", creator=functools.partial(_open_file, path, must_exist)
    )

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # The driver's own transactions would begin too late for a reader and never at once for a writer.
        writes = connection.get_execution_options().get("ratebook_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _open_file(path: str, must_exist: bool) -> sqlite3.Connection:  # noqa: FBT001 - bound above
    mode = "rw" if must_exist else "rwc"
    address = "file:" + path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    try:
        connection = _connect(f"{address}?mode={mode}")
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as failure:
        if "readonly" not in str(failure) and "unable to open" not in str(failure):
            raise
        # A book that may only be read is still worth reading.
        connection = _connect(f"{address}?mode=ro")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _connect(address: str) -> sqlite3.Connection:
    return sqlite3.connect(
        address, uri=True, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )

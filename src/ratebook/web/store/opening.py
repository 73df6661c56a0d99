"""Opening a web store: a SQLite file beside the book, or a schema of the book's PostgreSQL server."""

from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import event, inspect

from ratebook.book.connection import (
    STORE_FAILURES,
    Book,
    Connection,
    engine_for,
    file_of,
    is_url,
    shown_place,
    version_of,
)
from ratebook.book.failures import BookError, failure_of, refused
from ratebook.book.migrations import migrate
from ratebook.findings import Place

FIRST_VERSION = VERSION = "1001"
"""The version of the tables that this program reads and writes, and that of the first release."""
STEPS = Path(__file__).with_name("migrations")
SCHEMA = "ratebook_web"
"""Where the tables are on a server, so that they are never among those of the book."""
ENDING = ".web"


class Store(Book):
    """An open web store; it is read and written as a book is."""

    locked_table = "accounts"
    settles = ""


def store_beside(book: str) -> str:
    """Return where the web store of the book at a place is, unless another place is given.

    >>> store_beside("league.book"), store_beside("postgresql://office@server/ratebook")
    ('league.book.web', 'postgresql://office@server/ratebook')
    """
    path = file_of(book)
    if path is None:
        return book
    return book + ENDING if is_url(book) else path + ENDING


def has_store(place: str) -> bool:
    """Return whether a server has made a web store at *place*.

    Raises:
        BookError: the server's database cannot be asked.
    """
    path = file_of(place)
    if path is not None:
        return Path(path).exists()
    engine = engine_for(place, must_exist=True)
    try:
        with engine.connect() as connection:
            return inspect(connection).has_schema(SCHEMA)
    except STORE_FAILURES as failure:
        raise failure_of(failure, shown_place(place)) from failure
    finally:
        engine.dispose()


def stored_version(place: str) -> str:
    """Return the version of the tables at *place*, which stay as they are; empty where it is not noted."""
    store = Store(engine_for(place, must_exist=True), shown_place(place))
    if store.on_server:
        event.listen(store.engine, "connect", _look_in_schema)
    with closing(store), store.reading() as connection:
        return version_of(connection)


def open_store(place: str) -> Store:
    """Open the web store at *place*; a new one is made, and an older one led to this version.

    Raises:
        BookError: it is a store of other things, of a later version or from before the first release, or it fails.
    """
    engine = engine_for(place, must_exist=False)
    store = Store(engine, shown_place(place))
    if store.on_server:
        event.listen(engine, "connect", _look_in_schema)
    try:
        with engine.execution_options(ratebook_writes=True).begin() as connection:
            _lead_to_this_version(connection, store)
    except STORE_FAILURES as failure:
        store.close()
        raise failure_of(failure, store.url) from failure
    except BookError:
        store.close()
        raise
    return store


def _lead_to_this_version(connection: Connection, store: Store) -> None:
    if store.on_server:
        # Two programs may find it missing at the same time.
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7283662667)")
        connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
    tables = inspect(connection).get_table_names(schema=SCHEMA if store.on_server else None)
    if tables and not {"accounts", "log"} <= set(tables):
        raise refused("book-place-in-use", Place(file=store.url), there=", ".join(sorted(tables)[:3]))
    version = version_of(connection) if tables else ""
    if version > VERSION:
        raise refused("web-store-newer", Place(file=store.url), version=version, here=VERSION)
    if tables and version < FIRST_VERSION:
        raise refused("web-store-before-release", Place(file=store.url), version=version or "not noted")
    if version < VERSION:
        migrate(connection, VERSION, STEPS)


def _look_in_schema(connection: Any, _record: object) -> None:  # noqa: ANN401 - of the driver
    connection.execute(f"SET search_path TO {SCHEMA}")
    connection.commit()

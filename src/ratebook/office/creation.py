"""Making a book: its tables, and the profile of the federation that keeps it; leading an older book to this version."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import inspect
from sqlalchemy.exc import SQLAlchemyError

from ratebook.book.audit import note_audit
from ratebook.book.connection import (
    VERSION,
    WAIT_SECONDS,
    Book,
    connect_file,
    engine_for,
    file_of,
    open_any_version,
    open_book,
    shown_place,
    too_new,
    version_of,
)
from ratebook.book.failures import failure_of, refused
from ratebook.book.migrate import migrate
from ratebook.book.profile import write_profile
from ratebook.rules.rulebook import check_overlay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine

    from ratebook.book.connection import Actor
    from ratebook.book.profile import Profile


class Upgraded(NamedTuple):
    """Which version the tables had, and which one they have."""

    before: str
    after: str


def create_book(place: str, profile: Profile, actor: Actor) -> Book:
    """Make a book at *place* and return it, open.

    Args:
        place: the path of a file that does not exist yet, or the URL of an empty PostgreSQL database.
        profile: the federation.
        actor: who makes it, and when.

    Raises:
        BookError: there is something already, or the store fails.
        RulebookError: the profile's overlay is wrong.
    """
    check_overlay(profile.overlay)
    with new_tables(place, engine_for(place, must_exist=False)) as connection:
        write_profile(connection, profile, actor.at)
        note_audit(connection, actor, "create-book", "book", profile.name)
    return open_book(place)


@contextmanager
def new_tables(place: str, engine: Engine, version: str = VERSION) -> Iterator[Connection]:
    """Make the tables of a book in an empty store and give the connection that fills them.

    All is kept when the block ends, nothing if it raises or is killed: there is no book then; who kills it leaves at
    most an empty file.

    Args:
        place: where it is, as the user wrote it.
        engine: the connections to it; given back at the end.
        version: of the tables.

    Raises:
        BookError: there is something already, or the store fails.
    """
    shown = shown_place(place)
    path = file_of(place)
    made_here = path is not None and engine.dialect.name == "sqlite" and not os.path.lexists(path)
    filled = False
    try:
        with engine.execution_options(ratebook_writes=True).begin() as connection:
            there = inspect(connection).get_table_names()
            if "book" in there:
                raise refused("book-exists", shown)
            if there:
                raise refused("book-place-in-use", shown, there=", ".join(sorted(there)[:3]))
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
        # Opened to write, so that the last one to close it takes away the log and what else stands beside it.
        with closing(connect_file(path, "mode=rw", WAIT_SECONDS)) as connection:
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not tables:
            Path(path).unlink()


def upgrade_book(place: str, actor: Actor, *, wait_seconds: float = WAIT_SECONDS) -> Upgraded:
    """Lead the tables of the book at *place* to the version of this program, in one transaction.

    There is no way back but a backup, which the user should have made before.

    Args:
        place: where the book is.
        actor: who upgrades it, and when.
        wait_seconds: how long to wait for other readers and writers.

    Raises:
        BookError: there is no book, it is newer than the program, or the store fails; it stays as it was.
    """
    book = open_any_version(place, wait_seconds=wait_seconds)
    try:
        with book.reading() as connection:
            before = version_of(connection)
        if before == VERSION:
            return Upgraded(before, VERSION)
        if before > VERSION:
            raise too_new(book.url, before)
        with book.writing_alone() as connection:
            migrate(connection)
            note_audit(connection, actor, "upgrade-book", "book", f"tables {before} to {VERSION}")
        return Upgraded(before, VERSION)
    finally:
        book.close()

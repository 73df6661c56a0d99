"""Backups of a book while it is worked with, and their restoring: beside the old book, checked, then switched.

A book in a file is copied into a file by SQLite itself; a book on a server is written as portable files
(``export.py``), since the server's own tools need not be at hand. A switch is one transaction of the
store: killed anywhere it leaves the old book, other programs see the old book or the new one, and those that have
the book open need not open it again.
"""

from __future__ import annotations

import functools
import os
import sqlite3
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import inspect, make_url, text, update
from sqlalchemy.exc import SQLAlchemyError

from ratebook.book import schema
from ratebook.book.audit import note_audit
from ratebook.book.connection import (
    WAIT_SECONDS,
    Book,
    connect_file,
    engine_for,
    file_of,
    milliseconds,
    open_book,
    open_to_read,
    shown_place,
    version_of,
)
from ratebook.book.failures import failure_of, failure_of_file, refused, unwritable
from ratebook.book.migrate import migrate
from ratebook.book.profile import revision
from ratebook.findings import Severity
from ratebook.office.copies.export import (
    PARTIAL,
    continue_numbers,
    export_book,
    fill_from_export,
    import_book,
    make_durable,
)
from ratebook.office.creation import upgrade_book
from ratebook.office.progress import Progress, no_progress
from ratebook.office.rating.verify import verify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine

    from ratebook.book.connection import Actor
    from ratebook.findings import Finding

RESTORING = ".restoring"
"""Ends the name of the file in which a backup is checked."""

STAGE = "ratebook_restoring"
"""The schema of a PostgreSQL database in which a backup is checked."""

_PAGES = 1_024


class Restored(NamedTuple):
    """What was restored: how many sections and rows of the ledger were computed again, and notes on them."""

    sections: int
    rows: int
    findings: tuple[Finding, ...]


def backup(book: Book, target: str, actor: Actor, progress: Progress = no_progress) -> None:
    """Copy one state of the book while others read and write.

    The copy of a file is a file, whose audit log says who made it; the copy of a server's database is a folder of
    portable files, and the book's own audit log says so: in a file that would have to wait for other writers.

    Args:
        book: the book; a file may be of any version.
        target: the file or folder to be made.
        actor: who makes it, and when.
        progress: told how many pages or rows of how many are copied.

    Raises:
        BookError: there is something at *target* already, it cannot be written, or the book is damaged.
    """
    if os.path.lexists(target):
        raise refused("backup-target-exists", target)
    if not book.on_server:
        _back_up_file(book, target, actor, progress)
        return
    export_book(book, target, progress)
    try:
        with book.engine.begin() as connection:
            note_audit(connection, actor, "backup-book", "book", Path(target).name)
    except SQLAlchemyError as failure:
        raise failure_of(failure, book.url) from failure


def restore(
    source: str,
    place: str,
    actor: Actor,
    progress: Progress = no_progress,
    *,
    wait_seconds: float = WAIT_SECONDS,
) -> Restored:
    """Put a backup in the place of a book, or where there is none.

    It is made beside the old book, upgraded where it is older, and computed again as a whole; only where that finds no
    error it takes the place of the old book, whose state is then gone.

    Args:
        source: a file or folder that `backup` or `export_book` has made.
        place: the path of a file, or the URL of a PostgreSQL database; a file is restored into files only.
        actor: who restores it, and when.
        progress: told how many sections of how many are checked.
        wait_seconds: how long to wait for other writers, and on a server for readers.

    Raises:
        BookError: there is no such backup, it is damaged or not clean, or the store fails; the old book stays.
    """
    if not Path(source).exists():
        raise refused("backup-missing", source)
    path = file_of(place)
    try:
        if path is not None:
            return _restore_file(source, path, actor, progress, wait_seconds)
        return _restore_on_server(source, place, actor, progress, wait_seconds)
    except sqlite3.Error as failure:
        raise failure_of(failure, source) from failure
    except OSError as failure:
        raise failure_of_file(failure, place) from failure


# A book in a file


def _back_up_file(book: Book, target: str, actor: Actor, progress: Progress) -> None:
    partial = target + PARTIAL
    _remove(partial)
    try:
        # SQLite would not say why it cannot make the file.
        Path(partial).touch()
    except OSError as failure:
        raise unwritable(failure, target) from failure
    try:
        with book.reading() as connection:
            # The first query settles which state is copied.
            version_of(connection)
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection), "a file is opened by SQLite"  # noqa: S101 - tells the type checker
            with _raw(partial, "rwc") as copy:
                source.backup(
                    copy, pages=_PAGES, progress=lambda _, left, total: progress(total - left, total)
                )
                copy.execute("PRAGMA journal_mode = DELETE")
                _check_pages(copy, book.url)
                copy.execute(
                    "INSERT INTO audit (at, by, action, subject, details) VALUES (?, ?, 'backup-book', 'book', ?)",
                    (actor.at, actor.name, Path(target).name),
                )
        _make_durable_name(partial, target)
    except sqlite3.Error as failure:
        raise failure_of(failure, target) from failure
    except OSError as failure:
        raise failure_of_file(failure, target) from failure
    finally:
        _remove(partial)


def _restore_file(source: str, path: str, actor: Actor, progress: Progress, wait_seconds: float) -> Restored:
    staged = path + RESTORING
    _remove(staged)
    try:
        if Path(source).is_dir():
            import_book(source, staged)
        else:
            with closing(open_to_read(source, wait_seconds)) as backed_up, _raw(staged, "rwc") as copy:
                backed_up.backup(copy, pages=_PAGES)
                _check_pages(copy, source)
        upgrade_book(staged, actor)
        book = open_book(staged)
        try:
            restored = _checked(book, source, progress)
            with book.writing() as connection:
                _sign(connection, _revision_of_file(path, wait_seconds), source, actor)
        finally:
            book.close()
        _switch_file(staged, path, wait_seconds)
    finally:
        _remove(staged)
    return restored


def _switch_file(staged: str, path: str, wait_seconds: float) -> None:
    """Write the pages of the file *staged* over those of the book, as one transaction of the book's own file.

    Renaming would not do: a log that a killed writer has left belongs to the old file and would be played into the new
    one, and programs that have the old file open would go on writing to it.
    """
    with _raw(staged, "rw") as new:
        if _is_database(path, wait_seconds):
            with _raw(path, "rw", wait_seconds) as old:
                new.backup(old, pages=_PAGES, progress=functools.partial(_unless_locked, path))
            return
        new.execute("PRAGMA journal_mode = DELETE")
    for ending in ("-wal", "-shm", "-journal", ""):
        if Path(path + ending).exists():
            Path(path + ending).replace(f"{path}.damaged{ending}")
    _make_durable_name(staged, path)


def _unless_locked(path: str, status: int, left: int, total: int) -> None:
    """Give up where another writer did not end in time; SQLite's copying by itself would try for ever."""
    del left, total
    if status in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        raise refused("book-locked", path)


def _is_database(path: str, wait_seconds: float) -> bool:
    """Return whether SQLite can read the file at *path* and so write over it."""
    if not Path(path).is_file():
        return False
    try:
        with closing(open_to_read(path, wait_seconds)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError as failure:
        if failure.sqlite_errorname.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            return False
        raise
    return True


def _revision_of_file(path: str, wait_seconds: float) -> int:
    """Return the revision of the book in a file; 0 where there is none that can be read."""
    if not Path(path).is_file():
        return 0
    try:
        with closing(open_to_read(path, wait_seconds)) as connection:
            return int(connection.execute("SELECT revision FROM book").fetchone()[0])
    except (sqlite3.DatabaseError, TypeError):
        return 0


def _check_pages(connection: sqlite3.Connection, origin: str) -> None:
    (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if said == "ok":
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
        said = "ok" if broken is None else f"a row of {broken[0]} refers to nothing in {broken[2]}"
    if said != "ok":
        raise refused("backup-damaged", origin, said=said)


@contextmanager
def _raw(path: str, mode: str, wait_seconds: float = WAIT_SECONDS) -> Iterator[sqlite3.Connection]:
    with closing(connect_file(path, f"mode={mode}", wait_seconds)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        yield connection


def _make_durable_name(partial: str, target: str) -> None:
    make_durable(Path(partial))
    Path(partial).replace(target)
    make_durable(Path(target).absolute().parent)


def _remove(path: str) -> None:
    """Remove a file that was not finished, with the files that SQLite keeps beside it."""
    for ending in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            Path(path + ending).unlink(missing_ok=True)


# A book on a server


def _restore_on_server(
    source: str, place: str, actor: Actor, progress: Progress, wait_seconds: float
) -> Restored:
    if not Path(source).is_dir():
        raise refused("backup-not-portable", source)
    engine = engine_for(place, must_exist=True, wait_seconds=wait_seconds)
    shown = shown_place(place)
    try:
        with engine.begin() as connection:
            connection.execute(text(f"DROP SCHEMA IF EXISTS {STAGE} CASCADE"))
            connection.execute(text(f"CREATE SCHEMA {STAGE}"))
        staged = (
            make_url(place)
            .update_query_dict({"options": f"-csearch_path={STAGE}"})
            .render_as_string(hide_password=False)
        )
        fill_from_export(source, place, engine_for(staged, must_exist=True))
        book = open_book(staged)
        try:
            restored = _checked(book, source, progress)
        finally:
            book.close()
        with engine.begin() as connection:
            connection.execute(text(f"SET LOCAL lock_timeout = {milliseconds(wait_seconds)}"))
            _switch_tables(connection, source, actor)
    except SQLAlchemyError as failure:
        raise failure_of(failure, shown) from failure
    finally:
        _drop_stage(engine)
        engine.dispose()
    return restored


def _switch_tables(connection: Connection, source: str, actor: Actor) -> None:
    """Take the rows of the staged tables over into the book's own, whose rights and names stay as they are."""
    last = 0
    if inspect(connection).has_table("book"):
        # First of all, so that no reader's state begins before the new rows and finds the old ones gone.
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
            text(f'INSERT INTO "{table.name}" ({columns}) SELECT {columns} FROM {STAGE}."{table.name}"')  # noqa: S608 - names of the schema
        )
        if table.columns.get("id") is not None and table.c.id.autoincrement is True:
            continue_numbers(connection, table.name)
    _sign(connection, last, source, actor)


def _drop_stage(engine: Engine) -> None:
    """Remove what a restore has left beside the book; where the server is away, the next restore does."""
    with suppress(SQLAlchemyError), engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA IF EXISTS {STAGE} CASCADE"))


# In either store


def _checked(book: Book, source: str, progress: Progress) -> Restored:
    """Compute the ledger of a staged book again.

    Raises:
        BookError: it is not clean.
    """
    verified = verify(book, progress)
    for finding in verified.findings:
        if finding.severity is Severity.ERROR:
            raise refused("backup-not-clean", source, place=finding.where, message=finding.message)
    return Restored(verified.sections, verified.rows, verified.findings)


def _sign(connection: Connection, last_revision: int, source: str, actor: Actor) -> None:
    """Note who restored the book, and raise its revision above all that other programs have seen."""
    above = max(last_revision, revision(connection)) + 1
    connection.execute(update(schema.book).values(revision=above))
    note_audit(connection, actor, "restore-book", "book", Path(source).name)

"""A book in a file: copied by SQLite while others work with it, and replaced in one transaction."""

import functools
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from ratebook.book.audit import BOOK, note_audit
from ratebook.book.connection import (
    VERSION,
    WAIT_SECONDS,
    Actor,
    Book,
    connect_file,
    file_of,
    open_any_version,
    open_to_read,
    version_of,
)
from ratebook.book.failures import failure_of, failure_of_file, refused, unwritable
from ratebook.findings import Place
from ratebook.private_files import give_rights_of
from ratebook.unfinished_files import PARTIAL, rename_durably, unfinished_file

_PAGES = 1_024


def copy_book(book: Book, target: str, actor: Actor, progress: Callable[[int, int], None]) -> None:
    """Copy one state of the book into the new file *target*, with its rights; the audit log says who made it.

    Raises:
        BookError: it cannot be written, or the book is damaged.
    """
    with ExitStack() as stack:
        try:
            # SQLite would not say why it cannot make the file.
            partial = str(stack.enter_context(unfinished_file(target, PARTIAL)))
        except OSError as failure:
            raise unwritable(failure, target) from failure
        with failures_of_file(target, target), book.reading() as connection:
            # The first query settles which state is copied.
            version_of(connection)
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection), "a file is opened by SQLite"  # noqa: S101 - tells the type checker
            with _raw(partial, "rwc") as copy:
                source.backup(
                    copy, pages=_PAGES, progress=lambda _, left, total: progress(total - left, total)
                )
                _check_pages(copy, book.url)
            _note_backup(partial, actor, Path(target).name)
            give_rights_of(file_of(book.url) or partial, partial)
            try:
                rename_durably(partial, target)
            except FileExistsError as failure:
                raise refused("backup-target-exists", Place(file=target)) from failure


def rewrite_file(book: Book) -> bool:
    """Have a SQLite file keep nothing of rows that were changed; return whether it could be done completely.

    ``VACUUM`` makes the file anew from the rows that there are, and the write-ahead file beside it is emptied, unless
    someone is still reading what was before. On a server this is its owner's work (docs/privacy.md).
    """
    if book.on_server:
        return True
    try:
        with closing(book.engine.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute("VACUUM")
            busy, *_ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except (sqlite3.Error, SQLAlchemyError):
        # No room, no right to write, or someone else writes for long.
        return False
    return not busy


_NOTE_IN_OLDER = text(
    "INSERT INTO audit (at, \"by\", action, subject, details) VALUES (:at, :by, 'backup-book', 'book', :name)"
)


def _note_backup(copy: str, actor: Actor, name: str) -> None:
    with closing(open_any_version(copy)) as copied, copied.logging() as connection:
        if version_of(connection) < VERSION:
            # The tables of an older book have no room for what is linked; an upgrade links it.
            entry = {"at": actor.at, "by": actor.name, "name": name}
            connection.execute(_NOTE_IN_OLDER, entry)
        else:
            note_audit(connection, actor, "backup-book", BOOK, name)
    with _raw(copy, "rw") as closed:
        closed.execute("PRAGMA journal_mode = DELETE")


def copy_file(source: str, target: str, wait_seconds: float) -> None:
    """Copy the pages of a backup into the new file *target*.

    Raises:
        BookError: they are damaged.
        sqlite3.Error: they cannot be read or written.
    """
    with closing(open_to_read(source, wait_seconds)) as backed_up, _raw(target, "rwc") as copy:
        backed_up.backup(copy, pages=_PAGES)
        _check_pages(copy, source)


def switch_file(staged: str, path: str, wait_seconds: float) -> None:
    """Write the pages of the file *staged* over those of the book, as one transaction of the book's own file.

    Renaming would not do: a log that a killed writer has left belongs to the old file and would be played into the new
    one, and programs that have the old file open would continue writing to it.
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
    rename_durably(staged, path)


@contextmanager
def failures_of_file(source: str, target: str) -> Iterator[None]:
    """Turn what goes wrong with the store *source*, or with a file of *target*, into a finding."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as failure:
        raise failure_of(failure, source) from failure
    except OSError as failure:
        raise failure_of_file(failure, target) from failure


def revision_of_file(path: str, wait_seconds: float) -> int:
    """Return the revision of the book in a file; 0 where there is none that can be read."""
    if not Path(path).is_file():
        return 0
    try:
        with closing(open_to_read(path, wait_seconds)) as connection:
            return int(connection.execute("SELECT revision FROM book").fetchone()[0])
    except (sqlite3.DatabaseError, TypeError, ValueError):
        return 0


def _unless_locked(path: str, status: int, left: int, total: int) -> None:
    """Give up if another writer does not finish in time; SQLite's own copying would try for ever."""
    del left, total
    if status in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        raise refused("book-locked", Place(file=path))


def _is_database(path: str, wait_seconds: float) -> bool:
    """Return whether SQLite can read the file at *path* and so write over it."""
    if not Path(path).is_file():
        return False
    try:
        with closing(open_to_read(path, wait_seconds)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except UnicodeDecodeError:
        return False
    except sqlite3.DatabaseError as failure:
        if failure.sqlite_errorname.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            return False
        raise
    return True


def _check_pages(connection: sqlite3.Connection, origin: str) -> None:
    (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if answer == "ok":
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
        answer = "ok" if broken is None else f"a row of {broken[0]} refers to nothing in {broken[2]}"
    if answer != "ok":
        raise refused("backup-damaged", Place(file=origin), said=answer)


@contextmanager
def _raw(path: str, mode: str, wait_seconds: float = WAIT_SECONDS) -> Iterator[sqlite3.Connection]:
    with closing(connect_file(path, f"mode={mode}", wait_seconds)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        yield connection

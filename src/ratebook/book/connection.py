"""Opening a book: one SQLite file, or a PostgreSQL database.

Readers see one state for as long as they read. There is one writer at a time: SQLite gives it the whole file, and in
PostgreSQL it first locks the table ``book``. If an error or a kill ends the program before a transaction ends, the book
stays as it was. A restore changes everything at once; in PostgreSQL it waits for the readers, who therefore lock the
table ``book`` too, so weakly that they block no one else.
"""

import errno
import functools
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, TypeAlias

import sqlalchemy
from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from ratebook.book.chain.links import forget_noted, link_noted
from ratebook.book.failures import StoreError, failure_of, failure_of_file, refused
from ratebook.findings import Place, finding
from ratebook.private_files import make_private_file

FIRST_VERSION = "1001"
"""The tables of the first release; versions before it were made while the program was developed."""
VERSION = "1002"
"""The version of the tables that this program reads and writes (book/migrations)."""

PENDING_REVISION = 0
"""The revision in the table of changes until the transaction ends and its revision is known."""

WAIT_SECONDS = 30.0
"""How long a writer waits for another."""

KIBIBYTES_KEPT = 65_536
"""How much of a SQLite file each connection keeps in memory at most; with the usual 2,000, reading a large book would
read the same pages of the file again and again."""

POSTGRESQL = "postgresql"
_READERS = "ACCESS SHARE"
_ONE_WRITER = "SHARE ROW EXCLUSIVE"
_NO_ONE_ELSE = "ACCESS EXCLUSIVE"
"""Locks of PostgreSQL: many readers beside one writer, or no one beside a restore."""


STORE_FAILURES = (SQLAlchemyError, UnicodeDecodeError)
"""What a store raises; SQLite's own words about a damaged file may be no text."""

Connection: TypeAlias = sqlalchemy.Connection
"""What `Book.reading` and `Book.writing` give; other rooms hand it on, and only this one asks it anything."""


class Actor(NamedTuple):
    """Who does something, as given with ``--as`` or the user of the system, and when, in UTC."""

    name: str
    at: str


class Book:
    """An open book; what connects to it raises BookError where the store fails.

    Attributes:
        url: where it is: a path, or the address of a database without its password.
        wait_seconds: how long to wait for another writer.
        dry_run: whether every transaction is taken back at its end: what would be done is tried, and nothing is kept.
        expecting: the revision at which the first writer must find the book; None where any will do.
    """

    locked_table = "book"
    """Stands for all tables where a server locks them."""
    settles = (
        "UPDATE changed SET revision = (SELECT revision FROM book) "  # noqa: S608 - a number
        f"WHERE revision = {PENDING_REVISION}"
    )
    """The last statement of a writer but for its links: what it changed has the revision that it leaves."""

    def __init__(self, engine: Engine, url: str, wait_seconds: float = WAIT_SECONDS) -> None:
        self.engine = engine
        self.url = url
        self.wait_seconds = wait_seconds
        self.dry_run = False
        self.expecting: int | None = None
        self._together: Connection | None = None

    def sibling(self, *, dry_run: bool = False, expecting: int | None = None) -> "Book":
        """Return the same book for one piece of work beside others, which its trials and expectations do not touch."""
        other = Book(self.engine, self.url, self.wait_seconds)
        other.dry_run, other.expecting = dry_run, expecting
        return other

    @property
    def on_server(self) -> bool:
        """Whether the book is on a PostgreSQL server."""
        return self.engine.dialect.name == POSTGRESQL

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Let all readers and writers of this block see what earlier ones of it wrote, and keep nothing of it.

        Others cannot write meanwhile.
        """
        with self.together() as connection:
            yield
            connection.rollback()

    @contextmanager
    def together(self) -> Iterator[Connection]:
        """Let all readers and writers of this block see what earlier ones of it wrote, and keep all of it or nothing.

        Nothing is kept if the block raises; others cannot write meanwhile. What one writer takes back is taken back
        only with everything else.
        """
        around = self._together
        with self._writing(_ONE_WRITER) as connection:
            self._together = connection
            try:
                yield connection
            finally:
                self._together = around

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the book, whatever others write meanwhile."""
        if self._together is not None:
            yield self._together
            return
        with self._connected() as connection:
            if self.on_server:
                connection = connection.execution_options(isolation_level="REPEATABLE READ")  # noqa: PLW2901 - the same connection
            with connection.begin():
                self._lock(connection, _READERS)
                yield connection

    @contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[Connection]:
        """Give the connection of the only writer; what it did is kept when the block ends, nothing if it raises.

        Beside a writer *alone*, no one reads the tables in PostgreSQL; in SQLite readers may.
        """
        with self._writing(_NO_ONE_ELSE if alone else _ONE_WRITER) as connection:
            yield connection

    def take_back(self, connection: Connection) -> None:
        """Take back what a writer did, unless it is `together` with others: they are taken back as a whole."""
        if self._together is None:
            connection.rollback()

    @contextmanager
    def logging(self) -> Iterator[Connection]:
        """Give a connection that adds to the audit log; on a server it does not wait for other writers."""
        with self._connected() as connection, connection.begin():
            forget_noted(connection)
            yield connection
            if self.dry_run:
                connection.rollback()
            else:
                link_noted(connection)

    @contextmanager
    def _writing(self, lock: str) -> Iterator[Connection]:
        if self._together is not None:
            with self._together.begin_nested():
                yield self._together
            return
        with self._connected() as connection:
            connection = connection.execution_options(ratebook_writes=True)  # noqa: PLW2901 - the same connection
            with connection.begin():
                self._lock(connection, lock)
                self._require_expected(connection)
                forget_noted(connection)
                yield connection
                if self.dry_run:
                    connection.rollback()
                elif self.settles and connection.in_transaction():
                    connection.exec_driver_sql(self.settles)
                    link_noted(connection)

    def _require_expected(self, connection: Connection) -> None:
        """Refuse the first writer if the book is not at the revision that was seen; later ones find what it did."""
        seen, self.expecting = self.expecting, None
        if seen is None:
            return
        now = int(connection.exec_driver_sql("SELECT revision FROM book").scalar_one())
        if now != seen:
            raise StoreError(finding("book-moved", Place(file=self.url), seen=seen, now=now))

    def _lock(self, connection: Connection, lock: str) -> None:
        """Lock a table before anything else, since what a transaction sees is settled by its first query."""
        if self.on_server:
            connection.exec_driver_sql(
                f"SET LOCAL lock_timeout = {milliseconds(self.wait_seconds)};"
                f" LOCK TABLE {self.locked_table} IN {lock} MODE"
            )

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        try:
            with self.engine.connect() as connection:
                yield connection
        except STORE_FAILURES as failure:
            raise failure_of(failure, self.url) from failure

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()


def open_book(place: str, *, wait_seconds: float = WAIT_SECONDS, read_only: bool = False) -> Book:
    """Open the book at *place*: the path of a file, or a URL such as ``postgresql://office@server/ratebook``.

    With *read_only*, the store itself refuses to write.

    Raises:
        BookError: there is no book, it cannot be read, or its tables are of another version.
    """
    book = open_any_version(place, wait_seconds=wait_seconds)
    if read_only:
        event.listen(book.engine, "connect", _refuse_to_write)
    try:
        with book.reading() as connection:
            require_version(connection, book.url)
    except BaseException:
        book.close()
        raise
    return book


def open_any_version(place: str, *, wait_seconds: float = WAIT_SECONDS) -> Book:
    """Open the book at *place* whatever its version is, to be copied or upgraded; nothing is read yet.

    Raises:
        BookError: there is no such file, or the address is not understood.
    """
    return Book(
        engine_for(place, must_exist=True, wait_seconds=wait_seconds), shown_place(place), wait_seconds
    )


def _refuse_to_write(connection: Any, _record: object) -> None:  # noqa: ANN401 - of either driver
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA query_only = ON")
    else:
        connection.read_only = True


def version_of(connection: Connection) -> str:
    """Return the version of the book's tables; empty where it is not noted."""
    return str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() or "")


def require_version(connection: Connection, url: str) -> None:
    """Refuse the book at *url* unless its tables are those of this program.

    Raises:
        BookError: they are older or newer.
    """
    version = version_of(connection)
    require_release(version, url)
    if version < VERSION:
        raise refused("book-older", Place(file=url), version=version, here=VERSION)


def require_release(version: str, url: str) -> None:
    """Refuse a book whose tables are neither those of this program nor those of an earlier release.

    Raises:
        BookError: they are newer, or were made before the first release.
    """
    if version > VERSION:
        raise refused("book-newer", Place(file=url), version=version, here=VERSION)
    if version < FIRST_VERSION:
        raise refused("book-before-release", Place(file=url), version=version or "not noted")


def milliseconds(seconds: float) -> int:
    """Return *seconds* as PostgreSQL counts them; never 0, which would mean for ever."""
    return max(1, round(seconds * 1000))


def shown_place(place: str) -> str:
    """Return *place* without a password."""
    return make_url(place).render_as_string(hide_password=True) if is_url(place) else place


def is_url(place: str) -> bool:
    """Return whether *place* is the address of a database, not a path."""
    return "://" in place


def file_of(place: str) -> str | None:
    """Return the path of the file at *place*; None where it is a server's database.

    >>> file_of("federation.book"), file_of("sqlite:////srv/federation.book")
    ('federation.book', '/srv/federation.book')
    """
    if not is_url(place):
        return place
    try:
        url = make_url(place)
    except ArgumentError:
        return None
    return url.database if url.get_backend_name() == "sqlite" else None


def engine_for(place: str, *, must_exist: bool, wait_seconds: float = WAIT_SECONDS) -> Engine:
    """Return the engine for *place*; its writers wait for others as long as *wait_seconds*.

    Raises:
        BookError: the address is not understood, or there is no file to open or no folder to make one in.
    """
    path = file_of(place)
    if path:
        _require_place(path, must_exist=must_exist)
        return _sqlite_engine(path, must_exist=must_exist, wait_seconds=wait_seconds)
    try:
        url = make_url(place)
        if url.get_backend_name() != POSTGRESQL:
            raise refused("book-address-wrong.other-store", Place(file=url.get_backend_name()))
        return create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=False)
    except (ArgumentError, NoSuchModuleError) as failure:
        raise refused(
            "book-address-wrong.not-understood", Place(file=place.partition("://")[0]), failure=failure
        ) from failure
    except ImportError as failure:
        raise refused("book-driver-missing", Place(file=shown_place(place))) from failure


def _require_place(path: str, *, must_exist: bool) -> None:
    """Refuse a path at which there is no file to open, or cannot be one; SQLite would not say why."""
    folder = os.path.dirname(path) or os.curdir  # noqa: PTH120 - as the rest of this module
    try:
        mode = _mode_of(path)
        if mode is None and must_exist:
            raise refused("book-missing.no-file", Place(file=path))
        if mode is not None and not stat.S_ISREG(mode):
            raise refused(
                "book-not-a-file",
                Place(file=path),
                word="a folder" if stat.S_ISDIR(mode) else "no regular file",
            )
        if mode is None:
            os.stat(folder)  # noqa: PTH116 - as above
        refusing = (folder, os.W_OK | os.X_OK) if mode is None else (path, os.R_OK)
        if not os.access(*refusing):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), refusing[0])
    except OSError as failure:
        raise failure_of_file(failure, path) from failure


def _mode_of(path: str) -> int | None:
    try:
        return os.stat(path).st_mode  # noqa: PTH116 - as above
    except FileNotFoundError:
        return None


def _sqlite_engine(path: str, *, must_exist: bool, wait_seconds: float) -> Engine:
    opens = _open_existing if must_exist else _open_or_make
    engine = create_engine(f"sqlite+pysqlite:///{path}", creator=functools.partial(opens, path, wait_seconds))

    @event.listens_for(engine, "connect")
    def _keep_pages(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA cache_size = -{KIBIBYTES_KEPT}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # The driver's own transactions would begin too late for a reader and never at once for a writer.
        writes = connection.get_execution_options().get("ratebook_writes", False)
        if writes:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            # Readers begin often, and never have to wait.
            connection.connection.cursor().execute("BEGIN")

    return engine


def _open_existing(path: str, wait_seconds: float) -> sqlite3.Connection:
    try:
        return _to_write(path, wait_seconds, "rw")
    except sqlite3.OperationalError as failure:
        if not _may_not_write(failure):
            raise
    return open_to_read(path, wait_seconds)


def _open_or_make(path: str, wait_seconds: float) -> sqlite3.Connection:
    # SQLite gives its log the rights of the file. Where none can be made, it fails too and says so.
    with suppress(OSError):
        make_private_file(path)
    return _to_write(path, wait_seconds, "rwc")


def _to_write(path: str, wait_seconds: float, mode: str) -> sqlite3.Connection:
    connection = connect_file(path, f"mode={mode}", wait_seconds)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")
        # After a loss of power the last transaction is kept, not only the order of all.
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def open_to_read(path: str, wait_seconds: float) -> sqlite3.Connection:
    """Open a SQLite file that may only be read: it is still worth reading.

    Raises:
        sqlite3.Error: it cannot be read, or is no database.
    """
    connection = connect_file(path, "mode=ro", wait_seconds)
    try:
        connection.execute("PRAGMA schema_version")
    except sqlite3.OperationalError as failure:
        connection.close()
        if not _may_not_write(failure):
            raise
        log = path + "-wal"
        if os.path.exists(log) and os.path.getsize(log):  # noqa: PTH110, PTH202 - as above
            raise refused("book-log-waits", Place(file=path), log=log) from failure
        # No one has written to it without copying that into the file: it is complete as it is, and SQLite need not
        # make the files beside it by which readers and writers talk to each other.
        connection = connect_file(path, "mode=ro&immutable=1", wait_seconds)
    except BaseException:
        connection.close()
        raise
    return connection


def _may_not_write(failure: sqlite3.OperationalError) -> bool:
    return failure.sqlite_errorname.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN"))


def connect_file(path: str, how: str, wait_seconds: float) -> sqlite3.Connection:
    """Open a SQLite file as the parameters *how* of its address say (https://www.sqlite.org/uri.html)."""
    address = "file:" + path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(
        f"{address}?{how}", uri=True, timeout=wait_seconds, isolation_level=None, check_same_thread=False
    )

"""What goes wrong with a store becomes a finding: locked, full, read-only, missing, of another version."""

from __future__ import annotations

import errno
import sqlite3
from typing import TYPE_CHECKING

from ratebook.findings import Finding, finding

if TYPE_CHECKING:
    from collections.abc import Callable


_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class BookError(Exception):
    """The book cannot do what was asked; the finding says why and what to do."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def refused(name: str, where: str, /, **values: object) -> BookError:
    """Return the error that refuses what was asked, to be raised (`ratebook.findings.finding`)."""
    return BookError(finding(name, where, **values))


def failure_of(failure: Exception, book: str) -> BookError:
    """Return the finding for an error of the store named *book*.

    SQLite and PostgreSQL say by a code what is wrong; where a server cannot even be reached, there are only words.

    Args:
        failure: an error of SQLAlchemy, or of a driver.
        book: the path, or the address without its password.
    """
    cause = getattr(failure, "orig", None) or failure
    text = str(cause).strip() or type(cause).__name__
    make = _by_code(cause) or _by_words(text.lower()) or _failed
    return make(book, text.splitlines()[0])


def failure_of_file(failure: OSError, path: str) -> BookError:
    """Return the finding for a file or folder that the operating system does not let be written or read."""
    reason = failure.strerror or str(failure)
    if failure.errno in _NO_ROOM:
        return _disk_full(path, reason)
    return refused("book-file-refused", path, reason=reason)


def unwritable(failure: OSError, path: str) -> BookError:
    """Return the finding for a place that was given for something new, and at which it cannot be written."""
    reason = failure.strerror or str(failure)
    if failure.errno in _NO_ROOM:
        return _disk_full(path, reason)
    return refused("output-unwritable.unwritable", path, reason=reason)


def _by_code(cause: BaseException) -> Callable[[str, str], BookError] | None:
    if isinstance(cause, sqlite3.Error):
        name = getattr(cause, "sqlite_errorname", None) or ""
        return _SQLITE.get("_".join(name.split("_")[:2]))
    state = getattr(cause, "sqlstate", None) or ""
    return _POSTGRESQL.get(state) or _POSTGRESQL.get(state[:2])


def _by_words(text: str) -> Callable[[str, str], BookError] | None:
    for words, make in _KNOWN_WORDS:
        if any(word in text for word in words):
            return make
    return None


def _failed(book: str, text: str) -> BookError:
    return refused("book-failed", book, text=text)


def locked(book: str) -> BookError:
    """Return the error that another program keeps the book to itself."""
    return refused("book-locked", book)


def _locked(book: str, _: str) -> BookError:
    return locked(book)


def _disk_full(book: str, text: str) -> BookError:
    return refused("book-disk-full", book, text=text)


def _disk_failed(book: str, text: str) -> BookError:
    return refused("book-disk-failed", book, text=text)


def _read_only(book: str, _: str) -> BookError:
    return refused("book-read-only", book)


def _unreadable(book: str, _: str) -> BookError:
    return refused("book-unreadable", book)


def _missing(book: str, _: str) -> BookError:
    return refused("book-missing.missing", book)


def _without_tables(book: str, text: str) -> BookError:
    return refused("book-without-tables", book, text=text)


def _database_missing(book: str, _: str) -> BookError:
    return refused("book-database-missing", book)


def _access_denied(book: str, text: str) -> BookError:
    return refused("book-access-denied", book, text=text)


def _server_away(book: str, text: str) -> BookError:
    return refused("book-server-away", book, text=text)


def _contradicted(book: str, text: str) -> BookError:
    return refused("book-contradicted", book, text=text)


_SQLITE: dict[str, Callable[[str, str], BookError]] = {
    "SQLITE_BUSY": _locked,
    "SQLITE_LOCKED": _locked,
    "SQLITE_FULL": _disk_full,
    "SQLITE_IOERR": _disk_failed,
    "SQLITE_READONLY": _read_only,
    "SQLITE_PERM": _read_only,
    "SQLITE_NOTADB": _unreadable,
    "SQLITE_CORRUPT": _unreadable,
    "SQLITE_CANTOPEN": _missing,
    "SQLITE_CONSTRAINT": _contradicted,
}
"""Primary result codes of SQLite, https://www.sqlite.org/rescode.html."""

_POSTGRESQL: dict[str, Callable[[str, str], BookError]] = {
    "23": _contradicted,
    "P0001": _contradicted,
    "55P03": _locked,
    "40": _locked,
    "53100": _disk_full,
    "58030": _disk_failed,
    "25006": _read_only,
    "42501": _access_denied,
    "28": _access_denied,
    "42P01": _without_tables,
    "3D000": _database_missing,
    "53300": _server_away,
    "08": _server_away,
    "57P01": _server_away,
    "57P02": _server_away,
    "57P03": _server_away,
}
"""Error codes of PostgreSQL, whole or by class (PostgreSQL manual, appendix A)."""

_KNOWN_WORDS: tuple[tuple[tuple[str, ...], Callable[[str, str], BookError]], ...] = (
    (("no such table",), _without_tables),
    (("authentication failed", "no password supplied", "role ", "pg_hba.conf"), _access_denied),
    (("fatal:  database", "fatal: database"), _database_missing),
    (
        (
            "connection failed",
            "connection is bad",
            "connection timeout",
            "failed to resolve",
            "closed the connection",
            "connection is closed",
            "connection is lost",
            "consuming input failed",
            "sending query failed",
        ),
        _server_away,
    ),
)
"""Words of SQLite and of the driver of PostgreSQL where there is no code; the first that fits holds."""

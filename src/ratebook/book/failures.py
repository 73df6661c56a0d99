"""What goes wrong with a store becomes a finding: locked, full, read-only, missing, of another version."""

from __future__ import annotations

import errno
import sqlite3
from typing import TYPE_CHECKING

from ratebook.findings import Finding, error

if TYPE_CHECKING:
    from collections.abc import Callable


_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class BookError(Exception):
    """The book cannot do what was asked; the finding says why and what to do."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def refused(code: str, where: str, message: str, remedy: str) -> BookError:
    """Return the error that refuses what was asked, to be raised; the code stands in docs/findings.toml."""
    return BookError(error(code, where, message, remedy))


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
    return refused(
        "book-file-refused",
        path,
        f"The operating system refuses the file or folder: {reason}.",
        "Check the path, and your rights to it and to its folder; nothing was half done.",
    )


def unwritable(failure: OSError, path: str) -> BookError:
    """Return the finding for a place that was given for something new, and at which it cannot be written."""
    reason = failure.strerror or str(failure)
    if failure.errno in _NO_ROOM:
        return _disk_full(path, reason)
    return refused("output-unwritable", path, f"It cannot be written: {reason}.", "Give another place.")


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
    return refused(
        "book-failed",
        book,
        f"The store refused: {text}.",
        "Try again; nothing was half done. If it stays, report it with the words of the store.",
    )


def locked(book: str) -> BookError:
    """Return the error that another program keeps the book to itself."""
    return refused(
        "book-locked",
        book,
        "Another program is writing to the book.",
        "Wait until it has finished, then try again.",
    )


def _locked(book: str, _: str) -> BookError:
    return locked(book)


def _disk_full(book: str, text: str) -> BookError:
    return refused(
        "book-disk-full",
        book,
        f"There is no room to write: {text}.",
        "Make room on the disk, then try again; nothing was half done.",
    )


def _disk_failed(book: str, text: str) -> BookError:
    return refused(
        "book-disk-failed",
        book,
        f"The file cannot be read or written: {text}.",
        "Check whether the disk is full, damaged or away, or a limit for the size of files is reached; "
        "nothing was half done.",
    )


def _read_only(book: str, _: str) -> BookError:
    return refused(
        "book-read-only",
        book,
        "The book may be read but not written.",
        "Ask for the right to write to the file and its folder, or to the database.",
    )


def _unreadable(book: str, _: str) -> BookError:
    return refused(
        "book-unreadable",
        book,
        "This is no book, or the file is damaged.",
        "Check the name, or restore a backup with ratebook book restore.",
    )


def _missing(book: str, _: str) -> BookError:
    return refused(
        "book-missing",
        book,
        "The file cannot be opened.",
        "Check the path, and that its folder exists and may be written to; or make a book with ratebook book init.",
    )


def _without_tables(book: str, text: str) -> BookError:
    return refused(
        "book-without-tables",
        book,
        f"The store holds no book: {text}.",
        "Make one with ratebook book init; one that was broken off can be begun again at the same place.",
    )


def _database_missing(book: str, _: str) -> BookError:
    return refused(
        "book-database-missing",
        book,
        "The server has no database of this name.",
        "Check the address, or have the database made, then run ratebook book init.",
    )


def _access_denied(book: str, text: str) -> BookError:
    return refused(
        "book-access-denied",
        book,
        f"The server does not let this user in: {text}.",
        "Check the user and the password of the address, or the user's rights to the database.",
    )


def _server_away(book: str, text: str) -> BookError:
    return refused(
        "book-server-away",
        book,
        f"The database server cannot be reached: {text}.",
        "Check the address and that the server runs; nothing was half done.",
    )


def _contradicted(book: str, text: str) -> BookError:
    return refused(
        "book-contradicted",
        book,
        f"What was to be written contradicts what the book keeps: {text}.",
        "Nothing was written. Where no file was changed by hand, report it with the words of the store.",
    )


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

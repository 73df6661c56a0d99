"""Failures of a store as findings: locked, full, read-only, missing, of another version."""

import errno
import sqlite3

from ratebook.findings import Finding, Place, finding

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class BookError(Exception):
    """The book cannot do what was asked; the finding says why and what to do."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


class StoreError(BookError):
    """The store itself does not answer, or it has moved: nothing else of the same work can be done either."""


def refused(name: str, place: Place, /, **values: object) -> BookError:
    """Return the error that refuses what was asked, to be raised (`ratebook.findings.finding`)."""
    return BookError(finding(name, place, **values))


def failure_of(failure: Exception, book: str) -> StoreError:
    """Return the finding for an error of SQLAlchemy or of a driver about the store named *book*.

    SQLite and PostgreSQL say by a code what is wrong; where a server cannot even be reached, there are only words.
    """
    cause = getattr(failure, "orig", None) or failure
    text = str(cause).strip() or type(cause).__name__
    if isinstance(cause, UnicodeDecodeError):
        # What SQLite says of a damaged file may be no text itself.
        return StoreError(finding("book-unreadable", Place(file=book)))
    if _is_of_driver(cause):
        # The driver's words have the value in them.
        return StoreError(finding("book-damaged", Place(file=book), failure=type(cause).__name__))
    name = _by_code(cause) or _by_words(text.lower()) or "book-failed"
    return StoreError(finding(name, Place(file=book), text=text.splitlines()[0]))


def is_of_value(failure: Exception) -> bool:
    """Return whether a value that is stored cannot be read as its column's kind, while the store itself works."""
    cause = getattr(failure, "orig", None) or failure
    if isinstance(cause, UnicodeDecodeError):
        return False
    return isinstance(cause, ValueError | TypeError) or _is_of_driver(cause)


def _is_of_driver(cause: BaseException) -> bool:
    """Return whether a driver could not make of a value what its column holds; no store gives a code for that."""
    if type(cause).__name__ == "DataError":
        return getattr(cause, "sqlstate", None) is None
    return isinstance(cause, sqlite3.Error) and "decode to UTF-8" in str(cause)


def failure_of_file(failure: OSError, path: str) -> StoreError:
    """Return the finding for a file or folder that the operating system does not let be written or read."""
    return _of_system(failure, path, "book-file-refused")


def unwritable(failure: OSError, path: str) -> StoreError:
    """Return the finding for a place that was given for something new, and at which it cannot be written."""
    return _of_system(failure, path, "output-unwritable.unwritable")


def _of_system(failure: OSError, path: str, name: str) -> StoreError:
    reason = failure.strerror or str(failure)
    if failure.errno in _NO_ROOM:
        return StoreError(finding("book-disk-full", Place(file=path), text=reason))
    return StoreError(finding(name, Place(file=path), reason=reason))


def _by_code(cause: BaseException) -> str | None:
    if isinstance(cause, sqlite3.Error):
        name = getattr(cause, "sqlite_errorname", None) or ""
        return SQLITE.get("_".join(name.split("_")[:2]))
    state = getattr(cause, "sqlstate", None) or ""
    return POSTGRESQL.get(state) or POSTGRESQL.get(state[:2])


def _by_words(text: str) -> str | None:
    return next((name for name, words in WORDS.items() if any(word in text for word in words)), None)


SQLITE = {
    "SQLITE_BUSY": "book-locked",
    "SQLITE_LOCKED": "book-locked",
    "SQLITE_FULL": "book-disk-full",
    "SQLITE_IOERR": "book-disk-failed",
    "SQLITE_READONLY": "book-read-only",
    "SQLITE_PERM": "book-read-only",
    "SQLITE_NOTADB": "book-unreadable",
    "SQLITE_CORRUPT": "book-unreadable",
    "SQLITE_CANTOPEN": "book-missing.not-opened",
    "SQLITE_CONSTRAINT": "book-contradicted",
}
"""Primary result codes of SQLite, https://www.sqlite.org/rescode.html."""

POSTGRESQL = {
    "23": "book-contradicted",
    "P0001": "book-contradicted",
    "55P03": "book-locked",
    "40": "book-locked",
    "53100": "book-disk-full",
    "58030": "book-disk-failed",
    "25006": "book-read-only",
    "42501": "book-access-denied",
    "28": "book-access-denied",
    "42P01": "book-without-tables",
    "3D000": "book-database-missing",
    "53300": "book-server-away",
    "08": "book-server-away",
    "57P01": "book-server-away",
    "57P02": "book-server-away",
    "57P03": "book-server-away",
}
"""Error codes of PostgreSQL, whole or by class (PostgreSQL manual, appendix A)."""

WORDS = {
    "book-without-tables": ("no such table",),
    "book-access-denied": ("authentication failed", "no password supplied", "role ", "pg_hba.conf"),
    "book-database-missing": ("fatal:  database", "fatal: database"),
    "book-server-away": (
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
}
"""Words of SQLite and of the driver of PostgreSQL where there is no code; the first that fits holds."""

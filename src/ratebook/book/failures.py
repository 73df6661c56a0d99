"""What goes wrong with a store becomes a finding: locked, full, read-only, missing, of another version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.problems import Problem, error

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.exc import SQLAlchemyError


class BookError(Exception):
    """The book cannot do what was asked; the finding says why and what to do."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def refused(code: str, where: str, message: str, remedy: str) -> BookError:
    """Return the error that refuses what was asked, to be raised; the code stands in docs/findings.toml."""
    return BookError(error(code, where, message, remedy))


def failure_of(failure: SQLAlchemyError, book: str) -> BookError:
    """Return the finding for an error of the store named *book*."""
    text = str(getattr(failure, "orig", None) or failure).strip()
    for words, make in _KNOWN:
        if any(word in text.lower() for word in words):
            return make(book, text.splitlines()[0])
    first = text.splitlines()[0] if text else type(failure).__name__
    return refused(
        "book-failed",
        book,
        f"The store refused: {first}.",
        "Check that the database server runs and can be reached; nothing was half done.",
    )


def _locked(book: str, text: str) -> BookError:
    del text
    return refused(
        "book-locked",
        book,
        "Another program is writing to the book.",
        "Wait until it has finished, then try again.",
    )


def _disk_full(book: str, text: str) -> BookError:
    return refused(
        "book-disk-full",
        book,
        f"The store cannot write: {text}.",
        "Make room on the disk, then try again; nothing was half done.",
    )


def _read_only(book: str, text: str) -> BookError:
    del text
    return refused(
        "book-read-only",
        book,
        "The book may be read but not written.",
        "Ask for the right to write to the file and its folder, or to the database.",
    )


def _unreadable(book: str, text: str) -> BookError:
    del text
    return refused(
        "book-unreadable",
        book,
        "This is no book, or the file is damaged.",
        "Check the name, or restore a backup with ratebook book restore.",
    )


def _missing(book: str, text: str) -> BookError:
    del text
    return refused(
        "book-missing",
        book,
        "The file cannot be opened.",
        "Check the path, or make a book with ratebook book init.",
    )


def _without_tables(book: str, text: str) -> BookError:
    return refused(
        "book-without-tables",
        book,
        f"The store holds no book: {text}.",
        "Make one with ratebook book init.",
    )


_KNOWN: tuple[tuple[tuple[str, ...], Callable[[str, str], BookError]], ...] = (
    (("is locked", "lock timeout", "could not obtain lock"), _locked),
    (("disk is full", "no space left", "disk full", "disk i/o"), _disk_full),
    (("readonly", "read-only", "permission denied"), _read_only),
    (("not a database", "malformed"), _unreadable),
    (("unable to open",), _missing),
    (("no such table", "does not exist"), _without_tables),
)
"""Words in the messages of SQLite and PostgreSQL, and the findings that they mean; the first that fits holds."""

"""Trying a decision of the office: what it would change, and what would wait for a re-rating."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from ratebook.book.connection import Book
from ratebook.book.ledger.pending import Pending, read_pending
from ratebook.book.profile import revision
from ratebook.office.decisions.revision import DecisionResult


class DecisionTrial(NamedTuple):
    """What a decision would do.

    Attributes:
        revision: of the book, from which on it would.
        marked: what would wait for a re-rating because of it.
    """

    revision: int
    result: DecisionResult
    marked: tuple[Pending, ...]


def try_decision(book: Book, decide: Callable[[Book], DecisionResult]) -> DecisionTrial:
    """Return what a decision would do.

    Raises:
        BookError: it is refused.
    """
    trial = book.sibling()
    with trial.trying():
        with trial.reading() as connection:
            seen, before = revision(connection), Counter(read_pending(connection))
        result = decide(trial)
        with trial.reading() as connection:
            new = Counter(read_pending(connection)) - before
    return DecisionTrial(seen, result, tuple(new.elements()))

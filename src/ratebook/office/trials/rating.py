"""Trying what rating reports would do: everything is computed as if it were kept, and nothing is."""

from collections.abc import Iterable
from typing import NamedTuple

from ratebook.book.connection import Actor, Book
from ratebook.book.profile import read_federation, revision
from ratebook.book.submissions import Status, accept_findings, open_findings, status_of
from ratebook.findings import ALL
from ratebook.office.queue.submit import settle_status
from ratebook.office.rating.rate_queue import END_OF_HISTORY, RatedQueue, rate_ready
from ratebook.pages.event import section_tables
from ratebook.records.events import Crosstable


class RatingTrial(NamedTuple):
    """What rating some reports would do.

    Attributes:
        revision: of the book, from which on it would.
        tables: the crosstables that would be shown.
    """

    revision: int
    rated: RatedQueue
    tables: tuple[Crosstable, ...]


def try_rating(book: Book, numbers: Iterable[int], actor: Actor, before: str = END_OF_HISTORY) -> RatingTrial:
    """Return what rating these submissions *before* a place would do, as if warnings that hold them were accepted."""
    trial, only = book.sibling(), frozenset(numbers)
    with trial.trying():
        with trial.writing() as connection:
            seen = revision(connection)
            for number in only:
                errors, warnings = open_findings(connection, number)
                if status_of(connection, number) is Status.HELD and warnings and not errors:
                    accept_findings(connection, number, [ALL], actor)
                    settle_status(connection, number)
        rated = rate_ready(trial, actor, only=only, before=before)
        with trial.reading() as connection:
            federation = read_federation(connection)
            tables = [
                table
                for one in rated.posted
                for table in section_tables(connection, federation, one.event_id, one.number)
            ]
    return RatingTrial(seen, rated, tuple(tables))

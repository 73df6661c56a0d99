"""Whose a submission is: the account that sent it, in person or by a program."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import insert, select, update

from ratebook.book.connection import Connection
from ratebook.web.store.schema import moment, sent


class SentReport(NamedTuple):
    """A submission that an account sent; *withdrawn_at* is None where it did not take it back."""

    submission_id: int
    sent_at: str
    withdrawn_at: str | None


def note_sent(connection: Connection, account: int, submission: int, at: datetime) -> None:
    """Note whose a new submission is."""
    connection.execute(insert(sent).values(submission_id=submission, account_id=account, sent_at=moment(at)))


def note_withdrawn(connection: Connection, submissions: Iterable[int], at: datetime) -> None:
    """Note that a submission, under any of its numbers, was taken back by who sent it."""
    connection.execute(
        update(sent).where(sent.c.submission_id.in_(list(submissions))).values(withdrawn_at=moment(at))
    )


def sent_by(connection: Connection, account: int) -> dict[int, SentReport]:
    """Return the submissions of an account by their numbers."""
    rows = connection.execute(
        select(*(sent.c[name] for name in SentReport._fields)).where(sent.c.account_id == account)
    )
    return {row.submission_id: SentReport(*row) for row in rows}

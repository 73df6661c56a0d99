"""What accounts have sent: forms, of which each is done once, and reports, whose they are.

A second sending of a form is led to where the first one led.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, insert, select, update

from ratebook.book.connection import Connection
from ratebook.web.store.schema import accounts, moment, sendings, sent

REMEMBERED = timedelta(days=7)


def begin_sending(connection: Connection, account: int, key: str, at: datetime) -> str | None:
    """Note that a form is being worked on: None for its first sending, else where that led, empty until it ends."""
    connection.execute(delete(sendings).where(sendings.c.made_at <= moment(at - REMEMBERED)))
    led = connection.execute(select(sendings.c.led_to).where(*_same(account, key))).scalar()
    if led is None:
        connection.execute(
            insert(sendings).values(account_id=account, key=key, made_at=moment(at), led_to="")
        )
    return led


def end_sending(connection: Connection, account: int, key: str, led_to: str) -> None:
    """Note where a form led."""
    connection.execute(update(sendings).where(*_same(account, key)).values(led_to=led_to))


def forget_sending(connection: Connection, account: int, key: str) -> None:
    """Forget a form by which nothing was done."""
    connection.execute(delete(sendings).where(*_same(account, key)))


def forget_broken_off(connection: Connection) -> None:
    """Forget the forms that a server which was killed had been working on."""
    connection.execute(delete(sendings).where(sendings.c.led_to == ""))


def forget_leading(connection: Connection, is_about: Callable[[str], bool]) -> int:
    """Forget the forms that led to an address which is about a person; return how many."""
    rows = connection.execute(select(sendings.c.key, sendings.c.led_to)).all()
    keys = [row.key for row in rows if is_about(row.led_to)]
    connection.execute(delete(sendings).where(sendings.c.key.in_(keys)))
    return len(keys)


def _same(account: int, key: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return sendings.c.account_id == account, sendings.c.key == key


class SentReport(NamedTuple):
    """A submission that an account sent; *withdrawn_at* is None where it did not take it back."""

    submission_id: int
    sent_at: str
    withdrawn_at: str | None


def note_sent(connection: Connection, account: int, submission: int, at: datetime) -> None:
    """Note whose a new submission is."""
    connection.execute(insert(sent).values(submission_id=submission, account_id=account, sent_at=moment(at)))


def keep_ratings(connection: Connection, submission: int, ratings: bytes) -> None:
    """Keep the ratings that the preview of a submission showed when it was sent."""
    connection.execute(update(sent).where(sent.c.submission_id == submission).values(ratings=ratings))


def kept_ratings(connection: Connection, submissions: Iterable[int]) -> bytes | None:
    """Return the ratings that were kept with the newest of the *submissions*; None where there are none."""
    ratings = connection.execute(
        select(sent.c.ratings)
        .where(sent.c.submission_id.in_(list(submissions)), sent.c.ratings.is_not(None))
        .order_by(sent.c.submission_id.desc())
        .limit(1)
    ).scalar()
    return None if ratings is None else bytes(ratings)


def forget_ratings(connection: Connection, is_about: Callable[[str], bool]) -> int:
    """Forget the ratings of previews that are about a person; return how many."""
    rows = connection.execute(
        select(sent.c.submission_id, sent.c.ratings)
        .where(sent.c.ratings.is_not(None))
        .execution_options(yield_per=10)
    )
    numbers = [row.submission_id for row in rows if is_about(bytes(row.ratings).decode(errors="replace"))]
    connection.execute(update(sent).where(sent.c.submission_id.in_(numbers)).values(ratings=None))
    return len(numbers)


def note_withdrawn(connection: Connection, submissions: Iterable[int], at: datetime) -> None:
    """Note that a submission, under any of its numbers, was taken back by who sent it."""
    connection.execute(
        update(sent).where(sent.c.submission_id.in_(list(submissions))).values(withdrawn_at=moment(at))
    )


def sender_of(connection: Connection, submissions: Iterable[int]) -> str:
    """Return the name of the account that sent one of the *submissions*; empty where none of them came from one."""
    names = select(accounts.c.name).join_from(sent, accounts)
    sender = connection.execute(names.where(sent.c.submission_id.in_(list(submissions))).limit(1)).scalar()
    return sender or ""


def sent_by(connection: Connection, account: int) -> dict[int, SentReport]:
    """Return the submissions of an account by their numbers."""
    rows = connection.execute(
        select(*(sent.c[name] for name in SentReport._fields)).where(sent.c.account_id == account)
    )
    return {row.submission_id: SentReport(*row) for row in rows}

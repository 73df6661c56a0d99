"""Failed sign-ins, counted by account and by address: each must wait longer, and no one is locked out."""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, insert, select, update

from ratebook.book.connection import Connection
from ratebook.web.store.accounts import folded
from ratebook.web.store.schema import moment, throttle

FREE = 5
"""Failures of an account without a wait."""
FIRST_WAIT = timedelta(seconds=10)
LONGEST_WAIT = timedelta(minutes=15)
FORGOTTEN = timedelta(days=1)
"""Failures of an account count no more after a day without one."""

OF_ADDRESS = 20
"""Failures of an address in an hour."""
HOUR = timedelta(hours=1)

KNOWN = timedelta(days=30)
"""For so long an address from which an account was signed in to need not wait for what others try."""

Moment = str


class Count(NamedTuple):
    """How often something failed, from when it is counted, and until when the next attempt must wait."""

    failures: int = 0
    counted_from: Moment = ""
    wait_until: Moment = ""


def wait_of(failures: int) -> timedelta:
    """Return how long an account waits after so many failures.

    >>> [wait_of(failures).total_seconds() for failures in (4, 5, 6, 7, 11, 12, 1000)]
    [0.0, 10.0, 20.0, 40.0, 640.0, 900.0, 900.0]
    """
    if failures < FREE:
        return timedelta(0)
    return min(FIRST_WAIT * (1 << min(failures - FREE, 10)), LONGEST_WAIT)


def begin_attempt(connection: Connection, name: str, address: str, at: datetime) -> datetime | None:
    """Count an attempt to sign in as failed, before it is known; return until when it must wait instead.

    What must wait is not counted, so that waiting is never prolonged by others.
    """
    now = moment(at)
    connection.execute(
        delete(throttle).where(throttle.c.counted_from < moment(at - FORGOTTEN), throttle.c.wait_until < now)
    )
    account, source = _account(name), _address(address)
    of_account, of_address = _read(connection, account), _read(connection, source)
    known = _read(connection, _known(name, address)).wait_until > now
    waits = [of_address.wait_until] if known else [of_address.wait_until, of_account.wait_until]
    if max(waits) > now:
        return datetime.fromisoformat(max(waits))
    failures = of_account.failures + 1
    _write(connection, account, Count(failures, now, moment(at + wait_of(failures))))
    fresh = of_address.counted_from <= moment(at - HOUR)
    failed, since = (1, now) if fresh else (of_address.failures + 1, of_address.counted_from)
    until = moment(datetime.fromisoformat(since) + HOUR) if failed >= OF_ADDRESS else ""
    _write(connection, source, Count(failed, since, until))
    return None


def end_attempt(connection: Connection, name: str, address: str, at: datetime) -> None:
    """Note that the attempt begun last succeeded."""
    connection.execute(delete(throttle).where(throttle.c.subject == _account(name)))
    of_address = _read(connection, _address(address))
    _write(connection, _address(address), Count(max(0, of_address.failures - 1), of_address.counted_from, ""))
    _write(connection, _known(name, address), Count(0, moment(at), moment(at + KNOWN)))


def throttled(connection: Connection, at: datetime) -> list[tuple[str, Count]]:
    """Return what must wait now."""
    rows = connection.execute(
        select(throttle)
        .where(throttle.c.wait_until > moment(at), throttle.c.failures > 0)
        .order_by(throttle.c.subject)
    )
    return [(subject, Count(*count)) for subject, *count in rows]


def _account(name: str) -> str:
    return f"account {folded(name)}"


def _address(address: str) -> str:
    return f"address {address}"


def _known(name: str, address: str) -> str:
    return f"known {address} {folded(name)}"


def _read(connection: Connection, subject: str) -> Count:
    row = connection.execute(
        select(throttle.c.failures, throttle.c.counted_from, throttle.c.wait_until).where(
            throttle.c.subject == subject
        )
    ).first()
    return Count() if row is None else Count(*row)


def _write(connection: Connection, subject: str, count: Count) -> None:
    changed = connection.execute(
        update(throttle).where(throttle.c.subject == subject).values(count._asdict())
    )
    if not changed.rowcount:
        connection.execute(insert(throttle).values(subject=subject, **count._asdict()))

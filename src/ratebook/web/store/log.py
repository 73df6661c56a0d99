"""The log of a web server: rows are added and never changed."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import func, insert, select

from ratebook.book.connection import Connection
from ratebook.web.store import schema
from ratebook.web.store.schema import moment


class LogKind(StrEnum):
    """What happened."""

    SIGNED_IN = "signed in"
    SIGN_IN_REFUSED = "sign-in refused"
    SIGN_IN_WAITS = "sign-in told to wait"
    SIGNED_OUT = "signed out"
    REFUSED = "refused"
    CONFIRMED = "password given again"
    PASSWORD_SET = "password set"
    CODE_GIVEN = "code given again"
    SECOND_FACTOR_SET = "second factor set"
    RECOVERY_CODES_MADE = "recovery codes made"
    SESSION_ENDED = "session ended"
    ACCOUNT_ADDED = "account added"
    ACCOUNT_CHANGED = "account changed"
    ACCOUNT_DISABLED = "account disabled"
    ACCOUNT_RESET = "account reset"
    TOKEN_ADDED = "token added"
    TOKEN_REVOKED = "token revoked"
    TOKEN_USED = "token used"
    TOKEN_REFUSED = "token refused"
    PRIVATE_VIEWED = "private facts viewed"
    COPY_TAKEN = "copy taken"
    BOOK_VERIFIED = "book verified"
    ACCOUNTS_RESTORED = "accounts restored"
    DRILL_DONE = "drill done"
    DRILL_FAILED = "drill failed"


BOUNDED = frozenset({LogKind.SIGN_IN_REFUSED, LogKind.SIGN_IN_WAITS, LogKind.REFUSED, LogKind.TOKEN_REFUSED})
"""What anyone can bring about without end."""
MOST_OF_HOUR = 30
"""Entries of each of these kinds from one address within an hour; the last of them says that more are left out."""
HOUR = timedelta(hours=1)
LEFT_OUT = "more within the hour are left out"


class LogEntry(NamedTuple):
    """An entry: when, as whom, what, from where; *details* never hold a secret or a birth date."""

    id: int
    at: str
    account: str
    kind: str
    address: str
    details: str


def note(
    connection: Connection, kind: LogKind, account: str, at: datetime, address: str = "", details: str = ""
) -> None:
    """Add an entry, unless there are enough of its kind; *address* is empty for what was done on the machine."""
    if kind in BOUNDED:
        room = room_for(connection, kind, at, address)
        if not room:
            return
        details = "; ".join(filter(None, (details, LEFT_OUT if room == 1 else "")))
    connection.execute(
        insert(schema.log).values(
            at=moment(at), account=account, kind=kind.value, address=address, details=details
        )
    )


def room_for(connection: Connection, kind: LogKind, at: datetime, address: str) -> int:
    """Return how many entries of a kind that is bounded may come from an address at a moment."""
    log = schema.log.c
    of_hour = log.address == address, log.kind == kind.value, log.at > moment(at - HOUR)
    return max(0, MOST_OF_HOUR - int(connection.execute(select(func.count()).where(*of_hour)).scalar_one()))


def newest_entries(
    connection: Connection, most: int, before: int = 0, account: str = "", kind: str = "", after: int = 0
) -> list[LogEntry]:
    """Return the newest entries, perhaps of one account or kind, with numbers below *before* or next above *after*."""
    log = schema.log.c
    wanted = [log.id < before] if before > 0 else []
    wanted += [log.id > after] if after > 0 else []
    wanted += [log.account == account] if account else []
    wanted += [log.kind == kind] if kind else []
    columns = (log[name] for name in LogEntry._fields)
    order = log.id.asc() if after > 0 else log.id.desc()
    rows = connection.execute(select(*columns).where(*wanted).order_by(order).limit(most))
    return sorted((LogEntry(*row) for row in rows), key=lambda entry: -entry.id)


def last_of(connection: Connection, kind: LogKind, details: str = "") -> str | None:
    """Return when something happened last, perhaps with certain details; None: never."""
    log = schema.log.c
    wanted = [log.kind == kind.value, *([log.details == details] if details else [])]
    at: str | None = connection.execute(select(func.max(log.at)).where(*wanted)).scalar_one()
    return at


def last_sign_ins(connection: Connection) -> dict[str, str]:
    """Return when each account signed in last."""
    log = schema.log.c
    signed_in = select(log.account, func.max(log.at)).where(log.kind == LogKind.SIGNED_IN.value)
    return {row[0]: row[1] for row in connection.execute(signed_in.group_by(log.account))}

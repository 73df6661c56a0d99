"""Sessions: who is signed in, since when, and with what."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Row, bindparam, delete, insert, or_, select, update

from ratebook.book.connection import Connection
from ratebook.web.store.accounts import Account, account_of
from ratebook.web.store.schema import accounts, moment, sessions

IDLE = timedelta(minutes=30)
"""A session ends after so long without a request (OWASP ASVS 5.0, 7.3.1)."""
LONGEST = timedelta(hours=12)
"""A session ends so long after it began, whatever happens in it (7.3.2)."""
AGENT_LETTERS = 120


class Session(NamedTuple):
    """One browser that is signed in.

    Attributes:
        confirmed_at: when the password was given last.
        offered: the sealed secret that the page of the second factor shows; None where it shows none yet.
    """

    id: int
    made_at: str
    seen_at: str
    confirmed_at: str
    agent: str
    offered: str | None


def start_session(connection: Connection, digest: str, account: int, agent: str, at: datetime) -> None:
    """Note that someone signed in; *digest* is that of the session's token."""
    connection.execute(delete(sessions).where(_OVER), _limits(at))
    now = moment(at)
    connection.execute(
        insert(sessions).values(
            digest=digest,
            account_id=account,
            made_at=now,
            seen_at=now,
            confirmed_at=now,
            agent=agent[:AGENT_LETTERS],
        )
    )


def find_session(connection: Connection, digest: str, at: datetime) -> tuple[Session, Account] | None:
    """Return the session of a token and its account as it is now; None where either is over."""
    row = connection.execute(_SESSION, {"token": digest, **_limits(at)}).first()
    if row is None:
        return None
    account_row = connection.execute(_ACCOUNT, {"account": row.account_id}).first()
    return None if account_row is None else (_session(row), account_of(account_row))


def sessions_of(connection: Connection, account: int, at: datetime) -> list[Session]:
    """Return the sessions of an account that are not over, the one seen last first."""
    rows = connection.execute(
        select(sessions)
        .where(sessions.c.account_id == account, ~_OVER)
        .order_by(sessions.c.seen_at.desc(), sessions.c.id.desc()),
        _limits(at),
    )
    return [_session(row) for row in rows]


def all_sessions(connection: Connection, at: datetime) -> list[tuple[Session, Account]]:
    """Return the sessions that are not over with their accounts, the one seen last first."""
    newest = sessions.c.seen_at.desc(), sessions.c.id.desc()
    rows = connection.execute(select(sessions).where(~_OVER).order_by(*newest), _limits(at)).all()
    whose = {row.id: account_of(row) for row in connection.execute(select(accounts))}
    return [(_session(row), whose[row.account_id]) for row in rows]


def note_seen(connection: Connection, session: int, at: datetime) -> None:
    """Note that a session was used."""
    connection.execute(update(sessions).where(sessions.c.id == session).values(seen_at=moment(at)))


def confirm_session(connection: Connection, session: int, digest: str, at: datetime) -> None:
    """Note that the password was given again; the session has a new token from now on, and no secret to show."""
    now = {"digest": digest, "confirmed_at": moment(at), "offered": None}
    connection.execute(update(sessions).where(sessions.c.id == session).values(now))


def offer_secret(connection: Connection, session: int, sealed: str) -> None:
    """Note which secret of a second factor a session shows until it is used or the password given again."""
    connection.execute(update(sessions).where(sessions.c.id == session).values(offered=sealed))


def end_session(connection: Connection, account: int, session: int) -> bool:
    """End a session of an account; False where the account has no such session."""
    ended = connection.execute(
        delete(sessions).where(sessions.c.id == session, sessions.c.account_id == account)
    )
    return ended.rowcount == 1


def end_sessions(connection: Connection, account: int, *, besides: int | None = None) -> None:
    """End all sessions of an account, or all but one."""
    others = [] if besides is None else [sessions.c.id != besides]
    connection.execute(delete(sessions).where(sessions.c.account_id == account, *others))


def _session(row: Row[Any]) -> Session:
    return Session(**{name: getattr(row, name) for name in Session._fields})


def _limits(at: datetime) -> dict[str, str]:
    return {"idle_since": moment(at - IDLE), "made_before": moment(at - LONGEST)}


_OVER = or_(sessions.c.seen_at < bindparam("idle_since"), sessions.c.made_at < bindparam("made_before"))
# Made once: every request of who is signed in asks both.
_SESSION = select(sessions).where(sessions.c.digest == bindparam("token"), ~_OVER)
_ACCOUNT = select(accounts).where(accounts.c.id == bindparam("account"), accounts.c.disabled_at.is_(None))

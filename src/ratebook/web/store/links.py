"""One-time links by which a person chooses a password."""

from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select

from ratebook.book.connection import Connection
from ratebook.web.store.accounts import Account, account_of
from ratebook.web.store.schema import accounts, links, moment

HOLDS = timedelta(hours=24)


def add_link(connection: Connection, digest: str, account: int, at: datetime) -> None:
    """Add a link for an account, by the digest of its token; earlier ones are void."""
    connection.execute(delete(links).where(links.c.account_id == account))
    connection.execute(insert(links).values(digest=digest, account_id=account, expires_at=moment(at + HOLDS)))


def account_of_link(connection: Connection, digest: str, at: datetime) -> Account | None:
    """Return whose password may be chosen by a link; None where it was used or is too old."""
    row = connection.execute(
        select(accounts)
        .join(links)
        .where(links.c.digest == digest, links.c.expires_at > moment(at), accounts.c.disabled_at.is_(None))
    ).first()
    return None if row is None else account_of(row)

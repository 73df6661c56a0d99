"""Reports that a director tries: each has a name that no one can guess, an owner, and a day to live."""

from datetime import datetime, timedelta

from sqlalchemy import delete, func, insert, select

from ratebook.book.connection import Connection
from ratebook.web.store.schema import moment, previews

HOLDS = timedelta(hours=24)


def keep_preview(connection: Connection, name: str, owner: int, content: bytes, at: datetime) -> None:
    """Keep what an account tries under a *name* of 128 random bits, and forget what is a day old."""
    connection.execute(delete(previews).where(previews.c.made_at <= moment(at - HOLDS)))
    connection.execute(
        insert(previews).values(name=name, account_id=owner, made_at=moment(at), content=content)
    )


def read_preview(connection: Connection, name: str, owner: int, at: datetime) -> bytes | None:
    """Return what its owner tries; None for others, and after a day."""
    content = connection.execute(
        select(previews.c.content).where(
            previews.c.name == name,
            previews.c.account_id == owner,
            previews.c.made_at > moment(at - HOLDS),
        )
    ).scalar()
    return None if content is None else bytes(content)


def previews_of_day(connection: Connection, owner: int, at: datetime) -> int:
    """Return how many an account has tried within a day, which is what its limit counts."""
    return connection.execute(
        select(func.count()).where(previews.c.account_id == owner, previews.c.made_at > moment(at - HOLDS))
    ).scalar_one()

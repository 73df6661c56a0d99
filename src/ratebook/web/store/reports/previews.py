"""Reports that a director tries: each has a name that no one can guess, an owner, and a day to live."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from ratebook.book.connection import Connection
from ratebook.web.store.schema import moment, previews

HOLDS = timedelta(hours=24)
_PACKED = b"PK\x03\x04"
"""Begins a file in a zip archive, as workbooks are."""


class ListedPreview(NamedTuple):
    """A preview as its owner finds it again."""

    name: str
    title: str
    made_at: str


def keep_preview(
    connection: Connection, name: str, owner: int, content: bytes, at: datetime, title: str = ""
) -> None:
    """Keep what an account tries under a *name* of 128 random bits, and forget what is a day old."""
    forget_old(connection, at)
    connection.execute(
        insert(previews).values(name=name, account_id=owner, made_at=moment(at), content=content, title=title)
    )


def forget_old(connection: Connection, at: datetime) -> None:
    """Forget what is a day old."""
    connection.execute(delete(previews).where(previews.c.made_at <= moment(at - HOLDS)))


def change_preview(
    connection: Connection, name: str, owner: int, content: bytes, at: datetime, title: str
) -> None:
    """Keep what became of a preview; its day begins anew."""
    connection.execute(
        update(previews)
        .where(*_own(name, owner, at))
        .values(content=content, title=title, made_at=moment(at))
    )


def read_preview(connection: Connection, name: str, owner: int, at: datetime) -> bytes | None:
    """Return what its owner tries; None for others, and after a day."""
    content = connection.execute(select(previews.c.content).where(*_own(name, owner, at))).scalar()
    return None if content is None else bytes(content)


def forget_preview(connection: Connection, name: str, owner: int) -> None:
    """Forget what its owner tried."""
    connection.execute(delete(previews).where(previews.c.name == name, previews.c.account_id == owner))


def forget_about(connection: Connection, is_about: Callable[[str], bool]) -> int:
    """Forget what anyone tries that is about a person, and all files that wait for an import; return how many.

    What is packed, a workbook or an archive, is not looked into: a report that came in one is forgotten, too.
    """
    rows = connection.execute(
        select(previews.c.name, previews.c.title, previews.c.content).execution_options(yield_per=10)
    )
    names = [
        row.name
        for row in rows
        if not row.title
        or is_about(row.title)
        or _PACKED in row.content
        or is_about(bytes(row.content).decode(errors="replace"))
    ]
    connection.execute(delete(previews).where(previews.c.name.in_(names)))
    return len(names)


def own_previews(connection: Connection, owner: int, at: datetime) -> list[ListedPreview]:
    """Return what an account tries, the newest first; what has no title is no report, but waits for its import."""
    mine = previews.c.account_id == owner, previews.c.made_at > moment(at - HOLDS)
    rows = connection.execute(
        select(*(previews.c[name] for name in ListedPreview._fields))
        .where(*mine, previews.c.title != "")
        .order_by(previews.c.made_at.desc(), previews.c.name)
    )
    return [ListedPreview(*row) for row in rows]


def previews_of_day(connection: Connection, owner: int, at: datetime) -> int:
    """Return how many an account has tried within a day, which is what its limit counts."""
    return connection.execute(
        select(func.count()).where(previews.c.account_id == owner, previews.c.made_at > moment(at - HOLDS))
    ).scalar_one()


def _own(name: str, owner: int, at: datetime) -> tuple[ColumnElement[bool], ...]:
    return (previews.c.name == name, previews.c.account_id == owner, previews.c.made_at > moment(at - HOLDS))

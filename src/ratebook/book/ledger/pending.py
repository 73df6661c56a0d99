"""What waits for a re-rating, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import insert, select, update

from ratebook.book import schema

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

marks = schema.rerate_marks


class Mark(NamedTuple):
    """From *place* on, what one member's sections read, one section, or (neither is given) everything may differ."""

    place: str
    reason: str
    member: str | None = None
    section: int | None = None


def mark(connection: Connection, new: Iterable[Mark]) -> None:
    """Note what must be rated again."""
    rows = [
        {"place": one.place, "reason": one.reason, "member_id": one.member, "section_id": one.section}
        for one in new
    ]
    if rows:
        connection.execute(insert(marks), rows)


def open_marks(connection: Connection) -> list[Mark]:
    """Return what waits, in the order of history."""
    rows = connection.execute(
        select(marks).where(marks.c.done_by.is_(None)).order_by(marks.c.place, marks.c.id)
    )
    return [Mark(row.place, row.reason, row.member_id, row.section_id) for row in rows]


def close_marks(connection: Connection, run: int) -> None:
    """Say that *run* has rated again what waited."""
    connection.execute(update(marks).where(marks.c.done_by.is_(None)).values(done_by=run))

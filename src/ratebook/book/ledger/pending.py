"""What waits for a re-rating, and why."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update

from ratebook.book import schema

marks = schema.rerate_marks


class Pending(NamedTuple):
    """Everything from *place* on that depends on *member*, on *section*, or (both None) on anything."""

    place: str
    reason: str
    member: str | None = None
    section: int | None = None


def note_pending(connection: Connection, new: Iterable[Pending]) -> None:
    """Note what must be rated again."""
    rows = [
        {"place": one.place, "reason": one.reason, "member_id": one.member, "section_id": one.section}
        for one in new
    ]
    if rows:
        connection.execute(insert(marks), rows)


def read_pending(connection: Connection) -> list[Pending]:
    """Return what waits, in the order of history."""
    rows = connection.execute(
        select(marks).where(marks.c.done_by.is_(None)).order_by(marks.c.place, marks.c.id)
    )
    return [Pending(row.place, row.reason, row.member_id, row.section_id) for row in rows]


def settled_by(connection: Connection, runs: Iterable[int]) -> dict[int, list[Pending]]:
    """Return what waited when each of some re-ratings began, in the order of history."""
    rows = connection.execute(
        select(marks).where(marks.c.done_by.in_(set(runs))).order_by(marks.c.place, marks.c.id)
    )
    found: dict[int, list[Pending]] = {}
    for row in rows:
        found.setdefault(row.done_by, []).append(
            Pending(row.place, row.reason, row.member_id, row.section_id)
        )
    return found


def settle_pending(connection: Connection, run: int) -> None:
    """Note that *run* has rated again what waited."""
    connection.execute(update(marks).where(marks.c.done_by.is_(None)).values(done_by=run))

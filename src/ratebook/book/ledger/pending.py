"""What waits for a re-rating, and why."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    case,
    func,
    insert,
    or_,
    select,
    update,
)

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.queries import PreparedQuery

marks = schema.rerate_marks
members, entries, sections, events = schema.members, schema.entries, schema.sections, schema.events


class Pending(NamedTuple):
    """Everything from *place* on that depends on *member*, on *section*, or (both None) on anything.

    Attributes:
        reason: in words, for the office.
        decision: the number of the decision that it follows from, where it does.
        late_event: the id of the event that came late, where that is why.
    """

    place: str
    reason: str
    member: str | None = None
    section: int | None = None
    decision: int | None = None
    late_event: str | None = None


class Cause(NamedTuple):
    """What a re-rating followed or will follow: something pending, and the event that came late or is corrected.

    Attributes:
        run: the re-rating; None while it waits.
        direct: whether it is about the member in question.
    """

    run: int | None
    pending: Pending
    event_id: str | None
    event_name: str | None
    direct: bool


def note_pending(connection: Connection, new: Iterable[Pending]) -> None:
    """Note what must be rated again."""
    rows = [
        {
            "place": mark.place,
            "reason": mark.reason,
            "member_id": mark.member,
            "section_id": mark.section,
            "decision_id": mark.decision,
            "late_event": mark.late_event,
        }
        for mark in new
    ]
    if rows:
        note_linked(connection, Linked.MARK, connection.execute(_NEW_MARKS, rows).scalars())


_NEW_MARKS = insert(marks).returning(marks.c.id)


def read_pending(connection: Connection) -> list[Pending]:
    """Return what waits, in the order of history."""
    rows = connection.execute(
        select(marks).where(marks.c.done_by.is_(None)).order_by(marks.c.place, marks.c.id)
    )
    return [_pending(row) for row in rows]


def count_pending(connection: Connection) -> int:
    """Return how much waits."""
    return connection.execute(select(func.count()).where(marks.c.done_by.is_(None))).scalar_one()


def _pending(row: Row[Any]) -> Pending:
    return Pending(
        place=row.place,
        reason=row.reason,
        member=row.member_id,
        section=row.section_id,
        decision=row.decision_id,
        late_event=row.late_event,
    )


def causes_of(
    connection: Connection, runs: Iterable[int], *, member: str = "", most: int = 1_000
) -> dict[int, list[Cause]]:
    """Return what waited when re-ratings began: what was about *member* first, then in the order of history."""
    causes: dict[int, list[Cause]] = {}
    binds = {"runs": list(set(runs)), "member": member, "most": most}
    for cause in map(_cause, connection.execute(_FOLLOWED, binds)):
        if cause.run is not None:
            causes.setdefault(cause.run, []).append(cause)
    return causes


def causes_waiting(connection: Connection, member: str = "", *, most: int = 20) -> list[Cause]:
    """Return what waits for a re-rating: what is about *member* first, then in the order of history."""
    return list(map(_cause, _WAITING.rows(connection, member=member, most=most)))


def _causes(which: ColumnElement[bool]) -> Select[tuple[Any, ...]]:
    ids = select(members.c.id).where(
        (members.c.id == bindparam("member")) | (members.c.merged_into == bindparam("member"))
    )
    played = select(entries.c.section_id).where(entries.c.member_id.in_(ids))
    everything = marks.c.member_id.is_(None) & marks.c.section_id.is_(None)
    direct = case(
        (or_(marks.c.member_id.in_(ids), marks.c.section_id.in_(played), everything), 1), else_=0
    ).label("direct")
    return (
        select(marks, events.c.id.label("event_id"), events.c.name.label("event_name"), direct)
        .outerjoin_from(marks, sections, sections.c.id == marks.c.section_id)
        .outerjoin(events, events.c.id == func.coalesce(marks.c.late_event, sections.c.event_id))
        .where(which)
        .order_by(direct.desc(), marks.c.place, marks.c.id)
        .limit(bindparam("most"))
    )


_WAITING = PreparedQuery(_causes(marks.c.done_by.is_(None)))
_FOLLOWED = _causes(marks.c.done_by.in_(bindparam("runs", expanding=True)))


def _cause(row: Row[tuple[Any, ...]]) -> Cause:
    return Cause(row.done_by, _pending(row), row.event_id, row.event_name, bool(row.direct))


def settle_pending(connection: Connection, run: int) -> None:
    """Note that *run* has rated again what waited."""
    done = update(marks).where(marks.c.done_by.is_(None)).values(done_by=run).returning(marks.c.id)
    note_linked(connection, Linked.MARK, connection.execute(done).scalars())

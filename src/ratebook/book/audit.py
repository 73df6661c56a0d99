"""Who did what when: one entry for each decision, posted section, submission and list."""

from collections.abc import Collection, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from sqlalchemy import Column, ColumnElement, func, insert, select

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.connection import Actor, Connection


def note_audit(connection: Connection, actor: Actor, action: str, subject: str, details: str = "") -> None:
    """Add an entry to the audit log, such as ``rate-section`` of ``event 202611140001 section 1``.

    *details* are figures and words that no other table holds; never a birth date.
    """
    entry = {"at": actor.at, "by": actor.name, "action": action, "subject": subject, "details": details}
    number = connection.execute(_NEW_ENTRY, entry).scalar_one()
    note_linked(connection, Linked.AUDIT, [number])


_NEW_ENTRY = insert(schema.audit).returning(schema.audit.c.id)


class AuditEntry(NamedTuple):
    """An entry of the audit log."""

    id: int
    at: str
    by: str
    action: str
    subject: str
    details: str


class RecordFilter(NamedTuple):
    """Which entries of the audit log, or decisions, are asked for; what is empty or None asks for nothing.

    Attributes:
        by: the person.
        since: the first day in UTC; *until* is the last one.
        kinds: one of these kinds of decisions or actions.
        subject: this one, or a part of it: ``event 202611140001`` also asks for its sections.
        without: none of these kinds.
    """

    by: str = ""
    since: date | None = None
    until: date | None = None
    kinds: Collection[str] = ()
    subject: str = ""
    without: Collection[str] = ()


def made_by(
    asked: RecordFilter, by: Column[str], at: Column[str], kind: Column[str]
) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of a filter but its subject, for a table with these columns."""
    if asked.by:
        yield by == asked.by
    if asked.since is not None:
        yield at >= asked.since.isoformat()
    if asked.until is not None and asked.until < date.max:
        yield at < (asked.until + timedelta(days=1)).isoformat()
    if asked.kinds:
        yield kind.in_(asked.kinds)
    if asked.without:
        yield kind.not_in(asked.without)


def about(subject: str) -> ColumnElement[bool]:
    """Return the condition that an entry is about a subject, or a part of it."""
    column = schema.audit.c.subject
    return (column == subject) | column.startswith(f"{subject} ", autoescape=True)


def newest_entries(connection: Connection, most: int, asked: RecordFilter) -> list[AuditEntry]:
    """Return the entries of the audit log that *asked* lets through, the newest first."""
    rows = connection.execute(
        select(schema.audit).where(*_entries(asked)).order_by(schema.audit.c.id.desc()).limit(most)
    )
    return [AuditEntry(*row) for row in rows]


def count_entries(connection: Connection, asked: RecordFilter) -> dict[str, int]:
    """Return how many entries of the audit log *asked* lets through, by action."""
    action = schema.audit.c.action
    rows = connection.execute(select(action, func.count()).where(*_entries(asked)).group_by(action))
    return {kind: count for kind, count in rows}  # noqa: C416 - rows unpack, dict() of rows does not type


def _entries(asked: RecordFilter) -> list[ColumnElement[bool]]:
    columns = schema.audit.c
    wanted = list(made_by(asked, columns.by, columns.at, columns.action))
    return [*wanted, about(asked.subject)] if asked.subject else wanted


def sections_not_audited(connection: Connection) -> Iterator[tuple[str, int]]:
    """Yield event id and number of each section that was posted without an entry."""
    audit, sections = schema.audit, schema.sections
    subjects = set(connection.execute(select(audit.c.subject).distinct()).scalars())
    posted = select(sections.c.event_id, sections.c.number).where(
        sections.c.id.in_(select(schema.postings.c.section_id))
    )
    for event_id, number in connection.execute(posted):
        if f"event {event_id} section {number}" not in subjects:
            yield event_id, number


def decisions_not_audited(connection: Connection) -> Iterator[int]:
    """Yield the number of each decision without an entry."""
    details = schema.audit.c.details
    noted = {
        one.partition(":")[0]
        for one in connection.execute(select(details).where(details.like("decision %"))).scalars()
    }
    for number in connection.execute(select(schema.decisions.c.id)).scalars():
        if f"decision {number}" not in noted:
            yield number

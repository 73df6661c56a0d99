"""Who did what when: one entry for each decision, posted section, submission and list."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import insert, select

from ratebook.book import schema
from ratebook.book.connection import Actor, Connection


def note_audit(connection: Connection, actor: Actor, action: str, subject: str, details: str = "") -> None:
    """Add an entry to the audit log, such as ``rate-section`` of ``event 202611140001 section 1``.

    *details* are figures and words that no other table holds; never a birth date.
    """
    entry = {"at": actor.at, "by": actor.name, "action": action, "subject": subject, "details": details}
    connection.execute(insert(schema.audit), [entry])


class AuditEntry(NamedTuple):
    """An entry of the audit log."""

    id: int
    at: str
    by: str
    action: str
    subject: str
    details: str


def newest_entries(connection: Connection, most: int, subject: str = "") -> list[AuditEntry]:
    """Return the entries of the audit log, of one subject or of all, the newest first."""
    found = select(schema.audit).order_by(schema.audit.c.id.desc()).limit(most)
    if subject:
        found = found.where(schema.audit.c.subject == subject)
    return [AuditEntry(*row) for row in connection.execute(found)]


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

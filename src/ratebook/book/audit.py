"""Who did what when: one entry for each decision, posted section, submission and list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert

from ratebook.book import schema

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ratebook.book.connection import Actor


def note_audit(connection: Connection, actor: Actor, action: str, subject: str, details: str = "") -> None:
    """Add an entry to the audit log.

    Args:
        connection: the writer's.
        actor: who and when.
        action: a verb in kebab case, for example ``rate-section``.
        subject: what it was done to, for example ``event 202611140001 section 1``.
        details: figures and words that no other table holds; never a birth date.
    """
    connection.execute(
        insert(schema.audit),
        [{"at": actor.at, "by": actor.name, "action": action, "subject": subject, "details": details}],
    )

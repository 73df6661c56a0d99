"""What has changed since a revision: for those who keep a copy of what a book shows the public.

Each player, section and list is there once, at the revision at which it last changed. A copy therefore takes the newest
state of what changed, in the order of revisions, and can stop and continue anywhere.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import BindParameter, bindparam, select, text, tuple_, update

from ratebook.book import schema
from ratebook.book.connection import PENDING_REVISION, Connection
from ratebook.model import System
from ratebook.records.changes import SectionNow

changed = schema.changed


class Changing(StrEnum):
    """What can change."""

    LIST = "list"
    PLAYER = "player"
    SECTION = "section"


class Changed(NamedTuple):
    """What changed last at a revision: its `Changing`, and a member id, number of a section or month as *subject*."""

    revision: int
    kind: str
    subject: str


def note_changed(connection: Connection, kind: Changing, subjects: Iterable[str | int]) -> None:
    """Note that something changes in this transaction, whose revision is known when it ends."""
    rows = [{"kind": kind.value, "subject": str(subject)} for subject in dict.fromkeys(subjects)]
    if rows:
        connection.execute(_NOTE, rows)


def note_all_changed(connection: Connection) -> None:
    """Note that everything may look different: rules decide how a rating is shown."""
    connection.execute(update(changed).values(revision=PENDING_REVISION))


def note_event_changed(connection: Connection, event_id: str) -> None:
    """Note that what all sections of an event say of it changes."""
    of_event = select(schema.sections.c.id).where(schema.sections.c.event_id == event_id)
    note_changed(connection, Changing.SECTION, connection.execute(of_event).scalars())


def changed_since(connection: Connection, after: Changed, most: int) -> list[Changed]:
    """Return what changed after another change, in the order of revisions."""
    rows = connection.execute(
        _SINCE, {"revision": after.revision, "kind": after.kind, "subject": after.subject, "most": most}
    )
    return [Changed(row.revision, row.kind, row.subject) for row in rows]


def systems_of(connection: Connection, numbers: Iterable[int]) -> dict[int, tuple[System, ...]]:
    """Return the systems in which some sections are rated, by the sections' numbers in the store."""
    rated: dict[int, set[str]] = {number: set() for number in numbers}
    for section, system in connection.execute(_SYSTEMS, {"numbers": list(rated)}):
        rated[section].add(system)
    return {number: tuple(system for system in System if system in known) for number, known in rated.items()}


def sections_by_id(connection: Connection, numbers: Iterable[int]) -> dict[int, SectionNow]:
    """Return sections by their numbers in the store."""
    systems = systems_of(connection, numbers)
    return {
        row.id: SectionNow(
            event=row.event_id,
            event_name=row.event_name,
            number=row.number,
            name=row.name,
            end=row.end,
            systems=systems[row.id],
            withdrawn=row.withdrawn,
        )
        for row in connection.execute(_SECTIONS, {"numbers": list(systems)})
    }


_NOTE = text(
    f"INSERT INTO changed (kind, subject, revision) VALUES (:kind, :subject, {PENDING_REVISION}) "  # noqa: S608 - a number
    f"ON CONFLICT (kind, subject) DO UPDATE SET revision = {PENDING_REVISION}"
)
_PLACE = tuple_(changed.c.revision, changed.c.kind, changed.c.subject)
_SINCE = (
    select(changed)
    .where(tuple_(bindparam("revision"), bindparam("kind"), bindparam("subject")) < _PLACE)
    .order_by(changed.c.revision, changed.c.kind, changed.c.subject)
    .limit(bindparam("most"))
)
_NUMBERS: BindParameter[list[int]] = bindparam("numbers", expanding=True)
_SECTIONS = (
    select(
        *(schema.sections.c[name] for name in ("id", "event_id", "number", "name", "end", "withdrawn")),
        schema.events.c.name.label("event_name"),
    )
    .join_from(schema.sections, schema.events)
    .where(schema.sections.c.id.in_(_NUMBERS))
)
_SYSTEMS = select(schema.postings.c.section_id, schema.postings.c.system).where(
    schema.postings.c.section_id.in_(_NUMBERS),
    schema.postings.c.superseded_by.is_(None),
    schema.postings.c.withdrawn.is_(False),
)

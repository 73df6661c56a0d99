"""What was verified last, and what the book has taken since: the next verification may compute that alone.

A verification without an error leaves an entry in the audit log, which is linked like every other. Its subject is the
head that it saw, so that a chain that was rewritten does not have it.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Column, ColumnElement, ScalarSelect, bindparam, func, select, union, union_all

from ratebook.book import schema
from ratebook.book.audit import AuditSubject, note_audit
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import Head, head_at
from ratebook.book.connection import Actor, Connection
from ratebook.book.facts.member_files import Id, rows_about
from ratebook.model import System

EVERYTHING, NEW = "verify-book", "verify-new"
"""Actions of the audit log: the whole book was verified, or what it had taken since the verification before."""

_CHAIN = "chain"
_HEAD = re.compile(r"([1-9][0-9]{0,17}):([0-9a-f]{64})", re.ASCII)


class Verification(NamedTuple):
    """A verification that found no error.

    Attributes:
        at: when, in UTC.
        head: how far the chain went.
    """

    at: str
    by: str
    head: Head

    def days_before(self, day: date) -> int:
        """Return how many days before *day* it was."""
        return (day - date.fromisoformat(self.at[:10])).days


def note_verification(connection: Connection, actor: Actor, action: str, head: Head, details: str) -> None:
    """Add the entry of a verification that saw the chain up to *head*."""
    note_audit(connection, actor, action, AuditSubject(_CHAIN, str(head)), details)


def last_verification(connection: Connection, *actions: str) -> Verification | None:
    """Return the newest verification with one of these *actions*; of either if none is given."""
    columns = schema.audit.c
    row = connection.execute(
        select(columns.at, columns.by, columns.subject_id)
        .where(columns.subject_kind == _CHAIN, columns.action.in_(actions or (EVERYTHING, NEW)))
        .order_by(columns.id.desc())
        .limit(1)
    ).first()
    head = None if row is None else _HEAD.fullmatch(row.subject_id or "")
    if row is None or head is None:
        # If someone changed the entry, a verification of everything says so.
        return None
    return Verification(row.at, row.by, Head(int(head[1]), head[2]))


def is_still_at(connection: Connection, head: Head) -> bool:
    """Return whether the book has taken nothing but entries of the audit log since its chain went to *head*."""
    chain = schema.chain.c
    later = select(chain.number).where(chain.number > head.number, chain.kind != Linked.AUDIT.value)
    return head_at(connection, head.number) == head and connection.execute(later.limit(1)).first() is None


class NewPart(NamedTuple):
    """What a book has taken since a link of its chain.

    Attributes:
        sections: by their numbers in the store: those that came, changed or were rated, and those that read something
            of them, because they are the next of one of their players.
        rated: members with a new, changed or ended row in OTB Regular.
        lists: months of the official lists that were published.
    """

    sections: frozenset[int]
    rated: tuple[str, ...]
    lists: frozenset[str]


def part_since(connection: Connection, head: Head) -> NewPart:
    """Return what the book has taken since *head*."""
    subjects: dict[str, list[str]] = {kind.value: [] for kind in Linked}
    for kind, subject in connection.execute(_LINKED_SINCE, {"number": head.number}):
        subjects.setdefault(kind, []).append(subject)
    numbers = {
        kind: list(map(int, subjects[kind]))
        for kind in (Linked.SECTION, Linked.POSTING, Linked.SUBMISSION, Linked.DECISION)
    }

    def linked(value: Column[Any], kind: Linked) -> Iterator[Any]:
        return _values(connection, value, value.table.c.id, numbers[kind])

    events = {
        *subjects[Linked.EVENT],
        *linked(schema.submissions.c.event_id, Linked.SUBMISSION),
        *linked(schema.decisions.c.event_id, Linked.DECISION),
    }
    sections = {
        *numbers[Linked.SECTION],
        *_values(connection, schema.sections.c.id, schema.sections.c.event_id, events),
        *linked(schema.postings.c.section_id, Linked.POSTING),
        *_sections_of(connection, set(linked(schema.decisions.c.member_id, Linked.DECISION))),
    }
    rated: Iterable[str] = ()
    if numbers[Linked.POSTING]:
        first = {"first": min(numbers[Linked.POSTING])}
        sections.update(connection.execute(_NEXT, first).scalars())
        rated = connection.execute(_RATED, first).scalars()
    return NewPart(frozenset(sections), tuple(sorted(rated)), frozenset(subjects[Linked.LIST]))


def _values(
    connection: Connection, value: ColumnElement[Any], key: ColumnElement[Any], keys: Iterable[Id]
) -> Iterator[Any]:
    """Yield the values of a column in the rows with some keys, without those that are empty."""
    for (found,) in rows_about(connection, select(value).where(value.is_not(None)), key, keys):
        yield found


def _sections_of(connection: Connection, decided: Iterable[str]) -> Iterator[int]:
    """Yield the sections with a seat of members, under whatever id; what was decided of them may hold from any day."""
    members, entries = schema.members.c, schema.entries.c
    canonical = set(_values(connection, func.coalesce(members.merged_into, members.id), members.id, decided))
    ids = {*canonical, *_values(connection, members.id, members.merged_into, canonical)}
    return _values(connection, entries.section_id, entries.member_id, ids)


_LINKED_SINCE = (
    select(schema.chain.c.kind, schema.chain.c.subject)
    .where(schema.chain.c.number > bindparam("number"))
    .distinct()
)
_ledger = schema.ledger
_MOVED_ROWS = union(
    *(
        select(_ledger.c.member_id, _ledger.c.system, _ledger.c.place).where(posting >= bindparam("first"))
        for posting in (_ledger.c.posting_id, _ledger.c.superseded_by)
    )
).cte("moved")
_RATED = select(_MOVED_ROWS.c.member_id).where(_MOVED_ROWS.c.system == System.REGULAR.value).distinct()


def _next_section(system: System) -> ScalarSelect[int | None]:
    """Return the query for the next section of a member in a system, after a place in any of them."""
    later = _ledger.alias()
    return (
        select(later.c.section_id)
        .where(
            later.c.member_id == _PLACES.c.member_id,
            later.c.system == system.value,
            later.c.superseded_by.is_(None),
            later.c.section_id.is_not(None),
            later.c.place > _PLACES.c.place,
        )
        .order_by(later.c.place)
        .limit(1)
        .correlate(_PLACES)
        .scalar_subquery()
    )


_PLACES = select(_MOVED_ROWS.c.member_id, _MOVED_ROWS.c.place).distinct().cte("places")
_ANY_NEXT = union_all(
    *(select(_next_section(system).label("section")).select_from(_PLACES) for system in System)
).subquery()
_NEXT = select(_ANY_NEXT.c.section).where(_ANY_NEXT.c.section.is_not(None)).distinct()

"""Who did what when: one entry for each decision, posted section, submission and list."""

from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from sqlalchemy import Column, ColumnElement, Select, func, insert, select

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.connection import Actor, Connection


class AuditSubject(NamedTuple):
    """What an entry is about: a kind, the id of one of them, and a section of an event, where it is about one.

    >>> str(AuditSubject("event", "202611140001", 2)), str(BOOK)
    ('event 202611140001 section 2', 'book')
    """

    kind: str
    id: str = ""
    section: int | None = None

    def __str__(self) -> str:
        """Return the subject in words, as people read it and search for it; a file has only its name."""
        if self.kind == FILE:
            return self.id
        words = f"{_WORDS.get(self.kind, self.kind)} {self.id}" if self.id else self.kind
        return words if self.section is None else f"{words} section {self.section}"


def subject_of(words: str) -> AuditSubject:
    """Return the subject that an entry has in words; an id that ends with the number of a section is taken apart.

    >>> subject_of("event 202611140001 section 2"), subject_of("official list 2026-11")
    (AuditSubject(kind='event', id='202611140001', section=2), AuditSubject(kind='list', id='2026-11', section=None))
    """
    kind, _, rest = words.removeprefix("official ").partition(" ")
    whole, _, number = rest.rpartition(" section ")
    if kind == "event" and whole and number.isascii() and number.isdecimal():
        return AuditSubject(kind, whole, int(number))
    return AuditSubject(kind, rest)


BOOK = AuditSubject("book")
FILE = "file"
_WORDS = {"list": "official list"}
_KINDS = {"report": "submission"} | {words: kind for kind, words in _WORDS.items()}
_LARGEST_SECTION = 10**6


def note_audit(  # noqa: PLR0913, PLR0917 - who did what to what, and what it says
    connection: Connection,
    actor: Actor,
    action: str,
    subject: AuditSubject,
    details: str = "",
    decision: int | None = None,
) -> None:
    """Add an entry to the audit log, such as ``rate-section`` of ``event 202611140001 section 1``.

    *details* are figures and words that no other table holds; never a birth date. *decision* is the number of the
    decision that was recorded with it.
    """
    note_all(connection, actor, [NewEntry(action, subject, details, decision)])


class NewEntry(NamedTuple):
    """An entry to be added to the audit log, as `note_audit` takes it."""

    action: str
    subject: AuditSubject
    details: str = ""
    decision: int | None = None


def note_all(connection: Connection, actor: Actor, new: Iterable[NewEntry]) -> None:
    """Add entries to the audit log, in this order."""
    rows = [
        {
            "at": actor.at,
            "by": actor.name,
            "action": entry.action,
            "subject": str(entry.subject),
            "details": entry.details,
            "subject_kind": entry.subject.kind,
            "subject_id": entry.subject.id,
            "section_number": entry.subject.section,
            "decision_id": entry.decision,
        }
        for entry in new
    ]
    if rows:
        note_linked(connection, Linked.AUDIT, connection.execute(_NEW_ENTRIES, rows).scalars())


_NEW_ENTRIES = insert(schema.audit).returning(schema.audit.c.id, sort_by_parameter_order=True)


class AuditEntry(NamedTuple):
    """An entry of the audit log."""

    id: int
    at: str
    by: str
    action: str
    subject: str
    details: str
    decision: int | None


class RecordFilter(NamedTuple):
    """Which entries of the audit log, or decisions, are wanted; what is empty or None sets no condition.

    Days are in UTC, *until* included. ``event 202611140001`` as *subject* includes its sections, ``event`` all events.
    All have numbers smaller than *before* and larger than *after* (0: any); with *after*, those next to it are meant.
    """

    by: str = ""
    since: date | None = None
    until: date | None = None
    kinds: Collection[str] = ()
    subject: str = ""
    without: Collection[str] = ()
    before: int = 0
    after: int = 0

    def order(self, number: Column[int]) -> ColumnElement[int]:
        """Return the order in which the wanted records come, of which the first ones are read."""
        return number.asc() if self.after else number.desc()


def made_by(
    record_filter: RecordFilter, number: Column[int], by: Column[str], at: Column[str], kind: Column[str]
) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of a filter but its subject, for a table with these columns."""
    if record_filter.by:
        yield by == record_filter.by
    if record_filter.since is not None:
        yield at >= record_filter.since.isoformat()
    if record_filter.until is not None and record_filter.until < date.max:
        yield at < (record_filter.until + timedelta(days=1)).isoformat()
    if record_filter.kinds:
        yield kind.in_(record_filter.kinds)
    if record_filter.without:
        yield kind.not_in(record_filter.without)
    if record_filter.before:
        yield number < record_filter.before
    if record_filter.after:
        yield number > record_filter.after


def about(words: str) -> ColumnElement[bool]:
    """Return the condition that an entry is about what *words* name: a kind, or one of its kind as a whole.

    The words after the kind of an event are its id, unless no event has this id and they end with the number of a
    section.
    """
    columns = schema.audit.c
    kind, _, rest = words.partition(" ")
    for in_words, known in _KINDS.items():
        if words.startswith(in_words):
            kind, rest = known, words.removeprefix(in_words).strip()
    if not rest:
        return columns.subject_kind == kind
    whole = (columns.subject_kind == kind) & (columns.subject_id == rest)
    event, section, number = rest.rpartition(" section ")
    if section and number.isascii() and number.isdecimal() and int(number) < _LARGEST_SECTION:
        other = schema.audit.alias()
        of_id = select(other.c.id).where(other.c.subject_kind == kind, other.c.subject_id == rest)
        part = (columns.subject_id == event) & (columns.section_number == int(number))
        whole |= (columns.subject_kind == kind) & part & ~of_id.exists()
    return whole | ((columns.subject_kind == FILE) & (columns.subject_id == words))


def decisions_about(words: str) -> Select[tuple[int | None]]:
    """Return the query for the numbers of the decisions about what *words* name."""
    number = schema.audit.c.decision_id
    return select(number).where(about(words), number.is_not(None))


def newest_entries(connection: Connection, most: int, record_filter: RecordFilter) -> list[AuditEntry]:
    """Return the entries of the audit log that *record_filter* lets through, the newest first."""
    columns = schema.audit.c
    shown = (columns.id, columns.at, columns.by, columns.action, columns.subject, columns.details)
    entries = select(*shown, columns.decision_id).where(*_entries(record_filter))
    rows = connection.execute(entries.order_by(record_filter.order(columns.id)).limit(most))
    return sorted((AuditEntry(*row) for row in rows), key=lambda entry: -entry.id)


def count_entries(connection: Connection, record_filter: RecordFilter) -> dict[str, int]:
    """Return how many entries of the audit log *record_filter* lets through, by action."""
    action = schema.audit.c.action
    rows = connection.execute(select(action, func.count()).where(*_entries(record_filter)).group_by(action))
    return {kind: count for kind, count in rows}  # noqa: C416 - rows unpack, dict() of rows does not type


def _entries(record_filter: RecordFilter) -> list[ColumnElement[bool]]:
    columns = schema.audit.c
    wanted = list(made_by(record_filter, columns.id, columns.by, columns.at, columns.action))
    return [*wanted, about(record_filter.subject)] if record_filter.subject else wanted


def sections_not_audited(connection: Connection) -> Iterator[tuple[str, int]]:
    """Yield event id and number of each section that was posted without an entry."""
    audit, sections = schema.audit.c, schema.sections.c
    noted = select(audit.id).where(
        audit.subject_kind == "event",
        audit.subject_id == sections.event_id,
        audit.section_number == sections.number,
    )
    posted = select(sections.event_id, sections.number).where(
        sections.id.in_(select(schema.postings.c.section_id)), ~noted.exists()
    )
    for event_id, number in connection.execute(posted):  # noqa: UP028 - rows unpack, rows themselves do not type
        yield event_id, number


def decisions_not_audited(connection: Connection) -> Iterator[int]:
    """Yield the number of each decision without an entry."""
    noted = select(schema.audit.c.id).where(schema.audit.c.decision_id == schema.decisions.c.id)
    yield from connection.execute(select(schema.decisions.c.id).where(~noted.exists())).scalars()

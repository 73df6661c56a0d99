"""Office decisions: each with its day, person and reason, never changed."""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select

from ratebook.book import schema
from ratebook.book.audit import AuditSubject, RecordFilter, decisions_about, made_by, note_audit
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import add_linked
from ratebook.book.connection import Actor, Connection
from ratebook.model import System

decisions = schema.decisions

NO_DETAILS: Mapping[str, object] = MappingProxyType({})

UNDO = "undo"
"""The kind of a decision that undoes another one."""


class Decision(NamedTuple):
    """A decision to be recorded, which may hold from a day, bring rating points or undo the decision of a number.

    *kind* is for example ``correct-result`` or ``floor``, *subject* for the audit log; *details* are never a birth
    date.
    """

    kind: str
    subject: AuditSubject
    reason: str
    effective: date | None = None
    member: str | None = None
    system: System | None = None
    event_id: str | None = None
    section: int | None = None
    value: float | None = None
    details: Mapping[str, object] = NO_DETAILS
    undoes: int | None = None


class RecordedDecision(NamedTuple):
    """A decision of the office as it was recorded; columns as in ``schema.decisions``."""

    id: int
    kind: str
    decided_by: str
    decided_at: str
    reason: str
    effective: date | None
    member_id: str | None
    system: str | None
    event_id: str | None
    section_number: int | None
    value: float | None
    details: dict[str, object]
    undoes: int | None


def read_decision(connection: Connection, number: int) -> RecordedDecision | None:
    """Return a decision."""
    return next(iter(_read(connection, decisions.c.id == number)), None)


def read_decisions(connection: Connection, numbers: Iterable[int]) -> dict[int, RecordedDecision]:
    """Return decisions by their numbers."""
    return {decision.id: decision for decision in _read(connection, decisions.c.id.in_(set(numbers)))}


def decisions_about_event(connection: Connection, event_id: str, *, most: int) -> list[RecordedDecision]:
    """Return the decisions of the office about an event, the newest first."""
    return _read(connection, decisions.c.event_id == event_id, most=most)


def undone_by(connection: Connection, number: int) -> RecordedDecision | None:
    """Return the decision that undid another one; None where none did."""
    return next(iter(_read(connection, decisions.c.undoes == number)), None)


def newest_decisions(
    connection: Connection, most: int, record_filter: RecordFilter
) -> list[RecordedDecision]:
    """Return the decisions of the office that *record_filter* lets through, the newest first."""
    found = _read(connection, *_decided(record_filter), most=most, order=record_filter.order(decisions.c.id))
    return sorted(found, key=lambda decision: -decision.id)


def _read(
    connection: Connection,
    *wanted: ColumnElement[bool],
    most: int | None = None,
    order: ColumnElement[int] = decisions.c.id.desc(),  # noqa: B008 - never changed
) -> list[RecordedDecision]:
    rows = connection.execute(select(decisions).where(*wanted).order_by(order).limit(most))
    return [RecordedDecision(**{**row._asdict(), "details": json.loads(row.details)}) for row in rows]


def corrected_facts(connection: Connection, members: Iterable[str]) -> dict[str, set[str]]:
    """Return the names of the facts of *members*, a batch of them, that decisions have corrected."""
    facts: dict[str, set[str]] = {}
    corrections = select(decisions.c.member_id, decisions.c.details).where(
        decisions.c.kind == "correct-facts", decisions.c.member_id.in_(set(members))
    )
    for member, details in connection.execute(corrections):
        facts.setdefault(member, set()).update(json.loads(details)["changed"])
    return facts


def count_decisions(connection: Connection, record_filter: RecordFilter) -> dict[str, int]:
    """Return how many decisions *record_filter* lets through, by kind."""
    kind = decisions.c.kind
    rows = connection.execute(select(kind, func.count()).where(*_decided(record_filter)).group_by(kind))
    return {word: count for word, count in rows}  # noqa: C416 - rows unpack, dict() of rows does not type


def _decided(record_filter: RecordFilter) -> list[ColumnElement[bool]]:
    """Return the conditions of a filter; what a decision is about, its entries in the audit log say."""
    columns = decisions.c
    wanted = list(made_by(record_filter, columns.id, columns.decided_by, columns.decided_at, columns.kind))
    if record_filter.subject:
        wanted.append(columns.id.in_(decisions_about(record_filter.subject)))
    return wanted


def decide(connection: Connection, actor: Actor, decision: Decision) -> int:
    """Record a decision with its audit entry and return its number."""
    row = {name: value for name, value in decision._asdict().items() if name in decisions.c} | {
        "decided_by": actor.name,
        "decided_at": actor.at,
        "member_id": decision.member,
        "system": None if decision.system is None else decision.system.value,
        "section_number": decision.section,
        "details": json.dumps(dict(decision.details), ensure_ascii=False, sort_keys=True),
    }
    number = add_linked(connection, Linked.DECISION, decisions, row)
    details = f"decision {number}: {decision.reason}"
    note_audit(connection, actor, decision.kind, decision.subject, details, number)
    return number

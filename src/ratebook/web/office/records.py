"""What was decided and done: decisions with their reasons, one of them, and the audit log."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, QueryParameter

from ratebook.book.audit import RecordFilter, count_entries, newest_entries
from ratebook.book.connection import Connection
from ratebook.book.decisions import (
    UNDO,
    RecordedDecision,
    count_decisions,
    newest_decisions,
    read_decision,
    undone_by,
)
from ratebook.book.events import known_events
from ratebook.book.facts.members import names_of
from ratebook.book.ledger.pending import read_pending
from ratebook.pages import records
from ratebook.pages.columns import Column
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.layout.tables import HtmlTable, html_table, spelled_out
from ratebook.web.layout.words import code_words, day_words, in_title_case, is_day, person_name
from ratebook.web.office.links import AUDIT as AUDIT_HERE
from ratebook.web.office.links import CORRECTION, DECISION, EVENT, MEMBER, SECTION
from ratebook.web.office.links import DECISIONS as HERE
from ratebook.web.routing import Needs, shown_to

DECISIONS = spelled_out(records.DECISIONS, "Kind", "System")
ENTRIES = spelled_out(records.AUDIT, "Action")
MOST_SHOWN = 100
LARGEST_NUMBER = 10**12
FREQUENT = ("opening-balance", "accept-warning")
"""Kinds that would drown all others; they are shown where they are asked for."""


def _asked(by: str, kind: str, since: date | None, until: date | None, subject: str) -> RecordFilter:
    hides = not (kind or subject.strip())
    return RecordFilter(
        by.strip(), since, until, (kind,) if kind else (), subject.strip(), FREQUENT if hides else ()
    )


def day_in(text: str) -> date | None:
    """Return the day that an address says; None where it says none.

    >>> day_in("2026-11-22"), day_in(""), day_in("soon")
    (datetime.date(2026, 11, 22), None, None)
    """
    return date.fromisoformat(text) if is_day(text) else None


@shown_to(Needs.STAFF, HERE)
def decisions(
    context: TheContext,
    by: FromQuery[str] = "",
    kind: FromQuery[str] = "",
    since: Annotated[str, QueryParameter(name="from")] = "",
    until: Annotated[str, QueryParameter(name="to")] = "",
    subject: FromQuery[str] = "",
) -> Response[bytes]:
    """Show the decisions of the office, the newest first."""
    question = _asked(by, kind, day_in(since), day_in(until), subject)
    with context.site.reading() as reader:
        listed = newest_decisions(reader.connection, MOST_SHOWN + 1, question)
        kinds = sorted(count_decisions(reader.connection, RecordFilter()))
        table = decisions_table(reader.connection, listed[:MOST_SHOWN])
    return _page(context, ("Decisions", HERE), question, kinds, table, len(listed))


@shown_to(Needs.STAFF, f"{HERE}/{{number:int}}")
def decision(context: TheContext, number: FromPath[int]) -> Response[bytes]:
    """Show one decision, and lead to where it is undone."""
    if not 0 < number < LARGEST_NUMBER:
        raise NotFoundException
    with context.site.reading() as reader:
        decision = read_decision(reader.connection, number)
        if decision is None:
            raise NotFoundException
        undone = undone_by(reader.connection, number)
        waits = len(read_pending(reader.connection))
    return context.page(
        "office/decision.html",
        one=decision,
        facts=[(column.title, column.text(decision)) for column in DECISIONS if column.text(decision)],
        links={"Member": decision.member_id and MEMBER(decision.member_id), "Event": event_of(decision)},
        undone=undone,
        undo=f"{CORRECTION(UNDO)}?decision={number}" if decision.kind != UNDO and undone is None else "",
        waits=waits,
    )


@shown_to(Needs.STAFF, AUDIT_HERE)
def audit(
    context: TheContext,
    by: FromQuery[str] = "",
    kind: FromQuery[str] = "",
    since: Annotated[str, QueryParameter(name="from")] = "",
    until: Annotated[str, QueryParameter(name="to")] = "",
    subject: FromQuery[str] = "",
) -> Response[bytes]:
    """Show the audit log of the book, the newest entries first."""
    question = _asked(by, kind, day_in(since), day_in(until), subject)
    with context.site.reading() as reader:
        entries = newest_entries(reader.connection, MOST_SHOWN + 1, question)
        kinds = sorted(count_entries(reader.connection, RecordFilter()))
    table = html_table("Entries, the newest first", ENTRIES, entries[:MOST_SHOWN], heads="Action")
    return _page(context, ("Audit log", AUDIT_HERE), question, kinds, table, len(entries))


def _page(
    context: RequestContext,
    page: tuple[str, str],
    question: RecordFilter,
    kinds: list[str],
    table: HtmlTable,
    count: int,
) -> Response[bytes]:
    """Return a page of records with its filters; *page* is its title and address."""
    return context.page(
        "office/records.html",
        title=page[0],
        here=page[1],
        asked=question,
        kinds=kinds,
        table=table,
        more=count > MOST_SHOWN,
        most=MOST_SHOWN,
    )


WHAT = next(column for column in DECISIONS if column.title == "What").text


def decisions_table(connection: Connection, decisions: Sequence[RecordedDecision]) -> HtmlTable:
    """Return decisions, each with who made it and when, what it is about, and the reason."""
    events = known_events(connection, {decision.event_id for decision in decisions if decision.event_id})
    named = names_of(connection, {decision.member_id for decision in decisions if decision.member_id})
    members = {member: person_name(name) or member for member, name in named.items()}

    def about(decision: RecordedDecision) -> str:
        event = in_title_case(events.get(decision.event_id or "", ""))
        return event or decision.event_id or members.get(decision.member_id or "", "")

    def within(decision: RecordedDecision) -> str:
        section = f"section {decision.section_number}" if decision.section_number else ""
        member = members.get(decision.member_id or "", "") if decision.event_id else ""
        parts = (decision.event_id, section, member, decision.member_id, code_words(decision.system or ""))
        return " · ".join(filter(None, parts))

    return html_table(
        "Decisions, the newest first",
        (
            Column("No.", "id", "right"),
            Column("Decision", lambda decision: code_words(decision.kind)),
            Column("About", about),
            Column("From", "effective"),
            Column("What", lambda decision: WHAT(decision) or decision.reason),
        ),
        decisions,
        {
            "Decision": lambda decision: DECISION(decision.id),
            "About": lambda decision: (
                event_of(decision) or (MEMBER(decision.member_id) if decision.member_id else "")
            ),
        },
        under={
            "Decision": lambda decision: f"{decision.decided_by}, {day_words(decision.decided_at)}",
            "About": within,
            "What": lambda decision: decision.reason if WHAT(decision) else "",
        },
        wide=("No.",),
    )


def event_of(decision: RecordedDecision) -> str:
    """Return the page of the section, or else of the event, that a decision is about."""
    if not decision.event_id:
        return ""
    if decision.section_number is None:
        return EVENT(decision.event_id)
    return SECTION(decision.event_id, decision.section_number)

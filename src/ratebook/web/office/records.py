"""What was decided and done: decisions with their reasons, one of them, and the audit log."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.book.audit import (
    AuditEntry,
    AuditSubject,
    RecordFilter,
    count_entries,
    newest_entries,
    subject_of,
)
from ratebook.book.connection import Connection
from ratebook.book.decisions import (
    UNDO,
    RecordedDecision,
    count_decisions,
    newest_decisions,
    read_decision,
    undone_by,
)
from ratebook.book.events import known_events, names_at_seats
from ratebook.book.facts.members import names_of
from ratebook.book.ledger.pending import read_pending
from ratebook.pages import records
from ratebook.pages.columns import Column, shown
from ratebook.pages.official.lists import month_words
from ratebook.pages.queue import with_codes_in_words
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.layout.paging import ASKED, Paged, paged
from ratebook.web.layout.tables import HtmlCell, HtmlTable, html_table
from ratebook.web.layout.words import (
    code_words,
    day_words,
    in_title_case,
    is_day,
    moment_words,
    person_name,
    with_days_in_words,
)
from ratebook.web.office.links import AUDIT as AUDIT_HERE
from ratebook.web.office.links import CORRECTION, DECISION, EVENT, MEMBER, SECTION, SUBMISSION
from ratebook.web.office.links import DECISIONS as HERE
from ratebook.web.routing import Needs, Number, shown_to

LARGEST_NUMBER = 10**12
FREQUENT = ("opening-balance", "accept-warning")
"""Kinds that would drown all others; they are shown where they are asked for."""


def _asked(context: RequestContext, before: int, after: int) -> RecordFilter:
    """Return what the address asks for: ``by``, ``kind``, ``from``, ``to``, ``subject``; and which page of it."""
    text = {name: value.strip() for name, value in context.request.query_params.items()}
    kind, subject = text.get("kind", ""), text.get("subject", "")
    return RecordFilter(
        by=text.get("by", ""),
        since=day_in(text.get("from", "")),
        until=day_in(text.get("to", "")),
        kinds=(kind,) if kind else (),
        subject=subject,
        without=() if kind or subject else FREQUENT,
        before=before,
        after=after,
    )


def day_in(text: str) -> date | None:
    """Return the day that an address says; None where it says none.

    >>> day_in("2026-11-22"), day_in(""), day_in("soon")
    (datetime.date(2026, 11, 22), None, None)
    """
    return date.fromisoformat(text) if is_day(text) else None


@shown_to(Needs.STAFF, HERE)
def decisions(context: TheContext, before: Number = 0, after: Number = 0) -> Response[bytes]:
    """Show the decisions of the office, the newest first."""
    question = _asked(context, before, after)
    with context.site.reading() as reader:
        page = paged(newest_decisions(reader.connection, ASKED, question), before, after)
        kinds = sorted(count_decisions(reader.connection, RecordFilter()))
        table = decisions_table(reader.connection, page.rows)
    return _page(context, ("Decisions", HERE), question, kinds, table, page)


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
        names = RecordNames.of(reader.connection, [decision])
    facts = {
        "System": code_words(decision.system or ""),
        "From": shown(decision.effective),
        "What": names.what(decision),
        "Reason": decision.reason,
        "By": in_title_case(decision.decided_by),
        "Recorded (UTC)": decision.decided_at,
    }
    return context.page(
        "office/decision.html",
        one=decision,
        kind=code_words(decision.kind).lower(),
        about=names.cell(decision.event_id, decision.section_number, decision.member_id),
        facts={title: text for title, text in facts.items() if text},
        undone=undone,
        undo=f"{CORRECTION(UNDO)}?decision={number}" if decision.kind != UNDO and undone is None else "",
        waits=waits,
    )


@shown_to(Needs.STAFF, AUDIT_HERE)
def audit(context: TheContext, before: Number = 0, after: Number = 0) -> Response[bytes]:
    """Show the audit log of the book, the newest entries first."""
    question = _asked(context, before, after)
    with context.site.reading() as reader:
        page = paged(newest_entries(reader.connection, ASKED, question), before, after)
        kinds = sorted(count_entries(reader.connection, RecordFilter()))
        table = entries_table(reader.connection, page.rows)
    return _page(context, ("Audit log", AUDIT_HERE), question, kinds, table, page)


def _page(
    context: RequestContext,
    titled: tuple[str, str],
    question: RecordFilter,
    kinds: list[str],
    table: HtmlTable,
    page: Paged[RecordedDecision] | Paged[AuditEntry],
) -> Response[bytes]:
    """Return a page of records with its filters; *titled* is its title and address."""
    return context.page(
        "office/records.html",
        title=titled[0],
        here=titled[1],
        asked=question,
        kinds=kinds,
        table=table,
        page=page,
    )


NO_SEATS: Mapping[tuple[str, int, int], str] = MappingProxyType({})


def _seat_of(decision: RecordedDecision) -> tuple[str, int, int] | None:
    """Return the seat whose result was corrected; None: another decision."""
    seat = decision.details.get("seat") if decision.kind == "correct-result" else None
    if not decision.event_id or decision.section_number is None or not isinstance(seat, int):
        return None
    return decision.event_id, decision.section_number, seat


class RecordNames(NamedTuple):
    """The names of the events and members that records are about, by their ids."""

    events: Mapping[str, str]
    members: Mapping[str, str]
    seats: Mapping[tuple[str, int, int], str] = NO_SEATS

    @classmethod
    def read(
        cls, connection: Connection, events: Iterable[object], members: Iterable[object]
    ) -> "RecordNames":
        """Read them, one statement for all events and one for all members."""
        of_events = known_events(connection, {str(event) for event in events if event})
        of_members = names_of(connection, {str(member) for member in members if member})
        return cls(
            {event: in_title_case(name) or event for event, name in of_events.items()},
            {member: person_name(name) or member for member, name in of_members.items()},
        )

    @classmethod
    def of(cls, connection: Connection, decisions: Sequence[RecordedDecision]) -> "RecordNames":
        """Read those of decisions, with the members whom their details name."""
        mentioned = [one.details.get(name) for one in decisions for name in records.MEMBERS_IN]
        members = (*mentioned, *(decision.member_id for decision in decisions))
        names = cls.read(connection, (decision.event_id for decision in decisions), members)
        return names._replace(seats=names_at_seats(connection, set(filter(None, map(_seat_of, decisions)))))

    def what(self, decision: RecordedDecision) -> str:
        """Return what was decided, in words."""
        seat = _seat_of(decision)
        seated = person_name(self.seats.get(seat, "")) if seat else ""
        return records.what_words(decision, self.members, seated)

    def cell(self, event: str | None, section: int | None, member: str | None, system: str = "") -> HtmlCell:
        """Return what a record is about: a name that leads to its page, and the ids below it."""
        whose = self.members.get(member or "", member or "")
        within = [event, f"section {section}" if section else "", whose if event else "", member, system]
        under = " · ".join(filter(None, within))
        if event:
            link = EVENT(event) if section is None else SECTION(event, section)
            return HtmlCell(self.events.get(event, event), link if event in self.events else "", under)
        return HtmlCell(whose, MEMBER(member) if member in self.members else "", under)


def decisions_table(
    connection: Connection, decisions: Sequence[RecordedDecision], whose: str = ""
) -> HtmlTable:
    """Return decisions, each with who made it and when, what it is about, and the reason.

    Where the page itself says *whose* they are, those about no event name their system alone.
    """
    names = RecordNames.of(connection, decisions)

    def subject(decision: RecordedDecision) -> HtmlCell:
        system = code_words(decision.system or "")
        if not decision.event_id and decision.member_id == whose:
            return HtmlCell(system)
        return names.cell(decision.event_id, decision.section_number, decision.member_id, system)

    about = {decision.id: subject(decision) for decision in decisions}

    def what(decision: RecordedDecision) -> str:
        since = f"from {decision.effective}" if decision.effective else ""
        words = "; ".join(filter(None, (names.what(decision), since)))
        return with_days_in_words(words)

    return html_table(
        "Decisions, newest first",
        (
            Column("No.", "id", "right"),
            Column("Decision", lambda decision: code_words(decision.kind)),
            Column("About", lambda decision: about[decision.id].text),
            Column("What", lambda decision: what(decision) or with_days_in_words(decision.reason)),
        ),
        decisions,
        {
            "Decision": lambda decision: DECISION(decision.id),
            "About": lambda decision: about[decision.id].link,
        },
        under={
            "Decision": lambda decision: (
                f"{in_title_case(decision.decided_by)}, {day_words(decision.decided_at)}"
            ),
            "About": lambda decision: about[decision.id].under,
            "What": lambda decision: with_days_in_words(decision.reason) if what(decision) else "",
        },
        narrow={"Decision": lambda decision: what(decision) or with_days_in_words(decision.reason)},
        wide=("No.", "What"),
        below=["About"],
    )


def entries_table(connection: Connection, entries: Sequence[AuditEntry]) -> HtmlTable:
    """Return entries of the audit log, each with who made it and when, and the name of what it is about."""
    subjects = {entry.subject: subject_of(entry.subject) for entry in entries}
    ids = {kind: [one.id for one in subjects.values() if one.kind == kind] for kind in ("event", "member")}
    names = RecordNames.read(connection, ids["event"], ids["member"])

    def cell(words: str, subject: AuditSubject) -> HtmlCell:
        if subject.kind in ids:
            of_event = subject.kind == "event"
            return names.cell(
                subject.id if of_event else None, subject.section, None if of_event else subject.id
            )
        if subject.kind == "list":
            return HtmlCell(f"List of {month_words(subject.id)}")
        if subject.kind == "chain":
            link_number, _, _ = subject.id.partition(":")
            return HtmlCell(f"Chain up to link {link_number}")
        link = SUBMISSION(subject.id) if subject.kind == "submission" else ""
        is_file = "." in words  # whose name is not changed
        return HtmlCell(words if is_file else _reported(words[:1].upper() + words[1:]), link)

    about = {words: cell(words, subject) for words, subject in subjects.items()}
    return html_table(
        "Entries, newest first",
        (
            Column("When (UTC)", "at"),
            Column("What was done", lambda entry: code_words(entry.action)),
            Column("About", lambda entry: about[entry.subject].text),
            Column("Details", lambda entry: with_days_in_words(_reported(entry.details))),
        ),
        entries,
        {
            "What was done": lambda entry: DECISION(entry.decision) if entry.decision else "",
            "About": lambda entry: about[entry.subject].link,
        },
        under={
            "When (UTC)": lambda entry: in_title_case(entry.by),
            "About": lambda entry: about[entry.subject].under,
        },
        narrow={
            "What was done": lambda entry: f"{moment_words(entry.at, short=True)}, {in_title_case(entry.by)}",
            "About": lambda entry: with_days_in_words(_reported(entry.details)),
        },
        wide=("When (UTC)", "Details"),
        below=["About"],
    )


def _reported(words: str) -> str:
    """Return words of the log as pages say them: a submission is a report, and systems and findings have no codes."""
    words = words.replace("submission ", "report ").replace("Submission ", "Report ")
    words = with_codes_in_words(words)
    return ", ".join(SYSTEM_TITLES.get(part, part) for part in words.split(", "))

"""Rating what is ready: section by section in the order of history, one transaction each."""

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

from ratebook import __version__
from ratebook.book.audit import AuditSubject, note_audit
from ratebook.book.columns import END_OF_HISTORY, place_of
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.events import StoredSection, as_stored, seated_later, write_event, write_section
from ratebook.book.failures import BookError
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.ledger.postings import post
from ratebook.book.ledger.read import posted_sections
from ratebook.book.ledger.rows import LedgerRow, rows_of
from ratebook.book.ledger.runs import begin_run, end_run
from ratebook.book.profile import raise_revision, read_federation, revision
from ratebook.book.reports import NO_REPORT, ends_of_sections, found_in_reading, stored_report, with_members
from ratebook.book.submissions import (
    Status,
    read_submission,
    ready_reports,
    set_status,
    status_of,
    store_findings,
    waiting,
)
from ratebook.findings import Finding, has_errors
from ratebook.model import Report, Section, System
from ratebook.office import Progress, no_progress
from ratebook.office.decisions.prizes import decide_prizes
from ratebook.office.queue.check import check_against_book
from ratebook.office.rating.moved_ratings import refresh_moves
from ratebook.office.rating.standings import MemberStandings, rate_from, updates_found
from ratebook.office.rating.titles import note_career
from ratebook.pages.columns import Column, Columns
from ratebook.rating.decisions import MOVING


class PostedSection(NamedTuple):
    """What rating one section of the queue did.

    Attributes:
        rows: new ledger rows by system and member.
        late: members who had been rated in later sections already; these wait for a re-rating.
        findings: whose rating a foreign event did not update, or updated without a mark; floors that prizes set.
    """

    submission: int
    event_id: str
    number: int
    name: str
    rows: Mapping[System, Mapping[str, LedgerRow]]
    late: tuple[str, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def members(self) -> set[str]:
        """All members who were rated."""
        return {member for rows in self.rows.values() for member in rows}


POSTED: Columns[PostedSection] = (
    Column("Event", "event_id"),
    Column("Section", "number", "right"),
    Column("Name", "name"),
    Column("Submission", "submission", "right"),
    Column("Systems", "rows", format=", ".join),
    Column("Members", lambda section: str(len(section.members)), "right"),
    Column("Late", lambda section: str(len(section.late)), "right"),
)


class HeldReport(NamedTuple):
    """A report that was ready, and is held back again because of today's ratings."""

    submission: int
    event_id: str


class RatedQueue(NamedTuple):
    """What `rate_ready` did; nothing of it is kept where it was a dry run."""

    run: int
    posted: tuple[PostedSection, ...]
    held: tuple[HeldReport, ...]


class ReadyPart(NamedTuple):
    """The first of the reports that are ready, in the order of history.

    Attributes:
        numbers: of their submissions.
        before: the place up to which their sections can be rated before all others; sections after it wait for these.
    """

    numbers: tuple[int, ...]
    before: str


class _ReadySection(NamedTuple):
    place: str
    submission: int
    report: Report
    section: Section


def first_ready(connection: Connection, most: int) -> ReadyPart:
    """Return at most so many of the reports that are ready, by the first of their sections that are not yet rated."""
    places: list[tuple[str, int]] = []
    for number, event_id, report in ready_reports(connection):
        posted = posted_sections(connection, event_id)
        places += [
            (place_of(end, event_id, section), number)
            for section, end in ends_of_sections(report)
            if section not in posted
        ]
    chosen: dict[int, None] = {}
    for place, number in sorted(places):
        if len(chosen) == most and number not in chosen:
            return ReadyPart(tuple(chosen), place)
        chosen[number] = None
    return ReadyPart(tuple(chosen), END_OF_HISTORY)


def rate_ready(  # noqa: PLR0913 - which of them, and how
    book: Book,
    actor: Actor,
    *,
    only: Collection[int] | None = None,
    before: str = END_OF_HISTORY,
    dry_run: bool = False,
    progress: Progress = no_progress,
) -> RatedQueue:
    """Rate every section of the reports that are ready, or *only* of those submissions among them, *before* a place.

    A section is rated from the state before its place in history (docs/rules/readings.md#a11); where members of it
    have seats in later sections already, these wait for a re-rating. A dry run is one transaction that keeps nothing.
    """
    if not dry_run:
        return _rate_ready(book.writing, actor, only, before, progress)
    with book.writing() as connection:
        result = _rate_ready(lambda: nullcontext(connection), actor, only, before, progress)
        connection.rollback()
    return result


def _rate_ready(
    writing: Callable[[], AbstractContextManager[Connection]],
    actor: Actor,
    only: Collection[int] | None,
    before: str,
    progress: Progress,
) -> RatedQueue:
    with writing() as connection:
        standings = MemberStandings(read_federation(connection))
        ready, held = _sections_to_rate(connection, standings, actor, only)
        sections = [section for section in ready if section.place < before]
        if not sections:
            return RatedQueue(0, (), tuple(held))
        run = begin_run(connection, "rate", actor, standings.federation.rulebook_id, __version__)
        seen = raise_revision(connection)
    posted = []
    for done, section in enumerate(sections):
        progress(done, len(sections))
        with writing() as connection:
            if revision(connection) != seen:
                standings.forget()
                standings.federation = read_federation(connection)
            result = _rate_one(connection, standings, run, section, actor)
            seen = raise_revision(connection)
        if result is not None:
            posted.append(result)
    progress(len(sections), len(sections))
    with writing() as connection:
        end_run(connection, run, actor.at)
    return RatedQueue(run, tuple(posted), tuple(held))


def _sections_to_rate(
    connection: Connection, standings: MemberStandings, actor: Actor, only: Collection[int] | None
) -> tuple[list[_ReadySection], list[HeldReport]]:
    """Return the sections of the reports that are ready (*only* of these, if given), in the order of history.

    Each report is checked again: the book may have changed since it was submitted.
    """
    ready = []
    held = []
    for row in waiting(connection, [Status.READY.value]):
        if only is not None and row.id not in only:
            continue
        stored = read_submission(connection, row.id)
        assert stored is not None, "it was listed in the same transaction"  # noqa: S101 - tells the type checker
        try:
            report, reported = stored_report(stored)
        except BookError as failure:
            report, findings = NO_REPORT, [failure.finding]
        else:
            report, findings = with_members(connection, report)
            findings += check_against_book(connection, report, reported, standings)
        if has_errors(findings):
            store_findings(connection, row.id, [*found_in_reading(connection, stored), *findings])
            set_status(connection, row.id, Status.HELD)
            subject = AuditSubject("submission", str(row.id))
            note_audit(connection, actor, "hold", subject, "errors by today's ratings")
            held.append(HeldReport(row.id, row.event_id))
            continue
        ready += [
            _ReadySection(place_of(section.end, report.event.id, section.number), row.id, report, section)
            for section in report.sections
        ]
    return sorted(ready, key=lambda section: section.place), held


def _rate_one(
    connection: Connection, standings: MemberStandings, run: int, ready: _ReadySection, actor: Actor
) -> PostedSection | None:
    """Rate one section and store its rating; None where another program has rated it meanwhile."""
    event_id = ready.report.event.id
    if status_of(connection, ready.submission) != Status.READY:
        return None
    posted = posted_sections(connection, event_id)
    if ready.section.number in posted:
        _finish(connection, ready, posted, actor)
        return None
    stored = _stored(connection, ready)
    standings.load(connection, stored.members, END_OF_HISTORY)
    late = seated_later(connection, stored.members, ready.place)
    in_force = standings.at(ready.place, connection, stored.members) if late else standings
    prizes = decide_prizes(connection, in_force, ready.report, stored, actor)
    rows, updates = _post_section(connection, in_force, run, stored)
    if late:
        reason = f"event {event_id} came late"
        note_pending(
            connection, [Pending(ready.place, reason, member=member, late_event=event_id) for member in late]
        )
        for member in stored.members:
            del standings.states[member]
    else:
        standings.apply(stored, rows)
    note_career(connection, standings.federation, stored, rows)
    refresh_moves(connection, standings.federation, lambda: run, _moved_since(in_force, stored))
    note_audit(
        connection,
        actor,
        "rate-section",
        AuditSubject("event", event_id, ready.section.number),
        f"run {run}, {', '.join(rows)}, {sum(len(updates) for updates in rows.values())} rows",
    )
    _finish(connection, ready, posted | {ready.section.number}, actor)
    return PostedSection(
        submission=ready.submission,
        event_id=event_id,
        number=ready.section.number,
        name=ready.section.name,
        rows=rows,
        late=tuple(late),
        findings=(*prizes, *updates),
    )


def _moved_since(standings: MemberStandings, stored: StoredSection) -> list[str]:
    """Return the players whose ratings a decision may have moved after the section."""
    files = (standings.states[member].member_file for member in stored.members if member in standings.states)
    return [
        member_file.id
        for member_file in files
        if member_file is not None
        and any(
            decision.kind in MOVING and decision.effective >= stored.section.end
            for decision in member_file.decisions
        )
    ]


def _stored(connection: Connection, ready: _ReadySection) -> StoredSection:
    """Write a section of a report to the book and return it."""
    event, section = ready.report.event, ready.section
    write_event(connection, event, ready.submission)
    number = write_section(connection, event.id, section, ready.report.players)
    return as_stored(number, event.id, section, ready.report.players)


def _post_section(
    connection: Connection, standings: MemberStandings, run: int, stored: StoredSection
) -> tuple[dict[System, dict[str, LedgerRow]], tuple[Finding, ...]]:
    """Rate a section from *standings* and add its postings; return rows by system and member, and what was found."""
    inputs = list(standings.inputs(connection, stored))
    rated = {of_system.system: rate_from(stored, of_system) for of_system in inputs}
    rows = {system: rows_of(section) for system, section in rated.items()}
    for of_system in inputs:
        posting = standings.new_posting(connection, run, stored, of_system)
        post(connection, posting, rows[of_system.system].values())
    return rows, tuple(finding for section in rated.values() for finding in updates_found(section))


def _finish(connection: Connection, ready: _ReadySection, posted: set[int], actor: Actor) -> None:
    """Mark the report as rated when its last section is."""
    if posted >= {section.number for section in ready.report.sections}:
        event = AuditSubject("event", ready.report.event.id)
        set_status(connection, ready.submission, Status.RATED)
        note_audit(connection, actor, "rate-event", event, f"submission {ready.submission}")

"""Rating what is ready: section by section in the order of history, whole events together in one transaction."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import date
from typing import NamedTuple

from ratebook import __version__
from ratebook.book import events, submissions
from ratebook.book.audit import AuditSubject, NewEntry, note_all
from ratebook.book.columns import END_OF_HISTORY, place_of
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.facts.members import merged_ids
from ratebook.book.failures import BookError, StoreError
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.ledger.postings import PendingPosting, Postings
from ratebook.book.ledger.read import posted_sections
from ratebook.book.ledger.rows import LedgerRow, rows_of
from ratebook.book.ledger.runs import begin_run, end_run
from ratebook.book.profile import raise_revision, read_federation, revision
from ratebook.book.reports import ends_of_sections, found_in_reading, stored_report, with_members
from ratebook.checks import ReportedFacts
from ratebook.findings import Finding, has_errors
from ratebook.model import Report, Section, System
from ratebook.office import Progress, no_progress
from ratebook.office.decisions.adjustments import decide_prizes
from ratebook.office.queue.check import check_from, first_place
from ratebook.office.rating.moved_ratings import refresh_moves
from ratebook.office.rating.standings import MOST_MEMBER_FILES, MemberStandings, rate_from, updates_found
from ratebook.office.rating.titles import note_careers
from ratebook.pages.columns import Column, Columns
from ratebook.rating.decisions import MOVING
from ratebook.rating.rate import rate_in_columns


class PostedSection(NamedTuple):
    """What rating one section of the queue did, with its new ledger rows where they were asked for.

    Members who had been rated in later sections already, *late*, wait for a re-rating; findings are about updates by
    foreign events, and floors that prizes set.
    """

    submission: int
    event_id: str
    number: int
    name: str
    systems: tuple[System, ...]
    members: int
    rows: Mapping[System, Mapping[str, LedgerRow]]
    late: tuple[str, ...]
    findings: tuple[Finding, ...] = ()


POSTED: Columns[PostedSection] = (
    Column("Event", "event_id"),
    Column("Section", "number", "right"),
    Column("Name", "name"),
    Column("Submission", "submission", "right"),
    Column("Systems", "systems", format=", ".join),
    Column("Members", "members", "right"),
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
    """The first reports that are ready; their sections *before* a place can be rated before all others."""

    numbers: tuple[int, ...]
    before: str


class _Part(NamedTuple):
    """What is rated in one transaction: places of sections in their order, with submissions; *before* is after them."""

    places: Sequence[tuple[str, int]]
    before: str


LEAST_AT_ONCE = 200
"""Sections in one transaction: as many, and the rest of their events."""
MOST_AT_ONCE = 2_000
"""Where events overlap without end, they are no longer kept together."""


def first_ready(connection: Connection, most: int) -> ReadyPart:
    """Return at most so many of the reports that are ready, by the first of their sections that are not yet rated."""
    chosen: dict[int, None] = {}
    for place, number in _places(connection, None):
        if len(chosen) == most and number not in chosen:
            return ReadyPart(tuple(chosen), place)
        chosen[number] = None
    return ReadyPart(tuple(chosen), END_OF_HISTORY)


def _places(connection: Connection, only: Collection[int] | None) -> list[tuple[str, int]]:
    """Return the places of the sections of reports that are ready and not yet rated, with their submissions.

    A report without such a section, perhaps because it cannot be read, has a place before all others.
    """
    ready = [
        (number, event_id, _ends(report))
        for number, event_id, report in submissions.ready_reports(connection)
        if only is None or number in only
    ]
    posted = posted_sections(connection, [event_id for _, event_id, _ in ready])
    places = []
    for number, event_id, ends in ready:
        own = [
            (place_of(end, event_id, section), number)
            for section, end in ends
            if (event_id, section) not in posted
        ]
        places += own or [("", number)]
    return sorted(places)


def _ends(report: str) -> list[tuple[int, date]]:
    try:
        return ends_of_sections(report)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []


def parts_of(places: Iterable[tuple[str, int]], before: str, least: int | None = None) -> Iterator[_Part]:
    """Yield parts of at least so many sections, so that no report has sections in two of them."""
    sections_left = Counter(number for _, number in places)
    part: list[tuple[str, int]] = []
    unfinished: set[int] = set()
    for place, number in places:
        if len(part) >= (least or LEAST_AT_ONCE) and (not unfinished or len(part) >= MOST_AT_ONCE):
            yield _Part(part, place)
            part = []
        part.append((place, number))
        sections_left[number] -= 1
        if sections_left[number]:
            unfinished.add(number)
        else:
            unfinished.discard(number)
    if part:
        yield _Part(part, before)


def rate_ready(  # noqa: PLR0913 - which of them, and how
    book: Book,
    actor: Actor,
    *,
    only: Collection[int] | None = None,
    before: str = END_OF_HISTORY,
    dry_run: bool = False,
    with_rows: bool = True,
    progress: Progress = no_progress,
) -> RatedQueue:
    """Rate every section of the reports that are ready, or *only* of those submissions among them, *before* a place.

    A section is rated from the state before its place in history (docs/rules/readings.md#a11); where members of it
    have seats in later sections already, these wait for a re-rating. A report is checked again right before its first
    section is rated: the book may have changed since it was submitted.

    Some hundred sections, with all sections of their events, are rated in one transaction. A dry run is one
    transaction that keeps nothing. Without rows in the result, memory does not grow with what is rated.
    """
    if not dry_run:
        return _Queue(book.writing, actor, with_rows=with_rows).rate(only, before, progress)
    with book.writing() as connection:
        queue = _Queue(lambda: nullcontext(connection), actor, with_rows=with_rows)
        result = queue.rate(only, before, progress)
        connection.rollback()
    return result


class _Queue:
    """One run, begun with the first section that it rates, over what is ready; *seen* is the revision that it left."""

    def __init__(
        self, writing: Callable[[], AbstractContextManager[Connection]], actor: Actor, *, with_rows: bool
    ) -> None:
        self.writing = writing
        self.actor = actor
        self.with_rows = with_rows
        self.run = 0
        self.seen: int | None = None
        self.posted: list[PostedSection] = []
        self.held: list[HeldReport] = []

    def rate(self, only: Collection[int] | None, before: str, progress: Progress) -> RatedQueue:
        """Rate one part after the other."""
        with self.writing() as connection:
            self.standings = MemberStandings(read_federation(connection))
            places = [place for place in _places(connection, only) if place[0] < before]
        sections = 0
        for part in parts_of(places, before):
            progress(sections, len(places))
            sections += len(part.places)
            try:
                self._part(part, is_last=part.before == before)
            except StoreError:
                raise
            except BookError:
                # What was ready before the section that cannot be rated is rated all the same.
                self.seen = None
                for event in parts_of(part.places, part.before, least=1):
                    self._part(event, is_last=event.before == before)
        progress(sections, len(places))
        return RatedQueue(self.run, tuple(self.posted), tuple(self.held))

    def _part(self, part: _Part, *, is_last: bool) -> None:
        standings = self.standings
        with self.writing() as connection:
            if revision(connection) != self.seen or len(standings.states) > MOST_MEMBER_FILES:
                standings.forget()
                standings.federation = read_federation(connection)
            work = _PartOfQueue(connection, standings, self.actor, self.run)
            work.rate(part)
            if work.run:
                self.seen = raise_revision(connection)
                if is_last:
                    end_run(connection, work.run, self.actor.at)
        self.run = work.run
        self.posted += work.posted if self.with_rows else [one._replace(rows={}) for one in work.posted]
        self.held += work.held


class _ReadyReport(NamedTuple):
    submission: submissions.StoredReport
    report: Report
    reported: ReportedFacts
    findings: Sequence[Finding]


class _ReadySection(NamedTuple):
    place: str
    ready: _ReadyReport
    section: Section


class _PartOfQueue:
    """A part of the queue in the transaction of *connection*; most of it is written together at its end.

    Attributes:
        later: the last seats of members after the beginning of the part, before it was rated.
        posted_before: the sections of its events that are rated, by event and number.
        events_before: those of its events that the book has.
        careers: sections with their rows of OTB Regular, whose norms and titles are not written yet.
    """

    def __init__(self, connection: Connection, standings: MemberStandings, actor: Actor, run: int) -> None:
        self.connection = connection
        self.standings = standings
        self.actor = actor
        self.run = run
        self.posted: list[PostedSection] = []
        self.held: list[HeldReport] = []
        self.postings = Postings(connection)
        standings.before_reading = self.postings.write_about
        self.sections = events.NewSections(connection)
        self.careers: list[tuple[events.StoredSection, Mapping[str, LedgerRow]]] = []
        self.audit: list[NewEntry] = []
        self.rated: list[int] = []
        self.events: set[str] = set()

    def rate(self, part: _Part) -> None:
        """Rate the sections of a part, and hold back the reports that have errors by now."""
        connection, standings = self.connection, self.standings
        ready = list(self._ready({number for _, number in part.places}))
        event_ids = [report.submission.event_id for report in ready]
        self.posted_before = posted_sections(connection, event_ids)
        self.numbers = events.section_numbers(connection, event_ids)
        self.events_before = events.known_events(connection, event_ids)
        sections = sorted(
            (
                _ReadySection(place, report, section)
                for report in ready
                for section in report.report.sections
                if (report.submission.event_id, section.number) not in self.posted_before
                and (place := place_of(section.end, report.submission.event_id, section.number)) < part.before
            ),
            key=lambda section: section.place,
        )
        players = {player for report in ready for player in report.report.players}
        self.later = events.seated_later(connection, sorted(players), sections[0].place) if sections else {}
        standings.load(connection, sorted(players), END_OF_HISTORY)
        holds: dict[int, bool] = {}
        for section in sections:
            number = section.ready.submission.id
            if number not in holds:
                holds[number] = self._has_errors(section.ready)
            if not holds[number]:
                self._rate(section)
        self._write()

    def _ready(self, numbers: Collection[int]) -> Iterator[_ReadyReport]:
        """Yield those of the submissions that are ready and can be read, with members as their players."""
        readable = []
        for submission in submissions.read_submissions(self.connection, numbers):
            if submission.status is not submissions.Status.READY:
                continue
            try:
                readable.append((submission, *stored_report(submission)))
            except BookError as failure:
                self._hold(submission, [failure.finding])
        players = dict.fromkeys(player for _, report, _ in readable for player in report.players)
        known = merged_ids(self.connection, players)
        for submission, stated, reported in readable:
            report, findings = with_members(self.connection, stated, known)
            yield _ReadyReport(submission, report, reported, findings)

    def _has_errors(self, ready: _ReadyReport) -> bool:
        """Check a report, all sections before which are rated, and hold it back if it has errors."""
        submission, report, reported, findings = ready
        connection, standings = self.connection, self.standings
        first = first_place(report)
        if any(self.later.get(player, "") > first for player in report.players):
            standings = standings.at(first, connection, report.players)
        else:
            standings.load(connection, report.players, END_OF_HISTORY)
        checked = check_from(connection, report, reported, standings, errors_alone=True)
        if not has_errors([*findings, *checked]):
            return False
        self._hold(submission, [*findings, *check_from(connection, report, reported, standings)])
        return True

    def _hold(self, submission: submissions.StoredReport, findings: Sequence[Finding]) -> None:
        connection = self.connection
        submissions.store_findings(
            connection, submission.id, [*found_in_reading(connection, submission), *findings]
        )
        submissions.set_status(connection, [submission.id], submissions.Status.HELD)
        subject = AuditSubject("submission", str(submission.id))
        self.audit.append(NewEntry("hold", subject, "errors by today's ratings"))
        self.held.append(HeldReport(submission.id, submission.event_id))

    def _rate(self, section: _ReadySection) -> None:
        """Rate one section."""
        connection, standings = self.connection, self.standings
        submission, report = section.ready.submission, section.ready.report
        stored = self._stored(section)
        standings.load(connection, stored.members, END_OF_HISTORY)
        late = [member for member in stored.members if self.later.get(member, "") > section.place]
        in_force = standings.at(section.place, connection, stored.members) if late else standings
        prizes: Sequence[Finding] = ()
        if report.prizes:
            self._write()
            prizes = decide_prizes(connection, in_force, report, stored, self.actor)
        rows, updates = self._post(in_force, stored)
        if late:
            reason = f"event {report.event.id} came late"
            marks = (
                Pending(section.place, reason, member=member, late_event=report.event.id) for member in late
            )
            note_pending(connection, marks)
            for member in stored.members:
                del standings.states[member]
        else:
            standings.apply(stored, rows)
        if moved := _moved_since(in_force, stored):
            self.postings.write()
            refresh_moves(connection, standings.federation, self._running, moved)
        number_of_rows = sum(len(of_system) for of_system in rows.values())
        subject = AuditSubject("event", report.event.id, section.section.number)
        details = f"run {self.run}, {', '.join(rows)}, {number_of_rows} ratings"
        self.audit.append(NewEntry("rate-section", subject, details))
        self.posted_before.add((report.event.id, section.section.number))
        if all((report.event.id, section.number) in self.posted_before for section in report.sections):
            self.rated.append(submission.id)
            event = AuditSubject("event", report.event.id)
            self.audit.append(NewEntry("rate-event", event, f"submission {submission.id}"))
        self.posted.append(
            PostedSection(
                submission=submission.id,
                event_id=report.event.id,
                number=section.section.number,
                name=section.section.name,
                systems=tuple(rows),
                members=len({member for of_system in rows.values() for member in of_system}),
                rows=rows,
                late=tuple(late),
                findings=(*prizes, *updates),
            )
        )

    def _stored(self, section: _ReadySection) -> events.StoredSection:
        """Write a section of a report to the book and return it."""
        report = section.ready.report
        event_id = report.event.id
        if event_id not in self.events:
            self.events.add(event_id)
            is_known = event_id in self.events_before
            events.write_event(self.connection, report.event, section.ready.submission.id, is_known=is_known)
        replaced = self.numbers.get((event_id, section.section.number))
        number = self.sections.add(event_id, section.section, report.players, replaced)
        return events.as_stored(number, event_id, section.section, report.players)

    def _post(
        self, standings: MemberStandings, stored: events.StoredSection
    ) -> tuple[dict[System, dict[str, LedgerRow]], tuple[Finding, ...]]:
        """Rate a section from *standings* and post it; return rows by system and member, and what was found."""
        rows: dict[System, dict[str, LedgerRow]] = {}
        findings: list[Finding] = []
        run = self._running()
        for inputs in list(standings.inputs(self.connection, stored)):
            rated = rate_from(stored, inputs, rate_in_columns)
            rows[inputs.system] = of_system = rows_of(rated)
            posting = standings.new_posting(self.connection, run, stored, inputs)
            self.postings.add(PendingPosting(posting, list(of_system.values())))
            findings += updates_found(rated)
        if regular := rows.get(System.REGULAR):
            self.careers.append((stored, regular))
        return rows, tuple(findings)

    def _running(self) -> int:
        """Return the number of the run, which begins with the first section that it rates."""
        if not self.run:
            rulebook = self.standings.federation.rulebook_id
            self.run = begin_run(self.connection, "rate", self.actor, rulebook, __version__)
        return self.run

    def _write(self) -> None:
        """Write what waits."""
        connection = self.connection
        self.sections.write()
        self.postings.write()
        note_careers(connection, self.standings.federation, self.careers)
        note_all(connection, self.actor, self.audit)
        submissions.set_status(connection, self.rated, submissions.Status.RATED)
        self.careers, self.audit, self.rated = [], [], []


def _moved_since(standings: MemberStandings, stored: events.StoredSection) -> list[str]:
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

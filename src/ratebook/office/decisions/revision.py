"""Changing the report of an event, rated or waiting: a new version, checked as the first was, and what follows.

What must be accepted: warnings that a decision raises, as those of a report, and members who may be another one.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ratebook.book import reports, submissions
from ratebook.book.audit import AuditSubject, note_audit
from ratebook.book.columns import place_of
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.decisions import NO_DETAILS, Decision, decide
from ratebook.book.events import section_numbers, write_event, write_section
from ratebook.book.facts.members import MemberFacts, duplicates_of, names_of
from ratebook.book.facts.reported_sections import store_sections
from ratebook.book.failures import BookError, refused
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.profile import raise_revision, read_federation
from ratebook.checks import ReportedFacts
from ratebook.findings import Finding, Place, Severity, finding, has_errors
from ratebook.formats.native.write import stored_bytes
from ratebook.model import PlayerFacts, Report, Section
from ratebook.office.decisions.changes import changes_of_report
from ratebook.office.queue.check import check_against_book
from ratebook.office.queue.submit import Incoming, fix_within, settle_status
from ratebook.reports.load import LoadedReport

NOTHING_CHANGES = "nothing-changes"


class Reason(NamedTuple):
    """Who decides something, when, and why; *accepted* are keys or codes of the warnings, or ``all``, it may raise."""

    actor: Actor
    reason: str
    accepted: Sequence[str] = ()


class SectionRef(NamedTuple):
    """One section of an event (of all, *number* is None), or of the *submission* that waits, where that is meant."""

    event_id: str
    number: int | None
    submission: int | None = None

    @property
    def place(self) -> Place:
        """The section, for findings."""
        return Place(event=self.event_id, section=self.number)

    @property
    def subject(self) -> AuditSubject:
        """The section, for the audit log."""
        return AuditSubject("event", self.event_id, self.number)


class DecisionResult(NamedTuple):
    """What became of a decision of the office, by its number; None where it has errors and nothing was changed.

    *changes* are in words, never a birth date; *waiting* is what became of a report that waited in the queue.
    """

    decision: int | None
    findings: tuple[Finding, ...] = ()
    waits: bool = False
    changes: tuple[str, ...] = ()
    waiting: submissions.Status | None = None
    accepted: tuple[Finding, ...] = ()


def decision_about(
    section: SectionRef,
    kind: str,
    because: Reason,
    details: Mapping[str, object] = NO_DETAILS,
    *,
    undoes: int | None = None,
) -> Decision:
    """Return the decision of a *kind* about a section, or about a whole event."""
    return Decision(
        kind,
        section.subject,
        because.reason,
        event_id=section.event_id,
        section=section.number,
        details=details,
        undoes=undoes,
    )


def rated_event(connection: Connection, event_id: str) -> submissions.StoredReport:
    """Return the submission that holds for a rated event; a `BookError` if no section of such an event is rated."""
    row = submissions.rated_submission(connection, event_id)
    if row is None:
        raise refused("event-unknown.not-rated", Place(event=event_id))
    return row


def section_of(report: Report, number: int | None) -> Section:
    """Return a section of *report*; a `BookError` if there is none of this number."""
    for section in report.sections:
        if section.number == number:
            return section
    known = ", ".join(str(section.number) for section in report.sections)
    raise refused("section-unknown.in-report", Place(event=report.event.id, section=number), known=known)


def with_section(report: Report, changed: Section) -> Report:
    """Return *report* with *changed* instead of its section of that number."""
    return report._replace(
        sections=tuple(
            changed if section.number == changed.number else section for section in report.sections
        )
    )


def with_member(report: Report, section: Section, seat: int, member: str) -> Report:
    """Return *report* with *member* at a seat of one of its sections; facts and prizes go with the seat.

    No one plays twice: a member at another seat of the section changes places with the one who was at this seat.
    """
    entries_of = Counter(entry.player for entry in section.entries)
    wrong = next((entry.player for entry in section.entries if entry.seat == seat), "")
    swap = entries_of[wrong] == entries_of[member] == 1 and wrong != member
    others = {wrong: member, member: wrong} if swap else {wrong: member}
    entries = tuple(
        entry._replace(player=others[entry.player])
        if entry.seat == seat or (swap and entry.player == member)
        else entry
        for entry in section.entries
    )
    changed = with_section(report, section._replace(entries=entries))
    players = dict(report.players)
    rests = [other for other in report.sections if other.number != section.number]
    elsewhere = {entry.player for rest in rests for entry in rest.entries}
    if swap and elsewhere.isdisjoint(others):
        players |= {new: players[old]._replace(id=new) for old, new in others.items()}
    known = players.get(wrong)
    players.setdefault(member, PlayerFacts(member, "" if known is None else known.name))
    seated = {entry.player for entry in entries} | elsewhere
    moved = others.keys() if swap or entries_of[wrong] == 1 else frozenset[str]()
    return changed._replace(
        players={key: facts for key, facts in players.items() if key in seated},
        prizes=tuple(
            prize._replace(player=others[prize.player])
            if prize.section == section.number and prize.player in moved
            else prize
            for prize in report.prizes
        ),
    )


def revise(
    connection: Connection,
    event_id: str,
    change: Callable[[Report], Report],
    decision: Decision,
    because: Reason,
) -> DecisionResult:
    """Replace the report of a rated event by what *change*, which may refuse, makes of it.

    The findings are those that no one had accepted before.
    """
    row = rated_event(connection, event_id)
    report, reported = reports.stored_report(row)
    old, _ = reports.with_members(connection, report)
    new, findings = reports.with_members(connection, change(report))
    if new == old:
        raise nothing_changes(Place(event=event_id))
    reported = _reseated_facts(reported, old, new)
    findings += check_against_book(connection, new, reported)
    if has_errors(findings):
        return DecisionResult(None, tuple(findings))
    number = decide(connection, because.actor, decision)
    form = read_federation(connection).profile.member_id_pattern
    revision = submissions.store_submission(
        connection,
        submissions.NewSubmission(
            event_id=event_id,
            event_name=new.event.name,
            source_name=row.source_name,
            received=row.received,
            report=stored_bytes(new).decode(),
            stated=reports.stated_text(reported),
            **reports.report_hashes(new, form)._asdict(),
            revises=row.id,
            decision_id=number,
        ),
        row.status,
        because.actor,
        findings,
        reseated=reports.reseated(old, new),
    )
    store_sections(connection, revision, reports.section_hashes(new, form))
    before_it = {problem.key for problem in submissions.accepted_findings(connection, revision)}
    submissions.accept_findings(connection, revision, because.accepted, because.actor)
    submissions.set_status(connection, [row.id], submissions.Status.REPLACED)
    write_event(connection, new.event, revision, is_known=True)
    numbers = section_numbers(connection, [event_id])
    before = {section.number: section for section in old.sections}
    waits = False
    for section in new.sections:
        section_id = numbers.get((event_id, section.number))
        if section_id is None or before.get(section.number) == section:
            continue
        write_section(connection, event_id, section, new.players)
        mark_section(connection, section_id, event_id, number, decision.kind, before[section.number], section)
        waits = True
    raise_revision(connection)
    raised = [problem for problem in findings if problem.key not in before_it]
    changes = changes_of_report(with_book_names(connection, old), with_book_names(connection, new))
    return DecisionResult(number, tuple(raised), waits=waits, changes=tuple(changes))


def _reseated_facts(reported: ReportedFacts, old: Report, new: Report) -> ReportedFacts:
    """Return what a report stated of the players, whose seats others may have in its *new* version."""
    others = {
        before.player: after.player
        for sections in zip(old.sections, new.sections, strict=True)
        for before, after in zip(sections[0].entries, sections[1].entries, strict=True)
    }
    stated = {others.get(player, player): ratings for player, ratings in reported.stated_ratings.items()}
    return reported._replace(stated_ratings=stated)


def with_book_names(connection: Connection, report: Report) -> Report:
    """Return *report* with the names that the book has for its players, where it has any."""
    names = names_of(connection, report.players)
    return report._replace(
        players={
            player: facts._replace(name=names.get(player) or facts.name)
            for player, facts in report.players.items()
        }
    )


def nothing_changes(place: Place) -> BookError:
    """Return the error that a decision would leave everything as it is, to be raised."""
    return refused("nothing-changes.correction", place)


def mark_section(
    connection: Connection, section: int, event_id: str, decision: int, kind: str, *versions: Section
) -> None:
    """Note that a decision has a section rated again, from the first place of its versions on."""
    place = min(place_of(version.end, event_id, version.number) for version in versions)
    reason = f"decision {decision}, {kind}, event {event_id}"
    note_pending(connection, [Pending(place, reason, section=section, decision=decision)])


def waiting_report(connection: Connection, name: str) -> submissions.StoredReport | None:
    """Return the report in the queue that *name* means; None where none does, a `BookError` where it is rated.

    It is an event's id, or a submission's number, also one that was replaced: the newest version of it is meant. The id
    of a rated event means that event.
    """
    if submissions.rated_submission(connection, name) is not None:
        return None
    submission = submissions.waiting_of_event(connection, name)
    if submission is None and name.isascii() and name.isdecimal() and len(name) <= _MOST_DIGITS:
        submission = submissions.read_submission(connection, int(name))
        if submission is not None and submission.status is submissions.Status.REPLACED:
            submission = submissions.read_submission(
                connection, submissions.revisions_of(connection, submission)[-1].id
            )
    if submission is not None and submission.status is submissions.Status.RATED:
        raise refused("event-unknown.number-of-report", Place(event=name), event=submission.event_id)
    return submission if submission is not None and submission.status in submissions.WAITING else None


_MOST_DIGITS = 9
"""Of a submission's number."""


def amend(
    connection: Connection,
    row: submissions.StoredReport,
    change: Callable[[Report], Report],
    decision: Decision,
    because: Reason,
) -> DecisionResult:
    """Replace a waiting report by what *change* makes of it; warnings that were accepted stay accepted.

    Of the others, those that the change raises can be accepted with it; the queue decides about those that were there.
    Nothing is changed where that is no report any more, such as one that ends before it starts.

    Raises:
        BookError: the file could not be read, *change* refuses, or nothing would change.
    """
    old, reported = reports.stored_report(row)
    if not old.sections:
        raise refused("submission-unread", Place(submission=row.id))
    new = change(old)
    if new == old:
        raise nothing_changes(Place(submission=row.id))
    noted = reports.still_found(reports.found_in_reading(connection, row), new)
    loaded = LoadedReport(new, tuple(noted), {}, _reseated_facts(reported, old, new))
    before = {problem.finding.key for problem in submissions.read_findings(connection, row.id)}
    incoming = Incoming(loaded, row.source_name, row.received, storable=True)
    fixed = fix_within(connection, row, incoming, because.actor)
    if fixed.number is None or fixed.status is None:
        return DecisionResult(None, fixed.findings)
    raised = [problem for problem in fixed.open_findings if problem.key not in before]
    keys = [problem.key for problem in raised if problem.is_accepted_by(because.accepted)]
    accepted = tuple(submissions.accept_findings(connection, fixed.number, keys, because.actor))
    status = settle_status(connection, fixed.number)
    number = decide(
        connection, because.actor, decision._replace(details={**decision.details, "submission": fixed.number})
    )
    became = f"report {row.id} -> report {fixed.number}, {status.value}"
    changes = changes_of_report(with_book_names(connection, old), with_book_names(connection, new))
    findings = tuple(problem for problem in fixed.open_findings if problem.key not in set(keys))
    return DecisionResult(number, findings, changes=(*changes, became), waiting=status, accepted=accepted)


NOT_ACCEPTED = "warnings-not-accepted"
NO_PLACES: Mapping[str, Place] = MappingProxyType({})


class _NotAcceptedError(Exception):
    """Takes back what a decision has written that raised *warnings*."""

    def __init__(self, warnings: tuple[Finding, ...]) -> None:
        super().__init__(warnings)
        self.warnings = warnings


def decided(book: Book, because: Reason, work: Callable[[Connection], DecisionResult]) -> DecisionResult:
    """Return what *work* decides, in one transaction; nothing is kept of it where a warning is not accepted.

    The audit log names the warnings that were accepted with it. A report that waits is replaced whatever its warnings:
    they hold it back.
    """
    try:
        with book.writing() as connection:
            result = work(connection)
            if result.decision is None or result.waiting is not None:
                return result
            warnings = tuple(warning for warning in result.findings if warning.severity is Severity.WARNING)
            accepted = tuple(warning for warning in warnings if warning.is_accepted_by(because.accepted))
            if accepted != warnings:
                # What was written is taken back.
                raise _NotAcceptedError(warnings)  # noqa: TRY301 - the transaction ends by it
            if accepted:
                warned = "; ".join(f"{warning.code} at {warning.where}" for warning in accepted)
                number, details = result.decision, f"{warned}: {because.reason}"
                subject = AuditSubject("decision", str(number))
                note_audit(connection, because.actor, "accept-warning", subject, details, number)
            others = tuple(warning for warning in result.findings if warning not in accepted)
            return result._replace(findings=others, accepted=accepted)
    except _NotAcceptedError as failure:
        return DecisionResult(None, (*failure.warnings, _not_accepted(failure.warnings, because)))


def _not_accepted(warnings: tuple[Finding, ...], because: Reason) -> Finding:
    codes = dict.fromkeys(
        warning.code for warning in warnings if not warning.is_accepted_by(because.accepted)
    )
    return finding(
        "warnings-not-accepted.decision",
        Place(subject="this decision"),
        options=" ".join(f"--accept {code}" for code in codes),
    )


def possible_duplicates(
    connection: Connection,
    facts: Iterable[MemberFacts],
    accepted: Collection[str],
    where: Mapping[str, Place] = NO_PLACES,
) -> Iterator[Finding]:
    """Yield those of *facts* who may be another member, as errors unless the code (or ``all``) is *accepted*.

    *where* they are said, by id.
    """
    is_open = {"possible-duplicate", "all"}.isdisjoint(accepted)
    text = "possible-duplicate.to-be-accepted" if is_open else "possible-duplicate.accepted"
    for member, other in duplicates_of(connection, facts):
        place = where.get(member.id, Place(members=(member.id,)))
        yield finding(text, place, member=member.id, other=other.id, name=other.name)

"""Submitting reports: each is checked against the book and stored with its findings, whatever they are.

A decision about a submission raises a `BookError` if the queue has none of this number.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from ratebook.book import reports, submissions
from ratebook.book.audit import AuditSubject, note_audit
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.decisions import Decision, decide
from ratebook.book.facts.reported_sections import same_sections, store_sections
from ratebook.book.failures import BookError, refused
from ratebook.book.profile import read_federation
from ratebook.checks import ReportedFacts
from ratebook.findings import ALL, Finding, Place, finding
from ratebook.formats.native.write import read_stored, stored_bytes
from ratebook.model import Report
from ratebook.office.queue.check import check_against_book, stated_ratings
from ratebook.office.rating.standings import MemberStandings
from ratebook.reports.load import LoadedReport


class Submitted(NamedTuple):
    """What became of a submitted report; without a *number*, the book has it already (*known*)."""

    number: int | None
    event_id: str
    status: submissions.Status | None
    findings: tuple[Finding, ...]
    accepted: tuple[Finding, ...] = ()
    known: submissions.QueuedReport | None = None

    @property
    def open_findings(self) -> tuple[Finding, ...]:
        """The findings without the warnings that were accepted."""
        accepted = {warning.key for warning in self.accepted}
        return tuple(finding for finding in self.findings if finding.key not in accepted)

    @property
    def accepted_text(self) -> str:
        """How many warnings of which codes were accepted."""
        counts = Counter(warning.code for warning in self.accepted)
        return ", ".join(f"{counts[code]} {code}" for code in sorted(counts))


class Incoming(NamedTuple):
    """A report to be submitted, under an *event_id* of its own where that is given, with codes of *accepted* warnings.

    A file without a report is known again by its *digest*. One that must be *storable* is refused if it would not be
    the same when it is read again, instead of being held unread.
    """

    loaded: LoadedReport
    name: str
    received: date
    event_id: str = ""
    accepted: Sequence[str] = ()
    digest: str = ""
    storable: bool = False


def submit(book: Book, incoming: Incoming, actor: Actor) -> Submitted:
    """Store a report with its problems."""
    with book.writing() as connection:
        return submit_within(connection, incoming, actor)


def submit_within(  # noqa: PLR0913 - what is known of other reports, too
    connection: Connection,
    incoming: Incoming,
    actor: Actor,
    *,
    revises: int | None = None,
    standings: MemberStandings | None = None,
    statuses: Sequence[str] = submissions.SAID,
) -> Submitted:
    """Do the work of `submit` in the transaction of *connection*.

    The report may take the place of the submission that it *revises*. It is refused where the book has the same one in
    one of *statuses*. *standings* remember what several reports need, as long as nobody changes the book.
    """
    examined = examine(connection, incoming, revises=revises, standings=standings, statuses=statuses)
    findings = examined.findings
    if examined.known is not None:
        return Submitted(None, examined.event_id, None, findings, known=examined.known)
    report = examined.report
    if report is None and (incoming.storable or revises is not None):
        # A report stays in the queue, whatever unreadable file was to take its place.
        return Submitted(None, "", None, examined.refusals or findings)
    new = submissions.NewSubmission(
        event_id=examined.event_id,
        event_name=(report or reports.NO_REPORT).event.name,
        source_name=incoming.name,
        received=incoming.received,
        report=examined.text,
        stated=examined.stated,
        **examined.hashes._asdict(),
        revises=revises,
    )
    others = set() if revises is None or report is None else _reseated(connection, revises, report)
    # Nothing holds back a report without findings, and most have none: nothing of them is asked for again.
    status = submissions.Status.HELD if findings or report is None else submissions.Status.READY
    number = submissions.store_submission(connection, new, status, actor, findings, reseated=others)
    store_sections(connection, number, examined.sections)
    if report is None:
        _note_submission(connection, actor, "submit", number, f"unreadable, {_counted(len(findings))}")
        return Submitted(number, "", submissions.Status.HELD, findings)
    accepted: tuple[Finding, ...] = ()
    if findings:
        submissions.accept_findings(connection, number, incoming.accepted, actor)
        status = settle_status(connection, number)
        accepted = tuple(submissions.accepted_findings(connection, number))
    submitted = Submitted(number, examined.event_id, status, findings, accepted)
    details = [f"event {examined.event_id}, {status.value}, {_counted(len(findings))}"]
    if accepted:
        details.append(f"accepted: {submitted.accepted_text}")
    _note_submission(connection, actor, "submit", number, "; ".join(details))
    return submitted


def _note_submission(connection: Connection, actor: Actor, action: str, number: int, details: str) -> None:
    note_audit(connection, actor, action, AuditSubject("submission", str(number)), details)


def _reseated(connection: Connection, revises: int, report: Report) -> set[tuple[int, int]]:
    """Return the seats on which others sit than in the report before; all where that cannot be read any more."""
    row = submissions.read_submission(connection, revises)
    assert row is not None, "the store keeps the reference"  # noqa: S101 - tells the type checker
    try:
        before, _ = reports.stored_report(row)
    except BookError:
        before = reports.NO_REPORT
    return reports.reseated(before, report)


class Examined(NamedTuple):
    """A report with members as its players, as it would be stored, and its problems; None where it cannot be.

    It is *known* already, or has *refusals*; the facts are what its file states beside it. It and its sections would be
    known again by hashes, a file without a report by its digest.
    """

    report: Report | None
    event_id: str
    facts: ReportedFacts
    findings: tuple[Finding, ...]
    hashes: reports.ReportHashes
    known: submissions.QueuedReport | None = None
    refusals: tuple[Finding, ...] = ()
    sections: Mapping[int, str] = {}
    text: str = ""
    stated: str = '{"rounds": {}, "systems": {}}'


def examine(
    connection: Connection,
    incoming: Incoming,
    *,
    revises: int | None = None,
    standings: MemberStandings | None = None,
    statuses: Sequence[str] = submissions.SAID,
) -> Examined:
    """Return what `submit_within` would store; nothing is written."""
    loaded, name = incoming.loaded, incoming.name
    findings = list(loaded.findings)
    unread = reports.ReportHashes(incoming.digest, "")
    if loaded.report is None:
        earlier = (
            submissions.same_content(connection, [incoming.digest], statuses) if incoming.digest else None
        )
        if earlier is not None:
            findings = [known_already(name, earlier)]
        return Examined(None, "", loaded.facts, tuple(findings), unread, known=earlier)
    sent = loaded.report
    report, unknown = reports.with_members(connection, sent)
    findings += unknown
    standings = standings or MemberStandings(read_federation(connection))
    form = standings.federation.profile.member_id_pattern
    hashes = reports.report_hashes(report, form)
    known_by = [hashes.content_hash]
    if sent.players.keys() != report.players.keys():
        # An id may have been merged since the same report was submitted with it.
        known_by.append(reports.report_hashes(sent, form).content_hash)
    # A revision may well say what an earlier one said.
    first = submissions.same_content(
        connection, known_by, statuses if revises is None else submissions.HOLDING
    )
    if first is not None and first.id != revises:
        already = (known_already(name, first),)
        return Examined(None, first.event_id, loaded.facts, already, hashes, known=first)
    chosen = incoming.event_id or report.event.id
    if not chosen:
        chosen = submissions.free_event_id(connection, max(section.end for section in report.sections))
    report = report._replace(event=report.event._replace(id=chosen))
    text, refusals = _stored_text(report, name)
    if refusals:
        return Examined(None, "", loaded.facts, (*findings, *refusals), unread, refusals=refusals)
    sections = reports.section_hashes(report, form)
    findings += _beside_others(connection, name, chosen, hashes.roster_hash, revises)
    findings += _sections_of_others(connection, sections, revises)
    # The checks need the day on which the report came.
    stated = stated_ratings(sent) or loaded.facts.stated_ratings
    facts = loaded.facts._replace(received=incoming.received, stated_ratings=stated)
    findings += check_against_book(connection, report, facts, standings)
    stated_beside = reports.stated_text(facts, len(loaded.findings))
    return Examined(
        report, chosen, facts, tuple(findings), hashes, sections=sections, text=text, stated=stated_beside
    )


def _stored_text(report: Report, name: str) -> tuple[str, tuple[Finding, ...]]:
    """Return *report* as the book stores it, and why it must not: it would not be the same when it is read again."""
    try:
        text = stored_bytes(report)
    except UnicodeEncodeError:
        return "", (finding("report-not-storable", Place(file=name)),)
    again = read_stored(text, name)
    if again.report is None:
        return "", again.findings
    return text.decode(), () if again.report == report else (
        finding("report-not-storable", Place(file=name)),
    )


def _counted(findings: int) -> str:
    return "1 finding" if findings == 1 else f"{findings} findings"


def known_already(
    name: str, first: submissions.QueuedReport, text: str = "report-submitted-already.submitted"
) -> Finding:
    """Return the finding that the file *name* holds the report of an earlier submission."""
    return finding(
        text, Place(file=name), first_id=first.id, event_id=first.event_id, received=first.received
    )


def _beside_others(
    connection: Connection, name: str, event_id: str, roster: str, besides: int | None
) -> Iterator[Finding]:
    """Yield what other reports of the book have to do with one; *besides* is its own submission."""
    similar = submissions.same_roster(connection, roster, besides=besides)
    if similar is not None:
        is_rated = similar.status is submissions.Status.RATED
        yield finding(
            "roster-submitted-already.rated" if is_rated else "roster-submitted-already.waiting",
            Place(file=name),
            similar_id=similar.id,
            event_id=similar.event_id,
        )
    if submissions.event_taken(connection, event_id, besides=besides):
        yield finding("event-id-taken", Place(event=event_id))


def _sections_of_others(
    connection: Connection, sections: Mapping[int, str], besides: int | None
) -> Iterator[Finding]:
    """Yield the sections of a report, by the hashes of what was played, that came in another report, too."""
    for same in same_sections(connection, sections, besides=besides):
        yield finding(
            "section-submitted-already",
            Place(section=same.section),
            other_section=same.number,
            similar_id=same.submission,
            event_id=same.event_id,
        )


def settle_status(connection: Connection, number: int) -> submissions.Status:
    """Make a submission ready unless an error or an open warning holds it back; return its status."""
    errors, warnings = submissions.open_findings(connection, number)
    status = submissions.Status.HELD if errors or warnings else submissions.Status.READY
    submissions.set_status(connection, [number], status)
    return status


def waiting_submission(connection: Connection, number: int) -> submissions.StoredReport:
    """Return a submission that is in the queue."""
    row = submissions.read_submission(connection, number)
    if row is None:
        raise refused("submission-unknown.waiting", Place(submission=number))
    if row.status not in submissions.WAITING:
        raise refused("submission-decided", Place(submission=number), status=row.status)
    return row


def reject(book: Book, numbers: Iterable[int], reason: str, actor: Actor) -> None:
    """Reject submissions, all of them or none, each by a decision of its own."""
    with book.writing() as connection:
        for number in numbers:
            row = waiting_submission(connection, number)
            submissions.set_status(connection, [number], submissions.Status.REJECTED)
            subject, event = AuditSubject("submission", str(number)), row.event_id or None
            details = {"submission": number}
            decision = Decision("reject-report", subject, reason, event_id=event, details=details)
            decide(connection, actor, decision)


def recheck(book: Book, number: int, actor: Actor) -> Submitted:
    """Check a submission again, since what the book knows has changed (a member was added, say)."""
    with book.writing() as connection:
        row = waiting_submission(connection, number)
        report, reported = reports.stored_report(row)
        if not report.sections:
            findings = [stored.finding for stored in submissions.read_findings(connection, number)]
            return Submitted(number, "", submissions.Status.HELD, tuple(findings))
        report, unknown = reports.with_members(connection, report)
        findings = [*reports.found_in_reading(connection, row), *unknown]
        form = read_federation(connection).profile.member_id_pattern
        roster, sections = (
            reports.report_hashes(report, form).roster_hash,
            reports.section_hashes(report, form),
        )
        findings += _beside_others(connection, row.source_name, row.event_id, roster, number)
        findings += _sections_of_others(connection, sections, number)
        findings += check_against_book(connection, report, reported)
        submissions.store_findings(connection, number, findings)
        status = settle_status(connection, number)
        _note_submission(connection, actor, "check-again", number, status.value)
        return Submitted(
            number,
            row.event_id,
            status,
            tuple(findings),
            tuple(submissions.accepted_findings(connection, number)),
        )


def fix(book: Book, number: int, loaded: LoadedReport, name: str, actor: Actor) -> Submitted:
    """Replace a submission by an edited report; warnings that were accepted, and say the same, stay accepted."""
    with book.writing() as connection:
        row = waiting_submission(connection, number)
        return fix_within(connection, row, Incoming(loaded, name, row.received), actor)


def fix_within(
    connection: Connection, row: submissions.StoredReport, incoming: Incoming, actor: Actor
) -> Submitted:
    """Do the work of `fix` in the transaction of *connection*; a report without an event id keeps the one before."""
    submissions.set_status(connection, [row.id], submissions.Status.REPLACED)
    report = incoming.loaded.report
    if report is None or not report.event.id:
        incoming = incoming._replace(event_id=row.event_id)
    submitted = submit_within(connection, incoming, actor, revises=row.id)
    if submitted.number is None:
        submissions.set_status(connection, [row.id], row.status)
    return submitted


class Acceptance(NamedTuple):
    """A decision to accept warnings, with these and what became of the reports, by the submissions' numbers."""

    decision: int
    statuses: dict[int, submissions.Status]
    findings: dict[int, list[Finding]]


def accept_warnings(
    book: Book, chosen: Mapping[int, Collection[str]], actor: Actor, reason: str
) -> Acceptance:
    """Accept warnings of submissions, all that are *chosen* or none.

    They are chosen by their keys (`Finding.key`), codes or ``all``, by the submission's number; a submission that does
    not wait, or that has no open warning of one of these, is a `BookError`.
    """
    accepted: dict[int, list[Finding]] = {}
    with book.writing() as connection:
        event_ids = set()
        for number, words in chosen.items():
            event_ids.add(waiting_submission(connection, number).event_id)
            accepted[number] = submissions.accept_findings(connection, number, words, actor)
            for word in words:
                if not any(word in {ALL, warning.code, warning.key} for warning in accepted[number]):
                    place = Place(submission=number, code=word)
                    raise refused("accepted-in-vain.no-open-warning", place, number=number)
        first, *others = accepted
        warnings = [(number, warning) for number, of_report in accepted.items() for warning in of_report]
        decision = Decision(
            "accept-warning",
            AuditSubject("submission", str(first)),
            reason,
            event_id=event_ids.pop() or None if len(event_ids) == 1 else None,
            details={
                "submission": list(accepted),
                "codes": sorted({warning.code for _, warning in warnings}),
                "findings": [
                    {"submission": number, "code": warning.code, "place": warning.place.known}
                    for number, warning in warnings
                ],
            },
        )
        recorded = decide(connection, actor, decision)
        for number in others:
            subject = AuditSubject("submission", str(number))
            note_audit(connection, actor, decision.kind, subject, f"decision {recorded}: {reason}", recorded)
        statuses = {number: settle_status(connection, number) for number in accepted}
        return Acceptance(recorded, statuses, accepted)

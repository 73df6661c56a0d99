"""One submission as the office reads it: the report beside the book, its findings folded, and what became of it."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from ratebook.book.audit import AuditEntry, RecordFilter, newest_entries
from ratebook.book.connection import Connection
from ratebook.book.decisions import read_decision
from ratebook.book.events import list_sections
from ratebook.book.facts.members import merged_ids, names_of
from ratebook.book.facts.reported_sections import sent_again
from ratebook.book.failures import refused
from ratebook.book.ledger.lists import first_list_of
from ratebook.book.reports import stored_report
from ratebook.book.submissions import (
    WAITING,
    QueuedReport,
    Status,
    StoredFinding,
    first_version,
    holding_codes,
    read_findings,
    read_submission,
    revisions_of,
    waiting,
)
from ratebook.findings import NOWHERE, Finding, Place, Severity
from ratebook.model import Report, Section
from ratebook.pages.columns import Column, Columns
from ratebook.pages.crosstable import cell_text, points_of
from ratebook.pages.official.lists import month_words
from ratebook.pages.queue import queue_line
from ratebook.records.reports import QueuedSubmission

MOST_ENTRIES = 50


class FoldedFinding(NamedTuple):
    """Findings that say the same of several places: the *first*, and all the places.

    Attributes:
        accepted_by: empty where no one has accepted them.
    """

    first: Finding
    places: tuple[Place, ...]
    accepted_by: str = ""

    @property
    def holds(self) -> bool:
        """Whether it holds a report back."""
        return not self.accepted_by and self.first.severity is not Severity.NOTE


def folded(findings: Iterable[StoredFinding]) -> list[FoldedFinding]:
    """Return findings with those of the same words as one: what holds a report back first, errors before warnings."""
    alike: dict[tuple[Finding, str], list[Place]] = {}
    for finding, by in findings:
        alike.setdefault((finding._replace(place=NOWHERE), by or ""), []).append(finding.place)
    folded_findings = [
        FoldedFinding(finding._replace(place=places[0]), tuple(places), by)
        for (finding, by), places in alike.items()
    ]
    order = list(Severity)
    return sorted(folded_findings, key=lambda alike: (not alike.holds, order.index(alike.first.severity)))


def folded_now(findings: Iterable[Finding]) -> list[FoldedFinding]:
    """Return findings that were made just now, folded as `folded` does."""
    return folded(StoredFinding(finding, None) for finding in findings)


class SeatLine(NamedTuple):
    """A seat as it was reported, and the name that the book has for its player; None: there is no such member."""

    seat: int
    player: str
    name: str
    known: str | None
    points: float
    rounds: tuple[str, ...]


class ReportedSection(NamedTuple):
    """A section of a report, with its seats."""

    section: Section
    lines: tuple[SeatLine, ...]


REVISIONS: Columns[QueuedReport] = (
    Column("No.", "id", "right"),
    Column("Status", "status"),
    Column("From", "source_name"),
    Column("By", "submitted_by"),
    Column("Moment (UTC)", "submitted_at"),
)


class SubmissionPage(NamedTuple):
    """A submission.

    Attributes:
        revisions: it, what it replaced and what replaced it.
        next: the next one that is held back; None where there is no other.
        open_warnings: what can be accepted.
        again: other submissions of the same report.
        candidates: the names of members who may be meant, by their ids.
        rejected_because: why the office did not accept it; empty where it did, or has not decided.
    """

    line: QueuedSubmission
    report: Report
    text: str
    sections: tuple[ReportedSection, ...]
    findings: tuple[FoldedFinding, ...]
    revisions: tuple[QueuedReport, ...]
    entries: tuple[AuditEntry, ...]
    next: int | None
    open_warnings: tuple[Finding, ...] = ()
    again: tuple[QueuedReport, ...] = ()
    candidates: Mapping[str, str] = {}
    rejected_because: str = ""

    @property
    def newest(self) -> QueuedReport:
        """The version that holds."""
        return self.revisions[-1]

    @property
    def waits(self) -> bool:
        """Whether it is still to be decided."""
        return self.line.status in WAITING


def submission_page(connection: Connection, number: int) -> SubmissionPage:
    """Return a submission.

    Raises:
        BookError: there is none of this number.
    """
    row = read_submission(connection, number)
    if row is None:
        raise refused("submission-unknown.at-all", Place(submission=number))
    held_by = holding_codes(connection, [row.status]).get(number, ())
    report, _ = stored_report(row)
    names = known_names(connection, report)
    chain = revisions_of(connection, row)
    subjects = (RecordFilter(subject=f"submission {revision.id}") for revision in chain)
    entries = [entry for about in subjects for entry in newest_entries(connection, MOST_ENTRIES, about)]
    findings = read_findings(connection, number)
    offered = {member for stored in findings for member in candidates_of(stored.finding)}
    return SubmissionPage(
        line=queue_line(row, held_by),
        report=report,
        text=row.report,
        sections=tuple(reported_section(report, section, names) for section in report.sections),
        findings=tuple(folded(findings)),
        revisions=tuple(chain),
        entries=tuple(sorted(entries, key=lambda entry: entry.id)),
        next=next_held(connection, row),
        open_warnings=tuple(
            finding
            for finding, accepted_by in findings
            if finding.severity is Severity.WARNING and not accepted_by
        ),
        again=tuple(sent_again(connection, row, [revision.id for revision in chain])),
        candidates=names_of(connection, sorted(offered)),
        rejected_because=_rejected_because(connection, row, entries),
    )


def _rejected_because(connection: Connection, row: QueuedReport, entries: Iterable[AuditEntry]) -> str:
    decided = [
        entry.decision
        for entry in entries
        if entry.subject == f"submission {row.id}" and entry.action == "reject-report" and entry.decision
    ]
    decision = read_decision(connection, max(decided)) if decided and row.status is Status.REJECTED else None
    return decision.reason if decision is not None else ""


def known_names(connection: Connection, report: Report) -> dict[str, str]:
    """Return the names that the book has for the players of a report, those of merged ids by the ids that hold."""
    holding = merged_ids(connection, report.players)
    names = names_of(connection, sorted(set(holding.values())))
    return {player: names[holding[player]] for player in report.players if player in holding}


def reported_section(report: Report, section: Section, names: Mapping[str, str]) -> ReportedSection:
    """Return a section as it was reported; *names* are the book's, by player."""
    lines = (
        SeatLine(
            seat=entry.seat,
            player=entry.player,
            name=report.players[entry.player].name,
            known=names.get(entry.player),
            points=points_of(entry),
            rounds=tuple(map(cell_text, entry.rounds)),
        )
        for entry in section.entries
    )
    return ReportedSection(section, tuple(lines))


class ReportStep(NamedTuple):
    """A step of a report: what it is called, whether it is done, open or stuck, and whether it is the current one."""

    words: str
    state: str
    is_here: bool


class ReportState(NamedTuple):
    """What became of a report, as its sender is told.

    Attributes:
        taken_back: whether the sender withdrew it.
        withdrawn: how many of its *sections* the office withdrew after they were rated.
        month: of the first official list that has its ratings; empty where none has them yet.
    """

    status: Status
    taken_back: bool = False
    sections: int = 0
    withdrawn: int = 0
    month: str = ""

    @property
    def is_withdrawn(self) -> bool:
        """Whether it was rated, and no section of it is any more."""
        return 0 < self.sections == self.withdrawn

    @property
    def words(self) -> str:
        """Return it in a few words.

        >>> ReportState(Status.REJECTED).words, ReportState(Status.RATED, sections=2, withdrawn=2).words
        ('not accepted by the office', 'withdrawn by the office')
        >>> ReportState(Status.RATED, sections=3, withdrawn=1).words
        'rated, but 1 of 3 sections was withdrawn by the office'
        """
        if self.status is Status.REJECTED:
            return "withdrawn by you" if self.taken_back else "not accepted by the office"
        if self.is_withdrawn:
            return "withdrawn by the office"
        rated = "published" if self.month else "rated"
        if self.withdrawn:
            verb = "was" if self.withdrawn == 1 else "were"
            rated += f", but {self.withdrawn} of {self.sections} sections {verb} withdrawn by the office"
        return {
            Status.READY: "ready: the office rates it next",
            Status.HELD: "held back",
            Status.RATED: rated,
            Status.REPLACED: "replaced by a newer version",
        }[self.status]

    @property
    def steps(self) -> tuple[ReportStep, ...]:
        """Return what becomes of it, step by step; nothing of one that is out of the queue and not rated.

        >>> [step.state for step in ReportState(Status.HELD).steps], ReportState(Status.REJECTED).steps
        (['done', 'stuck', 'open', 'open'], ())
        >>> [step.words for step in ReportState(Status.RATED, month="2026-12").steps if step.is_here]
        ['Published in the list of December 2026']
        """
        if self.status in {Status.REJECTED, Status.REPLACED} or self.is_withdrawn:
            return ()
        is_held, is_rated = self.status is Status.HELD, self.status is Status.RATED
        checked = ReportStep(
            "Held back" if is_held else "Checked", "stuck" if is_held else "done", is_here=not is_rated
        )
        rated = ReportStep("Rated", "done" if is_rated else "open", is_here=is_rated and not self.month)
        words = f"Published in the list of {month_words(self.month)}" if self.month else "Published"
        published = ReportStep(words, "done" if self.month else "open", is_here=bool(self.month))
        return ReportStep("Sent", "done", is_here=False), checked, rated, published


def state_of(connection: Connection, version: QueuedReport, *, taken_back: bool) -> ReportState:
    """Return what became of a version of a report."""
    if version.status is not Status.RATED:
        return ReportState(version.status, taken_back)
    sections = list_sections(connection, version.event_id)
    return ReportState(
        version.status,
        sections=len(sections),
        withdrawn=sum(section.withdrawn for section in sections),
        month=first_list_of(connection, version.event_id),
    )


def remedy_once_sent(finding: Finding) -> str:
    """Return what who has sent a report can do about a finding in a browser.

    >>> remedy_once_sent(Finding("result-asymmetric", "", Place(section=1, seats=(3,)), (("letter", "N"),)))
    'If that is intended, leave the report as it is. Otherwise write W, D or L for both players.'
    """
    once_sent = finding.for_sender.replace("send the report as it is", "leave the report as it is")
    return once_sent.replace("do not send it", "withdraw this report")


def candidates_of(finding: Finding) -> tuple[str, ...]:
    """Return the ids of members who may be meant, the likeliest first.

    >>> candidates_of(Finding("member-unknown", "", NOWHERE, (("candidates", ("90000034",)),)))
    ('90000034',)
    """
    candidates = dict(finding.values).get("candidates", ())
    return candidates if isinstance(candidates, tuple) else ()


def beside_buttons(finding: Finding) -> Finding:
    """Return a finding whose words do not repeat its candidates, which buttons beside it name.

    >>> values = (
    ...     ("word", "Perhaps 90000034 (HERON) is meant; correct the id"),
    ...     ("nearest", " Perhaps 90000034."),
    ... )
    >>> beside_buttons(Finding("member-unknown", "", NOWHERE, values)).values
    (('word', 'Choose who is meant, or correct the id'), ('nearest', ''))
    """
    values = dict(finding.values)
    if "word" in values:
        values["word"] = f"Choose who is meant, or {str(values['word']).rpartition('; ')[2]}"
    if "nearest" in values:
        values["nearest"] = ""
    return finding._replace(values=tuple(values.items()))


def next_held(connection: Connection, row: QueuedReport) -> int | None:
    """Return the submission after this one that is held back, or else the first one; None where there is none.

    A report keeps its place in the queue when another version takes its place.
    """
    held = waiting(connection, [Status.HELD.value])

    def place_of(version: QueuedReport) -> tuple[date, int]:
        first = version.id if version.revises is None else first_version(connection, version.id)
        return version.received, first

    own = place_of(row)
    places = sorted((place_of(version), version.id) for version in held)
    others = [(place, number) for place, number in places if place[1] != own[1]]
    after = (number for place, number in others if place > own)
    return next(after, others[0][1] if others else None)

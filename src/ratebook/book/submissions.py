"""Reports in the queue of the office: stored as they came, with their findings and what became of them."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import add_linked, note_linked
from ratebook.book.connection import Actor
from ratebook.book.facts.member_files import batches, grouped
from ratebook.findings import Finding, Place, Severity
from ratebook.records.reports import HoldingCode

submissions = schema.submissions
noted = schema.findings


class Status(StrEnum):
    """What became of a submission."""

    READY = "ready"
    HELD = "held"
    RATED = "rated"
    REJECTED = "rejected"
    REPLACED = "replaced"


WAITING = (Status.READY.value, Status.HELD.value)
"""In the queue; the others are decided."""

HOLDING = (*WAITING, Status.RATED.value)
"""What counts in the book: pending or rated reports."""

SAID = (*HOLDING, Status.REPLACED.value)
"""What was sent in and not rejected; a report that has since been edited or corrected is not accepted again."""

EVER = tuple(status.value for status in Status)
"""All of them; a file that is imported a second time is skipped whatever became of it."""


@dataclass(frozen=True, slots=True)
class QueuedReport:
    """A report as the queue lists it.

    Attributes:
        revises: the submission that it replaced.
        decision_id: the correction that made it.
    """

    id: int
    event_id: str
    event_name: str
    status: Status
    source_name: str
    received: date
    submitted_by: str
    submitted_at: str
    revises: int | None
    decision_id: int | None


@dataclass(frozen=True, slots=True)
class StoredReport(QueuedReport):
    """A submission with its native report, and with what the file stated beside it, as JSON."""

    report: str
    stated: str


Kind = TypeVar("Kind", bound=QueuedReport)


class StoredFinding(NamedTuple):
    """A finding about a submission, and who accepted it."""

    finding: Finding
    accepted_by: str | None


class QueueFilter(NamedTuple):
    """Which submissions are wanted; what is empty or None sets no condition.

    *source* is a part of the file's name, *text* the event's id, or a part of its name or of the file's. Days are of
    the receipt, *until* included.
    """

    statuses: Collection[str] = WAITING
    codes: Collection[str] = ()
    source: str = ""
    submitted_by: str = ""
    since: date | None = None
    until: date | None = None
    text: str = ""
    most: int | None = None
    page: int = 1


class NewSubmission(NamedTuple):
    """A report to be stored; as in `QueuedReport` and `StoredReport`."""

    event_id: str
    event_name: str
    source_name: str
    received: date
    report: str
    stated: str
    content_hash: str
    roster_hash: str
    revises: int | None = None
    decision_id: int | None = None


def store_submission(  # noqa: PLR0913 - what is stored, by whom, and what it replaces
    connection: Connection,
    new: NewSubmission,
    status: Status,
    actor: Actor,
    findings: Iterable[Finding],
    *,
    reseated: Collection[tuple[int, int]] = (),
) -> int:
    """Store a submission with its findings and return its number.

    A warning is accepted if one of this code was at the same place of a report that it takes the place of. It must say
    the same where other players sit now: at the seats (of sections) that are *reseated*.
    """
    sent = {"status": status.value, "submitted_by": actor.name, "submitted_at": actor.at}
    number = add_linked(connection, Linked.SUBMISSION, submissions, new._asdict() | sent)
    earlier = _earlier(connection, new.revises)
    _write_findings(connection, number, findings, _acceptances(connection, earlier, reseated))
    return number


def store_findings(connection: Connection, submission: int, findings: Iterable[Finding]) -> None:
    """Store the findings of a submission replacing those it had; warnings that were accepted stay accepted."""
    note_linked(connection, Linked.SUBMISSION, [submission])
    accepted = _acceptances(connection, [submission])
    connection.execute(_FORGET_FINDINGS, {"of_submission": submission})
    _write_findings(connection, submission, findings, accepted)


_Acceptances: TypeAlias = dict[str | tuple[str, Place], tuple[str, str]]
"""By whom and when a finding was accepted, by its key, and by code and place."""


def _acceptances(
    connection: Connection, numbers: Iterable[int], reseated: Collection[tuple[int, int]] = ()
) -> _Acceptances:
    """Return which findings of some versions of a report were accepted, the later version's last."""
    accepted: _Acceptances = {}
    for number in numbers:
        for row in connection.execute(_ACCEPTED, {"of_submission": number}):
            acceptance = row.accepted_by, row.accepted_at
            finding = _finding(row)
            accepted[finding.key] = acceptance
            if not _is_reseated(finding.place, reseated):
                accepted[finding.code, finding.place] = acceptance
    return accepted


def _write_findings(
    connection: Connection, submission: int, findings: Iterable[Finding], accepted: _Acceptances
) -> None:
    rows = []
    for finding in findings:
        same = finding.code, finding.place
        by, at = accepted.get(same) or accepted.get(finding.key) or (None, None)
        warning = finding.severity is Severity.WARNING
        rows.append(
            {
                "submission_id": submission,
                "code": finding.code,
                "severity": finding.severity.value,
                "place": json.dumps(finding.place.known, ensure_ascii=False),
                "facts": json.dumps([finding.case, dict(finding.values)], ensure_ascii=False),
                "accepted_by": by if warning else None,
                "accepted_at": at if warning else None,
            }
        )
    if rows:
        connection.execute(insert(noted), rows)


def _is_reseated(place: Place, reseated: Collection[tuple[int, int]]) -> bool:
    """Return whether another player sits now where a finding is; one that names no seat is about all of them."""
    return any(
        place.section in {None, section} and (not place.seats or seat in place.seats)
        for section, seat in reseated
    )


def _earlier(connection: Connection, submission: int | None) -> list[int]:
    """Return a submission after those that it took the place of, the first one first."""
    chain: list[int] = []
    while submission is not None:
        chain.insert(0, submission)
        revised = select(submissions.c.revises).where(submissions.c.id == submission)
        submission = connection.execute(revised).scalar()
    return chain


def accept_findings(
    connection: Connection, submission: int, accepted: Collection[str], actor: Actor
) -> list[Finding]:
    """Accept the open warnings whose keys or codes are *accepted*, or all; return them."""
    rows = connection.execute(_OPEN_WARNINGS, {"of_submission": submission})
    accepted_now = {row.id: finding for row in rows if (finding := _finding(row)).is_accepted_by(accepted)}
    if accepted_now:
        note_linked(connection, Linked.SUBMISSION, [submission])
        of_them = update(noted).where(noted.c.id == bindparam("of_them"))
        by = {"accepted_by": actor.name, "accepted_at": actor.at}
        connection.execute(of_them, [{"of_them": number, **by} for number in accepted_now])
    return list(accepted_now.values())


def _finding(row: Row[Any]) -> Finding:
    case, values = json.loads(row.facts)
    facts = tuple(
        (name, tuple(value) if isinstance(value, list) else value) for name, value in values.items()
    )
    return Finding(row.code, case, Place.of(json.loads(row.place)), facts)


def read_findings(connection: Connection, submission: int) -> list[StoredFinding]:
    """Return the findings of a submission, in the order in which they were found."""
    rows = connection.execute(select(noted).where(noted.c.submission_id == submission).order_by(noted.c.id))
    return [StoredFinding(_finding(row), row.accepted_by) for row in rows]


def open_warnings(connection: Connection, codes: Collection[str] = ()) -> dict[int, list[Finding]]:
    """Return the warnings that hold reports back, all or those of some codes, by the number of the submission."""
    query = (
        select(noted)
        .join(submissions)
        .where(
            submissions.c.status.in_(WAITING),
            noted.c.accepted_by.is_(None),
            noted.c.severity == Severity.WARNING.value,
        )
        .order_by(noted.c.submission_id, noted.c.id)
    )
    rows = connection.execute(query.where(noted.c.code.in_(codes)) if codes else query)
    return grouped((row.submission_id, _finding(row)) for row in rows)


def open_findings(connection: Connection, submission: int) -> tuple[int, int]:
    """Return how many errors, and how many warnings that no one has accepted, hold a submission back."""
    rows = connection.execute(_COUNT_OPEN, {"of_submission": submission})
    counts = {severity: count for severity, count in rows}  # noqa: C416 - rows unpack, dict() of rows does not type
    return counts.get(Severity.ERROR.value, 0), counts.get(Severity.WARNING.value, 0)


def holding_codes(
    connection: Connection, statuses: Collection[str] = WAITING
) -> dict[int, tuple[HoldingCode, ...]]:
    """Return the codes that hold back the submissions of some statuses, errors first, by the submission's number."""
    rows = connection.execute(
        select(noted.c.submission_id, noted.c.code, noted.c.severity, func.count())
        .join_from(noted, submissions, submissions.c.id == noted.c.submission_id)
        .where(submissions.c.status.in_(statuses), *_HOLDS_BACK)
        .group_by(noted.c.submission_id, noted.c.code, noted.c.severity)
        .order_by(noted.c.severity, noted.c.code)
    )
    codes: dict[int, tuple[HoldingCode, ...]] = {}
    for number, code, severity, count in rows:
        codes[number] = (
            *codes.get(number, ()),
            HoldingCode(code=code, severity=Severity(severity), findings=count),
        )
    return codes


def set_status(connection: Connection, numbers: Collection[int], status: Status) -> None:
    """Set what became of submissions."""
    note_linked(connection, Linked.SUBMISSION, numbers)
    for batch in batches(numbers):
        connection.execute(_SET_STATUS, {"numbers": batch, "new_status": status.value})


def status_of(connection: Connection, number: int) -> Status | None:
    """Return what became of a submission; None where there is none."""
    status = connection.execute(select(submissions.c.status).where(submissions.c.id == number)).scalar()
    return None if status is None else Status(status)


def count_statuses(connection: Connection) -> dict[Status, int]:
    """Return how many submissions there are of each status; none where there are none."""
    status = submissions.c.status
    rows = connection.execute(select(status, func.count()).group_by(status))
    counts = {Status(word): count for word, count in rows}
    return {status: counts[status] for status in Status if status in counts}


def _read(
    connection: Connection, kind: type[Kind], *wanted: ColumnElement[bool], most: int | None = None
) -> list[Kind]:
    return _records(kind, connection.execute(_query(kind, *wanted).limit(most)))


def _query(kind: type[Any], *wanted: ColumnElement[bool]) -> Select[Any]:
    columns = [submissions.c[field.name] for field in fields(kind)]
    return select(*columns).where(*wanted).order_by(submissions.c.id)


def _records(kind: type[Kind], rows: Iterable[Row[Any]]) -> list[Kind]:
    return [kind(**{**row._asdict(), "status": Status(row.status)}) for row in rows]


def _first(connection: Connection, kind: type[Kind], *wanted: ColumnElement[bool]) -> Kind | None:
    return next(iter(_read(connection, kind, *wanted, most=1)), None)


def read_submission(connection: Connection, number: int) -> StoredReport | None:
    """Return a submission."""
    return _first(connection, StoredReport, submissions.c.id == number)


def ready_reports(connection: Connection) -> Iterator[tuple[int, str, str]]:
    """Yield number, event id and native report of each submission that is ready."""
    query = select(submissions.c.id, submissions.c.event_id, submissions.c.report)
    ready = query.where(submissions.c.status == Status.READY.value)
    # Few at a time: all texts of an archive together would fill the memory.
    for row in connection.execute(ready.execution_options(yield_per=_TEXTS_AT_ONCE)):
        yield row.id, row.event_id, row.report


_TEXTS_AT_ONCE = 100


def read_submissions(connection: Connection, numbers: Collection[int]) -> list[StoredReport]:
    """Return submissions in the order in which they came."""
    return _read(connection, StoredReport, submissions.c.id.in_(numbers))


def waiting(connection: Connection, statuses: Sequence[str] = WAITING) -> list[QueuedReport]:
    """Return the submissions of some statuses, in the order in which they came."""
    return _read(connection, QueuedReport, submissions.c.status.in_(statuses))


def filtered(connection: Connection, question: QueueFilter) -> list[QueuedReport]:
    """Return the submissions that *question* lets through, in the order in which they came."""
    wanted: list[ColumnElement[bool]] = [submissions.c.status.in_(question.statuses)]
    if question.codes:
        open_codes = select(noted.c.submission_id).where(noted.c.code.in_(question.codes), *_HOLDS_BACK)
        wanted.append(submissions.c.id.in_(open_codes))
    if question.source:
        wanted.append(submissions.c.source_name.icontains(question.source, autoescape=True))
    if question.text:
        of_name = (submissions.c.event_name, submissions.c.source_name)
        parts = (column.icontains(question.text, autoescape=True) for column in of_name)
        wanted.append(or_(submissions.c.event_id == question.text, *parts))
    if question.submitted_by:
        wanted.append(submissions.c.submitted_by == question.submitted_by)
    if question.since is not None:
        wanted.append(submissions.c.received >= question.since)
    if question.until is not None:
        wanted.append(submissions.c.received <= question.until)
    before = (question.page - 1) * (question.most or 0)
    in_order = _query(QueuedReport, *wanted).order_by(None).order_by(submissions.c.received, submissions.c.id)
    page = in_order.limit(question.most)
    return _records(QueuedReport, connection.execute(page.offset(before) if before else page))


def revisions_of(connection: Connection, row: QueuedReport) -> list[QueuedReport]:
    """Return a submission with those that it replaced and those that replaced it, in the order in which they came."""
    chain = [row]
    while (first := chain[0].revises) is not None:
        chain[:0] = _read(connection, QueuedReport, submissions.c.id == first)
    while later := _read(connection, QueuedReport, submissions.c.revises == chain[-1].id):
        chain.append(later[-1])
    return chain


def first_version(connection: Connection, number: int) -> int:
    """Return the number that a report had when it came; each version that took its place has another one."""
    return _earlier(connection, number)[0]


def waiting_of_event(connection: Connection, event_id: str) -> StoredReport | None:
    """Return the submission of an event that waits in the queue."""
    return _first(
        connection, StoredReport, submissions.c.event_id == event_id, submissions.c.status.in_(WAITING)
    )


def rated_submission(connection: Connection, event_id: str) -> StoredReport | None:
    """Return the submission by which an event is rated; None where no section of it is."""
    return rated_submissions(connection, [event_id]).get(event_id)


def rated_submissions(connection: Connection, event_ids: Collection[str]) -> dict[str, StoredReport]:
    """Return the submissions by which some hundred events are rated, at most, by event."""
    events = schema.events
    held = connection.execute(select(events.c.submission_id, events.c.id).where(events.c.id.in_(event_ids)))
    event_of = {submission: event_id for submission, event_id in held}  # noqa: C416 - rows unpack
    of_them = submissions.c.id.in_(list(event_of))
    return {event_of[row.id]: row for row in _read(connection, StoredReport, of_them)}


def same_content(
    connection: Connection, hashes: Sequence[str], statuses: Sequence[str]
) -> QueuedReport | None:
    """Return the first submission of some statuses that has one of these content hashes."""
    rows = connection.execute(_SAME_CONTENT, {"hashes": list(hashes), "statuses": list(statuses)})
    return next(iter(_records(QueuedReport, rows)), None)


def same_roster(
    connection: Connection, roster_hash: str, *, besides: int | None = None
) -> QueuedReport | None:
    """Return the first submission, *besides* one, with the same dates and players that holds."""
    rows = connection.execute(_SAME_ROSTER, {"hash": roster_hash, "besides": besides or 0})
    return next(iter(_records(QueuedReport, rows)), None)


def accepted_findings(connection: Connection, submission: int) -> list[Finding]:
    """Return the warnings of a submission that were accepted."""
    return [
        stored.finding for stored in read_findings(connection, submission) if stored.accepted_by is not None
    ]


def event_taken(connection: Connection, event_id: str, *, besides: int | None = None) -> bool:
    """Return whether a submission that holds, *besides* one, has this event id."""
    return connection.execute(_TAKEN, {"event": event_id, "besides": besides or 0}).first() is not None


def free_event_id(connection: Connection, end: date) -> str:
    """Return the next free event id of a day: the end date and four digits."""
    day = end.strftime("%Y%m%d")
    of_day = select(submissions.c.event_id).where(submissions.c.event_id.like(f"{day}____"))
    taken = set(connection.execute(of_day).scalars())
    number = 1
    while f"{day}{number:04d}" in taken:
        number += 1
    return f"{day}{number:04d}"


# Asked for each report of an import: making a statement anew takes as long as the store needs for it.
_OF_SUBMISSION = noted.c.submission_id == bindparam("of_submission")
_ACCEPTED = select(noted).where(_OF_SUBMISSION, noted.c.accepted_by.is_not(None))
_FORGET_FINDINGS = delete(noted).where(_OF_SUBMISSION)
_HOLDS_BACK = (noted.c.accepted_by.is_(None), noted.c.severity != Severity.NOTE.value)
_OPEN = (_OF_SUBMISSION, noted.c.accepted_by.is_(None))
_OPEN_WARNINGS = select(noted).where(*_OPEN, noted.c.severity == Severity.WARNING.value).order_by(noted.c.id)
_COUNT_OPEN = select(noted.c.severity, func.count()).where(*_OPEN).group_by(noted.c.severity)
_NUMBERS: BindParameter[list[int]] = bindparam("numbers", expanding=True)
_SET_STATUS = update(submissions).where(submissions.c.id.in_(_NUMBERS)).values(status=bindparam("new_status"))
_HASHES: BindParameter[list[str]] = bindparam("hashes", expanding=True)
_STATUSES: BindParameter[list[str]] = bindparam("statuses", expanding=True)
_SAME_CONTENT = _query(
    QueuedReport, submissions.c.content_hash.in_(_HASHES), submissions.c.status.in_(_STATUSES)
).limit(1)
_HOLDS = (submissions.c.id != bindparam("besides"), submissions.c.status.in_(HOLDING))
_SAME_ROSTER = _query(QueuedReport, submissions.c.roster_hash == bindparam("hash"), *_HOLDS).limit(1)
_TAKEN = select(submissions.c.id).where(submissions.c.event_id == bindparam("event"), *_HOLDS).limit(1)

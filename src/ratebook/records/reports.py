"""Reports that are sent: what is found in them, what they would give, what becomes of them."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from operator import attrgetter
from typing import TypeAlias

from ratebook.findings import Finding, Severity
from ratebook.records.events import Crosstable
from ratebook.records.record import Office, record

Part: TypeAlias = int | str | tuple[int | str, ...]
"""A part of a finding's place."""
Value: TypeAlias = float | str | tuple[str, ...]
"""A value of a finding's text."""


@record
class SaidFinding:
    """A finding (docs/findings.md): the fact, which is its code, case, place and values, and what it says in words."""

    code: str
    case: str
    severity: str
    place: Mapping[str, Part]
    where: str
    message: str
    remedy: str
    values: Mapping[str, Value]


def said(
    findings: Iterable[Finding], remedy_of: Callable[[Finding], str] = attrgetter("remedy")
) -> tuple[SaidFinding, ...]:
    """Return findings as programs read them, with the remedies of who reads them: at a prompt, if nothing is said."""
    return tuple(
        SaidFinding(
            code=finding.code,
            case=finding.case,
            severity=finding.severity,
            place=finding.place.known,
            where=finding.where,
            message=finding.message,
            remedy=remedy_of(finding),
            values=dict(finding.values),
        )
        for finding in findings
    )


@record
class ReportPreview:
    """What would become of a report by what the book knows at a *revision*: nothing of it is stored or official.

    There are no sections where an error keeps the report from being rated. A player whom the book does not know is
    rated as a person of its own, and the error that says so holds the report back all the same. *known* is the
    submission that said the same before.
    """

    name: str
    source: str
    revision: int
    event_name: str | None
    known: int | None
    findings: tuple[SaidFinding, ...]
    sections: tuple[Crosstable, ...]


@record
class HoldingCode:
    """A code that holds a report back, and how many findings have it that no one has accepted."""

    code: str
    severity: Severity
    findings: int


@record
class QueuedSubmission:
    """A report that came in, the submission that it *revises*, and the codes that hold it back, errors first.

    *errors* and *warnings* are the findings that hold it back.
    """

    number: int
    status: str
    event: str
    event_name: str
    received: date
    source: str
    submitted_by: Office[str] = ""
    submitted_at: str
    revises: int | None
    held_by: tuple[HoldingCode, ...]
    errors: int
    warnings: int


@record
class ReportNote:
    """What the office and a sender have written to each other about a report."""

    written_at: str
    from_office: bool
    words: str


@record
class SubmissionStatus(QueuedSubmission):
    """A report that was sent, what became of it in words, everything that was found in it, and the notes about it."""

    state: str
    findings: tuple[SaidFinding, ...]
    notes: tuple[ReportNote, ...]

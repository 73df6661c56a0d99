"""Reports that are sent: what is found in them, what they would give, what becomes of them."""

from datetime import date

from ratebook.findings import Severity
from ratebook.records.events import Crosstable
from ratebook.records.record import Office, record


@record
class SaidFinding:
    """A finding (docs/findings.md)."""

    code: str
    severity: str
    where: str
    message: str
    remedy: str


@record
class ReportPreview:
    """What would become of a report by what the book knows at a *revision*: nothing of it is stored or official.

    There are no sections where a finding is an error. *known* is the submission that said the same before.
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
class SubmissionStatus(QueuedSubmission):
    """A report that was sent, and everything that was found in it."""

    findings: tuple[SaidFinding, ...]

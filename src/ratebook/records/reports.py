"""Reports that are sent: what is found in them, what they would give, what becomes of them."""

from datetime import date

from ratebook.records.events import Crosstable
from ratebook.records.record import record


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
class SubmissionStatus:
    """A report in the queue of the office, and what holds it back or was found."""

    number: int
    event: str
    event_name: str
    source: str
    received: date
    status: str
    findings: tuple[SaidFinding, ...]

"""The queue of the office: the reports that came in, and what holds them back."""

from datetime import date
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.submissions import WAITING, QueuedReport, Status, open_findings, waiting
from ratebook.pages.columns import Column, Columns


class QueueLine(NamedTuple):
    """A report that came in.

    Attributes:
        revises: the submission that it replaced.
        errors, warnings: findings that hold it back.
    """

    submission: int
    status: str
    event: str
    name: str
    received: date
    source: str
    submitted_by: str
    submitted_at: str
    revises: int | None
    errors: int
    warnings: int


QUEUE: Columns[QueueLine] = (
    Column("No.", "submission", "right"),
    Column("Status", "status"),
    Column("Event", "event"),
    Column("Name", "name"),
    Column("Received", "received"),
    Column("From", "source"),
    Column("By", "submitted_by"),
    Column("Errors", "errors", "right"),
    Column("Warnings", "warnings", "right"),
)


def queue_page(connection: Connection, *, everything: bool = False) -> list[QueueLine]:
    """Return the reports that wait, in the order in which they came; *everything*: also those that are decided."""
    statuses = [status.value for status in Status] if everything else WAITING
    return [queue_line(connection, row) for row in waiting(connection, statuses)]


def queue_line(connection: Connection, row: QueuedReport) -> QueueLine:
    """Return the line of one report."""
    errors, warnings = open_findings(connection, row.id)
    return QueueLine(
        submission=row.id,
        status=row.status,
        event=row.event_id,
        name=row.event_name,
        received=row.received,
        source=row.source_name,
        submitted_by=row.submitted_by,
        submitted_at=row.submitted_at,
        revises=row.revises,
        errors=errors,
        warnings=warnings,
    )

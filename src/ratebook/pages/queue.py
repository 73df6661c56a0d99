"""The queue of the office: the reports that came in, and what holds them back."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.submissions import QueuedReport, QueueFilter, Status, filtered, holding_codes
from ratebook.findings import Severity, filled, texts
from ratebook.pages.columns import Column, Columns
from ratebook.records.reports import HoldingCode, QueuedSubmission


@cache
def _briefs() -> Mapping[str, str]:
    return {name.partition(".")[0]: text.brief for name, text in texts().items() if text.brief}


@cache
def _codes() -> frozenset[str]:
    return frozenset(name.partition(".")[0] for name in texts())


def brief(code: str, count: int) -> str:
    """Return findings of a code in a few words.

    >>> brief("member-unknown", 2), brief("report-late", 1), brief("of-another-package", 3)
    ('2 unknown members', '1 late report', 'of another package (3)')
    """
    if words := _briefs().get(code):
        return filled(words, {"count": count})
    words = code.replace("-", " ")
    return f"{words} ({count})" if count > 1 else words


def problem(code: str) -> str:
    """Return what findings of a code are about, without their number.

    >>> problem("member-unknown"), problem("of-another-package")
    ('unknown member', 'of another package')
    """
    return brief(code, 1).removeprefix("1 ")


_CODE = re.compile(r"(?:\b([0-9]+) )?\b([a-z]+(?:-[a-z]+)+)\b", re.ASCII)


def with_codes_in_words(text: str) -> str:
    """Return a text of the log, with what findings are about in place of their codes.

    >>> with_codes_in_words("held; accepted: 2 member-unknown, report-late at section 1: it came by mail")
    'held; accepted: 2 unknown members, late report at section 1: it came by mail'
    """

    def words(match: re.Match[str]) -> str:
        number, code = match.groups()
        if code not in _codes():
            return match[0]
        return brief(code, int(number)) if number else problem(code)

    return _CODE.sub(words, text)


def codes_text(held_by: Iterable[HoldingCode]) -> str:
    """Return codes in words, with their numbers of findings where these are several; errors say so.

    >>> codes_text(
    ...     [
    ...         HoldingCode(code="member-unknown", severity=Severity.ERROR, findings=2),
    ...         HoldingCode(code="report-late", severity=Severity.WARNING, findings=1),
    ...     ]
    ... )
    'error member-unknown (2), report-late'
    """
    return ", ".join(
        ("error " if code.severity is Severity.ERROR else "")
        + code.code
        + (f" ({code.findings})" if code.findings > 1 else "")
        for code in held_by
    )


def problem_words(held_by: Iterable[HoldingCode]) -> str:
    """Return what holds a report back in words, errors first.

    >>> problem_words(
    ...     [
    ...         HoldingCode(code="member-unknown", severity=Severity.ERROR, findings=2),
    ...         HoldingCode(code="report-late", severity=Severity.WARNING, findings=1),
    ...     ]
    ... )
    '2 unknown members; 1 late report'
    """
    order = list(Severity)
    errors_first = sorted(held_by, key=lambda code: order.index(code.severity))
    return "; ".join(brief(code.code, code.findings) for code in errors_first)


QUEUE: Columns[QueuedSubmission] = (
    Column("No.", "number", "right"),
    Column("Status", "status"),
    Column("Event", "event"),
    Column("Name", "event_name"),
    Column("Received", "received"),
    Column("From", "source"),
    Column("By", "submitted_by"),
    Column("Held back by", "held_by", format=codes_text),
)


class CodeLine(NamedTuple):
    """A code that holds reports back: how many *reports*, by how many *findings*."""

    code: str
    severity: Severity
    reports: int
    findings: int


SUMMARY: Columns[CodeLine] = (
    Column("Code", "code"),
    Column("Severity", "severity"),
    Column("Reports", "reports", "right"),
    Column("Findings", "findings", "right"),
)


class QueueTotals(NamedTuple):
    """How many reports there are, how many of them in which status, and how many findings hold them back."""

    reports: int
    statuses: dict[str, int]
    errors: int
    warnings: int


def queue_page(connection: Connection, question: QueueFilter) -> list[QueuedSubmission]:
    """Return the reports that *question* lets through, in the order in which they came."""
    held_by = holding_codes(connection, question.statuses)
    return [queue_line(row, held_by.get(row.id, ())) for row in filtered(connection, question)]


def queue_line(row: QueuedReport, held_by: tuple[HoldingCode, ...]) -> QueuedSubmission:
    """Return the line of one report."""
    return QueuedSubmission(
        number=row.id,
        status=row.status,
        event=row.event_id,
        event_name=row.event_name,
        received=row.received,
        source=row.source_name,
        submitted_by=row.submitted_by,
        submitted_at=row.submitted_at,
        revises=row.revises,
        held_by=held_by,
        errors=_findings(held_by, Severity.ERROR),
        warnings=_findings(held_by, Severity.WARNING),
    )


def _findings(held_by: Iterable[HoldingCode], severity: Severity) -> int:
    return sum(code.findings for code in held_by if code.severity is severity)


def queue_summary(lines: Sequence[QueuedSubmission]) -> list[CodeLine]:
    """Return the codes that hold *lines* back: errors first, then those of most reports."""
    reports, findings = Counter[tuple[str, Severity]](), Counter[tuple[str, Severity]]()
    for line in lines:
        for code in line.held_by:
            reports[code.code, code.severity] += 1
            findings[code.code, code.severity] += code.findings
    codes = (CodeLine(*key, number, findings[key]) for key, number in reports.items())
    return sorted(codes, key=lambda code: (code.severity, -code.reports, code.code))


def queue_totals(lines: Sequence[QueuedSubmission]) -> QueueTotals:
    """Return how many *lines* there are of which status, and what holds them back."""
    statuses = Counter(line.status for line in lines)
    return QueueTotals(
        len(lines),
        {status.value: statuses[status] for status in Status if statuses[status]},
        sum(line.errors for line in lines),
        sum(line.warnings for line in lines),
    )

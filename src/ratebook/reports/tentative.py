"""A report of which only the day or the time control is missing: all other problems are found at once."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date

from ratebook.findings import OF_READABLE, Finding, Severity
from ratebook.formats.contract import DayOrder, Hints, ParsedReport

TO_BE_ASKED = frozenset({"end-missing", "time-control-missing", "date-order-unclear", "dates-reversed"})
"""Codes of errors that only say that somebody has to be asked."""

OF_THE_DAY = frozenset(
    {
        "age-unlikely",
        "before-opening",
        "birth-date-after-event",
        "dates-reversed",
        "event-not-over",
        "fide-rating-too-low",
        "foreign-event-flags",
        "half-k-not-allowed",
        "match-not-published",
        "membership-expired",
        "rating-before-not-in-book",
        "report-late",
        "roster-submitted-already",
        "rules-not-known",
        "section-outside-event",
        "start-missing",
        "system-not-kept",
        "time-control-not-ratable",
    }
)
"""Codes of findings that follow from the day or the time control, of which a tentative report knows nothing."""

_TIME_CONTROL = "G/60;d5"


def parse_tentatively(
    parsed: ParsedReport, hints: Hints, stand_in: date, parse: Callable[[Hints], ParsedReport]
) -> ParsedReport:
    """Return what a file says that was *parsed* without success, read with a *stand_in* for its days and its pace.

    *parse* reads the file by other hints. There is no report where the file has one, or errors of another kind; the
    findings are those that were not found before.
    """
    errors = {
        finding.code
        for finding in parsed.findings
        if finding.severity is Severity.ERROR and f"{finding.code}.{finding.case}" not in OF_READABLE
    }
    if not errors or not errors <= TO_BE_ASKED:
        return ParsedReport(None, ())
    completed = hints._replace(
        end=hints.end or stand_in,
        is_tentative=True,
        time_control=hints.time_control or _TIME_CONTROL,
        day_order=hints.day_order or DayOrder.MONTH_FIRST,
    )
    tentative = parse(completed)
    more = set(untimed(tentative.findings)) - set(parsed.findings)
    return ParsedReport(tentative.report, tuple(finding for finding in tentative.findings if finding in more))


def untimed(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings about a tentative report that hold whatever its days and its time control are."""
    return (
        finding
        for finding in findings
        if finding.code not in OF_THE_DAY and finding.severity is not Severity.NOTE
    )

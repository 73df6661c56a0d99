"""A report as it comes in: parsed from any format, completed from player lists, with what the checks need to know."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from os import PathLike
from typing import NamedTuple, TypedDict, Unpack

from ratebook.checks import ReportedFacts
from ratebook.findings import OF_READABLE, Finding, Severity
from ratebook.formats.archive import SourceError
from ratebook.formats.contract import DayOrder, Hints, ParsedReport, PublishedRatings
from ratebook.formats.registry import NO_HINTS, parse_source
from ratebook.formats.source import Source, read_source, source_of_bytes
from ratebook.model import Report


class LoadedReport(NamedTuple):
    """One report and everything that came with it.

    Attributes:
        report: None exactly when one of the findings is an error.
        findings: findings of the parser and of the lists.
        published: ratings after the event that the file prints.
        facts: what the checks need besides the report.
        tentative: the report with a day and a time control that stand in for what has to be asked for, if only these
            are missing; to be checked, never rated.
        sheets: the sheets or files of which one can be chosen.
    """

    report: Report | None
    findings: tuple[Finding, ...]
    published: PublishedRatings
    facts: ReportedFacts
    tentative: Report | None = None
    sheets: tuple[str, ...] = ()


class LoadOptions(TypedDict, total=False):
    """What is known beside a file.

    Attributes:
        lists: player lists that complete the report, in their order.
        complete: whether an id that these lists lack does not exist.
        received: the day the report came in, for the check whether it is late.
        stand_in: today, which stands in for a last day that is missing, if that is wanted (`LoadedReport.tentative`).
    """

    lists: Sequence[str | PathLike[str]]
    complete: bool
    received: date | None
    stand_in: date | None


def load_file(
    path: str | PathLike[str], hints: Hints = NO_HINTS, **options: Unpack[LoadOptions]
) -> LoadedReport:
    """Return the report at *path*: a file, a folder or a zip archive."""
    return load_report(lambda: read_source(path), hints, **options)


def load_bytes(
    data: bytes, name: str, hints: Hints = NO_HINTS, **options: Unpack[LoadOptions]
) -> LoadedReport:
    """Return the report in *data*, the contents of the file *name*."""
    return load_report(lambda: source_of_bytes(data, name), hints, **options)


def load_report(
    open_source: Callable[[], Source], hints: Hints = NO_HINTS, **options: Unpack[LoadOptions]
) -> LoadedReport:
    """Return the report that *open_source* gives; a `SourceError` becomes a finding."""
    stand_in = options.get("stand_in")
    try:
        source = open_source()
        parsed = parse_source(source, hints)
    except SourceError as refused:
        return LoadedReport(None, (refused.finding,), {}, ReportedFacts())
    report, findings = parsed.report, parsed.findings
    tentative = None
    if report is None and stand_in is not None:
        parsed_tentatively = parse_tentatively(
            parsed, hints, stand_in, lambda completed: parse_source(source, completed)
        )
        tentative = parsed_tentatively.report
        findings = (*findings, *parsed_tentatively.findings)
    expires: dict[str, date] = {}
    for path in options.get("lists", ()):
        if report is None:
            break
        from pathlib import Path  # noqa: PLC0415 - start-up: only where a list is given

        from ratebook.player_lists.merge import with_players  # noqa: PLC0415 - as above
        from ratebook.player_lists.read import read_players  # noqa: PLC0415 - as above

        complete = options.get("complete", False)
        listed = read_players(Path(path), report, order=hints.day_order, complete=complete)
        report, found = with_players(report, listed)
        findings = (*findings, *listed.findings, *found)
        for key, last in listed.expires.items():
            expires[key if key in report.players else listed.players[key].facts.id] = last
    facts = ReportedFacts(
        stated_rounds=parsed.stated_rounds,
        stated_systems=parsed.stated_systems,
        received=options.get("received"),
        expires=expires,
        today=stand_in,
    )
    return LoadedReport(
        report=report,
        findings=findings,
        published=parsed.published,
        facts=facts,
        tentative=tentative,
        sheets=parsed.sheets,
    )


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

"""A report as it comes in: parsed from any format, completed from player lists, with what the checks need to know."""

from collections.abc import Callable, Sequence
from datetime import date
from os import PathLike
from typing import NamedTuple, TypedDict, Unpack

from ratebook.checks import ReportedFacts
from ratebook.findings import Finding
from ratebook.formats.archive import SourceError
from ratebook.formats.contract import Hints, PublishedRatings
from ratebook.formats.registry import NO_HINTS, parse_source
from ratebook.formats.source import Source, read_source, source_of_bytes
from ratebook.model import Report
from ratebook.reports.tentative import parse_tentatively


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

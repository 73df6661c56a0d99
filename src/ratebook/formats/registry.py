"""The report formats: their names, what reads and what writes each, and how one is told from another.

A format's modules are loaded only when it is asked for or may be the one; the content decides, not the file's name.
"""

from datetime import date
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from ratebook.findings import FINDINGS_SHOWN, Findings, finding
from ratebook.formats.archive import SourceError
from ratebook.formats.contract import AfterRatings, Hints, ParsedReport, Written
from ratebook.formats.foreign_files import kind_of_file, kind_of_json
from ratebook.formats.reading.fields import readable, shown
from ratebook.formats.reading.report_texts import texts_of
from ratebook.formats.source import Source, read_source, source_of_bytes
from ratebook.model import Report

NO_HINTS = Hints()


class Format(NamedTuple):
    """One format, called *title*, and *name* after ``--to``.

    Attributes:
        reader: module with ``looks_like`` and ``parse``; empty where the format is only written.
        writer: module with ``write``; empty where the format is only read.
        suffixes: endings of output files that mean this format.
        edition: which of several editions this is that share reader and writer.
    """

    name: str
    title: str
    reader: str
    writer: str
    suffixes: tuple[str, ...] = ()
    edition: int | None = None

    @property
    def options(self) -> dict[str, int]:
        """What reader and writer are told besides the report."""
        return {} if self.edition is None else {"edition": self.edition}


FORMATS = (
    Format("native", "native report, JSON", ".native.read", ".native.write", (".json",)),
    Format("api-json", "standings of the ratings API, JSON", ".ratings_api.read", ""),
    Format(
        "uschess-2c",
        "US Chess rating report, 2C (three DBF files)",
        ".uschess.read",
        ".uschess.write_2c",
        (".zip", ""),
    ),
    Format(
        "uschess-1991", "US Chess rating report of 1991 (three DBF files)", ".uschess.read", "", edition=1991
    ),
    Format("trf26", "FIDE tournament report, TRF26", ".trf.read", ".trf.write", (".trf", ".trfx"), 26),
    Format("trf16", "FIDE tournament report, TRF16", ".trf.read", ".trf.write", edition=16),
    Format("rating-report", "rating report as text", ".crosstable.rating_report", ""),
    Format("crosstable", "text crosstable", ".crosstable.read", ".crosstable.write", (".txt",)),
    Format(
        "csv",
        "table with one row for each player: CSV, Excel, or a wall chart as text",
        ".csv_report.read",
        ".csv_report.write",
        (".csv",),
    ),
    Format("members-csv", "members list, CSV (players only)", "", "..player_lists.members_csv"),
)

PACKAGE = "ratebook.formats"


def format_named(name: str) -> Format | None:
    """Return the format with this name."""
    return next((one for one in FORMATS if one.name == name), None)


def format_for_output(path: Path) -> Format | None:
    """Return the format that the ending of an output file means; a name without ending is a folder for 2C."""
    suffix = path.suffix.lower()
    return next((one for one in FORMATS if suffix in one.suffixes), None)


def detect_format(source: Source) -> Format | None:
    """Return the format that the content of *source* is in; None where it is in none.

    The formats are asked in the order of `FORMATS`, from the most particular to CSV, which nearly any text can be.
    """
    for one in FORMATS:
        if one.reader and import_module(one.reader, PACKAGE).looks_like(source, **one.options):
            return one
    return None


def parse_source(source: Source, hints: Hints = NO_HINTS) -> ParsedReport:
    """Return the report in *source*, whatever its format, with all findings."""
    findings = Findings()
    if not any(file.data.strip() for file in source.files):
        findings.add("file-empty.parse-source", source.name)
    elif found := detect_format(source):
        parsed: ParsedReport = import_module(found.reader, PACKAGE).parse(source, hints)
        return _of_files(source, _printable(_named(parsed, source.name, hints)))
    elif foreign := next(
        (kind for file in source.files if (kind := kind_of_file(file.data) or kind_of_json(file.data))), None
    ):
        findings.add("format-unknown.like", source.name, what=foreign.kind, how=foreign.remedy)
    else:
        titles = "; ".join(one.title for one in FORMATS if one.reader)
        findings.add("format-unknown.nothing", source.name, titles=titles)
    return _of_files(source, ParsedReport(None, findings.of_file(source.name)))


def _of_files(source: Source, parsed: ParsedReport) -> ParsedReport:
    """Return *parsed* with the files that its findings name kept apart from the places in them."""
    names = (source.name, *(file.name for file in source.files))
    return parsed._replace(findings=tuple(one.of_file(*names) for one in parsed.findings))


def _named(parsed: ParsedReport, name: str, hints: Hints) -> ParsedReport:
    """Return *parsed* with the event's name that the user gave, where the file *name* says none."""
    event_name = " ".join((hints.name or "").split())
    if parsed.report is None or not event_name:
        return parsed
    event = parsed.report.event
    if event.name:
        unused = finding("option-unused", name, what="The file", unused="--name")
        return parsed._replace(findings=(*parsed.findings, unused))
    return parsed._replace(report=parsed.report._replace(event=event._replace(name=event_name)))


def _printable(parsed: ParsedReport) -> ParsedReport:
    """Return *parsed* without its report where a text has characters that a terminal would obey."""
    report = parsed.report
    found = [] if report is None else [one for one in texts_of(report) if not readable(one.text)]
    if not found:
        return parsed
    errors = (
        finding("text-unreadable.of-report", one.where, field=one.field, text=shown(one.text))
        for one in found[:FINDINGS_SHOWN]
    )
    return ParsedReport(None, (*parsed.findings, *errors))


def read_report(  # noqa: PLR0913 - the file, and the facts that some formats do not hold
    data: bytes | str | PathLike[str],
    name: str = "",
    *,
    start: date | None = None,
    end: date | None = None,
    time_control: str | None = None,
    online: bool = False,
) -> ParsedReport:
    """Return the report in *data*, with all findings: a path, or the bytes of the file *name*.

    A path may lead to a file, to a folder, or to a zip archive of files; bytes may be an archive, too.
    *start*, *end*, *time_control* and *online* complete a format that does not say them.

    >>> read_report(b"1. e4 e5", "game.pgn").findings[0].code
    'format-unknown'
    """
    try:
        source = source_of_bytes(data, name) if isinstance(data, bytes) else read_source(data)
    except SourceError as refused:
        return ParsedReport(None, (refused.finding,))
    return parse_source(source, Hints(start, end, time_control, online))


def write_report(report: Report, target: Format, after: AfterRatings | None = None) -> Written:
    """Return *report* as files of the format *target*, with a note for everything that it cannot hold."""
    written: Written = import_module(target.writer, PACKAGE).write(report, after, **target.options)
    return written

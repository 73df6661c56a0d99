"""What every format takes and returns."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from ratebook.findings import OF_READABLE, Finding, Severity, has_errors
from ratebook.model import Report, SectionType, System
from ratebook.rating.results import After

SEATS_AT_MOST = 9_999
"""Pairing numbers have four digits in every format.

Source: docs/formats/uschess.md#seats and docs/formats/crosstable.md#layout.
"""

SECTIONS_AT_MOST = 9_999
ROUNDS_AT_MOST = 99

RESULT_OF_RATING = re.compile(
    rb'\{\s*"format":\s*"ratebook-(?:rated|explanation)/|section,system,seat,player,name,before,'
)
"""The beginning of what the program writes of rated sections as JSON and CSV, which is no report."""

PublishedRatings: TypeAlias = Mapping[tuple[int, int, System], float]
"""Post-event ratings that a file states, by section number, seat and system."""


class ParsedReport(NamedTuple):
    """A report as read from a file, and all that was found, in the order of the file.

    Attributes:
        report: None exactly when the findings are `is_unreadable`.
        published: the post-event ratings printed in the file, to be compared with; most formats have none.
        stated_rounds: the number of rounds that the file states, by section, to be compared with the cells.
        stated_systems: the letter of the rating system that the file states, by section, to be compared likewise.
        sheets: what `Hints.sheet` can choose, where there are several.
    """

    report: Report | None
    findings: tuple[Finding, ...]
    published: PublishedRatings = MappingProxyType({})
    stated_rounds: Mapping[int, int] = MappingProxyType({})
    stated_systems: Mapping[int, str] = MappingProxyType({})
    sheets: tuple[str, ...] = ()


class InputError(ValueError):
    """What was given cannot be used: *findings* are all that was found, errors among them."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        errors = [found for found in findings if found.severity is Severity.ERROR]
        super().__init__("; ".join(f"{found.where}: {found.message} [{found.code}]" for found in errors))


def is_unreadable(findings: Iterable[Finding]) -> bool:
    """Return whether errors keep a report from being read."""
    return has_errors(finding for finding in findings if f"{finding.code}.{finding.case}" not in OF_READABLE)


class DayOrder(StrEnum):
    """What comes first in a date such as 5/6/2026."""

    MONTH_FIRST = "month-first"
    DAY_FIRST = "day-first"


class Hints(NamedTuple):
    """What the user adds to a format that cannot say it (``--start``, ``--end``, ``--time-control``, ...).

    Attributes:
        event: id of the event to read, where a file holds several.
        name: name of the event.
        ratings: what the rating column of a FIDE tournament report has, ``fide`` or ``pairing``.
        day_order: which of day and month comes first in dates such as 5/6/2026.
        sheet: the sheet of a workbook or the file of a folder to read, where it has several reports.
        column: what columns with unknown titles hold, as in ``Wertung=rating``; ``none`` where it is not to be read.
        section_names: names of the first sections, instead of those in the file; an empty one changes nothing.
        is_tentative: whether the file is read, whatever its days, only to find what else is wrong with it.
    """

    start: date | None = None
    end: date | None = None
    time_control: str | None = None
    online: bool = False
    type: SectionType | None = None
    event: str | None = None
    name: str | None = None
    ratings: str | None = None
    day_order: DayOrder | None = None
    sheet: str | None = None
    column: tuple[str, ...] = ()
    section_names: tuple[str, ...] = ()
    is_tentative: bool = False


class Written(NamedTuple):
    """A report as files of one format, by file name, with a note for everything that the format cannot hold."""

    files: Mapping[str, bytes]
    findings: tuple[Finding, ...]


class Format(NamedTuple):
    """One format of reports, called *title*, and *name* after ``--to``.

    Attributes:
        page: its page, in ``docs/formats`` or on the web.
        reader: module with ``looks_like(source)``, which is quick and certain, and ``parse(source, hints)``, which
            returns a `ParsedReport` and never raises; empty where the format is only written.
        writer: module with ``write(report, after)``, which returns `Written`; empty where the format is only read.
        suffixes: endings of output files that mean this format.
        edition: which of several editions this is that share reader and writer; both are called with it.
        private: whether its files can hold birth dates, so that they are the user's alone.
        shows_after: whether it is written with the ratings after the event, if the report can be rated.
        package: the installed package that brings it; empty where this program does.
    """

    name: str
    title: str
    page: str
    reader: str = ""
    writer: str = ""
    suffixes: tuple[str, ...] = ()
    edition: int | None = None
    private: bool = True
    shows_after: bool = False
    package: str = ""

    @property
    def options(self) -> dict[str, int]:
        """What ``looks_like`` and ``write`` are told besides source or report."""
        return {} if self.edition is None else {"edition": self.edition}


AfterRatings: TypeAlias = Mapping[tuple[int, int, System], After]
"""Ratings after the event, by section number, seat and system, for the formats that show them."""

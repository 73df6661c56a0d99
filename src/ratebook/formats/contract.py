"""What every parser of reports returns, and how it collects its findings."""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ratebook.findings import Finding, Severity, finding, texts
from ratebook.model import Report, SectionType, System
from ratebook.rating.results import After

if TYPE_CHECKING:
    from ratebook.formats.reading.sheets.days import DayOrder

FINDINGS_SHOWN = 1_000
"""More findings than this help no one; the rest is counted."""

SEATS_AT_MOST = 9_999
"""Pairing numbers have four digits in every format.

Source: docs/formats/uschess.md#seats and docs/formats/crosstable.md#layout.
"""

SECTIONS_AT_MOST = 9_999
ROUNDS_AT_MOST = 99

PublishedRatings: TypeAlias = Mapping[tuple[int, int, System], float]
"""Post-event ratings that a file states, by section number, seat and system."""


class ParsedReport(NamedTuple):
    """A report as read from a file, and all that was found, in the order of the file.

    Attributes:
        report: None exactly when one of the findings is an error.
        published: the post-event ratings printed in the file, to be compared with; most formats have none.
        stated_rounds: the number of rounds that the file states, by section, to be compared with the cells.
        stated_systems: the letter of the rating system that the file states, by section, to be compared likewise.
    """

    report: Report | None
    findings: tuple[Finding, ...]
    published: PublishedRatings = MappingProxyType({})
    stated_rounds: Mapping[int, int] = MappingProxyType({})
    stated_systems: Mapping[int, str] = MappingProxyType({})


class Hints(NamedTuple):
    """What the user adds to a format that cannot say it (``--start``, ``--end``, ``--time-control``, ...).

    Attributes:
        event: id of the event to read, where a file holds several.
        name: name of the event.
        ratings: what the rating column of a FIDE tournament report has, ``fide`` or ``pairing``.
        day_order: which of day and month comes first in dates such as 5/6/2026.
    """

    start: date | None = None
    end: date | None = None
    time_control: str | None = None
    online: bool = False
    type: SectionType | None = None
    event: str | None = None
    name: str | None = None
    ratings: str | None = None
    day_order: "DayOrder | None" = None


class Written(NamedTuple):
    """A report as files of one format, by file name, with a note for everything that the format cannot hold."""

    files: Mapping[str, bytes]
    findings: tuple[Finding, ...]


AfterRatings: TypeAlias = Mapping[tuple[int, int, System], After]
"""Ratings after the event, by section number, seat and system, for the formats that show them."""


class Findings:
    """Collects the findings of one parser, at most `FINDINGS_SHOWN` errors and as many others.

    >>> findings = Findings()
    >>> findings.add("file-empty.decode", "report.json")
    >>> findings.has_errors
    True
    """

    def __init__(self) -> None:
        self._kept: list[Finding] = []
        self._errors = 0
        self._others = 0

    @property
    def has_errors(self) -> bool:
        """Whether an error was found."""
        return self._errors > 0

    @property
    def full(self) -> bool:
        """Whether no further error will be shown, so that costly remedies need not be looked for."""
        return self._errors >= FINDINGS_SHOWN

    def add(self, name: str, where: str, /, **values: object) -> None:
        """Add the finding that ``findings.toml`` declares under *name* (`ratebook.findings.finding`)."""
        if self._is_shown(texts()[name].severity):
            self._kept.append(finding(name, where, **values))

    def append(self, found: Finding) -> None:
        """Add a finding that was made elsewhere."""
        if self._is_shown(found.severity):
            self._kept.append(found)

    def _is_shown(self, severity: Severity) -> bool:
        """Count one more finding, and return whether it is among those that are kept."""
        if severity is Severity.ERROR:
            self._errors += 1
            return self._errors <= FINDINGS_SHOWN
        self._others += 1
        return self._others <= FINDINGS_SHOWN

    def of_file(self, name: str) -> tuple[Finding, ...]:
        """Return what was found in the file *name*; too much is cut, and a note gives the total."""
        found = self._errors + self._others
        if found <= FINDINGS_SHOWN:
            return tuple(self._kept)
        shown = sorted(self._kept, key=lambda one: one.severity is not Severity.ERROR)[:FINDINGS_SHOWN]
        return (
            *shown,
            finding("too-many-findings.of-file", name, found=found, findings_shown=FINDINGS_SHOWN),
        )

    def without_report(self, name: str) -> ParsedReport:
        """Return the result for the file *name* where no report can be built."""
        return ParsedReport(None, self.of_file(name))

"""What every parser of reports returns, and how it collects its findings."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ratebook.model import Report, System
from ratebook.problems import Problem, error, note, warning

FINDINGS_SHOWN = 1_000
"""More findings than this help nobody; the rest is counted."""

SEATS_AT_MOST = 9_999
"""Pairing numbers have four digits in every format (FORMATS sections 1.2 and 5.1)."""

ROUNDS_AT_MOST = 99

PublishedRatings = Mapping[tuple[int, int, System], float]
"""Post-event ratings that a file states, by section number, seat and system."""


class ParsedReport(NamedTuple):
    """A report as read from a file.

    Attributes:
        report: the report; None exactly when one of the problems is an error.
        problems: all that was found, in the order of the file.
        published: the post-event ratings printed in the file, to be compared with; most formats have none.
    """

    report: Report | None
    problems: tuple[Problem, ...]
    published: PublishedRatings = MappingProxyType({})


class Findings:
    """Collects the findings of one parser, at most `FINDINGS_SHOWN` of them, errors first.

    >>> findings = Findings()
    >>> findings.error("seat-twice", "section 1, seat 3", "Seat 3 is taken twice.", "Number the seats anew.")
    >>> findings.has_errors
    True
    """

    def __init__(self) -> None:
        self._kept: list[Problem] = []
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

    def error(self, code: str, where: str, message: str, remedy: str) -> None:
        """Add a finding that stops the rating."""
        self._errors += 1
        if self._errors <= FINDINGS_SHOWN:
            self._kept.append(error(code, where, message, remedy))

    def warning(self, code: str, where: str, message: str, remedy: str) -> None:
        """Add a finding that is probably a mistake."""
        self._others += 1
        if self._others <= FINDINGS_SHOWN:
            self._kept.append(warning(code, where, message, remedy))

    def note(self, code: str, where: str, message: str, remedy: str) -> None:
        """Add a finding that names an assumption."""
        self._others += 1
        if self._others <= FINDINGS_SHOWN:
            self._kept.append(note(code, where, message, remedy))

    def problems(self, name: str) -> tuple[Problem, ...]:
        """Return what was found in the file *name*; too much is cut, and a note gives the total."""
        found = self._errors + self._others
        if found <= FINDINGS_SHOWN:
            return tuple(self._kept)
        shown = sorted(self._kept, key=lambda problem: problem.severity != "error")[:FINDINGS_SHOWN]
        return (
            *shown,
            note(
                "too-many-findings",
                name,
                f"{found:,} findings in all; {FINDINGS_SHOWN:,} are shown, errors before the others.",
                "Mend these and read the file again.",
            ),
        )

    def without_report(self, name: str) -> ParsedReport:
        """Return the result for the file *name* where no report can be built."""
        return ParsedReport(None, self.problems(name))

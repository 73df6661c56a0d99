"""Findings: what is wrong with an input, where, and what to do about it.

Bad input never raises. A parser or a check returns findings; nothing is rated while one of them is an error.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Severity(StrEnum):
    """How much a finding matters: an error stops the rating, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Finding(NamedTuple):
    """One finding.

    Attributes:
        code: stable short name, for example ``opponent-missing``.
        severity: error, warning or note.
        where: file, record and field in words, for example ``section 1, seat 3, round 2``.
        message: what is wrong, as a sentence.
        remedy: what the user can do about it.
    """

    code: str
    severity: Severity
    where: str
    message: str
    remedy: str


def error(code: str, where: str, message: str, remedy: str) -> Finding:
    """Return a finding that stops the rating."""
    return Finding(code, Severity.ERROR, where, message, remedy)


def warning(code: str, where: str, message: str, remedy: str) -> Finding:
    """Return a finding that is probably a mistake but does not stop the rating."""
    return Finding(code, Severity.WARNING, where, message, remedy)


def note(code: str, where: str, message: str, remedy: str) -> Finding:
    """Return a finding that names an assumption made."""
    return Finding(code, Severity.NOTE, where, message, remedy)


def has_errors(findings: Iterable[Finding]) -> bool:
    """Return whether any of *findings* is an error.

    >>> has_errors([note("peak-missing", "player P1", "No peak rating is given.", "Add it.")])
    False
    """
    return any(finding.severity is Severity.ERROR for finding in findings)

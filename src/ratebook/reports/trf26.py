"""The FIDE tournament report file of 2026; everything in it is shared with the other edition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.reports import trf, trf_write
from ratebook.reports.trf_lines import NEW_EDITION

if TYPE_CHECKING:
    from ratebook.model import Report
    from ratebook.reports.parsed import AfterRatings, Hints, ParsedReport, Written
    from ratebook.reports.source import Source


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in *source* with all problems found; the other edition is read as well."""
    return trf.parse(source, hints)


def write(report: Report, after: AfterRatings | None = None) -> Written:
    """Return *report* as files of this edition, one for each section, with a note for everything lost."""
    return trf_write.write(report, after, edition=NEW_EDITION)


def looks_like(source: Source) -> bool:
    """Return whether *source* holds tournament reports of this edition."""
    return trf.looks_like(source, NEW_EDITION)

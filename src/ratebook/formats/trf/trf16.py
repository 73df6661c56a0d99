"""The FIDE tournament report file of 2016; everything in it is shared with the other edition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.formats.trf import read
from ratebook.formats.trf import write as writing
from ratebook.formats.trf.lines import OLD_EDITION

if TYPE_CHECKING:
    from ratebook.formats.contract import AfterRatings, Hints, ParsedReport, Written
    from ratebook.formats.source import Source
    from ratebook.model import Report


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in *source* with all findings; the other edition is read as well."""
    return read.parse(source, hints)


def write(report: Report, after: AfterRatings | None = None) -> Written:
    """Return *report* as files of this edition, one for each section, with a note for everything lost."""
    return writing.write(report, after, edition=OLD_EDITION)


def looks_like(source: Source) -> bool:
    """Return whether *source* holds tournament reports of this edition."""
    return read.looks_like(source, OLD_EDITION)

"""The texts of a report, whatever format it came in."""

from collections.abc import Iterator
from typing import NamedTuple

from ratebook.findings import FINDINGS_SHOWN, finding
from ratebook.formats.contract import ParsedReport
from ratebook.formats.reading.fields import readable, shown, shown_key
from ratebook.model import Event, PlayerFacts, Report, Section

_ID = "id"


class ReportText(NamedTuple):
    """A text that is not empty: where it is, of which field, and whether people or sections are known by it."""

    where: str
    field: str
    text: str

    @property
    def is_id(self) -> bool:
        """Whether something is known by the text."""
        return self.field == _ID


def texts_of(report: Report) -> Iterator[ReportText]:
    """Yield every text of *report* that was typed or read as text: ids, names, places, time controls, records."""
    yield from _texts("event", report.event)
    for section in report.sections:
        yield from _texts(f"section {section.number}", section)
    for facts in report.players.values():
        yield from _texts(f"player {shown_key(facts.id)}", facts)


def _texts(where: str, record: Event | Section | PlayerFacts) -> Iterator[ReportText]:
    for field, value in zip(record._fields, record, strict=True):
        if type(value) is str and value:
            yield ReportText(where, field.replace("_", " "), value)
    if isinstance(record, Section):
        yield from (ReportText(where, "record", line) for line in record.trf_records)


def printable(parsed: ParsedReport) -> ParsedReport:
    """Return *parsed* without its report where a text has characters that a terminal would obey."""
    report = parsed.report
    unreadable = [] if report is None else [text for text in texts_of(report) if not readable(text.text)]
    if not unreadable:
        return parsed
    errors = (
        finding("text-unreadable.of-report", text.where, field=text.field, text=shown(text.text))
        for text in unreadable[:FINDINGS_SHOWN]
    )
    return ParsedReport(None, (*parsed.findings, *errors))

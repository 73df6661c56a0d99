"""The texts of a report, whatever format it came in."""

from collections.abc import Iterator
from typing import NamedTuple

from ratebook.findings import FINDINGS_SHOWN, Place, finding
from ratebook.formats.contract import ParsedReport
from ratebook.formats.reading.fields import readable, shown
from ratebook.model import Event, PlayerFacts, Report, Section

_ID = "id"


class ReportText(NamedTuple):
    """A text that is not empty: where it is, of which field, and whether people or sections are known by it."""

    place: Place
    field: str
    text: str

    @property
    def is_id(self) -> bool:
        """Whether something is known by the text."""
        return self.field == _ID


def texts_of(report: Report) -> Iterator[ReportText]:
    """Yield every text of *report* that was typed or read as text: ids, names, places, time controls, records."""
    yield from _texts(Place(subject="event"), report.event)
    for section in report.sections:
        yield from _texts(Place(section=section.number), section)
    for facts in report.players.values():
        yield from _texts(Place(players=(facts.id,)), facts)


def _texts(place: Place, record: Event | Section | PlayerFacts) -> Iterator[ReportText]:
    for field, value in zip(record._fields, record, strict=True):
        if type(value) is str and value:
            yield ReportText(place, field.replace("_", " "), value)
    if isinstance(record, Section):
        yield from (ReportText(place, "record", line) for line in record.trf_records)


def printable(parsed: ParsedReport) -> ParsedReport:
    """Return *parsed* without its report where a text has characters that a terminal would obey."""
    report = parsed.report
    unreadable = [] if report is None else [text for text in texts_of(report) if not readable(text.text)]
    if not unreadable:
        return parsed
    errors = (
        finding("text-unreadable.of-report", text.place, field=text.field, text=shown(text.text))
        for text in unreadable[:FINDINGS_SHOWN]
    )
    return ParsedReport(None, (*parsed.findings, *errors))

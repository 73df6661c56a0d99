"""The texts of a report, whatever format it came in."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

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


def texts_of(report: Report, wanted: Callable[[str], bool]) -> Iterator[ReportText]:
    """Yield what was typed or read as text in *report* and is *wanted*: ids, names, places, time controls, records."""
    yield from _texts(wanted, report.event, subject="event")
    for section in report.sections:
        yield from _texts(wanted, section, section=section.number)
        for line in filter(wanted, section.trf_records):
            yield ReportText(Place(section=section.number), "record", line)
    for facts in report.players.values():
        yield from _texts(wanted, facts, players=(facts.id,))


def _texts(
    wanted: Callable[[str], bool],
    record: Event | Section | PlayerFacts,
    **place: Any,  # noqa: ANN401 - parts of a place
) -> Iterator[ReportText]:
    for field, value in zip(record._fields, record, strict=True):
        if type(value) is str and value and wanted(value):
            yield ReportText(Place(**place), field.replace("_", " "), value)


def printable(parsed: ParsedReport) -> ParsedReport:
    """Return *parsed* without its report where a text has characters that a terminal would obey."""
    report = parsed.report
    unreadable = [] if report is None else list(texts_of(report, lambda text: not readable(text)))
    if not unreadable:
        return parsed
    errors = (
        finding("text-unreadable.of-report", text.place, field=text.field, text=shown(text.text))
        for text in unreadable[:FINDINGS_SHOWN]
    )
    return ParsedReport(None, (*parsed.findings, *errors), sheets=parsed.sheets)

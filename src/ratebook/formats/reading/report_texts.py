"""The texts of a report, whatever format it came in."""

from collections.abc import Iterator
from typing import NamedTuple

from ratebook.formats.reading.fields import shown_key
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

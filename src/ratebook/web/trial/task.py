"""What a child does with a report that somebody sent, and how it answers: in msgpack, checked against the types."""

from types import MappingProxyType
from typing import NamedTuple, get_type_hints

import msgspec

from ratebook.checks import ReportedFacts
from ratebook.findings import Finding, Place, finding
from ratebook.formats.contract import DayOrder, Hints
from ratebook.reports.load import LoadedReport, load_bytes


class ReportBounds(NamedTuple):
    """What a report may hold at most: checking and rating take time for each of these.

    Attributes:
        players: seats of all sections together, and persons.
    """

    sections: int = 1_000
    players: int = 10_000
    results: int = 100_000


class FileToRead(NamedTuple):
    """A file to be read: its content, its name, what its format cannot say, and what it may hold."""

    data: bytes
    name: str
    hints: list[object]
    bounds: ReportBounds


def read(packed: bytes) -> bytes:
    """Read a packed `FileToRead`, and answer with the report and its findings."""
    file = msgspec.msgpack.decode(packed, type=FileToRead)
    kinds = get_type_hints(Hints, localns={"DayOrder": DayOrder}).values()
    loaded = load_bytes(file.data, file.name, Hints(*map(msgspec.convert, file.hints, kinds)))
    return msgspec.msgpack.encode(bounded(loaded, file.name, file.bounds), enc_hook=plain)


def bounded(loaded: LoadedReport, name: str, bounds: ReportBounds) -> LoadedReport:
    """Return what was read, or the finding that it is more than a server takes."""
    if loaded.report is None:
        return loaded
    sections, persons = loaded.report.sections, len(loaded.report.players)
    players = max(persons, sum(len(section.entries) for section in sections))
    results = sum(len(entry.rounds) for section in sections for entry in section.entries)
    if len(sections) <= bounds.sections and players <= bounds.players and results <= bounds.results:
        return loaded
    counts = {"sections": len(sections), "players": players, "results": results}
    most = {f"most_{what}": getattr(bounds, what) for what in counts}
    return unread(finding("report-not-read.too-large", Place(file=name), **counts, **most))


def unread(found: Finding) -> LoadedReport:
    """Return what a file gives that cannot be read."""
    return LoadedReport(None, (found,), {}, ReportedFacts())


def plain(value: object) -> object:
    """Return what msgpack can hold of a value that it does not know."""
    if isinstance(value, MappingProxyType):
        return dict(value)
    raise TypeError(f"no part of a report: {type(value).__name__}")

"""What a child does with a report that somebody sent, and how it answers: in msgpack, checked against the types."""

from datetime import date
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ratebook.checks import ReportedFacts
from ratebook.findings import Finding, Place, finding
from ratebook.formats.contract import Hints
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
    """A file to be read: its content, its name, what its format cannot say, and what it may hold.

    *stand_in* is a day for a report that does not say when it ended (`ratebook.reports.load.LoadedReport`).
    """

    data: bytes
    name: str
    hints: Hints
    bounds: ReportBounds
    stand_in: date | None = None


def read(packed: bytes) -> bytes:
    """Read a packed `FileToRead`, and answer with the report and its findings."""
    file = msgspec.msgpack.decode(packed, type=FileToRead)
    loaded = load_bytes(file.data, file.name, file.hints, stand_in=file.stand_in)
    return msgspec.msgpack.encode(bounded(loaded, file.name, file.bounds), enc_hook=plain)


def bounded(loaded: LoadedReport, name: str, bounds: ReportBounds) -> LoadedReport:
    """Return what was read, or the finding that it is more than a server takes."""
    report = loaded.report or loaded.tentative
    if report is None:
        return loaded
    sections, persons = report.sections, len(report.players)
    players = max(persons, sum(len(section.entries) for section in sections))
    results = sum(len(entry.rounds) for section in sections for entry in section.entries)
    if len(sections) <= bounds.sections and players <= bounds.players and results <= bounds.results:
        return loaded
    counts = {"sections": len(sections), "players": players, "results": results}
    most = {f"most_{what}": getattr(bounds, what) for what in counts}
    return unread(finding("report-not-read.too-large", Place(file=name), **counts, **most))._replace(
        sheets=loaded.sheets
    )


def unread(found: Finding) -> LoadedReport:
    """Return what a file gives that cannot be read."""
    return LoadedReport(None, (found,), {}, ReportedFacts())


def plain(value: object) -> object:
    """Return what msgpack can hold of a value that it does not know."""
    if isinstance(value, MappingProxyType):
        return dict(value)
    raise TypeError(f"no part of a report: {type(value).__name__}")

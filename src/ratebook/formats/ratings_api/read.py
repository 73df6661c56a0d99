"""Standings of the ratings API as JSON files: reading only (docs/formats/ratings-api.md#standings).

The API answers in pieces; any of these may be given, as files of one folder or archive, or together in one file:

| piece | told by | read from it |
|---|---|---|
| a page of standings, a list of pages, or a list of players | ``items``, ``roundOutcomes`` | seats, results, ratings |
| the details of a section | ``timeControl``, ``roundCount``, ``number`` | number, name, dates, time control, format |
| the details of an event | ``sectionCount``, ``startDate`` | id, name, dates, place |
| an object, or a list of objects | ``event``, ``section``, ``standings`` | these pieces; one section each |

Pieces that stand alone make up one section; several sections need an object each. Ratings are taken with their
decimals. The user's hints complete what the pieces do not say.
"""

from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from ratebook.findings import Findings, Place
from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST, SECTIONS_AT_MOST, Hints, ParsedReport
from ratebook.formats.hints import Schedule, completed, first_names, note_hints_beside, note_other_files
from ratebook.formats.ratings_api.standings import ApiFields, read_standings
from ratebook.formats.reading.fields import shown
from ratebook.formats.reading.json import load_json
from ratebook.formats.reading.kinds import FLAG, Whole
from ratebook.formats.reading.printed_table import (
    SYSTEM_OF_LABEL,
    Row,
    gather_players,
    player_id,
    published_ratings,
)
from ratebook.formats.reading.text import first_character
from ratebook.formats.source import Source
from ratebook.model import Entry, Event, Report, Section, SectionType, System

FORMATS = {
    "Other": SectionType.OTHER,
    "Swiss": SectionType.SWISS,
    "DoubleRoundSwiss": SectionType.SWISS,
    "Match": SectionType.MATCH,
    "RoundRobin": SectionType.ROUND_ROBIN,
    "DoubleRoundRobin": SectionType.ROUND_ROBIN,
    "FideAdjustment": SectionType.FIDE,
}

_SECTION_KEYS = frozenset({"timeControl", "roundCount", "participantCoding", "number"})
_EVENT_KEYS = frozenset({"sectionCount", "startDate", "endDate", "stateCode"})
_PLAYER_KEYS = frozenset({"roundOutcomes", "ordinal", "pairingNumber"})
_STATED_SYSTEMS = frozenset("RDQB")
_DEEPEST = 3


class _Piece(NamedTuple):
    """A section's standings and its details, as far as they were given."""

    event: dict[str, object] | None
    section: dict[str, object] | None
    players: list[object]


class _Part(NamedTuple):
    """A section as read, and what its details say of its rounds and its rating system."""

    section: Section
    rows: list[Row]
    rounds: int
    system: str


def looks_like(source: Source) -> bool:
    """Return whether a file of *source* is JSON with the keys of the API's standings."""
    return any(
        _begins_as_json(file.data)
        and b'"roundOutcomes"' in file.data
        and b"ratebook-report/" not in file.data
        for file in source.files
    )


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the standings and details of *source*, with all findings.

    Ratings after the sections come back in ``published``.
    """
    findings = Findings(is_tentative=hints.is_tentative)
    name = source.name
    gathered = _gather_pieces(findings, source)
    if gathered is None:
        return ParsedReport(None, findings.of_file(name))
    events, pieces = gathered
    event_values = _choose_event(findings, events, hints, name)
    if findings.has_errors:
        return ParsedReport(None, findings.of_file(name))
    event = _read_event(findings, event_values)
    chosen = [piece for piece in pieces if piece.event is None or _id_of(piece.event) == _id_of(event_values)]
    schedules: list[Schedule] = []
    parts = [
        part
        for place, piece in enumerate(chosen, start=1)
        if (part := _read_part(findings, piece, place, event, hints, schedules)) is not None
    ]
    parts.sort(key=lambda part: part.section.number)
    for earlier, later in pairwise(parts):
        if earlier.section.number == later.section.number:
            findings.add("section-number-twice.standings", Place(section=later.section.number))
    players = gather_players(findings, [(part.section.number, part.rows) for part in parts])
    note_hints_beside(findings, Place(file=name), hints, "The API's answer", schedules)
    if findings.has_errors:
        return ParsedReport(None, findings.of_file(name))
    published: dict[tuple[int, int, System], float] = {}
    for part in parts:
        published |= published_ratings(part.section.number, part.rows)
    report = Report(event, MappingProxyType(players), tuple(part.section for part in parts))
    return ParsedReport(
        report,
        findings.of_file(name),
        MappingProxyType(published),
        stated_rounds={part.section.number: part.rounds for part in parts if part.rounds},
        stated_systems={part.section.number: part.system for part in parts if part.system in _STATED_SYSTEMS},
    )


def _begins_as_json(data: bytes) -> bool:
    return first_character(data) in {b"{", b"["}


class _Collector:
    """Sorts the values of files into pieces; *players* are from standings that come without their section."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self.events: list[dict[str, object]] = []
        self.sections: list[dict[str, object]] = []
        self.players: list[object] = []
        self.pieces: list[_Piece] = []
        self._goes_on: set[bool] = set()

    def add(self, value: object, where: Place) -> None:
        """Add what *value*, the content of a file, holds."""
        if not isinstance(value, list):
            self._add_piece(value, where)
            return
        for position, inner in enumerate(value, start=1):
            self._add_piece(inner, where.but(position=position))
            if self._findings.full:
                return

    def _add_piece(self, value: object, where: Place) -> None:
        if not isinstance(value, dict) or "items" in value or not _PLAYER_KEYS.isdisjoint(value):
            self.add_standings(value, where)
        elif "standings" in value or isinstance(value.get("event"), dict):
            self._add_together(value, where)
        elif not _SECTION_KEYS.isdisjoint(value):
            self.sections.append(value)
        elif not _EVENT_KEYS.isdisjoint(value):
            self.events.append(value)
        else:
            self._findings.add("piece-unknown", where)

    def add_standings(self, value: object, where: Place, depth: int = 0) -> None:
        """Add a player, a page or a list of them."""
        if isinstance(value, dict) and not _PLAYER_KEYS.isdisjoint(value):
            self.players.append(value)
        elif isinstance(value, dict) and "items" in value and depth < _DEEPEST:
            self._goes_on |= {answer for answer in (True, False) if value.get("hasNextPage") is answer}
            self.add_standings(value["items"], where.inner("items"), depth + 1)
        elif isinstance(value, list) and depth < _DEEPEST:
            for inner in value:
                self.add_standings(inner, where, depth + 1)
                if self._findings.full:
                    return
        elif isinstance(value, dict):
            self._findings.add("piece-unknown", where)
        else:
            self._findings.add("type-wrong.answer", where, value=shown(value))

    def _add_together(self, value: dict[str, object], where: Place) -> None:
        """Add an object that holds pieces by name, and perhaps a list of sections that do."""
        event = self._named(value, "event", where)
        if event is not None:
            self.events.append(event)
        self._add_section(value, event, where)
        inner = value.get("sections")
        for position, one in enumerate(inner if isinstance(inner, list) else (), start=1):
            if isinstance(one, dict):
                self._add_section(one, event, where.but(position=position))

    def _add_section(self, value: dict[str, object], event: dict[str, object] | None, where: Place) -> None:
        """Add a section and its standings, if *value* has them."""
        if "standings" in value:
            standings = _Collector(self._findings)
            standings.add_standings(value["standings"], where.inner("standings"))
            standings.report_missing_pages(where)
            self.pieces.append(_Piece(event, self._named(value, "section", where), standings.players))

    def _named(self, value: dict[str, object], key: str, where: Place) -> dict[str, object] | None:
        inner = value.get(key)
        if inner is None or isinstance(inner, dict):
            return inner
        self._findings.add("type-wrong.answer", where.inner(key), value=shown(inner))
        return None

    def report_missing_pages(self, where: Place) -> None:
        """Warn where every page says that another one follows."""
        if True in self._goes_on and False not in self._goes_on:
            self._findings.add("page-missing.of-standings", where)


def _gather_pieces(findings: Findings, source: Source) -> tuple[list[dict[str, object]], list[_Piece]] | None:
    """Return the details of events and the pieces of sections in all files, or None with findings."""
    files = [file for file in source.files if len(source.files) == 1 or _begins_as_json(file.data)]
    note_other_files(findings, source, files)
    collector = _Collector(findings)
    for file in files:
        value = load_json(findings, file.data, file.name)
        if value is not None:
            collector.add(value, file.place)
    collector.report_missing_pages(source.place)
    if collector.players:
        if len(collector.sections) > 1:
            findings.add("several-sections", source.place, section_count=len(collector.sections))
        section = next(iter(collector.sections), None)
        collector.pieces.append(_Piece(None, section, collector.players))
    if len(collector.pieces) > SECTIONS_AT_MOST:
        count, bound = len(collector.pieces), SECTIONS_AT_MOST
        findings.add("too-many-sections", source.place, piece_count=count, sections_at_most=bound)
    if not collector.pieces and not findings.has_errors:
        findings.add("standings-missing", source.place)
    return None if findings.has_errors else (collector.events, collector.pieces)


def _id_of(event: dict[str, object]) -> str:
    return str(event.get("id") or "")


def _choose_event(
    findings: Findings, events: list[dict[str, object]], hints: Hints, name: str
) -> dict[str, object]:
    """Return the details of the event that is read, empty where there are none."""
    by_id = {_id_of(event): event for event in reversed(events)}
    if hints.event and hints.event in by_id:
        return by_id[hints.event]
    place, listed = Place(file=name), first_names(list(by_id))
    if hints.event and by_id:
        if "" not in by_id:
            findings.add("event-unknown.several-in-file", place, event=shown(hints.event), listed=listed)
        return by_id.get("", {})
    if len(by_id) > 1:
        findings.add("several-events.standings", place, by_id_count=len(by_id), listed=listed)
    return next(iter(by_id.values()), {})


def _read_event(findings: Findings, values: dict[str, object]) -> Event:
    fields = ApiFields(findings, values, Place(subject="event"))
    inner, affiliate = values.get("affiliate"), fields
    if isinstance(inner, dict):
        affiliate = ApiFields(findings, inner, Place(subject="event", field="affiliate"))
    return Event(
        id=fields.text("id"),
        name=fields.text("name"),
        start=fields.day("startDate"),
        end=fields.day("endDate"),
        city=fields.text("city"),
        state=fields.text("stateCode"),
        country=fields.text("countryCode"),
        affiliate=affiliate.text("id" if isinstance(inner, dict) else "affiliate"),
    )


def _read_part(  # noqa: PLR0913, PLR0917 - each argument is a separate fact
    findings: Findings, piece: _Piece, place: int, event: Event, hints: Hints, schedules: list[Schedule]
) -> _Part | None:
    """Return the section in *piece*, or None with findings; when and how it was played is added to *schedules*."""
    fields = ApiFields(findings, piece.section or {}, Place(section=place))
    number = fields.read("number", Whole(1, SECTIONS_AT_MOST)) or place
    where = fields.where = Place(section=number)
    kind = _read_format(fields)
    stated = Schedule(
        fields.day("startDate") or event.start,
        fields.day("endDate") or event.end,
        fields.text("timeControl") or None,
        kind,
    )
    schedules.append(stated)
    played = completed(findings, where, stated, hints, "The API's answer")
    name = fields.text("name")
    online = fields.read("isOnline", FLAG) or hints.online
    rounds = fields.read("roundCount", Whole(0, ROUNDS_AT_MOST)) or 0
    rows = read_standings(findings, piece.players, where, rounds)
    if rows is None:
        return None
    stated_players = fields.read("playerCount", Whole(0, SEATS_AT_MOST))
    if stated_players is not None and stated_players != len(rows):
        fields.add("page-missing.of-players", "playerCount", stated=stated_players, players=len(rows))
    if not rows:
        fields.add("entries-empty.no-standings", "standings")
    systems = {rating.system for row in rows for rating in row.read.ratings}
    letter = fields.text("ratingSystem")
    online |= any(system.online for system in (*systems, SYSTEM_OF_LABEL.get(letter, System.REGULAR)))
    entries = tuple(
        Entry(
            row.seat,
            player_id(row, number),
            row.cells,
            # In a foreign event, the API has ratings for those whom it updates.
            update=played.type is SectionType.FIDE and any(one.after is not None for one in row.read.ratings),
        )
        for row in rows
    )
    section = played.section(number, name, entries, online=online)
    return None if section is None else _Part(section, rows, rounds, letter)


def _read_format(fields: ApiFields) -> SectionType | None:
    """Return the type of a section, None where the details do not say it."""
    text = fields.text("format")
    if text and text not in FORMATS:
        fields.add("section-type-unknown.format", "format", text=shown(text), formats=", ".join(FORMATS))
    return FORMATS.get(text)

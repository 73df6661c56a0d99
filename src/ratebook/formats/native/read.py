"""The native report, ``ratebook-report/1``: JSON that holds everything that rating one event needs.

Every shape, key and value is checked, and all that is wrong is found at once; nothing here raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST, Findings, ParsedReport
from ratebook.formats.hints import check_event, chosen_file, note_unused_hints
from ratebook.formats.native.players import read_player
from ratebook.formats.native.usual import in_blocks, usual_entries, usual_players
from ratebook.formats.reading.cells import EMPTY_CELL, parse_cell
from ratebook.formats.reading.fields import Fields, open_object, shown
from ratebook.formats.reading.json import load_json
from ratebook.formats.reading.text import first_character
from ratebook.model import Cell, Entry, Event, FloorRequest, PlayerFacts, Report, Section, SectionType

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from ratebook.formats.contract import Hints
    from ratebook.formats.source import Source

REPORT_FORMAT = "ratebook-report/1"

REPORT_KEYS = frozenset({"format", "event", "players", "sections"})
EVENT_KEYS = frozenset(Event._fields)
SECTION_KEYS = frozenset(Section._fields)
ENTRY_KEYS = frozenset(Entry._fields)

_SECTIONS_AT_MOST = 9_999


def parse_native_json(data: bytes, name: str) -> ParsedReport:
    """Return the report in *data*, the contents of the file *name*, with all findings.

    >>> parse_native_json(b'{"format": 1', "quad.json").findings[0].where
    'quad.json, line 1, column 13'
    """
    return _read(Findings(), data, name)


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the one native file of *source*; *hints* fill what its sections leave open."""
    findings = Findings()
    file = chosen_file(findings, source, _begins_with_brace)
    if file is None:
        return findings.without_report(source.name)
    parsed = _read(findings, file.data, file.name)
    if parsed.report is None:
        return parsed
    check_event(findings, file.name, parsed.report.event.id, hints)
    filled, used = completed(parsed.report, hints)
    report: Report | None = filled
    note_unused_hints(findings, file.name, hints, "A native report", used=("event", *used))
    if findings.has_errors:
        report = None
    elif any(section.start is None for section in filled.sections):
        findings.add("start-missing.parse", file.name)
    return parsed._replace(report=report, findings=findings.of_file(file.name))


def completed(report: Report, hints: Hints) -> tuple[Report, tuple[str, ...]]:
    """Return *report* with the start and the time control of *hints* where a section has none, and which were used."""
    used = []
    sections = report.sections
    if hints.start is not None and any(section.start is None for section in sections):
        used.append("start")
        sections = tuple(
            section._replace(start=min(hints.start, section.end)) if section.start is None else section
            for section in sections
        )
    if hints.time_control is not None and any(section.time_control is None for section in sections):
        used.append("time_control")
        sections = tuple(
            section._replace(time_control=hints.time_control) if section.time_control is None else section
            for section in sections
        )
    return report._replace(sections=sections), tuple(used)


def looks_like(source: Source) -> bool:
    """Return whether *source* holds a JSON object that is not a page of the ratings API."""
    return any(
        _begins_with_brace(file.data)
        and (REPORT_FORMAT.encode() in file.data or b'"roundOutcomes"' not in file.data)
        for file in source.files
    )


def _begins_with_brace(data: bytes) -> bool:
    return first_character(data) == b"{"


def _read(findings: Findings, data: bytes, name: str) -> ParsedReport:
    values = load_json(findings, data, name, mark_repeated=True)
    if values is None:
        return findings.without_report(name)
    fields = open_object(findings, values, name, REPORT_KEYS)
    if fields is None or not _is_native(fields):
        return findings.without_report(name)
    fields.require("players", "sections")
    event = _read_event(fields)
    players = _read_players(fields)
    sections = _read_sections(fields, event, players)
    _check_birth_dates(findings, event, players, sections)
    if findings.has_errors:
        return findings.without_report(name)
    return ParsedReport(Report(event, players, sections), findings.of_file(name))


def _is_native(fields: Fields) -> bool:
    """Return whether the file says that it has the native format; report where it says something else."""
    value = fields.values.get("format")
    if value == REPORT_FORMAT:
        return True
    if value is None:
        # The rest is worth reading: most likely only this line is missing.
        fields.add("key-missing.is-native", "format")
        return True
    fields.add("format-wrong", "format", value=shown(value), report_format=REPORT_FORMAT)
    return False


def _read_event(fields: Fields) -> Event:
    inner = fields.values.get("event")
    one = None if inner is None else open_object(fields.findings, inner, "event", EVENT_KEYS)
    if one is None:
        return Event()
    event = Event(
        id=one.text("id"),
        name=one.text("name"),
        start=one.day("start"),
        end=one.day("end"),
        city=one.text("city"),
        state=one.text("state"),
        country=one.text("country"),
        affiliate=one.text("affiliate"),
        chief_td=one.text("chief_td"),
    )
    _check_order(one, event.start, event.end)
    return event


def _check_order(fields: Fields, start: date | None, end: date | None) -> None:
    if start is not None and end is not None and end < start:
        fields.add("dates-reversed.dates-are-in-order", "end", end=end, start=start)


def _read_players(fields: Fields) -> Mapping[str, PlayerFacts]:
    players: dict[str, PlayerFacts] = {}
    blocks = in_blocks(fields.items("players"), lambda block: usual_players(block, players))
    for first, block, usual in blocks:
        if usual is not None:
            players.update(usual)
            continue
        for position, value in enumerate(block, start=first):
            player = read_player(fields.findings, value, position)
            if player is None:
                continue
            if player.id in players:
                fields.findings.add(
                    "player-twice", f"player {shown(player.id)}, number {position} of the list"
                )
                continue
            players[player.id] = player
    return players


def _read_sections(fields: Fields, event: Event, players: Mapping[str, PlayerFacts]) -> tuple[Section, ...]:
    values = fields.items("sections")
    if isinstance(fields.values.get("sections"), list) and not values:
        fields.add("sections-empty.sections-exist", "sections")
    sections = []
    numbers = set()
    for position, value in enumerate(values, start=1):
        number = value.get("number") if isinstance(value, dict) else None
        numbered = isinstance(number, int) and not isinstance(number, bool)
        where = f"section {shown(number)}" if numbered else f"section {position} of the list"
        one = open_object(fields.findings, value, where, SECTION_KEYS)
        if one is None:
            continue
        section = _read_section(one, event, players)
        if section is None:
            continue
        if section.number in numbers:
            one.add("section-number-twice.section-numbers-differ", "number", number=section.number)
        numbers.add(section.number)
        sections.append(section)
    return tuple(sections)


def _read_section(one: Fields, event: Event, players: Mapping[str, PlayerFacts]) -> Section | None:
    one.require("number", "entries")
    number = one.whole("number", 1, _SECTIONS_AT_MOST)
    name = one.text("name")
    start = one.day("start") if one.values.get("start") is not None else event.start
    end = one.day("end") if one.values.get("end") is not None else event.end
    if end is None and one.values.get("end") is None:
        one.add("end-missing.section", "end")
    if one.values.get("start") is not None or one.values.get("end") is not None:
        _check_order(one, start, end)
    time_control = one.text("time_control") or None
    kind = one.choice("type", SectionType, "section-type-unknown.choice") or SectionType.OTHER
    online, half_k, youth = bool(one.flag("online")), bool(one.flag("half_k")), bool(one.flag("youth"))
    entries = _read_entries(one, players)
    if number is None or end is None:
        return None
    return Section(number, name, start, end, time_control, kind, online, half_k, youth, entries)


def _read_entries(section: Fields, players: Mapping[str, PlayerFacts]) -> tuple[Entry, ...]:
    values = section.items("entries")
    if isinstance(section.values.get("entries"), list) and not values:
        section.add("entries-empty.sections-have-entries", "entries")
    if len(values) > SEATS_AT_MOST:
        section.add(
            "too-many-entries.entries", "entries", value_count=len(values), seats_at_most=SEATS_AT_MOST
        )
        return ()
    entries: list[Entry] = []
    seats: set[int] = set()
    blocks = in_blocks(values, lambda block: usual_entries(block, players, seats))
    for first, block, usual in blocks:
        if usual is not None:
            entries += usual
            continue
        for position, value in enumerate(block, start=first):
            entry = _read_entry(section, value, position, players)
            if entry is None:
                continue
            if entry.seat in seats:
                section.findings.add(
                    "seat-twice.entries",
                    f"{section.where}, seat {entry.seat}",
                    position=position,
                    seat=entry.seat,
                )
            seats.add(entry.seat)
            entries.append(entry)
    return tuple(entries)


def _read_entry(
    section: Fields, value: object, position: int, players: Mapping[str, PlayerFacts]
) -> Entry | None:
    seat = value.get("seat") if isinstance(value, dict) else None
    seated = isinstance(seat, int) and not isinstance(seat, bool)
    where = f"{section.where}, " + (f"seat {shown(seat)}" if seated else f"entry {position} of the list")
    one = open_object(section.findings, value, where, ENTRY_KEYS)
    if one is None:
        return None
    one.require("seat", "player", "rounds")
    number = one.whole("seat", 1, SEATS_AT_MOST)
    player = one.text("player")
    if one.values.get("player") == player and player not in players:
        one.add("player-unknown", "player", player=shown(player))
    rounds = _read_rounds(one)
    update = bool(one.flag("update"))
    floor_request = one.choice("floor_request", FloorRequest, "floor-request-unknown.choice")
    return None if number is None else Entry(number, player, rounds, update, floor_request)


def _read_rounds(entry: Fields) -> tuple[Cell, ...]:
    values = entry.items("rounds")
    if len(values) > ROUNDS_AT_MOST:
        entry.add("too-many-rounds.rounds", "rounds", value_count=len(values), rounds_at_most=ROUNDS_AT_MOST)
        return ()
    cells = []
    for number, value in enumerate(values, start=1):
        if value is None:
            cells.append(EMPTY_CELL)
            continue
        if not isinstance(value, str):
            entry.add("type-wrong.rounds", f"round {number}", value=shown(value))
            continue
        cell = parse_cell(value)
        if cell is None:
            entry.add("cell-unreadable.report-cells", f"round {number}", text=shown(value))
            continue
        cells.append(cell)
    return tuple(cells)


def _check_birth_dates(
    findings: Findings, event: Event, players: Mapping[str, PlayerFacts], sections: tuple[Section, ...]
) -> None:
    """Report players who were born after the event."""
    ends = [section.end for section in sections]
    if event.end is not None:
        ends.append(event.end)
    if not ends:
        return
    last = max(ends)
    for player in players.values():
        if player.birth_date is not None and player.birth_date > last:
            # The date itself is private and stays out of the message.
            findings.add("birth-date-after-event.birth-dates", f"player {player.id}, birth_date", end=last)

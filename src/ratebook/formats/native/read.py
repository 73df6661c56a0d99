"""The native report, ``ratebook-report/1``: JSON that holds everything that rating one event needs.

Every shape, key and value is checked, and all that is wrong is found at once; nothing here raises.
"""

from collections.abc import Mapping
from datetime import date

from ratebook.findings import Findings, Place
from ratebook.formats.contract import SEATS_AT_MOST, Hints, ParsedReport
from ratebook.formats.hints import check_event, chosen_file, note_unused_hints
from ratebook.formats.reading.fields import Fields, open_object, shown
from ratebook.formats.reading.json import load_json
from ratebook.formats.reading.kinds import LIST
from ratebook.formats.reading.tables import ENTRY, EVENT, PRIZE, SECTION, check_dates, read_player
from ratebook.formats.reading.text import first_character
from ratebook.formats.source import Source
from ratebook.model import Entry, Event, PlayerFacts, Report, Section, SectionPrize

REPORT_FORMAT = "ratebook-report/1"

REPORT_KEYS = frozenset({"format", "event", "players", "sections", "prizes"})

_KEYS_TOLD = 2

# What a section's dates and an entry's player are compared with comes before the fields that follow them.
_DATED = Section._fields.index("end") + 1
_ENTRIES = Section._fields.index("entries")
_SEATED = Entry._fields.index("player") + 1


def parse_native_json(data: bytes, name: str) -> ParsedReport:
    """Return the report in *data*, the contents of the file *name*, with all findings.

    >>> parse_native_json(b'{"format": 1', "quad.json").findings[0].where
    'quad.json, line 1, column 13'
    """
    return _read(Findings(), data, name)


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the one native file of *source*; *hints* fill what its sections leave open."""
    findings = Findings(is_tentative=hints.is_tentative)
    file = chosen_file(findings, source, _has_native_keys)
    if file is None:
        return ParsedReport(None, findings.of_file(source.name))
    parsed = _read(findings, file.data, file.name)
    if parsed.report is None:
        return parsed
    check_event(findings, file.place, parsed.report.event.id, hints)
    filled, used = completed(parsed.report, hints)
    report: Report | None = filled
    note_unused_hints(findings, file.place, hints, "A native report", used=("event", *used))
    if findings.has_errors:
        report = None
    elif any(section.start is None for section in filled.sections):
        findings.add("start-missing.native", file.place)
    return parsed._replace(report=report, findings=findings.of_file(file.name))


def completed(report: Report, hints: Hints) -> tuple[Report, tuple[str, ...]]:
    """Return *report* with the start and the time control of *hints* where a section has none, and which were used."""
    used = set()
    sections = []
    for section in report.sections:
        filled = section
        if hints.start is not None and section.start is None:
            used |= {"start"}
            filled = filled._replace(start=min(hints.start, section.end))
        if hints.time_control is not None and section.time_control is None:
            used |= {"time_control"}
            filled = filled._replace(time_control=hints.time_control)
        sections.append(filled)
    return report._replace(sections=tuple(sections)), tuple(used)


def looks_like(source: Source) -> bool:
    """Return whether a file of *source* is a JSON object that names its format, or has two keys of a native report."""
    return any(_has_native_keys(file.data) for file in source.files)


def _has_native_keys(data: bytes) -> bool:
    if first_character(data) != b"{":
        return False
    if REPORT_FORMAT.encode() in data:
        return True
    if b'"format"' not in data and sum(f'"{key}"'.encode() in data for key in REPORT_KEYS) < _KEYS_TOLD:
        return False
    values = load_json(Findings(), data, "")
    # One that cannot be parsed is read all the same: the finding says where it breaks.
    if not isinstance(values, dict):
        return True
    return "format" in values or len(REPORT_KEYS.intersection(values)) >= _KEYS_TOLD


def _read(findings: Findings, data: bytes, name: str) -> ParsedReport:
    values = load_json(findings, data, name, mark_repeated=True)
    if values is None:
        return ParsedReport(None, findings.of_file(name))
    fields = open_object(findings, values, Place(file=name), REPORT_KEYS)
    if fields is None or not _is_native(fields):
        return ParsedReport(None, findings.of_file(name))
    fields.require("players", "sections")
    event = _read_event(fields)
    players = _read_players(fields)
    # What was read of a large report makes room for the rest.
    fields.values.pop("players", None)
    sections = _read_sections(fields, event, players)
    prizes = _read_prizes(fields)
    _check_birth_dates(findings, event, players, sections)
    if findings.has_errors:
        return ParsedReport(None, findings.of_file(name))
    return ParsedReport(Report(event, players, sections, prizes), findings.of_file(name))


def _is_native(fields: Fields) -> bool:
    value = fields.values.get("format")
    if value == REPORT_FORMAT:
        return True
    if value is None:
        # The rest is worth reading: most likely only this line is missing.
        fields.add("key-missing.format", "format")
        return True
    fields.add("format-wrong", "format", value=shown(value), report_format=REPORT_FORMAT)
    return False


def _read_event(fields: Fields) -> Event:
    value, place = fields.values.get("event"), Place(subject="event")
    event = None if value is None else EVENT.read_object(fields.findings, value, place)
    return event or Event()


def _read_players(fields: Fields) -> Mapping[str, PlayerFacts]:
    players: dict[str, PlayerFacts] = {}
    values = fields.read("players", LIST) or []
    for position, value in enumerate(values, start=1):
        player = read_player(fields.findings, value, position)
        if player is None:
            continue
        if player.id in players:
            fields.findings.add("player-twice", Place(players=(player.id,), position=position))
            continue
        players[player.id] = player
    return players


def _read_sections(fields: Fields, event: Event, players: Mapping[str, PlayerFacts]) -> tuple[Section, ...]:
    values = fields.read("sections", LIST) or []
    if isinstance(fields.values.get("sections"), list) and not values:
        fields.add("sections-empty.no-section", "sections")
    sections = []
    numbers = set()
    for position, value in enumerate(values, start=1):
        number = _number_in(value, "number")
        where = Place(subject="sections", position=position) if number is None else Place(section=number)
        section_fields = open_object(fields.findings, value, where, SECTION.keys)
        section = None if section_fields is None else _read_section(section_fields, event, players)
        if section_fields is None or section is None:
            continue
        if section.number in numbers:
            section_fields.add("section-number-twice.other-section", "number", number=section.number)
        numbers.add(section.number)
        sections.append(section)
    return tuple(sections)


def _read_prizes(fields: Fields) -> tuple[SectionPrize, ...]:
    values = fields.read("prizes", LIST) or []
    read = (
        PRIZE.read_object(fields.findings, value, Place(prize=position))
        for position, value in enumerate(values, start=1)
    )
    return tuple(prize for prize in read if prize is not None)


def _number_in(value: object, key: str) -> int | None:
    number = value.get(key) if isinstance(value, dict) else None
    return number if type(number) is int else None


def _read_section(fields: Fields, event: Event, players: Mapping[str, PlayerFacts]) -> Section | None:
    written = fields.values
    fields.require(*SECTION.required)
    (number, name, start, end), usable = SECTION.values(fields, last=_DATED)
    start = event.start if written.get("start") is None else start
    if written.get("end") is None:
        end = event.end
        if end is None:
            fields.add("end-missing.in-section", "end")
    if written.get("start") is not None or written.get("end") is not None:
        check_dates(fields, start, end)
    facts, _ = SECTION.values(fields, _DATED, _ENTRIES)
    entries = _read_entries(fields, players)
    more, _ = SECTION.values(fields, _ENTRIES + 1)
    values = (number, name, start, end, *facts, entries, *more)
    return Section._make(values) if usable and number and end else None


def _read_entries(section: Fields, players: Mapping[str, PlayerFacts]) -> tuple[Entry, ...]:
    values = section.read("entries", LIST) or []
    if isinstance(section.values.get("entries"), list) and not values:
        section.add("entries-empty.no-entry", "entries")
    if len(values) > SEATS_AT_MOST:
        count, bound = len(values), SEATS_AT_MOST
        section.add("too-many-entries.in-section", "entries", value_count=count, seats_at_most=bound)
        return ()
    entries: list[Entry] = []
    seats: set[int] = set()
    for position, value in enumerate(values, start=1):
        entry = _read_entry(section, value, position, players)
        if entry is None:
            continue
        if entry.seat in seats:
            place = section.where.but(seats=(entry.seat,))
            section.findings.add("seat-twice.entry", place, position=position, seat=entry.seat)
        seats.add(entry.seat)
        entries.append(entry)
    return tuple(entries)


def _read_entry(
    section: Fields, value: object, position: int, players: Mapping[str, PlayerFacts]
) -> Entry | None:
    number = _number_in(value, "seat")
    place = section.where.but(position=position) if number is None else section.where.but(seats=(number,))
    fields = open_object(section.findings, value, place, ENTRY.keys)
    if fields is None:
        return None
    fields.require(*ENTRY.required)
    (seat, player), _ = ENTRY.values(fields, last=_SEATED)
    if player not in players and fields.values.get("player") == player:
        fields.add("player-unknown", "player", player=shown(player))
    facts, _ = ENTRY.values(fields, _SEATED)
    return None if seat is None else Entry(seat, player, *facts)


def _check_birth_dates(
    findings: Findings, event: Event, players: Mapping[str, PlayerFacts], sections: tuple[Section, ...]
) -> None:
    ends = [section.end for section in sections] + ([] if event.end is None else [event.end])
    last = max(ends, default=date.max)
    for player in players.values():
        if player.birth_date is not None and player.birth_date > last:
            # The date itself is private and stays out of the message.
            place = Place(players=(player.id,), field="birth_date")
            findings.add("birth-date-after-event.after-event", place, end=last)

"""Events of SwissSys 11 (``.sjson``): reading only (docs/formats/swisssys.md).

The file is what a director works with, and it says more than the DBF files that SwissSys makes of it: the opponents in
forfeited games. It also holds e-mail addresses, telephone numbers and the passcode of a pairing site, none of which is
read.
"""

from collections.abc import Iterator
from datetime import date
from types import MappingProxyType

from ratebook.findings import Findings, Place
from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST, Hints, ParsedReport
from ratebook.formats.hints import Schedule, chosen_file, completed, note_hints_beside, own_id, seat_id
from ratebook.formats.reading.cells import EMPTY_CELL, small_number
from ratebook.formats.reading.dates import Days, told_orders
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING, Fields, shown
from ratebook.formats.reading.json import load_json
from ratebook.formats.reading.kinds import FLAG, TEXT, Whole
from ratebook.formats.reading.text import first_character
from ratebook.formats.source import Source
from ratebook.model import Cell, Entry, Event, PlayerFacts, Report, Section, SectionType, Sex

ORIGIN = "A SwissSys file"
_MARKS = (b'"Overview"', b'"Sections"', b'"Tournament title"')
_LETTERS = {"+": "W", "-": "L", "=": "D", "X": "X", "F": "F", "B": "B", "H": "H", "U": "U"}
_WITH_OPPONENT = frozenset("WLDXF")
_PAIRED = "~"
"""A pairing without a result."""
_COLOURS = {"W": "w", "B": "b"}
_SEXES = {"F": Sex.FEMALE, "M": Sex.MALE}
_ROUND_ROBIN = 3
_SEAT = Whole(1, SEATS_AT_MOST)
_ROUNDS = Whole(0, ROUNDS_AT_MOST)
_RATING = Whole(LOWEST_RATING, HIGHEST_RATING, "rating-out-of-range")


def looks_like(source: Source) -> bool:
    """Return whether a file of *source* is an event of SwissSys."""
    return any(_is_event(file.data) for file in source.files)


def _is_event(data: bytes) -> bool:
    return first_character(data) == b"{" and all(mark in data for mark in _MARKS)


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in *source*, with all findings; sections that were not played or are not rated are left out."""
    findings = Findings(is_tentative=hints.is_tentative)
    file = chosen_file(findings, source, _is_event)
    values = None if file is None else load_json(findings, file.data, file.name)
    report = None
    if isinstance(values, dict):
        report = _EventReader(findings, values, source.name, hints).report()
    return ParsedReport(None if findings.has_errors else report, findings.of_file(source.name))


class _EventReader:
    """Reads an event, and gathers the players of its sections."""

    def __init__(self, findings: Findings, values: dict[str, object], name: str, hints: Hints) -> None:
        self._findings = findings
        self._file = Place(file=name)
        self._sections = values.get("Sections")
        self._hints = hints
        overview = values.get("Overview")
        self._overview = Fields(findings, overview if isinstance(overview, dict) else {}, self._file)
        days = " ".join(str(self._overview.values.get(key)) for key in ("Starting date", "Ending date"))
        self._days = Days(findings, hints.day_order, lambda: told_orders(days))
        self._players: dict[str, PlayerFacts] = {}
        self._stated: list[Schedule] = []

    def report(self) -> Report:
        """Return the whole report."""
        event = Event(
            name=_text(self._overview, "Tournament title"),
            start=self._day("Starting date"),
            end=self._day("Ending date"),
            city=_text(self._overview, "Event city"),
            state=_text(self._overview, "Event state"),
            postal_code=_text(self._overview, "Event zip code"),
        )
        sections = [
            section
            for number, fields in enumerate(self._rated(), start=1)
            if (section := self._section(number, fields, event)) is not None
        ]
        if not sections and not self._findings.has_errors:
            self._findings.add("entries-empty.swisssys", self._file)
        self._days.note(self._file.file)
        note_hints_beside(self._findings, self._file, self._hints, ORIGIN, self._stated, used=("online",))
        return Report(event, MappingProxyType(self._players), tuple(sections))

    def _day(self, key: str) -> date | None:
        text = _text(self._overview, key)
        return self._days.read(self._overview.place(key), text) if text else None

    def _rated(self) -> Iterator[Fields]:
        """Yield the sections that were played and are rated; name the others."""
        for position, values in enumerate(_objects(self._sections), start=1):
            fields = Fields(self._findings, values, self._file.but(position=position))
            name = shown(_text(fields, "Section name"))
            if not fields.read("Rounds played", _ROUNDS):
                self._findings.add("section-left-out.not-played", fields.where, name=name)
            elif fields.read("Exclude from ratings", FLAG):
                self._findings.add("section-left-out.not-rated", fields.where, name=name)
            else:
                yield fields

    def _section(self, number: int, fields: Fields, event: Event) -> Section | None:
        fields.where = where = Place(section=number)
        stated = Schedule(
            event.start,
            event.end,
            _text(fields, "Section time control")
            or _text(self._overview, "Tournament time controls")
            or None,
            SectionType.ROUND_ROBIN if fields.values.get("Type") == _ROUND_ROBIN else SectionType.SWISS,
        )
        self._stated.append(stated)
        schedule = completed(self._findings, where, stated, self._hints, ORIGIN)
        rounds = fields.read("Rounds played", _ROUNDS) or 0
        entries = [self._entry(where, values, rounds) for values in _objects(fields.values.get("Players"))]
        name = _text(fields, "Section title") or _text(fields, "Section name").replace("_", " ")
        seated = [entry for entry in entries if entry is not None]
        return schedule.section(number, name, seated, online=self._hints.online)

    def _entry(self, section: Place, values: dict[str, object], rounds: int) -> Entry | None:
        fields = Fields(self._findings, values, section)
        seat = fields.read("Pair number", _SEAT) if fields.require("Pair number") else None
        if seat is None:
            return None
        fields.where = section.but(seats=(seat,))
        member = own_id(self._findings, fields.place("ID"), _text(fields, "ID"))
        player = member or seat_id(section.section or 1, seat)
        if player not in self._players:
            rating = fields.read("Rating", _RATING) if values.get("Rating") else None
            self._players[player] = PlayerFacts(
                player,
                _text(fields, "Name"),
                pairing_rating=float(rating) if rating else None,
                sex=_SEXES.get(_text(fields, "Sex")),
                title=_text(fields, "Player title"),
                club=_text(fields, "Club"),
                state=_text(fields, "State"),
            )
        results = values.get("Results")
        texts = [text for text in results if isinstance(text, str)] if isinstance(results, list) else []
        cells = [self._cell(fields.where.but(round=at), text) for at, text in enumerate(texts[:rounds], 1)]
        return Entry(seat, player, tuple(cells) + (EMPTY_CELL,) * (rounds - len(cells)))

    def _cell(self, where: Place, text: str) -> Cell:
        """Return a round; its first parts are the result, the number of the opponent and the colour."""
        result, opponent, colour, *_ = (*text.split(";"), "", "")
        letter = _LETTERS.get(result)
        if letter is None:
            self._findings.add(
                "result-missing.swisssys" if result == _PAIRED else "cell-unreadable.swisssys",
                where,
                text=shown(text),
            )
            return EMPTY_CELL
        # Byes have a number, too, which is no seat.
        if letter not in _WITH_OPPONENT:
            return Cell(letter)
        return Cell(letter, small_number(opponent) or None, _COLOURS.get(colour, ""))


def _text(fields: Fields, key: str) -> str:
    return (fields.read(key, TEXT) or "").strip()


def _objects(values: object) -> list[dict[str, object]]:
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []

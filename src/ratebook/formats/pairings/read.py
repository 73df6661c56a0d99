"""Lists of pairings with results, by round and board, as a director writes them (docs/formats/pairings.md).

The player named first has White. Who has no number gets one by rating, as pairing programs number players.
"""

from collections.abc import Sequence
from types import MappingProxyType

from ratebook.findings import Findings, Place
from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.hints import (
    Schedule,
    chosen_file,
    completed,
    is_placeholder,
    note_unused_hints,
    seat_id,
)
from ratebook.formats.pairings.lines import PairedRound, PairedSection, Side, is_board, round_of, sections_of
from ratebook.formats.pairings.people import PairedPeople, PairedPerson
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.fields import rating_in_range, readable, shown
from ratebook.formats.reading.page import TableHead, heads_of
from ratebook.formats.reading.text import decoded_text
from ratebook.formats.source import Source
from ratebook.model import Cell, Entry, Event, PlayerFacts, Report, Section, SectionType

ORIGIN = "A list of pairings"
MOST_LINES = 20_000
_BEGINNING = 1 << 16
_LINES_BELOW = 12
_ROUND_WORDS = (b"round", b"rd", b"rnd", b"runde", b"ronde")


def looks_like(source: Source) -> bool:
    """Return whether a file of *source* has a heading of a round with a result between two players below it."""
    return any(_fits(file.data) for file in source.files)


def _fits(data: bytes) -> bool:
    beginning = data[:_BEGINNING]
    lowered = beginning.lower()
    if b"\0" in beginning or not any(word in lowered for word in _ROUND_WORDS):
        return False
    lines = decoded_text(beginning)[0].split("\n")
    return any(
        round_of(line) and any(map(is_board, lines[at : at + _LINES_BELOW]))
        for at, line in enumerate(lines, start=1)
    )


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the one list of pairings of *source*, with all findings."""
    findings = Findings()
    file = chosen_file(findings, source, _fits)
    if file is None:
        return ParsedReport(None, findings.of_file(source.name))
    lines = decoded_text(file.data)[0].split("\n")
    if len(lines) > MOST_LINES:
        findings.add("file-too-large", file.place, much=f"more than {MOST_LINES:,} lines")
        return ParsedReport(None, findings.of_file(file.name))
    listed = sections_of(lines)
    heads = heads_of([section.above for section in listed])
    stated = [head.played for head in heads]
    used = [field for field in Schedule._fields if any(getattr(played, field) is None for played in stated)]
    note_unused_hints(findings, file.place, hints, ORIGIN, ("online", "event", *used))
    players: dict[str, PlayerFacts] = {}
    sections = [
        _SectionReader(findings, file.place, number, section).section(head, hints, players)
        for number, (section, head) in enumerate(zip(listed, heads, strict=True), start=1)
    ]
    left = [line for section in listed for line in section.left]
    if left:
        findings.add("pairing-lines-left", file.place.but(line=left[0]), count=len(left))
    if findings.has_errors:
        return ParsedReport(None, findings.of_file(file.name))
    read = [section for section in sections if section is not None]
    event = Event(
        id=next((head.event_id for head in heads if head.event_id), ""),
        name=next((head.event for head in heads if head.event), ""),
        start=min((section.start for section in read if section.start is not None), default=None),
        end=max(section.end for section in read),
    )
    return ParsedReport(Report(event, MappingProxyType(players), tuple(read)), findings.of_file(file.name))


class _SectionReader:
    """Reads one section; its players are added to those that are known of others."""

    def __init__(self, findings: Findings, file: Place, number: int, listed: PairedSection) -> None:
        self._findings = findings
        self._file = file
        self._number = number
        self._listed = listed
        self._people = PairedPeople(findings, listed, number)
        self._seats = _seats_of(self._people.persons)
        rounds = max(paired.number for paired in listed.rounds)
        self._rows = [[EMPTY_CELL] * rounds for _ in self._seats]

    def section(self, head: TableHead, hints: Hints, players: dict[str, PlayerFacts]) -> Section | None:
        """Return the section, None where its last day is not known."""
        for line, text in self._listed.unread:
            self._findings.add("pairing-unreadable", self._file.but(line=line), text=shown(text))
        played = completed(self._findings, Place(section=self._number), head.played, hints, ORIGIN)
        for paired in self._listed.rounds:
            self._enter(paired)
        entries = []
        for at in sorted(range(len(self._seats)), key=self._seats.__getitem__):
            person, seat = self._people.persons[at], self._seats[at]
            key = seat_id(self._number, seat) if is_placeholder(person.member) else person.member
            players.setdefault(key, self._facts_of(key, seat, person))
            entries.append(Entry(seat, key, tuple(self._rows[at])))
        if played.end is None:
            return None
        return Section(
            number=self._number,
            name=head.section,
            start=played.start,
            end=played.end,
            time_control=played.time_control,
            type=played.type or SectionType.OTHER,
            online=hints.online,
            half_k=False,
            youth=False,
            entries=tuple(entries),
        )

    def _facts_of(self, key: str, seat: int, person: PairedPerson) -> PlayerFacts:
        where = Place(section=self._number, seats=(seat,))
        if not readable(person.name):
            self._findings.add("text-unreadable.name", where, text=shown(person.name))
        if person.rating is not None:
            rating_in_range(self._findings, where, person.rating)
        return PlayerFacts(key, person.name, pairing_rating=person.rating)

    def _enter(self, paired: PairedRound) -> None:
        """Enter the games and byes of a round; report who plays twice in it, and games without a result."""
        lines: dict[int, int] = {}
        for number, board in enumerate(paired.boards, start=1):
            white, black = self._people.of(board.white), self._people.of(board.black)
            if white is None or black is None:
                continue
            where = self._file.but(line=board.white.line, round=paired.number, board=number)
            if white == black:
                name = shown(self._people.persons[white].name)
                self._findings.add("pairing-with-oneself", where, name=name)
            elif board.letters is None:
                seats = (self._seats[white], self._seats[black])
                self._findings.add("result-missing.pairing", where.but(seats=seats))
            else:
                self._enter_cell(paired, lines, board.white, Cell(board.letters[0], self._seats[black], "w"))
                self._enter_cell(paired, lines, board.black, Cell(board.letters[1], self._seats[white], "b"))
        for bye in paired.byes:
            self._enter_cell(paired, lines, bye.side, Cell(bye.letter))

    def _enter_cell(self, paired: PairedRound, lines: dict[int, int], side: Side, cell: Cell) -> None:
        at = self._people.of(side)
        if at is None:
            return
        if at in lines:
            self._findings.add(
                "pairing-twice",
                self._file.but(line=side.line),
                name=shown(self._people.persons[at].name),
                round=paired.number,
                first=lines[at],
            )
        lines[at] = side.line
        self._rows[at][paired.number - 1] = cell


def _seats_of(persons: Sequence[PairedPerson]) -> list[int]:
    """Return the number of each player: the list's own, or else in the order of the ratings."""
    own = [person.number for person in persons]
    if all(own) and len({*own}) == len(own):
        return own
    order = sorted(range(len(persons)), key=lambda at: -(persons[at].rating or 0))
    seats = dict(zip(order, range(1, len(order) + 1), strict=True))
    return [seats[at] for at in range(len(persons))]

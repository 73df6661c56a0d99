"""Lists of pairings with results, by round and board, as a director writes them (docs/formats/pairings.md).

The player named first has White. Who has no number gets one by rating, as pairing programs number players.
"""

import csv
from collections import Counter
from collections.abc import Sequence

from ratebook.findings import Findings, Place
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import ROUNDS_AT_MOST, Hints, ParsedReport
from ratebook.formats.hints import (
    chosen_file,
    is_placeholder,
    note_hints_beside,
    note_other_files,
    seat_id,
    section_name,
)
from ratebook.formats.pairings.lines import (
    ROUND_WORDS,
    PairedRound,
    PairedSection,
    Side,
    is_board,
    lines_apart,
    round_of,
    sections_of,
    with_rounds,
)
from ratebook.formats.pairings.people import PairedPeople, PairedPerson
from ratebook.formats.pairings.roster import roster_in
from ratebook.formats.pairings.table import is_evening, sections_in, table_of_games
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.dates import Days, told_orders
from ratebook.formats.reading.fields import rating_in_range, readable, shown
from ratebook.formats.reading.page import TableHead, completed_head, heads_of, report_below
from ratebook.formats.reading.text import decoded_text
from ratebook.formats.source import Source
from ratebook.model import Cell, Entry, PlayerFacts, Section, SectionType

ORIGIN = "A list of pairings"
MOST_LINES = 20_000
_BEGINNING = 1 << 16
_LINES_BELOW = 12


def looks_like(source: Source) -> bool:
    """Return whether a file of *source* has a table of games, or a result between two players below a round."""
    return any(map(_has_table, source.files)) or any(_fits(file.data) for file in source.files)


def _has_table(file: SourceFile) -> bool:
    return (table := table_of_games(file)) is not None and (table.tells_rounds or is_evening(file))


def _fits(data: bytes) -> bool:
    beginning = data[:_BEGINNING]
    text = "" if b"\0" in beginning else decoded_text(beginning)[0]
    lines = with_rounds(text.split("\n"))
    if not any(map(ROUND_WORDS.search, lines)):
        return False
    lines = [line for _, line in lines_apart(lines)]
    return any(
        round_of(line) and any(map(is_board, lines[at : at + _LINES_BELOW]))
        for at, line in enumerate(lines, start=1)
    )


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the one list of pairings of *source*, or in its tables, with all findings."""
    findings = Findings(is_tentative=hints.is_tentative)
    files, roster = _files_of(findings, source)
    if not files:
        return ParsedReport(None, findings.of_file(source.name))
    tables = [file for file in files if _has_table(file)]
    file = files[0] if len(files) == 1 else source
    texts = [decoded_text(table.data)[0] for table in files]
    if sum(text.count("\n") for text in texts) > MOST_LINES:
        findings.add("file-too-large", file.place, much=f"more than {MOST_LINES:,} lines")
        return ParsedReport(None, findings.of_file(file.name))
    try:
        lines = texts[0].split("\n")
        rounds = with_rounds(lines)
        listed = sections_in(tables) if tables else sections_of(rounds)
        if any(map(is_evening, tables)) or (rounds is not lines and len(listed[0].rounds) == 1):
            findings.add("pairing-rounds-untold", file.place)
    except csv.Error as failure:
        findings.add("csv-unreadable", file.place, failure=failure)
        return ParsedReport(None, findings.of_file(file.name))
    days = Days(findings, hints.day_order, lambda: sum(map(told_orders, texts), Counter()))
    titles = heads_of([section.above for section in listed], days.mentioned, names_event=True)
    pairs = zip(listed, titles, strict=True)
    heads = [_with_days(section, head, days, file.place) for section, head in pairs]
    note_hints_beside(findings, file.place, hints, ORIGIN, [head.played for head in heads])
    if not listed:
        findings.add("entries-empty.no-row", file.place)
    last = max((paired.number for section in listed for paired in section.rounds), default=0)
    if last > ROUNDS_AT_MOST:
        findings.add("too-many-rounds.stated", file.place, rounds=last, rounds_at_most=ROUNDS_AT_MOST)
        return ParsedReport(None, findings.of_file(file.name))
    players: dict[str, PlayerFacts] = {}
    readers = [
        _SectionReader(findings, file.place, number, section, days, roster)
        for number, section in enumerate(listed, start=1)
    ]
    sections = [reader.section(head, hints, players) for reader, head in zip(readers, heads, strict=True)]
    if left := [line for reader in readers for line in reader.left]:
        findings.add("pairing-lines-left", file.place.but(line=left[0]), count=len(left))
    if findings.has_errors:
        return ParsedReport(None, findings.of_file(file.name))
    return ParsedReport(report_below(heads, players, sections), findings.of_file(file.name))


def _files_of(findings: Findings, source: Source) -> tuple[list[SourceFile], list[Side]]:
    """Return the files with rounds, none with a finding, and the players whom another file lists."""
    tables = [file for file in source.files if _has_table(file)]
    roster = roster_in([file for file in source.files if file not in tables and not _fits(file.data)])
    if roster is not None:
        findings.add("players-from-file", source.place, name=shown(roster.file.name))
        source = source._replace(files=tuple(file for file in source.files if file != roster.file))
    if tables:
        note_other_files(findings, source, tables)
        numbers = [round_of(section_name(file.name)) for file in tables]
        if all(numbers) and len({*numbers}) == len(numbers):
            # Archives have their files in any order.
            tables.sort(key=lambda file: round_of(section_name(file.name)))
    else:
        tables = [chosen] if (chosen := chosen_file(findings, source, _fits)) else []
    return tables, [*roster.players(findings)] if roster else []


def _with_days(section: PairedSection, head: TableHead, days: Days, place: Place) -> TableHead:
    """Return *head* with the first and the last day of the games of a table, if it says them."""
    played = [days.read(place.but(line=line), text) for line, text in section.days]
    known = [day for day in played if day is not None]
    return head._replace(played=head.played._replace(start=min(known), end=max(known))) if known else head


class _SectionReader:
    """Reads one section; its players are added to those that are known of others."""

    def __init__(  # noqa: PLR0913, PLR0917 - what all sections have, and what is of this one
        self,
        findings: Findings,
        file: Place,
        number: int,
        listed: PairedSection,
        days: Days,
        roster: Sequence[Side],
    ) -> None:
        self._findings = findings
        self._days = days
        self._file = file
        self._number = number
        self._listed = listed
        self._people = PairedPeople(findings, listed, number, roster)
        self._seats = _seats_of(self._people.persons)
        self._of_players = [line for line in listed.left if self._people.named_in(line[1])]
        self.left = [line for line, text in listed.left if (line, text) not in self._of_players]
        rounds = max(paired.number for paired in listed.rounds)
        self._rows = [[EMPTY_CELL] * rounds for _ in self._seats]

    def section(self, head: TableHead, hints: Hints, players: dict[str, PlayerFacts]) -> Section | None:
        """Return the section, None where its last day is not known."""
        for line, text in sorted((*self._listed.unread, *self._of_players)):
            where = self._file.but(line=line)
            if is_board(text):
                self._findings.add("pairing-unreadable.above-rounds", where, text=shown(text))
                continue
            match self._people.named_in(text):
                case [name] if (line, text) in self._of_players:
                    self._findings.add("pairing-unreadable.bye", where, text=shown(text), name=name)
                case [first, second]:
                    self._findings.add(
                        "pairing-unreadable.game", where, text=shown(text), first=first, second=second
                    )
                case _:
                    self._findings.add("pairing-unreadable.line", where, text=shown(text))
        place = Place(section=self._number)
        unread = bool(self._listed.days)
        played = completed_head(self._findings, place, head, hints, ORIGIN, self._days, end_is_unread=unread)
        for paired in self._listed.rounds:
            self._enter(paired)
        entries = []
        for at in sorted(range(len(self._seats)), key=self._seats.__getitem__):
            person, seat = self._people.persons[at], self._seats[at]
            key = seat_id(self._number, seat) if is_placeholder(person.member) else person.member
            players.setdefault(key, self._facts_of(key, seat, person))
            entries.append(Entry(seat, key, tuple(self._rows[at])))
        is_match = self._listed.is_match and len(entries) == len(("one", "another"))
        usual = SectionType.MATCH if is_match else SectionType.OTHER
        return played.section(self._number, head.section, entries, online=hints.online, usual=usual)

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
                of_white, of_black = ("w", "b") if board.has_colours else ("", "")
                cell = Cell(board.letters[0], self._seats[black], of_white)
                self._enter_cell(paired, lines, board.white, cell)
                cell = Cell(board.letters[1], self._seats[white], of_black)
                self._enter_cell(paired, lines, board.black, cell)
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

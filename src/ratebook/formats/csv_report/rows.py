"""The rows of a CSV report: which section and seat each one is, who sits there, and what happened."""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType

from ratebook.formats.contract import SEATS_AT_MOST, SECTIONS_AT_MOST, Findings, Hints
from ratebook.formats.csv_report.columns import (
    EVENT_COLUMNS,
    KNOWN_COLUMNS,
    RATING_COLUMNS,
    SECTION_COLUMNS,
    SYSTEM_COLUMNS,
    Header,
)
from ratebook.formats.hints import seat_id
from ratebook.formats.reading.cells import parse_cell
from ratebook.formats.reading.fields import MOST_GAMES, close_match, rating_in_range, readable, shown
from ratebook.formats.reading.kinds import Word
from ratebook.formats.reading.spreadsheet import unguarded
from ratebook.model import Entry, FloorRequest, PlayerFacts, Rating, System

FLAGS = {
    **dict.fromkeys(("yes", "y", "true", "t", "x", "1"), True),
    **dict.fromkeys(("", "no", "n", "false", "f", "0"), False),
}

_FACTS_OF_EVENT = tuple(column for column in EVENT_COLUMNS if column != "event_id")
_NUMBERS_KEPT = 4_096
_SEAT_DIGITS = 4
_UNRATED = frozenset({"", "0", "unr", "unr.", "unrated"})
_NUMBER = re.compile(r"([0-9]{1,6}(?:[.,][0-9]{1,20})?)(?:\s*[Pp/]\s*([0-9]{1,2}))?", re.ASCII)


@functools.lru_cache(maxsize=_NUMBERS_KEPT)
def _number(text: str) -> tuple[float, float | None] | None:
    """Return the number in *text*, whatever its decimal sign, and the games of a provisional rating behind it.

    >>> _number("1641,5"), _number("1641P17"), _number("about 1600")
    ((1641.5, None), (1641.0, 17.0), None)
    """
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    return float(found[1].replace(",", ".")), None if found[2] is None else float(found[2])


def read_flag(findings: Findings, where: str, text: str) -> bool:
    """Return whether *text* says yes; what says neither yes nor no is an error."""
    answer = FLAGS.get(text.lower())
    if answer is None:
        findings.add("flag-unreadable", where, text=shown(text))
    return bool(answer)


def read_word(findings: Findings, where: str, text: str, words: type[Word], unknown: str) -> Word | None:
    """Return the one of *words* that *text* is, None with the finding *unknown*."""
    known = frozenset(word.value for word in words)
    if text.lower() in known:
        return words(text.lower())
    findings.add(unknown, where, text=shown(text), text_2=close_match(text, known))
    return None


class SectionRows:
    """The rows of one section: its seats, and what the rows say of it by column, with the number of the row."""

    __slots__ = ("entries", "facts", "number", "seats", "seen")

    def __init__(self, number: int) -> None:
        self.number = number
        self.facts: dict[str, tuple[str, int]] = {}
        self.entries: list[Entry] = []
        self.seats: set[int] = set()
        self.seen: set[tuple[str, ...]] = set()


class Rows:
    """Reads the rows of a file one by one.

    Attributes:
        event: what the rows say of the event, by column; the text, and the row that says it.
        sections, players: in the order in which they first occur.
        others: number of rows that belong to other events than the one asked for.
    """

    def __init__(self, findings: Findings, header: Header, hints: Hints) -> None:
        self._findings = findings
        self._header = header
        self.columns = header.places.keys()
        self._wanted = hints.event
        self._event_text = ""
        self._skipping = False
        self._section: SectionRows | None = None
        self._by_text: dict[str, SectionRows] = {}
        self._raw_ratings: dict[str, tuple[str, ...]] = {}
        self._seen_events: set[tuple[str, ...]] = set()
        self.event_ids: dict[str, None] = {}
        self.event: dict[str, tuple[str, int]] = {}
        self.sections: dict[int, SectionRows] = {}
        self.players: dict[str, PlayerFacts] = {}
        self.others = 0
        # A column that is missing is the last cell, which is added to each row and empty.
        self._at = at = {column: header.places.get(column, -1) for column in KNOWN_COLUMNS}
        self._pick_event = itemgetter(*(at[column] for column in _FACTS_OF_EVENT))
        self._pick_section = itemgetter(*(at[column] for column in SECTION_COLUMNS))
        self._pick_ratings = itemgetter(
            *(
                # The games of a rating that has no column say nothing.
                at[column] if column.removesuffix("_games") in header.places else -1
                for column in RATING_COLUMNS
            )
        )

    def read(self, number: int, row: list[str]) -> None:
        """Read the row *number*."""
        if len(row) != self._header.width:
            row = self._fitted(number, row)
        row.append("")
        at = self._at
        if (event_id := row[at["event_id"]]) and event_id != self._event_text:
            self._begin_event(event_id)
        if self._skipping:
            self.others += 1
            return
        event = self._pick_event(row)
        if event not in self._seen_events:
            self._seen_events.add(event)
            self._merge(self.event, _FACTS_OF_EVENT, event, number)
        section = self._section_of(number, row[at["section"]])
        if section is None:
            return
        facts = self._pick_section(row)
        if facts not in section.seen:
            section.seen.add(facts)
            self._merge(section.facts, SECTION_COLUMNS, facts, number)
        seat = self._seat_of(number, row[at["seat"]], section)
        if seat is None:
            return
        cells = tuple([parse_cell(row[place]) for place in self._header.rounds])
        if None in cells:
            self._report_cells(number, row)
        key = self._text(number, "player", row) or seat_id(section.number, seat)
        self._read_player(number, key, row)
        entry = Entry(seat, key, cells)  # type: ignore[arg-type] # None is an error, and there will be no report
        if row[at["update"]] or row[at["floor_request"]]:
            entry = self._with_marks(number, entry, row)
        section.entries.append(entry)

    def _fitted(self, number: int, row: list[str]) -> list[str]:
        """Return *row* as long as the header; cells beyond it are an error unless they are blank."""
        width = self._header.width
        if any(cell.strip() for cell in row[width:]):
            self._findings.add("row-too-long", f"row {number}", row_count=len(row), width=width)
        return row[:width] + [""] * (width - len(row))

    def _begin_event(self, text: str) -> None:
        self._event_text = text
        event = unguarded(text.strip())
        if event:
            self.event_ids[event] = None
            # Without a choice, a second event ends the reading: it is reported once.
            self._skipping = len(self.event_ids) > 1 if self._wanted is None else event != self._wanted

    def _merge(
        self, facts: dict[str, tuple[str, int]], columns: Iterable[str], values: Sequence[str], number: int
    ) -> None:
        """Add what a row says of an event or section; two rows that say different things are an error."""
        for column, value in zip(columns, values, strict=True):
            text = unguarded(value.strip())
            if not text:
                continue
            known, first = facts.setdefault(column, (text, number))
            if known != text:
                self._findings.add(
                    "value-differs.merge",
                    f"row {number}, {column}",
                    text=shown(text),
                    first=first,
                    known=shown(known),
                )
            elif first == number and not readable(text):
                self._report_unreadable(number, column, text)

    def _report_unreadable(self, number: int, column: str, text: str) -> None:
        self._findings.add("text-unreadable.report-unreadable", f"row {number}, {column}", text=shown(text))

    def _text(self, number: int, column: str, row: Sequence[str]) -> str:
        """Return the text in a column, empty where there is none."""
        text = row[self._at[column]].strip()
        if not text.isprintable() and not readable(text):
            self._report_unreadable(number, column, text)
            return ""
        return unguarded(text) if text[:1] == "'" else text

    def _section_of(self, number: int, text: str) -> SectionRows | None:
        """Return the section that *text* names: without one that of the row above; None with a finding."""
        known = self._by_text.get(text)
        if known is None:
            plain = text.strip()
            if not plain and self._section is not None:
                return self._section
            named = int(plain) if plain.isascii() and plain.isdecimal() and len(plain) <= _SEAT_DIGITS else 0
            named = named if plain else 1
            if not 1 <= named <= SECTIONS_AT_MOST:
                self._findings.add(
                    "section-unreadable",
                    f"row {number}, section",
                    plain=shown(plain),
                    sections_at_most=SECTIONS_AT_MOST,
                )
                return None
            known = self.sections.setdefault(named, SectionRows(named))
            if plain:
                self._by_text[text] = known
        self._section = known
        return known

    def _seat_of(self, number: int, text: str, section: SectionRows) -> int | None:
        """Return the seat that *text* names, or None with a finding."""
        text = text.strip()
        seat = int(text) if text.isdecimal() and text.isascii() and len(text) <= _SEAT_DIGITS else 0
        if not seat:
            self._findings.add(
                "seat-unreadable.seat-of",
                f"row {number}, seat",
                word=f"The seat is {shown(text)}." if text else "The row has no seat.",
                seats_at_most=SEATS_AT_MOST,
            )
            return None
        if seat in section.seats:
            self._findings.add("seat-twice.seat-of", f"row {number}, seat", seat=seat, number=section.number)
            return None
        section.seats.add(seat)
        return seat

    def _report_cells(self, number: int, row: Sequence[str]) -> None:
        for played, place in enumerate(self._header.rounds, start=1):
            if parse_cell(row[place]) is None:
                where = f"row {number}, round{played}"
                self._findings.add("cell-unreadable.report-cells", where, text=shown(row[place]))

    def _with_marks(self, number: int, entry: Entry, row: Sequence[str]) -> Entry:
        """Return *entry* with its marks for foreign events and matches."""
        findings, where = self._findings, f"row {number}"
        update = read_flag(findings, f"{where}, update", row[self._at["update"]].strip())
        text = row[self._at["floor_request"]].strip().lower()
        request = None
        if text:
            request = read_word(
                findings, f"{where}, floor_request", text, FloorRequest, "floor-request-unknown"
            )
        return entry._replace(update=update, floor_request=request)

    def _read_player(self, number: int, key: str, row: Sequence[str]) -> None:
        """Add the player of a row, or what a further row says of one."""
        name = self._text(number, "name", row)
        raw = self._pick_ratings(row)
        known = self.players.get(key)
        if known is None:
            self._raw_ratings[key] = raw
            ratings = self._ratings(number, raw)
            self.players[key] = PlayerFacts(key, name, ratings=MappingProxyType(ratings))
        else:
            self._read_again(number, known, name, raw)
        text = row[self._at["rating"]].strip()
        if text.lower() not in _UNRATED:
            rating = self._points(number, "rating", text)
            if rating is not None and self.players[key].pairing_rating is None:
                self.players[key] = self.players[key]._replace(pairing_rating=rating)

    def _read_again(self, number: int, known: PlayerFacts, name: str, raw: tuple[str, ...]) -> None:
        """Compare a further row of a player with the earlier ones; what they left blank is added."""
        if name and known.name and name != known.name:
            self._findings.add(
                "name-differs",
                f"row {number}, name",
                known_id=shown(known.id),
                name=shown(name),
                known_name=shown(known.name),
            )
        elif name and not known.name:
            known = self.players[known.id] = known._replace(name=name)
        if not any(raw):
            return
        earlier = self._raw_ratings[known.id]
        if not any(earlier):
            self._raw_ratings[known.id] = raw
            self.players[known.id] = known._replace(ratings=MappingProxyType(self._ratings(number, raw)))
        elif raw != earlier:
            self._findings.add("value-differs.again", f"row {number}", known_id=shown(known.id))

    def _ratings(self, number: int, raw: Sequence[str]) -> Mapping[System, Rating]:
        """Return the ratings in the cells *raw*: for each system points and games."""
        ratings: dict[System, Rating] = {}
        if not any(raw):
            return ratings
        for system, column, printed, counted in zip(
            System, SYSTEM_COLUMNS.values(), raw[::2], raw[1::2], strict=True
        ):
            text = printed.strip()
            if text.lower() in _UNRATED:
                continue
            points = self._points(number, column, text)
            provisional = _number(text)
            games = None if provisional is None else provisional[1]
            if counted.strip():
                games = self._games(number, f"{column}_games", counted.strip())
            if points is not None:
                ratings[system] = Rating(points, games)
        return ratings

    def _games(self, number: int, column: str, text: str) -> float | None:
        """Return the number of games in *text*, or None with a finding."""
        read = _number(text)
        if read is not None and read[0] <= MOST_GAMES and read[1] is None:
            return read[0]
        self._findings.add("games-out-of-range.games", f"row {number}, {column}", text=shown(text))
        return None

    def _points(self, number: int, column: str, text: str) -> float | None:
        """Return the rating in *text*, or None with a finding."""
        read = _number(text)
        if read is None:
            self._findings.add("rating-unreadable.points", f"row {number}, {column}", text=shown(text))
            return None
        return read[0] if rating_in_range(self._findings, f"row {number}, {column}", read[0]) else None

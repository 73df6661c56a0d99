"""The rows of a CSV report: which section and seat each one is, who sits there, and what happened."""

import re
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import TypeAlias

from ratebook.findings import Findings, Place, list_text
from ratebook.formats.contract import SEATS_AT_MOST, SECTIONS_AT_MOST, Hints
from ratebook.formats.csv_report.body import Body, NumberedRow
from ratebook.formats.csv_report.columns import (
    EVENT_COLUMNS,
    FACT_COLUMNS,
    KNOWN_COLUMNS,
    RATING_COLUMNS,
    SECTION_COLUMNS,
    SYSTEM_COLUMNS,
)
from ratebook.formats.hints import is_placeholder, plain_id, seat_id
from ratebook.formats.reading.cells import EMPTY_CELL, cell_text, parse_cell, small_number
from ratebook.formats.reading.dates import Days
from ratebook.formats.reading.fields import MOST_GAMES, close_match, rating_in_range, readable, shown
from ratebook.formats.reading.kinds import Word
from ratebook.formats.reading.sheets.figures import parse_points, parse_rating, with_point
from ratebook.formats.reading.sheets.header import PARTS_OF_NAMES
from ratebook.formats.reading.sheets.outcomes import USUAL, is_pairing, parse_double, parse_outcome
from ratebook.formats.reading.sheets.player_cells import PlayerCells
from ratebook.formats.reading.sheets.player_columns import ESTABLISHED
from ratebook.formats.reading.spreadsheet import unguarded
from ratebook.formats.reading.text import same_letters
from ratebook.model import POINTS, Cell, Entry, FloorRequest, PlayerFacts, Rating, System

FLAGS = {
    **dict.fromkeys(("yes", "y", "true", "t", "x", "1"), True),
    **dict.fromkeys(("", "no", "n", "false", "f", "0"), False),
}

_FACTS_OF_EVENT = tuple(column for column in EVENT_COLUMNS if column != "event_id")
_MOST_RATINGS_SHOWN = 3
_MOST_IDS_SHOWN = 3
_GAMES = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,20})?", re.ASCII)


Facts: TypeAlias = dict[str, tuple[str, Place]]
"""What rows say of an event or section, by column: the text, and the row that says it."""


def read_flag(findings: Findings, where: Place, text: str) -> bool:
    """Return whether *text* says yes; what says neither yes nor no is an error."""
    answer = FLAGS.get(text.lower())
    if answer is None:
        findings.add("flag-unreadable", where, text=shown(text))
    return bool(answer)


def read_word(findings: Findings, where: Place, text: str, words: type[Word], unknown: str) -> Word | None:
    """Return the one of *words* that *text* is, None with the finding *unknown*."""
    values = frozenset(word.value for word in words)
    if text.lower() in values:
        return words(text.lower())
    findings.add(unknown, where, text=shown(text), text_2=close_match(text, values))
    return None


class SectionRows:
    """The rows of one section: its seats, and what the rows say of it by column, with the place of the row.

    Attributes:
        table: which of several tables it is in.
        name: what the column of sections calls it, empty where it has numbers.
        doubles: the first of two games against one opponent in one round, by seat and then by round.
    """

    __slots__ = ("doubles", "entries", "facts", "name", "number", "seats", "seen", "table")

    def __init__(self, number: int, table: int, name: str = "") -> None:
        self.number = number
        self.table = table
        self.name = name
        self.facts: Facts = {}
        self.entries: list[Entry] = []
        self.doubles: dict[int, dict[int, Cell]] = {}
        self.seats: set[int] = set()
        self.seen: set[tuple[str, ...]] = set()


class Rows:
    """Reads the rows of one or several tables one by one.

    Attributes:
        findings: what is wrong with them.
        days: reads their dates.
        event: what the rows say of the event.
        sections, players: in the order in which they first occur.
        others: number of rows that belong to other events than the one asked for.
    """

    def __init__(self, findings: Findings, hints: Hints, days: Days) -> None:
        self.findings = findings
        self.days = days
        self.columns: set[str] = set()
        self._wanted = hints.event
        self._event_text = ""
        self._skipping = False
        self._raw_ratings: dict[str, tuple[str, ...]] = {}
        self._seen_events: set[tuple[str, ...]] = set()
        self.event_ids: dict[str, None] = {}
        self.event: Facts = {}
        self.sections: dict[int, SectionRows] = {}
        self.players: dict[str, PlayerFacts] = {}
        self.others = 0
        self._facts = PlayerCells(findings, days)
        self._respelled: dict[str, str] = {}
        self._plain_ids: dict[str, str] = {}
        self._placeholders: dict[str, list[int]] = {}
        self._without_id: dict[int, list[int]] = {}
        self._with_id = 0
        self._provisional: dict[str, str] = {}
        self._tables = 0

    def read_table(self, place: Place, body: Body) -> None:
        """Read the players of a table at *place*, which is empty where it is the only one."""
        self._tables += 1
        self._table = place
        self._header = header = body.header
        self._manner = body.manner
        self._section: SectionRows | None = None
        self._first_number = max(self.sections, default=0) + 1
        self._by_text: dict[str, SectionRows] = {}
        self._are_named = body.has_named_sections
        self.columns |= header.places.keys()
        # A column that is missing is the last cell, which is added to each row and empty.
        self._at = at = {column: header.places.get(column, -1) for column in KNOWN_COLUMNS}
        self._rounds = tuple(column for _, column in sorted(header.rounds.items()))
        self._fact_columns = {
            column: column_at for column, column_at in header.places.items() if column in FACT_COLUMNS
        }
        if self._fact_columns:
            self._fact_columns |= {title: at[title] for title in RATING_COLUMNS if title in header.places}
        self._pick_event = itemgetter(*(at[column] for column in _FACTS_OF_EVENT))
        self._pick_section = itemgetter(*(at[column] for column in SECTION_COLUMNS))
        self._pick_ratings = itemgetter(
            *(
                # The games of a rating that has no column say nothing.
                at[column] if column.removesuffix("_games") in header.places else -1
                for column in RATING_COLUMNS
            )
        )
        for row in body.rows:
            self._read(row)
            if self.findings.full:
                break

    def _read(self, player: NumberedRow) -> None:
        number, row = player.number, player.cells
        if len(row) != self._header.width:
            row = self._fitted(number, row)
        row = [*row, ""]
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
        seat = self._seat_of(number, player.seat, section)
        if seat is None:
            return
        cells = tuple([parse_cell(row[place]) for place in self._rounds])
        if None in cells or self._manner.colours != USUAL.colours:
            cells = self._outcomes(number, row, seat, section)
        games = (*cells, *section.doubles.get(seat, {}).values())
        place = self._place(number, "total").but(section=section.number, seats=(seat,))
        self._check_total(place, row[at["total"]].strip(), games)
        key = self._key_of(number, row, section.number, seat)
        self._read_player(number, key, row, section)
        entry = Entry(seat, key, cells)  # type: ignore[arg-type] # None is an error, and there will be no report
        if row[at["update"]] or row[at["floor_request"]]:
            entry = self._with_marks(number, entry, row)
        section.entries.append(entry)

    def _add(self, name: str, number: int, column: str = "", /, **values: object) -> None:
        """Add a finding about row *number* (`ratebook.findings.finding`)."""
        self.findings.add(name, self._place(number, column), **values)

    def _place(self, number: int, column: str) -> Place:
        return self._table.but(rows=(number,), field=self._header.title_of(column) if column else "")

    def _fitted(self, number: int, row: list[str]) -> list[str]:
        """Return *row* as long as the header; cells beyond it are an error unless they are blank."""
        width = self._header.width
        if len(row) == width + 1 and self._at["total"] == width - 1 and row[width].strip() == "5":
            # Points with a decimal comma, in a table with commas between cells.
            return [*row[: width - 1], f"{row[width - 1]}.5"]
        if any(cell.strip() for cell in row[width:]):
            self._add("row-too-long", number, row_count=len(row), width=width)
        return row[:width] + [""] * (width - len(row))

    def _begin_event(self, text: str) -> None:
        self._event_text = text
        event = unguarded(text.strip())
        if event:
            self.event_ids[event] = None
            # Without a choice, a second event ends the reading: it is reported once.
            self._skipping = len(self.event_ids) > 1 if self._wanted is None else event != self._wanted

    def _merge(self, facts: Facts, columns: Iterable[str], values: Sequence[str], number: int) -> None:
        """Add what a row says of an event or section; two rows that say different things are an error."""
        for column, value in zip(columns, values, strict=True):
            text = unguarded(value.strip())
            if not text:
                continue
            place = self._table.but(rows=(number,))
            earlier, first = facts.setdefault(column, (text, place))
            if earlier != text:
                row, known = first.rows[0], shown(earlier)
                self._add("value-differs.rows", number, column, text=shown(text), first=row, known=known)
            elif first == place and not readable(text):
                self._add("text-unreadable.cell", number, column, text=shown(text))

    def _text(self, number: int, column: str, row: Sequence[str]) -> str:
        text = row[self._at[column]].strip()
        if not text.isprintable() and not readable(text):
            self._add("text-unreadable.cell", number, column, text=shown(text))
            return ""
        return unguarded(text) if text[:1] == "'" else text

    def _name(self, number: int, row: Sequence[str]) -> str:
        """Return the name in a row, which may be in two columns."""
        if "name" in self._header.places and self._header.places.keys().isdisjoint(PARTS_OF_NAMES):
            return self._text(number, "name", row)
        name = unguarded(self._header.name_of(row))
        if readable(name):
            return name
        self._add("text-unreadable.cell", number, "name", text=shown(name))
        return ""

    def _section_of(self, number: int, text: str) -> SectionRows | None:
        """Return the section that *text* names: without one that of the row above; None with a finding."""
        section = self._by_text.get(text)
        if section is None:
            plain = text.strip()
            if not plain and self._section is not None:
                return self._section
            named = small_number(plain) or 0
            if not plain or self._are_named:
                named = max(self.sections, default=0) + 1 if plain else self._first_number
            if not 1 <= named <= SECTIONS_AT_MOST:
                bound = SECTIONS_AT_MOST
                self._add("section-unreadable", number, "section", plain=shown(plain), sections_at_most=bound)
                return None
            section = self.sections.setdefault(
                named, SectionRows(named, self._tables, unguarded(plain) if self._are_named else "")
            )
            if plain:
                self._by_text[text] = section
                if self._are_named and not readable(plain):
                    self._add("text-unreadable.cell", number, "section", text=shown(plain))
        self._section = section
        return section

    def _seat_of(self, number: int, text: str, section: SectionRows) -> int | None:
        text = text.strip().removesuffix(".")
        seat = small_number(text)
        if not seat:
            name = "seat-unreadable.cell" if text else "seat-unreadable.missing"
            self._add(name, number, "seat", text=shown(text), seats_at_most=SEATS_AT_MOST)
            return None
        if seat in section.seats:
            self._add("seat-twice.row", number, "seat", seat=seat, number=section.number)
            return None
        section.seats.add(seat)
        return seat

    def _outcomes(
        self, number: int, row: Sequence[str], seat: int, section: SectionRows
    ) -> tuple[Cell | None, ...]:
        """Return the cells of a row, some of them as people write them; those that cannot be read are errors."""
        cells = []
        for played, place in enumerate(self._rounds, start=1):
            text = row[place]
            usual = parse_cell(text)
            own_colours = self._manner.colours != USUAL.colours
            cell = None if own_colours else usual
            cell = cell or parse_outcome(text, self._manner) or usual
            if cell is None and (games := parse_double(text)):
                section.doubles.setdefault(seat, {})[played], cell = games
            elif cell is None and is_pairing(text):
                self._add("result-missing.in-table", number, f"round{played}", text=shown(text))
                cell = EMPTY_CELL
            elif cell is None:
                self._add("cell-unreadable.with-seat", number, f"round{played}", text=shown(text))
            elif cell != usual:
                self._respelled.setdefault(text.strip(), cell_text(cell))
            cells.append(cell)
        return tuple(cells)

    def _check_total(self, place: Place, text: str, cells: tuple[Cell | None, ...]) -> None:
        total = parse_points(text) if text else None
        if total is None or None in cells:
            return
        points = sum(POINTS[cell.letter] for cell in cells if cell is not None)
        if points != total:
            self.findings.add("total-differs", place, text=shown(text), points=points)

    def _key_of(self, number: int, row: Sequence[str], section: int, seat: int) -> str:
        """Return the id in a row; a placeholder is none, and each player without an id is a person of his own."""
        text = self._text(number, "player", row)
        if text and not is_placeholder(text):
            self._with_id += 1
            plain = plain_id(text)
            if plain != text:
                self._plain_ids[text] = plain
            return plain
        if text:
            self._placeholders.setdefault(text, []).append(number)
        else:
            self._without_id.setdefault(section, []).append(seat)
        return seat_id(section, seat)

    def note_what_was_taken(self, name: str) -> None:
        """Note what was guessed of the whole file: spellings of cells, placeholders, players without an id."""
        if self._respelled:
            shown_cells = [f"{shown(text)} as {cell or 'no game'}" for text, cell in self._respelled.items()]
            self.findings.add("cells-respelled", Place(file=name), cells=list_text(shown_cells))
        if self._plain_ids:
            ids = [f"{shown(text)} as {plain}" for text, plain in self._plain_ids.items()]
            self.findings.add("ids-plain", Place(file=name), ids=list_text(ids, _MOST_IDS_SHOWN))
        if self._placeholders:
            rows = sorted(number for numbers in self._placeholders.values() for number in numbers)
            place = Place(file=name, rows=tuple(rows))
            self.findings.add("id-placeholder.file", place, words=list_text(map(shown, self._placeholders)))
        if self._without_id and self._with_id:
            for section, seats in self._without_id.items():
                self.findings.add("id-missing", Place(section=section, seats=tuple(seats)), name=name)
        if self._provisional:
            self.findings.add(
                "rating-provisional",
                Place(file=name, players=tuple(self._provisional)),
                texts=list_text(map(shown, self._provisional.values()), _MOST_RATINGS_SHOWN),
            )
        self.days.note(name)

    def _with_marks(self, number: int, entry: Entry, row: Sequence[str]) -> Entry:
        findings, where = self.findings, self._table.but(rows=(number,))
        update = read_flag(findings, where.inner("update"), row[self._at["update"]].strip())
        text, place = row[self._at["floor_request"]].strip().lower(), where.inner("floor_request")
        request = read_word(findings, place, text, FloorRequest, "floor-request-unknown") if text else None
        return entry._replace(update=update, floor_request=request)

    def _read_player(self, number: int, key: str, row: Sequence[str], section: SectionRows) -> None:
        """Add the player of a row, or what a further row says of one."""
        name = self._name(number, row)
        raw = self._pick_ratings(row)
        player = self.players.get(key)
        if player is None:
            self._raw_ratings[key] = raw
            ratings = self._ratings(number, raw)
            facts = PlayerFacts(key, name, ratings=MappingProxyType(ratings))
            self.players[key] = self._with_facts(number, row, facts)
        else:
            self._read_name_again(number, player, name, section)
            self._read_ratings_again(number, player, raw)
        text = row[self._at["rating"]].strip()
        if text and text.lower() != "unr":
            rating = self._points(number, "rating", text)
            if rating is not None and self.players[key].pairing_rating is None:
                self.players[key] = self.players[key]._replace(pairing_rating=rating)
                self._take_provisional(key, text, rating)

    def _take_provisional(self, key: str, text: str, points: float) -> None:
        """Take a pairing rating with games as the regular rating: a pairing rating cannot hold games."""
        written = parse_rating(text)
        if written is None or written.games is None or self.players[key].ratings:
            return
        ratings = {System.REGULAR: Rating(points, written.games)}
        self.players[key] = self.players[key]._replace(ratings=MappingProxyType(ratings))
        self._provisional[key] = text

    def _with_facts(self, number: int, row: Sequence[str], player: PlayerFacts) -> PlayerFacts:
        cells = {title: cell for title, place in self._fact_columns.items() if (cell := row[place].strip())}
        if cells.keys() <= {*RATING_COLUMNS}:
            return player
        facts = self._facts.facts(self._table.but(rows=(number,)), cells)
        return facts._replace(id=player.id, name=player.name)

    def _read_name_again(self, number: int, player: PlayerFacts, name: str, section: SectionRows) -> None:
        """Compare the name in a further row of a player with the earlier one; where that was blank, it is added."""
        if name and player.name and name != player.name:
            is_another = not same_letters(name, player.name)
            in_section = is_another and any(entry.player == player.id for entry in section.entries)
            differs = "name-differs.in-section" if in_section else "name-differs.elsewhere"
            key, known = shown(player.id), shown(player.name)
            self._add(differs, number, "name", known_id=key, name=shown(name), known_name=known)
        elif name and not player.name:
            self.players[player.id] = player._replace(name=name)

    def _read_ratings_again(self, number: int, player: PlayerFacts, raw: tuple[str, ...]) -> None:
        """Compare the ratings in a further row of a player with the earlier ones; what they left blank is added."""
        if not any(raw):
            return
        earlier = self._raw_ratings[player.id]
        if not any(earlier):
            self._raw_ratings[player.id] = raw
            ratings = MappingProxyType(self._ratings(number, raw))
            self.players[player.id] = self.players[player.id]._replace(ratings=ratings)
        elif raw != earlier:
            self._add("value-differs.ratings", number, known_id=shown(player.id))

    def _ratings(self, number: int, raw: Sequence[str]) -> Mapping[System, Rating]:
        """Return the ratings in the cells *raw*: for each system points and games."""
        ratings: dict[System, Rating] = {}
        if not any(raw):
            return ratings
        for system, column, printed, counted in zip(
            System, SYSTEM_COLUMNS.values(), raw[::2], raw[1::2], strict=True
        ):
            text = printed.strip()
            points = self._points(number, column, text) if text else None
            written = parse_rating(text)
            games = None if written is None else written.games
            if counted.strip():
                games = self._games(number, f"{column}_games", counted.strip())
            if points is not None:
                ratings[system] = Rating(points, games)
        return ratings

    def _games(self, number: int, column: str, text: str) -> float | None:
        if text.casefold() == ESTABLISHED:
            return None
        found = _GAMES.fullmatch(with_point(text))
        if found is not None and float(found[0]) <= MOST_GAMES:
            return float(found[0])
        self._add("games-out-of-range.cell", number, column, text=shown(text))
        return None

    def _points(self, number: int, column: str, text: str) -> float | None:
        written = parse_rating(text)
        if written is None:
            self._add("rating-unreadable.cell", number, column, text=shown(text))
            return None
        points = written.points
        if points is None or not rating_in_range(self.findings, self._place(number, column), points):
            return None
        return points

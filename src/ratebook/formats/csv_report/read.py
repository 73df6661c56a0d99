"""The CSV report read: one row for each player and section, under a header line.

docs/formats/csv-report.md has its columns and round cells, docs/formats/tables.md says how tables are read. The user's
hints complete what the file does not say. Last rounds in which all cells are empty are not kept.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from ratebook.findings import Findings, Place, list_text
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.csv_report.body import Body, body_of
from ratebook.formats.csv_report.columns import (
    EVENT_COLUMNS,
    KIND,
    SECTION_COLUMNS,
    SYSTEM_COLUMNS,
    TooMuchError,
    beginning_of,
    first_lines,
    rows_of,
    text_of,
)
from ratebook.formats.csv_report.grid import in_rounds
from ratebook.formats.csv_report.round_columns import with_rounds
from ratebook.formats.csv_report.rows import Facts, Rows, SectionRows, read_flag, read_word
from ratebook.formats.csv_report.tables import CountedRows, parts_of
from ratebook.formats.csv_report.titles import heads_above, title_of
from ratebook.formats.csv_report.untitled import untitled_chart_of
from ratebook.formats.csv_report.wall_chart import header_of, plain_chart, wall_chart_of
from ratebook.formats.hints import (
    Schedule,
    chosen_tables,
    first_names,
    note_hints_beside,
    section_name,
    sheet_names,
)
from ratebook.formats.one_event import FileTitle, check_one_event, event_of_titles
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.dates import Days, told_orders
from ratebook.formats.reading.fields import day_of_events, shown
from ratebook.formats.reading.kinds import DAY, FLAG, Choice, FieldKind
from ratebook.formats.reading.page import TableHead, completed_head, played_lines
from ratebook.formats.reading.record import Field
from ratebook.formats.reading.sheets.header import IDS, NAMES, RATINGS, is_comment, plain_title, round_of
from ratebook.formats.reading.sheets.outcomes import BYE_WORDS
from ratebook.formats.reading.sheets.sheet import first_rows
from ratebook.formats.source import Source
from ratebook.model import POINTS, Cell, Entry, Event, Report, Section, SectionType

_FLAGS = {column: field for column, field in SECTION_COLUMNS.items() if field.kind is FLAG}
_WORDS = {column: field for column, field in SECTION_COLUMNS.items() if column not in _FLAGS}

_COMPLETED_ROW = re.compile(r"^ *[0-9]{1,4} *\|.*\n *\|", re.ASCII | re.MULTILINE)
"""A player's row of a wall chart with bars, and below it a second line that completes it."""
_LINES_OF_A_CHART = 500
_BYE_OF_POINTS = {1.0: "B", 0.5: "H", 0.0: "U"}
"""Lines looked at for a chart without a header: all of it, since both sides of its games must agree."""
_HINTED = list_text(("seat", "id", "name", "rating", "regular", "quick", "blitz", "round1", "total"))
"""Columns that are mostly meant; a template shows all."""
_NOT_READ = "comment"
"""The title of a column that no rating reads."""


def looks_like(source: Source) -> bool:
    """Return whether a file of *source* begins with a header line of this format."""
    return any(_fits(file.data) for file in source.files)


def is_meant(source: Source, hints: Hints) -> bool:
    """Return whether a line of *source* is a header line if its columns are what the user says."""
    meant = _meant(Findings(), source.name, hints)
    return any(KIND.is_header(row, meant) for file in source.files for row in beginning_of(file.data))


def _fits(data: bytes) -> bool:
    lines = first_lines(data)
    return (
        _has_header(tuple(lines))
        or header_of(plain_chart(lines)) is not None
        or untitled_chart_of(first_lines(data, _LINES_OF_A_CHART)) is not None
    )


def lists_players(data: bytes) -> bool:
    """Return whether *data* begins with the header of a list of players with ids or ratings, and without rounds."""
    return any(
        not (NAMES.isdisjoint(columns) or (IDS | RATINGS).isdisjoint(columns) or any(map(round_of, columns)))
        for columns in map(KIND.columns_of, with_rounds(beginning_of(data)))
    )


@lru_cache(maxsize=8)  # the beginning of a file is asked about again and again while it is read
def _has_header(beginning: tuple[str, ...]) -> bool:
    return any(KIND.is_header(row) for row in with_rounds(first_rows(beginning)) if not is_comment(row))


class _Table(NamedTuple):
    """A table of a report: its file, its text, its players, and the name that its file gives it."""

    file: SourceFile
    text: str
    body: Body
    name: str


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the tables of *source*, of which each is a section, with all findings."""
    sheets = sheet_names([file for file in source.files if len(source.files) > 1 and _fits(file.data)])
    return _parse(source, hints)._replace(sheets=sheets)


def _parse(source: Source, hints: Hints) -> ParsedReport:
    findings = Findings(is_tentative=hints.is_tentative)
    files = chosen_tables(findings, source, hints, _fits)
    name = files[0].name if len(files) == 1 else source.name
    meant = _meant(findings, name, hints)
    tables = [_read_tables(findings, file, meant, several=len(files) > 1) for file in files]
    if not files or not all(tables):
        return ParsedReport(None, findings.of_file(name))
    read = [table for of_file in tables for table in of_file]
    _report_unknown_hints(findings, name, meant, read)
    days = Days(
        findings,
        hints.day_order,
        lambda: sum((told_orders(of_file[0].text) for of_file in tables), Counter()),
    )
    titles = [
        title_of(of_file[0].file.name, of_file[0].body, days, is_alone=len(of_file) == 1)
        for of_file in tables
    ]
    if not check_one_event(findings, Place(file=name), titles, hints):
        return ParsedReport(None, findings.of_file(name))
    rows = _read_rows(findings, source, read, hints, days)
    if rows is None or not _is_one_event(findings, name, rows, hints):
        return ParsedReport(None, findings.of_file(name))
    _note_missing_games(findings, name, rows)
    rows.note_what_was_taken(name)
    heads = heads_above(findings, [(table.file.name, table.body) for table in read], rows.days)
    event = _read_event(rows, hints, heads, titles)
    section_names = [table.name for table in read]
    if len(read) == 1 and event.name and titles[0].title.startswith(f"{event.name} "):
        # The title names the section, too.
        section_names = [section_name(titles[0].file)]
    reading = _Reading(rows, event, hints)
    sections = [
        reading.section(section, heads[section.table - 1], section_names[section.table - 1])
        for section in rows.sections.values()
    ]
    used = ("event", "online", "sheet", "column")
    note_hints_beside(findings, Place(file=name), hints, "The table", reading.stated, used=used)
    if findings.has_errors:
        return ParsedReport(None, findings.of_file(name))
    report = Report(
        event, MappingProxyType(rows.players), tuple([section for section in sections if section is not None])
    )
    return ParsedReport(report, findings.of_file(name))


def _meant(findings: Findings, name: str, hints: Hints) -> dict[str, str]:
    """Return what the user says of titles that no one knows."""
    meant = {}
    for text in hints.column:
        title, _, column = text.rpartition("=")
        plain = plain_title(column)
        plain = "player" if plain == "id" else plain
        if not plain_title(title) or (plain not in KIND.columns | {"none"} and not round_of(plain)):
            findings.add("column-hint-unreadable", Place(file=name), text=shown(text), columns=_HINTED)
        else:
            meant[plain_title(title)] = _NOT_READ if plain == "none" else plain
    return meant


def _report_unknown_hints(
    findings: Findings, name: str, meant: Mapping[str, str], tables: Sequence[_Table]
) -> None:
    """Report titles of which the user says what they mean, and that no table has."""
    titles = [title.strip() for table in tables for title in table.body.header.titles if title.strip()]
    plain = {*map(plain_title, titles)}
    for title in meant:
        if title not in plain:
            listed = list_text(map(shown, dict.fromkeys(titles)))
            findings.add("column-hint-unknown", Place(file=name), title=shown(title), titles=listed)


def _read_tables(
    findings: Findings, file: SourceFile, meant: Mapping[str, str], *, several: bool
) -> list[_Table]:
    """Return the tables of a file, of which each has a header; none with findings."""
    if file.fault is not None:
        findings.append(file.fault)
        return []
    text = text_of(findings, file.data, file.name)
    if text is None:
        return []
    place = Place(file=file.name)
    rows = CountedRows(())
    try:
        rows = CountedRows(_lines_of(findings, file, text))
        parts = parts_of(findings, place, rows, meant)
    except TooMuchError as much:
        findings.add("file-too-large", place, much=much)
        return []
    except csv.Error as failure:
        findings.add("csv-unreadable", place.but(rows=(rows.number + 1,)), failure=failure)
        return []
    name = section_name(file.name) if several and len(parts) == 1 else ""
    return [_Table(file, text, body_of(findings, place, part.header, part.lines), name) for part in parts]


def _read_rows(
    findings: Findings, source: Source, tables: Sequence[_Table], hints: Hints, days: Days
) -> Rows | None:
    rows = Rows(findings, hints, days)
    for table in tables:
        body = in_rounds(findings, Place(file=table.file.name), table.body, is_typed=hints.type is not None)
        is_part = table.file.name != source.name.rpartition("/")[2]
        rows.read_table(Place(file=table.file.name) if is_part else Place(), body)
    if not (rows.sections or findings.has_errors or rows.others):
        findings.add("entries-empty.no-row", (tables[0].file if len(tables) == 1 else source).place)
        return None
    return rows


def _lines_of(findings: Findings, file: SourceFile, text: str) -> Iterator[list[str]]:
    """Return the rows of a table, or those of a wall chart, with what is left out of it."""
    is_barred = _COMPLETED_ROW.search(text) is not None
    if not is_barred and _has_header(tuple(first_lines(file.data))):
        return with_rounds(rows_of(text)[1])
    chart = wall_chart_of(text.replace("|", " ") if is_barred else text)
    if chart is None:
        untitled = untitled_chart_of(text.split("\n"))
        return with_rounds(rows_of(text)[1]) if untitled is None else iter(untitled)
    for line, row in chart.unnumbered:
        findings.add("chart-number-missing", Place(file=file.name, line=line), text=shown(row))
    if chart.shared:
        place = Place(file=file.name, rows=tuple(chart.shared))
        findings.add("ranks-filled", place, count=len(chart.shared))
    lines = text.split("\n")
    played = {number: facts for number in chart.left if (facts := played_lines(lines[number - 1]))}
    if left := [number for number in chart.left if number not in played]:
        findings.add("chart-lines-left", Place(file=file.name, line=left[0]), count=len(left))
    return chain(chart.rows, played.values())


def _is_one_event(findings: Findings, name: str, rows: Rows, hints: Hints) -> bool:
    """Return whether the rows are those of one event, the one asked for; report where they are not."""
    place, ids = Place(file=name), list(rows.event_ids)
    listed = first_names(ids)
    if hints.event is not None and ids and hints.event not in ids:
        findings.add("event-unknown.several-in-file", place, event=shown(hints.event), listed=listed)
        return False
    if hints.event is None and len(ids) > 1:
        findings.add("several-events.listed", place, listed=listed)
        return False
    if rows.others:
        findings.add("records-of-other-events.rows", place, others=rows.others)
    return True


def _note_missing_games(findings: Findings, name: str, rows: Rows) -> None:
    for system, title in SYSTEM_COLUMNS.items():
        column = f"{title}_games"
        taken = [player.ratings[system] for player in rows.players.values() if system in player.ratings]
        unknown = sum(rating.games is None for rating in taken)
        if unknown and column not in rows.columns:
            place = Place(file=name)
            findings.add("games-missing.column", place, unknown=unknown, system=system, column=column)


class _Reading:
    """Makes the sections of a report of what its rows say; when and how they were played they have *stated*."""

    def __init__(self, rows: Rows, event: Event, hints: Hints) -> None:
        self._rows = rows
        self._event = event
        self._hints = hints
        self.stated: list[Schedule] = []

    def section(self, section: SectionRows, head: TableHead, name: str) -> Section | None:
        """Return a section, or None with findings; *head* is above its table, *name* is that of its file."""
        if not section.entries:
            # Its rows have findings of their own.
            return None
        facts = _facts(self._rows, section.facts, _WORDS)
        # Days from titles are those of the whole event, and each table may have its own.
        of_event = self._event if {"start", "end"} & self._rows.event.keys() else Event()
        stated = Schedule(
            facts["start"] or of_event.start,
            facts["end"] or of_event.end,
            facts["time_control"],
            facts["type"] if "type" in section.facts else None,
        )
        self.stated.append(stated)
        place = Place(section=section.number)
        head = head._replace(played=self._with_titles(stated, head))
        unread = "end" in self._rows.event or "section_end" in section.facts
        played = completed_head(
            self._rows.findings, place, head, self._hints, "The table", self._rows.days, end_is_unread=unread
        )
        facts |= _facts(self._rows, section.facts, _FLAGS)
        if played.end is None:
            return None
        facts |= played._asdict() | {
            "name": facts["name"] or section.name or name or head.section,
            "type": played.type or SectionType.OTHER,
            "online": facts["online"] or self._hints.online,
        }
        entries = _without_last_blanks(self._without_byes(place, _with_doubles(section)))
        if len([other for other in self._rows.sections.values() if other.table == section.table]) == 1:
            # In a table of several sections, the last columns may be those of a longer one.
            for number in range(len(entries[0].rounds) + 1, len(section.entries[0].rounds) + 1):
                self._rows.findings.add("round-empty", place.but(round=number))
        return Section(number=section.number, **facts, entries=entries)

    def _without_byes(self, place: Place, entries: Sequence[Entry]) -> list[Entry]:
        """Return *entries* without one that is called "bye"; who is paired with it has a bye of the same points."""
        players = self._rows.players
        byes = [entry for entry in entries if players[entry.player].name.casefold() in ("bye", *BYE_WORDS)]
        seats = {entry.seat for entry in byes}
        if not byes or len(byes) == len(entries):
            return [*entries]
        for entry in byes:
            self._rows.findings.add("bye-is-no-player", place.but(seats=(entry.seat,)))
            players.pop(entry.player)
        return [
            entry._replace(
                rounds=tuple(
                    # One that cannot be read is None, and an error already.
                    Cell(_BYE_OF_POINTS[POINTS[cell.letter]]) if cell and cell.opponent in seats else cell
                    for cell in entry.rounds
                )
            )
            for entry in entries
            if entry.seat not in seats
        ]

    def _with_titles(self, stated: Schedule, head: TableHead) -> Schedule:
        """Return what the columns *stated*, and what is above the table where the user does not say it."""
        if stated.end is None and self._hints.end is None and head.played.end is not None:
            stated = stated._replace(start=stated.start or head.played.start, end=head.played.end)
        if stated.time_control is None and self._hints.time_control is None:
            stated = stated._replace(time_control=head.played.time_control)
        return stated if stated.type or self._hints.type else stated._replace(type=head.played.type)


def _facts(rows: Rows, stated: Facts, columns: Mapping[str, Field]) -> dict[str, Any]:
    """Return what the cells of an event or a section say, by field; what is not known where they say nothing."""
    return {
        field.name: _fact(rows, field.kind, column, *stated[column]) if column in stated else field.unknown
        for column, field in columns.items()
    }


def _fact(rows: Rows, kind: FieldKind[Any], column: str, text: str, place: Place) -> object:
    where = place.inner(column)
    if kind is DAY:
        day = rows.days.read(where, text)
        return None if day is None else day_of_events(rows.findings, where, day)
    if kind is FLAG:
        return read_flag(rows.findings, where, text)
    if isinstance(kind, Choice):
        return read_word(rows.findings, where, text, kind.words, "section-type-unknown.type")
    return text


def _read_event(rows: Rows, hints: Hints, heads: Sequence[TableHead], titles: Sequence[FileTitle]) -> Event:
    head = heads[0]
    ids = list(rows.event_ids)
    event = Event(**_facts(rows, rows.event, EVENT_COLUMNS))
    if not event.name and not hints.name:
        event = event._replace(name=event_of_titles(titles))
    if event.end is None and event.start is None and hints.end is None and hints.start is None:
        # The first and the last day above any table.
        played = [above.played for above in (heads if head.played.end is not None else heads[:1])]
        starts = [days.start for days in played if days.start is not None]
        ends = [days.end for days in played if days.end is not None]
        event = event._replace(start=min(starts, default=None), end=max(ends, default=None))
    event_id = hints.event if hints.event is not None and ids else "".join(ids[:1])
    return event._replace(id=event_id or head.event_id)


def _with_doubles(section: SectionRows) -> list[Entry]:
    """Return the entries of a section; a round in which players met twice becomes two."""
    doubled = {number for firsts in section.doubles.values() for number in firsts}
    if not doubled:
        return section.entries
    entries = []
    for entry in section.entries:
        firsts = section.doubles.get(entry.seat, {})
        rounds: list[Cell] = []
        for number, cell in enumerate(entry.rounds, start=1):
            both = [firsts[number], cell] if number in firsts else [cell, EMPTY_CELL]
            rounds += both if number in doubled else [cell]
        entries.append(entry._replace(rounds=tuple(rounds)))
    return entries


def _without_last_blanks(entries: list[Entry]) -> tuple[Entry, ...]:
    """Return *entries* without the last rounds in which all cells are empty: columns of longer sections."""
    columns = len(entries[0].rounds)
    rounds = columns
    while rounds and all(entry.rounds[rounds - 1] == EMPTY_CELL for entry in entries):
        rounds -= 1
    if rounds == columns:
        return tuple(entries)
    return tuple([entry._replace(rounds=entry.rounds[:rounds]) for entry in entries])

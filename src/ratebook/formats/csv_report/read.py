"""The CSV report read: one row for each player and section, under a header line.

docs/formats/csv-report.md has its columns and round cells, docs/formats/tables.md says how tables are read. The user's
hints complete what the file does not say. Last rounds in which all cells are empty are not kept.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any

from ratebook.findings import Findings, Place
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints, ParsedReport
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
from ratebook.formats.csv_report.rows import Rows, SectionRows, read_flag, read_word
from ratebook.formats.csv_report.wall_chart import header_of, wall_chart_of
from ratebook.formats.hints import Schedule, chosen_file, completed, first_names, note_unused_hints
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.dates import Days, told_orders
from ratebook.formats.reading.fields import day_of_events, shown
from ratebook.formats.reading.kinds import DAY, FLAG, Choice, FieldKind
from ratebook.formats.reading.record import Field
from ratebook.formats.reading.sheets.header import find_header, is_comment
from ratebook.formats.source import Source
from ratebook.model import Entry, Event, Report, Section, SectionType

_FLAGS = {column: field for column, field in SECTION_COLUMNS.items() if field.kind is FLAG}
_WORDS = {column: field for column, field in SECTION_COLUMNS.items() if column not in _FLAGS}


def looks_like(source: Source) -> bool:
    """Return whether a file of *source* begins with a header line of this format."""
    return any(_fits(file.data) for file in source.files)


def _fits(data: bytes) -> bool:
    return _has_header(beginning_of(data)) or header_of(first_lines(data)) is not None


def _has_header(rows: Sequence[list[str]]) -> bool:
    return any(KIND.is_header(row) for row in rows if not is_comment(row))


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the one CSV file of *source*, with all findings."""
    findings = Findings()
    file = chosen_file(findings, source, _fits)
    if file is None:
        return ParsedReport(None, findings.of_file(source.name))
    rows = _read_rows(findings, file, hints)
    if rows is None or not _is_one_event(findings, file.name, rows, hints):
        return ParsedReport(None, findings.of_file(file.name))
    _note_missing_games(findings, file.name, rows)
    rows.note_what_was_taken(file.name)
    event = _read_event(rows, hints)
    used = {"event", "online"}
    sections = [_read_section(rows, section, event, hints, used) for section in rows.sections.values()]
    note_unused_hints(findings, file.place, hints, "A CSV report", used=tuple(used))
    if findings.has_errors:
        return ParsedReport(None, findings.of_file(file.name))
    report = Report(
        event, MappingProxyType(rows.players), tuple([section for section in sections if section is not None])
    )
    return ParsedReport(report, findings.of_file(file.name))


def _read_rows(findings: Findings, file: SourceFile, hints: Hints) -> Rows | None:
    text = text_of(findings, file.data, file.name)
    if text is None:
        return None
    rows: Rows | None = None
    number = 0
    try:
        lines = _lines_of(findings, file, text)
        header, below = find_header(findings, file.name, lines, KIND)
        if header is None:
            return None
        number = header.row
        days = Days(findings, hints.day_order, lambda: told_orders(text))
        rows = Rows(findings, header, hints, days)
        for number, row in enumerate(below, start=header.row + 1):
            if any(row) and not is_comment(row):
                rows.read(number, row)
                if findings.full:
                    break
    except TooMuchError as much:
        findings.add("file-too-large", file.place, much=much)
        return None
    except csv.Error as failure:
        findings.add("csv-unreadable", Place(file=file.name, rows=(number + 1,)), failure=failure)
        return None
    if not (rows.sections or findings.has_errors or rows.others):
        findings.add("entries-empty.no-row", file.place)
        return None
    return rows


def _lines_of(findings: Findings, file: SourceFile, text: str) -> Iterator[list[str]]:
    """Return the rows of a table, or those of a wall chart, with what is left out of it."""
    chart = None if _has_header(beginning_of(file.data)) else wall_chart_of(text)
    if chart is None:
        return rows_of(text)[1]
    if chart.left:
        findings.add("chart-lines-left", Place(file=file.name, line=chart.left[0]), count=len(chart.left))
    return iter(chart.rows)


def _is_one_event(findings: Findings, name: str, rows: Rows, hints: Hints) -> bool:
    """Return whether the rows are those of one event, the one asked for; report where they are not."""
    ids = list(rows.event_ids)
    listed = first_names(ids)
    if hints.event is not None and ids and hints.event not in ids:
        findings.add(
            "event-unknown.several-in-file", Place(file=name), event=shown(hints.event), listed=listed
        )
        return False
    if hints.event is None and len(ids) > 1:
        findings.add("several-events.listed", Place(file=name), listed=listed)
        return False
    if rows.others:
        findings.add("records-of-other-events.rows", Place(file=name), others=rows.others)
    return True


def _note_missing_games(findings: Findings, name: str, rows: Rows) -> None:
    for system, title in SYSTEM_COLUMNS.items():
        column = f"{title}_games"
        taken = [player.ratings[system] for player in rows.players.values() if system in player.ratings]
        unknown = sum(rating.games is None for rating in taken)
        if unknown and column not in rows.columns:
            findings.add(
                "games-missing.column", Place(file=name), unknown=unknown, system=system, column=column
            )


def _facts(rows: Rows, stated: Mapping[str, tuple[str, int]], columns: Mapping[str, Field]) -> dict[str, Any]:
    """Return what the cells of an event or a section say, by field; what is not known where they say nothing."""
    return {
        field.name: _fact(rows, field.kind, column, *stated[column]) if column in stated else field.unknown
        for column, field in columns.items()
    }


def _fact(rows: Rows, kind: FieldKind[Any], column: str, text: str, row: int) -> object:
    where = Place(rows=(row,), field=column)
    if kind is DAY:
        return _day(rows, where, text)
    if kind is FLAG:
        return read_flag(rows.findings, where, text)
    if isinstance(kind, Choice):
        return read_word(rows.findings, where, text, kind.words, "section-type-unknown.type")
    return text


def _day(rows: Rows, where: Place, text: str) -> date | None:
    day = rows.days.read(where, text)
    return None if day is None else day_of_events(rows.findings, where, day)


def _read_event(rows: Rows, hints: Hints) -> Event:
    ids = list(rows.event_ids)
    event = Event(**_facts(rows, rows.event, EVENT_COLUMNS))
    return event._replace(id=hints.event if hints.event is not None and ids else "".join(ids[:1]))


def _read_section(
    rows: Rows, section: SectionRows, event: Event, hints: Hints, used: set[str]
) -> Section | None:
    """Return a section, or None with findings; the hints that it needed are added to *used*."""
    if not section.entries:
        # Its rows have findings of their own.
        return None
    facts = _facts(rows, section.facts, _WORDS)
    stated = Schedule(
        facts["start"] or event.start,
        facts["end"] or event.end,
        facts["time_control"],
        facts["type"] if "type" in section.facts else None,
    )
    used.update(field for field in Schedule._fields if getattr(stated, field) is None)
    played = completed(rows.findings, Place(section=section.number), stated, hints, "The CSV file")
    facts |= _facts(rows, section.facts, _FLAGS)
    if played.end is None:
        return None
    facts |= played._asdict() | {
        "type": played.type or SectionType.OTHER,
        "online": facts["online"] or hints.online,
    }
    return Section(number=section.number, **facts, entries=_without_last_blanks(section.entries))


def _without_last_blanks(entries: list[Entry]) -> tuple[Entry, ...]:
    """Return *entries* without the last rounds in which all cells are empty: columns of longer sections."""
    columns = len(entries[0].rounds)
    rounds = columns
    while rounds and all(entry.rounds[rounds - 1] == EMPTY_CELL for entry in entries):
        rounds -= 1
    if rounds == columns:
        return tuple(entries)
    return tuple([entry._replace(rounds=entry.rounds[:rounds]) for entry in entries])

"""The published text crosstable (FORMATS section 5.1).

It says who played whom with what result, the ratings before and after, and whether a rating is provisional. It does
not say when the event was played or with what time control: the caller does.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ratebook.model import Cell, Entry, Event, PlayerFacts, Rating, Report, Section, SectionType, System
from ratebook.reports.cells import CELL_REMEDY, EMPTY_CELL, parse_cell
from ratebook.reports.crosstable_rows import (
    COLUMNS_BEFORE_ROUNDS,
    PlayerLines,
    PrintedRating,
    Table,
    parse_rating_cell,
    plain_text,
    split_tables,
)
from ratebook.reports.fields import HIGHEST_RATING, LOWEST_RATING, MOST_GAMES, readable, shown
from ratebook.reports.parsed import ROUNDS_AT_MOST, SEATS_AT_MOST, Findings, ParsedReport

if TYPE_CHECKING:
    from datetime import date

_TOTAL_COLUMN = 2

_RATING_REMEDY = (
    "Write each rating as in R: 1641P17->1657P20, R: 1794 ->1817 or R: Unrated ->1200P4; "
    "the member id and a slash may stand before the first."
)


class _Row(NamedTuple):
    """One player of one table, as printed."""

    seat: int
    name: str
    member: str
    ratings: tuple[PrintedRating, ...]
    cells: tuple[Cell, ...]


def parse_crosstable_text(  # noqa: PLR0913, PLR0917 - the file, and the four facts that it does not hold
    data: bytes,
    name: str,
    start: date | None,
    end: date | None,
    time_control: str | None,
    *,
    online: bool = False,
) -> ParsedReport:
    """Return the report in *data*, the contents of the file *name*, with all problems found.

    Args:
        data: the crosstable; UTF-8 or Latin-1, any line ends, with or without the text around it.
        name: the file's name, for the findings.
        start: first day of all sections; where None, the end date selects the rules.
        end: last day of all sections.
        time_control: time control of all sections, as in ``G/90;d5``.
        online: read the labels R, Q and B as the online systems.
    """
    findings = Findings()
    _check_given(findings, name, start, end, time_control)
    if b"\0" in data:
        findings.error(
            "file-binary", name, "The file holds zero bytes: it is not text.", "Save it as UTF-8 text."
        )
        return findings.without_report(name)
    tables = split_tables(plain_text(data))
    if not tables:
        findings.error(
            "crosstable-empty",
            name,
            "No player was found in the crosstable.",
            'Each player\'s first line begins with the pairing number and a bar: "   1 | NAME | 2.0 |W   4|".',
        )
        return findings.without_report(name)
    rows = [_read_table(findings, table, number, online) for number, table in enumerate(tables, start=1)]
    players = _gather_players(findings, rows)
    if findings.has_errors or end is None or time_control is None:
        return findings.without_report(name)
    sections = []
    published = {}
    for number, (table, section_rows) in enumerate(zip(tables, rows, strict=True), start=1):
        entries = tuple(Entry(row.seat, _player_id(row, number), row.cells) for row in section_rows)
        labels_online = any(rating.system.online for row in section_rows for rating in row.ratings)
        sections.append(
            Section(
                number=number,
                name=table.heading,
                start=start,
                end=end,
                time_control=time_control.strip(),
                type=SectionType.OTHER,
                online=online or labels_online,
                half_k=False,
                youth=False,
                entries=entries,
            )
        )
        for row in section_rows:
            for rating in row.ratings:
                if rating.after is not None:
                    published[number, row.seat, rating.system] = rating.after
    report = Report(Event(start=start, end=end), MappingProxyType(players), tuple(sections))
    return ParsedReport(report, findings.problems(name), MappingProxyType(published))


def _check_given(
    findings: Findings, name: str, start: date | None, end: date | None, time_control: str | None
) -> None:
    """Report what the caller must add to a crosstable and has not."""
    if end is None:
        findings.error(
            "end-missing",
            name,
            "A crosstable does not say when the event ended; the date selects the rules.",
            "Give the last day with --end YYYY-MM-DD.",
        )
    elif start is None:
        findings.note(
            "start-missing",
            name,
            f"A crosstable does not say when the event started: the rules of its last day, {end}, are taken.",
            "Give the first day with --start YYYY-MM-DD.",
        )
    elif end < start:
        findings.error(
            "dates-reversed",
            name,
            f"The event ends on {end}, before it starts on {start}.",
            "Correct --start or --end.",
        )
    if time_control is None or not time_control.strip():
        findings.error(
            "time-control-missing",
            name,
            "A crosstable does not say the time control, which decides the rating systems.",
            "Give it with --time-control, for example --time-control 'G/90;d5'.",
        )


def _read_table(findings: Findings, table: Table, section: int, online: bool) -> list[_Row]:  # noqa: FBT001 - passed on by name below
    where = f"section {section}"
    if table.rounds > ROUNDS_AT_MOST or len(table.players) > SEATS_AT_MOST:
        findings.error(
            "table-too-large",
            where,
            f"The table has {table.rounds} rounds and {len(table.players)} players.",
            f"At most {ROUNDS_AT_MOST} rounds and {SEATS_AT_MOST} players can be read.",
        )
        return []
    if not readable(table.heading):
        findings.error(
            "text-unreadable",
            where,
            f"The heading holds characters that cannot be printed: {shown(table.heading)}.",
            "Remove control characters from the line above the table.",
        )
    rows = []
    seats = set()
    for lines in table.players:
        if lines.seat in seats:
            findings.error(
                "seat-twice",
                f"{where}, seat {lines.seat}",
                f"Line {lines.first.number} takes the pairing number {lines.seat} a second time.",
                "Give every player of the section a pairing number of his or her own.",
            )
        seats.add(lines.seat)
        rows.append(_read_player(findings, table, lines, f"{where}, seat {lines.seat}", online))
    _check_same_systems(findings, rows, where)
    return rows

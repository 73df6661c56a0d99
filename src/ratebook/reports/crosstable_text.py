"""The published text crosstable (FORMATS section 5.1).

It says who played whom with what result, the ratings before and after, and which of them are provisional.
It does not say when the event was played or with what time control: the caller does.
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


def parse_crosstable_text(  # noqa: PLR0913 - each argument is a separate fact
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
            'A player begins with the pairing number and a bar, as in "   1 | NAME | 2.0 |W   4|".',
        )
        return findings.without_report(name)
    rows = [
        _read_table(findings, table, number, online=online) for number, table in enumerate(tables, start=1)
    ]
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


def _read_table(findings: Findings, table: Table, section: int, *, online: bool) -> list[_Row]:
    where = f"section {section}"
    if table.rounds > ROUNDS_AT_MOST or len(table.players) > SEATS_AT_MOST:
        findings.error(
            "table-too-large",
            where,
            f"The table has {table.rounds} rounds and {len(table.players)} players.",
            f"At most {ROUNDS_AT_MOST} rounds and {SEATS_AT_MOST} players can be read.",
        )
        return []
    _check_readable(findings, where, table.heading)
    rows = []
    seats = set()
    for lines in table.players:
        seat_where = f"{where}, seat {lines.seat}"
        if lines.seat in seats:
            findings.error(
                "seat-twice",
                seat_where,
                f"Line {lines.first.number} takes the pairing number {lines.seat} a second time.",
                "Give every player of the section a different pairing number.",
            )
        seats.add(lines.seat)
        member, ratings = _read_ratings(findings, table, lines, seat_where, online=online)
        cells = _read_cells(findings, table, lines, seat_where)
        name = lines.first.cells[1] if len(lines.first.cells) > 1 else ""
        _check_readable(findings, seat_where, name)
        rows.append(_Row(lines.seat, name, member, ratings, cells))
    _check_same_systems(findings, rows, where)
    return rows


def _check_readable(findings: Findings, where: str, text: str) -> None:
    if not readable(text):
        findings.error(
            "text-unreadable",
            where,
            f"The name holds characters that cannot be printed: {shown(text)}.",
            "Remove the control characters.",
        )


def _read_cells(findings: Findings, table: Table, lines: PlayerLines, where: str) -> tuple[Cell, ...]:
    """Return the round cells of a player, with the colours of the lines below."""
    first = lines.first
    if len(first.cells) != COLUMNS_BEFORE_ROUNDS + table.rounds or (table.closed and not first.closed):
        findings.error(
            "row-incomplete",
            where,
            f"Line {first.number} does not have the {table.rounds} round cells of the table.",
            "Complete the line, each cell ending with a bar; an unplayed round is a blank cell.",
        )
        return ()
    cells = []
    colours = _read_colours(findings, table, lines, where)
    complete = True
    for number, text in enumerate(first.cells[COLUMNS_BEFORE_ROUNDS:], start=1):
        cell = parse_cell(text[:1] + text[1:].strip())
        if cell is None:
            complete = False
            findings.error(
                "cell-unreadable",
                f"{where}, round {number}",
                f"The round cell {shown(text)} in line {first.number} cannot be read.",
                CELL_REMEDY,
            )
            continue
        colour = colours.get(number, cell.colour)
        cells.append(Cell(cell.letter, cell.opponent, colour) if cell.letter else EMPTY_CELL)
    if complete:
        _check_total(findings, where, first.cells[_TOTAL_COLUMN], sum(cell.points for cell in cells))
    return tuple(cells)


def _read_colours(findings: Findings, table: Table, lines: PlayerLines, where: str) -> dict[int, str]:
    """Return the colours of a player by round."""
    colours: dict[int, str] = {}
    for line in lines.below:
        for number, text in enumerate(line.cells[COLUMNS_BEFORE_ROUNDS:], start=1):
            if text.upper() in {"W", "B"} and number <= table.rounds:
                colours.setdefault(number, text.lower())
            elif text:
                findings.error(
                    "colour-unreadable",
                    f"{where}, round {number}",
                    f"The colour {shown(text)} in line {line.number} cannot be read.",
                    "Write W or B, or leave the cell blank.",
                )
    return colours


def _check_total(findings: Findings, where: str, text: str, points: float) -> None:
    """Report a printed total that is not the sum of the cells."""
    try:
        total = float(text)
    except ValueError:
        total = None
    if total != points:
        findings.warning(
            "total-differs",
            where,
            f"The total is printed as {shown(text)}, but the round cells make {points:g}.",
            "Compare the round cells with the original; they are what is rated.",
        )


def _read_ratings(
    findings: Findings, table: Table, lines: PlayerLines, where: str, *, online: bool
) -> tuple[str, tuple[PrintedRating, ...]]:
    """Return the member id of a player and the ratings of all systems."""
    member = ""
    ratings: dict[System, PrintedRating] = {}
    for line in lines.below:
        if len(line.cells) < COLUMNS_BEFORE_ROUNDS and table.closed and not line.closed:
            findings.error(
                "row-incomplete",
                where,
                f"Line {line.number} is cut off.",
                "Complete the line, each cell ending with a bar.",
            )
            continue
        cell = parse_rating_cell(line.cells[1] if len(line.cells) > 1 else "", online=online)
        if cell.unread or (cell.member and member):
            findings.error(
                "rating-unreadable",
                where,
                f"In line {line.number}, {shown(cell.unread or cell.member)} cannot be read.",
                _RATING_REMEDY,
            )
            continue
        member = member or cell.member
        for rating in cell.ratings:
            _check_rating(findings, where, rating)
            if rating.system in ratings:
                findings.error(
                    "rating-twice",
                    f"{where}, {rating.system}",
                    f"Line {line.number} gives the rating of this system a second time.",
                    "Keep one rating for each system.",
                )
            ratings[rating.system] = rating
    if not ratings:
        findings.error("ratings-missing", where, "The lines of this player give no rating.", _RATING_REMEDY)
    return member, tuple(ratings.values())


def _check_rating(findings: Findings, where: str, rating: PrintedRating) -> None:
    for points in (rating.before, rating.after):
        if points is not None and not LOWEST_RATING <= points <= HIGHEST_RATING:
            findings.error(
                "rating-out-of-range",
                f"{where}, {rating.system}",
                f"The rating {points:g} is outside {LOWEST_RATING} to {HIGHEST_RATING}.",
                "Correct the rating.",
            )
    if rating.games is not None and rating.games > MOST_GAMES:
        findings.error(
            "games-out-of-range",
            f"{where}, {rating.system}",
            f"A rating based on {rating.games:,.0f} games cannot be.",
            "Correct the number after P.",
        )


def _check_same_systems(findings: Findings, rows: list[_Row], where: str) -> None:
    """Name the players for whom a rating line is missing that others of the section have."""
    printed = {rating.system for row in rows for rating in row.ratings}
    for row in rows:
        if not row.ratings:
            continue
        missing = printed.difference(rating.system for rating in row.ratings)
        for system in sorted(missing):
            findings.warning(
                "rating-line-missing",
                f"{where}, seat {row.seat}, {system}",
                "Others of the section have a rating in this system: the player is taken as unrated in it.",
                "Add the line; for an unrated player it reads Unrated.",
            )


def _player_id(row: _Row, section: int) -> str:
    """Return the member id, else an id made of the seat."""
    if row.member:
        return row.member
    return f"seat-{row.seat}" if section == 1 else f"section-{section}-seat-{row.seat}"


def _gather_players(findings: Findings, tables: list[list[_Row]]) -> dict[str, PlayerFacts]:
    """Return the players of all tables; what the first table says of a rating before the event holds."""
    players: dict[str, PlayerFacts] = {}
    ratings: dict[str, dict[System, Rating]] = {}
    latest: dict[tuple[str, System], PrintedRating] = {}
    for section, rows in enumerate(tables, start=1):
        for row in rows:
            key = _player_id(row, section)
            own = ratings.setdefault(key, {})
            for printed in row.ratings:
                earlier = latest.get((key, printed.system))
                latest[key, printed.system] = printed
                if earlier is None and printed.before is not None:
                    own[printed.system] = Rating(printed.before, printed.games)
                elif earlier is not None and printed.before not in {earlier.before, earlier.after}:
                    findings.warning(
                        "rating-before-differs",
                        f"section {section}, seat {row.seat}, {printed.system}",
                        "The rating before the section is neither of those in this player's earlier row.",
                        "Check the member ids; the first rating before the event is used.",
                    )
            if key not in players:
                players[key] = PlayerFacts(id=key, name=row.name, ratings=MappingProxyType(own))
    return players

"""The published text crosstable (docs/formats/crosstable.md#layout).

It says who played whom with what result, the ratings before and after, and which of them are provisional.
It does not say when the event was played or with what time control: the caller does.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType
from typing import TypeAlias

from ratebook.findings import Findings, Place
from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST, Hints, ParsedReport
from ratebook.formats.crosstable.rows import (
    COLUMNS_BEFORE_ROUNDS,
    PlayerLines,
    PrintedTable,
    has_arrows,
    looks_like_crosstable,
    parse_rating_cell,
    plain_text,
    split_tables,
)
from ratebook.formats.hints import Schedule, note_hints_beside, note_other_files
from ratebook.formats.one_event import FileTitle, check_one_event
from ratebook.formats.reading import printed_table
from ratebook.formats.reading.cells import EMPTY_CELL, parse_cell
from ratebook.formats.reading.dates import Days, told_orders
from ratebook.formats.reading.fields import MOST_GAMES, rating_in_range, readable, shown
from ratebook.formats.reading.page import TableHead, completed_head, heads_of, report_below, with_event
from ratebook.formats.reading.printed_table import PrintedRating, RatingsRead, Row
from ratebook.formats.reading.text import is_binary
from ratebook.formats.source import Source
from ratebook.model import POINTS, SCORES, Cell, Entry, Section, System

_TOTAL_COLUMN = 2
NO_GAME = "*"
"""The cell of a round robin in which the player has no game (docs/formats/crosstable.md#layout)."""

_COLOURS = {"": "", "W": "w", "B": "b", "w": "w", "b": "b"}
_CELLS_KEPT = 16_384


RatingsReader: TypeAlias = Callable[[Findings, PrintedTable, PlayerLines, Place], RatingsRead]
"""Reads the cells under a player's name; the place is the player's."""


def looks_like(source: Source) -> bool:
    """Return whether a file of *source* has a table between bars with ratings before and after."""
    return any(looks_like_crosstable(file.data) and has_arrows(file.data) for file in source.files)


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the crosstables of *source*, one section for each table, with all findings.

    *hints* say when and how fast was played, and whether the labels R, Q and B mean the online systems.
    """
    return parse_tables(source, hints, functools.partial(_read_ratings, online=hints.online), "A crosstable")


def parse_tables(source: Source, hints: Hints, read_ratings: RatingsReader, origin: str) -> ParsedReport:
    """Return the report in the tables of *source*; *origin* names the format, as in "A crosstable"."""
    findings = Findings(is_tentative=hints.is_tentative)
    name = source.name
    by_file = _tables_of(findings, source)
    if not check_one_event(findings, source.place, [_title_of(*each) for each in by_file], hints):
        return ParsedReport(None, findings.of_file(name))
    tables = [table for _, of_file in by_file for table in of_file]
    above = "\n".join(line for table in tables for line in table.above)
    days = Days(findings, hints.day_order, lambda: told_orders(above))
    heads = heads_of([table.above for table in tables], days.mentioned)
    schedules = _schedules(findings, name, heads, hints, origin, days)
    if not tables:
        return ParsedReport(None, findings.of_file(name))
    rows = [_read_table(findings, table, number, read_ratings) for number, table in enumerate(tables, 1)]
    players = printed_table.gather_players(findings, list(enumerate(rows, start=1)))
    for number, head in enumerate(heads, start=1):
        for text in (head.event, head.section):
            _check_readable(findings, Place(section=number), text)
    if findings.has_errors:
        return ParsedReport(None, findings.of_file(name))
    sections: list[Section | None] = []
    published: dict[tuple[int, int, System], float] = {}
    for number, (head, played, section_rows) in enumerate(zip(heads, schedules, rows, strict=True), start=1):
        published |= printed_table.published_ratings(number, section_rows)
        entries = [Entry(row.seat, printed_table.player_id(row, number), row.cells) for row in section_rows]
        labels_online = any(rating.system.online for row in section_rows for rating in row.read.ratings)
        online = hints.online or labels_online
        sections.append(played.section(number, head.section, entries, online=online))
    report = report_below(heads, players, sections)
    return ParsedReport(report, findings.of_file(name), MappingProxyType(published))


def _schedules(  # noqa: PLR0913, PLR0917 - as `completed_head`
    findings: Findings, name: str, heads: list[TableHead], hints: Hints, origin: str, days: Days
) -> list[Schedule]:
    """Return when and how each section was played, by the text above it and the user's hints.

    What is missing is reported once where it is missing in all of them, as in a file without such text.
    """
    stated = [head.played for head in heads]
    if stated:
        note_hints_beside(findings, Place(file=name), hints, origin, stated)
    if stated and len({*stated}) == 1:
        return [completed_head(findings, Place(file=name), heads[0], hints, origin, days)] * len(stated)
    return [
        completed_head(findings, Place(section=number), head, hints, origin, days)
        for number, head in enumerate(heads, start=1)
    ]


def _title_of(file: str, tables: Sequence[PrintedTable]) -> FileTitle:
    head = with_event(heads_of([tables[0].above])[0])
    return FileTitle(file, head.event, head.played.start, head.played.end)


def _tables_of(findings: Findings, source: Source) -> list[tuple[str, list[PrintedTable]]]:
    """Return the files of *source* that have tables, with these; none, with findings, where nothing can be read."""
    files = list(source.files)
    if len(files) > 1:
        files = [file for file in files if looks_like_crosstable(file.data)]
        note_other_files(findings, source, files)
    tables: list[tuple[str, list[PrintedTable]]] = []
    for file in files:
        if is_binary(findings, file.name, zeros=b"\0" in file.data):
            return []
        if of_file := split_tables(plain_text(file.data)):
            tables.append((file.name, of_file))
    if not tables:
        findings.add("crosstable-empty", source.place)
    return tables


def _read_table(
    findings: Findings, table: PrintedTable, section: int, read_ratings: RatingsReader
) -> list[Row]:
    where = Place(section=section)
    rounds = table.rounds
    if rounds > ROUNDS_AT_MOST or len(table.players) > SEATS_AT_MOST:
        findings.add(
            "table-too-large",
            where,
            rounds=rounds,
            player_count=len(table.players),
            rounds_at_most=ROUNDS_AT_MOST,
            seats_at_most=SEATS_AT_MOST,
        )
        return []
    rows = []
    seats = set()
    for lines in table.players:
        seat_where = where.but(seats=(lines.seat,))
        if lines.seat in seats:
            findings.add("seat-twice.line", seat_where, number=lines.first.number, seat=lines.seat)
        seats.add(lines.seat)
        rows.append(_read_row(findings, table, lines, seat_where, read_ratings))
    _check_same_systems(findings, rows, where)
    return rows


def _read_row(
    findings: Findings, table: PrintedTable, lines: PlayerLines, where: Place, read_ratings: RatingsReader
) -> Row:
    first = lines.first
    width = COLUMNS_BEFORE_ROUNDS + table.rounds
    read = read_ratings(findings, table, lines, where)
    if len(first.cells) == width and (first.closed or not table.closed):
        cells = _read_cells(findings, lines, width, where)
    else:
        cells = ()
        findings.add("row-incomplete.cells", where, number=first.number, rounds=table.rounds)
    name = first.cells[1] if len(first.cells) > 1 else ""
    _check_readable(findings, where, name)
    return Row(lines.seat, name, read, cells)


def _check_readable(findings: Findings, where: Place, text: str) -> None:
    if not readable(text):
        findings.add("text-unreadable.name", where, text=shown(text))


@functools.lru_cache(maxsize=_CELLS_KEPT)
def _printed_cell(text: str, colour: str) -> Cell | None:
    """Return the cell of a round *text* and the *colour* below it, or None where one of them cannot be read."""
    below = _COLOURS.get(colour.strip())
    if text.strip() == NO_GAME:
        return EMPTY_CELL if not below else None
    cell = parse_cell(text.strip()[:1] + text.strip()[1:].strip())
    if cell is None or below is None:
        return None
    return Cell(cell.letter, cell.opponent, below or cell.colour) if cell.letter else EMPTY_CELL


def _read_cells(findings: Findings, lines: PlayerLines, width: int, where: Place) -> tuple[Cell, ...]:
    first, below = lines.first, lines.below
    texts = first.cells[COLUMNS_BEFORE_ROUNDS:]
    if len(below) == 1 and len(below[0].cells) == width:
        colours = below[0].cells[COLUMNS_BEFORE_ROUNDS:]
    else:
        colours = _gather_colours(findings, lines, width, where)
    read = [_printed_cell(text, colour) for text, colour in zip(texts, colours, strict=True)]
    cells = tuple(cell for cell in read if cell is not None)
    if len(cells) < len(read):
        _report_unread(findings, lines, colours, where)
        return ()
    points = sum(POINTS[cell.letter] for cell in cells)
    _check_total(findings, where, first.cells[_TOTAL_COLUMN], points)
    return cells


def _report_unread(findings: Findings, lines: PlayerLines, colours: list[str], where: Place) -> None:
    texts = lines.first.cells[COLUMNS_BEFORE_ROUNDS:]
    for number, (text, colour) in enumerate(zip(texts, colours, strict=True), start=1):
        if _printed_cell(text, "") is None:
            place = where.but(round=number)
            findings.add(
                "cell-unreadable.in-line", place, text=shown(text.strip()), number=lines.first.number
            )
        if colour.strip() not in _COLOURS:
            _report_colour(findings, lines.printed[1][0], number, colour, where)


def _report_colour(findings: Findings, line: int, number: int, colour: str, where: Place) -> None:
    findings.add("colour-unreadable.letter", where.but(round=number), colour=shown(colour.strip()), line=line)


def _gather_colours(findings: Findings, lines: PlayerLines, width: int, where: Place) -> list[str]:
    """Return the colours of a player by round, from any number of lines of any length."""
    rounds = width - COLUMNS_BEFORE_ROUNDS
    colours = [""] * rounds
    for line in lines.below:
        for number, text in enumerate(line.cells[COLUMNS_BEFORE_ROUNDS:], start=1):
            colour = text.strip()
            if not colour:
                continue
            if number > rounds or colour not in _COLOURS:
                _report_colour(findings, line.number, number, colour, where)
            elif not colours[number - 1]:
                colours[number - 1] = colour
    return colours


def _check_total(findings: Findings, where: Place, text: str, points: float) -> None:
    """Report a printed total that is not the sum of the round cells."""
    try:
        total = float(text)
    except ValueError:
        total = None
    if total != points:
        findings.add("total-differs", where, text=shown(text), points=points)


def texts_below(
    findings: Findings, table: PrintedTable, lines: PlayerLines, where: Place
) -> Iterator[tuple[int, str]]:
    """Yield what is under a player's name, with the number of the line; report lines that were cut off."""
    for line in lines.below:
        if len(line.cells) >= COLUMNS_BEFORE_ROUNDS or line.closed or not table.closed:
            yield line.number, line.cells[1] if len(line.cells) > 1 else ""
        else:
            findings.add("row-incomplete.cut-off", where, number=line.number)


def _read_ratings(
    findings: Findings, table: PrintedTable, lines: PlayerLines, where: Place, *, online: bool
) -> RatingsRead:
    """Return the member id of a player and the ratings of all systems."""
    member = ""
    ratings: dict[System, PrintedRating] = {}
    for number, text in texts_below(findings, table, lines, where):
        cell = parse_rating_cell(text, online=online)
        if cell.unread or (cell.member and member):
            unread = shown(cell.unread or cell.member)
            findings.add("rating-unreadable.crosstable", where, number=number, unread=unread)
            continue
        member = member or cell.member
        for rating in cell.ratings:
            keep_rating(findings, ratings, rating, where, number)
    if not ratings and any(text.strip()[:1] in SCORES for text in lines.first.cells[COLUMNS_BEFORE_ROUNDS:]):
        findings.add("ratings-missing", where)
    return RatingsRead(member, tuple(ratings.values()))


def keep_rating(
    findings: Findings, ratings: dict[System, PrintedRating], rating: PrintedRating, where: Place, number: int
) -> None:
    """Add the *rating* of line *number* to *ratings*; report points and games that cannot be, and a second rating."""
    where = where.but(system=rating.system)
    for points in (rating.before, rating.after):
        if points is not None:
            rating_in_range(findings, where, points)
    if rating.games is not None and rating.games > MOST_GAMES:
        findings.add("games-out-of-range.printed", where, games=rating.games)
    if rating.system in ratings:
        findings.add("rating-twice.ratings", where, number=number)
    ratings[rating.system] = rating


def _check_same_systems(findings: Findings, rows: list[Row], where: Place) -> None:
    """Name the players for whom a rating line is missing that others of the section have."""
    printed = {rating.system for row in rows for rating in row.read.ratings}
    for row in rows:
        if len(row.read.ratings) in {0, len(printed)}:
            continue
        missing = printed.difference(rating.system for rating in row.read.ratings)
        for system in sorted(missing):
            findings.add("rating-line-missing", where.but(seats=(row.seat,), system=system))

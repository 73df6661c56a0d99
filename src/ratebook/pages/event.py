"""An event with its sections, and the crosstables of these, as anyone may see them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from textwrap import shorten
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.events import StoredSection, list_sections, read_event, read_sections, seat_names
from ratebook.book.failures import refused
from ratebook.book.ledger.read import load_standings, rows_of_sections
from ratebook.book.ledger.rows import LedgerRow, Standing
from ratebook.book.profile import Federation
from ratebook.calculators.approx2001 import performance_rating
from ratebook.findings import Place
from ratebook.model import Entry, SectionType, Shown, System
from ratebook.pages.columns import Column, Columns, event_title, rounds_of
from ratebook.pages.crosstable import after_text, before_text, cell_text, change_text, points_of
from ratebook.pages.ratings import current_rating
from ratebook.rating.formulas import expected_score, rounded
from ratebook.records.events import Crosstable, CrosstableLine, EventSection, FoundEvent, WholeEvent
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.rules.in_force import RulesInForce

_CONTROL_WIDTH = 40

TYPE_TITLES = {
    SectionType.SWISS: "Swiss",
    SectionType.ROUND_ROBIN: "Round robin",
    SectionType.MATCH: "Match",
    SectionType.FIDE: "Foreign FIDE event",
    SectionType.OTHER: "Other",
}
TYPES = tuple((kind.value, title) for kind, title in TYPE_TITLES.items())
"""As a form offers them."""

SECTIONS: Columns[EventSection] = (
    Column("Section", "number", "right"),
    Column("Name", "name"),
    Column("End", "end"),
    # A schedule by round has hundreds of characters.
    Column("Time control", lambda one: shorten(one.time_control, _CONTROL_WIDTH, placeholder=" …")),
    Column("Type", "type", format=TYPE_TITLES.__getitem__),
    Column("Systems", lambda one: ", ".join(SYSTEM_TITLES[system] for system in one.systems)),
    Column("Players", "players", "right"),
    Column("Note", lambda one: "withdrawn" if one.withdrawn else ""),
)


EVENTS: Columns[FoundEvent] = (
    Column("Event", "id"),
    Column("Name", lambda one: event_title(one.name, one.end)),
    Column("Start", "start"),
    Column("End", "end"),
    Column("Place", lambda one: ", ".join(part for part in (one.city, one.state) if part)),
    Column("Sections", "sections", "right"),
    Column("Players", "players", "right"),
    Column("Note", lambda one: "withdrawn" if one.withdrawn else ""),
)


def event_page(connection: Connection, event_id: str) -> WholeEvent:
    """Return an event with its sections.

    Raises:
        BookError: no section of such an event is rated.
    """
    event = read_event(connection, event_id)
    if event is None:
        raise refused("event-unknown.no-rated-section", Place(event=event_id))
    place = ", ".join(part for part in (event.city, event.state, event.country) if part)
    sections = list_sections(connection, event_id)
    return WholeEvent(
        id=event_id,
        name=event.name,
        start=event.start,
        end=event.end,
        place=place,
        affiliate=event.affiliate,
        chief_td=event.chief_td,
        sections=sections,
    )


def title_of_event(event: WholeEvent) -> str:
    """Return what an event is called."""
    return event_title(
        event.name, event.end or max((section.end for section in event.sections), default=None)
    )


def result_columns(lines: Sequence[CrosstableLine]) -> Columns[CrosstableLine]:
    """Return the columns of a crosstable, with one for each round."""
    return (
        Column("Seat", "seat", "right"),
        Column("ID", "player"),
        Column("Name", "name"),
        Column("Before", before_text, "right"),
        Column("After", after_text, "right"),
        Column("Change", change_text, "right"),
        Column("Pts", "points", "right"),
        *rounds_of(lines, lambda line: line.rounds),
    )


def section_tables(
    connection: Connection, federation: Federation, event_id: str, number: int | None = None
) -> list[Crosstable]:
    """Return the crosstables of an event, or of one section of it: one for each system that rates it.

    Raises:
        BookError: no such event or section is rated.
    """
    event = read_event(connection, event_id)
    sections = [
        stored
        for stored in read_sections(connection, event_id=event_id)
        if number is None or stored.section.number == number
    ]
    if event is None or (number is not None and not sections):
        raise refused("event-unknown.section-not-rated", Place(event=event_id, section=number))
    rated = tables_of(connection, federation, sections, {event_id: event.name})
    return [table for section in rated for table in section.tables]


class RatedTables(NamedTuple):
    """A section with its current rows, by system and member, and the crosstables that they make."""

    stored: StoredSection
    rows: Mapping[System, Mapping[str, LedgerRow]]
    tables: tuple[Crosstable, ...]


def tables_of(
    connection: Connection,
    federation: Federation,
    sections: Sequence[StoredSection],
    event_names: Mapping[str, str],
) -> Iterator[RatedTables]:
    """Yield the crosstables of some hundred sections, one for each system that rates a section."""
    numbers = [stored.id for stored in sections]
    all_rows, all_names = rows_of_sections(connection, numbers), seat_names(connection, numbers)

    def table(stored: StoredSection, system: System, rows: Mapping[str, LedgerRow]) -> Crosstable:
        section, names = stored.section, all_names[stored.id]
        others = [member for member in stored.members if member not in rows]
        standings = load_standings(connection, others, stored.place) if others else {}
        lines = []
        for entry in section.entries:
            row, standing = rows.get(entry.player), standings.get(entry.player, {}).get(system)
            ratings = _ratings(federation, system, section.end, row, standing)
            lines.append((entry, names.get(entry.seat, ""), *ratings))
        return Crosstable(
            event=stored.event_id,
            event_name=event_names[stored.event_id],
            section=section.number,
            section_name=section.name,
            end=section.end,
            system=system,
            lines=_ordered(system, lines, federation.rulebook.in_force(system, section.end)),
        )

    for stored in sections:
        rows = all_rows[stored.id]
        tables = tuple(table(stored, system, rows[system]) for system in System if system in rows)
        yield RatedTables(stored, rows, tables)


def _ordered(
    system: System, lines: Sequence[tuple[Entry, str, Shown | None, Shown | None, float]], rules: RulesInForce
) -> tuple[CrosstableLine, ...]:
    """Return the lines of seats, each given with the name, the ratings before and after, and the one after in full."""
    ordered = sorted(lines, key=lambda line: (-points_of(line[0]), -rounded(line[-1]), line[0].seat))
    before = {entry.seat: rating for entry, _, rating, *_ in lines}

    def line(entry: Entry, name: str, own: Shown | None, after: Shown | None) -> CrosstableLine:
        games = [
            (before.get(cell.opponent), cell.points) for cell in entry.rounds if cell.opponent and cell.rated
        ]
        faced = [float(rating.rating) for rating, _ in games if rating is not None]
        all_rated = bool(games) and len(faced) == len(games)
        return CrosstableLine(
            system=system,
            seat=entry.seat,
            player=entry.player,
            name=name,
            before=own,
            after=after,
            points=points_of(entry),
            expected=math.fsum(expected_score(rules, float(own.rating), rating) for rating in faced)
            if own is not None and all_rated
            else None,
            performance=int(rounded(performance_rating(faced, [points for _, points in games])))
            if all_rated
            else None,
            rounds=tuple(map(cell_text, entry.rounds)),
        )

    return tuple(line(*each[:4]) for each in ordered)


def _ratings(
    federation: Federation, system: System, end: date, row: LedgerRow | None, standing: Standing | None
) -> tuple[Shown | None, Shown | None, float]:
    """Return a player's ratings before and after a section as they are published, and the one that orders its lines.

    They are those of the section's row, or where it has none of the standing before it.
    """

    def shown(rating: float, games: float | None) -> Shown:
        return current_rating(federation, system, rating, games, end)

    if row is not None:
        before = shown(row.rating_before, row.games_before) if row.source == "rated" else None
        return before, shown(row.rating, row.games), row.rating
    if standing is None:
        return None, None, 0.0
    unchanged = shown(standing.rating.rating, standing.rating.games)
    return unchanged, unchanged, standing.rating.rating

"""The crosstables of rated sections, as anyone may see them."""

import math
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.events import read_event, read_sections, seat_names, section_number
from ratebook.book.failures import refused
from ratebook.book.ledger.read import load_standings, rows_of_section
from ratebook.book.ledger.rows import LedgerRow, Standing
from ratebook.book.profile import Federation
from ratebook.model import Section, System
from ratebook.pages.columns import Column, Columns, rounds_of
from ratebook.pages.crosstable import cell_text
from ratebook.pages.ratings import UNRATED, current_text


class ResultLine(NamedTuple):
    """One seat of a crosstable."""

    seat: int
    member: str
    name: str
    before: str
    after: str
    points: float
    rounds: tuple[str, ...]


class SectionTable(NamedTuple):
    """The crosstable of a section in one system, in order of points, then of the rating after, then of seats."""

    event_id: str
    event_name: str
    section: int
    section_name: str
    end: date
    system: System
    lines: tuple[ResultLine, ...]


def result_columns(lines: Sequence[ResultLine]) -> Columns[ResultLine]:
    """Return the columns of a crosstable, with one for each round."""
    return (
        Column("Seat", "seat", "right"),
        Column("ID", "member"),
        Column("Name", "name"),
        Column("Before", "before", "right"),
        Column("After", "after", "right"),
        Column("Pts", "points", "right"),
        *rounds_of(lines, lambda line: line.rounds),
    )


def section_tables(
    connection: Connection, federation: Federation, event_id: str, number: int | None = None
) -> list[SectionTable]:
    """Return the crosstables of an event, or of one section of it: one for each system that rates it.

    Raises:
        BookError: no such event or section is rated.
    """
    event = read_event(connection, event_id)
    if event is None or (number is not None and section_number(connection, event_id, number) is None):
        where = f"event {event_id}" if number is None else f"event {event_id}, section {number}"
        raise refused("event-unknown.section-tables", where)
    tables = []
    for stored in read_sections(connection, event_id=event_id):
        section = stored.section
        if number is not None and section.number != number:
            continue
        rows = rows_of_section(connection, stored.id)
        names = seat_names(connection, stored.id) if rows else {}
        for system in (one for one in System if one in rows):
            rated = rows[system]
            others = [member for member in stored.members if member not in rated]
            standings = load_standings(connection, others, stored.place)
            ratings = {
                member: _ratings(
                    federation, system, section.end, rated.get(member), standings.get(member, {}).get(system)
                )
                for member in stored.members
            }
            lines = _lines(section, names, ratings)
            tables.append(
                SectionTable(event_id, event.name, section.number, section.name, section.end, system, lines)
            )
    return tables


class _Ratings(NamedTuple):
    """A player's ratings before and after a section as people write them, and the one by which lines are ordered."""

    before: str
    after: str
    rating: float


def _ratings(
    federation: Federation, system: System, end: date, row: LedgerRow | None, standing: Standing | None
) -> _Ratings:
    """Return the ratings of a player by the row of the section, or where it has none by the standing before it."""

    def shown(rating: float, games: float | None) -> str:
        return current_text(federation, system, rating, games, end)

    if row is not None:
        before = shown(row.rating_before, row.games_before) if row.source == "rated" else UNRATED
        return _Ratings(before, shown(row.rating, row.games), row.rating)
    if standing is None:
        return _Ratings(UNRATED, UNRATED, 0.0)
    unchanged = shown(standing.rating.rating, standing.rating.games)
    return _Ratings(unchanged, unchanged, standing.rating.rating)


def _lines(
    section: Section, names: Mapping[int, str], ratings: Mapping[str, _Ratings]
) -> tuple[ResultLine, ...]:
    lines = [
        ResultLine(
            seat=entry.seat,
            member=entry.player,
            name=names.get(entry.seat, ""),
            before=ratings[entry.player].before,
            after=ratings[entry.player].after,
            points=math.fsum(cell.points for cell in entry.rounds),
            rounds=tuple(cell_text(cell) for cell in entry.rounds),
        )
        for entry in section.entries
    ]
    return tuple(sorted(lines, key=lambda one: (-one.points, -ratings[one.member].rating, one.seat)))

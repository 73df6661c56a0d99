"""Where members have seats in the sections of the book."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from sqlalchemy import func, select

from ratebook.book import schema
from ratebook.book.connection import Connection
from ratebook.book.facts.member_files import batches, owners_of
from ratebook.model import SectionType


class SeatedPlaces(NamedTuple):
    """The places of the first and the last section in which a member has a seat."""

    first: str
    last: str


def seats_of(
    connection: Connection, canonical: Iterable[str], *, foreign: bool = False
) -> dict[str, SeatedPlaces]:
    """Return where members have seats, under merged ids too; members without a seat are left out.

    *foreign*: look at foreign FIDE events alone.
    """
    entries, sections = schema.entries, schema.sections
    places: dict[str, SeatedPlaces] = {}
    for batch in batches(canonical):
        owner = owners_of(connection, batch)
        query = (
            select(
                entries.c.member_id,
                func.min(sections.c.place).label("first"),
                func.max(sections.c.place).label("last"),
            )
            .join_from(entries, sections)
            .where(entries.c.member_id.in_(sorted(owner)))
            .group_by(entries.c.member_id)
        )
        if foreign:
            query = query.where(sections.c.type == SectionType.FIDE.value)
        for row in connection.execute(query):
            before = places.get(owner[row.member_id], SeatedPlaces(row.first, row.last))
            places[owner[row.member_id]] = SeatedPlaces(
                min(before.first, row.first), max(before.last, row.last)
            )
    return places


def first_place(connection: Connection, member: str) -> str | None:
    """Return the place of the first section in which a member has a seat; None where there is none."""
    seats = seats_of(connection, [member]).get(member)
    return None if seats is None else seats.first


def section_together(connection: Connection, member: str, other: str) -> str:
    """Return a section in which both ids have a seat, in words; empty where there is none."""
    entries, sections = schema.entries, schema.sections
    theirs = entries.alias()
    section = connection.execute(
        select(sections.c.event_id, sections.c.number)
        .join_from(entries, theirs, theirs.c.section_id == entries.c.section_id)
        .join(sections, sections.c.id == entries.c.section_id)
        .where(entries.c.member_id == member, theirs.c.member_id == other)
        .limit(1)
    ).first()
    return "" if section is None else f"event {section.event_id}, section {section.number}"


def foreign_event_after(connection: Connection, member: str, day: date) -> str:
    """Return the first foreign FIDE event of a member that began after *day*; empty where there is none."""
    entries, sections = schema.entries, schema.sections
    began = func.coalesce(sections.c.start, sections.c.end)
    event = (
        select(sections.c.event_id)
        .join_from(entries, sections)
        .where(
            entries.c.member_id.in_(sorted(owners_of(connection, [member]))),
            sections.c.type == SectionType.FIDE.value,
            sections.c.withdrawn.is_(False),
            began > day,
        )
        .order_by(sections.c.place)
        .limit(1)
    )
    return connection.execute(event).scalar() or ""

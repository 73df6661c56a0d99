"""Norms and titles, and what a member's titles follow from."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Row,
    Select,
    bindparam,
    delete,
    exists,
    false,
    func,
    insert,
    or_,
    select,
)

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.connection import Connection
from ratebook.book.facts.member_files import batches, rows_about
from ratebook.book.ledger.read import CURRENT
from ratebook.book.mirrors import Changing, note_changed
from ratebook.book.queries import PreparedQuery
from ratebook.model import System
from ratebook.records.players import Norm, Title
from ratebook.titles.title_rules import title_rules

balances = schema.opening_balances
ledger = schema.ledger
members = schema.members
norms = schema.norms
titles = schema.titles


class NormRow(NamedTuple):
    """A norm made in a section; columns as in ``schema.norms``."""

    member_id: str
    section_id: int
    place: str
    level: int
    score: float
    expected: float
    played: int


class CareerSection(NamedTuple):
    """A section that rated a member in OTB Regular: the figures after it, and the level of a norm made there."""

    place: str
    rating: float
    games: float | None
    life_master_games: int | None
    norm: int | None


class Opening(NamedTuple):
    """The opening balance of a member in OTB Regular, as far as titles need it; figures as in the balance."""

    as_of: date
    rating: float
    games: float | None
    peak: float | None


class Career(NamedTuple):
    """What a member's titles follow from, and the titles on record with their days; sections by history."""

    opening: Opening | None
    sections: list[CareerSection]
    titles: dict[str, date]


def load_careers(connection: Connection, members: Iterable[str]) -> Iterator[dict[str, Career]]:
    """Yield the careers of *members*, some hundred at a time."""
    for batch in batches(members):
        binds = {"ids": batch}
        opening = {member: Opening._make(row) for member, *row in connection.execute(_OPENINGS, binds).all()}
        careers = {member: Career(opening.get(member), [], {}) for member in batch}
        for member, title, earned in connection.execute(_TITLES, binds).all():
            careers[member].titles[title] = earned
        levels = {(member, place): level for member, place, level in connection.execute(_NORMS, binds).all()}
        for member, place, rating, games, own_games in connection.execute(_REGULAR_ROWS, binds).all():
            section = CareerSection(place, rating, games, own_games, levels.get((member, place)))
            careers[member].sections.append(section)
        yield careers


def write_titles(connection: Connection, earned: Mapping[str, Mapping[str, date]]) -> None:
    """Write the titles of members, with their days, replacing those on record."""
    if earned:
        gone = delete(titles).where(titles.c.member_id == bindparam("member"))
        connection.execute(gone, [{"member": member} for member in earned])
        note_changed(connection, Changing.PLAYER, earned)
        note_linked(connection, Linked.MEMBER, earned)
    rows = [
        {"member_id": member, "title": title, "earned": day}
        for member, days in earned.items()
        for title, day in days.items()
    ]
    if rows:
        connection.execute(insert(titles), rows)


def write_norms(connection: Connection, of_sections: Mapping[int, Sequence[NormRow]]) -> None:
    """Write the norms of sections, by the number of the section, replacing those on record."""
    if of_sections:
        gone = delete(norms).where(norms.c.section_id == bindparam("section"))
        connection.execute(gone, [{"section": section} for section in of_sections])
        note_linked(connection, Linked.SECTION, of_sections)
    rows = [norm._asdict() for norms_made in of_sections.values() for norm in norms_made]
    if rows:
        connection.execute(insert(norms), rows)


def with_norms(connection: Connection, members: Collection[str], least: int) -> set[str]:
    """Return those of *members* who have at least so many norms, at whatever levels."""
    holders = select(norms.c.member_id).group_by(norms.c.member_id).having(func.count() >= least)
    return {row.member_id for row in rows_about(connection, holders, norms.c.member_id, members)}


def norms_of(connection: Connection, sections: Iterable[int]) -> dict[int, dict[str, NormRow]]:
    """Return the norms made in some sections, by section and member."""
    by_section: dict[int, dict[str, NormRow]] = {}
    for row in rows_about(connection, select(norms), norms.c.section_id, sections):
        by_section.setdefault(row.section_id, {})[row.member_id] = NormRow(*row)
    return by_section


def earned_norms(connection: Connection, member: str) -> tuple[Norm, ...]:
    """Return the norms of a member, in the order of history."""
    rows = _NORMS_OF_MEMBER.rows(connection, member=member)
    return tuple(Norm(**row._asdict() | {"expected": round(row.expected, 2)}) for row in rows)


_NORMS_OF_MEMBER = PreparedQuery(
    select(
        norms.c.level,
        schema.sections.c.event_id.label("event"),
        schema.events.c.name.label("event_name"),
        schema.sections.c.number.label("section"),
        schema.sections.c.end,
        norms.c.score,
        norms.c.expected,
    )
    .join(schema.sections, schema.sections.c.id == norms.c.section_id)
    .join(schema.events, schema.events.c.id == schema.sections.c.event_id)
    .where(norms.c.member_id == bindparam("member"))
    .order_by(norms.c.place)
)


def earned_titles(connection: Connection, member: str) -> tuple[Title, ...]:
    """Return the titles of a member, the first one first."""
    return tuple(map(_title, _TITLES_OF_MEMBER.rows(connection, member=member)))


def titles_of(connection: Connection, members: Iterable[str]) -> dict[str, tuple[Title, ...]]:
    """Return the titles of those of *members* who have any, the first one first."""
    earned: dict[str, tuple[Title, ...]] = {}
    for batch in batches(members):
        for row in connection.execute(_TITLES_OF_MEMBERS, {"ids": batch}):
            earned[row.member_id] = (*earned.get(row.member_id, ()), _title(row))
    return earned


def _title(row: Row[Any]) -> Title:
    name = next((title.name for title in title_rules().titles if title.code == row.title), row.title)
    return Title(code=row.title, name=name, earned=row.earned)


_BY_DAY = select(titles).order_by(titles.c.earned)
_TITLES_OF_MEMBER = PreparedQuery(_BY_DAY.where(titles.c.member_id == bindparam("member")))
_TITLES_OF_MEMBERS = _BY_DAY.where(titles.c.member_id.in_(bindparam("ids", expanding=True)))


def all_titles(connection: Connection) -> dict[str, dict[str, date]]:
    """Return the titles on record with their days, by member."""
    earned: dict[str, dict[str, date]] = {}
    for row in connection.execute(select(titles)):
        earned.setdefault(row.member_id, {})[row.title] = row.earned
    return earned


def titles_earned_by(connection: Connection, day: date) -> dict[str, tuple[str, ...]]:
    """Return the titles earned by *day*, by member, the first one first."""
    earned: dict[str, list[str]] = {}
    query = select(titles).where(titles.c.earned <= day).order_by(titles.c.earned, titles.c.title)
    for row in connection.execute(query):
        earned.setdefault(row.member_id, []).append(row.title)
    return {member: tuple(codes) for member, codes in earned.items()}


class TitleHolder(NamedTuple):
    """A member who has a title, and since when; name and state are what the book says today."""

    member: str
    name: str
    state: str
    earned: date


class Candidate(NamedTuple):
    """A member without a title who has made norms for it: how many, and the place of the newest."""

    member: str
    name: str
    state: str
    norms: int
    newest: str


class TitleSection(NamedTuple):
    """A section that counted for a title of a member."""

    member: str
    event_id: str
    event_name: str
    number: int
    end: date


def numbers_of_titles(connection: Connection) -> dict[str, int]:
    """Return how many members have each title."""
    rows = connection.execute(select(titles.c.title, func.count()).group_by(titles.c.title))
    return {title: int(number) for title, number in rows}


def title_holders(connection: Connection, title: str, *, most: int, skip: int) -> list[TitleHolder]:
    """Return those who have a title, who earned it last first: *most* of them after the first *skip*."""
    rows = connection.execute(
        select(members.c.id, members.c.name, members.c.state, titles.c.earned)
        .join(members, members.c.id == titles.c.member_id)
        .where(titles.c.title == title)
        .order_by(titles.c.earned.desc(), titles.c.member_id)
        .limit(most)
        .offset(skip)
    )
    return [TitleHolder._make(row) for row in rows]


def candidates_for(connection: Connection, title: str, level: int, *, most: int) -> list[Candidate]:
    """Return who has norms of a level or higher but not the title: who has the most of them first."""
    number, newest = func.count().label("number"), func.max(norms.c.place).label("newest")
    # Counted first, and named then: most members have no norm.
    counted = (
        select(norms.c.member_id, number, newest)
        .where(
            norms.c.level >= level,
            ~exists().where(titles.c.member_id == norms.c.member_id, titles.c.title == title),
        )
        .group_by(norms.c.member_id)
        .order_by(number.desc(), newest.desc(), norms.c.member_id)
        .limit(most)
        .subquery()
    )
    rows = connection.execute(
        select(members.c.id, members.c.name, members.c.state, counted.c.number, counted.c.newest)
        .join(members, members.c.id == counted.c.member_id)
        .order_by(counted.c.number.desc(), counted.c.newest.desc(), members.c.id)
    )
    return [Candidate._make(row) for row in rows]


def _title_sections(member: ColumnElement[str]) -> Select[Any]:
    sections, events = schema.sections, schema.events
    section = select(member, sections.c.event_id, events.c.name, sections.c.number, sections.c.end)
    return section.select_from(sections).join(events, events.c.id == sections.c.event_id)


def norm_sections(connection: Connection, ids: Collection[str], level: int) -> list[TitleSection]:
    """Return the sections in which some members made norms of a level or higher, in the order of history."""
    rows = connection.execute(
        _title_sections(norms.c.member_id)
        .join(norms, norms.c.section_id == schema.sections.c.id)
        .where(norms.c.member_id.in_(ids), norms.c.level >= level)
        .order_by(norms.c.place)
    )
    return [TitleSection._make(row) for row in rows]


def sections_of_days(connection: Connection, days: Collection[tuple[str, date]]) -> list[TitleSection]:
    """Return the sections that rated members in OTB Regular and ended on a day, by member and day."""
    wanted = [
        (ledger.c.member_id == member)
        & (ledger.c.place >= day.isoformat())
        & (ledger.c.place < (day + timedelta(days=1)).isoformat())
        for member, day in days
    ]
    rows = connection.execute(
        _title_sections(ledger.c.member_id)
        .join(ledger, ledger.c.section_id == schema.sections.c.id)
        .where(CURRENT, ledger.c.system == System.REGULAR.value, or_(false(), *wanted))
        .order_by(ledger.c.place)
    )
    return [TitleSection._make(row) for row in rows]


_IDS: BindParameter[list[str]] = bindparam("ids", expanding=True)
_NORMS = select(norms.c.member_id, norms.c.place, norms.c.level).where(norms.c.member_id.in_(_IDS))
_TITLES = select(titles.c.member_id, titles.c.title, titles.c.earned).where(titles.c.member_id.in_(_IDS))
_OPENINGS = select(balances.c.member_id, *(balances.c[name] for name in Opening._fields)).where(
    balances.c.member_id.in_(_IDS), balances.c.system == System.REGULAR.value
)
_REGULAR_ROWS = (
    select(ledger.c.member_id, ledger.c.place, ledger.c.rating, ledger.c.games, ledger.c.life_master_games)
    .where(
        CURRENT,
        ledger.c.section_id.is_not(None),
        ledger.c.member_id.in_(_IDS),
        ledger.c.system == System.REGULAR.value,
    )
    .order_by(ledger.c.place)
)

"""Reading the book: every page and list that shows what it holds is filled here, and nowhere else."""

from __future__ import annotations

import math
from collections import defaultdict
from datetime import date, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import exists, func, select

from ratebook.book import schema
from ratebook.book.events import read_event, read_sections, section_number
from ratebook.book.failures import refused
from ratebook.book.ledger.official import official_rating
from ratebook.book.ledger.read import CURRENT, load_standings
from ratebook.book.ledger.rows import end_of_place
from ratebook.model import System
from ratebook.pages.contents import (
    UNRATED,
    CurrentRating,
    EventPage,
    FoundMember,
    HistoryLine,
    MemberPage,
    NormLine,
    RankingLine,
    ResultLine,
    SectionLine,
    SectionTable,
    TitleLine,
)
from ratebook.pages.crosstable import cell_text, rating_text
from ratebook.player_lists.row import name_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection, Row

    from ratebook.book.events import StoredSection
    from ratebook.book.ledger.official import OfficialRating
    from ratebook.book.profile import Federation

ledger = schema.ledger
members = schema.members
sections = schema.sections

FOUND_AT_MOST = 50
OLDEST_BIRTH_YEARS = 200


def shown_rating(federation: Federation, system: System, rating: float, games: float | None, on: date) -> str:
    """Return a rating as people write it, with its games while it is provisional."""
    established = federation.established(system, games, on)
    return rating_text(rating, math.inf if games is None else games, established=established)


def official_text(official: OfficialRating | None) -> str:
    """Return a rating of an official list as people write it; empty where there is none.

    >>> from ratebook.book.ledger.official import OfficialRating
    >>> (
    ...     official_text(OfficialRating(1234, 10)),
    ...     official_text(OfficialRating(1500, None)),
    ...     official_text(None),
    ... )
    ('1234P10', '1500', '')
    """
    if official is None:
        return ""
    return f"{official.rating}" if official.games is None else f"{official.rating}P{official.games}"


def find_members(connection: Connection, text: str) -> list[FoundMember]:
    """Return members by id or by a part of the name, at most fifty, in the order of their names."""
    exact = connection.execute(
        select(members.c.id, members.c.name, members.c.state).where(members.c.id == text)
    ).all()
    if not exact:
        wanted = name_key(text).replace("%", "").replace("_", "")
        exact = connection.execute(
            select(members.c.id, members.c.name, members.c.state)
            .where(members.c.folded_name.contains(wanted), members.c.merged_into.is_(None))
            .order_by(members.c.folded_name, members.c.id)
            .limit(FOUND_AT_MOST)
        ).all()
    return [FoundMember(row.id, row.name, row.state) for row in exact]


def holding_id(connection: Connection, member: str) -> str:
    """Return the id under which a member is rated.

    Raises:
        BookError: there is no such member.
    """
    row = connection.execute(
        select(members.c.id, members.c.merged_into).where(members.c.id == member)
    ).first()
    if row is None:
        raise refused("member-unknown.known-member", f"member {member}")
    return str(row.merged_into or row.id)


def member_page(connection: Connection, federation: Federation, member: str, on: date) -> MemberPage:
    """Return what everybody may know of a member; *on* chooses the official list.

    Raises:
        BookError: there is no such member.
    """
    holding = holding_id(connection, member)
    row = connection.execute(select(members).where(members.c.id == holding)).one()
    earlier = connection.execute(
        select(members.c.id).where(members.c.merged_into == holding).order_by(members.c.id)
    ).scalars()
    titles = connection.execute(
        select(schema.titles).where(schema.titles.c.member_id == holding).order_by(schema.titles.c.earned)
    )
    norms = connection.execute(
        select(schema.norms, sections.c.event_id, sections.c.number, sections.c.end)
        .join(sections, sections.c.id == schema.norms.c.section_id)
        .where(schema.norms.c.member_id == holding)
        .order_by(schema.norms.c.place)
    )
    played = connection.execute(
        select(func.count(ledger.c.section_id.distinct())).where(CURRENT, ledger.c.member_id == holding)
    ).scalar_one()
    return MemberPage(
        id=holding,
        name=row.name,
        state=row.state,
        earlier_ids=tuple(earlier),
        ratings=tuple(current_ratings(connection, federation, holding, on)),
        titles=tuple(TitleLine(one.title, one.earned) for one in titles),
        norms=tuple(
            NormLine(one.level, one.event_id, one.number, one.end, one.score, one.expected) for one in norms
        ),
        sections_played=int(played),
    )


def current_ratings(
    connection: Connection, federation: Federation, member: str, on: date
) -> list[CurrentRating]:
    """Return a member's ratings after everything that is rated, by system; *on* chooses the official list."""
    standings = load_standings(connection, [member], "\uffff")[member]
    balances = {
        System(row.system): row
        for row in connection.execute(
            select(schema.opening_balances).where(schema.opening_balances.c.member_id == member)
        )
    }
    found = []
    for system in System:
        standing, balance = standings.get(system), balances.get(system)
        if standing is not None:
            rating, games, as_of = standing.rating.rating, standing.rating.games, standing.end
        elif balance is not None:
            rating, games, as_of = balance.rating, balance.games, balance.as_of
        else:
            continue
        official = official_rating(connection, federation, member, system, on)
        shown = shown_rating(federation, system, rating, games, as_of)
        found.append(CurrentRating(system, rating, shown, official_text(official), as_of))
    return found


def history(
    connection: Connection, federation: Federation, member: str, systems: Sequence[System] = tuple(System)
) -> list[HistoryLine]:
    """Return the rated sections of a member, in the order of history.

    Raises:
        BookError: there is no such member.
    """
    holding = holding_id(connection, member)
    rows = connection.execute(
        select(
            ledger,
            sections.c.event_id,
            sections.c.number,
            sections.c.name,
            sections.c.end,
            schema.events.c.name,
        )
        .join(sections, sections.c.id == ledger.c.section_id)
        .join(schema.events, schema.events.c.id == sections.c.event_id)
        .where(
            CURRENT,
            ledger.c.member_id == holding,
            ledger.c.system.in_([system.value for system in systems]),
        )
        .order_by(ledger.c.place, ledger.c.system)
    )
    return [_history_line(federation, row) for row in rows]


def _history_line(federation: Federation, row: Row[tuple[object, ...]]) -> HistoryLine:
    system = System(row.system)
    was_rated = row.source == "rated"
    names = row._mapping  # noqa: SLF001 - the public name of a row's columns in SQLAlchemy
    return HistoryLine(
        event_id=row.event_id,
        event_name=names[schema.events.c.name],
        section=row.number,
        section_name=names[sections.c.name],
        end=row.end,
        system=system,
        before=_before(federation, system, row),
        after=shown_rating(federation, system, row.rating, row.games, row.end),
        rating=row.rating,
        change=row.rating - row.rating_before if was_rated else None,
        score=row.score,
        games=row.played,
        at_floor=row.floor_applied is not None,
    )


def _before(federation: Federation, system: System, row: Row[tuple[object, ...]]) -> str:
    if row.source != "rated":
        return UNRATED
    return shown_rating(federation, system, row.rating_before, row.games_before, end_of_place(row.place))


def event_page(connection: Connection, event_id: str) -> EventPage:
    """Return an event with its sections.

    Raises:
        BookError: no section of such an event is rated.
    """
    event = read_event(connection, event_id)
    if event is None:
        raise refused("event-unknown.event-page", f"event {event_id}")
    postings, entries = schema.postings, schema.entries
    systems = defaultdict(list)
    for row in connection.execute(
        select(postings.c.section_id, postings.c.system)
        .join(sections, sections.c.id == postings.c.section_id)
        .where(
            sections.c.event_id == event_id,
            postings.c.superseded_by.is_(None),
            postings.c.withdrawn.is_(False),
        )
    ):
        systems[row.section_id].append(System(row.system))
    players = {
        row.section_id: row.players
        for row in connection.execute(
            select(entries.c.section_id, func.count().label("players"))
            .join(sections, sections.c.id == entries.c.section_id)
            .where(sections.c.event_id == event_id)
            .group_by(entries.c.section_id)
        )
    }
    order = list(System)
    lines = tuple(
        SectionLine(
            number=row.number,
            name=row.name,
            end=row.end,
            time_control=row.time_control or "",
            type=row.type,
            systems=tuple(sorted(systems[row.id], key=order.index)),
            players=players.get(row.id, 0),
            withdrawn=row.withdrawn,
        )
        for row in connection.execute(
            select(sections).where(sections.c.event_id == event_id).order_by(sections.c.number)
        )
    )
    place = ", ".join(part for part in (event.city, event.state, event.country) if part)
    return EventPage(
        event_id, event.name, event.start, event.end, place, event.affiliate, event.chief_td, lines
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
        if number is not None and stored.section.number != number:
            continue
        rows: dict[System, dict[str, Row[tuple[object, ...]]]] = defaultdict(dict)
        for row in connection.execute(select(ledger).where(CURRENT, ledger.c.section_id == stored.id)):
            rows[System(row.system)][row.member_id] = row
        tables += [
            _table(connection, federation, event.name, stored, system, rows[system])
            for system in System
            if system in rows
        ]
    return tables


def _table(  # noqa: PLR0913, PLR0917 - a crosstable is made of all of it
    connection: Connection,
    federation: Federation,
    event_name: str,
    stored: StoredSection,
    system: System,
    rows: Mapping[str, Row[tuple[object, ...]]],
) -> SectionTable:
    section = stored.section
    without = [member for member in stored.members if member not in rows]
    standings = load_standings(connection, without, stored.place) if without else {}
    names = {
        row.seat: row.name
        for row in connection.execute(
            select(schema.entries.c.seat, schema.entries.c.name).where(
                schema.entries.c.section_id == stored.id
            )
        )
    }
    lines = []
    order = {}
    for entry in section.entries:
        row = rows.get(entry.player)
        if row is None:
            standing = standings.get(entry.player, {}).get(system)
            before = after = (
                UNRATED
                if standing is None
                else shown_rating(
                    federation, system, standing.rating.rating, standing.rating.games, section.end
                )
            )
            rating = 0.0 if standing is None else standing.rating.rating
        else:
            before = _before(federation, system, row)
            after = shown_rating(federation, system, row.rating, row.games, section.end)
            rating = row.rating
        points = math.fsum(cell.points for cell in entry.rounds)
        order[entry.seat] = (-points, -rating, entry.seat)
        lines.append(
            ResultLine(
                seat=entry.seat,
                member=entry.player,
                name=names.get(entry.seat, ""),
                before=before,
                after=after,
                points=points,
                rounds=tuple(cell_text(cell) for cell in entry.rounds),
            )
        )
    return SectionTable(
        event_id=stored.event_id,
        event_name=event_name,
        section=section.number,
        section_name=section.name,
        end=section.end,
        system=system,
        lines=tuple(sorted(lines, key=lambda line: order[line.seat])),
    )


def ranking(  # noqa: PLR0913 - whom it is of
    connection: Connection,
    federation: Federation,
    system: System,
    *,
    on: date,
    most: int = 50,
    ages: tuple[int, int] | None = None,
    state: str = "",
) -> list[RankingLine]:
    """Return the highest rated members of a system.

    Args:
        connection: a reader's.
        federation: whose least games for an official rating hold here too.
        system: the system.
        on: the day on which ages are counted.
        most: how many places.
        ages: first and last age in years, of members whose birth dates are known.
        state: of the members.
    """
    least = federation.profile.least_published_games
    wanted = []
    if state:
        wanted.append(members.c.state == state)
    if ages is not None:
        youngest, oldest = ages
        wanted.append(members.c.birth_date > _birthday(on, oldest + 1))
        wanted.append(members.c.birth_date <= _birthday(on, youngest))
    person = (members.c.id, members.c.name, members.c.state)
    newest = (
        select(ledger.c.member_id, func.max(ledger.c.place).label("place"))
        .where(CURRENT, ledger.c.system == system.value)
        .group_by(ledger.c.member_id)
        .subquery()
    )
    rated = connection.execute(
        select(*person, ledger.c.rating, ledger.c.games, ledger.c.place)
        .join(newest, (newest.c.member_id == ledger.c.member_id) & (newest.c.place == ledger.c.place))
        .join(members, members.c.id == ledger.c.member_id)
        .where(
            CURRENT,
            ledger.c.system == system.value,
            ledger.c.games.is_(None) | (ledger.c.games >= least),
            *wanted,
        )
        .order_by(ledger.c.rating.desc(), members.c.id)
        .limit(most)
    ).all()
    balances = schema.opening_balances
    # Who has not played since the book began stands at the opening balance.
    opened = connection.execute(
        select(*person, balances.c.rating, balances.c.games, balances.c.as_of)
        .join(members, members.c.id == balances.c.member_id)
        .where(
            balances.c.system == system.value,
            balances.c.games.is_(None) | (balances.c.games >= least),
            members.c.merged_into.is_(None),
            ~exists().where(
                CURRENT, ledger.c.member_id == balances.c.member_id, ledger.c.system == system.value
            ),
            *wanted,
        )
        .order_by(balances.c.rating.desc(), members.c.id)
        .limit(most)
    ).all()
    found = [(row, end_of_place(row.place)) for row in rated] + [(row, row.as_of) for row in opened]
    found.sort(key=lambda one: (-one[0].rating, one[0].id))
    lines: list[RankingLine] = []
    for place, (row, day) in enumerate(found[:most], start=1):
        shown = shown_rating(federation, system, row.rating, row.games, day)
        rank = lines[-1].rank if lines and lines[-1].rating == row.rating else place
        lines.append(RankingLine(rank, row.id, row.name, row.state, row.rating, shown))
    return lines


def _birthday(on: date, years: int) -> date:
    """Return the last day on which somebody was born who is *years* old on that day.

    >>> _birthday(date(2026, 2, 28), 10), _birthday(date(2024, 2, 29), 1)
    (datetime.date(2016, 2, 28), datetime.date(2023, 2, 28))
    """
    year = max(on.year - min(years, OLDEST_BIRTH_YEARS), 1)
    try:
        return on.replace(year=year)
    except ValueError:
        return on.replace(year=year, month=3, day=1) - timedelta(days=1)


def decisions(connection: Connection, *, most: int = 100) -> Sequence[Row[tuple[object, ...]]]:
    """Return the decisions of the office, the newest first."""
    return connection.execute(
        select(schema.decisions).order_by(schema.decisions.c.id.desc()).limit(most)
    ).all()


def audit_entries(
    connection: Connection, *, subject: str = "", most: int = 100
) -> Sequence[Row[tuple[object, ...]]]:
    """Return the entries of the audit log, of one subject or of all, the newest first."""
    found = select(schema.audit).order_by(schema.audit.c.id.desc()).limit(most)
    if subject:
        found = found.where(schema.audit.c.subject == subject)
    return connection.execute(found).all()

"""A member's rated sections, and the highest rated members of a system."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, bindparam, exists, func, select

from ratebook.book import schema
from ratebook.book.connection import Connection
from ratebook.book.facts.member_files import batches, rows_about
from ratebook.book.facts.members import IDS_OF_MEMBER
from ratebook.book.facts.states import is_state
from ratebook.book.ledger.read import CURRENT, standings_of_rows
from ratebook.book.ledger.rows import Standing, end_of_place
from ratebook.book.queries import PreparedQuery
from ratebook.model import SCORES, System

entries = schema.entries
games = schema.games
ledger = schema.ledger
members = schema.members
sections = schema.sections


FEW_MEMBERS = 1_000
"""Up to so many members, their newest rows are found faster one by one than in the order of ratings."""


class HistoryRow(NamedTuple):
    """A row of a member's ledger in one system: its section, or none of a moved rating, and figures as stored there."""

    end: date
    event_id: str | None
    event_name: str | None
    section: int | None
    section_name: str | None
    system: str
    source: str
    rating_before: float
    games_before: float | None
    rating: float
    games: float | None
    score: float
    played: int
    floor_applied: float | None
    formula: str
    section_id: int | None


class RankedMember(NamedTuple):
    """A member with the current rating in one system; *as_of* is the day of the last section or of the balance."""

    member: str
    name: str
    state: str
    rating: float
    games: float | None
    as_of: date


def read_history(connection: Connection, member: str, systems: Sequence[System]) -> list[HistoryRow]:
    """Return the ledger of a member, in the order of history."""
    binds = {"member": member, "systems": [system.value for system in systems]}
    rows = connection.execute(_HISTORY.order_by(ledger.c.place, ledger.c.system), binds)
    return [_history_row(row) for row in rows]


def _history_row(row: Sequence[Any]) -> HistoryRow:
    return HistoryRow._make((end_of_place(row[0]), *row[1:]))


_OF_MEMBER = (
    CURRENT,
    ledger.c.member_id == bindparam("member"),
    ledger.c.system.in_(bindparam("systems", expanding=True)),
)
_ROWS = (
    select(
        ledger.c.place,
        sections.c.event_id,
        schema.events.c.name,
        sections.c.number,
        sections.c.name,
        *(ledger.c[name] for name in HistoryRow._fields[5:]),
    )
    .outerjoin_from(ledger, sections, sections.c.id == ledger.c.section_id)
    .outerjoin(schema.events, schema.events.c.id == sections.c.event_id)
)
_HISTORY = _ROWS.where(*_OF_MEMBER)
_MOVED = (
    _ROWS.add_columns(ledger.c.member_id)
    .join(members, members.c.id == ledger.c.member_id)
    .where(
        CURRENT,
        ledger.c.section_id.is_(None),
        members.c.merged_into.is_(None),
        ledger.c.place >= bindparam("since"),
        ledger.c.place < bindparam("until"),
    )
    .order_by(ledger.c.place, ledger.c.member_id, ledger.c.system)
)


def moved_ratings(connection: Connection, since: str, until: str) -> Iterator[tuple[str, HistoryRow]]:
    """Yield the rows that no section gave, from a place to before another, each with its member."""
    for *row, member in connection.execute(_MOVED, {"since": since, "until": until}):
        yield member, _history_row(row)


def years_of_history(connection: Connection) -> list[str]:
    """Return the years that have sections, withdrawn ones too, or moved ratings, the earliest first."""
    of_sections = select(func.substr(sections.c.place, 1, 4))
    moved = select(func.substr(ledger.c.place, 1, 4)).where(CURRENT, ledger.c.section_id.is_(None))
    return sorted(connection.execute(of_sections.union(moved)).scalars())


class HistoryPart(NamedTuple):
    """Some rows of a member's ledger, the newest first, and the place before which older ones are; empty: none are."""

    rows: tuple[HistoryRow, ...]
    older: str


def read_newest(  # noqa: PLR0913 - which part of whose history
    connection: Connection, member: str, systems: Sequence[System], *, before: str, since: str = "", most: int
) -> HistoryPart:
    """Return the newest rows of a member's ledger from a place to before another: of *most* places, in *systems*."""
    part: dict[str, Any] = {"member": member, "before": before, "since": since, "most": most + 1}
    if len(systems) < len(System):
        rows = _NEWEST.rows(connection, **part, systems=[system.value for system in systems])
    else:
        rows = _NEWEST_OF_ALL.rows(connection, **part)
    places = list(dict.fromkeys(row.place for row in rows))
    last = places[most - 1] if len(places) > most else ""
    return HistoryPart(tuple(_history_row(row) for row in rows if row.place >= last), last)


def _newest(*rows_of_member: ColumnElement[bool]) -> PreparedQuery:
    place = ledger.c.place
    # From the index alone: sections and events are looked up for the rows that are wanted, not for all to be sorted.
    part = select(place).where(*rows_of_member, place < bindparam("before"), place >= bindparam("since"))
    places = part.distinct().order_by(place.desc()).limit(bindparam("most")).subquery()
    least = select(func.min(places.c.place)).scalar_subquery()
    wanted = _ROWS.where(*rows_of_member, place < bindparam("before"), place >= least)
    return PreparedQuery(wanted.order_by(place.desc(), ledger.c.system))


# Nearly all ask for all systems, and so need no look at any.
_NEWEST, _NEWEST_OF_ALL = _newest(*_OF_MEMBER), _newest(*_OF_MEMBER[:2])


def rated_years(connection: Connection, member: str) -> list[int]:
    """Return the years in which a member has ratings, the newest first."""
    years = connection.execute(_YEARS, {"member": member}).scalars()
    return sorted(map(int, years), reverse=True)


_YEARS = (
    select(func.substr(ledger.c.place, 1, 4))
    .where(CURRENT, ledger.c.member_id == bindparam("member"))
    .distinct()
)


class SeriesPoint(NamedTuple):
    """A rating after a section: what a graph of a member's ratings is made of.

    Attributes:
        place: of the section in history (`section_at`); empty: a decision moved the rating.
        games: on which it is based; None: established, number unknown.
        played: rated games of the section.
    """

    end: date
    rating: float
    place: str
    games: float | None = None
    played: int = 0


class Series(NamedTuple):
    """A member's ratings after each section, by system, in the order of history, and where the member stands now."""

    points: dict[System, list[SeriesPoint]]
    standings: dict[System, Standing]


def rating_series(connection: Connection, member: str) -> Series:
    """Return the series of a member's ratings; without opening balances."""
    points: dict[str, list[SeriesPoint]] = {}
    newest: dict[str, int] = {}
    # Values in the order of the fields: names take twice as long, and the busiest have thousands of points.
    for row, system, place, rating, section, games, played in _SERIES.tuples(connection, member=member):
        point = SeriesPoint._make(
            (end_of_place(place), rating, "" if section is None else place, games, played)
        )
        points.setdefault(system, []).append(point)
        newest[system] = row
    standings = standings_of_rows(connection, newest.values()) if newest else {}
    return Series({system: points[system] for system in System if system in points}, standings)


_SERIES = PreparedQuery(
    select(*(ledger.c[name] for name in ("id", "system", "place", "rating", "section_id", "games", "played")))
    .where(CURRENT, ledger.c.member_id == bindparam("member"))
    .order_by(ledger.c.system, ledger.c.place)
)


def results_of(connection: Connection, member: str, section_ids: Iterable[int]) -> dict[int, str]:
    """Return the results of a member in some sections, a letter a round: W, D or L of games, else as reported."""
    results: dict[int, str] = {}
    for batch in batches(section_ids):
        for section, result in _RESULTS.tuples(connection, member=member, sections=batch):
            results[section] = results.get(section, "") + letter_of(result)
    return results


def letter_of(result: str) -> str:
    """Return the letter of a result: W, D or L of a game, whoever reported it, else as it was reported.

    >>> letter_of("N"), letter_of("H")
    ('W', 'H')
    """
    return _LETTERS[SCORES[result]] if result in SCORES else result


_LETTERS = {1.0: "W", 0.5: "D", 0.0: "L"}
_SEATS = (
    # The member's own seats first: SQLite would else read the games of everyone in the sections.
    select(entries.c.section_id, entries.c.seat)
    .where(
        entries.c.member_id.in_(IDS_OF_MEMBER),
        entries.c.section_id.in_(bindparam("sections", expanding=True)),
    )
    .cte("seats")
    .prefix_with("MATERIALIZED")
)
_RESULTS = PreparedQuery(
    select(_SEATS.c.section_id, games.c.result)
    .join_from(_SEATS, games, (games.c.section_id == _SEATS.c.section_id) & (games.c.seat == _SEATS.c.seat))
    .order_by(_SEATS.c.section_id, games.c.round)
)


class FirstRating(NamedTuple):
    """What Step 1 gave a member in one system, and the end of the section that it was for."""

    system: System
    end: date
    rating: float
    games: float


def initial_ratings(connection: Connection, ids: Iterable[str]) -> dict[str, list[FirstRating]]:
    """Return the initial ratings by Step 1 from which members started, those that the office decided left out."""
    query = select(
        ledger.c.member_id, ledger.c.system, ledger.c.place, ledger.c.rating_before, ledger.c.games_before
    ).where(CURRENT, ledger.c.section_id.is_not(None), ledger.c.source.not_in(("rated", "initial")))
    firsts: dict[str, dict[System, FirstRating]] = {}
    for member, system, place, *rating in sorted(
        rows_about(connection, query, ledger.c.member_id, ids), key=lambda row: row.place
    ):
        # While a re-rating is pending, a section may still be rated as the first one that no longer is.
        first = FirstRating(System(system), end_of_place(place), *rating)
        firsts.setdefault(member, {}).setdefault(first.system, first)
    return {member: list(of_systems.values()) for member, of_systems in firsts.items()}


def newest_section(connection: Connection) -> date | None:
    """Return the end of the newest section that is rated; None where none is."""
    ends = select(sections.c.end).where(sections.c.withdrawn.is_(False)).order_by(sections.c.place.desc())
    return connection.execute(ends.limit(1)).scalar()


def sections_played(connection: Connection, member: str) -> int:
    """Return how many sections rated a member."""
    return int(connection.execute(_SECTIONS_PLAYED, {"member": member}).scalar_one())


_SECTIONS_PLAYED = select(func.count(ledger.c.section_id.distinct())).where(
    CURRENT, ledger.c.member_id == bindparam("member")
)


def highest_rated(  # noqa: PLR0913 - whom it is of
    connection: Connection,
    system: System,
    least_games: int,
    *,
    most: int,
    born: tuple[date, date] | None = None,
    state: str = "",
) -> list[RankedMember]:
    """Return the highest rated members of a system; equal ratings are in the order of ids.

    Args:
        connection: a reader's.
        system: the system.
        least_games: games on which a rating must be based.
        most: how many members.
        born: members were born after the first of these days, and up to the second.
        state: of the members; empty: any.
    """
    wanted = [is_state(members.c.state, state)] if state else []
    if born is not None:
        wanted += [members.c.birth_date > born[0], members.c.birth_date <= born[1]]
    binds = {"system": system.value, "least": least_games, "most": most}
    few = _few(connection, wanted) if wanted else None
    if few is None:
        rated = connection.execute(_HIGHEST.where(*wanted), binds).all()
    else:
        # Where few are meant, the ranking would be walked through to its end: their rows are looked up instead.
        newest = select(func.max(_NEWER.c.place)).where(*_SAME_MEMBER).scalar_subquery()
        theirs = _RATED.where(ledger.c.member_id.in_(few), ledger.c.place == newest)
        rated = connection.execute(theirs, binds).all()
    # Members who have not played since the book was opened still have their opening balance.
    opened = connection.execute(_OPENED.where(*wanted), binds).all()
    ranked = [RankedMember._make((*row[:-1], end_of_place(row[-1]))) for row in rated]
    ranked += [RankedMember._make(row) for row in opened]
    return sorted(ranked, key=lambda member: (-member.rating, member.member))[:most]


_PERSON = (members.c.id, members.c.name, members.c.state)
_NEWER, _BALANCES = ledger.alias(), schema.opening_balances
_SAME_MEMBER = (
    _NEWER.c.member_id == ledger.c.member_id,
    _NEWER.c.system == ledger.c.system,
    _NEWER.c.superseded_by.is_(None),
)
_RATED = (
    select(*_PERSON, ledger.c.rating, ledger.c.games, ledger.c.place)
    .join_from(ledger, members, members.c.id == ledger.c.member_id)
    .where(
        CURRENT,
        ledger.c.system == bindparam("system"),
        ledger.c.games.is_(None) | (ledger.c.games >= bindparam("least")),
    )
)
_HIGHEST = (
    # From the highest rating down: a row counts unless the member has a newer one.
    _RATED.where(~exists().where(*_SAME_MEMBER, _NEWER.c.place > ledger.c.place))
    .order_by(ledger.c.rating.desc(), ledger.c.member_id)
    .limit(bindparam("most"))
)
_OPENED = (
    select(*_PERSON, _BALANCES.c.rating, _BALANCES.c.games, _BALANCES.c.as_of)
    .join_from(_BALANCES, members, members.c.id == _BALANCES.c.member_id)
    .where(
        _BALANCES.c.system == bindparam("system"),
        _BALANCES.c.games.is_(None) | (_BALANCES.c.games >= bindparam("least")),
        members.c.merged_into.is_(None),
        ~exists().where(
            CURRENT, ledger.c.member_id == _BALANCES.c.member_id, ledger.c.system == _BALANCES.c.system
        ),
    )
    .order_by(_BALANCES.c.rating.desc(), _BALANCES.c.member_id)
    .limit(bindparam("most"))
)


def _few(connection: Connection, wanted: Sequence[ColumnElement[bool]]) -> list[str] | None:
    ids = connection.execute(select(members.c.id).where(*wanted).limit(FEW_MEMBERS + 1)).scalars().all()
    return list(ids) if len(ids) <= FEW_MEMBERS else None

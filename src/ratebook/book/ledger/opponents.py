"""The rated games of a member against each opponent, with the ratings that both had before the section."""

from collections.abc import Sequence
from typing import TypeAlias

from sqlalchemy import Connection, bindparam, case, func, select

from ratebook.book import schema
from ratebook.book.facts.members import IDS_OF_MEMBER
from ratebook.book.queries import PreparedQuery
from ratebook.model import SCORES, System
from ratebook.rating.formulas import rounded
from ratebook.records.players import GameOfPlayer

_MINE, _THEIRS = schema.entries.alias("mine"), schema.entries.alias("theirs")
_OWN, _OTHER = schema.ledger.alias("own"), schema.ledger.alias("other")
_HOLDER = schema.members.alias("holder")
_GAMES, _SECTIONS = schema.games, schema.sections


def played_games(connection: Connection, member: str, other: str = "") -> list[GameOfPlayer]:
    """Return the rated games of a member against one opponent or (empty) all, the newest first.

    A dual-rated game is there once for each system. Games against seats without a rated row are left out.
    """
    rows = connection.execute(_GAMES_BETWEEN if other else _GAMES_AGAINST, {"member": member, "other": other})
    return [
        GameOfPlayer(
            **row._asdict()
            | {
                "system": System(row.system),
                "score": SCORES[row.score],
                "rating": _published(row.rating),
                "opponent_rating": _published(row.opponent_rating),
            }
        )
        for row in rows
    ]


def members_by_seat(connection: Connection, event: str, number: int) -> dict[int, str]:
    """Return the ids of those in a section who are members, by seat."""
    entries, members = schema.entries, schema.members
    rows = connection.execute(
        select(entries.c.seat, entries.c.member_id)
        .join(_SECTIONS, _SECTIONS.c.id == entries.c.section_id)
        .join(members, members.c.id == entries.c.member_id)
        .where(_SECTIONS.c.event_id == event, _SECTIONS.c.number == number)
    )
    return {seat: member for seat, member in rows}  # noqa: C416 - rows unpack, dict() of rows does not type


def _published(rating: float | None) -> int | None:
    return None if rating is None else int(rounded(rating))


Meeting: TypeAlias = tuple[str, str, str, str, float | None, float | None]
"""A rated game as far as it counts: place of the section, opponent, result, colour, own rating before, theirs."""


def meetings(connection: Connection, member: str, system: System, *, since: str = "") -> Sequence[Meeting]:
    """Return the games of a member in a system from a place on in no order: `played_games`, and those not played.

    The busiest has thousands: neither events nor names are looked up, and rows are the driver's, quick to compare.
    """
    return _MEETINGS.tuples(connection, member=member, system=system.value, since=since)


_MERGED = (
    # Few members are: as a table of its own it spares each game a look at the members.
    select(schema.members.c.id, schema.members.c.merged_into)
    .where(schema.members.c.merged_into.is_not(None))
    .cte("merged")
    .prefix_with("MATERIALIZED")
)
_SEATS = (
    # The member's own seats first: a store would else read the games of everyone in the sections.
    select(
        _MINE.c.section_id,
        _MINE.c.seat,
        _OWN.c.place,
        case((_OWN.c.source == "rated", _OWN.c.rating_before)).label("rating"),
    )
    .join_from(
        _MINE,
        _OWN,
        (_OWN.c.section_id == _MINE.c.section_id)
        & (_OWN.c.member_id == bindparam("member"))
        & (_OWN.c.system == bindparam("system"))
        & _OWN.c.superseded_by.is_(None),
    )
    .where(_MINE.c.member_id.in_(IDS_OF_MEMBER), _OWN.c.place >= bindparam("since"))
    .cte("seats")
    .prefix_with("MATERIALIZED")
)
_MEETINGS = PreparedQuery(
    select(
        _SEATS.c.place,
        _OTHER.c.member_id,
        _GAMES.c.result,
        _GAMES.c.colour,
        _SEATS.c.rating,
        case((_OTHER.c.source == "rated", _OTHER.c.rating_before)),
    )
    .join_from(
        _SEATS, _GAMES, (_GAMES.c.section_id == _SEATS.c.section_id) & (_GAMES.c.seat == _SEATS.c.seat)
    )
    .join(_THEIRS, (_THEIRS.c.section_id == _GAMES.c.section_id) & (_THEIRS.c.seat == _GAMES.c.opponent))
    .outerjoin(_MERGED, _MERGED.c.id == _THEIRS.c.member_id)
    .join(
        _OTHER,
        (_OTHER.c.section_id == _SEATS.c.section_id)
        & (_OTHER.c.member_id == func.coalesce(_MERGED.c.merged_into, _THEIRS.c.member_id))
        & (_OTHER.c.system == bindparam("system"))
        & _OTHER.c.superseded_by.is_(None),
    )
)
_GAMES_AGAINST = (
    select(
        _SECTIONS.c.event_id.label("event"),
        schema.events.c.name.label("event_name"),
        _SECTIONS.c.number.label("section"),
        _SECTIONS.c.end,
        _GAMES.c.round,
        _OWN.c.system,
        _OTHER.c.member_id.label("opponent"),
        func.coalesce(_HOLDER.c.name, _THEIRS.c.name).label("opponent_name"),
        _GAMES.c.result.label("score"),
        _GAMES.c.colour,
        case((_OWN.c.source == "rated", _OWN.c.rating_before)).label("rating"),
        case((_OTHER.c.source == "rated", _OTHER.c.rating_before)).label("opponent_rating"),
    )
    .join_from(_MINE, _SECTIONS, _SECTIONS.c.id == _MINE.c.section_id)
    .join(schema.events, schema.events.c.id == _SECTIONS.c.event_id)
    .join(_GAMES, (_GAMES.c.section_id == _MINE.c.section_id) & (_GAMES.c.seat == _MINE.c.seat))
    .join(_THEIRS, (_THEIRS.c.section_id == _MINE.c.section_id) & (_THEIRS.c.seat == _GAMES.c.opponent))
    .outerjoin(_HOLDER, _HOLDER.c.id == _THEIRS.c.member_id)
    .join(
        _OWN,
        (_OWN.c.section_id == _MINE.c.section_id)
        & (_OWN.c.member_id == bindparam("member"))
        & _OWN.c.superseded_by.is_(None),
    )
    .join(
        _OTHER,
        (_OTHER.c.section_id == _MINE.c.section_id)
        & (_OTHER.c.system == _OWN.c.system)
        & (_OTHER.c.member_id == func.coalesce(_HOLDER.c.merged_into, _THEIRS.c.member_id))
        & _OTHER.c.superseded_by.is_(None),
    )
    .where(_MINE.c.member_id.in_(IDS_OF_MEMBER), _GAMES.c.result.in_(list(SCORES)))
    .order_by(_SECTIONS.c.place.desc(), _GAMES.c.round.desc(), _OWN.c.system)
)
_FIRST, _SECOND = schema.ledger.alias("first"), schema.ledger.alias("second")
_SHARED = (
    # From an index of places alone: of thousands of sections those are read in which both have a rating.
    select(_FIRST.c.section_id)
    .join_from(
        _FIRST,
        _SECOND,
        (_SECOND.c.member_id == bindparam("member"))
        & (_SECOND.c.system == _FIRST.c.system)
        & (_SECOND.c.place == _FIRST.c.place)
        & _SECOND.c.superseded_by.is_(None),
    )
    .where(_FIRST.c.member_id == bindparam("other"), _FIRST.c.superseded_by.is_(None))
    .cte("shared")
    .prefix_with("MATERIALIZED")
)
_GAMES_BETWEEN = _GAMES_AGAINST.where(
    _MINE.c.section_id.in_(select(_SHARED.c.section_id)), _OTHER.c.member_id == bindparam("other")
)

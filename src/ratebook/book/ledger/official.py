"""The official list of a day, and what it says of a member, or would say if it were published."""

from datetime import date, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select

from ratebook.book import schema
from ratebook.book.ledger.read import CURRENT
from ratebook.book.profile import Federation
from ratebook.book.queries import PreparedQuery
from ratebook.model import Shown, System
from ratebook.official_lists.calendar import cut_off_of, month_in_effect, month_of
from ratebook.official_lists.contents import as_shown


class ListInEffect(NamedTuple):
    """The official list of a day.

    Attributes:
        newest: month of the newest list that is published for that day or an earlier one, whose ratings are official;
            None where there is none.
        missing: month of the list that is due on that day and not published; None where it is published.
        cut_off: that of the newest list.
        coming: month of the first list after the newest one, published already and official from its month on.
    """

    newest: str | None
    missing: str | None
    cut_off: date | None
    coming: str | None = None


def rating_for_matches(
    connection: Connection, federation: Federation, member: str, system: System, in_effect: ListInEffect
) -> Shown | None:
    """Return a member's rating by the list of a day as the conditions of matches take it; None where there is none.

    The last published rating stays current. Where the list is not published, it is the one that would have been: the
    ratings of the sections that ended by its cut-off. Such a rating is never official (docs/rules/readings.md#matches,
    #official-lists).
    """
    if in_effect.missing is not None:
        return would_be_listed(connection, federation, member, system, in_effect.missing)
    row = connection.execute(
        _PUBLISHED, {"member": member, "system": system.value, "month": in_effect.newest}
    ).first()
    return None if row is None else Shown(row.rating, row.provisional_games)


def would_be_listed(
    connection: Connection, federation: Federation, member: str, system: System, month: str
) -> Shown | None:
    """Return what the list of a month would say of a member if it were published now; None: nothing."""
    cut_off = cut_off_of(month, federation.profile.cut_off)
    closed = {
        "member": member,
        "system": system.value,
        "after": (cut_off + timedelta(days=1)).isoformat(),
        "cut_off": cut_off,
    }
    row = connection.execute(_RATED_BY, closed).first()
    if row is None:
        row = connection.execute(_OPENED_BY, closed).first()
    return None if row is None else as_published(federation, system, row.rating, row.games, cut_off)


def list_in_effect(connection: Connection, federation: Federation, on: date) -> ListInEffect:
    """Return the official list of a day; a list of a month that the profile no longer names still counts."""
    rows = _NEWEST_LIST.rows(connection, month=month_of(on))
    newest, cut_off, coming = rows[0] if rows else (None, None, None)
    due = month_in_effect(on, federation.profile.list_months)
    return ListInEffect(newest, due if newest is None or newest < due else None, cut_off, coming)


_RATINGS, _BALANCES, _LEDGER = schema.published_ratings, schema.opening_balances, schema.ledger
_LISTS = schema.published_lists
_LATER = _LISTS.alias()
_NEWEST_LIST = PreparedQuery(
    select(
        _LISTS.c.id,
        _LISTS.c.cut_off,
        select(func.min(_LATER.c.id)).where(_LATER.c.id > bindparam("month")).scalar_subquery(),
    )
    .where(_LISTS.c.id <= bindparam("month"))
    .order_by(_LISTS.c.id.desc())
    .limit(1)
)
_OF_MEMBER = (_RATINGS.c.member_id == bindparam("member"), _RATINGS.c.system == bindparam("system"))
_PUBLISHED = select(_RATINGS.c.rating, _RATINGS.c.provisional_games).where(
    *_OF_MEMBER,
    _RATINGS.c.list_id
    == select(func.max(_RATINGS.c.list_id))
    .where(*_OF_MEMBER, _RATINGS.c.list_id <= bindparam("month"))
    .scalar_subquery(),
)
_RATED_BY = (
    select(_LEDGER.c.rating, _LEDGER.c.games)
    .where(
        CURRENT,
        _LEDGER.c.member_id == bindparam("member"),
        _LEDGER.c.system == bindparam("system"),
        _LEDGER.c.place < bindparam("after"),
    )
    .order_by(_LEDGER.c.place.desc())
    .limit(1)
)
_OPENED_BY = select(_BALANCES.c.rating, _BALANCES.c.games).where(
    _BALANCES.c.member_id == bindparam("member"),
    _BALANCES.c.system == bindparam("system"),
    _BALANCES.c.as_of <= bindparam("cut_off"),
)


def as_published(
    federation: Federation, system: System, rating: float, games: float | None, cut_off: date
) -> Shown | None:
    """Return a rating as a list closed on *cut_off* shows it; None where it rests on too few games.

    It is rounded; a provisional one shows its whole games.

    Source: docs/rules/readings.md#official-lists, #a14 (display).
    """
    if games is not None and games < federation.profile.least_published_games:
        return None
    established = federation.established(system, games, cut_off)
    # Lists and their tables have room for whole games alone.
    return as_shown(rating, None if games is None else int(games), established=established)

"""The official list of a day, and what it says or, where it is not published, would say of a member."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select

from ratebook.book import schema
from ratebook.book.ledger.read import CURRENT
from ratebook.book.profile import Federation
from ratebook.model import Shown, System
from ratebook.official_lists.contents import as_shown

LAST_DAY = "last-day"
DAYS_OF_EVERY_MONTH = 28

_WEEK = 7
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NTH = ("first", "second", "third", "fourth", "last")


def month_of(day: date) -> str:
    """Return the name of the official list that is in effect on *day*.

    >>> month_of(date(2026, 12, 5))
    '2026-12'
    """
    return f"{day.year:04d}-{day.month:02d}"


def first_day_of(month: str) -> date:
    """Return the first day on which the list of *month* is in effect.

    Raises:
        ValueError: there is no such month.

    >>> first_day_of("2026-12")
    datetime.date(2026, 12, 1)
    """
    return date.fromisoformat(f"{month}-01")


def month_in_effect(day: date, list_months: Sequence[int]) -> str:
    """Return the name of the list in effect on *day* where lists are published for *list_months* of each year.

    >>> month_in_effect(date(2026, 5, 30), (1, 4, 7, 10)), month_in_effect(date(2026, 2, 1), (6,))
    ('2026-04', '2025-06')
    """
    months = [month for month in list_months if month <= day.month]
    return f"{day.year:04d}-{max(months):02d}" if months else f"{day.year - 1:04d}-{max(list_months):02d}"


def cut_off_of(month: str, setting: str) -> date:
    """Return the last day whose sections count for the list of *month* by the cut-off of a profile.

    It is a day of the month before: ``1`` to ``28``, ``last-day``, or a weekday such as ``third-wednesday``
    or ``last-friday``.

    Raises:
        ValueError: there is no such month or setting.

    Source: docs/rules/readings.md#official-lists: the third Wednesday of the month before.

    >>> cut_off_of("2013-10", "third-wednesday")
    datetime.date(2013, 9, 18)
    >>> cut_off_of("2026-01", "15")
    datetime.date(2025, 12, 15)
    >>> cut_off_of("2026-03", "last-day"), cut_off_of("2026-03", "last-friday")
    (datetime.date(2026, 2, 28), datetime.date(2026, 2, 27))
    """
    last = first_day_of(month) - timedelta(days=1)
    if setting == LAST_DAY:
        return last
    nth, _, weekday = setting.partition("-")
    if not weekday:
        return last.replace(day=int(setting))
    at = _WEEKDAYS.index(weekday)
    if nth == _NTH[-1]:
        return last - timedelta(days=(last.weekday() - at) % _WEEK)
    first = last.replace(day=1)
    return first + timedelta(days=(at - first.weekday()) % _WEEK + _NTH.index(nth) * _WEEK)


def is_cut_off(setting: str) -> bool:
    """Return whether every month has the day that *setting* names (see `cut_off_of`).

    >>> is_cut_off("28"), is_cut_off("31"), is_cut_off("fourth-sunday"), is_cut_off("fifth-sunday")
    (True, False, True, False)
    """
    if setting.isascii() and setting.isdecimal():
        return len(setting) < len("100") and 1 <= int(setting) <= DAYS_OF_EVERY_MONTH
    nth, _, weekday = setting.partition("-")
    return setting == LAST_DAY or (nth in _NTH and weekday in _WEEKDAYS)


class ListInEffect(NamedTuple):
    """The official list of a day.

    Attributes:
        newest: month of the newest list that is published for that day or an earlier one, whose ratings are official;
            None where there is none.
        missing: month of the list that is due on that day and not published; None where it is published.
    """

    newest: str | None
    missing: str | None


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
    """Return what the list of a month would say of a member if it was published now; None where nothing."""
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
    """Return the official list of a day; one of a month that the profile names no more is still a list."""
    newest = connection.execute(_NEWEST_LIST, {"month": month_of(on)}).scalar()
    due = month_in_effect(on, federation.profile.list_months)
    return ListInEffect(newest, due if newest is None or newest < due else None)


_RATINGS, _BALANCES, _LEDGER = schema.published_ratings, schema.opening_balances, schema.ledger
_NEWEST_LIST = select(func.max(schema.published_lists.c.id)).where(
    schema.published_lists.c.id <= bindparam("month")
)
_OF_MEMBER = (
    _RATINGS.c.member_id == bindparam("member"),
    _RATINGS.c.system == bindparam("system"),
)
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

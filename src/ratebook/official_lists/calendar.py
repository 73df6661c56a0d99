"""The calendar of official lists: which list is in effect on a day, and when each is closed."""

from collections.abc import Sequence
from datetime import date, timedelta

THIRD_WEDNESDAY = "third-wednesday"
"""Official lists take the ratings up to the third Wednesday of the month before.

Source: docs/rules/readings.md#official-lists.
"""

EVERY_MONTH = tuple(range(1, 13))
LAST_DAY = "last-day"
DAYS_OF_EVERY_MONTH = 28

_WEEK = 7
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NTH = ("first", "second", "third", "fourth", "last")
_ENDINGS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}
CUT_OFFS = {
    LAST_DAY: "the last day",
    **{f"{nth}-{weekday}": f"the {nth} {weekday.capitalize()}" for weekday in _WEEKDAYS for nth in _NTH},
    **{str(day): f"the {day}{_ENDINGS.get(day, 'th')}" for day in range(1, DAYS_OF_EVERY_MONTH + 1)},
}
"""The cut-offs that a profile may have, in words; they are days of the month before."""


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
    return setting in CUT_OFFS

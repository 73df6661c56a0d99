"""Dates as people and spreadsheets write them; which of day and month comes first is settled by the whole file."""

import re
from collections.abc import Callable
from datetime import date
from functools import cached_property
from typing import NamedTuple

from ratebook.findings import Findings, Place
from ratebook.formats.contract import DayOrder
from ratebook.formats.reading.fields import WHAT_IS_WRITTEN, parse_day, shown

LIFE = date.max
"""The last day of a life membership."""

_LIFE = frozenset(("life", "life member", "lifetime"))
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS_OF_A_YEAR = len(_MONTHS)
_FIGURES = r"([0-9]{1,2})([/.-])([0-9]{1,2})\2((?:18|19|20|21)[0-9]{2})"
_ORDERED = re.compile(_FIGURES, re.ASCII)
_IN_TEXT = re.compile(rf"(?<![0-9/.-]){_FIGURES}(?![0-9])", re.ASCII)
_YEAR_FIRST = re.compile(r"([0-9]{4})([/.])([0-9]{1,2})\2([0-9]{1,2})", re.ASCII)
_TIME = re.compile(r"[ T]\s*0{1,2}:00(?::00)?(?:\s*AM)?$", re.ASCII | re.IGNORECASE)
_DAY_AND_WORD = re.compile(r"([0-9]{1,2})[ .-]+([a-z]{3})[a-z]*\.?[ ,-]+([0-9]{4})", re.ASCII | re.IGNORECASE)
_WORD_AND_DAY = re.compile(r"([a-z]{3})[a-z]*\.? +([0-9]{1,2})(?:,| ) *([0-9]{4})", re.ASCII | re.IGNORECASE)


def told_orders(text: str) -> frozenset[DayOrder]:
    """Return the orders that the dates anywhere in *text* tell.

    >>> sorted(told_orders("5/13/2017;4/5/2017")), sorted(told_orders("4/5/2017"))
    ([<DayOrder.MONTH_FIRST: 'month-first'>], [])
    """
    orders = set()
    for match in _IN_TEXT.finditer(text):
        first, second = int(match[1]), int(match[3])
        if second > _MONTHS_OF_A_YEAR >= first:
            orders.add(DayOrder.MONTH_FIRST)
        elif first > _MONTHS_OF_A_YEAR >= second:
            orders.add(DayOrder.DAY_FIRST)
    return frozenset(orders)


def plain_day(text: str) -> date | None:
    """Return the day that *text* names in a spelling of one meaning only, or None.

    >>> plain_day("2026/5/3"), plain_day("May 13, 2017"), plain_day("13-May-2017"), plain_day("5/6/2017")
    (datetime.date(2026, 5, 3), datetime.date(2017, 5, 13), datetime.date(2017, 5, 13), None)
    """
    if day := parse_day(text):
        return day
    if match := _YEAR_FIRST.fullmatch(text):
        return _day(int(match[1]), int(match[3]), int(match[4]))
    if match := _DAY_AND_WORD.fullmatch(text):
        return _day(int(match[3]), _month(match[2]), int(match[1]))
    if match := _WORD_AND_DAY.fullmatch(text):
        return _day(int(match[3]), _month(match[1]), int(match[2]))
    return None


def _month(word: str) -> int:
    return _MONTHS.index(word.lower()) + 1 if word.lower() in _MONTHS else 0


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


class _Example(NamedTuple):
    """A date that was read in an order which the file had to tell."""

    text: str
    order: DayOrder
    private: bool


class Days:
    """Reads the dates of one file, and remembers for a note which of them were read in an order.

    Where *order* is not given, *told* says which orders the dates of the whole file tell; it is asked once at most.
    """

    def __init__(
        self, findings: Findings, order: DayOrder | None, orders_in_file: Callable[[], frozenset[DayOrder]]
    ) -> None:
        self._findings = findings
        self._given = order
        self._told = orders_in_file
        self._example: _Example | None = None

    @cached_property
    def _orders(self) -> frozenset[DayOrder]:
        return self._told() if self._given is None else frozenset({self._given})

    def read(self, where: Place, text: str, *, private: bool = False) -> date | None:
        """Return the day that *text* names, or None with a finding, which does not show a *private* one."""
        text = _TIME.sub("", text)
        day = plain_day(text)
        if day is None and (match := _ORDERED.fullmatch(text)):
            order = self._order_of(text, int(match[1]), int(match[3]))
            if order is None:
                word = "dates of both orders" if self._orders else "no date that tells"
                self._findings.add(
                    "date-order-unclear", where, text="this date" if private else shown(text), word=word
                )
                return None
            if match[1] != match[3] and (self._example is None or self._example.private):
                self._example = _Example(text, order, private)
            month, number = (match[1], match[3]) if order is DayOrder.MONTH_FIRST else (match[3], match[1])
            day = _day(int(match[4]), int(month), int(number))
        if day is None:
            self._findings.add(
                "date-unreadable.iso", where, value=WHAT_IS_WRITTEN if private else shown(text)
            )
        return day

    def last_day(self, where: Place, text: str) -> date | None:
        """Return the last day of a membership, which may be for life, or None with a finding."""
        return LIFE if text.casefold() in _LIFE else self.read(where, text)

    def _order_of(self, text: str, first: int, second: int) -> DayOrder | None:
        """Return the order of day and month, None where it is not known."""
        if first == second:
            return DayOrder.MONTH_FIRST
        own = told_orders(text) if self._given is None else frozenset()
        orders = own or self._orders
        return next(iter(orders)) if len(orders) == 1 else None

    def note(self, name: str) -> None:
        """Note in what order dates were read where the file had to tell it."""
        if self._example is not None and self._given is None:
            text, order, private = self._example
            said = "those of birth" if private else shown(text)
            self._findings.add(
                "date-order-taken", Place(file=name), text=said, order=order.value.replace("-", " ")
            )

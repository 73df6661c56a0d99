"""Days as people, spreadsheets and pairing programs write them.

Of dates such as 5/6/2026 the whole file settles which of day and month comes first, else the date beside it.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from datetime import date, timedelta
from functools import cached_property
from typing import NamedTuple

from ratebook.findings import Findings, Place
from ratebook.formats.contract import DayOrder
from ratebook.formats.reading.fields import WHAT_IS_WRITTEN, parse_day, shown

LIFE = date.max
"""The last day of a life membership."""

_LIFE = frozenset(("life", "life member", "lifetime"))
_MONTHS = tuple(
    names.split()
    for names in (
        "january jan januar j\u00e4nner januari janvier janv enero ene gennaio janeiro tammikuu tammikuuta",
        "february feb februar februari f\u00e9vrier f\u00e9vr febrero febbraio fevereiro helmikuu helmikuuta",
        "march mar m\u00e4rz maart mrt mars marzo mar\u00e7o marts maaliskuu maaliskuuta",
        "april apr avril avr abril abr aprile huhtikuu huhtikuuta",
        "may mai mei mayo maggio maio maj toukokuu toukokuuta",
        "june jun juni juin junio giugno junho kes\u00e4kuu kes\u00e4kuuta",
        "july jul juli juillet juil julio luglio julho hein\u00e4kuu hein\u00e4kuuta",
        "august aug ao\u00fbt aout agosto ago augustus augusti elokuu elokuuta",
        "september sep sept septembre septiembre settembre setembro syyskuu syyskuuta",
        "october oct oktober okt octobre octubre ottobre outubro lokakuu lokakuuta",
        "november nov novembre noviembre novembro marraskuu marraskuuta",
        "december dec dezember dez d\u00e9cembre diciembre dic dicembre dezembro desember joulukuu joulukuuta",
    )
)
"""Names of months in the languages of `_DAYS_APART` and of the titles of columns."""
_MONTH_OF = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names}
_MONTHS_OF_A_YEAR = len(_MONTHS)
_NEARLY_ALL = 10
"""Dates of one order for each date of the other."""
_CENTURY_TURNS = 70
"""Two digits below this mean a year after 2000: the programs that write them are younger than the century."""

_FIGURES = r"([0-9]{1,2})([/.-])([0-9]{1,2})\2((?:18|19|20|21)?[0-9]{2})"
_ORDERED = re.compile(_FIGURES, re.ASCII)
_IN_TEXT = re.compile(rf"(?<![0-9/.-]){_FIGURES}(?![0-9])", re.ASCII)
_ANYWHERE = re.compile(rf"(?<![0-9/.]){_FIGURES}(?![0-9])", re.ASCII)
_YEAR_FIRST = re.compile(r"([0-9]{4})([/.])([0-9]{1,2})\2([0-9]{1,2})", re.ASCII)
_TIME = re.compile(r"[ T]\s*0{1,2}:00(?::00)?(?:\s*AM)?$", re.ASCII | re.IGNORECASE)
_DAY_AND_WORD = re.compile(
    r"([0-9]{1,2})[ .-]+(?:de )?([^\W\d_]{3,12})\.?(?:[ ,-]+| del? )([0-9]{4})", re.IGNORECASE
)
_WORD_AND_DAY = re.compile(r"([^\W\d_]{3,12})\.? +([0-9]{1,2})(?:,| ) *([0-9]{4})")

_YEAR_FIRST_OF_PROGRAMS = re.compile(
    r"([0-9]{4}|[0-9]{2})[/.\- ]([0-9]{1,2})[/.\- ]([0-9]{1,2})|([0-9]{4})([0-9]{2})([0-9]{2})", re.ASCII
)
_POINTS = re.compile(r"([0-9]{1,2})\. ?([0-9]{1,2})\. ?([0-9]{4})", re.ASCII)
_WORD_BETWEEN = re.compile(r"([0-9]{1,2})-([a-z]{3})-([0-9]{2})", re.ASCII | re.IGNORECASE)
_SLASHES = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", re.ASCII)
_DAYS_APART = re.compile(r"\s+(?:thru|through|to|till|until|bis|[-\u2013\u2014])\s+", re.IGNORECASE)

# What follows is compiled when a text is first searched for days: most files need none of it.
_MONTH_WORD = rf"(?:{'|'.join(sorted(_MONTH_OF, key=len, reverse=True))})\b\.?"
_DAY = r"[0-9]{1,2}(?:st|nd|rd|th|er)?"
WEEKDAY = r"(?:mon|tue(?:s)?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?"
_AND = r"(?:and|to|thru|through|und|bis|et|au|y|al|e|en|och|og|ja|til|till|tot)\b"
_TO = rf"(?:\t|\s*(?:-|\u2013|\u2014|&|,|/|{_AND})\s*)(?:{WEEKDAY},?\s*)?"
_BETWEEN = rf"(?:{_TO}{_DAY}\.?(?![0-9])){{0,30}}?"
"""The days of a club's evenings between the first and the last one: Nov 3, 10 and 17, 2026."""
_IN_WORDS = (
    "(?i)"
    rf"\b(?P<month>{_MONTH_WORD})\s*(?P<day>{_DAY}){_BETWEEN}(?:{_TO}(?:(?P<last_month>{_MONTH_WORD})\s*)?(?P<last>{_DAY}))?"
    r"(?:,\s*|\s+)(?P<year>[0-9]{4})\b"
)
_IN_WORDS_YEAR_FIRST = (
    "(?i)"
    rf"\b(?P<year>[0-9]{{4}}),?\s+(?P<month>{_MONTH_WORD})\s*(?P<day>{_DAY})"
    rf"(?:{_TO}(?:(?P<last_month>{_MONTH_WORD})\s*)?(?P<last>{_DAY}))?(?![0-9]|,?\s*[0-9]{{4}})"
)
_OF = r"\s*(?:(?:de|of)\s+)?"
_BEFORE_A_LIST = "|".join(rf"(?<=\b{word}\s)" for word in ("on", "am", "de", "le", "el", "les", "los", "den"))
_BEGINS_A_LIST = (
    # A number behind a sign is of a time control; one behind a word and before a comma may be that of a room.
    rf"(?<![+/|])(?:(?<![^\W\d_]\s)|(?<=day\s)|(?<=days\s)|(?<=tag\s)|(?<=tags\s)|{_BEFORE_A_LIST}|(?={_DAY}\.?(?!\s*,)))"
)
_IN_WORDS_DAY_FIRST = (
    "(?i)"
    rf"\b{_BEGINS_A_LIST}(?P<day>{_DAY})\.?{_OF}(?P<month>{_MONTH_WORD})?{_BETWEEN}(?:{_TO}(?P<last>{_DAY})\.?)?{_OF}(?P<last_month>{_MONTH_WORD})"
    r"(?:,\s*|\s+(?:del? )?)(?P<year>[0-9]{4})\b"
)
_FIGURES_OF_A_DAY = (
    "(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:18|19|20|21)?[0-9]{2})"
)
_TO_FIGURES = r"(?:\t|\s*(?:-|\u2013|\u2014|to|thru|through|bis)\s*)"
_WITHOUT_YEAR = r"[0-9]{1,2}[/.][0-9]{1,2}\.?"
_DAYS_IN_FIGURES = (
    "(?ai)"
    rf"(?<![0-9/.-])(?P<first>{_FIGURES_OF_A_DAY}|{_WITHOUT_YEAR}(?={_TO_FIGURES}{_FIGURES_OF_A_DAY}))"
    rf"(?:{_TO_FIGURES}(?P<last>{_FIGURES_OF_A_DAY}|{_WITHOUT_YEAR}(?!\S)))?(?![0-9])"
)
_MORE_IN_WORDS = (
    "(?ai)"
    rf"(?:{_TO}(?:(?P<month>{_MONTH_WORD})\s*(?P<day>{_DAY})|(?P<day_first>{_DAY})\.?\s*(?P<month_last>{_MONTH_WORD}))(?!\w)"
    # A number alone could be of rounds or an hour.
    rf"|\s*(?:-|\u2013|\u2014|&|and\b|to\b)\s*(?P<alone>{_DAY})(?=\s*(?:$|[\t,;)|])))"
)
"""A further day behind one with a year, which it does not repeat: Nov 28, 2026 - Jan 3."""
_EARLIER_IN_WORDS = (
    "(?ai)"
    rf"\b(?P<month>{_MONTH_WORD})\s*(?P<day>{_DAY})(?:\s*(?:,|&|and\b)\s*{_DAY})*\s*(?:,|&|and\b)\s*$"
)
"""Days of an earlier month in a list, before one with the year: Oct 30, Nov 6 & 13, 2026."""
_DAYS_OF_A_MONTH = (
    "(?a)"
    r"(?<![0-9/.-])(?P<day>[0-9]{1,2})\.?\s*[-\u2013\u2014]\s*(?P<last>[0-9]{1,2})\.\s?(?P<month>[0-9]{1,2})\.\s?"
    r"(?P<year>[0-9]{4})(?![0-9])"
)
"""Where points divide days, months and years, the day is first: 13-15.11.2026."""
_DAYS_BEHIND_A_MONTH = (
    "(?a)"
    r"(?<![0-9/.-])(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})\s*[/\u2013\u2014-]\s*(?P<last>[0-9]{2})(?![0-9:/.-]|\s*h)"
)
"""Where the year is first, a day alone may follow: 2026-11-14/15."""
_TO_ONLY = f"(?ai){_TO}"
_SHORT = 7
_LONG = 28
_LONGEST_TURN = 92
"""Days that an event with the turn of a year in it lasts at most."""


class Mention(NamedTuple):
    """Days that a text names: where in it, the first and the last one; None where their order is unclear."""

    start: int
    end: int
    days: tuple[date, date] | None


def told_orders(text: str) -> Counter[DayOrder]:
    """Return the orders that the dates anywhere in *text* tell, and how many tell each.

    >>> told_orders("5/13/2017;6/14/2017;4/5/2017"), told_orders("4/5/2017")
    (Counter({<DayOrder.MONTH_FIRST: 'month-first'>: 2}), Counter())
    """
    orders: Counter[DayOrder] = Counter()
    for match in _IN_TEXT.finditer(text):
        first, second = int(match[1]), int(match[3])
        if second > _MONTHS_OF_A_YEAR >= first:
            orders[DayOrder.MONTH_FIRST] += 1
        elif first > _MONTHS_OF_A_YEAR >= second:
            orders[DayOrder.DAY_FIRST] += 1
    return orders


def days_in_figures(text: str) -> list[str]:
    """Return the days such as 5/6/2026 anywhere in *text*, as they are written.

    >>> days_in_figures("5/6/2026-6/6/2026, May 7, 2026")
    ['5/6/2026', '6/6/2026']
    """
    return [match[0] for match in _ANYWHERE.finditer(text)]


def plain_day(text: str) -> date | None:
    """Return the day that *text* names in a spelling of one meaning only, or None.

    >>> plain_day("2026/5/3"), plain_day("May 13, 2017"), plain_day("13-May-2017"), plain_day("5/6/2017")
    (datetime.date(2026, 5, 3), datetime.date(2017, 5, 13), datetime.date(2017, 5, 13), None)
    """
    if day := parse_day(text):
        return day
    for pattern, *parts in ((_YEAR_FIRST, 1, 3, 4), (_DAY_AND_WORD, 3, 2, 1), (_WORD_AND_DAY, 3, 1, 2)):
        if match := pattern.fullmatch(text):
            return _day(*match.group(*parts))
    return None


def ordered_day(text: str, order: DayOrder) -> date | None:
    """Return the day that *text* names as in 5/6/2026 or 5.6.26, with day and month in this *order*, or None.

    >>> ordered_day("12/19/25", DayOrder.MONTH_FIRST), ordered_day("5.6.2026", DayOrder.DAY_FIRST)
    (datetime.date(2025, 12, 19), datetime.date(2026, 6, 5))
    """
    match = _ORDERED.fullmatch(text)
    if match is None:
        return None
    month, day = (match[1], match[3]) if order is DayOrder.MONTH_FIRST else (match[3], match[1])
    return _day(match[4], month, day)


def days_in_order(text: str, orders: Collection[DayOrder] = tuple(DayOrder)) -> list[date]:
    """Return each day that *text* can name as in 5/6/2026, with day and month in one of these *orders*.

    >>> [str(day) for day in days_in_order("11/8/2026")], days_in_order("8/8/2026"), days_in_order("soon")
    (['2026-11-08', '2026-08-11'], [datetime.date(2026, 8, 8)], [])
    """
    days = (ordered_day(text, order) for order in orders)
    return list(dict.fromkeys(day for day in days if day is not None))


def parse_date(text: str, beside: str = "") -> date | None:
    """Return the day that *text* names, year first or as in 14.11.2026, Nov 14, 2026 or 14-Nov-26, or None.

    Of 14/11/2026 and 11/14/2026 only one number can be the day; of 05/06/2026 the date *beside* it may tell.

    >>> parse_date("2026/11/14") == parse_date("26-11-14") == parse_date("14. 11. 2026") == parse_date(
    ...     "14/11/2026"
    ... )
    True
    >>> parse_date("05/06/2026"), parse_date("05/06/2026", "14/06/2026")
    (None, datetime.date(2026, 6, 5))
    """
    if match := _YEAR_FIRST_OF_PROGRAMS.fullmatch(text):
        year, month, day = (part for part in match.groups() if part is not None)
        return _day(year, month, day)
    if match := _POINTS.fullmatch(text) or _WORD_BETWEEN.fullmatch(text):
        return _day(match[3], match[2], match[1])
    if _SLASHES.fullmatch(text):
        orders = told_orders(text) or told_orders(beside)
        return ordered_day(text, next(iter(orders))) if len(orders) == 1 else None
    return plain_day(text)


def parse_days(text: str, beside: str = "") -> tuple[date, date] | None:
    """Return the first and the last day that *text* names, one day or two with a word or a dash between; or None.

    >>> parse_days("2026-09-12 thru 2026-09-13")
    (datetime.date(2026, 9, 12), datetime.date(2026, 9, 13))
    >>> parse_days("04/09/2026 - 26/09/2026"), parse_days("next week")
    ((datetime.date(2026, 9, 4), datetime.date(2026, 9, 26)), None)
    """
    texts = [part.strip() for part in _DAYS_APART.split(text.strip(), maxsplit=2)]
    first = parse_date(texts[0], texts[-1] if len(texts) > 1 else beside)
    last = parse_date(texts[-1], texts[0] if len(texts) > 1 else beside)
    return None if first is None or last is None or len(texts) > len(("first", "last")) else (first, last)


def days_in(text: str, orders: Collection[DayOrder] = ()) -> Mention | None:
    r"""Return the first day, or first and last day, that *text* names anywhere; *orders* are those that its file tells.

    Where nothing tells, that order counts in which the two days are close together.

    >>> days_in("Fall Swiss - October 3-4, 2026").days
    (datetime.date(2026, 10, 3), datetime.date(2026, 10, 4))
    >>> days_in("2026-10-03\t2026-10-04").days
    (datetime.date(2026, 10, 3), datetime.date(2026, 10, 4))
    >>> days_in("2026-11-13/15").days == days_in("Open, 2026-11-13 - 15").days == days_in(
    ...     "13-15.11.2026"
    ... ).days
    True
    >>> days_in("13-15.11.2026").days
    (datetime.date(2026, 11, 13), datetime.date(2026, 11, 15))
    >>> days_in("Fall Swiss 2026 Oct 3-4").days
    (datetime.date(2026, 10, 3), datetime.date(2026, 10, 4))
    >>> days_in("Nov 28 2026 - Jan 3").days == days_in("28.11.2026 to 3.1.").days == days_in(
    ...     "Nov 28 - Jan 3, 2027"
    ... ).days
    True
    >>> days_in("Tuesdays, Nov 3, 10, 17, 2026").days == days_in("3., 10. und 17. November 2026").days
    True
    >>> days_in("Fridays, Oct 30, Nov 6, 13 & 20, 2026").days
    (datetime.date(2026, 10, 30), datetime.date(2026, 11, 20))
    >>> days_in("Club blitz 5+3, Friday 13 November 2026").days == days_in("Room 2, 13 November 2026").days
    True
    >>> days_in("3 y 4 de octubre de 2026").days == days_in("October 3-4, 2026").days
    True
    >>> days_in("10/3/2026 to 10/4/2026").days == days_in("31 Oct 2026").days, days_in("on 10/3/2026").days
    (False, None)
    >>> days_in("Fall Swiss - Nov 31 2026").days, days_in("Room 64, 14 November 2026").start
    (None, 9)
    """
    of_a_month = re.search(_DAYS_OF_A_MONTH, text) or re.search(_DAYS_BEHIND_A_MONTH, text)
    if of_a_month is not None:
        first, last = (_day(*of_a_month.group("year", "month", day)) for day in ("day", "last"))
        if first is not None and last is not None and first <= last:
            return Mention(*of_a_month.span(), (first, last))
    patterns = (_IN_WORDS, _IN_WORDS_DAY_FIRST, _IN_WORDS_YEAR_FIRST, _DAYS_IN_FIGURES)
    mentions = [match for pattern in patterns if (match := re.search(pattern, text))]
    for match in sorted(mentions, key=re.Match.start):
        if match.re.pattern == _DAYS_IN_FIGURES:
            return Mention(*match.span(), _in_figures(match, told_orders(text) or orders))
        if days := _in_words(match):
            return _with_further_days(text, match, days, orders)
    for match in mentions:
        if _day("2000", "january", match["day"]) is None:
            # As the number of a room.
            at = match.end("day")
            later = days_in(text[at:], orders)
            return later and later._replace(start=later.start + at, end=later.end + at)
        if (match["month"] or match["last_month"]).lower() in _MONTH_OF:
            return Mention(*match.span(), None)
    return None


def _with_further_days(
    text: str, match: re.Match[str], days: tuple[date, date], orders: Collection[DayOrder]
) -> Mention:
    """Return the mention of the *days* of a *match* in words, and of those before and behind it."""
    # Both days may have a year of their own.
    apart = re.compile(_TO_ONLY).match(text, match.end())
    more = days_in(text[apart.end() :], orders) if apart else None
    if apart and more and more.days and not more.start:
        return Mention(match.start(), apart.end() + more.end, (days[0], more.days[1]))
    end = match.end()
    while further := re.compile(_MORE_IN_WORDS).match(text, end):
        day = _further_day(further, days[1])
        if day is None:
            break
        days, end = (days[0], day), further.end()
    return _from_earlier(text, Mention(match.start(), end, days), days)


def _from_earlier(text: str, mention: Mention, days: tuple[date, date]) -> Mention:
    """Return a mention from the day of an earlier month on that stands before its *days*."""
    earlier = re.search(_EARLIER_IN_WORDS, text[: mention.start])
    first = earlier and _day(f"{days[0].year}", earlier["month"], earlier["day"])
    if earlier is None or first is None:
        return mention
    return mention._replace(start=earlier.start(), days=_over_the_turn(first, days[1]))


def _further_day(match: re.Match[str], day: date) -> date | None:
    """Return the day of a match without a year, the next such one after *day*."""
    month = match["month"] or match["month_last"] or f"{day.month}"
    days = (
        _day(f"{year}", month, match["day"] or match["day_first"] or match["alone"])
        for year in (day.year, day.year + 1)
    )
    return next((later for later in days if later and 0 < (later - day).days <= _LONGEST_TURN), None)


def _in_words(match: re.Match[str]) -> tuple[date, date] | None:
    month = match["month"] or match["last_month"]
    first = _day(match["year"], month, match["day"])
    last = _day(match["year"], match["last_month"] or month, match["last"] or match["day"])
    if first is None or last is None:
        return None
    return _over_the_turn(first, last, year_first=match.start("year") == match.start())


def _over_the_turn(first: date, last: date, *, year_first: bool = False) -> tuple[date, date]:
    """Return two days of which one alone has a year; the other is in the year beside it where they are reversed.

    >>> _over_the_turn(date(2027, 12, 28), date(2027, 1, 3))
    (datetime.date(2026, 12, 28), datetime.date(2027, 1, 3))
    """
    year = timedelta(days=365)
    if last >= first or (last + year - first).days > _LONGEST_TURN:
        return first, last
    moved = last if year_first else first
    day = _day(f"{moved.year + (1 if year_first else -1)}", f"{moved.month}", f"{moved.day}") or moved
    return (first, day) if year_first else (day, last)


def _in_figures(match: re.Match[str], orders: Collection[DayOrder]) -> tuple[date, date] | None:
    """Return the days of a match, None where their order is unclear."""
    readings = []
    texts = match["first"], match["last"] or match["first"]
    dated = [_with_year(text, other) for text, other in zip(texts, reversed(texts), strict=True)]
    for order in told_orders(" ".join(dated)) or orders or DayOrder:
        first, last = (plain_day(text) or ordered_day(text, order) for text in dated)
        if first is not None and last is not None:
            one_year = dated != [*texts]
            readings.append(
                _over_the_turn(first, last, year_first=dated[0] == texts[0]) if one_year else (first, last)
            )
    readings = sorted({*readings}, key=lambda days: days[1] - days[0])
    if len(readings) > 1 and (readings[0][1] - readings[0][0]).days < _SHORT and match["last"]:
        readings = [days for days in readings if (days[1] - days[0]).days < _LONG]
    return readings[0] if len(readings) == 1 else None


def _with_year(text: str, other: str) -> str:
    """Return the day *text* in figures with the year of the *other* one, if it has none.

    >>> _with_year("3.1.", "28.12.2026"), _with_year("11/14/2026", "11/15")
    ('3.1.2026', '11/14/2026')
    """
    parts = re.findall("[0-9]+", text)
    own = _ORDERED.fullmatch(other)
    return text if own is None or len(parts) > len(("month", "day")) else own[2].join((*parts, own[4]))


def _day(year: str, month: str, day: str) -> date | None:
    """Return a day; the month is a number, a name, or begins with three letters of its name in English."""
    number = (
        int(year) if len(year) > len("26") else int(year) + (2000 if int(year) < _CENTURY_TURNS else 1900)
    )
    name = month.lower().rstrip(".")
    try:
        return date(
            number,
            int(month) if month.isdecimal() else _MONTH_OF.get(name) or _MONTH_OF[name[:3]],
            int(re.match("[0-9]+", day)[0]),  # type: ignore[index] # it begins with a digit
        )
    except (KeyError, ValueError):
        return None


class _Example(NamedTuple):
    """A date that was read in an order which the file had to tell."""

    text: str
    order: DayOrder
    private: bool


class Days:
    """Reads the dates of one file, and remembers for a note which of them were read in an order.

    Where *order* is not given, *told* says which orders the dates of the whole file tell; it is asked once at most.
    Where nearly all tell one order, the other dates are read in it, and the few of the other order are warnings.
    """

    def __init__(
        self, findings: Findings, order: DayOrder | None, orders_in_file: Callable[[], Counter[DayOrder]]
    ) -> None:
        self._findings = findings
        self._given = order
        self._told = orders_in_file
        self._example: _Example | None = None

    @cached_property
    def _orders(self) -> Counter[DayOrder]:
        return self._told() if self._given is None else Counter({self._given: 1})

    @cached_property
    def _usual(self) -> DayOrder | None:
        """The order that nearly all dates of the file tell, None where there is none."""
        for order, dates in self._orders.most_common(1):
            if dates >= _NEARLY_ALL * (self._orders.total() - dates):
                return order
        return None

    def read(self, where: Place, text: str, *, private: bool = False) -> date | None:
        """Return the day that *text* names, or None with a finding, which does not show a *private* one."""
        text = _TIME.sub("", text)
        day = plain_day(text)
        match = _ORDERED.fullmatch(text)
        # Two digits do not tell the century of a birth.
        is_ordered = match and days_in_order(text) and not (private and len(match[4]) < len("2026"))
        if day is None and match and is_ordered:
            shown_day = "this date" if private else shown(text)
            order = self._order_of(text, int(match[1]), int(match[3]))
            if order is None:
                self.report_unclear(where, shown_day)
                return None
            if match[1] != match[3]:
                if self._orders and order not in dict(self._orders.most_common(1)):
                    words = order.value.replace("-", " ")
                    self._findings.add("date-order-unusual", where, text=shown_day, order=words)
                elif self._example is None or self._example.private:
                    self._example = _Example(text, order, private)
            day = ordered_day(text, order)
        if day is None:
            self._findings.add(
                "date-unreadable.iso", where, value=WHAT_IS_WRITTEN if private else shown(text)
            )
        return day

    def report_unclear(self, where: Place, text: str) -> None:
        """Report that nothing tells the order of day and month in *text*."""
        word = "dates of both orders" if self._orders else "no date that tells"
        self._findings.add("date-order-unclear", where, text=text, word=word)

    def report_unread(self, where: Place, text: str) -> None:
        """Report days of an event that cannot be read: nothing tells their order, or *text* is no day."""
        match = re.search(_DAYS_IN_FIGURES, text)
        if match and any(len(days_in_order(day)) > 1 for day in match.groups() if day):
            self.report_unclear(where, shown(text))
        else:
            self._findings.add("end-missing.unread", where, text=shown(text))

    def mentioned(self, text: str) -> Mention | None:
        """Return the days that *text* names anywhere in it (`days_in`)."""
        mention = days_in(text)
        return mention if mention is None or mention.days else days_in(text, self._orders)

    def last_day(self, where: Place, text: str) -> date | None:
        """Return the last day of a membership, which may be for life, or None with a finding."""
        return LIFE if text.casefold() in _LIFE else self.read(where, text)

    def _order_of(self, text: str, first: int, second: int) -> DayOrder | None:
        """Return the order of day and month, None where it is not known."""
        if first == second:
            return DayOrder.MONTH_FIRST
        own: Iterable[DayOrder] = told_orders(text) if self._given is None else ()
        return next(iter(own), self._usual)

    def note(self, name: str) -> None:
        """Note in what order dates were read where the file had to tell it."""
        if self._example is not None and self._given is None:
            text, order, private = self._example
            said = "those of birth" if private else shown(text)
            place = Place(file=name)
            self._findings.add("date-order-taken", place, text=said, order=order.value.replace("-", " "))

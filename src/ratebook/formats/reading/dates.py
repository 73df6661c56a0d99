"""Days as people write them in files of text: year first or last, with points, slashes or the month's name."""

import re
from datetime import date

_YEAR_FIRST = re.compile(r"([0-9]{4}|[0-9]{2})[/.\- ]([0-9]{1,2})[/.\- ]([0-9]{1,2})", re.ASCII)
_YEAR_LAST = re.compile(r"([0-9]{1,2})\. ?([0-9]{1,2})\. ?([0-9]{4})", re.ASCII)
_YEAR_LAST_SLASHES = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", re.ASCII)
_MONTH_NAMED = re.compile(r"([a-z]{3,9})\.? ([0-9]{1,2}),? ([0-9]{4})", re.ASCII | re.IGNORECASE)
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})", re.ASCII)
# Two digits below this mean a year after 2000: TRF is younger than the century, and so are its events.
_CENTURY_TURNS = 70
_MOST_MONTHS = 12

_DAYS_APART = re.compile(r"\s+(?:thru|through|to|till|until|bis|[-\u2013\u2014])\s+", re.IGNORECASE)


def parse_date(text: str, beside: str = "") -> date | None:
    """Return the day that *text* names, year first or as in 14.11.2026 or Nov 14, 2026, or None.

    Of 14/11/2026 and 11/14/2026 only one number can be the day; of 05/06/2026 the date *beside* it may tell.

    >>> parse_date("2026/11/14") == parse_date("26-11-14") == parse_date("14. 11. 2026") == parse_date(
    ...     "14/11/2026"
    ... )
    True
    >>> parse_date("05/06/2026"), parse_date("05/06/2026", "14/06/2026")
    (None, datetime.date(2026, 6, 5))
    """
    if match := _YEAR_FIRST.fullmatch(text) or _COMPACT.fullmatch(text):
        year, month, day = match.groups()
    elif match := _YEAR_LAST.fullmatch(text):
        day, month, year = match.groups()
    elif match := _YEAR_LAST_SLASHES.fullmatch(text):
        day_place = _place_of_day(match) or _place_of_day(_YEAR_LAST_SLASHES.fullmatch(beside))
        if day_place is None:
            return None
        day, month, year = match[day_place], match[3 - day_place], match[3]
    elif match := _MONTH_NAMED.fullmatch(text):
        name, day, year = match.groups()
        numbers = (at for at, one in enumerate(_MONTHS, start=1) if one.startswith(name.lower()))
        month = str(next(numbers, 0))
    else:
        return None
    number = int(year)
    if len(year) < len("2026"):
        number += 2000 if number < _CENTURY_TURNS else 1900
    try:
        return date(number, int(month), int(day))
    except ValueError:
        return None


def _place_of_day(match: re.Match[str] | None) -> int | None:
    """Return which of the two numbers before the year is the day, where the other one alone can be a month."""
    if match is None or (int(match[1]) > _MOST_MONTHS) == (int(match[2]) > _MOST_MONTHS):
        return None
    return 1 if int(match[1]) > _MOST_MONTHS else 2


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

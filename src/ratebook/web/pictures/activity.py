"""Games by month: a square a month, larger and darker for more games."""

from bisect import bisect_right
from calendar import month_name
from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from markupsafe import Markup

YEARS = 4
FIELD = 16
BUSY = (1, 4, 8)
"""Games of a month from which its square is larger and darker."""
SIDES = (4, 8, 12, 14)
MONTHS = tuple(month_name)
"""The calendar asks the system for each name anew."""


class ActiveMonth(NamedTuple):
    """A month: the left upper corner and the side of its square, 0 to 3 for how busy it was, and what it says."""

    x: int
    y: int
    side: int
    shade: int
    text: str


class ActivityPicture(NamedTuple):
    """The games of the last years, a square a month and a line a year, and the same in words."""

    months: tuple[ActiveMonth, ...]
    years: tuple[tuple[int, str], ...]
    words: str

    @property
    def squares(self) -> Markup:
        """Return the months as SVG: a template takes several times as long for four dozen."""
        drawn = (
            f'<rect class="s{shade}" x="{x}" y="{y}" width="{side}" height="{side}" rx="2"><title>{text}</title></rect>'
            for x, y, side, shade, text in self.months
        )
        return Markup("".join(drawn))  # noqa: S704 - numbers, and the names of months


def activity(games: Iterable[tuple[date, int]], today: date) -> ActivityPicture | None:
    """Return the games by month of the last four years; None where there are none in them.

    *games* are days with how many games of a section ended then.
    """
    first = today.year - YEARS + 1
    by_month: Counter[tuple[int, int]] = Counter()
    for day, number in games:
        if day.year >= first:
            by_month[day.year, day.month] += number
    if not by_month.total():
        return None

    def month(year: int, number: int) -> ActiveMonth:
        played = by_month[year, number]
        words = f"{MONTHS[number]} {year}: {played} {'game' if played == 1 else 'games'}"
        shade = bisect_right(BUSY, played)
        gap = (FIELD - SIDES[shade]) // 2
        return ActiveMonth(
            (number - 1) * FIELD + gap, (year - first) * FIELD + gap, SIDES[shade], shade, words
        )

    months = tuple(
        month(year, number)
        for year in range(first, today.year + 1)
        for number in range(1, 13)
        if (year, number) <= (today.year, today.month)
    )
    years = tuple(((year - first) * FIELD + 11, str(year)) for year in range(first, today.year + 1))
    (year, number), most = max(by_month.items(), key=lambda item: (item[1], item[0]))
    return ActivityPicture(
        months,
        years,
        f"{by_month.total()} rated games since January {first}, most in {MONTHS[number]} {year} ({most}).",
    )

"""Where ratings and days stand in a picture, and the lines of its grid.

A picture is a thousand units wide and high, whatever its size on the screen: lines stretch, text and dots do not.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

SIDE = 1000
LEAST_SPAN = 100.0
"""Rating points that a picture shows at least."""
DAYS_AROUND = 60
"""Days that a picture of one day shows."""
MOST_LINES = 7
STEPS = (20, 50, 100, 200, 250, 500)
MONTHS_SHOWN = 24
"""In shorter times the grid has lines at months."""
MOST_MONTHS, MOST_YEARS = 5, 12
ON_A_PHONE, MONTHS_ON_A_PHONE = 4, 3


class Label(NamedTuple):
    """A line of the grid with its label; one that is extra is left out where there is little room."""

    at: int
    text: str
    is_extra: bool = False


class RatingScale(NamedTuple):
    """The lowest and the highest rating of a picture, and the step of its lines, in rating points."""

    low: float
    high: float
    step: float

    @classmethod
    def of(cls, lowest: float, highest: float) -> "RatingScale":
        """Return the scale for ratings from the *lowest* to the *highest*.

        >>> RatingScale.of(1512.3, 1598.0)
        RatingScale(low=1500, high=1620, step=20)
        """
        middle, half = (lowest + highest) / 2, max(highest - lowest, LEAST_SPAN) / 2
        low, high = min(lowest, middle - half), max(highest, middle + half)
        step = next((width for width in STEPS if (high - low) / width <= MOST_LINES), STEPS[-1])
        return cls(step * math.floor(low / step), step * math.ceil(high / step), step)

    def down(self, rating: float) -> int:
        """Return how far below the top of the picture a rating stands."""
        return self.all_down([rating])[0]

    def all_down(self, ratings: Iterable[float]) -> list[int]:
        """Return how far below the top of the picture each rating stands.

        >>> RatingScale(1500, 1700, 50).all_down([1650, 1700])
        [250, 0]
        """
        high, span = self.high, self.high - self.low
        return [round(SIDE * (high - rating) / span) for rating in ratings]

    @property
    def labels(self) -> tuple[Label, ...]:
        """Return the lines of the grid; where there is little room, every second."""
        levels = range(round((self.high - self.low) / self.step) + 1)
        ratings = [self.low + level * self.step for level in levels]
        return tuple(
            Label(self.down(rating), f"{rating:.0f}", len(ratings) > ON_A_PHONE and level % 2 == 1)
            for level, rating in enumerate(ratings)
        )


class TimeScale(NamedTuple):
    """The first and the last day of a picture."""

    first: date
    last: date

    @classmethod
    def of(cls, first: date, last: date) -> "TimeScale":
        """Return the scale for days from the *first* to the *last*; few of them are the middle third.

        >>> TimeScale.of(date(2025, 3, 1), date(2025, 3, 1))
        TimeScale(first=datetime.date(2025, 1, 30), last=datetime.date(2025, 3, 31))
        >>> TimeScale.of(date(2025, 3, 1), date(2025, 3, 3))
        TimeScale(first=datetime.date(2025, 2, 27), last=datetime.date(2025, 3, 5))
        """
        days = (last - first).days
        lacking = max(0, DAYS_AROUND - days) // 2
        beside = timedelta(min(days, lacking) if days else lacking)
        return cls(first - beside, last + beside)

    def across(self, day: date) -> int:
        """Return how far right of the left edge of the picture a day stands."""
        return self.all_across([day])[0]

    def all_across(self, days: Iterable[date]) -> list[int]:
        """Return how far right of the left edge of the picture each day stands.

        >>> TimeScale(date(2025, 1, 1), date(2025, 4, 11)).all_across([date(2025, 1, 26)])
        [250]
        """
        first, span = self.first.toordinal(), (self.last - self.first).days
        return [round(SIDE * (day.toordinal() - first) / span) for day in days]

    @property
    def labels(self) -> tuple[Label, ...]:
        """Return the lines of the grid: at years, in short times at months, in the shortest at days.

        >>> [label.text for label in TimeScale(date(2020, 5, 2), date(2020, 8, 1)).labels]
        ['Jun 2020', 'Jul 2020', 'Aug 2020']
        >>> [label.text for label in TimeScale(date(2020, 5, 2), date(2020, 5, 5)).labels]
        ['2 May 2020', '3 May 2020', '4 May 2020', '5 May 2020']
        """
        short = self._days() or self._months()
        marks = short or list(self._years())
        each = math.ceil(len(marks) / (MONTHS_ON_A_PHONE if short else ON_A_PHONE))
        return tuple(
            Label(self.across(day), text, number % each > 0) for number, (day, text) in enumerate(marks)
        )

    def _days(self) -> list[tuple[date, str]]:
        days = range(self.first.toordinal(), self.last.toordinal() + 1)
        if len(days) >= DAYS_AROUND:
            return []
        shown = map(date.fromordinal, _some(days, MOST_MONTHS))
        return [(day, f"{day.day} {day:%b %Y}") for day in shown]

    def _months(self) -> list[tuple[date, str]]:
        months = range(self.first.year * 12 + self.first.month, self.last.year * 12 + self.last.month)
        if len(months) >= MONTHS_SHOWN:
            return []
        days = (date(month // 12, month % 12 + 1, 1) for month in _some(months, MOST_MONTHS))
        return [(day, f"{day:%b %Y}") for day in days]

    def _years(self) -> Iterator[tuple[date, str]]:
        for year in _some(range(self.first.year + 1, self.last.year + 1), MOST_YEARS):
            yield date(year, 1, 1), str(year)


def _some(numbers: Sequence[int], most: int) -> Sequence[int]:
    return numbers[:: max(1, math.ceil(len(numbers) / most))]

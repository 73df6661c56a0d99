"""Which events take place, and when."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from ratebook.demo.chance import Chance
from ratebook.demo.values import Habit

_SATURDAY = 5
_WEEK = timedelta(days=7)
_NO_MATCHES_FOR = 75
"""Days at the beginning without matches and foreign events, whose players must be established."""

_MEMBERS_OF_THE_FIGURES = 2_000
_EVENTS_A_YEAR = (
    (Habit.OPEN, 14),
    (Habit.SCHOLASTIC, 24),
    (Habit.QUADS, 90),
    (Habit.ONLINE, 42),
    (Habit.MATCH, 24),
    (Habit.FOREIGN, 14),
)
"""Events of a year in a federation of 2,000; clubs have their own evenings."""

_NIGHTS_A_YEAR = 11


class PlannedEvent(NamedTuple):
    """An event of the calendar; *club* is the index of the club that holds it."""

    habit: Habit
    start: date
    end: date
    club: int


def plan_events(chance: Chance, members: int, clubs: int, first: date, last: date) -> list[PlannedEvent]:
    """Return all events from *first* to *last*, in the order in which they begin."""
    planned: list[PlannedEvent] = []
    for year in range(first.year, last.year + 1):
        planned += _open_events(chance, members, clubs, year, at_least=int(year == first.year))
        for club in range(clubs):
            planned += _club_events(chance, club, year)
    no_matches_before = first + timedelta(days=_NO_MATCHES_FOR)
    events = [
        event
        for event in planned
        if first <= event.start
        and event.end <= last
        and (event.habit not in {Habit.MATCH, Habit.FOREIGN} or event.start >= no_matches_before)
    ]
    # Sorting keeps the order of events of one day.
    return sorted(events, key=lambda event: event.start)


def _open_events(
    chance: Chance, members: int, clubs: int, year: int, *, at_least: int
) -> Iterator[PlannedEvent]:
    """Yield the events that more than one club enters, *at_least* so many of each kind."""
    for habit, usual in _EVENTS_A_YEAR:
        exact = usual * members / _MEMBERS_OF_THE_FIGURES
        count = int(exact) + chance.happens(exact - int(exact))
        for _ in range(max(count, at_least)):
            yield _event(chance, habit, year, chance.below(clubs))


def _event(chance: Chance, habit: Habit, year: int, club: int) -> PlannedEvent:
    """Return one event with its days: opens on weekends, scholastic events and quads on Saturdays."""
    start = date(year, 1, 1) + timedelta(days=chance.below(350))
    days = 1
    if habit in {Habit.OPEN, Habit.SCHOLASTIC, Habit.QUADS}:
        start += timedelta(days=(_SATURDAY - start.weekday()) % 7)
    if habit is Habit.OPEN:
        days = 2
    elif habit is Habit.MATCH:
        days = chance.between(1, 4)
    elif habit is Habit.FOREIGN:
        days = 9
    return PlannedEvent(habit, start, start + timedelta(days=days - 1), club)


def _club_events(chance: Chance, club: int, year: int) -> Iterator[PlannedEvent]:
    """Yield a tournament for each month, a round a week, and the quick and blitz nights of a club."""
    weekday = (club * 3 + 1) % 5
    for month in range(1, 13):
        first = date(year, month, 1)
        first += timedelta(days=(weekday - first.weekday()) % 7)
        rounds = 3 if month in {7, 8, 12} else 4
        yield PlannedEvent(Habit.CLUB, first, first + (rounds - 1) * _WEEK, club)
    for _ in range(_NIGHTS_A_YEAR):
        day = date(year, 1, 1) + timedelta(days=chance.below(365))
        yield PlannedEvent(Habit.NIGHT, day, day, club)

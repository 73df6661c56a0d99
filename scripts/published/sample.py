"""A sample of the stored sections that is compared in seconds, with every era and system in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.published.comparison import compare
from scripts.published.stored import stored_sections
from scripts.published.summary import Planted, before_the_timeline, era_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from scripts.published.stored import StoredSection

    from ratebook.model import System

EVERY = 3
MOST_SEATS = 150
FIRST_OF_EACH = 2

LEAST_CHANGE, MOST_CHANGE = 3, 40


def sample() -> list[StoredSection]:
    """Return every third section of at most 150 seats, and the first two of each era and system."""
    chosen = []
    counts: dict[tuple[date, System], int] = {}
    for number, section in enumerate(stored_sections()):
        if before_the_timeline(section):
            continue
        keys = [(era_of(section.start).first, system) for system in section.systems]
        small = len(section.seats) <= MOST_SEATS
        wanted = small and (number % EVERY == 0 or any(counts.get(key, 0) < FIRST_OF_EACH for key in keys))
        if wanted:
            chosen.append(section)
            for key in keys:
                counts[key] = counts.get(key, 0) + 1
    return chosen


def plant_errors(sections: Iterable[StoredSection]) -> Planted:
    """Change one rating in each of *sections* and return how many of these wrong ratings are explained all the same.

    A rating that agrees is changed by 3 to 40 points, up or down. Causes that explained many of them would prove
    nothing.
    """
    changed = explained = 0
    for number, section in enumerate(sections):
        agreeing = [value for value in compare(section) if value.agrees]
        if not agreeing:
            continue
        chosen = agreeing[number * 7 % len(agreeing)]
        points = LEAST_CHANGE + number * 11 % (MOST_CHANGE - LEAST_CHANGE + 1)
        wrong = chosen.published.after + (points if number % 2 else -points)
        for value in compare(section.with_rating_after(chosen.system, chosen.seat, wrong)):
            if (value.system, value.seat) == (chosen.system, chosen.seat):
                changed += 1
                explained += bool(value.causes)
    return Planted(changed, explained)

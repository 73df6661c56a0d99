"""A sample of the stored sections that is compared in seconds, with every era and system in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.published.stored import stored_sections
from scripts.published.summary import before_the_timeline, era_of

if TYPE_CHECKING:
    from datetime import date

    from scripts.published.stored import StoredSection

    from ratebook.model import System

EVERY = 3
MOST_SEATS = 150
FIRST_OF_EACH = 2


def sample() -> list[StoredSection]:
    """Return every third section of at most 150 seats, and the first two of each era and system."""
    chosen = []
    taken: dict[tuple[date, System], int] = {}
    for number, section in enumerate(stored_sections()):
        if before_the_timeline(section):
            continue
        keys = [(era_of(section.start).first, system) for system in section.systems]
        small = len(section.seats) <= MOST_SEATS
        wanted = small and (number % EVERY == 0 or any(taken.get(key, 0) < FIRST_OF_EACH for key in keys))
        if wanted:
            chosen.append(section)
            for key in keys:
                taken[key] = taken.get(key, 0) + 1
    return chosen

"""Calendar years and months of day numbers, which count as those of `datetime.date` do, and the rules of days."""

from collections.abc import Callable
from datetime import date

import numpy as np

from ratebook.model import System
from ratebook.replay.memory import Array
from ratebook.replay.tables import EMPTY_COUNT
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import Rulebook

YEAR_DAYS = 365.2425
MONTHS = 12
NUMPY_DAY, NUMPY_MONTH = date(1970, 1, 1).toordinal(), 1970 * MONTHS
"""From which NumPy counts."""


def months_of(days: Array) -> Array:
    """Return the calendar months of day numbers, numbered on from year to year.

    >>> months_of(np.array([date(2023, 12, 31).toordinal(), date(2024, 1, 1).toordinal()])).tolist()
    [24287, 24288]
    """
    return np.asarray((days - NUMPY_DAY).astype("M8[D]").astype("M8[M]").astype("i8") + NUMPY_MONTH)


def years_of(days: Array) -> Array:
    """Return the calendar years of day numbers."""
    return np.asarray(months_of(days) // MONTHS)


def birth_years_of(birth_days: Array) -> Array:
    """Return the years of birth of members; 0 where unknown."""
    known = birth_days != EMPTY_COUNT
    return np.where(known, years_of(np.where(known, birth_days, 1)), 0)


def in_force_on(rules: Rulebook, system: System, day: Array, read: Callable[[RulesInForce], float]) -> Array:
    """Return a number of the rules that are in force in a system on each day."""
    days, place = np.unique(day, return_inverse=True)
    values = [read(rules.in_force(system, date.fromordinal(number))) for number in days.tolist()]
    return np.array(values)[place]

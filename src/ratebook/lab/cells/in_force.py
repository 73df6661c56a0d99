"""Numbers of the rules, by day."""

from collections.abc import Callable
from datetime import date

import numpy as np

from ratebook.model import System
from ratebook.replay.memory import Array
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import Rulebook


def in_force_on(rules: Rulebook, system: System, day: Array, read: Callable[[RulesInForce], float]) -> Array:
    """Return a number of the rules that are in force in a system on each day."""
    days, place = np.unique(day, return_inverse=True)
    values = [read(rules.in_force(system, date.fromordinal(number))) for number in days.tolist()]
    return np.array(values)[place]

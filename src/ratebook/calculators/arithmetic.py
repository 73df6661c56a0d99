"""The winning expectancy and the rounding that the documents of 1995 and 2001 share.

The expectancy takes ratings as certain (``fics_glicko`` does not), and no edition of the rules uses bankers' rounding.
"""

import math

from ratebook.calculators.games import require_rating

LOGISTIC_SCALE = 400.0
"""Points of difference that make the odds ten to one."""

INTEGER_TOLERANCE = 1e-6
"""A value this close to an integer is that integer before it is rounded away."""


def logistic(difference: float) -> float:
    """Return the expectancy of a player whose rating is higher by *difference*.

    1 / (1 + 10 ** (-difference / 400)), written so that no difference overflows.

    Source: A01, standard rating formula; R95, appendix B, Step 3 (with the difference already attenuated).
    """
    if difference >= 0.0:
        against: float = 10.0 ** (-difference / LOGISTIC_SCALE)
        return 1.0 / (1.0 + against)
    odds: float = 10.0 ** (difference / LOGISTIC_SCALE)
    return odds / (1.0 + odds)


def winning_expectancy(own_rating: float, opponent_rating: float) -> float:
    """Return We, the score that a player should expect from one game (`logistic`).

    Source: A01, standard rating formula; used, but not printed, by the examples of R95, section 2.

    >>> round(winning_expectancy(1300, 1250), 3)
    0.571
    """
    require_rating(own_rating, "own rating")
    require_rating(opponent_rating, "opponent rating")
    return logistic(own_rating - opponent_rating)


def round_to_nearest(value: float) -> int:
    """Return the nearest integer; a half goes up: floor(value + 0.5).

    Source: A01, special rating formula (1511.111 becomes 1511); R95, section 2, whose four printed ratings it gives.

    >>> round_to_nearest(1511.111), round_to_nearest(1510.5)
    (1511, 1511)
    """
    return math.floor(value + 0.5)


def round_away(value: float, rating_before: float) -> int:
    """Return *value* rounded up if the rating rose and down if it fell, so that a gain is worth at least one point.

    Source: A01, standard rating formula ("rounded away from the pre-event rating"); docs/rules/readings.md#a14.

    >>> round_away(1446.158, 1300), round_away(1299.9, 1300), round_away(1446.0000001, 1300)
    (1447, 1299, 1446)
    """
    nearest = round_to_nearest(value)
    if abs(value - nearest) <= INTEGER_TOLERANCE or value == rating_before:
        return nearest
    return math.ceil(value) if value > rating_before else math.floor(value)

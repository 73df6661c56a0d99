"""How the documents of 1995 and 2001 turn a computed rating into an integer.

What it does not do: bankers' rounding, which no edition of the rules uses.
"""

import math

INTEGER_TOLERANCE = 1e-6
"""A value this close to an integer is that integer before it is rounded away."""


def round_to_nearest(value: float) -> int:
    """Return the nearest integer; a half goes up.

    floor(value + 0.5)

    Source: A01, special rating formula (1511.111 becomes 1511); R95, section 2, whose four printed ratings it
    gives.

    >>> round_to_nearest(1511.111), round_to_nearest(1510.5)
    (1511, 1511)
    """
    return math.floor(value + 0.5)


def round_away(value: float, rating_before: float) -> int:
    """Return *value* rounded away from the rating before the event.

    Up if the rating rose, down if it fell, so that a gain is worth at least one point.

    Source: A01, standard rating formula ("rounded away from the pre-event rating"); docs/rules/readings.md#a14.

    >>> round_away(1446.158, 1300), round_away(1299.9, 1300), round_away(1446.0000001, 1300)
    (1447, 1299, 1446)
    """
    nearest = round_to_nearest(value)
    if abs(value - nearest) <= INTEGER_TOLERANCE or value == rating_before:
        return nearest
    return math.ceil(value) if value > rating_before else math.floor(value)

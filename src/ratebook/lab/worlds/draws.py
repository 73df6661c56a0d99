"""Columns of draws, and the expectation of a game: the same on every platform.

The words are those of `ratebook.demo.chance.Chance`, many at once. Nothing here uses a function of the platform's
mathematical library: sums, products and quotients of IEEE 754 are the same everywhere.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ratebook.demo.chance import Chance
from ratebook.replay.memory import Array

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_FRACTION_BITS = 53
_BELL_DRAWS = 12

SCALE = 400.0
"""Rating points of ten to one."""
_LOG2_OF_10 = 3.321928094887362
_LN_OF_2 = 0.6931471805599453
_TERMS = 14


class Draws:
    """A stream of draws, taken as columns.

    >>> chance, draws = Chance(1, "example"), Draws(1, "example")
    >>> [chance.fraction() for _ in range(3)] == draws.fractions(3).tolist()
    True
    """

    def __init__(self, seed: int, name: str) -> None:
        self._state = np.uint64(Chance(seed, name).state)
        self._taken = 0

    def _words(self, count: int) -> Array:
        number = np.arange(self._taken + 1, self._taken + count + 1, dtype="u8")
        self._taken += count
        with np.errstate(over="ignore"):
            mixed = self._state + number * _GOLDEN
            mixed = (mixed ^ (mixed >> np.uint64(30))) * _FIRST
            mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND
        return mixed ^ (mixed >> np.uint64(31))

    def fractions(self, count: int) -> Array:
        """Return numbers from 0 up to but not including 1."""
        return (self._words(count) >> np.uint64(64 - _FRACTION_BITS)) * (1.0 / (1 << _FRACTION_BITS))

    def below(self, bound: int | Array, count: int) -> Array:
        """Return whole numbers from 0 to *bound* - 1; bounds are below 2 to the 21st."""
        return np.floor(self.fractions(count) * bound).astype("i8")

    def bells(self, count: int) -> Array:
        """Return numbers that are nearly normally distributed, with a spread of 1."""
        total = np.zeros(count)
        for _ in range(_BELL_DRAWS):
            total += self.fractions(count)
        return total - _BELL_DRAWS / 2

    def weighted(self, weights: Sequence[float], count: int) -> Array:
        """Return places in *weights*, each as often as its weight says."""
        bounds = np.cumsum(np.asarray(weights, "f8"))
        return np.searchsorted(bounds, self.fractions(count) * bounds[-1], side="right")


def expected(difference: Any) -> Array:  # noqa: ANN401 - a number or an array
    """Return what a player of so many rating points more than the opponent is expected to score.

    ``1 / (1 + 10^(-difference / 400))``

    >>> round(float(expected(200.0)), 6)
    0.759747
    """
    power = np.asarray(difference, "f8") * (-_LOG2_OF_10 / SCALE)
    whole = np.floor(power + 0.5)
    part = (power - whole) * _LN_OF_2
    value = np.ones_like(part)
    for number in range(_TERMS, 0, -1):
        value = 1.0 + value * part / number
    return np.asarray(1.0 / (1.0 + np.ldexp(value, whole.astype("i4"))))

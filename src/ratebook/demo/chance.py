"""Draws that are the same on every platform and in every edition of Python.

The generator is SplitMix64 (Steele, Lea and Flood 2014): whole numbers of 64 bits only. No draw uses a function of the
platform's mathematical library, whose last digit may differ.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_HALF = 32
_FRACTION_BITS = 53
_FRACTION = 1.0 / (1 << _FRACTION_BITS)
_BELL_DRAWS = 12


class Chance:
    """A stream of draws; streams of other names or seeds do not disturb each other.

    >>> Chance(1, "people").below(100) == Chance(1, "people").below(100)
    True
    >>> [Chance(1, "example").between(1, 6), Chance(2, "example").between(1, 6)]
    [1, 2]
    """

    def __init__(self, seed: int, name: str) -> None:
        self._state = seed & _MASK
        for byte in name.encode():
            self._state = (self._word() ^ byte) & _MASK

    @property
    def state(self) -> int:
        """Return the word from which the next draws follow."""
        return self._state

    def _word(self) -> int:
        self._state = (self._state + _GOLDEN) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def fraction(self) -> float:
        """Return a number from 0 up to but not including 1."""
        return (self._word() >> 64 - _FRACTION_BITS) * _FRACTION

    def happens(self, probability: float) -> bool:
        """Return true with this probability."""
        return self.fraction() < probability

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to *bound* - 1; *bound* is below 2 to the 32nd."""
        return (self._word() >> _HALF) * bound >> _HALF

    def between(self, lowest: int, highest: int) -> int:
        """Return a whole number from *lowest* to *highest*, both included."""
        return lowest + self.below(highest - lowest + 1)

    def bell(self, middle: float = 0.0, spread: float = 1.0) -> float:
        """Return a number that is nearly normally distributed, at most six spreads from the middle."""
        total = 0.0
        for _ in range(_BELL_DRAWS):
            total += self.fraction()
        return middle + spread * (total - _BELL_DRAWS / 2)

    def one_of(self, items: Sequence[T]) -> T:
        """Return one of *items*, which are not empty."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[tuple[T, int]]) -> T:
        """Return one of the items, each as often as its weight says.

        >>> Chance(1, "example").weighted([("never", 0), ("always", 3)])
        'always'
        """
        at = self.below(sum(weight for _, weight in items))
        for item, weight in items:
            at -= weight
            if at < 0:
                return item
        raise ValueError("no item has a weight")

    def in_any_order(self, items: Sequence[T]) -> Iterator[T]:
        """Yield all *items* in a random order; only those that are taken cost a draw."""
        rest = list(items)
        for at in range(len(rest)):
            other = self.between(at, len(rest) - 1)
            rest[at], rest[other] = rest[other], rest[at]
            yield rest[at]

"""What was used last and is kept in memory: of one state at a time, and bounded."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """The values that were used last, by their keys; those of another state than that of the last question are gone.

    >>> words, today = Recent[str](8, len), 1
    >>> for word in ("one", "two", "three"):
    ...     if words.find(today, word) is None:
    ...         words.keep(today, word, word)
    >>> [words.find(today, word) for word in ("one", "two", "three")], words.find(today + 1, "two")
    ([None, 'two', 'three'], None)

    Args:
        most: of the sizes of all values together; a larger value is not kept.
        size_of: returns the size of a value.
    """

    def __init__(self, most: int, size_of: Callable[[Value], int] = lambda _: 1) -> None:
        self._most, self._size_of = most, size_of
        self._size = 0
        self._state: Hashable = None
        self._kept: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = Lock()

    def find(self, state: Hashable, key: Hashable) -> Value | None:
        """Return the value of a *key* that was kept in this *state*."""
        with self._lock:
            if state != self._state:
                self._kept.clear()
                self._size, self._state = 0, state
            value = self._kept.get(key)
            if value is not None:
                self._kept.move_to_end(key)
            return value

    def keep(self, state: Hashable, key: Hashable, value: Value) -> None:
        """Keep a value, unless the state was left meanwhile, and forget those that were used longest ago."""
        size = self._size_of(value)
        with self._lock:
            if state != self._state or key in self._kept or size > self._most:
                return
            self._kept[key] = value
            self._size += size
            while self._size > self._most:
                self._size -= self._size_of(self._kept.popitem(last=False)[1])

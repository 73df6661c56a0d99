"""What is fuzzed: a reader takes bytes, and answers bad ones with findings or with the exception that it documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


class Fuzzed(NamedTuple):
    """A reader, and what it can read to begin with.

    Attributes:
        name: under which its figures are printed.
        read: reads an input; whatever it raises is a failure.
        seeds: good inputs.
    """

    name: str
    read: Callable[[bytes], object]
    seeds: tuple[bytes, ...]


def bytes_of(paths: Iterable[Path]) -> tuple[bytes, ...]:
    """Return the contents of files, in the order of their names."""
    return tuple(path.read_bytes() for path in sorted(paths))

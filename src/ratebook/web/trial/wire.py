"""What goes to the child that reads a report, and what comes back: values as msgpack, checked against their types."""

from types import MappingProxyType
from typing import NamedTuple, get_type_hints

import msgspec

from ratebook.formats.contract import DayOrder, Hints
from ratebook.reports.load import LoadedReport

MEGABYTE = 1024 * 1024


class ReadingLimits(NamedTuple):
    """What reading one report may take, and what it may hold: checking and rating take time for each of these.

    Attributes:
        memory: bytes of address space.
        cpu_seconds: of the processor.
        deadline: seconds after which the child is killed.
        players: seats of all sections together, and persons.
    """

    memory: int = 768 * MEGABYTE
    cpu_seconds: int = 10
    deadline: float = 20.0
    sections: int = 1_000
    players: int = 10_000
    results: int = 100_000


class FileToRead(NamedTuple):
    """A file to be read: its content, its name, what its format cannot say, and the limits."""

    data: bytes
    name: str
    hints: list[object]
    limits: ReadingLimits


def asked_bytes(data: bytes, name: str, hints: Hints, limits: ReadingLimits) -> bytes:
    """Return what the child is told."""
    return msgspec.msgpack.encode(FileToRead(data, name, list(hints), limits))


def asked_of(told: bytes) -> tuple[bytes, str, Hints, ReadingLimits]:
    """Return what the child was told."""
    asked = msgspec.msgpack.decode(told, type=FileToRead)
    kinds = get_type_hints(Hints, localns={"DayOrder": DayOrder}).values()
    hints = Hints(*map(msgspec.convert, asked.hints, kinds))
    return asked.data, asked.name, hints, asked.limits


def loaded_bytes(loaded: LoadedReport) -> bytes:
    """Return what the child answers."""
    return msgspec.msgpack.encode(loaded, enc_hook=plain)


def loaded_of(answer: bytes) -> LoadedReport:
    """Return the report that the child has read.

    Raises:
        msgspec.MsgspecError: it is none.
    """
    return msgspec.msgpack.decode(answer, type=LoadedReport)


def plain(value: object) -> object:
    """Return what msgpack can hold of a value that it does not know."""
    if isinstance(value, MappingProxyType):
        return dict(value)
    raise TypeError(f"no part of a report: {type(value).__name__}")

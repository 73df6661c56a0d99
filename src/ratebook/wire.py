"""How a server answers programs: parts of collections, and what went wrong; what they hold are records."""

from typing import Generic, TypeVar

from msgspec import Struct

from ratebook.records.reports import SaidFinding

Item = TypeVar("Item")


class Items(Struct, Generic[Item], frozen=True):
    """A part of a collection; *next* is the cursor of the part that follows, null where this is the last."""

    items: list[Item]
    next: str | None = None


class Problem(Struct, omit_defaults=True, frozen=True):
    """A problem with *code* and *remedy* of the first finding; *allowed* is what a wrong *parameter* takes."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str = ""
    remedy: str = ""
    parameter: str = ""
    allowed: str = ""
    findings: tuple[SaidFinding, ...] = ()

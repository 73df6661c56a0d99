"""Whole collections, read part by part as they are used, and as frames."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from ratebook.client.connection import ServerConnection, Value, no_answer
from ratebook.records.record import cells_of, columns_of
from ratebook.wire import Items

if TYPE_CHECKING:
    import polars as pl

Item = TypeVar("Item")


class Listing(Generic[Item]):
    """A collection; its items are read while one goes through it, each time anew."""

    def __init__(
        self, server: ServerConnection, kind: type[Item], path: str, parameters: Mapping[str, Value]
    ) -> None:
        self._server = server
        self._kind = kind
        self._path = path
        self._given = parameters

    def __iter__(self) -> Iterator[Item]:
        """Yield the items, part by part.

        Raises:
            ServerError: the server refuses, does not answer, or leads in a circle.
        """
        whole = Items[self._kind]  # type: ignore[name-defined]
        cursor: str | None = None
        seen: set[str] = set()
        while True:
            part: Items[Any] = self._server.get(whole, self._path, {**self._given, "cursor": cursor})
            yield from part.items
            cursor = part.next
            if cursor is None:
                return
            if not part.items or cursor in seen:
                raise no_answer(
                    "The listing has no end", self._path, "A part is empty, or comes a second time."
                )
            seen.add(cursor)

    def frame(self) -> "pl.DataFrame":
        """Return all items as a Polars frame, with the columns of the CSV.

        Raises:
            ImportError: Polars is not there; the extra ``bulk`` brings it.
            ServerError: the server refuses, or does not answer.
        """
        import polars as pl  # noqa: PLC0415 - only who wants frames has it

        columns = list(columns_of(self._kind))  # type: ignore[arg-type] # every type is hashable
        rows = [[_plain(value) for value in cells_of(self._kind, one)] for one in self]
        return pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)


def _plain(value: object) -> object:
    return value if isinstance(value, date) else msgspec.to_builtins(value, builtin_types=(date,))

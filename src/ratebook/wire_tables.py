"""What programs read, as a table: the columns of a struct, and the cells of a line."""

from collections.abc import Iterator
from typing import get_args, get_origin, get_type_hints

from msgspec import Struct


def columns_of(kind: type[Struct], prefix: str = "") -> Iterator[str]:
    """Yield the columns of a table: those of a struct within a struct have its name before theirs."""
    for name, inner in _fields(kind):
        if inner is None:
            yield prefix + name
        else:
            yield from columns_of(inner, f"{prefix}{name}_")


def cells_of(kind: type[Struct], value: Struct | None) -> Iterator[object]:
    """Yield the values of a line of the table, None where there is none."""
    for name, inner in _fields(kind):
        field = None if value is None else getattr(value, name)
        if inner is None:
            yield field
        else:
            yield from cells_of(inner, field)


def _fields(kind: type[Struct]) -> Iterator[tuple[str, type[Struct] | None]]:
    hints = get_type_hints(kind)
    for name in kind.__struct_fields__:
        # A cell holds a list as it is.
        parts = [hints[name], *get_args(hints[name])] if get_origin(hints[name]) is not list else []
        structs = [one for one in parts if isinstance(one, type) and issubclass(one, Struct)]
        yield name, structs[0] if structs else None

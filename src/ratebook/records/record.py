"""What a record is: fields by name, those for the office alone marked; its JSON, and its cells in a table."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from inspect import get_annotations
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar, dataclass_transform, get_args

Value = TypeVar("Value")

OFFICE = "For the office only: no public answer has it."
Office: TypeAlias = Annotated[Value, OFFICE]
"""Marks a field that the office alone may see: ``rating: Office[float | None] = None``."""


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def record(kind: type[Value]) -> type[Value]:
    """Declare a record: frozen, and made by the names of its fields."""
    # Code that is written for each record anew takes longer to load than what it is about.
    kind.__repr__, kind.__eq__, kind.__hash__ = _shown, _is_same, _hash  # type: ignore[assignment,method-assign] # of all
    return dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)(kind)


def _values(made: Any) -> tuple[Any, ...]:  # noqa: ANN401 - any record
    return tuple(getattr(made, name) for name in made.__dataclass_fields__)


def _shown(made: Any) -> str:  # noqa: ANN401 - as above
    fields = zip(made.__dataclass_fields__, _values(made), strict=True)
    return f"{type(made).__qualname__}({', '.join(f'{name}={value!r}' for name, value in fields)})"


def _is_same(made: Any, other: object) -> bool:  # noqa: ANN401 - as above
    return type(made) is type(other) and _values(made) == _values(other)


def _hash(made: Any) -> int:  # noqa: ANN401 - as above
    return hash(_values(made))


class RecordField(NamedTuple):
    """A field of a record: the record within it, if there is one, and whether the office alone may see it.

    Its *hint* is as the record declares it.
    """

    name: str
    inner: type | None
    office: bool
    hint: Any


@cache
def fields_of(kind: type) -> tuple[RecordField, ...]:
    """Return the fields of a record or a named tuple; none for any other type."""
    names: Iterable[str] = getattr(kind, "__dataclass_fields__", getattr(kind, "_fields", ()))
    hints: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        hints |= get_annotations(base)
    return tuple(
        RecordField(name, _inner(hints.get(name)), OFFICE in _marks(hints.get(name)), hints.get(name))
        for name in names
    )


def _marks(hint: object) -> tuple[object, ...]:
    return getattr(hint, "__metadata__", ())


def _inner(hint: Any) -> type | None:  # noqa: ANN401 - any annotation
    """Return the record in a field; what may be something else too, or is several, is a cell as it is."""
    parts = _parts(hint.__origin__ if _marks(hint) else hint)
    return parts[0] if len(parts) == 1 and isinstance(parts[0], type) and fields_of(parts[0]) else None


def _parts(hint: Any) -> list[Any]:  # noqa: ANN401 - as above
    """Return what a field may be, besides None."""
    return (
        [part for part in get_args(hint) if part is not NoneType] if isinstance(hint, UnionType) else [hint]
    )


def plain(value: Any, *, office: bool = False) -> Any:  # noqa: ANN401 - whatever a record holds
    """Return *value* as JSON has it: records as objects, days as text; what is the office's only for the *office*.

    >>> class Line(NamedTuple):
    ...     end: date
    ...     rating: Office[float]
    >>> plain(Line(date(2026, 11, 20), 1500.25)), plain(Line(date(2026, 11, 20), 1500.25), office=True)
    ({'end': '2026-11-20'}, {'end': '2026-11-20', 'rating': 1500.25})
    """
    kind: type = type(value)
    if fields := fields_of(kind):
        return {
            field.name: plain(getattr(value, field.name), office=office)
            for field in fields
            if office or not field.office
        }
    if isinstance(value, Mapping):
        return {str(key): plain(inner, office=office) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(inner, office=office) for inner in value]
    return value.isoformat() if isinstance(value, date) else value


@cache
def columns_of(kind: type) -> tuple[str, ...]:
    """Return the columns of a public table: those of a record within a record have its name before theirs."""
    return tuple(column.name for column in typed_columns(kind))


class TypedColumn(NamedTuple):
    """A column of a public table: the *kind* of its values, and whether it *may_lack* some."""

    name: str
    kind: Any
    may_lack: bool


def typed_columns(kind: type, prefix: str = "", *, may_lack: bool = False) -> Iterator[TypedColumn]:
    """Yield the columns of a public table with the kinds of their values."""
    for name, inner, office, hint in fields_of(kind):
        lacks = may_lack or isinstance(hint, UnionType)
        if office:
            continue
        if inner is None:
            yield TypedColumn(prefix + name, _parts(hint)[0], lacks)
        else:
            yield from typed_columns(inner, f"{prefix}{name}_", may_lack=lacks)


def cells_of(kind: type, value: object) -> Iterator[object]:
    """Yield the values of a line of the table, None where there is none."""
    for name, inner, office, _ in fields_of(kind):
        cell = None if value is None else getattr(value, name)
        if office:
            continue
        if inner is None:
            yield cell
        else:
            yield from cells_of(inner, cell)

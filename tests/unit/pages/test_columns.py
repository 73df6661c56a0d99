"""Every column that names a field names one of the type of its lines."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import is_dataclass
from typing import Any, get_args

import pytest

from ratebook import pages
from ratebook.pages.columns import Column, Columns, shown
from ratebook.records.record import fields_of

MODULES = [
    importlib.import_module(f"ratebook.pages.{one.name}") for one in pkgutil.iter_modules(pages.__path__)
]


def declared() -> list[Any]:
    """Return the columns of all modules with the type of line in whose annotation they stand."""
    found = []
    for module in MODULES:
        for name, annotation in module.__annotations__.items():
            columns = getattr(module, name, None)
            if isinstance(columns, tuple) and columns and isinstance(columns[0], Column):
                (line,) = get_args(get_args(annotation)[0])
                if is_dataclass(line) or hasattr(line, "_fields"):
                    found.append(pytest.param(line, columns, id=f"{module.__name__}.{name}"))
    return found


def is_known(line: type, value: object) -> bool:
    """Return whether a column takes what a line has: a field, or a field or a property of a record within it."""
    if not isinstance(value, str):
        return True
    first, _, rest = value.partition(".")
    inner = {field.name: field.inner for field in fields_of(line)}
    within = inner.get(first)
    return first in inner and (not rest or (within is not None and hasattr(within, rest)))


@pytest.mark.parametrize(("line", "columns"), declared())
def test_a_column_names_a_field_of_its_line(line: type, columns: Columns[Any]) -> None:
    assert [column.value for column in columns if not is_known(line, column.value)] == []
    assert len({column.title for column in columns}) == len(columns)


def test_the_pages_declare_their_columns() -> None:
    assert len(declared()) > 5


def test_people_read_no_needless_digits() -> None:
    assert [shown(value) for value in (None, 3, 3.0, 2.5, "W", ("quick", "blitz"))] == [
        "",
        "3",
        "3",
        "2.5",
        "W",
        "quick, blitz",
    ]

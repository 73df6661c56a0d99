"""No module needs another that needs it: not when it is imported, not later, and not for a type."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import pytest

from house.source import MODULES, name_of, tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LEFT = {
    ("ratebook.formats.reading.kinds", "ratebook.formats.reading.fields"): (
        "a kind of field reads from the fields of a record, and these are read by kinds; one of them is a type only"
    ),
    ("ratebook.rating.decisions", "ratebook.rating.carry"): (
        "a decision changes what is carried, and what is carried names the decisions; one of them is a type only"
    ),
}
"""Imports that close a circle, and why each stays."""


def imports_of(syntax: ast.AST, moment: str = "at once") -> Iterator[tuple[str, str]]:
    """Yield the names that a module imports, and when: at once, late (in a function), or for types alone."""
    for part in ast.iter_child_nodes(syntax):
        if isinstance(part, ast.ImportFrom) and part.module:
            yield from ((f"{part.module}.{alias.name}", moment) for alias in part.names)
        elif isinstance(part, ast.Import):
            yield from ((alias.name, moment) for alias in part.names)
        elif isinstance(part, ast.If) and ast.unparse(part.test) == "TYPE_CHECKING":
            yield from imports_of(part, "for types")
        elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imports_of(part, "late")
        else:
            yield from imports_of(part, moment)


@cache
def imports_in(path: Path) -> tuple[tuple[str, str], ...]:
    """Return the imports of a module."""
    return tuple(imports_of(tree(path)))


def imported(moments: tuple[str, ...]) -> dict[str, set[str]]:
    """Return the modules that each module of the program imports at some moments."""
    names = {name_of(path): path for path in MODULES}
    arrows: dict[str, set[str]] = {}
    for name, path in names.items():
        targets = {target for target, moment in imports_in(path) if moment in moments}
        # What is no module is a value of the one that it is imported from.
        modules = {target if target in names else target.rpartition(".")[0] for target in targets}
        arrows[name] = {module for module in modules & {*names} if (name, module) not in LEFT} - {name}
    return arrows


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """Return the modules of a circle, if there is one."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize(
    "moments", [("at once",), ("at once", "late"), ("at once", "late", "for types")], ids=" and ".join
)
def test_imports_make_no_circle(moments: tuple[str, ...]) -> None:
    assert circle(imported(moments)) == []


def test_what_is_left_is_there() -> None:
    everything = {"at once", "late", "for types"}
    names = {name_of(path): path for path in MODULES}
    for module, target in LEFT:
        targets = {name for name, moment in imports_in(names[module]) if moment in everything}
        assert {name for name in targets if name == target or name.rpartition(".")[0] == target}


def test_the_rule_knows_a_circle() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    assert [*imports_of(ast.parse("def f():\n    from a import b\nif TYPE_CHECKING:\n    import c"))] == [
        ("a.b", "late"),
        ("c", "for types"),
    ]

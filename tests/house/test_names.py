"""Names say what a value is, where it lives long enough to be forgotten; long records are built by name."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from house.source import MODULES, ROOT, nodes, place

if TYPE_CHECKING:
    from collections.abc import Iterator

EMPTY = {
    *("one", "found", "said", "asked", "told", "there", "given", "kept", "made"),
    *("taken", "gone", "brought", "some", "here"),
}
"""Words that say nothing of a value but that it exists."""
LONGEST_LIFE = 3
BESIDE = [path for folder in ("benchmarks", "scripts") for path in sorted((ROOT / folder).rglob("*.py"))]
"""Programs that are not of the package."""
MOST_BY_POSITION = 5
RECORDS = {"NamedTuple", "Struct"}
SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


def inside(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a scope, without those of scopes within it."""
    for part in ast.iter_child_nodes(scope):
        yield part
        if not isinstance(part, SCOPES):
            yield from inside(part)


def bound_in(scope: ast.AST) -> set[str]:
    """Return the names that get a value in a scope."""
    return {
        name_in(part)
        for part in inside(scope)
        if isinstance(part, ast.arg) or (isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    }


def name_in(part: ast.AST) -> str:
    """Return the name that a part of a scope is, if it is one."""
    if isinstance(part, ast.Name):
        return part.id
    return part.arg if isinstance(part, ast.arg) else ""


def lines_of(name: str, scope: ast.AST) -> Iterator[int]:
    """Yield the lines on which a scope, or one within it that means the same value, has a name."""
    for part in inside(scope):
        if isinstance(part, ast.Name | ast.arg) and name_in(part) == name:
            yield part.lineno
        elif isinstance(part, SCOPES) and name not in bound_in(part):
            yield from lines_of(name, part)


def loops_over(name: str, scope: ast.AST) -> list[int]:
    """Return the lines of loops in which a name begins to mean something else."""
    return [
        part.lineno
        for part in inside(scope)
        if isinstance(part, ast.For | ast.AsyncFor)
        if any(isinstance(target, ast.Name) and target.id == name for target in ast.walk(part.target))
    ]


def longest_life(name: str, scope: ast.AST) -> int:
    """Return how many lines the longest life of a name has in a scope, from its value to its last use."""
    lines = sorted(lines_of(name, scope))
    beginnings = [0, *loops_over(name, scope), lines[-1] + 1]
    lives = [
        [line for line in lines if begin <= line < end] for begin, end in pairwise(sorted({*beginnings}))
    ]
    return max(life[-1] - life[0] + 1 for life in lives if life)


def empty_names(syntax: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield names that live longer than they say something, and where they are bound."""
    for scope in ast.walk(syntax):
        if isinstance(scope, SCOPES):
            for name in EMPTY & bound_in(scope):
                if longest_life(name, scope) > LONGEST_LIFE:
                    yield name, scope


STILL_BY_POSITION: set[str] = {"src/ratebook/cli/lab/fit_conversion.py", "src/ratebook/web/office/records.py"}
"""Modules that still build such records."""


def test_a_value_that_lives_long_has_a_noun_for_a_name() -> None:
    programs = {path: nodes(path)[0] for path in MODULES}
    programs |= {path: ast.parse(path.read_text(encoding="utf-8")) for path in BESIDE}
    long_lived = [
        f"{place(path, scope)}: {name}"
        for path, program in programs.items()
        for name, scope in empty_names(program)
    ]
    assert long_lived == [], "say what it is: member, section, finding, row"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(rows):\n    found = rows\n    a()\n    b()\n    return found", ["found"]),
        ("def f(one):\n    a()\n    b()\n    return one", ["one"]),
        ("def f(rows):\n    for one in rows:\n        a(one)\n        b()\n    c(one)", ["one"]),
        (
            "def f(rows):\n    for one in rows:\n        a(one)\n    b()\n    for one in rows:\n        a(one)",
            [],
        ),
        ("def f(rows):\n    a([one for one in rows])\n    b()\n    c()\n    a([one for one in rows])", []),
        ("def f(rows):\n    found = a()\n    b()\n    return found", []),
    ],
)
def test_the_rule_knows_a_long_life(text: str, names: list[str]) -> None:
    assert [name for name, _ in empty_names(ast.parse(text))] == names


def called(call: ast.Call) -> str:
    return (
        ast.unparse(call.func).rpartition(".")[2] if isinstance(call.func, ast.Name | ast.Attribute) else ""
    )


def records() -> set[str]:
    """Return the names of all record types of the program; no two classes have one name."""
    classes = [node for path in MODULES for node in nodes(path) if isinstance(node, ast.ClassDef)]
    return {
        node.name
        for node in classes
        if {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases} & RECORDS
        or any("dataclass" in ast.unparse(mark) for mark in node.decorator_list)
    }


def test_a_record_of_many_fields_is_built_by_name() -> None:
    """A reader who counts to the seventh argument has stopped reading."""
    types = records()
    assert types
    by_position = [
        f"{place(path, node)}: {called(node)}"
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.Call) and len(node.args) > MOST_BY_POSITION and called(node) in types
        if str(path.relative_to(ROOT)) not in STILL_BY_POSITION
    ]
    assert by_position == []

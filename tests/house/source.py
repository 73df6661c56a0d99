"""The source of the program as syntax trees: each module is parsed once for all tests."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "ratebook"
MODULES = sorted(SOURCE.rglob("*.py"))


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the syntax of all modules, parsed without looking for garbage: that would take longer than parsing."""
    gc.disable()
    try:
        return {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}
    finally:
        gc.enable()


def tree(path: Path) -> ast.Module:
    """Return the syntax of a module."""
    return trees()[path]


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all parts of the syntax of a module."""
    return tuple(ast.walk(tree(path)))


def place(path: Path, node: ast.AST) -> str:
    """Return a file and a line, as an editor opens them."""
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def name_of(path: Path) -> str:
    """Return the name by which a module is imported."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

"""Whatever somebody may give is read through one door, which has a bound (src/ratebook/bounded_files.py)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from house.source import MODULES, SOURCE, nodes

if TYPE_CHECKING:
    from pathlib import Path

DOOR = "bounded_files.py"
READING = {"read_bytes", "read_text", "open", "FileIO", "load"}
OTHER_DOORS = {
    "book/migrations/__init__.py": "the program's own tables",
    "calculators/conversion1995.py": "the program's own table",
    "cli/report/template.py": "the program's own columns",
    "findings.py": "the program's own texts",
    "rules/snapshot.py": "the program's own rules",
    "replay/engine/compiled.py": "the program's own source",
    "pages/look/__init__.py": "the program's own style",
    "web/rendering.py": "the program's own scripts and styles",
    "demo/names.py": "the program's own words",
    "client/mirror.py": "a copy that the client itself has written",
    "web/trial/child.py": "a pipe from the parent process, which has bounded what it sends",
    "formats/archive.py": "a member of an archive, with a bound at each",
    "player_lists/read.py": "a member of an archive, whose rows have bounds",
    "office/rating/rerate.py": "what this process has written, into a file that no one else can open",
    "reports/folders.py": "a member of an archive, with a bound at each",
}
"""Modules that read by other means, and what."""


def reads(module: Path) -> bool:
    """Return whether a module opens a file to read it, or takes the whole of standard input."""
    for node in nodes(module):
        if (
            isinstance(node, ast.Attribute)
            and node.attr == "read"
            and ast.unparse(node) == "sys.stdin.buffer.read"
        ):
            return True
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        owner = ast.unparse(called.value) if isinstance(called, ast.Attribute) else ""
        if name in READING and not is_something_else(name, owner, node):
            return True
    return False


def is_something_else(name: str, owner: str, call: ast.Call) -> bool:
    """Return whether a call of that name opens no file for reading."""
    words = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    if name == "load":
        return owner not in {"json", "tomllib", "pickle", "np"}
    # The operating system's own takes no content, a vault is no file, and "w" and "a" are for writing.
    return name == "open" and (
        owner == "os" or owner.endswith("vault") or words[-1:] in (["wb"], ["w"], ["ab"])
    )


def test_only_the_door_reads_files() -> None:
    by_other_means = {path.relative_to(SOURCE).as_posix() for path in MODULES if reads(path)}
    assert by_other_means - {DOOR} == set(OTHER_DOORS)

"""What pages say to do about a finding: nothing that only a prompt understands."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from ratebook.findings import finding, texts
from ratebook.web.findings import remedy_on_page

SOURCE = Path(__file__).parents[3] / "src" / "ratebook"
PROMPT_ONLY = ("cli", "lab", "replay", "demo", "client")
"""Rooms whose findings no page shows."""
ON_THE_MACHINE = {
    "backup-not-portable",
    "book-database-missing",
    "book-missing",
    "book-older",
    "book-unreadable",
    "book-without-tables",
    "export-file-changed",
    "export-file-missing",
    "export-manifest-missing",
    "export-manifest-wrong",
    "seal-key-wrong",
    "seal-unreadable",
}
"""What only somebody on the machine of the server meets: books are made, upgraded and restored there."""
COMMAND = re.compile(r"ratebook (?:book|web|rules|lab|replay) [a-z]|(?:^|[\s(])--[a-z]")


def names_on_pages() -> set[str]:
    """Return every word of the code whose findings pages can show that is the name of a text."""
    return {
        node.value
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] not in PROMPT_ONLY
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in texts()
    }


def test_no_remedy_on_a_page_names_a_command_or_an_option() -> None:
    at_a_prompt = {
        name.partition(".")[0]
        for name in names_on_pages()
        if COMMAND.search(texts()[name].on_page or texts()[name].remedy)
    }
    assert at_a_prompt == ON_THE_MACHINE


def test_every_remedy_is_found_again_with_its_values() -> None:
    """By the words alone, since the book keeps findings as they were said."""
    assert sum(bool(text.on_page) for text in texts().values()) > 100
    for name, text in texts().items():
        if text.on_page:
            values = {one: f"<{one}>" for one in re.findall(r"{(\w+)", text.remedy)}
            kept = text.remedy.format_map(values)
            said = type("Found", (), {"code": name.partition(".")[0], "remedy": kept})()
            assert remedy_on_page(said) == text.on_page.format_map(values)


def test_other_remedies_are_the_same_everywhere() -> None:
    found = finding("backup-not-clean", "backup", place="x", message="y")
    assert remedy_on_page(found) == found.remedy

"""The program does not read what it wrote for people: facts stay facts, and words are made where they are shown."""

from __future__ import annotations

import ast

import pytest

from house.source import MODULES, SOURCE, nodes, place
from ratebook.findings import Finding, Place
from ratebook.model import Shown

WORDS = {"message", "remedy", "on_page", "for_sender", "where", "before_text", "after_text", "details"}
"""Attributes that are words for people: of findings, of shown ratings, of the audit log."""
CUTTING = {
    *("partition", "rpartition", "split", "rsplit", "removeprefix", "removesuffix"),
    *("startswith", "endswith", "find", "index", "match", "fullmatch", "search", "findall", "finditer"),
}
GONE = {
    "web/findings.py": ("re.compile", "_on_pages"),
    "cli/finding_lines.py": ("re.compile",),
    "cli/report/crosstables.py": ("re.compile",),
    "web/director/preview.py": ("re.compile", '"ratebook "', '"--"'),
    "web/office/queue/submission.py": ("re.compile",),
    "pages/changes.py": ("re.compile", "came late"),
    "book/decisions.py": ("LIKE", ".partition("),
    "office/imports/corrections.py": ('startswith("book-")',),
    "formats/reading/sheets/player_cells.py": ("player listed, ",),
    "web/admin/federation.py": ('removeprefix("profile',),
    "web/public/calculator.py": ('removeprefix("--")', 'lstrip("-")'),
    "findings.py": ("spot_of", "place_in_words", "of_file(self, *names"),
}
"""Places that read words of the program's own, and what they read them with; none of it comes back."""


@pytest.mark.parametrize("module", GONE)
def test_a_joint_that_is_gone_stays_gone(module: str) -> None:
    text = (SOURCE / module).read_text(encoding="utf-8")
    assert [sign for sign in GONE[module] if sign in text] == []


def test_no_words_of_a_finding_are_cut_up() -> None:
    """Neither ``finding.where.partition(...)`` nor ``re.search(pattern, finding.message)``."""
    cut = [
        f"{place(path, node)}: {ast.unparse(node)[:80]}"
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CUTTING
        if any(
            isinstance(part, ast.Attribute) and part.attr in WORDS for part in (node.func.value, *node.args)
        )
    ]
    assert cut == []


def test_facts_have_no_sentence() -> None:
    """A finding keeps no words, a place is made of typed parts, and a shown rating of numbers."""
    assert Finding._fields == ("code", "case", "place", "values", "accepted")
    assert not {"text", "where", "words"} & set(Place._fields)
    assert set(Shown.__annotations__) == {"rating", "provisional_games"}

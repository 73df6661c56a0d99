"""Every statement of the documents has a test, or says which later part of the program it waits for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from scripts.pages.citations import with_links
from scripts.pages.coverage import (
    Statement,
    asserted_statements,
    coverage_page,
    read_statements,
    statements_of_examples,
    statements_of_module,
)
from scripts.pages.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

STATEMENTS = read_statements()
ASSERTED = asserted_statements()

COUNTS = {"S": 9, "P": 7, "I": 20, "E": 3, "F": 7, "G": 6, "B": 4, "L": 5, "M": 9, "A": 19, "Q": 35}
"""How many statements each list of the checklist and the rulings has."""


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement.id)
def test_every_statement_has_a_test_or_waits(statement: Statement) -> None:
    tested_or_later = statement.id in ASSERTED or bool(statement.later)
    assert tested_or_later, f"no test names {statement.id}: {statement.says} ({statement.document})"


def test_tests_name_known_statements_only() -> None:
    known = {statement.id for statement in STATEMENTS}
    unknown = {name: tests for name, tests in ASSERTED.items() if name not in known}
    assert unknown == {}


def test_no_statement_of_the_lists_is_left_out() -> None:
    listed = [f"{letter}{number}" for letter, count in COUNTS.items() for number in range(1, count + 1)]
    known = [statement.id for statement in STATEMENTS]
    assert [name for name in known if name in listed] == listed
    assert [name for name in known if not re.fullmatch(r"[A-Z][1-9][0-9]?[a-z]?", name)] == []


def test_statements_are_one_short_sentence_with_a_document() -> None:
    for statement in STATEMENTS:
        assert statement.says.endswith("."), statement.id
        assert re.match(r"(J15|N15|D25|A01|R95|E25|RULINGS)\b", statement.document), statement.id


def test_the_page_is_what_the_generator_gives() -> None:
    name = "docs/rules/coverage.md"
    page = (ROOT / name).read_text(encoding="utf-8")
    assert page == with_links(coverage_page(), name), "run make docs"


def test_marks_of_functions_classes_parameters_and_modules_are_found(tmp_path: Path) -> None:
    text = (
        "pytestmark = pytest.mark.statement('S1')\n"
        "@pytest.mark.statement('S2', 'S3')\n"
        "def test_one(): ...\n"
        "class TestTwo:\n"
        "    @pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.statement('S4'))])\n"
        "    def test_three(self, x): ...\n"
        "def test_four(): return pytest.mark.statement(*names)\n"
    )
    path = tmp_path / "test_marks.py"
    path.write_text(text, encoding="utf-8")
    found = {
        (statement, owner.partition("::")[2])
        for statement, owner in statements_of_module(path, name="test_marks.py")
    }
    assert found == {("S1", ""), ("S2", "test_one"), ("S3", "test_one"), ("S4", "TestTwo::test_three")}


def test_statements_of_examples_are_found_at_every_depth(tmp_path: Path) -> None:
    path = tmp_path / "examples.toml"
    path.write_text(
        'statements = ["S1"]\n[[case]]\nname = "one"\nstatements = ["S2", "S3"]\n', encoding="utf-8"
    )
    assert list(statements_of_examples(path, name="examples.toml")) == [
        ("S1", "examples.toml"),
        ("S2", "examples.toml: one"),
        ("S3", "examples.toml: one"),
    ]

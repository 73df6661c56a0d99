"""Every statement of the documents has a test, or says which later part of the program it waits for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from scripts.pages.coverage import (
    Statement,
    asserted_statements,
    read_paragraphs,
    read_statements,
    statements_of_examples,
    statements_of_module,
)

if TYPE_CHECKING:
    from pathlib import Path

STATEMENTS = read_statements()
ASSERTED = asserted_statements()

COUNTS = {"S": 9, "P": 7, "I": 20, "E": 3, "F": 7, "G": 6, "B": 4, "L": 5, "M": 12, "A": 19, "Q": 39}
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


SPECIFICATION = (
    "Opening",
    "1 Structure of the Rating Algorithm",
    "2 Initializing Ratings",
    *("2.1", "2.2", "2.3", "2.4", "2.5", "2.6"),
    "3 Effective number of games",
    "4 Main rating algorithm",
    "4.1 Special rating formula",
    "4.2 Standard rating formula",
    "5 Rating floors",
    "6 Updating ratings from foreign FIDE events",
    "7 Miscellaneous details",
)
"""The sections of J15 and N15; those of 2025 have three ways to a first rating, and a history."""

HEADINGS = {
    "R95": (
        "Ratings Committee Members",
        "Committee Motions",
        "1 1995 Rating Conversions",
        "2 A method to accelerate rating changes in the scholastic pool",
        "3 A Major Extension to the Elo Rating System",
        "4 Rewriting the ratings program",
        "A FIDE and CFC to USCF conversion",
        "B FICS description of the Glicko System",
    ),
    "A01": (
        "Opening",
        "Provisional and established ratings",
        "Special rating formula",
        "Standard rating formula",
        "Rating floors",
    ),
    "J15, N15": SPECIFICATION,
    "D25": (*(one for one in SPECIFICATION if one not in {"2.4", "2.5", "2.6"}), "8 Historical Changes"),
}
"""Every section of every document, as it is headed; the sections of initial ratings by their numbers."""

MOTIONS_OF_1995 = 6
"""So many motions has the report, each a paragraph."""


@pytest.mark.parametrize("code", HEADINGS)
def test_every_section_of_every_document_has_its_paragraphs(code: str) -> None:
    sections = [section for section in read_paragraphs() if section.code == code]
    found = [section.heading for section in sections]
    assert [one.split()[0] if one.startswith("2.") else one for one in found] == list(HEADINGS[code])
    assert all(section.paragraphs for section in sections)


def test_a_paragraph_has_statements_or_says_why_it_has_none() -> None:
    known = {statement.id for statement in STATEMENTS}
    for section in read_paragraphs():
        for paragraph in section.paragraphs:
            place = f"{section.code}, {section.heading}: {paragraph.about}"
            assert bool(paragraph.statements) != bool(paragraph.none), place
            assert set(paragraph.statements) <= known, place
            assert len(paragraph.about.split()) <= LONGEST_TITLE, place
            assert not re.search(r"[.!?]$", paragraph.about), place


LONGEST_TITLE = 12
"""Words; the page has titles of paragraphs, never their sentences."""


def test_every_statement_is_in_a_paragraph() -> None:
    held = {name for section in read_paragraphs() for one in section.paragraphs for name in one.statements}
    assert {statement.id for statement in STATEMENTS} - held == set()


def test_a_paragraph_is_no_test_of_its_statements() -> None:
    assert [name for name, tests in ASSERTED.items() if any("paragraphs.toml" in one for one in tests)] == []


def test_each_motion_of_1995_is_a_paragraph() -> None:
    (motions,) = (section for section in read_paragraphs() if section.heading == "Committee Motions")
    assert [one.about.split(":")[0] for one in motions.paragraphs] == [
        str(number) for number in range(1, MOTIONS_OF_1995 + 1)
    ]


def test_statements_are_one_short_sentence_with_a_document() -> None:
    for statement in STATEMENTS:
        assert statement.says.endswith("."), statement.id
        assert re.match(r"(J15|N15|D25|A01|R95|E25|RULINGS)\b", statement.document), statement.id


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

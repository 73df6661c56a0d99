"""What pages say to do about a finding: nothing that only a prompt understands."""

from __future__ import annotations

import ast
import re

from house.source import MODULES, SOURCE, nodes
from ratebook.findings import Place, finding, texts
from ratebook.web.rendering import templates

PROMPT_ONLY = ("cli", "lab", "replay", "demo", "client")
"""Rooms whose findings no page shows."""
ON_THE_MACHINE = {
    "backup-missing",
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
        for path in MODULES
        if path.relative_to(SOURCE).parts[0] not in PROMPT_ONLY
        for node in nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in texts()
    }


OF_IMPORTS_AND_STUDIES = re.compile(r"(?:forecasts|found|import|study)-|half-k-not-allowed\.in-history")
"""Of tables that the office imports, and of the laboratory: their columns and keys are called so."""


def test_no_remedy_on_a_page_names_a_command_or_an_option() -> None:
    at_a_prompt = {
        name.partition(".")[0]
        for name in names_on_pages()
        if COMMAND.search(texts()[name].on_page or texts()[name].remedy)
    }
    assert at_a_prompt == ON_THE_MACHINE


def test_a_page_says_where_to_click_instead_of_a_command() -> None:
    unknown = finding("account-unknown", Place(account="ann"))
    assert "ratebook web" in unknown.remedy
    assert unknown.on_page == "Check the spelling; “Accounts” lists all accounts."


def test_other_remedies_are_the_same_everywhere() -> None:
    without = finding("seats-with-gaps", Place(section=1), missing="3")
    assert without.on_page == without.remedy


def test_a_director_is_not_told_what_only_the_office_can_do() -> None:
    for name, text in texts().items():
        assert not re.search(r"accept the warning|\bimport\b|“", text.for_sender, re.IGNORECASE), name
        assert not (text.for_sender and text.by), name


def test_no_remedy_of_a_director_has_names_of_the_code() -> None:
    name_of_code = re.compile(r"\b[a-z]+_[a-z_]+")
    read = {name: text.for_sender or text.on_page or text.remedy for name, text in texts().items()}
    named = {name for name, remedy in read.items() if name_of_code.search(re.sub(r"\{[^}]*\}", "", remedy))}
    assert [name for name in named if not OF_IMPORTS_AND_STUDIES.match(name)] == []


def test_what_only_the_office_can_do_is_declared_so() -> None:
    """Remedies that name commands, options or other pages are nothing for who sends a report."""
    office = re.compile("ratebook |--|\u201c")
    remedies = {name: text.for_sender or text.on_page or text.remedy for name, text in texts().items()}
    assert {name for name, remedy in remedies.items() if office.search(remedy)} <= {
        name for name, text in texts().items() if text.by == "office"
    }


def test_a_code_unfolds_to_what_it_means() -> None:
    meaning = templates().get_template("parts/findings.html").module.meaning  # type: ignore[attr-defined]
    known, of_a_package = meaning("excel-unreadable"), meaning("league-rounds")
    assert "<summary><code>excel-unreadable</code></summary><p>A workbook is broken.</p>" in known
    assert of_a_package.strip() == '<p class="code"><code>league-rounds</code></p>'

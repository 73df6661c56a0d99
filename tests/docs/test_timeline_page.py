"""The page of all rules shows every dated value and can be made again from the same rulebook."""

from __future__ import annotations

from scripts.pages.rules import render_timeline_page

from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import load_rulebook

RULEBOOK = load_rulebook()
PAGE = render_timeline_page(RULEBOOK)


def test_every_rule_and_every_value_has_its_place() -> None:
    for rule in RULEBOOK.rules.values():
        section = PAGE.split(f"### `{rule.name}`\n", 1)[1].split("\n### ", 1)[0].split("\n## ", 1)[0]
        assert rule.what in section
        assert rule.unit in section
        rows = [line for line in section.splitlines() if line.startswith("| 2")]
        assert len(rows) == len(rule.values)
        for row, dated in zip(rows, rule.values, strict=True):
            assert row.startswith(f"| {dated.since} | ")
            assert f"| {dated.status} | {dated.document}, {dated.where} | {dated.note} |" in row


def test_every_document_is_listed() -> None:
    for document in RULEBOOK.documents.values():
        assert f"| {document.code} | {document.date} | {document.title} |" in PAGE


def test_every_field_can_be_found() -> None:
    assert all(
        f"`{field}`" in PAGE or RULEBOOK.rule_of_field(field) == "initial_priority"
        for field in RulesInForce._fields
    )


def test_numbers_and_systems_are_written_for_readers() -> None:
    assert "slope 0.00000739" in PAGE
    assert "| 0.0000001 |" in PAGE
    assert "| 2008-08-07 | OTB | win 4, draw 2, section 1, section_games 3, most 150 | published |" in PAGE
    assert "| 2001-01-01 | blitz, online | off |" in PAGE
    assert "| 2001-01-01 | all | 10 | documented |" in PAGE
    assert "e-0" not in PAGE


def test_the_same_rulebook_gives_the_same_page() -> None:
    assert render_timeline_page(RULEBOOK) == PAGE


def test_what_if_values_appear_on_the_page() -> None:
    page = render_timeline_page(
        RULEBOOK.with_overlay({"bonus_multiplier": "14", "stored_precision": "float"})
    )
    assert "| 2001-01-01 | all | 14 | overlay | OVERLAY, bonus_multiplier=14 |  |" in page
    assert "| OVERLAY |" in page

"""Findings that were looked at: a warning becomes a note, an error stays."""

from __future__ import annotations

from ratebook.checks import accept, acknowledged
from ratebook.findings import Place, Severity, finding, has_errors

GAME = Place(section=1, seats=(1,), round=1)
GAP = finding("seats-with-gaps", Place(section=1, field="seats"), missing="3")
CLASH = finding("colours-clash", GAME, opponent=2, colour="white")
WRONG = finding("results-disagree", GAME, letter="W", opponent=2, letter_2="W", mirror="L")
MISSING = finding("peak-missing", Place(section=1, seats=(2,)), system="regular")


def test_an_accepted_warning_becomes_a_note_that_says_so() -> None:
    (accepted,) = accept([GAP], ["seats-with-gaps"])
    assert accepted.severity is Severity.NOTE
    assert accepted.message == f"Accepted: {GAP.message}"
    assert (accepted.code, accepted.place, accepted.values) == (GAP.code, GAP.place, GAP.values)


def test_every_warning_of_the_code_is_accepted_and_no_other() -> None:
    assert accept([GAP, CLASH, GAP, MISSING], {"seats-with-gaps"})[1] == CLASH
    found = accept([GAP, CLASH, GAP, MISSING], {"seats-with-gaps"})
    assert [finding.severity for finding in found] == ["note", "warning", "note", "note"]


def test_without_codes_nothing_changes() -> None:
    assert accept([GAP, WRONG, MISSING], []) == (GAP, WRONG, MISSING)


def test_an_error_cannot_be_accepted() -> None:
    found = accept([WRONG, GAP], ["results-disagree", "seats-with-gaps"])
    assert found[0] == WRONG
    assert found[1].severity is Severity.NOTE
    assert [(finding.code, finding.severity) for finding in found[2:]] == [("not-acceptable", "error")]
    assert "results-disagree" in found[2].where
    assert has_errors(found)


def test_a_code_that_nothing_has_is_noted_once() -> None:
    found = accept([GAP], ["seat-with-gaps", "seat-with-gaps", "another"])
    assert [(finding.code, finding.where) for finding in found[1:]] == [
        ("accepted-in-vain", "code another"),
        ("accepted-in-vain", "code seat-with-gaps"),
    ]
    assert {finding.severity for finding in found[1:]} == {Severity.NOTE}


def test_a_note_needs_no_acceptance_and_keeps_its_words() -> None:
    assert accept([MISSING], ["peak-missing"]) == (MISSING,)


def test_what_was_accepted_can_be_accepted_again() -> None:
    once = accept([GAP], ["seats-with-gaps"])
    assert accept(once, ["seats-with-gaps"]) == once


def test_only_codes_that_a_warning_has_are_acknowledged() -> None:
    found = [GAP, CLASH, GAP, WRONG, MISSING]
    codes = ["seats-with-gaps", "results-disagree", "peak-missing", "another", "seats-with-gaps"]
    assert acknowledged(found, codes) == ("seats-with-gaps",)
    assert acknowledged(found, []) == ()

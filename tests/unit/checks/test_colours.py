"""Checks of colours: opposite on the two sides, and not the same four times running."""

from __future__ import annotations

import pytest

from ratebook.checks import check_report
from ratebook.findings import Severity
from unit.checks.checked_reports import found, report_of, severities


@pytest.mark.parametrize(("colour", "name"), [("w", "white"), ("b", "black")])
def test_one_colour_on_both_sides_is_one_warning(colour: str, name: str) -> None:
    report = report_of(f"W2{colour} D2w", f"L1{colour} D1b")
    assert found(report) == [("colours-clash", "section 1, seat 1, round 1")]
    assert severities(report) == {"colours-clash": Severity.WARNING}
    assert f"seat 2, both have {name}" in check_report(report)[0].message


@pytest.mark.parametrize(("one", "other"), [("W2w", "L1"), ("W2", "L1b"), ("W2", "L1"), ("W2w", "L1b")])
def test_colours_that_are_opposite_or_not_known_are_no_finding(one: str, other: str) -> None:
    assert check_report(report_of(one, other)) == []


def test_colours_of_games_that_do_not_belong_together_do_not_clash() -> None:
    report = report_of("W2w", "L3w", "W2b")
    assert [code for code, _ in found(report)] == ["opponents-disagree"]


def test_colours_clash_in_games_that_each_side_reports_for_itself() -> None:
    report = report_of("N2w", "R1w")
    assert [code for code, _ in found(report)] == ["result-asymmetric", "result-asymmetric", "colours-clash"]


def test_three_games_with_one_colour_are_usual_and_a_fourth_is_a_warning() -> None:
    other = "L1b L1b U U", "U U L1b U", "U U U L1b"
    assert check_report(report_of("W2w W2w W3w U", *other[:2], "U U U U")) == []
    report = report_of("W2w W2w W3w W4w", *other)
    assert ("colour-repeated", "section 1, seat 1") in found(report)
    assert severities(report)["colour-repeated"] is Severity.WARNING


def test_byes_do_not_interrupt_a_row_of_one_colour() -> None:
    report = report_of("D2b D2b H D3b - D3b", "D1w D1w B U U U", "U U U D1w B D1w")
    assert found(report) == [("colour-repeated", "section 1, seat 1")]


@pytest.mark.parametrize("between", ["D3", "D3b"])
def test_an_unknown_or_another_colour_interrupts_the_row(between: str) -> None:
    answer = "D1w" if between.endswith("b") else "D1"
    report = report_of(f"D2w D2w {between} D4w D4w", "D1b D1b U U U", f"U U {answer} U U", "U U U D1b D1b")
    assert check_report(report) == []


def test_a_seat_is_named_once_however_long_the_row() -> None:
    rounds = " ".join(["D2w"] * 4 + ["D3b"] * 4)
    report = report_of(rounds, " ".join(["D1b"] * 4 + ["U"] * 4), " ".join(["U"] * 4 + ["D1w"] * 4))
    assert [place for code, place in found(report) if code == "colour-repeated"] == [
        "section 1, seat 1",
        "section 1, seat 2",
        "section 1, seat 3",
    ]

"""Checks of games: each finds its mistake, at its place, and nothing else."""

from __future__ import annotations

import pytest

from ratebook.checks import check_report
from ratebook.findings import Severity
from ratebook.model import SectionType
from unit.checks.checked_reports import QUAD, found, rated, report_of, report_with, section_of, severities


def test_a_clean_quad_has_no_findings() -> None:
    assert check_report(report_of(*QUAD)) == []


def test_byes_forfeits_and_empty_rounds_are_no_findings() -> None:
    assert check_report(report_of("B X - W2", "H F2 U L1", "U Z F3 -")) == []


@pytest.mark.parametrize(
    ("first", "second", "seats"), [("X2", "X1", [1]), ("X2", "Z1", [1]), ("Z2", "X1", [2])]
)
def test_two_sides_that_take_more_than_the_point_of_a_forfeited_game_are_an_error(
    first: str, second: str, seats: list[int]
) -> None:
    report = report_of(f"{first} W2", f"{second} L1")
    assert found(report) == [("forfeits-disagree", f"section 1, seat {seat}, round 1") for seat in seats]
    assert severities(report) == {"forfeits-disagree": Severity.ERROR}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("X2", "F1"),
        # Nobody came, or half a point each.
        ("F2", "F1"),
        ("Z2", "Z1"),
        # Programs drop the opponents of forfeits, or of one of the two (docs/formats/uschess.md#round-cells).
        ("X", "X"),
        ("X2", "X"),
        ("X2", "-"),
        # Seat 3 does not say that it is seat 1's opponent.
        ("X3", "F1"),
    ],
)
def test_a_forfeit_that_can_be_true_is_no_finding(first: str, second: str) -> None:
    assert check_report(report_of(f"{first} W2", f"{second} L1", "X H")) == []


def test_an_opponent_that_the_section_does_not_have_is_an_error() -> None:
    report = report_of("W9 L9", "U U", "U U")
    assert found(report) == [
        ("opponent-missing", "section 1, seat 1, round 1"),
        ("opponent-missing", "section 1, seat 1, round 2"),
    ]
    assert severities(report) == {"opponent-missing": Severity.ERROR}


def test_a_game_that_one_side_reports_needs_an_opponent_who_is_there() -> None:
    assert found(report_of("N9", "U"))[0] == ("opponent-missing", "section 1, seat 1, round 1")


def test_a_forfeit_against_a_seat_that_is_missing_is_no_game() -> None:
    assert check_report(report_of("X9 W2", "U L1")) == []


@pytest.mark.parametrize("letter", "WLDNSR")
def test_a_played_game_needs_an_opponent(letter: str) -> None:
    report = report_of(f"U {letter}", "U U")
    assert found(report)[0] == ("game-without-opponent", "section 1, seat 1, round 2")
    assert severities(report)["game-without-opponent"] is Severity.ERROR


@pytest.mark.parametrize("letter", "BHU")
def test_a_bye_with_an_opponent_is_a_warning(letter: str) -> None:
    report = report_of(f"{letter}2 W2", "U L1")
    assert found(report) == [("bye-with-opponent", "section 1, seat 1, round 1")]
    assert severities(report) == {"bye-with-opponent": Severity.WARNING}


@pytest.mark.parametrize(
    ("one", "other"), [("W2", "W1"), ("W2", "D1"), ("L2", "L1"), ("D2", "L1"), ("L2", "D1")]
)
def test_results_that_cannot_both_be_are_one_error_at_the_lower_seat(one: str, other: str) -> None:
    report = report_of(one, other)
    assert found(report) == [("results-disagree", "section 1, seat 1, round 1")]
    assert severities(report) == {"results-disagree": Severity.ERROR}


def test_a_win_needs_a_played_loss_on_the_other_side() -> None:
    assert found(report_of("F2", "W1")) == [("results-disagree", "section 1, seat 2, round 1")]


@pytest.mark.parametrize(
    ("rounds", "places"),
    [
        (("W2", "U"), ["section 1, seat 1, round 1"]),
        (("W2", ""), ["section 1, seat 1, round 1"]),
        (("W2", "L3", "W2"), ["section 1, seat 1, round 1"]),
        (("W2 U", "U L1"), ["section 1, seat 1, round 1", "section 1, seat 2, round 2"]),
    ],
)
def test_each_side_must_name_the_other_in_the_same_round(rounds: tuple[str, ...], places: list[str]) -> None:
    report = report_of(*rounds)
    assert found(report) == [("opponents-disagree", place) for place in places]
    assert severities(report) == {"opponents-disagree": Severity.ERROR}


@pytest.mark.statement("A15")
@pytest.mark.parametrize("other", ["U", "R1", "S1", "N1", ""])
@pytest.mark.parametrize("letter", "NSR")
def test_asymmetric_results_need_no_mirror_and_are_to_be_confirmed(letter: str, other: str) -> None:
    report = report_of(f"{letter}2", other)
    places = ["section 1, seat 1, round 1"] + ["section 1, seat 2, round 1"] * (other[1:] == "1")
    assert found(report) == [("result-asymmetric", place) for place in places]
    assert severities(report) == {"result-asymmetric": Severity.WARNING}


def test_nobody_plays_himself() -> None:
    report = report_of("W1", "U")
    assert found(report) == [("self-pairing", "section 1, seat 1, round 1")]
    assert severities(report) == {"self-pairing": Severity.ERROR}


def test_a_draw_with_oneself_is_found_although_it_mirrors_itself() -> None:
    assert found(report_of("D1", "U")) == [("self-pairing", "section 1, seat 1, round 1")]


@pytest.mark.statement("A8")
def test_two_seats_of_one_player_may_not_meet() -> None:
    report = report_of("W2", "L1", players=("P1", "P1"))
    assert found(report) == [
        ("self-pairing", "section 1, seat 1, round 1"),
        ("self-pairing", "section 1, seat 2, round 1"),
        ("player-two-seats", "section 1, seat 2"),
    ]


def test_two_meetings_are_usual_and_three_are_a_warning_at_the_first_seat() -> None:
    assert check_report(report_of("W2 D2 H", "L1 D1 W3", "U U L2")) == []
    report = report_of("W2 D2 L2 U", "L1 D1 W1 W3", "U U U L2")
    assert found(report) == [("met-too-often", "section 1, seat 1")]
    assert severities(report) == {"met-too-often": Severity.WARNING}
    assert "seat 2 in 3 games" in check_report(report)[0].message


def test_meetings_of_a_match_are_not_counted() -> None:
    match = report_of("W2 D2 L2", "L1 D1 W1", kind=SectionType.MATCH)
    assert check_report(match) == []
    # Not coded as a match, but what it is shows from the rules of its day.
    assert check_report(report_of("W2 D2 L2", "L1 D1 W1")) == []


@pytest.mark.statement("A8")
def test_meetings_of_two_seats_of_one_person_are_counted_together() -> None:
    report = report_of(
        "W3 W3 U U",
        "U U W3 W4",
        "L1 L1 L2 U",
        "U U U L2",
        players=("P1", "P1", "P3", "P4"),
        facts={"P1": rated("P1", 1800)},
    )
    assert found(report) == [
        ("player-two-seats", "section 1, seat 2"),
        ("met-too-often", "section 1, seat 1"),
    ]


def test_a_person_met_under_two_seats_is_met_thrice() -> None:
    report = report_of("L3 L4 L4 U", "U U U W3", "W1 U U L2", "U W1 W1 U", players=("P1", "P2", "P3", "P3"))
    assert ("met-too-often", "section 1, seat 1") in found(report)


def test_byes_and_forfeits_are_no_meetings() -> None:
    assert check_report(report_of("X2 X2 X2 W2", "F1 F1 F1 L1", "U U U U")) == []


def test_sections_are_checked_each_by_itself() -> None:
    report = report_with(section_of(*QUAD), section_of("W2 U", "L1 W9", "U U", number=2))
    assert found(report) == [("opponent-missing", "section 2, seat 2, round 2")]

"""Checks of seats: pairing numbers without gaps, each with one person who is known."""

from __future__ import annotations

import pytest

from ratebook.checks import check_report
from ratebook.findings import Severity
from ratebook.model import ForeignRating, PlayerFacts, Report, SectionType
from unit.checks.checked_reports import QUAD, found, rated, report_of, report_with, section_of, severities


def test_a_seat_that_two_entries_have_is_an_error() -> None:
    report = report_of("W2", "L1", "U", seats=(1, 2, 2), players=("P1", "P2", "P3"))
    assert found(report) == [("seat-twice", "section 1, seat 2")]
    assert severities(report) == {"seat-twice": Severity.ERROR}


def test_an_entry_of_nobody_whom_the_report_lists_is_an_error() -> None:
    report = report_of(*QUAD)
    listed = {key: player for key, player in report.players.items() if key != "P3"}
    report = Report(report.event, listed, report.sections)
    assert found(report) == [("player-unknown", "section 1, seat 3")]
    assert severities(report) == {"player-unknown": Severity.ERROR}


@pytest.mark.statement("A8")
def test_a_player_under_two_seats_is_a_warning() -> None:
    report = report_of("W2 U", "L1 U", "U W4", "U L3", players=("P1", "P2", "P1", "P3"))
    assert found(report) == [("player-two-seats", "section 1, seat 3")]
    assert severities(report) == {"player-two-seats": Severity.WARNING}


def test_a_player_in_two_sections_is_as_it_should_be() -> None:
    mirrored = [row.translate(str.maketrans("WL", "LW")) for row in QUAD]
    assert check_report(report_with(section_of(*QUAD), section_of(*mirrored, number=2))) == []


@pytest.mark.parametrize(
    ("seats", "missing"),
    [
        ((1, 2, 3, 5), "number 4."),
        ((2, 3, 4, 5), "number 1."),
        ((1, 3, 5, 9), "number 2, 4, 6 to 8."),
        ((9, 5, 3, 1), "number 2, 4, 6 to 8."),
    ],
)
def test_a_pairing_number_that_nobody_has_is_a_warning(seats: tuple[int, ...], missing: str) -> None:
    first, second = seats[:2]
    report = report_of(f"W{second}", f"L{first}", "U", "U", seats=seats)
    assert found(report) == [("seats-with-gaps", "section 1, seats")]
    assert severities(report) == {"seats-with-gaps": Severity.WARNING}
    assert check_report(report)[0].message.endswith(missing)


def test_many_gaps_are_named_in_one_finding_and_cut() -> None:
    seats = tuple(range(2, 42, 2))
    report = report_of("W4", "L2", *["U"] * 18, seats=seats)
    assert check_report(report)[0].message == (
        "The section has no pairing number 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 and 8 more."
    )


def test_seats_in_another_order_have_no_gap() -> None:
    assert check_report(report_of("W1", "L2", seats=(2, 1))) == []


def test_a_foreign_event_may_list_only_some_of_the_seats() -> None:
    fide = {key: rated(key)._replace(fide=ForeignRating(1600)) for key in ("P3", "P9")}
    report = report_of("W9", "L3", seats=(3, 9), kind=SectionType.FIDE, update=(3,), facts=fide)
    assert check_report(report) == []


@pytest.mark.parametrize(
    "name", ["ADAMS EXAMPLE", "Adams,  Example", "Example Adams", " adams example ", "EXAMPLE,ADAMS"]
)
def test_one_name_under_two_ids_is_a_warning_in_any_writing(name: str) -> None:
    facts = {"P1": rated("P1")._replace(name="ADAMS EXAMPLE"), "P3": rated("P3")._replace(name=name)}
    report = report_of(*QUAD, facts=facts)
    assert found(report) == [("name-twice", "section 1, seat 3")]
    assert severities(report) == {"name-twice": Severity.WARNING}
    assert "seat 1" in check_report(report)[0].message


def test_missing_names_and_names_of_other_sections_do_not_count() -> None:
    unnamed = {key: rated(key)._replace(name=name) for key, name in (("P1", ""), ("P2", ""), ("P3", ","))}
    assert check_report(report_of(*QUAD, facts=unnamed)) == []
    facts = {key: rated(key)._replace(name="ADAMS EXAMPLE") for key in ("P1", "P9")}
    other = section_of("W2", "L1", players=("P9", "P2"), number=2)
    assert check_report(report_with(section_of(*QUAD), other, facts=facts)) == []


def test_one_person_under_two_seats_has_the_name_rightly() -> None:
    report = report_of("W2 U", "L1 U", "U W4", "U L3", players=("P1", "P2", "P1", "P3"))
    assert "name-twice" not in severities(report)


def test_a_player_without_a_name_is_no_finding() -> None:
    nameless = {"P1": PlayerFacts("P1", ratings=rated("P1").ratings)}
    assert check_report(report_of(*QUAD, facts=nameless)) == []

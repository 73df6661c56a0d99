"""Checks of a whole report: each finds its mistake, at its place, and nothing else."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.checks import CHECKS, check_report
from ratebook.model import (
    Ceiling,
    Cell,
    EnteredFloor,
    Entry,
    Event,
    FloorKind,
    ForeignRating,
    PlayerFacts,
    Report,
    Section,
    SectionType,
    System,
)
from ratebook.problems import Severity

QUAD = ("W2w W3b D4w", "L1b W4w D3b", "L4b L1w D2w", "W3w L2b D1b")


def cells(text: str) -> tuple[Cell, ...]:
    """Return the cells written as in the native report, ``-`` for none."""
    found = []
    for word in text.split():
        colour = word[-1] if word[-1] in "wb" else ""
        digits = word[1:].removesuffix(colour)
        found.append(Cell() if word == "-" else Cell(word[0], int(digits) if digits else None, colour))
    return tuple(found)


def report_of(  # noqa: PLR0913 - each check looks at another part of a report
    *rounds: str,
    players: tuple[str, ...] = (),
    kind: SectionType = SectionType.SWISS,
    start: date | None = date(2026, 11, 14),
    end: date = date(2026, 11, 14),
    update: tuple[int, ...] = (),
    facts: dict[str, PlayerFacts] | None = None,
) -> Report:
    """Return a report of one section; seat 1 is player P1 and so on, where *players* does not say otherwise."""
    names = players or tuple(f"P{seat}" for seat in range(1, len(rounds) + 1))
    entries = tuple(
        Entry(seat, name, cells(text), update=seat in update)
        for seat, (name, text) in enumerate(zip(names, rounds, strict=True), start=1)
    )
    section = Section(
        1, "", start, end, "G/90;d5", kind, online=False, half_k=False, youth=False, entries=entries
    )
    return Report(Event(), {name: PlayerFacts(name) for name in names} | (facts or {}), (section,))


def found(report: Report) -> list[tuple[str, str]]:
    return [(problem.code, problem.where) for problem in check_report(report)]


def severities(report: Report) -> dict[str, Severity]:
    return {problem.code: problem.severity for problem in check_report(report)}


def test_a_clean_quad_has_no_findings() -> None:
    assert check_report(report_of(*QUAD)) == []


def test_byes_forfeits_and_empty_rounds_are_no_findings() -> None:
    assert check_report(report_of("B X - W2", "H F2 U L1", "U Z F3 -")) == []


def test_every_check_says_what_it_is_for() -> None:
    assert all(check.__doc__ for check in CHECKS)
    assert len(set(CHECKS)) == len(CHECKS)


def test_an_opponent_that_the_section_does_not_have_is_an_error() -> None:
    report = report_of("W9 N9", "U U", "U U")
    assert found(report) == [
        ("opponent-missing", "section 1, seat 1, round 1"),
        ("opponent-missing", "section 1, seat 1, round 2"),
    ]
    assert severities(report) == {"opponent-missing": Severity.ERROR}


def test_a_forfeit_against_a_seat_that_is_missing_is_no_game() -> None:
    assert check_report(report_of("X9", "U")) == []


@pytest.mark.parametrize("letter", "WLDNSR")
def test_a_played_game_needs_an_opponent(letter: str) -> None:
    report = report_of(f"U {letter}", "U U")
    assert found(report) == [("game-without-opponent", "section 1, seat 1, round 2")]
    assert severities(report) == {"game-without-opponent": Severity.ERROR}


@pytest.mark.parametrize("letter", "BHU")
def test_a_bye_with_an_opponent_is_a_warning(letter: str) -> None:
    report = report_of(f"{letter}2", "U")
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
def test_asymmetric_results_need_no_mirror(letter: str, other: str) -> None:
    assert check_report(report_of(f"{letter}2", other)) == []


def test_nobody_plays_himself() -> None:
    report = report_of("W1", "U")
    assert found(report) == [("self-pairing", "section 1, seat 1, round 1")]
    assert severities(report) == {"self-pairing": Severity.ERROR}


@pytest.mark.statement("A8")
def test_a_player_under_two_seats_is_a_warning() -> None:
    report = report_of("W2 U", "L1 U", "U W4", "U L3", players=("P1", "P2", "P1", "P3"))
    assert found(report) == [("player-two-seats", "section 1, seat 3")]
    assert severities(report) == {"player-two-seats": Severity.WARNING}


@pytest.mark.statement("A8")
def test_two_seats_of_one_player_may_not_meet() -> None:
    report = report_of("W2", "L1", players=("P1", "P1"))
    assert found(report) == [
        ("self-pairing", "section 1, seat 1, round 1"),
        ("self-pairing", "section 1, seat 2, round 1"),
        ("player-two-seats", "section 1, seat 2"),
    ]


def test_a_match_of_two_is_fine() -> None:
    assert check_report(report_of("W2 D2", "L1 D1", kind=SectionType.MATCH)) == []


@pytest.mark.parametrize("rounds", [QUAD, ("U",)])
def test_a_match_is_between_exactly_two_players(rounds: tuple[str, ...]) -> None:
    report = report_of(*rounds, kind=SectionType.MATCH)
    assert found(report) == [("match-not-two-players", "section 1, type")]
    assert severities(report) == {"match-not-two-players": Severity.ERROR}


@pytest.mark.statement("A8")
def test_a_match_counts_players_and_not_seats() -> None:
    report = report_of("W2 U", "L1 L3", "U W2", players=("P1", "P2", "P1"), kind=SectionType.MATCH)
    assert [code for code, _ in found(report)] == ["player-two-seats"]


def test_a_foreign_event_must_update_somebody() -> None:
    fide = {
        "P2": PlayerFacts("P2", fide=ForeignRating(2000)),
        "P1": PlayerFacts("P1", fide=ForeignRating(2000)),
    }
    report = report_of("W2 D2", "L1 D1", kind=SectionType.FIDE, facts=fide)
    assert found(report) == [("update-missing", "section 1, entries")]
    assert severities(report) == {"update-missing": Severity.ERROR}


def test_opponents_without_a_fide_rating_are_noted_in_foreign_events_only() -> None:
    report = report_of("W2 W3", "L1 U", "U L1", kind=SectionType.FIDE, update=(1,))
    report = report._replace(
        players={**report.players, "P3": PlayerFacts("P3", fide=ForeignRating(2000))},
    )
    assert found(report) == [("fide-rating-missing", "section 1, seat 2")]
    assert severities(report) == {"fide-rating-missing": Severity.NOTE}


@pytest.mark.statement("A17")
@pytest.mark.parametrize(("floor", "codes"), [(1900, ["floor-above-ceiling"]), (1800, []), (1700, [])])
def test_a_floor_above_the_ceiling_of_the_same_system_is_an_error(floor: float, codes: list[str]) -> None:
    facts = PlayerFacts(
        "P1",
        floors=(
            EnteredFloor(System.REGULAR, FloorKind.OFFICE, floor),
            EnteredFloor(System.REGULAR, FloorKind.OFFICE, 1500),
            EnteredFloor(System.QUICK, FloorKind.OFFICE, 2000),
        ),
        ceilings=(Ceiling(System.REGULAR, 1800),),
    )
    report = report_of(*QUAD, facts={"P1": facts})
    assert [problem.code for problem in check_report(report)] == codes
    assert all(problem.where == "player P1, regular" for problem in check_report(report))


def test_sections_are_checked_each_by_itself() -> None:
    first, second = report_of(*QUAD), report_of("W2 U", "L1 W9", "U U")
    both = Report(
        Event(), first.players, (*first.sections, *(one._replace(number=2) for one in second.sections))
    )
    assert found(both) == [("opponent-missing", "section 2, seat 2, round 2")]


def test_all_findings_have_a_message_and_a_remedy() -> None:
    report = report_of("W9 W1 W", "B1 W1 W2", kind=SectionType.MATCH, players=("P1", "P1"))
    problems = check_report(report)
    assert len(problems) >= 6
    assert all(problem.message and problem.remedy and problem.where for problem in problems)

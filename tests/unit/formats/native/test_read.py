"""The native report: the contract's own example, every kind of mistake, and bytes that are no report."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.findings import Severity
from ratebook.formats.native.read import parse_native_json
from ratebook.model import (
    Ceiling,
    Cell,
    EarlierMatch,
    EnteredFloor,
    Event,
    FloorKind,
    FloorRequest,
    ForeignRating,
    InitialRating,
    Rating,
    Record,
    SectionType,
    System,
)
from unit.formats.native.reports import (
    CONTRACT_EXAMPLE,
    Values,
    entry,
    player,
    problems_after,
    regular,
    section,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.model import Report


QUAD_DAY = date(2026, 11, 14)


def parsed(text: str) -> Report:
    result = parse_native_json(text.encode(), "quad.json")
    assert result.report is not None, result.findings
    return result.report


def report_after(change: Callable[[Values], object]) -> Report:
    values = json.loads(CONTRACT_EXAMPLE)
    change(values)
    return parsed(json.dumps(values))


def test_the_contracts_example_has_no_problems() -> None:
    assert parse_native_json(CONTRACT_EXAMPLE.encode(), "quad.json").findings == ()


def test_the_contracts_example_becomes_the_right_event_and_section() -> None:
    report = parsed(CONTRACT_EXAMPLE)
    assert report.event == Event("202611140001", "Autumn Quad", QUAD_DAY, QUAD_DAY, "", "", "USA", "", "")
    assert list(report.players) == ["P1", "P2", "P3", "P4"]
    (only,) = report.sections
    assert only[:9] == (
        1,
        "Quad A",
        QUAD_DAY,
        QUAD_DAY,
        "G/90;d5",
        SectionType.ROUND_ROBIN,
        False,
        False,
        False,
    )
    assert [one.seat for one in only.entries] == [1, 2, 3, 4]
    assert [one.player for one in only.entries] == ["P1", "P2", "P3", "P4"]
    assert only.entries[0].rounds == (Cell("W", 2, "w"), Cell("W", 3, "b"), Cell("D", 4, "w"))
    assert only.entries[2].rounds == (Cell("L", 4, "b"), Cell("L", 1, "w"), Cell("D", 2, "w"))


def test_the_contracts_example_becomes_the_right_players() -> None:
    players = parsed(CONTRACT_EXAMPLE).players
    first = players["P1"]
    assert first.ratings == {
        System.REGULAR: Rating(
            612.4, 38, 17, 5, 16, Record.MIXED, 9, 640.2, 0, 605, 35, as_of=date(2026, 10, 3)
        ),
        System.QUICK: Rating(598.1),
    }
    assert first.birth_date == date(2012, 5, 1)
    assert (first.adult, first.canadian_resident) == (None, False)
    assert (first.us_member, first.usa_flag, first.fide_opt_in) == (True, True, False)
    assert first.fide == ForeignRating(1480, date(2026, 11, 1))
    assert first.cfc == ForeignRating(1200, date(2026, 9, 1))
    assert first.floors == (EnteredFloor(System.REGULAR, FloorKind.MONEY, 1800),)
    assert first.ceilings == (Ceiling(System.REGULAR, 2000),)
    assert first.matches == (EarlierMatch(System.REGULAR, date(2026, 5, 1), 23.4),)
    assert players["P2"].ratings == {System.REGULAR: Rating(655.0, 52)}
    assert players["P4"].ratings == {}
    assert players["P4"].initial == {System.REGULAR: InitialRating(498, 0)}


def test_nothing_that_is_optional_needs_to_be_there() -> None:
    text = """{"format": "ratebook-report/1", "players": [{"id": "A"}, {"id": "B"}],
      "sections": [{"number": 3, "end": "2010-02-01",
        "entries": [{"seat": 1, "player": "A", "rounds": ["W2"]},
                    {"seat": 2, "player": "B", "rounds": ["L1"]}]}]}"""
    result = parse_native_json(text.encode(), "small.json")
    assert result.findings == ()
    assert result.report is not None
    assert result.published == {}
    (only,) = result.report.sections
    assert only[:5] == (3, "", None, date(2010, 2, 1), None)
    assert only.type is SectionType.OTHER
    assert result.report.event == Event()


def test_null_stands_for_absent_in_every_optional_key() -> None:
    def change(values: Values) -> None:
        player(values).update(
            dict.fromkeys(
                ("name", "birth_date", "fide", "cfc", "floors", "ceilings", "us_member", "matches", "initial")
            )
        )
        regular(values).update(dict.fromkeys(("wins", "record", "long_events", "peak", "published", "as_of")))
        section(values).update(dict.fromkeys(("name", "start", "end", "time_control", "type", "youth")))
        entry(values, 1)["rounds"].append(None)
        entry(values, 2)["rounds"].append("")

    report = report_after(change)
    first = report.players["P1"]
    assert (first.birth_date, first.fide, first.floors, first.us_member) == (None, None, (), False)
    assert first.ratings[System.REGULAR][:3] == (612.4, 38, None)
    assert report.sections[0].end == QUAD_DAY
    assert report.sections[0].entries[0].rounds[3] == Cell()
    assert report.sections[0].entries[1].rounds[3] == Cell()


def test_a_section_takes_the_events_dates_and_keeps_its_own() -> None:
    def change(values: Values) -> None:
        values["event"].update(start="2026-11-13", end="2026-11-15")
        del section(values)["start"]

    (only,) = report_after(change).sections
    assert (only.start, only.end) == (date(2026, 11, 13), QUAD_DAY)


@pytest.mark.statement("A15")
def test_all_result_letters_and_colours_of_any_case_are_read() -> None:
    rounds = ["W2W", "L3b", "D4", "N2w", "S3B", "R4", "X", "X2", "F0", "Z", "B", "H0", "U", "", None]
    report = report_after(lambda values: entry(values, 1).update(rounds=rounds))
    assert report.sections[0].entries[0].rounds == (
        Cell("W", 2, "w"),
        Cell("L", 3, "b"),
        Cell("D", 4),
        Cell("N", 2, "w"),
        Cell("S", 3, "b"),
        Cell("R", 4),
        Cell("X"),
        Cell("X", 2),
        Cell("F"),
        Cell("Z"),
        Cell("B"),
        Cell("H"),
        Cell("U"),
        Cell(),
        Cell(),
    )


def test_the_keys_of_foreign_events_and_matches_are_read() -> None:
    def change(values: Values) -> None:
        section(values).update(type="fide", youth=True, online=True, half_k=True)
        entry(values, 1)["update"] = True
        entry(values, 2)["floor_request"] = "granted"

    (only,) = report_after(change).sections
    assert (only.type, only.youth, only.online, only.half_k) == (SectionType.FIDE, True, True, True)
    assert [one.update for one in only.entries] == [True, False, False, False]
    assert only.entries[1].floor_request is FloorRequest.GRANTED


def test_a_byte_order_mark_and_windows_line_ends_are_accepted() -> None:
    data = b"\xef\xbb\xbf" + CONTRACT_EXAMPLE.replace("\n", "\r\n").encode()
    assert parse_native_json(data, "quad.json").findings == ()


def test_fewer_games_than_results_are_a_warning_since_half_k_games_count_half() -> None:
    (only,) = problems_after(lambda values: regular(values).update(games=20.5, peak=None))
    assert (only.code, only.severity) == ("counts-exceed-games", Severity.WARNING)
    assert only.where == "player P1, ratings.regular.games"
    assert problems_after(lambda values: regular(values).update(games=38)) == ()


@pytest.mark.parametrize(
    ("facts", "code", "where"),
    [
        ({"games": 60}, "counts-below-games", "games"),
        ({"games": 25, "wins": 10, "draws": 5, "losses": 5}, "peak-without-established", "peak"),
        ({"peak": 600}, "peak-below-rating", "peak"),
    ],
)
def test_facts_that_do_not_fit_together_are_a_warning(facts: Values, code: str, where: str) -> None:
    """The example has 38 games, 17 + 5 + 16 results, rating 612.4, peak 640.2."""
    (only,) = problems_after(lambda values: regular(values).update(facts))
    assert (only.code, only.severity) == (code, Severity.WARNING)
    assert only.where == f"player P1, ratings.regular.{where}"


def test_an_initial_rating_beside_a_rating_is_a_warning() -> None:
    found = problems_after(lambda values: player(values, 1).update(initial={"quick": {"rating": 500}}))
    assert [(one.code, one.severity) for one in found] == [("initial-ignored", Severity.WARNING)]


def test_a_rating_without_games_is_taken_as_established_with_a_note() -> None:
    (only,) = problems_after(lambda values: player(values, 2)["ratings"]["regular"].pop("games"))
    assert (only.code, only.severity) == ("games-missing", Severity.NOTE)
    assert only.where == "player P2, ratings.regular.games"


def test_an_empty_list_of_players_leaves_every_entry_unknown() -> None:
    found = problems_after(lambda values: values.update(players=[]))
    assert {one.code for one in found} == {"player-unknown"}
    assert len(found) == 4


def test_ratings_are_in_the_order_of_the_systems_whatever_that_of_the_file() -> None:
    ratings = {"quick": {"rating": 1500, "games": None}, "regular": {"games": 3.5, "rating": 100}}
    report = report_after(lambda values: player(values, 3).update(ratings=ratings))
    assert list(report.players["P3"].ratings.items()) == [
        (System.REGULAR, Rating(100.0, 3.5)),
        (System.QUICK, Rating(1500.0)),
    ]

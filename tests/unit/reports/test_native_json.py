"""The native report: the contract's own example, every kind of mistake, and bytes that are no report."""

from __future__ import annotations

import copy
import json
import string
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from ratebook.problems import Severity, has_errors
from ratebook.reports.native_json import parse_native_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.model import Report
    from ratebook.problems import Problem

# Copied from the contract (formats/report-json.md), character for character.
CONTRACT_EXAMPLE = """
{
  "format": "ratebook-report/1",
  "event": {"id": "202611140001", "name": "Autumn Quad", "start": "2026-11-14", "end": "2026-11-14",
            "city": "", "state": "", "country": "USA", "affiliate": "", "chief_td": ""},
  "players": [
    {"id": "P1", "name": "", "birth_date": "2012-05-01", "adult": null, "canadian_resident": false,
     "ratings": {
       "regular": {"rating": 612.4, "games": 38, "wins": 17, "draws": 5, "losses": 16, "record": "mixed",
                   "long_events": 9, "peak": 640.2, "life_master_games": 0,
                   "published": 605, "published_games": 35, "as_of": "2026-10-03"},
       "quick":   {"rating": 598.1, "games": null}
     },
     "fide": {"rating": 1480, "as_of": "2026-11-01"}, "cfc": {"rating": 1200, "as_of": "2026-09-01"},
     "floors": [{"system": "regular", "kind": "money", "floor": 1800}], "ceilings": [{"system": "regular", "ceiling": 2000}],
     "us_member": true, "usa_flag": true, "fide_opt_in": false,
     "matches": [{"system": "regular", "end": "2026-05-01", "change": 23.4}]},
    {"id": "P2", "ratings": {"regular": {"rating": 655.0, "games": 52}}},
    {"id": "P3", "ratings": {"regular": {"rating": 580.25, "games": 12}}},
    {"id": "P4", "ratings": {}, "initial": {"regular": {"rating": 498, "games": 0}}}
  ],
  "sections": [
    {"number": 1, "name": "Quad A", "start": "2026-11-14", "end": "2026-11-14", "time_control": "G/90;d5",
     "type": "round-robin", "online": false, "half_k": false,
     "entries": [{"seat": 1, "player": "P1", "rounds": ["W2w", "W3b", "D4w"]},
                 {"seat": 2, "player": "P2", "rounds": ["L1b", "W4w", "D3b"]},
                 {"seat": 3, "player": "P3", "rounds": ["L4b", "L1w", "D2w"]},
                 {"seat": 4, "player": "P4", "rounds": ["W3w", "L2b", "D1b"]}]}
  ]
}
"""  # noqa: E501 - the contract's own lines

Values = dict[str, Any]
QUAD_DAY = date(2026, 11, 14)


def parsed(text: str) -> Report:
    result = parse_native_json(text.encode(), "quad.json")
    assert result.report is not None, result.problems
    return result.report


def problems_after(change: Callable[[Values], object]) -> tuple[Problem, ...]:
    """Return the findings on the contract's example after *change*; none of them may be a surprise."""
    values = json.loads(CONTRACT_EXAMPLE)
    change(values)
    result = parse_native_json(json.dumps(values).encode(), "quad.json")
    assert (result.report is None) == has_errors(result.problems)
    return result.problems


def report_after(change: Callable[[Values], object]) -> Report:
    values = json.loads(CONTRACT_EXAMPLE)
    change(values)
    return parsed(json.dumps(values))


def player(values: Values, number: int = 1) -> Values:
    chosen: Values = values["players"][number - 1]
    return chosen


def regular(values: Values) -> Values:
    chosen: Values = player(values)["ratings"]["regular"]
    return chosen


def section(values: Values) -> Values:
    chosen: Values = values["sections"][0]
    return chosen


def entry(values: Values, seat: int) -> Values:
    chosen: Values = section(values)["entries"][seat - 1]
    return chosen


def test_the_contracts_example_has_no_problems() -> None:
    assert parse_native_json(CONTRACT_EXAMPLE.encode(), "quad.json").problems == ()


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
    assert result.problems == ()
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
    assert parse_native_json(data, "quad.json").problems == ()


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


def set_at(*path: str | int, to: object) -> Callable[[Values], None]:
    """Return a change that sets the value at *path*."""

    def change(values: Values) -> None:
        inner: Any = values
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = to

    return change


P1 = ("players", 0)
P1_REGULAR = (*P1, "ratings", "regular")
S1 = ("sections", 0)
SEAT3 = (*S1, "entries", 2)

BAD_REPORTS: dict[str, tuple[Callable[[Values], object], str, str]] = {
    "wrong format": (set_at("format", to="ratebook-rated/1"), "format-wrong", "quad.json, format"),
    "no format": (lambda values: values.pop("format"), "key-missing", "quad.json, format"),
    "no players": (lambda values: values.pop("players"), "key-missing", "quad.json, players"),
    "no sections": (lambda values: values.pop("sections"), "key-missing", "quad.json, sections"),
    "players no list": (set_at("players", to={}), "type-wrong", "quad.json, players"),
    "event no object": (set_at("event", to=[]), "type-wrong", "event"),
    "unknown key at the top": (set_at("playrs", to=[]), "key-unknown", "quad.json, playrs"),
    "unknown key of the event": (set_at("event", "begin", to="x"), "key-unknown", "event, begin"),
    "event date impossible": (set_at("event", "start", to="2026-02-30"), "date-unreadable", "event, start"),
    "event reversed": (set_at("event", "start", to="2026-11-15"), "dates-reversed", "event, end"),
    "player no object": (set_at("players", 1, to="P2"), "type-wrong", "player 2 of the list"),
    "player without id": (
        lambda values: player(values, 4).pop("id"),
        "key-missing",
        "player 4 of the list, id",
    ),
    "player id a number": (set_at(*P1, "id", to=1), "type-wrong", "player 1 of the list, id"),
    "player id empty": (set_at(*P1, "id", to=""), "id-empty", "player 1 of the list, id"),
    "player id with a line break": (
        set_at(*P1, "id", to="P\n1"),
        "text-unreadable",
        "player 1 of the list, id",
    ),
    "half a surrogate pair": (set_at(*P1, "name", to="\ud800"), "text-unreadable", "player P1, name"),
    "player twice": (
        set_at("players", 1, "id", to="P1"),
        "player-twice",
        "player 'P1', number 2 of the list",
    ),
    "player's unknown key": (set_at(*P1, "rating", to=1), "key-unknown", "player P1, rating"),
    "born after the event": (
        set_at(*P1, "birth_date", to="2026-11-15"),
        "birth-date-after-event",
        "player P1, birth_date",
    ),
    "birth date in another notation": (
        set_at(*P1, "birth_date", to="20120501"),
        "date-unreadable",
        "player P1, birth_date",
    ),
    "birth date a number": (set_at(*P1, "birth_date", to=2012), "type-wrong", "player P1, birth_date"),
    "birth date of another age": (
        set_at(*P1, "birth_date", to="0012-05-01"),
        "date-out-of-range",
        "player P1, birth_date",
    ),
    "adult a number": (set_at(*P1, "adult", to=1), "type-wrong", "player P1, adult"),
    "unknown system": (
        set_at(*P1, "ratings", "regula", to={"rating": 1500}),
        "system-unknown",
        "player P1, ratings.regula",
    ),
    "rating no object": (set_at(*P1_REGULAR, to=1500), "type-wrong", "player P1, ratings.regular"),
    "rating missing": (
        lambda values: regular(values).pop("rating"),
        "key-missing",
        "player P1, ratings.regular.rating",
    ),
    "rating 99999": (
        set_at(*P1_REGULAR, "rating", to=99999),
        "rating-out-of-range",
        "player P1, ratings.regular.rating",
    ),
    "rating 99": (
        set_at(*P1_REGULAR, "rating", to=99.9),
        "rating-out-of-range",
        "player P1, ratings.regular.rating",
    ),
    "rating true": (
        set_at(*P1_REGULAR, "rating", to=True),
        "type-wrong",
        "player P1, ratings.regular.rating",
    ),
    "rating a text": (
        set_at(*P1_REGULAR, "rating", to="1500"),
        "type-wrong",
        "player P1, ratings.regular.rating",
    ),
    "rating NaN": (
        set_at(*P1_REGULAR, "rating", to=float("nan")),
        "number-not-finite",
        "player P1, ratings.regular.rating",
    ),
    "games infinite": (
        set_at(*P1_REGULAR, "games", to=float("inf")),
        "number-not-finite",
        "player P1, ratings.regular.games",
    ),
    "games negative": (
        set_at(*P1_REGULAR, "games", to=-1),
        "games-out-of-range",
        "player P1, ratings.regular.games",
    ),
    "games absurd": (
        set_at(*P1_REGULAR, "games", to=100_001),
        "games-out-of-range",
        "player P1, ratings.regular.games",
    ),
    "games beyond all floats": (
        set_at(*P1_REGULAR, "games", to=10**400),
        "games-out-of-range",
        "player P1, ratings.regular.games",
    ),
    "wins fractional": (set_at(*P1_REGULAR, "wins", to=1.5), "type-wrong", "player P1, ratings.regular.wins"),
    "record of wins with losses": (
        set_at(*P1_REGULAR, "record", to="wins"),
        "record-contradicts-counts",
        "player P1, ratings.regular.record",
    ),
    "record of losses with wins": (
        set_at(*P1_REGULAR, "record", to="losses"),
        "record-contradicts-counts",
        "player P1, ratings.regular.record",
    ),
    "mixed record of wins alone": (
        lambda values: regular(values).update(draws=0, losses=0),
        "record-contradicts-counts",
        "player P1, ratings.regular.record",
    ),
    "record unknown": (
        set_at(*P1_REGULAR, "record", to="draws"),
        "record-unknown",
        "player P1, ratings.regular.record",
    ),
    "peak too high": (
        set_at(*P1_REGULAR, "peak", to=4000),
        "rating-out-of-range",
        "player P1, ratings.regular.peak",
    ),
    "as_of impossible": (
        set_at(*P1_REGULAR, "as_of", to="2026-13-01"),
        "date-unreadable",
        "player P1, ratings.regular.as_of",
    ),
    "FIDE rating too high": (
        set_at(*P1, "fide", "rating", to=99999),
        "rating-out-of-range",
        "player P1, fide.rating",
    ),
    "CFC rating missing": (
        lambda values: player(values)["cfc"].pop("rating"),
        "key-missing",
        "player P1, cfc.rating",
    ),
    "initial rating too low": (
        set_at("players", 3, "initial", "regular", "rating", to=5),
        "rating-out-of-range",
        "player P4, initial.regular.rating",
    ),
    "floor between levels": (
        set_at(*P1, "floors", 0, "floor", to=1850),
        "floor-level-wrong",
        "player P1, floor 1, floor",
    ),
    "money floor too high": (
        set_at(*P1, "floors", 0, "floor", to=2100),
        "floor-level-wrong",
        "player P1, floor 1, floor",
    ),
    "floor too high": (
        set_at(*P1, "floors", 0, to={"system": "regular", "kind": "office", "floor": 2300}),
        "floor-level-wrong",
        "player P1, floor 1, floor",
    ),
    "floor kind unknown": (
        set_at(*P1, "floors", 0, "kind", to="cash"),
        "floor-kind-unknown",
        "player P1, floor 1, kind",
    ),
    "floor system unknown": (
        set_at(*P1, "floors", 0, "system", to="rapid"),
        "system-unknown",
        "player P1, floor 1, system",
    ),
    "ceiling missing": (
        set_at(*P1, "ceilings", 0, to={"system": "quick"}),
        "key-missing",
        "player P1, ceiling 1, ceiling",
    ),
    "earlier match without end": (
        set_at(*P1, "matches", 0, to={"system": "quick", "change": 1}),
        "key-missing",
        "player P1, match 1, end",
    ),
    "earlier match with an absurd change": (
        set_at(*P1, "matches", 0, "change", to=1e9),
        "number-out-of-range",
        "player P1, match 1, change",
    ),
    "no section": (set_at("sections", to=[]), "sections-empty", "quad.json, sections"),
    "section no object": (set_at("sections", 0, to=7), "type-wrong", "section 1 of the list"),
    "section without number": (
        lambda values: section(values).pop("number"),
        "key-missing",
        "section 1 of the list, number",
    ),
    "section number zero": (set_at(*S1, "number", to=0), "number-out-of-range", "section 0, number"),
    "section number repeated": (
        lambda values: values["sections"].append(copy.deepcopy(section(values))),
        "section-number-twice",
        "section 1, number",
    ),
    "section's unknown key": (set_at(*S1, "timecontrol", to="G/60"), "key-unknown", "section 1, timecontrol"),
    "section type unknown": (set_at(*S1, "type", to="quad"), "section-type-unknown", "section 1, type"),
    "section reversed": (set_at(*S1, "end", to="2026-11-13"), "dates-reversed", "section 1, end"),
    "section date impossible": (set_at(*S1, "end", to="2026-11-31"), "date-unreadable", "section 1, end"),
    "section without entries": (set_at(*S1, "entries", to=[]), "entries-empty", "section 1, entries"),
    "section with too many entries": (
        set_at(*S1, "entries", to=[{}] * 10_000),
        "too-many-entries",
        "section 1, entries",
    ),
    "entry no object": (set_at(*SEAT3, to=None), "type-wrong", "section 1, entry 3 of the list"),
    "entry without seat": (
        lambda values: entry(values, 3).pop("seat"),
        "key-missing",
        "section 1, entry 3 of the list, seat",
    ),
    "entry without rounds": (
        lambda values: entry(values, 3).pop("rounds"),
        "key-missing",
        "section 1, seat 3, rounds",
    ),
    "seat true": (set_at(*SEAT3, "seat", to=True), "type-wrong", "section 1, entry 3 of the list, seat"),
    "seat twice": (set_at(*SEAT3, "seat", to=2), "seat-twice", "section 1, seat 2"),
    "entry's player unknown": (
        set_at(*SEAT3, "player", to="P9"),
        "player-unknown",
        "section 1, seat 3, player",
    ),
    "too many rounds": (
        set_at(*SEAT3, "rounds", to=["U"] * 100),
        "too-many-rounds",
        "section 1, seat 3, rounds",
    ),
    "unreadable cell": (
        set_at(*SEAT3, "rounds", 1, to="Q1"),
        "cell-unreadable",
        "section 1, seat 3, round 2",
    ),
    "cell with foreign digits": (
        set_at(*SEAT3, "rounds", 1, to="W²"),
        "cell-unreadable",
        "section 1, seat 3, round 2",
    ),
    "cell a number": (set_at(*SEAT3, "rounds", 1, to=1), "type-wrong", "section 1, seat 3, round 2"),
    "update a text": (set_at(*SEAT3, "update", to="yes"), "type-wrong", "section 1, seat 3, update"),
    "floor request unknown": (
        set_at(*SEAT3, "floor_request", to="maybe"),
        "floor-request-unknown",
        "section 1, seat 3, floor_request",
    ),
}


@pytest.mark.parametrize(("change", "code", "where"), BAD_REPORTS.values(), ids=BAD_REPORTS)
def test_a_bad_report_says_what_is_wrong_where_and_what_to_do(
    change: Callable[[Values], object], code: str, where: str
) -> None:
    problems = problems_after(change)
    assert (code, where) in [(problem.code, problem.where) for problem in problems]
    assert has_errors(problems)
    assert all(problem.remedy and problem.message for problem in problems)
    # One mistake is one finding, but where it leaves an entry's player without a record.
    assert {problem.code for problem in problems} <= {code, "player-unknown", "counts-below-games"}


def test_a_section_without_any_end_names_the_remedy() -> None:
    def change(values: Values) -> None:
        del values["event"]
        del section(values)["end"]

    (only,) = problems_after(change)
    assert (only.code, only.where) == ("end-missing", "section 1, end")
    assert '"end": "YYYY-MM-DD"' in only.remedy


def test_an_unknown_key_offers_the_one_that_was_meant() -> None:
    (only,) = problems_after(set_at("sections", 0, "time_contrl", to="G/60"))
    assert "'time_control'" in only.remedy


def test_a_birth_date_is_never_printed() -> None:
    (only,) = problems_after(set_at(*P1, "birth_date", to="2030-06-07"))
    assert "2030" not in only.message + only.where + only.remedy


@pytest.mark.statement("A8")
def test_the_same_player_may_sit_twice_but_the_same_seat_may_not_be_taken_twice() -> None:
    assert problems_after(set_at(*SEAT3, "player", to="P1")) == ()
    assert [problem.code for problem in problems_after(set_at(*SEAT3, "seat", to=1))] == ["seat-twice"]


def test_all_mistakes_of_a_report_are_found_at_once() -> None:
    def change(values: Values) -> None:
        regular(values)["rating"] = 99999
        entry(values, 1)["rounds"][0] = "?"
        section(values)["type"] = "quad"
        values["event"]["nmae"] = ""

    assert [problem.code for problem in problems_after(change)] == [
        "key-unknown",
        "rating-out-of-range",
        "section-type-unknown",
        "cell-unreadable",
    ]


def test_at_most_a_thousand_findings_are_shown_and_the_rest_is_counted() -> None:
    problems = problems_after(
        lambda values: section(values).update(
            entries=[{"seat": seat, "player": "P1", "rounds": ["?"] * 50} for seat in range(1, 101)]
        )
    )
    assert len(problems) == 1_001
    assert (problems[-1].code, problems[-1].severity) == ("too-many-findings", Severity.NOTE)
    assert "5,000" in problems[-1].message


def test_an_error_is_shown_even_after_a_thousand_notes() -> None:
    def change(values: Values) -> None:
        values["players"] += [{"id": f"N{n}", "ratings": {"quick": {"rating": 900}}} for n in range(1_500)]
        entry(values, 1)["rounds"][0] = "?"

    problems = problems_after(change)
    assert problems[0].code == "cell-unreadable"
    assert len(problems) == 1_001


BAD_FILES: dict[str, tuple[bytes, str, str]] = {
    "nothing": (b"", "file-empty", "f.json"),
    "blanks": (b" \r\n ", "file-empty", "f.json"),
    "binary": (b"\x03\x7e\x00\x00", "file-binary", "f.json"),
    "UTF-16": ("\ufeff{}".encode("utf-16-le"), "file-binary", "f.json"),
    "Latin-1": (b'{\n"format": "\xd1"}', "not-utf8", "f.json, line 2"),
    "missing bracket": (b'{\n  "format": 1,\n', "not-json", "f.json, line 3, column 1"),
    "single quotes": (b"{'format': 1}", "not-json", "f.json, line 1, column 2"),
    "two values": (b"{} {}", "not-json", "f.json, line 1, column 4"),
    "null": (b"null", "type-wrong", "f.json"),
    "list": (b"[]", "type-wrong", "f.json"),
    "very deep": (b"[" * 200_000, "nested-too-deeply", "f.json"),
    "very long number": (b'{"a": ' + b"9" * 5_000 + b"}", "number-too-long", "f.json"),
    "key twice": (b'{"format": 1, "format": "ratebook-report/1"}', "key-twice", "f.json, format"),
}


@pytest.mark.parametrize(("data", "code", "where"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_file_that_is_no_report_says_why(data: bytes, code: str, where: str) -> None:
    result = parse_native_json(data, "f.json")
    assert result.report is None
    assert (result.problems[0].code, result.problems[0].where) == (code, where)
    assert result.problems[0].remedy


def test_a_key_twice_deep_inside_names_its_place() -> None:
    text = CONTRACT_EXAMPLE.replace('"rating": 655.0', '"rating": 655.0, "rating": 656.0')
    (only,) = parse_native_json(text.encode(), "quad.json").problems
    assert (only.code, only.where) == ("key-twice", "player P2, ratings.regular.rating")


def paths_of(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths of all values inside *value*."""
    if isinstance(value, dict):
        children = list(value.items())
    elif isinstance(value, list):
        children = list(enumerate(value))
    else:
        return [path]
    return [path] * bool(path) + [deep for key, child in children for deep in paths_of(child, (*path, key))]


PATHS = paths_of(json.loads(CONTRACT_EXAMPLE))
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["2026-11-14", "regular", "W2w", "P1", "money"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None)
@given(changes=st.lists(st.tuples(st.sampled_from(PATHS), JSON_VALUES), min_size=1, max_size=4))
def test_a_changed_report_yields_findings_and_never_an_exception(
    changes: list[tuple[tuple[str | int, ...], object]],
) -> None:
    values = json.loads(CONTRACT_EXAMPLE)
    for path, value in changes:
        try:
            set_at(*path, to=value)(values)
        except (TypeError, KeyError, IndexError):
            continue  # an earlier change took this place away
    result = parse_native_json(json.dumps(values).encode(), "quad.json")
    assert (result.report is None) == has_errors(result.problems)
    assert all(part.isprintable() for problem in result.problems for part in problem)


@settings(deadline=None)
@given(data=st.binary(max_size=200) | st.text(string.printable, max_size=200).map(str.encode))
def test_any_bytes_yield_findings_and_never_an_exception(data: bytes) -> None:
    result = parse_native_json(data, "f.json")
    assert result.report is None
    assert has_errors(result.problems)


@settings(deadline=None)
@given(start=st.integers(0, len(CONTRACT_EXAMPLE)), byte=st.integers(0, 255))
def test_a_flipped_byte_yields_findings_or_a_report(start: int, byte: int) -> None:
    data = bytearray(CONTRACT_EXAMPLE.encode())
    data[start : start + 1] = bytes([byte])
    result = parse_native_json(bytes(data), "quad.json")
    assert (result.report is None) == has_errors(result.problems)


def test_an_empty_list_of_players_leaves_every_entry_unknown() -> None:
    found = problems_after(lambda values: values.update(players=[]))
    assert {one.code for one in found} == {"player-unknown"}
    assert len(found) == 4

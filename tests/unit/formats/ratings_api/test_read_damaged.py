"""Standings of the ratings API that are wrong or damaged, and those of any report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.formats.contract import is_unreadable
from ratebook.formats.native import read as native_json
from ratebook.formats.ratings_api.read import looks_like
from support.report_strategies import reports
from support.whole_run import examples
from unit.formats.ratings_api.standings import (
    EVENT,
    SECTION,
    Values,
    codes,
    outcome,
    page,
    rating,
    read,
    report_of,
    source_of,
    two_players,
)

if TYPE_CHECKING:
    from ratebook.model import Report

RATING = "section 1, seat 1, rating 1"


def changed(change: dict[str, object], **of_player: object) -> list[Values]:
    """Return two players of whom the first has other values, and another outcome if *change* says so."""
    first, second = two_players()
    first["roundOutcomes"][0].update(change)
    first.update(of_player)
    return [first, second]


@pytest.mark.parametrize(
    ("values", "code", "where"),
    [
        (changed({"outcome": "Won"}), "outcome-unknown", "section 1, seat 1, outcome 1.outcome"),
        (changed({"outcome": None}), "outcome-unknown", "section 1, seat 1, outcome 1.outcome"),
        (changed({"outcome": []}), "outcome-unknown", "section 1, seat 1, outcome 1.outcome"),
        (changed({"color": "Grey"}), "colour-unreadable", "section 1, seat 1, outcome 1.color"),
        (changed({"roundNumber": "1"}), "type-wrong", "section 1, seat 1, outcome 1.roundNumber"),
        (changed({"roundNumber": 100}), "type-wrong", "section 1, seat 1, outcome 1.roundNumber"),
        (changed({"roundNumber": 2}), "round-twice", "section 1, seat 1, round 2"),
        (changed({"opponentPairingNumber": 1.5}), "type-wrong", "section 1, seat 1, outcome 1.opponentPairingNumber"),
        (changed({}, roundOutcomes={}), "type-wrong", "section 1, seat 1, roundOutcomes"),
        (changed({}, roundOutcomes=[1]), "type-wrong", "section 1, seat 1, outcome 1"),
        (changed({}, ratings={}), "type-wrong", "section 1, seat 1, ratings"),
        (changed({}, ratings=[1]), "type-wrong", "section 1, seat 1, ratings"),
        (changed({}, ratings=[{"preRating": 1}]), "type-wrong", f"{RATING}.ratingSystem"),
        (changed({}, ratings=[rating("R", 99.0, None, None)]), "rating-out-of-range", f"{RATING}.preRating"),
        (changed({}, ratings=[rating("R", 1500.0, 1e9, None)]), "rating-out-of-range", f"{RATING}.postRating"),
        (changed({}, ratings=[{"ratingSystem": "R", "preRating": "1500"}]), "type-wrong", f"{RATING}.preRating"),
        (
            changed({}, ratings=[rating("R", 900.0, None, -1)]),
            "games-out-of-range",
            f"{RATING}.postProvisionalGameCount",
        ),
        (changed({}, ratings=[rating("R", 900.0, None, None)] * 2), "rating-twice", "section 1, seat 1, regular"),
        (changed({}, lastName=1.5), "type-wrong", "section 1, seat 1, lastName"),
        (changed({}, firstName="A\x1bB"), "text-unreadable", "section 1, seat 1, firstName"),
        (changed({}, fideRating="1480"), "type-wrong", "section 1, seat 1, fideRating"),
        (changed({}, pairingNumber="1"), "type-wrong", "section 1, number 1 of the list, pairingNumber"),
        (changed({}, pairingNumber=2), "seat-twice", "section 1, seat 2"),
        (changed({}, pairingNumber=None, ordinal=None), "key-missing", "section 1, number 1 of the list, ordinal"),
        ([*two_players(), 1], "type-wrong", "1.json, number 3 of the list"),
        ({"items": 1}, "type-wrong", "1.json, items"),
        ({"standings": [{"a": 1}]}, "piece-unknown", "1.json, standings"),
        ({"a": 1}, "piece-unknown", "1.json"),
        (SECTION, "standings-missing", "1.json"),
        ({"section": 1, "standings": two_players()}, "type-wrong", "1.json, section"),
        ({"section": {"format": "Swizz"}, "standings": two_players()}, "section-type-unknown", "section 1, format"),
        ({"section": {"endDate": "soon"}, "standings": two_players()}, "date-unreadable", "section 1, endDate"),
        ({"section": {"roundCount": 100}, "standings": two_players()}, "number-out-of-range", "section 1, roundCount"),
        ({"event": {"name": []}, "standings": two_players()}, "type-wrong", "event, name"),
        ([{"section": SECTION, "standings": two_players()}] * 2, "section-number-twice", "section 3"),
        ([SECTION, SECTION, *two_players()], "several-sections", "1.json"),
        (b"[{", "not-json", "1.json, line 1, column 3"),
        (b"null", "type-wrong", "1.json"),
        (b"[" * 100_000, "nested-too-deeply", "1.json"),
        (b'{"standings":' * 900, "not-json", "1.json, line 1, column 11701"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_an_error_with_its_place(values: object, code: str, where: str) -> None:
    result = read(values)
    assert result.report is None
    assert (code, where) in [(finding.code, finding.where) for finding in result.findings]
    assert all(finding.remedy for finding in result.findings)


def test_nested_standings_are_no_way_to_stop_the_program() -> None:
    assert codes(b'{"standings":' * 900 + b"[]" + b"}" * 900) == ["piece-unknown"]
    assert codes(b'{"items":' * 900 + b"[]" + b"}" * 900) == ["piece-unknown"]
    deep = b'{"event":{},"standings":[],"sections":[' * 400 + b"]}" * 400
    assert set(codes(deep)) == {"entries-empty"}


def test_standings_are_known_by_their_keys() -> None:
    assert looks_like(source_of(page(*two_players())))
    assert looks_like(source_of(EVENT, b"\xef\xbb\xbf\n" + json.dumps(two_players()).encode()))
    assert not native_json.looks_like(source_of(page(*two_players())))
    assert not looks_like(source_of({"format": "ratebook-report/1", "note": "roundOutcomes"}))
    assert not looks_like(source_of(b'"roundOutcomes"'))


def test_files_that_are_not_json_are_named() -> None:
    result = read(page(*two_players()), b"Hello")
    assert result.report is not None
    assert "file-not-read" in [finding.code for finding in result.findings]


NAMES = {
    "W": "Win",
    "L": "Loss",
    "D": "Draw",
    "N": "WinAsym",
    "S": "LossAsym",
    "R": "DrawAsym",
    "X": "WinForfeit",
    "F": "Forfeit",
    "Z": "DrawForfeit",
    "B": "ByeFull",
    "H": "ByeHalf",
    "U": "Unpaired",
    "": "NotReported",
}


def as_standings(report: Report) -> list[Values]:
    """Return the sections of *report* as the API would give them."""
    colours = {"w": "White", "b": "Black", "": "Unknown"}
    return [
        {
            "section": {"number": section.number, "name": section.name},
            "standings": page(
                *(
                    {
                        "ordinal": place,
                        "pairingNumber": entry.seat,
                        "memberId": entry.player,
                        "lastName": report.players[entry.player].name,
                        "roundOutcomes": [
                            outcome(number, NAMES[cell.letter], cell.opponent, colours[cell.colour])
                            for number, cell in enumerate(entry.rounds, start=1)
                        ],
                    }
                    for place, entry in enumerate(section.entries, start=1)
                )
            ),
        }
        for section in report.sections
    ]


@pytest.mark.long
@examples(30)
@given(reports())
def test_the_results_of_every_report_come_back_from_its_standings(report: Report) -> None:
    back = report_of(as_standings(report))
    assert {key: player.name for key, player in back.players.items()} == {
        key: player.name for key, player in report.players.items()
    }
    assert [[(one.seat, one.player, one.rounds) for one in section.entries] for section in back.sections] == [
        [(one.seat, one.player, one.rounds) for one in section.entries] for section in report.sections
    ]


WHOLE = json.dumps({"event": EVENT, "section": SECTION, "standings": page(*two_players())}).encode()


@examples(200)
@given(
    cuts=st.lists(st.tuples(st.integers(0, 2_800), st.integers(0, 40), st.binary(max_size=3)), max_size=4),
    end=st.integers(0, 6_000),
)
def test_damaged_standings_yield_findings_and_never_an_exception(
    cuts: list[tuple[int, int, bytes]], end: int
) -> None:
    data = bytearray(WHOLE)
    for position, length, replacement in cuts:
        data[position : position + length] = replacement
    result = read(bytes(data[:end]))
    assert (result.report is None) == is_unreadable(result.findings)


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10_000) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@examples(200)
@given(data=st.data())
def test_any_value_in_any_place_yields_findings_and_never_an_exception(data: st.DataObject) -> None:
    values: Any = json.loads(WHOLE)
    place = values
    while isinstance(place, dict | list) and place:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        if data.draw(st.integers(0, 3)) == 0 or not isinstance(place[key], dict | list) or not place[key]:
            place[key] = data.draw(anything)
            break
        place = place[key]
    result = read(values)
    assert (result.report is None) == is_unreadable(result.findings)

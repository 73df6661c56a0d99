"""The quick readers of the native report give what the careful ones give, and never miss a key that occurs twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratebook.formats.native import read as native_json
from ratebook.formats.native.read import parse_native_json
from ratebook.formats.native.usual import usual_entries, usual_players
from ratebook.formats.native.write import FILE_NAME, write
from ratebook.formats.reading import json as reading_json
from ratebook.model import Cell, Entry, PlayerFacts, Rating, System
from support.report_strategies import reports

if TYPE_CHECKING:
    from ratebook.formats.contract import ParsedReport
    from ratebook.model import Report


def carefully(data: bytes) -> ParsedReport:
    """The same reading without anything quick: every object by its pairs, every field by itself."""
    with (
        mock.patch.object(native_json, "usual_players", return_value=None),
        mock.patch.object(native_json, "usual_entries", return_value=None),
        mock.patch.object(reading_json._KeyCount, "__call__", side_effect=lambda values: values),
    ):
        return parse_native_json(data, "f.json")


def as_text(value: object) -> str:
    """JSON in which an object may have a key twice: it is given as its pairs."""
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{json.dumps(key)}: {as_text(inner)}" for key, inner in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(as_text(inner) for inner in value) + "]"
    return json.dumps(value)


ODD: st.SearchStrategy[object] = st.sampled_from(
    (
        *(
            None,
            True,
            False,
            -1,
            0,
            1,
            2,
            99,
            100,
            1500,
            1500.5,
            3500,
            3500.5,
            9_999,
            10_000,
            100_000,
            100_001,
        ),
        *(
            1e300,
            10**400,
            float("nan"),
            float("inf"),
            "",
            "P1",
            "P2",
            "regular",
            "bell\a",
            "a: b",
            "W2w",
            "Q",
        ),
        *([], ()),
    )
)


def objects(keys: tuple[str, ...], usual: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """An object that has its keys mostly once, and mostly with values that belong there."""
    pairs = [st.tuples(st.just(key), st.one_of(*[usual] * 6, ODD)) for key in keys]
    whole = st.tuples(*pairs)
    return st.one_of(whole, whole, st.lists(st.one_of(pairs), max_size=len(keys) + 2).map(tuple))


RATING = objects(("rating", "games"), st.sampled_from((1500, 1500.5, 20, 40)))
RATINGS = objects(("regular", "quick", "rapid"), RATING) | objects(("quick", "regular"), RATING)
CELLS = st.lists(st.sampled_from(("W2w", "L1b", "", "H", " D3 ")) | ODD, max_size=4)
PLAYER = st.one_of(
    st.tuples(
        st.tuples(st.just("id"), st.sampled_from(("P1", "P2", "P3"))), st.tuples(st.just("ratings"), RATINGS)
    ),
    objects(("id", "name", "ratings"), st.sampled_from(("P1", "P2", "ADAMS EXAMPLE")) | RATINGS),
    ODD,
)
ENTRY = st.one_of(
    st.tuples(
        st.tuples(st.just("seat"), st.sampled_from((1, 2, 3))),
        st.tuples(st.just("player"), st.sampled_from(("P1", "P2"))),
        st.tuples(st.just("rounds"), CELLS),
    ),
    objects(("seat", "player", "rounds", "update"), st.sampled_from((1, 2, "P1")) | CELLS),
    ODD,
)


@settings(max_examples=600)
@given(st.lists(PLAYER, max_size=4), st.lists(ENTRY, max_size=4))
def test_whatever_stands_in_a_file_is_read_quickly_as_it_is_read_carefully(
    players: list[object], entries: list[object]
) -> None:
    section = (("number", 1), ("end", "2026-11-14"), ("entries", entries))
    report = (("format", "ratebook-report/1"), ("players", players), ("sections", [section]))
    data = as_text(report).encode()
    # As shown: 1500 and 1500.0 are equal, and so are mappings in another order.
    assert repr(parse_native_json(data, "f.json")) == repr(carefully(data))


@given(
    st.lists(st.tuples(st.integers(0, 59), PLAYER), max_size=3),
    st.lists(st.tuples(st.integers(0, 59), ENTRY), max_size=3),
)
def test_a_few_odd_ones_among_many_are_read_as_carefully(
    odd_players: list[tuple[int, object]], odd_entries: list[tuple[int, object]]
) -> None:
    rating = (("rating", 1500.5), ("games", 20))
    players: list[object] = [(("id", f"P{at}"), ("ratings", (("regular", rating),))) for at in range(60)]
    entries: list[object] = [
        (("seat", at + 1), ("player", f"P{at}"), ("rounds", ["W2w", ""])) for at in range(60)
    ]
    for at, odd in odd_players:
        players[at] = odd
    for at, odd in odd_entries:
        entries[at] = odd
    section = (("number", 1), ("end", "2026-11-14"), ("entries", entries))
    report = (("format", "ratebook-report/1"), ("players", players), ("sections", [section]))
    data = as_text(report).encode()
    assert repr(parse_native_json(data, "f.json")) == repr(carefully(data))


@given(reports())
def test_a_valid_report_is_read_quickly_as_it_is_read_carefully(report: Report) -> None:
    data = write(report).files[FILE_NAME]
    assert repr(parse_native_json(data, "f.json")) == repr(carefully(data))


def test_usual_players_and_entries_are_read_quickly() -> None:
    ratings = {"quick": {"rating": 1500, "games": None}, "regular": {"rating": 1600.5, "games": 12}}
    players = usual_players(
        [
            {"id": "P1", "name": "ADAMS EXAMPLE", "ratings": ratings},
            {"id": "P2", "name": "", "ratings": {}},
            {"ratings": {"quick": {"games": 3.5, "rating": 100}}, "id": "P3", "name": ""},
        ],
        (),
    )
    assert players == {
        "P1": PlayerFacts(
            "P1",
            "ADAMS EXAMPLE",
            ratings={System.REGULAR: Rating(1600.5, 12.0), System.QUICK: Rating(1500.0)},
        ),
        "P2": PlayerFacts("P2"),
        "P3": PlayerFacts("P3", ratings={System.QUICK: Rating(100.0, 3.5)}),
    }
    assert list(players["P1"].ratings) == [System.REGULAR, System.QUICK]
    entries = usual_entries(
        [
            {"rounds": ["W2w", ""], "player": "P1", "seat": 1},
            {"seat": 2, "player": "P3", "rounds": ["L1b"]},
            {"seat": 3, "player": "P2", "rounds": []},
        ],
        players,
        {4},
    )
    assert entries == [
        Entry(1, "P1", (Cell("W", 2, "w"), Cell())),
        Entry(2, "P3", (Cell("L", 1, "b"),)),
        Entry(3, "P2", ()),
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"format": 1, "format": "ratebook-report/1"}',
        '{"format" : 1, "format" : "ratebook-report/1"}',
        # A colon in a text stands for the one that the repeated key lost.
        '{"format": "ratebook-report/1", "event": {"name": "a: b", "name": ":"}}',
        '{"format": "ratebook-report/1", "event": {"name": ":", "name": "a"}}',
    ],
)
def test_a_key_that_occurs_twice_is_found_whatever_colons_there_are(text: str) -> None:
    assert "key-twice" in {finding.code for finding in parse_native_json(text.encode(), "f.json").findings}

"""The quick readers of the native report give what the careful ones give, and never miss a key that occurs twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report_strategies import reports

from ratebook.model import Cell, Entry, PlayerFacts, Rating, System
from ratebook.reports import native_json
from ratebook.reports.native_json import parse_native_json, usual_entry
from ratebook.reports.native_players import usual_player
from ratebook.reports.native_write import FILE_NAME, write

if TYPE_CHECKING:
    from ratebook.model import Report
    from ratebook.reports.parsed import ParsedReport


def carefully(data: bytes) -> ParsedReport:
    """The same reading without anything quick: every object by its pairs, every field by itself."""
    with (
        mock.patch.object(native_json, "usual_player", return_value=None),
        mock.patch.object(native_json, "usual_entry", return_value=None),
        mock.patch.object(native_json, "keys_in", return_value=-1),
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


@given(reports())
def test_a_valid_report_is_read_quickly_as_it_is_read_carefully(report: Report) -> None:
    data = write(report).files[FILE_NAME]
    assert repr(parse_native_json(data, "f.json")) == repr(carefully(data))


def test_the_usual_player_and_the_usual_entry_are_read_quickly() -> None:
    ratings = {"quick": {"rating": 1500, "games": None}, "regular": {"rating": 1600.5, "games": 12}}
    player = usual_player({"id": "P1", "name": "ADAMS EXAMPLE", "ratings": ratings})
    assert player == PlayerFacts(
        "P1",
        "ADAMS EXAMPLE",
        ratings={System.REGULAR: Rating(1600.5, 12.0), System.QUICK: Rating(1500.0)},
    )
    assert list(player.ratings) == [System.REGULAR, System.QUICK]
    entry = usual_entry({"rounds": ["W2w", ""], "player": "P1", "seat": 1}, {"P1": player})
    assert entry == Entry(1, "P1", (Cell("W", 2, "w"), Cell()))


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
    assert "key-twice" in {problem.code for problem in parse_native_json(text.encode(), "f.json").problems}

"""The quick reading of the usual cell under a name gives what the careful one gives."""

from __future__ import annotations

import functools
from datetime import date
from unittest import mock

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from ratebook.formats.crosstable import read as crosstable_text
from ratebook.formats.crosstable.read import parse_crosstable_text, usual_row
from ratebook.formats.crosstable.rows import PlayerLines, parse_rating_cell, usual_ratings
from ratebook.formats.reading.printed_table import PrintedRating, RatingsRead, Row
from ratebook.model import Cell, System


def mostly(usual: tuple[str, ...], odd: tuple[str, ...]) -> st.SearchStrategy[str]:
    """One of the texts as most cells have them, seldom an odd one."""
    return st.sampled_from((*usual * 4, *odd))


POINTS = mostly(("Unrated", "100", "899", "1641", "2999"), (" 951", "3400", "99", "0", "1641.5", ""))
GAMES = mostly(("", "P4", "P17"), ("P5 ", " ", "P300"))
CELLS = st.tuples(
    mostly(("90000001",), ("00000000", "seat-3", "")),
    mostly((" / ",), ("/", " ")),
    mostly(("R: ", "Q:  "), ("B:", "OR: ", "")),
    POINTS,
    GAMES,
    mostly(("->", " ->", "-> "), ("->  ", "=>")),
    POINTS,
    GAMES,
).map("".join)


@settings(max_examples=1_000)
@given(CELLS.map(str.strip), st.booleans())
def test_a_cell_that_is_read_quickly_is_read_carefully_alike(text: str, online: bool) -> None:  # noqa: FBT001 - drawn
    quick = usual_ratings(text, online=online)
    event(f"quickly: {quick is not None}")
    if quick is not None:
        careful = parse_rating_cell(text, online=online)
        assert not careful.unread
        assert quick == RatingsRead(careful.member, careful.ratings)


@pytest.mark.parametrize(
    ("text", "before", "games", "after"),
    [
        ("90000001 / R: 1641P17->1657P20", 1641.0, 17.0, 1657.0),
        ("90000001 / R:  652P5 -> 948P14", 652.0, 5.0, 948.0),
        ("90000001 / R: 1794   ->1817", 1794.0, None, 1817.0),
        ("90000001 / R: Unrated->1200P4", None, None, 1200.0),
        ("90000001 / R: 1794   ->", 1794.0, None, None),
    ],
)
def test_the_cells_of_most_players_are_read_quickly(
    text: str, before: float | None, games: float | None, after: float | None
) -> None:
    rating = PrintedRating(System.REGULAR, before, games, after)
    assert usual_ratings(text, online=False) == RatingsRead("90000001", (rating,))


DAY = date(2026, 11, 14)
ROUND = mostly(("W   2", "L   1", "D   2", "H    "), ("W  12", "Q   1", "", "  W 2 ", "B   0"))
COLOUR = mostly(("W    ", "B    ", "     "), ("G", "w", "", "W   B"))
NAME = mostly(("ADAMS EXAMPLE   ",), ("", "bell\a", " | "))
TOTAL = mostly(("1.0  ", "0.5  "), ("1", "", "one"))
END = mostly(("|", "| "), ("", " x", "|1|"))
FIRST = st.tuples(mostly(("   1", "   2", "   3"), ("", "x", "0")), NAME, TOTAL, ROUND, ROUND).map("|".join)
BELOW = st.tuples(
    mostly(("  NY ", "     "), ("NO", "7", "Pair")), CELLS, mostly(("    ",), ("N:2",)), COLOUR, COLOUR
)
PLAYER = st.tuples(FIRST, END, st.just("\n"), BELOW.map("|".join), END, st.sampled_from(("\n",))).map("".join)
RULE = "-" * 40 + "\n"
HEADER = " Pair | Player Name |Total|Round|Round|\n Num | ID / Rtg |Pts| 1 | 2 |\n"


@settings(max_examples=600)
@given(st.lists(PLAYER, min_size=1, max_size=4), mostly((HEADER,), ("",)))
def test_a_table_that_is_read_quickly_is_read_carefully_alike(players: list[str], header: str) -> None:
    text = ("OPEN\n" + RULE + header + RULE + RULE.join(players)).encode()
    quick = parse_crosstable_text(text, "f.txt", DAY, DAY, "G/90;d5")
    event(f"report: {quick.report is not None}")
    with mock.patch.object(crosstable_text, "usual_row", return_value=None):
        careful = parse_crosstable_text(text, "f.txt", DAY, DAY, "G/90;d5")
    assert repr(quick) == repr(careful)


def test_the_rows_of_most_players_are_read_quickly() -> None:
    first = "1 | ADAMS EXAMPLE |1.5  |W   2|D  12|"
    below = "NY | 90000001 / R: 1641P17->1657P20 |     |W    |B    |"
    rating = PrintedRating(System.REGULAR, 1641.0, 17.0, 1657.0)
    row = usual_row(
        PlayerLines(1, [(7, first), (8, below)]), 2, functools.partial(usual_ratings, online=False)
    )
    cells = (Cell("W", 2, "w"), Cell("D", 12, "b"))
    assert row == Row(1, "ADAMS EXAMPLE", RatingsRead("90000001", (rating,)), cells)

"""The quick reading of the usual cell under a name gives what the careful one gives."""

from __future__ import annotations

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from ratebook.model import System
from ratebook.reports.crosstable_rows import parse_rating_cell, usual_ratings
from ratebook.reports.seated import PrintedRating, RatingsRead


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

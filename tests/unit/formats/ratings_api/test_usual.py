"""The quick readers of the API's standings give what the careful ones give."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest import mock

from hypothesis import event, given, settings
from hypothesis import strategies as st

from ratebook.formats.ratings_api import standings as api_standings
from ratebook.formats.ratings_api.usual import usual_cells
from ratebook.model import Cell
from unit.formats.ratings_api.standings import Values, outcome, page, player, rating, read

if TYPE_CHECKING:
    from ratebook.formats.contract import ParsedReport

ODD: st.SearchStrategy[object] = st.sampled_from(
    (None, True, False, -1, 0, 1, 1.0, 2.0, 9_999, 10_000, 10**400, float("nan"), "", "Win", "bell\a", [], {})
)


def carefully(*values: object) -> ParsedReport:
    """The same reading without anything quick."""
    with (
        mock.patch.object(api_standings, "usual_cells", return_value=None),
        mock.patch.object(api_standings, "usual_texts", return_value=None),
        mock.patch.object(api_standings, "usual_names", return_value=None),
        mock.patch.object(api_standings, "usual_points", return_value=None),
    ):
        return read(*values)


@st.composite
def altered(draw: st.DrawFn, usual: Values) -> Values:
    """A copy of *usual* of which a field is mostly as it is, seldom odd or absent."""
    values = dict(usual)
    if draw(st.integers(0, 5)) == 0:
        key = draw(st.sampled_from(sorted(values)))
        if draw(st.booleans()):
            del values[key]
        else:
            values[key] = draw(ODD)
    return values


@st.composite
def outcomes(draw: st.DrawFn) -> list[Values]:
    results = st.sampled_from(("Win", "Loss", "Draw", "ByeHalf", "Unpaired", "NotReported", "WinForfeit"))
    colours = st.sampled_from(("White", "Black", "Unknown"))
    opponents = st.sampled_from((1, 2, 3, None))
    return [
        draw(altered(outcome(number, draw(results), draw(opponents), draw(colours))))
        for number in range(1, draw(st.integers(0, 4)) + 1)
    ]


@st.composite
def players(draw: st.DrawFn) -> list[Values]:
    points = st.sampled_from((None, 634.81, 1500.25, 3499.5, 99.5, 0.0, 2048.0))
    made = []
    for seat in range(1, draw(st.integers(1, 4)) + 1):
        one = rating(
            draw(st.sampled_from("RQ")), draw(points), draw(points), draw(st.sampled_from((None, 3)))
        )
        ratings = [draw(altered(one))]
        made.append(draw(altered(player(seat, *draw(outcomes()), ratings=ratings))))
    return made


@settings(max_examples=500)
@given(players())
def test_whatever_stands_in_standings_is_read_quickly_as_it_is_read_carefully(values: list[Values]) -> None:
    quick = read(page(*values))
    event(f"report: {quick.report is not None}")
    # As shown: 1500 and 1500.0 are equal.
    assert repr(quick) == repr(carefully(page(*values)))


def test_usual_outcomes_are_read_quickly() -> None:
    one = player(1, outcome(1, "Win", 2, "White"), outcome(2, "ByeHalf"), outcome(3, "NotReported"))
    assert usual_cells(one, "opponentPairingNumber") == (Cell("W", 2, "w"), Cell("H"), Cell())


def test_a_seat_is_no_truth_value_and_no_fraction_even_after_an_equal_seat_was_read() -> None:
    usual = player(1, outcome(1, "Win", 1, "White"))
    assert usual_cells(usual, "opponentPairingNumber") == (Cell("W", 1, "w"),)
    for odd in (True, 1.0):
        one = player(1, {**outcome(1, "Win", 2, "White"), "opponentPairingNumber": odd})
        assert usual_cells(one, "opponentPairingNumber") is None

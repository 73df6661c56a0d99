"""Ceilings, and the order of what follows Step 5."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.model import Ceiling, EarlierMatch, InitialRating, PlayerFacts, Rating, SectionType
from ratebook.rating.explanation.explain import explain
from ratebook.rating.settlement import SettlementColumns
from ratebook.rules.rulebook import load_rulebook
from support.builders import QUICK, REGULAR, after_of, rate, rules_of, seat_of, section, workings_of
from unit.rating.floors.players import TODAY, facts, floors_of, lose

if TYPE_CHECKING:
    from ratebook.rating.results import RatedSection


# Ceilings


def with_ceiling(rating: float, ceiling: float, score: str) -> RatedSection:
    start = facts(Rating(rating, 60), ceilings=(Ceiling(REGULAR, ceiling),))
    other = {"W": "L", "L": "W", "D": "D"}[score]
    return rate(
        [start, Rating(rating, None), Rating(rating, None)], [f"{score}2 {score}3", f"{other}1", f"{other}1"]
    )


@pytest.mark.statement("A17")
def test_a_rating_below_the_ceiling_rises_at_most_to_it() -> None:
    rated = with_ceiling(1995.0, 2000.0, "W")
    assert workings_of(rated, 1).step5 > 2000.0
    assert after_of(rated, 1).rating == 2000.0


@pytest.mark.statement("A17")
def test_a_rating_above_the_ceiling_neither_rises_nor_is_cut_down() -> None:
    assert after_of(with_ceiling(2050.0, 2000.0, "W"), 1).rating == 2050.0
    assert after_of(with_ceiling(2000.0, 2000.0, "W"), 1).rating == 2000.0


@pytest.mark.statement("A17")
def test_a_ceiling_does_not_hinder_a_fall() -> None:
    rated = with_ceiling(2050.0, 2000.0, "L")
    assert after_of(rated, 1).rating == workings_of(rated, 1).step5
    assert 2000.0 < after_of(rated, 1).rating < 2050.0


@pytest.mark.statement("A17")
@pytest.mark.parametrize(
    ("start", "after", "words"),
    [
        (PlayerFacts("", adult=True), 1000.0, "The first rating was cut to the ceiling."),
        (
            PlayerFacts("", initial={REGULAR: InitialRating(1300.0, 10)}),
            1000.0,
            "The first rating was cut to the ceiling.",
        ),
        (facts(Rating(1300.0, 0)), 1300.0, "Not raised: the rating before was already above the ceiling."),
        (facts(Rating(990.0, 60)), 1000.0, "Not raised above the ceiling."),
        (facts(Rating(500.0, 60)), None, "The ceiling was not reached."),
    ],
)
def test_a_ceiling_cuts_a_first_rating_and_the_words_say_what_it_did(
    start: PlayerFacts, after: float | None, words: str
) -> None:
    start = start._replace(ceilings=(Ceiling(REGULAR, 1000.0),))
    rated = rate([start, Rating(1500.0, None), Rating(1500.0, None)], ["W2 W3", "L1 D3", "L1 D2"])
    explained = explain(rated, 1, load_rulebook())
    assert explained is not None
    assert words in explained.steps[-1].text
    assert after is None or after_of(rated, 1).rating == after


@pytest.mark.statement("A17")
def test_rules_of_older_books_leave_a_first_rating_above_the_ceiling() -> None:
    start = PlayerFacts("", adult=True, ceilings=(Ceiling(REGULAR, 1000.0),))
    older = rules_of(TODAY, ceiling_cuts_first_ratings=0)
    rated = rate([start, Rating(1500.0, None)], ["W2", "L1"], rules=older)
    assert after_of(rated, 1).rating == 1300.0


@pytest.mark.statement("A17", "S8")
def test_the_ceiling_of_another_system_does_not_hold() -> None:
    start = facts(Rating(1995.0, 60), ceilings=(Ceiling(QUICK, 2000.0),))
    rated = rate([start, Rating(1995.0, None), Rating(1995.0, None)], ["W2 W3", "L1", "L1"])
    assert after_of(rated, 1).rating > 2000.0


# The order of what follows Step 5


@pytest.mark.statement("A16", "A14")
def test_a_match_limit_comes_before_the_rounding_of_the_stored_rating() -> None:
    """A room of 29.5 points is used up and the result then rounded away, to 30 points up."""
    earlier = (EarlierMatch(REGULAR, date(2010, 5, 1), 70.5),)
    start = facts(Rating(1500.0, 60), matches=earlier)
    played = section([" ".join(["W2"] * 8), " ".join(["L1"] * 8)], on="2010-06-01", kind=SectionType.MATCH)
    rated = rate([start, Rating(1600.0, 60)], played)
    assert floors_of(rated, 1, "limited") == 1529.5
    assert after_of(rated, 1).rating == 1530.0


@pytest.mark.statement("A16", "A14")
def test_the_stored_rating_is_rounded_before_a_floor_holds_it() -> None:
    rated = lose(Rating(1605.0, 60, peak=1810.0), 4, to=1500.0, on="2012-01-01")
    assert floors_of(rated, 1, "stored") == int(floors_of(rated, 1, "stored"))
    assert floors_of(rated, 1, "stored") < 1600.0
    assert after_of(rated, 1).rating == 1600.0


@pytest.mark.statement("A16", "A17")
def test_the_ceiling_comes_last() -> None:
    """A floor above the ceiling is an error of the report; here it shows the order."""
    start = facts(Rating(1605.0, 60, peak=1810.0), ceilings=(Ceiling(REGULAR, 1550.0),))
    rated = lose(start, 4, to=1500.0)
    assert floors_of(rated, 1, "floor") == 1600.0
    assert after_of(rated, 1).rating == 1600.0, "at or above the ceiling nothing is cut down"
    start = facts(Rating(1540.0, 60, peak=1810.0), ceilings=(Ceiling(REGULAR, 1550.0),))
    assert after_of(lose(start, 4, to=1500.0), 1).rating == 1550.0


@pytest.mark.statement("A6", "L2")
def test_floors_hold_the_result_and_nothing_before_it() -> None:
    with_peak = lose(Rating(1605.0, 60, peak=1810.0), 4, to=1500.0)
    without = lose(Rating(1605.0, 60), 4, to=1500.0)
    assert workings_of(with_peak, 1)._replace(floor=None) == workings_of(without, 1)
    assert with_peak.entries[1:] == without.entries[1:]


# What is assumed where facts are missing


@pytest.mark.statement("L2")
def test_an_established_player_who_lost_without_a_known_peak_is_named() -> None:
    codes = [finding.code for finding in lose(Rating(1605.0, 60), 4, to=1500.0).findings]
    assert "peak-missing" in codes
    codes = [finding.code for finding in lose(Rating(1605.0, 60, peak=1605.0), 4, to=1500.0).findings]
    assert "peak-missing" not in codes


@pytest.mark.statement("L1", "L2", "L3")
def test_the_columns_of_the_floors_are_one_for_each_player() -> None:
    rated = lose(Rating(1605.0, 60), 4, to=1500.0)
    for name in SettlementColumns._fields:
        assert len(getattr(rated.settlement, name)) == 5, name
    assert seat_of(rated, 1).seat == 1

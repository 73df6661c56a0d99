"""Floors, ceilings, and the order of what follows Step 5."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.model import (
    Bound,
    Ceiling,
    EarlierMatch,
    EnteredFloor,
    FloorKind,
    InitialRating,
    PlayerFacts,
    Rating,
    SectionType,
    System,
)
from ratebook.rating.explanation.explain import explain
from ratebook.rating.floors import NO_FLOOR, money_floor, olm_floor, peak_floor, personal_floor
from ratebook.rating.rate import facts_after
from ratebook.rating.settlement import SettlementColumns
from ratebook.rules.rulebook import load_rulebook
from support.builders import BLITZ, QUICK, REGULAR, after_of, rate, rules_of, seat_of, section, workings_of

if TYPE_CHECKING:
    from ratebook.rating.results import RatedSection
    from ratebook.rules.in_force import RulesInForce

TODAY = "2025-06-01"
OVER_THE_BOARD = (REGULAR, QUICK, BLITZ)
ONLINE = (System.ONLINE_REGULAR, System.ONLINE_QUICK, System.ONLINE_BLITZ)


def floors_of(rated: RatedSection, seat: int, column: str) -> float:
    """Return one column of what followed Step 5."""
    values = getattr(rated.settlement, column)
    return float(values[rated.places[str(seat)]])


def facts(
    rating: Rating,
    system: System = REGULAR,
    **more: Any,  # noqa: ANN401 - fields of PlayerFacts, of whatever type
) -> PlayerFacts:
    return PlayerFacts(id="", ratings={system: rating})._replace(**more)


def lose(  # noqa: PLR0913 - as builders.rate
    start: Rating | PlayerFacts,
    games: int,
    *,
    to: float,
    on: str = TODAY,
    system: System = REGULAR,
    rules: RulesInForce | None = None,
) -> RatedSection:
    """Rate a player who loses so many games, each to another opponent."""
    opponents = [Rating(to, None)] * games
    rounds = [" ".join(f"L{seat}" for seat in range(2, games + 2)), *["W1"] * games]
    return rate([start, *opponents], rounds, on=on, system=system, rules=rules)


# The personal absolute floor


@pytest.mark.statement("L1")
@pytest.mark.parametrize(
    ("wins", "draws", "long_sections", "floor"),
    [
        (3, 1, 10, 124),
        (0, 0, 0, 100),
        (0, 0, 1, 101),
        (1, 0, 0, 104),
        (0, 1, 0, 102),
        (12, 1, 0, 150),
        (100, 9, 9, 150),
    ],
)
def test_the_personal_floor_from_counts(wins: int, draws: int, long_sections: int, floor: float) -> None:
    assert personal_floor(rules_of(TODAY), wins, draws, long_sections) == floor


@pytest.mark.statement("L1", "Q10")
def test_the_personal_floor_began_on_7_august_2008_over_the_board() -> None:
    for system in OVER_THE_BOARD:
        assert personal_floor(rules_of("2008-08-06", system), 3, 1, 10) == NO_FLOOR
        assert personal_floor(rules_of("2008-08-07", system), 3, 1, 10) == 124
    for system in ONLINE:
        assert personal_floor(rules_of(TODAY, system), 3, 1, 10) == NO_FLOOR


@pytest.mark.statement("L1", "Q10")
def test_a_newcomer_who_lost_three_games_is_held_at_101() -> None:
    """Published so: the section just rated counts among the sections of three games."""
    rated = lose(PlayerFacts(id="", initial={REGULAR: InitialRating(150.0)}), 3, to=450.0)
    assert workings_of(rated, 1).step5 == 100.0
    assert after_of(rated, 1).rating == 101.0
    assert workings_of(rated, 1).floor == 101.0


@pytest.mark.statement("L1", "Q10")
def test_two_games_are_no_long_section() -> None:
    rated = lose(PlayerFacts(id="", initial={REGULAR: InitialRating(150.0)}), 2, to=450.0)
    assert after_of(rated, 1).rating == 100.0
    assert workings_of(rated, 1).floor is None


@pytest.mark.statement("L1", "Q10")
def test_a_144_who_lost_four_games_is_held_at_145() -> None:
    """Published so: the floor of 144 before the section is one higher after it."""
    start = Rating(144.0, 60, wins=9, draws=2, losses=49, long_events=4)
    assert personal_floor(rules_of(TODAY), 9, 2, 4) == 144
    rated = lose(start, 4, to=200.0)
    assert workings_of(rated, 1).step5 < 144.0
    assert after_of(rated, 1).rating == 145.0
    assert workings_of(rated, 1).floor == 145.0


@pytest.mark.statement("L1", "Q10")
def test_wins_and_draws_of_the_section_count() -> None:
    """144 before; one win, one draw and a long section add 4 + 2 + 1, which 150 cuts off."""
    start = Rating(144.0, 60, wins=9, draws=2, losses=49, long_events=4)
    rated = rate([start, *[Rating(100.0, None)] * 4], ["W2 D3 L4 L5", "L1", "D1", "W1", "W1"])
    assert floors_of(rated, 1, "personal") == 150.0


@pytest.mark.statement("L1", "Q10")
def test_counts_are_those_of_the_system_rated() -> None:
    many = Rating(500.0, 900, wins=300, draws=100, losses=500, long_events=200)
    start = PlayerFacts(id="", ratings={REGULAR: many}, initial={QUICK: InitialRating(150.0)})
    assert after_of(lose(start, 3, to=450.0, system=QUICK), 1).rating == 101.0


@pytest.mark.statement("L1", "Q10")
def test_counts_that_are_partly_unknown_give_the_floor_that_is_certain() -> None:
    """By hand: 100 + 4 wins + 2 draws + long sections, of what is known and of the four games just lost."""
    for start, floor in (
        (Rating(120.0, 60), 101.0),
        (Rating(120.0, 60, wins=2, draws=2), 113.0),
        (Rating(120.0, 60, wins=2, long_events=4), 113.0),
        (Rating(120.0, 60, draws=2, long_events=4), 109.0),
    ):
        rated = lose(start, 4, to=200.0)
        assert after_of(rated, 1).rating == floor
        assert "counts-missing" in [finding.code for finding in rated.findings]


@pytest.mark.statement("L1")
def test_there_is_no_personal_floor_online() -> None:
    start = Rating(144.0, 60, wins=9, draws=2, losses=49, long_events=4)
    for system in ONLINE:
        rated = lose(facts(start, system), 4, to=200.0, system=system)
        assert after_of(rated, 1).rating == 100.0


@pytest.mark.statement("L1")
def test_the_floor_lifts_somebody_who_stood_below_it() -> None:
    rated = rate(
        [Rating(120.0, 60, wins=9, draws=2, losses=49, long_events=4), Rating(100.0, None)], ["D2", "D1"]
    )
    assert after_of(rated, 1).rating == 146.0


# The peak floor


@pytest.mark.statement("L2", "Q12")
@pytest.mark.parametrize(
    ("peak", "floor"),
    [
        (1941, 1700),
        (1999.51, 1800),
        (1999.49, 1700),
        (1388, NO_FLOOR),
        (1399.49, NO_FLOOR),
        (1399.5, 1200),
        (1400, 1200),
        (1499.49, 1200),
        (1499.5, 1300),
        (1600, 1400),
        (2300, 2100),
        (2299.49, 2000),
        (2899, 2100),
    ],
)
def test_the_peak_floor_since_2010(peak: float, floor: float) -> None:
    for on in ("2010-04-01", "2016-06-01", TODAY):
        for system in OVER_THE_BOARD:
            assert peak_floor(rules_of(on, system), peak) == floor


@pytest.mark.statement("L2")
@pytest.mark.parametrize(
    ("peak", "floor"),
    [(1388, NO_FLOOR), (1400, NO_FLOOR), (1588, NO_FLOOR), (1599.49, NO_FLOOR), (1600, 1400), (2500, 2100)],
)
def test_the_peak_floor_until_march_2010_begins_at_1400(peak: float, floor: float) -> None:
    for on in ("2001-01-01", "2010-03-31"):
        assert peak_floor(rules_of(on), peak) == floor


@pytest.mark.statement("L2", "Q11")
def test_peak_floors_hold_online_too() -> None:
    """161 published online ratings are at such a floor (docs/rules/readings.md#peak-floors)."""
    for system in ONLINE:
        assert peak_floor(rules_of(TODAY, system), 2000.0) == 1800.0
        rated = lose(facts(Rating(1605.0, 60, peak=1810.0), system), 4, to=1500.0, system=system)
        assert after_of(rated, 1).rating == 1600.0


@pytest.mark.statement("L2")
def test_a_peak_holds_a_losing_player_at_its_floor() -> None:
    rated = lose(Rating(1605.0, 60, peak=1810.0), 4, to=1500.0)
    assert workings_of(rated, 1).step5 < 1600.0
    assert after_of(rated, 1).rating == 1600.0
    assert workings_of(rated, 1).floor == 1600.0


@pytest.mark.statement("L2", "Q12")
def test_a_peak_reached_in_the_section_gives_its_floor_only_afterwards() -> None:
    rated = rate(
        [Rating(1790.0, 60, peak=1795.0), Rating(1790.0, None), Rating(1790.0, None)], ["W2 W3", "L1", "L1"]
    )
    assert floors_of(rated, 1, "floor") == 1500.0
    peak = facts_after(rated)["1"].ratings[REGULAR].peak
    assert peak == after_of(rated, 1).rating
    assert peak is not None
    assert peak_floor(rules_of(TODAY), peak) == 1600.0


@pytest.mark.statement("L2", "Q12")
def test_the_peak_is_the_highest_established_rating_after_a_section() -> None:
    def peak_after(start: Rating, rounds: list[str]) -> float | None:
        rated = rate([start, Rating(1500.0, None), Rating(1500.0, None)], rounds)
        return facts_after(rated)["1"].ratings[REGULAR].peak

    won, lost = ["W2 W3", "L1", "L1"], ["L2 L3", "W1", "W1"]
    assert peak_after(Rating(1700.0, 20), won) is None, "22 games are not established"
    first = peak_after(Rating(1700.0, 24), won)
    assert first is not None, "26 games are"
    assert first > 1700.0
    assert peak_after(Rating(1700.0, 60, peak=1750.0), lost) == 1750.0


@pytest.mark.statement("L2", "Q12")
def test_an_established_rating_bounds_an_unknown_peak() -> None:
    """D25 section 5: the highest attained established rating; a rating before or after a section is attained."""
    rated = lose(Rating(1400.0, 100), 14, to=1200.0, system=System.BLITZ)
    assert workings_of(rated, 1).step5 < 1200.0
    assert after_of(rated, 1).rating == 1200.0
    carried = facts_after(rated)["1"].ratings[System.BLITZ]
    assert (carried.peak, carried.at_least & Bound.PEAK) == (1400.0, Bound.PEAK)
    assert "peak-missing" in [finding.code for finding in rated.findings]
    raised = rate([Rating(1990.0, 60), Rating(2400.0, 60), Rating(2400.0, 60)], ["W2 W3", "L1", "L1"])
    peak = facts_after(raised)["1"].ratings[REGULAR].peak
    assert peak == after_of(raised, 1).rating > 1990.0


def test_rules_of_older_books_know_no_bounds() -> None:
    older = rules_of(TODAY, floors_from_bounds=0)
    rated = lose(Rating(1400.0, 100), 14, to=1200.0, rules=older)
    assert after_of(rated, 1).rating < 1200.0
    carried = facts_after(rated)["1"].ratings[REGULAR]
    assert (carried.peak, carried.wins, carried.at_least) == (None, None, Bound(0))


@pytest.mark.statement("L5")
def test_a_bound_that_rises_ends_a_lowered_floor_only_where_the_peak_is_surely_new() -> None:
    """The floor was lowered from 1600 to 1500: the peak was below 1900, so 1900 is surely above it and 1890 is not."""
    start = Rating(1880.0, 60, peak=1850.0, at_least=Bound.PEAK)
    for opponent, stays in ((1500.0, True), (2400.0, False)):
        known = facts(start)._replace(floors=(EnteredFloor(REGULAR, FloorKind.LOWERED, 1500.0),))
        rated = rate([known, Rating(opponent, 60)], ["W2", "L1"])
        assert (after_of(rated, 1).rating < 1900.0) == stays
        assert bool(facts_after(rated)["1"].floors) == stays


@pytest.mark.statement("L2", "Q12")
def test_a_provisional_peak_does_not_count() -> None:
    """Somebody of 22 games before and 26 after has the rating after as the first established one."""
    rated = lose(Rating(1700.0, 22), 4, to=1500.0)
    assert facts_after(rated)["1"].ratings[REGULAR].peak == after_of(rated, 1).rating
    assert after_of(rated, 1).rating < 1700.0


# The original Life Master


@pytest.mark.statement("L3", "Q13")
def test_the_300th_game_from_2200_sets_the_floor() -> None:
    for games, held in ((295, False), (296, True), (400, True)):
        rated = lose(Rating(2210.0, 900, life_master_games=games), 4, to=1900.0)
        assert workings_of(rated, 1).step5 < 2200.0
        assert (after_of(rated, 1).rating == 2200.0) == held
        assert (workings_of(rated, 1).floor == 2200.0) == held


@pytest.mark.statement("L3", "Q13")
@pytest.mark.parametrize(
    ("start", "counted"),
    [
        (Rating(2200.0, 900, life_master_games=10), 14),
        (Rating(2199.9, 900, life_master_games=10), 10),
        (Rating(2300.0, 26, life_master_games=10), 14),
        (Rating(2300.0, 25, life_master_games=10), 10),
        (Rating(2300.0, 900), 4),
    ],
)
def test_which_games_count_for_the_original_life_master(start: Rating, counted: int | None) -> None:
    rated = lose(start, 4, to=2250.0)
    assert facts_after(rated)["1"].ratings[REGULAR].life_master_games == counted


@pytest.mark.statement("L3")
def test_the_original_life_master_is_a_matter_of_otb_regular() -> None:
    assert olm_floor(rules_of("2001-01-01"), 300) == 2200
    for system in System:
        if system is not REGULAR:
            assert olm_floor(rules_of(TODAY, system), 300) == NO_FLOOR


@pytest.mark.statement("L3")
def test_the_floor_of_an_original_life_master_holds_whoever_he_has_become() -> None:
    rated = lose(Rating(2205.0, 900, peak=2300.0, life_master_games=300), 4, to=1900.0)
    assert after_of(rated, 1).rating == 2200.0
    assert floors_of(rated, 1, "from_peak") == 2100.0


# Money floors and others that the office enters


@pytest.mark.statement("L4", "Q14")
@pytest.mark.parametrize(
    ("limit", "floor"),
    [
        (1200, 1200),
        (1800, 1800),
        (1801, 1900),
        (1850, 1900),
        (1900, 1900),
        (2000, 2000),
        (2001, None),
        (2200, None),
    ],
)
def test_a_money_floor_is_the_first_level_that_is_not_eligible(limit: float, floor: float | None) -> None:
    assert money_floor(rules_of(TODAY), limit) == floor


@pytest.mark.statement("L4", "Q14")
@pytest.mark.parametrize(
    ("last_day", "prize_before", "first_day", "prize"),
    [("2006-02-28", 1000, "2006-03-01", 2000), ("2015-12-31", 2000, "2016-01-01", 4000)],
)
def test_the_prize_that_sets_a_money_floor(
    last_day: str, prize_before: float, first_day: str, prize: float
) -> None:
    assert rules_of(last_day).money_floor_prize == prize_before
    assert rules_of(first_day).money_floor_prize == prize


@pytest.mark.statement("L4")
@pytest.mark.parametrize("kind", [FloorKind.MONEY, FloorKind.OLM, FloorKind.OFFICE])
def test_an_entered_floor_holds(kind: FloorKind) -> None:
    start = facts(Rating(1805.0, 60), floors=(EnteredFloor(REGULAR, kind, 1800.0),))
    rated = lose(start, 4, to=1700.0)
    assert after_of(rated, 1).rating == 1800.0
    assert workings_of(rated, 1).floor == 1800.0


@pytest.mark.statement("L4", "S8")
def test_an_entered_floor_of_another_system_does_not_hold() -> None:
    start = facts(Rating(1805.0, 60), floors=(EnteredFloor(QUICK, FloorKind.MONEY, 1800.0),))
    assert after_of(lose(start, 4, to=1700.0), 1).rating < 1800.0


@pytest.mark.statement("L4")
def test_the_highest_floor_in_force_counts() -> None:
    entered = (
        EnteredFloor(REGULAR, FloorKind.MONEY, 1500.0),
        EnteredFloor(REGULAR, FloorKind.OFFICE, 1750.0),
    )
    rated = lose(facts(Rating(1752.0, 60, peak=1910.0), floors=entered), 4, to=1700.0)
    assert after_of(rated, 1).rating == 1750.0
    rated = lose(facts(Rating(1905.0, 60, peak=2110.0), floors=entered), 4, to=1700.0)
    assert after_of(rated, 1).rating == 1900.0


@pytest.mark.statement("L4", "M3")
def test_a_lowered_floor_stands_in_place_of_the_peak_floor() -> None:
    lowered = (EnteredFloor(REGULAR, FloorKind.LOWERED, 1500.0),)
    rated = lose(facts(Rating(1602.0, 60, peak=1810.0), floors=lowered), 4, to=1500.0)
    assert after_of(rated, 1).rating < 1600.0
    rated = lose(facts(Rating(1502.0, 60, peak=1810.0), floors=lowered), 4, to=1500.0)
    assert after_of(rated, 1).rating == 1500.0


@pytest.mark.statement("M3")
def test_a_higher_peak_ends_a_lowered_floor() -> None:
    lowered = (EnteredFloor(REGULAR, FloorKind.LOWERED, 1500.0),)
    start = facts(Rating(1800.0, 60, peak=1810.0), floors=lowered)
    won = rate([start, Rating(1800.0, None), Rating(1800.0, None)], ["W2 W3", "L1", "L1"])
    assert after_of(won, 1).rating > 1810.0
    assert facts_after(won)["1"].floors == ()
    lost = rate([start, Rating(1800.0, None), Rating(1800.0, None)], ["L2 L3", "W1", "W1"])
    assert facts_after(lost)["1"].floors == lowered


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
        (facts(Rating(1300.0, 0)), 1300.0, "Not raised: the rating before was above the ceiling already."),
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

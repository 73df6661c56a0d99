"""What a player carries from one section to the next."""

from __future__ import annotations

import math

import pytest

from ratebook.model import Bound, Rating, Record
from ratebook.rating.carry import (
    NO_RECORD,
    Carry,
    applied_floor,
    floor_stays,
    games_after,
    has_no_games,
    long_sections_after,
    losses_after,
    olm_games_after,
    peak_after,
    record_after,
    record_before,
)
from ratebook.rating.floors import NO_FLOOR, UNKNOWN
from ratebook.rating.special import ALL_LOSSES, ALL_WINS, MIXED
from support.builders import rules_of

RULES = rules_of("2024-06-01")
OLD_RULES = rules_of("2005-06-01")


def test_a_game_counts_half_in_a_half_k_section() -> None:
    """docs/rules/readings.md#a13."""
    assert games_after(OLD_RULES, 10.0, 5, 1) == 12.5
    assert games_after(OLD_RULES, 10.0, 5, 0) == 15.0


@pytest.mark.parametrize(
    ("wins", "losses", "games", "record"),
    [
        (6, 0, 6, ALL_WINS),
        (0, 6, 6, ALL_LOSSES),
        (5, 1, 6, MIXED),
        (0, 0, 0, MIXED),
        (6, 0, 16, ALL_WINS),
        (6, 0, 17, MIXED),
    ],
)
def test_counts_that_reach_n_less_ten_credited_games_tell_the_record(
    wins: int, losses: int, games: float, record: int
) -> None:
    assert record_before(RULES, NO_RECORD, wins, 0, losses, games) == record


def test_an_established_rating_of_unknown_games_needs_counts_of_an_established_player() -> None:
    """More than 25 games, of which Step 1 can have credited ten."""
    assert record_before(RULES, NO_RECORD, 15, 0, 0, math.inf) == ALL_WINS
    assert record_before(RULES, NO_RECORD, 14, 0, 0, math.inf) == MIXED


def test_a_recorded_record_needs_no_counts() -> None:
    assert record_before(RULES, ALL_LOSSES, UNKNOWN, UNKNOWN, UNKNOWN, 20.0) == ALL_LOSSES


@pytest.mark.parametrize(
    ("before", "first_time", "wins", "losses", "after"),
    [
        (ALL_WINS, 0, 4, 0, ALL_WINS),
        (ALL_WINS, 0, 3, 1, MIXED),
        (ALL_WINS, 0, 0, 4, MIXED),
        (MIXED, 0, 4, 0, MIXED),
        (MIXED, 1, 4, 0, ALL_WINS),
        (MIXED, 1, 0, 4, ALL_LOSSES),
        (MIXED, 1, 0, 0, MIXED),
    ],
)
def test_a_record_stays_unbroken_only_by_more_of_the_same(
    before: int, first_time: int, wins: int, losses: int, after: int
) -> None:
    """Four games a section; all draws is ordinary (docs/rules/readings.md#a3)."""
    assert record_after(before, first_time, wins, losses, 4) == after


def test_only_counts_of_nothing_but_zeros_say_that_no_game_was_played() -> None:
    nothing = Rating(1500.0, 10, wins=0, draws=0, losses=0)
    assert has_no_games(Carry(nothing))
    assert not has_no_games(Carry(nothing._replace(wins=None)))
    assert not has_no_games(Carry(nothing._replace(record=Record.MIXED)))
    assert not has_no_games(Carry(nothing._replace(at_least=Bound.COUNTS)))


def test_losses_are_at_least_those_seen() -> None:
    assert losses_after(RULES, 0, 3.0, 7.0, 2.0) == 9.0
    assert losses_after(RULES, 1, UNKNOWN, UNKNOWN, 2.0) == 2.0
    assert losses_after(RULES, 0, 3.0, UNKNOWN, 2.0) == 2.0


def test_under_rules_without_bounds_losses_stay_unknown_where_they_or_the_other_counts_are() -> None:
    older = RULES._replace(floors_from_bounds=0)
    assert losses_after(older, 0, 3.0, 7.0, 2.0) == 9.0
    assert losses_after(older, 0, 3.0, UNKNOWN, 2.0) == UNKNOWN
    assert losses_after(older, 0, UNKNOWN, 7.0, 2.0) == UNKNOWN


def test_a_section_of_three_games_is_long() -> None:
    """D25 section 5, read as at least three."""
    assert [long_sections_after(RULES, 10.0, played) for played in (2, 3, 4)] == [10.0, 11.0, 11.0]


def test_life_master_games_are_those_from_an_established_2200() -> None:
    assert olm_games_after(RULES, 290.0, 2200.0, 30.0, 5) == 295.0
    assert olm_games_after(RULES, 290.0, 2199.9, 30.0, 5) == 290.0
    assert olm_games_after(RULES, 290.0, 2200.0, 25.0, 5) == 290.0
    assert olm_games_after(RULES, UNKNOWN, 2200.0, 30.0, 5) == UNKNOWN


def test_a_peak_begins_with_the_first_established_rating() -> None:
    assert peak_after(RULES, UNKNOWN, 20.0, 25.0, 1500.0) == UNKNOWN
    assert peak_after(RULES, UNKNOWN, 25.0, 26.0, 1500.0) == 1500.0
    assert peak_after(RULES, 1500.0, 26.0, 30.0, 1490.0) == 1500.0
    assert peak_after(RULES, 1500.0, 26.0, 30.0, 1510.5) == 1510.5


def test_a_peak_that_nobody_knows_stays_unknown() -> None:
    assert peak_after(RULES, UNKNOWN, 100.0, 104.0, 1500.0) == UNKNOWN


def test_a_granted_request_takes_higher_floors_away_and_a_higher_peak_the_lowered_one() -> None:
    """docs/rules/readings.md#matches."""
    assert not floor_stays(0, 1800.0, 1, 1700.0)
    assert floor_stays(0, 1600.0, 1, 1700.0)
    assert not floor_stays(1, 1600.0, 1, 1500.0)
    assert not floor_stays(1, 1600.0, 0, NO_FLOOR)
    assert floor_stays(0, 1600.0, 0, NO_FLOOR)


def test_the_floor_applied_is_the_new_one_where_a_request_was_granted() -> None:
    assert applied_floor(0, 1800.0, NO_FLOOR) == NO_FLOOR
    assert applied_floor(1, 1800.0, NO_FLOOR) == 1800.0
    assert applied_floor(1, 1800.0, 1700.0) == 1700.0

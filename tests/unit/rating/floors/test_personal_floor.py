"""The personal absolute floor, from wins, draws and long sections."""

from __future__ import annotations

import pytest

from ratebook.model import InitialRating, PlayerFacts, Rating, System
from ratebook.rating.floors import NO_FLOOR, personal_floor
from support.builders import BLITZ, QUICK, REGULAR, after_of, rate, rules_of, workings_of
from unit.rating.floors.players import TODAY, facts, floors_of, lose

OVER_THE_BOARD = (REGULAR, QUICK, BLITZ)
ONLINE = (System.ONLINE_REGULAR, System.ONLINE_QUICK, System.ONLINE_BLITZ)


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

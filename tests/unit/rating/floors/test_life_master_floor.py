"""The floor of an original Life Master."""

from __future__ import annotations

import pytest

from ratebook.model import Rating, System
from ratebook.rating.floors import NO_FLOOR, olm_floor
from ratebook.rating.rate import facts_after
from support.builders import REGULAR, after_of, rules_of, workings_of
from unit.rating.floors.players import TODAY, floors_of, lose


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

"""The five steps: who takes part in which, against which ratings, and the golden sections."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from ratebook.model import InitialRating, Rating, Record
from support.builders import (
    QUAD_OF_FOUR,
    QUAD_ROUNDS,
    QUICK,
    after_of,
    rate,
    rules_of,
    seat_of,
    steps_of,
    workings_of,
)

if TYPE_CHECKING:
    from ratebook.rating.results import RatedSection
    from support.builders import Start


GOLDEN = 5e-7


def faced_in_step(rated: RatedSection, seat: int, step: int) -> list[float]:
    """Return the expectancies of a seat's games in one step."""
    columns, at = rated.columns, rated.places[str(seat)]
    of_step = (columns.expectancy3, columns.expectancy4, columns.expectancy5)[step - 3]
    return list(of_step[columns.first_game[at] : columns.first_game[at + 1]])


def logistic(own: float, opponent: float) -> float:
    return float(1.0 / (1.0 + 10.0 ** ((opponent - own) / 400.0)))


def ramp(own: float, opponent: float) -> float:
    return min(1.0, max(0.0, 0.5 + (own - opponent) / 800.0))


# Golden sections


@pytest.mark.statement("P1", "P2", "P3", "P4", "P5", "E1", "G4", "A4", "A5")
def test_a_quad_with_a_newcomer_a_provisional_and_two_established_players() -> None:
    rated = rate(QUAD_OF_FOUR, QUAD_ROUNDS, on="2024-06-01")
    assert workings_of(rated, 1).effective_games == pytest.approx(20.011787, abs=GOLDEN)
    assert workings_of(rated, 2).effective_games == 6.0
    assert workings_of(rated, 4).effective_games == pytest.approx(23.616608, abs=GOLDEN)
    assert steps_of(rated, "step3") == [None, None, pytest.approx(1587.5), None]
    assert steps_of(rated, "step4") == pytest.approx(
        [1692.600946, 1481.944444, 1683.333333, 1852.857066], abs=GOLDEN
    )
    assert steps_of(rated, "step5") == pytest.approx(
        [1696.684630, 1492.087927, 1675.800819, 1855.172570], abs=GOLDEN
    )
    assert [workings_of(rated, seat).formula for seat in (1, 2, 3, 4)] == [
        "standard",
        "special",
        "special",
        "standard",
    ]
    assert [after_of(rated, seat).games for seat in (1, 2, 3, 4)] == [33, 9, 3, 103]


EVENT_OF_THE_PAGE = ["W2 W3 W4 D5", "L1", "L1", "L1", "D1"]
PLAYERS_OF_THE_PAGE = [
    Rating(rating, games)
    for rating, games in ((1300.0, 45), (1250.0, 60), (1400.0, 60), (1500.0, 60), (1550.0, 60))
]


@pytest.mark.statement("P5", "E1", "G4", "Q31")
def test_the_example_of_the_page_of_2001_as_a_whole_event_of_2016() -> None:
    rated = rate(PLAYERS_OF_THE_PAGE, EVENT_OF_THE_PAGE, on="2016-06-01")
    assert workings_of(rated, 1).step4 == pytest.approx(1464.804888, abs=GOLDEN)
    assert workings_of(rated, 1).step5 == pytest.approx(1453.669520, abs=GOLDEN)


@pytest.mark.statement("P5", "E2", "G4", "G6", "Q30", "Q31")
def test_the_example_of_the_page_of_2001_as_a_whole_event_of_2001() -> None:
    """Step 4 is the page's one pass; Step 5 is what the page leaves out."""
    rated = rate(PLAYERS_OF_THE_PAGE, EVENT_OF_THE_PAGE, on="2001-06-01")
    assert workings_of(rated, 1).step4 == pytest.approx(1446.157628, abs=GOLDEN)
    assert workings_of(rated, 1).step5 == pytest.approx(1438.003148, abs=GOLDEN)
    assert after_of(rated, 1).rating == 1439.0


MASTERS = [Rating(2400.0, 900), Rating(2150.0, 200), Rating(2510.0, 900)]
MASTERS_ROUNDS = ["D2 W3", "D1 L3", "W2 L1"]


@pytest.mark.statement("G3", "A7", "Q18")
def test_masters_of_a_dual_rated_section() -> None:
    rated = rate(MASTERS, MASTERS_ROUNDS, dual_rated=True)
    assert steps_of(rated, "step5") == pytest.approx([2402.660953, 2154.192199, 2507.940273], abs=GOLDEN)


@pytest.mark.statement("G3", "A7", "Q18")
def test_masters_of_a_section_that_is_regular_only() -> None:
    rated = rate(MASTERS, MASTERS_ROUNDS)
    assert steps_of(rated, "step5") == pytest.approx([2405.195457, 2154.164156, 2501.814686], abs=GOLDEN)


@pytest.mark.statement("G3", "A7", "Q18")
def test_masters_keep_full_k_in_the_quick_rating_of_a_dual_rated_section() -> None:
    rated = rate(MASTERS, MASTERS_ROUNDS, system=QUICK, dual_rated=True)
    assert steps_of(rated, "step5") == pytest.approx([2405.195457, 2154.164156, 2501.814686], abs=GOLDEN)


@pytest.mark.statement("G3", "A7")
def test_reduced_k_depends_on_the_rating_before_in_both_steps() -> None:
    """A 2195 who passes 2200 in Step 4 keeps full K; a 2205 who falls below it keeps the reduced one."""
    rated = rate([Rating(2195.0, 900), Rating(2205.0, 900)], ["W2 W2", "L1 L1"], dual_rated=True)
    step4 = steps_of(rated, "step4")
    assert step4[0] is not None
    assert step4[1] is not None
    assert step4[0] > 2200.0 > step4[1]
    for seat, before, factor in ((1, 2195.0, 1.0), (2, 2205.0, 6.5 - 0.0025 * 2205.0)):
        most = min(900.0, 50.0 / math.sqrt(0.662 + 0.00000739 * (2569.0 - before) ** 2))
        assert workings_of(rated, seat).k == pytest.approx(800.0 * factor / (most + 2.0))


@pytest.mark.statement("B3", "Q8", "A8")
def test_three_games_one_opponent_twice() -> None:
    starts, rounds = [Rating(1500.0, 50), Rating(1700.0, 50), Rating(1450.0, 50)], ["W2 W2 W3", "L1 L1", "L1"]
    rated = rate(starts, rounds, on="2016-06-01")
    assert workings_of(rated, 1).step5 == pytest.approx(1573.355446, abs=GOLDEN)
    assert workings_of(rated, 1).bonus == 0.0
    allowed = rules_of("2016-06-01", bonus_eligibility_most_meetings_at_least_games=2.0)
    rated = rate(starts, rounds, on="2016-06-01", rules=allowed)
    assert workings_of(rated, 1).step5 == pytest.approx(1622.710892, abs=GOLDEN)


@pytest.mark.statement("B3", "Q8", "A8", "Q31")
def test_four_games_two_opponents_twice() -> None:
    starts, rounds = (
        [Rating(1500.0, 50), Rating(1700.0, 50), Rating(1650.0, 50)],
        ["W2 W2 W3 W3", "L1 L1", "L1 L1"],
    )
    for on in ("2016-06-01", "2025-06-01"):
        rated = rate(starts, rounds, on=on, rules=rules_of(on, bonus_multiplier=12.0))
        assert workings_of(rated, 1).step5 == pytest.approx(1683.301901, abs=GOLDEN)


@pytest.mark.statement("P3", "P6", "A4", "A5", "Q21")
def test_a_quad_of_newcomers() -> None:
    """The higher rated wins every game, but 500 and 600 draw."""
    starts: list[Start] = [InitialRating(float(rating)) for rating in (400, 500, 600, 700)]
    rated = rate(starts, ["L2 L3 L4", "W1 D3 L4", "W1 D2 L4", "W1 W2 W3"])
    assert steps_of(rated, "step3") == pytest.approx([233.3333, 550, 550, 866.6667], abs=5e-5)
    assert steps_of(rated, "step4") == pytest.approx([150, 550, 550, 950], abs=1e-9)
    assert steps_of(rated, "step5") == pytest.approx([150, 550, 550, 950], abs=1e-9)


# Who takes part in which step, against which ratings


@pytest.mark.statement("P3", "A4")
def test_step_3_is_for_the_unrated_without_credited_games_only() -> None:
    starts: list[Start] = [Rating(1500.0, 4), InitialRating(1500.0, 5), InitialRating(1500.0, 0), None]
    rated = rate(starts, ["D2", "D1", "D4", "D3"])
    assert [figure is not None for figure in steps_of(rated, "step3")] == [False, False, True, True]


@pytest.mark.statement("P3")
def test_step_3_takes_rated_opponents_as_they_were_and_all_others_at_step_1() -> None:
    starts: list[Start] = [
        InitialRating(1300.0),
        Rating(1250.0, 40),
        InitialRating(1500.0, 5),
        InitialRating(1100.0),
    ]
    rated = rate(starts, ["D2 D3 D4", "D1", "D1", "D1"])
    step3 = workings_of(rated, 1).step3
    assert step3 is not None
    assert faced_in_step(rated, 1, 3) == pytest.approx([ramp(step3, one) for one in (1250.0, 1500.0, 1100.0)])
    # By hand: PWe(R, 1300) + the three PWe = 1.5 + 0.5, all within 400.
    assert step3 == pytest.approx((1300.0 + 1250.0 + 1500.0 + 1100.0) / 4.0)


@pytest.mark.statement("P4", "A5", "P6", "A4")
def test_step_4_takes_newcomers_at_step_3_and_credited_newcomers_at_step_1() -> None:
    starts: list[Start] = [
        Rating(1400.0, 40),
        InitialRating(1300.0, 0),
        InitialRating(1500.0, 5),
        Rating(1600.0, 3),
    ]
    rated = rate(starts, ["W2 D3 L4", "L1", "D1", "W1"])
    newcomer = workings_of(rated, 2).step3
    assert newcomer is not None
    assert faced_in_step(rated, 1, 4) == pytest.approx(
        [logistic(1400.0, one) for one in (newcomer, 1500.0, 1600.0)]
    )


@pytest.mark.statement("P5", "P7", "A5")
def test_step_5_takes_everybody_at_step_4() -> None:
    rated = rate(QUAD_OF_FOUR, QUAD_ROUNDS)
    step4 = [figure or 0.0 for figure in steps_of(rated, "step4")]
    assert faced_in_step(rated, 1, 5) == pytest.approx([logistic(1700.0, step4[at]) for at in (1, 2, 3)])
    assert faced_in_step(rated, 4, 5) == pytest.approx([logistic(1850.0, step4[at]) for at in (0, 1, 2)])


@pytest.mark.statement("P6", "A4")
def test_a_newcomer_has_one_effective_game_in_step_3_and_none_after() -> None:
    """By hand: PWe(R, 1300) + PWe(R, 1500) = 1.5 gives 1600; without the first term 1900 is the nearest root."""
    rated = rate([InitialRating(1300.0), Rating(1500.0, math.inf)], ["W2", "L1"])
    assert workings_of(rated, 1).step3 == pytest.approx(1600.0)
    assert workings_of(rated, 1).effective_games == 0.0
    assert workings_of(rated, 1).step4 == pytest.approx(1900.0)


@pytest.mark.statement("P4", "F2")
@pytest.mark.parametrize(
    ("start", "formula"),
    [
        (Rating(1500.0, 8), "special"),
        (Rating(1500.0, 8.5), "standard"),
        (Rating(1500.0, 9), "standard"),
        (Rating(110.0, 9), "standard"),
        (Rating(1500.0, None), "standard"),
        (Rating(1500.0, 30, record=Record.WINS), "special"),
        (Rating(1500.0, 30, record=Record.LOSSES), "special"),
        (Rating(1500.0, 30, wins=30, draws=0, losses=0), "special"),
        (Rating(1500.0, 30, wins=0, draws=0, losses=30), "special"),
        (Rating(1500.0, 30, wins=0, draws=30, losses=0), "standard"),
        (Rating(1500.0, 30, wins=29, draws=0, losses=1), "standard"),
        (Rating(1500.0, 30, wins=29, draws=1, losses=0), "standard"),
        (Rating(1500.0, 30, record=Record.MIXED), "standard"),
        (InitialRating(1500.0, 10), "standard"),
        (InitialRating(1500.0, 8), "special"),
    ],
)
def test_which_formula_rates_a_player(start: Rating | InitialRating, formula: str) -> None:
    rated = rate([start, Rating(1500.0, 50)], ["D2", "D1"])
    assert workings_of(rated, 1).formula == formula


@pytest.mark.statement("P4")
def test_the_standard_formula_rates_nine_games_even_where_fewer_are_effective() -> None:
    rated = rate([Rating(110.0, 9), Rating(150.0, 50)], ["D2", "D1"])
    assert workings_of(rated, 1).effective_games < 8.0
    assert workings_of(rated, 1).formula == "standard"


@pytest.mark.statement("A3", "Q5", "F2")
def test_an_unbroken_record_counts_with_few_games_too() -> None:
    """By hand, N = 3 all won: 3 PWe(R, 1100) + PWe(R, 1500) = 4 at R = 1900; with a mixed record 1600."""
    starts: list[Start] = [Rating(1500.0, 3, record=Record.WINS), Rating(1500.0, math.inf)]
    assert workings_of(rate(starts, ["W2", "L1"]), 1).step4 == pytest.approx(1900.0)
    starts[0] = Rating(1500.0, 3)
    assert workings_of(rate(starts, ["W2", "L1"]), 1).step4 == pytest.approx(1600.0)


@pytest.mark.statement("A3", "Q5", "Q19")
def test_someone_unrated_has_no_record_even_with_credited_games() -> None:
    """By hand, N = 4 credited: the ordinary branch, (4 x 1500 + 1500 + 400) / 5."""
    starts: list[Start] = [InitialRating(1500.0, 4), Rating(1500.0, math.inf)]
    assert workings_of(rate(starts, ["W2", "L1"]), 1).step4 == pytest.approx(1580.0)


@pytest.mark.statement("A10", "Q19")
def test_a_rating_stored_on_no_games_is_a_rating() -> None:
    """By hand: with N' = 0, f is zero from 655 + 400 on, and 1055 is nearest to 498; the opponent faces 498."""
    starts: list[Start] = [Rating(498.0, 0), Rating(655.0, 52)]
    rated = rate(starts, ["W2", "L1"])
    assert workings_of(rated, 1).step3 is None
    assert workings_of(rated, 1).step4 == pytest.approx(1055.0)
    assert seat_of(rated, 1).before.source == "rated"
    assert after_of(rated, 1).games == 1
    as_newcomer = rate([InitialRating(498.0, 0), Rating(655.0, 52)], ["W2", "L1"])
    # As a newcomer, Step 3 would raise 498 before 655 faces it, and the loss would cost less.
    assert (workings_of(as_newcomer, 2).step4 or 0.0) > (workings_of(rated, 2).step4 or 0.0)


# Clamps inside the steps


@pytest.mark.statement("P3", "P4", "P5", "A6", "L1")
def test_no_step_falls_below_100() -> None:
    starts: list[Start] = [InitialRating(150.0), Rating(120.0, 50), Rating(105.0, 4), Rating(300.0, None)]
    rated = rate(starts, ["L4 L4", "L4 L4", "L4 L4", "W1 W1 W2 W2 W3 W3"])
    assert workings_of(rated, 1).step3 == 100.0
    assert steps_of(rated, "step4")[:3] == [100.0, 100.0, 100.0]
    step5 = [figure or 0.0 for figure in steps_of(rated, "step5")]
    assert step5[:2] == [100.0, 100.0]
    assert min(step5) == 100.0


@pytest.mark.statement("A6", "F5", "Q22")
def test_2700_caps_the_special_formula_in_every_step_and_never_the_standard_one() -> None:
    starts: list[Start] = [InitialRating(2650.0), Rating(2690.0, 6), Rating(2720.0, 900), Rating(2690.0, 900)]
    rated = rate(starts, ["W3", "W4", "L1 W4", "L2 L3"])
    assert workings_of(rated, 1).step3 == 2700.0
    assert [workings_of(rated, 1).step4, workings_of(rated, 1).step5] == [2700.0, 2700.0]
    assert [workings_of(rated, 2).step4, workings_of(rated, 2).step5] == [2700.0, 2700.0]
    assert after_of(rated, 3).rating > 2700.0


@pytest.mark.statement("A6", "Q9")
def test_opponents_are_not_held_at_their_personal_floors_within_the_steps() -> None:
    """Somebody at 100 in Step 4 is an opponent of 100 in Step 5, although 101 is published for him."""
    starts: list[Start] = [InitialRating(150.0), Rating(450.0, 50), Rating(450.0, 50), Rating(450.0, 50)]
    rated = rate(starts, ["L2 L3 L4", "W1", "W1", "W1"])
    assert workings_of(rated, 1).step4 == 100.0
    assert after_of(rated, 1).rating == 101.0
    assert faced_in_step(rated, 2, 5) == pytest.approx([logistic(450.0, 100.0)])


# Who is rated at all, and how many games count


@pytest.mark.statement("A9", "S7", "Q20")
@pytest.mark.parametrize("rounds", ["", "B", "H U", "X2 F2 Z2", "X2 B H U F2"])
def test_byes_and_forfeits_are_no_rated_games(rounds: str) -> None:
    rated = rate([Rating(99.5, 40), Rating(1500.0, 50)], [rounds, ""])
    assert seat_of(rated, 1).workings is None
    assert after_of(rated, 1).rating == 99.5, "no clamp either"
    assert after_of(rated, 1).games == 40


@pytest.mark.statement("A9", "Q20")
def test_a_newcomer_without_a_rated_game_is_still_unrated() -> None:
    rated = rate([None, Rating(1500.0, 50), Rating(1600.0, 50)], ["B X2 H", "F1 D3", "D2"])
    assert seat_of(rated, 1).after is None
    assert seat_of(rated, 1).workings is None


@pytest.mark.statement("A9", "Q20")
def test_players_without_a_rated_game_change_nobody_elses_rating() -> None:
    with_them = rate([Rating(1500.0, 50), Rating(1600.0, 50), None], ["D2", "D1", "B"])
    without = rate([Rating(1500.0, 50), Rating(1600.0, 50)], ["D2", "D1"])
    assert with_them.entries[:2] == without.entries


@pytest.mark.statement("A13", "S7", "Q24")
@pytest.mark.parametrize(
    ("start", "after"),
    [(Rating(1500.0, 20), 23), (None, 3), (InitialRating(1500.0, 10), 13), (Rating(1500.0, 12.5), 15.5)],
)
def test_n_grows_by_the_rated_games(start: Rating | InitialRating | None, after: float) -> None:
    rated = rate([start, Rating(1500.0, 50)], ["W2 B D2 X2 L2", "L1 U D1 F1 W1"])
    assert after_of(rated, 1).games == after


@pytest.mark.statement("G2", "Q24")
def test_k_rests_on_the_player_s_own_games_in_the_section() -> None:
    """At 1500 on 20 games N* = 50 / sqrt(0.662 + 0.00000739 x 1069^2) = 16.5685."""
    rated = rate(
        [Rating(1500.0, 20), *[Rating(1500.0, 50)] * 4],
        ["D2 D3 B", "D1 D4 D5", "D5 D1 D4", "B D2 D3", "D3 B D2"],
    )
    assert [workings_of(rated, seat).k for seat in (1, 2, 3)] == [
        pytest.approx(800.0 / (16.5685 + games), abs=1e-3) for games in (2, 3, 3)
    ]


@pytest.mark.statement("S6")
@pytest.mark.parametrize(("before", "established"), [(24, False), (25, True), (26, True), (None, True)])
def test_established_means_more_than_25_games(before: float | None, *, established: bool) -> None:
    assert (
        after_of(rate([Rating(1500.0, before), Rating(1500.0, 50)], ["D2", "D1"]), 1).established
        == established
    )


@pytest.mark.statement("A15")
@pytest.mark.parametrize(("letter", "score"), [("N", 1.0), ("S", 0.0), ("R", 0.5)])
def test_an_asymmetric_result_is_rated_for_the_player_who_reports_it(letter: str, score: float) -> None:
    """The opponent, who has no rated game himself, is an opponent at his rating before and keeps it."""
    rated = rate([Rating(1500.0, 50), Rating(1600.0, 50)], [f"{letter}2", "U"])
    assert workings_of(rated, 1).score == score
    assert workings_of(rated, 1).expected == pytest.approx(logistic(1500.0, 1600.0))
    assert after_of(rated, 2).rating == 1600.0
    assert after_of(rated, 2).games == 50


@pytest.mark.statement("A15", "A9")
def test_an_unrated_opponent_without_a_rated_game_stands_at_his_step_1_rating() -> None:
    rated = rate([Rating(1500.0, 50), InitialRating(1300.0)], ["N2", "U"])
    assert faced_in_step(rated, 1, 4) == pytest.approx([logistic(1500.0, 1300.0)])
    assert faced_in_step(rated, 1, 5) == pytest.approx([logistic(1500.0, 1300.0)])
    assert seat_of(rated, 2).after is None


@pytest.mark.statement("A15")
def test_both_sides_may_report_a_win() -> None:
    rated = rate([Rating(1500.0, 50), Rating(1500.0, 50)], ["N2", "N1"])
    assert after_of(rated, 1).rating > 1500.0
    assert after_of(rated, 1).rating == after_of(rated, 2).rating

"""The special formula: golden values, flat intervals, unbroken records, the float trap."""

from __future__ import annotations

import random

import pytest

from ratebook.rating.special import (
    ALL_LOSSES,
    ALL_WINS,
    MIXED,
    NOT_FOUND,
    nearest_root,
    root_nearby,
    special_rating,
)
from support import reference
from support.builders import rules_of

RULES = rules_of("2026-01-01")
RECORDS = {MIXED: reference.MIXED, ALL_WINS: reference.WINS, ALL_LOSSES: reference.LOSSES}


def special(rating: float, prior: float, score: float, opponents: list[float], record: int = MIXED) -> float:
    return special_rating(RULES, rating, prior, record, score, list(opponents), len(opponents))


def by_iteration(rating: float, score: float, opponents: list[float], *, start_closed_form: bool) -> float:
    return reference.special_by_iteration(
        rating, 0.0, reference.MIXED, opponents, score, start_closed_form=start_closed_form
    )


@pytest.mark.statement("F7")
def test_with_all_opponents_near_it_is_the_old_provisional_formula() -> None:
    """The example of the page of 2001: (6 x 1500 + 1400 + 1550 + 1650 + 400 x 0) / 9."""
    assert special(1500.0, 6.0, 1.5, [1400.0, 1550.0, 1650.0]) == pytest.approx(1511.1111, abs=5e-5)


@pytest.mark.statement("F2", "F3", "F5", "A3", "Q5")
@pytest.mark.parametrize(
    ("rating", "record", "score", "opponents", "expected"),
    [
        (1700, ALL_WINS, 2, [1500, 1400], 1900),
        (1700, ALL_WINS, 2, [1200, 1250], 1700),
        (1700, ALL_WINS, 1, [1500, 1400], 1616.6667),
        (900, ALL_LOSSES, 0, [1500, 1400], 900),
        (900, ALL_LOSSES, 1, [1500, 1400], 1080),
        (2600, ALL_WINS, 2, [2500, 2650], 2700),
    ],
)
def test_a_player_of_four_games_that_were_all_won_or_all_lost(
    rating: float, record: int, score: float, opponents: list[float], expected: float
) -> None:
    assert special(rating, 4.0, score, opponents, record) == pytest.approx(expected, abs=5e-5)
    assert reference.special(rating, 4.0, RECORDS[record], opponents, score) == pytest.approx(
        expected, abs=5e-5
    )


FLAT = [
    pytest.param(1300, 2, [500, 600], 1000, 1300, id="unrated adult beats 500 and 600"),
    pytest.param(400, 0, [1500, 1600], 1100, 400, id="unrated child loses to 1500 and 1600"),
    pytest.param(1300, 0, [2000, 2100, 2200], 1600, 1300, id="unrated adult loses to 2000, 2100 and 2200"),
    pytest.param(1300, 1, [1000, 2000], 1500, 1400, id="beats 1000, loses to 2000"),
    pytest.param(1550, 2, [1000, 1000, 2000, 3000], 1600, 1550, id="two of four"),
]


@pytest.mark.statement("A1", "F4", "Q1")
@pytest.mark.parametrize(("rating", "score", "opponents", "closed_form", "nearest"), FLAT)
def test_where_every_rating_of_an_interval_fits_the_nearest_is_taken(
    rating: float, score: float, opponents: list[float], closed_form: float, nearest: float
) -> None:
    assert special(rating, 0.0, score, opponents) == nearest
    assert by_iteration(rating, score, opponents, start_closed_form=False) == pytest.approx(nearest)
    assert closed_form != nearest


@pytest.mark.statement("A1", "F4", "Q1")
@pytest.mark.parametrize(("rating", "score", "opponents", "closed_form", "nearest"), FLAT)
def test_the_documents_closed_form_start_would_give_something_else(
    rating: float, score: float, opponents: list[float], closed_form: float, nearest: float
) -> None:
    """Why the ruling exists: the documents say that both starts give the same."""
    found = by_iteration(rating, score, opponents, start_closed_form=True)
    assert found == pytest.approx(closed_form)
    assert found != pytest.approx(nearest)


@pytest.mark.statement("Q4")
def test_an_own_ramp_without_weight_counts_for_nothing() -> None:
    """With |M - R0'| counted although N' = 0, the closed-form start would stay where it is: at 1391.5."""
    assert by_iteration(1300.0, 1.0, [383.0, 2400.0], start_closed_form=True) == pytest.approx(1391.5)
    assert special(1300.0, 0.0, 1.0, [383.0, 2400.0]) == 1300.0


@pytest.mark.statement("A2", "Q2")
def test_a_knot_is_within_reach_of_its_own_opponent_whatever_floats_say() -> None:
    opponent, knot = 1665.6806660053724, 2065.6806660053724
    assert knot - opponent > 400.0, "the trap: this float stands too far from its own opponent"
    assert special(1300.0, 0.0, 1.0, [opponent]) == pytest.approx(knot, abs=1e-9)


@pytest.mark.statement("A2", "Q2")
def test_a_player_who_beats_one_opponent_from_far_below_lands_400_above_him() -> None:
    for number in range(500):
        opponent = 1500.0 + number * 0.7310585786300049
        assert special(1000.0, 0.0, 1.0, [opponent]) == pytest.approx(opponent + 400.0, abs=1e-9)


@pytest.mark.statement("A2", "F3")
def test_a_piece_that_is_flat_but_for_float_noise_is_flat() -> None:
    """Six opponents leave every rating from 886.18 to 1729.52 as good as another; the sums of floats differ a bit."""
    opponents = [486.18, 243.23, 147.19, 2186.98, 2482.10, 2129.52]
    assert special(1300.0, 0.0, 3.0, opponents) == 1300.0
    without = RULES._replace(special_tolerance=0.0)
    assert special_rating(without, 1300.0, 0.0, MIXED, 3.0, opponents, 6) == pytest.approx(886.18)


@pytest.mark.statement("F5", "Q22")
def test_the_result_is_cut_to_2700_even_where_the_player_stood_higher() -> None:
    assert special(2650.0, 6.0, 3.0, [2690.0, 2700.0, 2710.0]) == 2700.0
    assert special(2750.0, 6.0, 1.5, [2750.0, 2750.0, 2750.0]) == 2700.0


@pytest.mark.statement("F2")
def test_all_draws_are_an_ordinary_record() -> None:
    """Sums by hand: 4 PWe(R, 1500) + 2 PWe(R, 1700) = 2 + 1 gives R = 1500 + 200 / 3."""
    assert special(1500.0, 4.0, 1.0, [1700.0, 1700.0]) == pytest.approx(1500.0 + 200.0 / 3.0)


@pytest.mark.statement("F6")
@pytest.mark.parametrize("prior", [0.0, 1.0, 4.0, 8.0])
@pytest.mark.parametrize("gap", [-1200, -800, -401, -400, -399, 0, 399, 400, 401, 800, 1200])
def test_wins_never_lower_and_losses_never_raise(prior: float, gap: int) -> None:
    opponents = [1500.0 + gap, 1500.0 + gap]
    assert special(1500.0, prior, 2.0, opponents) >= 1500.0
    assert special(1500.0, prior, 0.0, opponents) <= 1500.0


@pytest.mark.statement("F3")
def test_the_opponents_may_come_in_any_order_and_what_stands_after_them_is_left_alone() -> None:
    scratch = [1700.0, 1200.0, 1500.0, -1.0, -1.0]
    expected = special(1450.0, 3.0, 1.5, [1200.0, 1500.0, 1700.0])
    assert special_rating(RULES, 1450.0, 3.0, MIXED, 1.5, scratch, 3) == expected
    assert sorted(scratch[:3]) == [1200.0, 1500.0, 1700.0]
    assert scratch[3:] == [-1.0, -1.0]


def random_case(source: random.Random) -> tuple[list[float], float, float, float]:
    """Return sorted centres, R0', N' and S' of a rating by the special formula."""
    centres = sorted(source.uniform(100.0, 2900.0) for _ in range(source.randint(1, 9)))
    own_weight = source.choice([0.0, 0.5, 1.0, 4.0, 8.0])
    target = source.randint(0, 2 * len(centres)) / 2 + own_weight * source.choice([0.0, 0.5, 1.0])
    return centres, source.uniform(100.0, 2900.0), own_weight, target


@pytest.mark.statement("F3", "A1")
def test_the_quick_way_to_the_root_gives_what_the_walk_over_all_knots_gives() -> None:
    source = random.Random(3)  # noqa: S311 - seeded cases, not secrets
    found = 0
    for _ in range(4_000):
        centres, own_centre, own_weight, target = random_case(source)
        nearest_to = own_centre + source.choice([-400.0, 0.0, 400.0])
        walked = nearest_root(RULES, centres, len(centres), own_centre, own_weight, target, nearest_to)
        guesses = [nearest_to, own_centre, source.uniform(-500.0, 3500.0)]
        roots = {
            root_nearby(RULES, centres, len(centres), own_centre, own_weight, target, guess)
            for guess in guesses
        } - {NOT_FOUND}
        assert len(roots) <= 1, "the guess must not change a bit"
        for root in roots:
            found += 1
            assert root == pytest.approx(walked, abs=1e-9)
    assert found > 2_000


@pytest.mark.statement("F4", "A1")
def test_the_quick_way_leaves_flat_pieces_to_the_walk() -> None:
    """A win against 500 and 600: every rating from 1000 on fits; none is the only one."""
    assert root_nearby(RULES, [500.0, 600.0], 2, 1300.0, 0.0, 2.0, 1300.0) == NOT_FOUND
    assert root_nearby(RULES, [1000.0, 2000.0], 2, 1500.0, 0.0, 1.0, 1500.0) == NOT_FOUND

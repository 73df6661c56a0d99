"""Step 1 since June 2020: the blend of other ratings."""

from __future__ import annotations

import math
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.model import ForeignRating, PlayerFacts, Rating, System
from ratebook.rating.explanation.explain import explain
from ratebook.rating.step1 import (
    FROM_BLITZ,
    FROM_CFC,
    FROM_FIDE,
    FROM_ONLINE_BLITZ,
    FROM_ONLINE_QUICK,
    FROM_ONLINE_REGULAR,
    FROM_QUICK,
    FROM_REGULAR,
    NO_RATING,
    SOURCES,
    SourceColumns,
    initial_rating,
)
from ratebook.rules.rulebook import load_rulebook
from support.builders import (
    BLITZ,
    FIRST_DAY_OF_BLEND,
    IN_2025,
    ONLINE_BLITZ,
    ONLINE_QUICK,
    QUICK,
    REGULAR,
    first_rating,
    newcomer,
    rate_newcomer,
    rules_of,
    seat_of,
)

if TYPE_CHECKING:
    from ratebook.rating.results import RatedSection

ONLINE_REGULAR = System.ONLINE_REGULAR


# The blend


def weights(facts: PlayerFacts, system: System, on: str, end: str = "") -> dict[int, float]:
    """Return the weight of each source that took part."""
    step1 = rate_newcomer(facts, system, on, end).step1
    assert step1 is not None
    return {source: step1.weight[source] for source in range(SOURCES) if step1.weight[source] > 0.0}


@pytest.mark.statement("I9")
def test_without_any_other_rating_age_decides() -> None:
    assert first_rating(newcomer(born=date(2015, 6, 15)), REGULAR, IN_2025) == (
        pytest.approx(500.0, abs=0.5),
        0,
        "age",
    )
    assert first_rating(newcomer(), REGULAR, IN_2025) == (750.0, 0, "default")


@pytest.mark.statement("I9", "I10")
def test_seven_sources_take_part() -> None:
    ratings = {system: Rating(1500.0, 100) for system in System if system is not REGULAR}
    facts = newcomer(ratings, fide=ForeignRating(2100.0), cfc=ForeignRating(1500.0), canadian=True)
    assert weights(facts, REGULAR, "2025-02-10") == {
        FROM_QUICK: 5.0,
        FROM_BLITZ: 5.0,
        FROM_ONLINE_REGULAR: 5.0,
        FROM_ONLINE_QUICK: 5.0,
        FROM_ONLINE_BLITZ: 5.0,
        FROM_FIDE: 10.0,
        FROM_CFC: 5.0,
    }
    # By hand: six sources of 1500 or what converts to it, and FIDE 2100 -> 2162, CFC 1500 -> 1270.
    assert first_rating(facts, REGULAR, IN_2025)[:2] == (
        pytest.approx((25 * 1500 + 10 * 2162 + 5 * 1270) / 40),
        10,
    )


OVER_THE_BOARD_AND_ONLINE = {
    REGULAR: FROM_REGULAR,
    QUICK: FROM_QUICK,
    BLITZ: FROM_BLITZ,
    ONLINE_REGULAR: FROM_ONLINE_REGULAR,
    ONLINE_QUICK: FROM_ONLINE_QUICK,
    ONLINE_BLITZ: FROM_ONLINE_BLITZ,
}
FULL_WEIGHT = {(ONLINE_BLITZ, BLITZ), (ONLINE_QUICK, QUICK)}


@pytest.mark.statement("I10")
@pytest.mark.parametrize("system", System)
@pytest.mark.parametrize("source", System)
def test_the_game_factor_of_each_system_for_each_other(system: System, source: System) -> None:
    if source is system:
        return
    twin = (system, source) in FULL_WEIGHT
    for on, full in (
        (FIRST_DAY_OF_BLEND, twin or system is REGULAR),
        ("2025-02-09", twin or system is REGULAR),
        ("2025-02-10", twin or source is REGULAR),
    ):
        most = 10.0 if full else 5.0
        for games, factor in ((3, 3.0), (7, min(7.0, most)), (100, most), (None, most)):
            facts = newcomer({source: Rating(1500.0, games)})
            assert weights(facts, system, on) == {OVER_THE_BOARD_AND_ONLINE[source]: factor}
            assert first_rating(facts, system, on) == (pytest.approx(1500.0), factor, "other-ratings")


@pytest.mark.statement("I10", "Q16")
@pytest.mark.parametrize(
    ("fide", "factor"), [(1400, 5), (2000, 5), (2000.5, 10), (2001, 10), (2150, 10), (2600, 10)]
)
def test_the_game_factor_of_fide_changes_above_2000(fide: float, factor: float) -> None:
    for system in (REGULAR, QUICK, ONLINE_BLITZ):
        for on in (FIRST_DAY_OF_BLEND, IN_2025):
            assert first_rating(newcomer(fide=ForeignRating(fide)), system, on)[1:] == (factor, "fide")


@pytest.mark.statement("I10", "Q25")
def test_a_cfc_rating_counts_for_canadian_residents_only() -> None:
    for on in (FIRST_DAY_OF_BLEND, IN_2025):
        resident = newcomer(cfc=ForeignRating(1300.0), canadian=True)
        assert first_rating(resident, REGULAR, on)[1:] == (5, "cfc")
        assert first_rating(newcomer(cfc=ForeignRating(1300.0)), REGULAR, on) == (750.0, 0, "default")


@pytest.mark.statement("I7", "I13", "I14", "Q16")
def test_the_blend_converts_by_the_day_of_the_section() -> None:
    fide, cfc = newcomer(fide=ForeignRating(1420.0)), newcomer(cfc=ForeignRating(1300.0), canadian=True)
    assert first_rating(fide, REGULAR, "2021-06-01") == (pytest.approx(1514.8), 5, "fide")
    assert first_rating(fide, REGULAR, "2024-02-29") == (pytest.approx(1514.8), 5, "fide")
    assert first_rating(fide, REGULAR, "2024-03-01") == (pytest.approx(-1073 + 1.5667 * 1420), 5, "fide")
    assert first_rating(cfc, REGULAR, "2024-12-31") == (1210.0, 5, "cfc")
    assert first_rating(cfc, REGULAR, "2025-01-01") == (pytest.approx(1014.0), 5, "cfc")


@pytest.mark.statement("I11", "I12", "I16")
def test_the_worked_example_of_2025() -> None:
    """D25 prints dates of 2016 to 2020; all are 1,826 days later here, when its game factors were in force."""
    later = timedelta(days=1826)
    ratings = {
        REGULAR: Rating(1759.0, None, as_of=date(2018, 3, 25) + later),
        QUICK: Rating(1643.0, None, as_of=date(2018, 1, 13) + later),
        BLITZ: Rating(1658.0, None, as_of=date(2016, 7, 16) + later),
    }
    facts = newcomer(ratings, born=date(2000, 7, 1) + later)
    rated = rate_newcomer(facts, ONLINE_BLITZ, (date(2020, 9, 1) + later).isoformat())
    step1 = rated.step1
    assert step1 is not None
    assert step1.staleness_days[:3] == [891, 962, 1508]
    assert step1.age_rating[:3] == pytest.approx([886.516, 876.797, 802.053], abs=5e-4)
    assert step1.strength[:3] == pytest.approx([2.4928, 2.1892, 2.4456], abs=5e-5)
    assert step1.staleness[:3] == pytest.approx([0.598498, 0.547593, 0.414572], abs=5e-7)
    assert step1.weight[:3] == pytest.approx([5.98498, 2.73796, 4.14572], abs=5e-6)
    assert tuple(seat_of(rated, 1).before) == (pytest.approx(1701.782, abs=5e-4), 10.0, "other-ratings")


EXAMPLE_OF_2025 = newcomer(
    {
        REGULAR: Rating(1759.0, None, as_of=date(2018, 3, 25)),
        QUICK: Rating(1643.0, None, as_of=date(2018, 1, 13)),
        BLITZ: Rating(1658.0, None, as_of=date(2016, 7, 16)),
    },
    born=date(2000, 7, 1),
)


@pytest.mark.statement("I10", "Q25")
def test_the_worked_example_of_2025_on_its_own_date_and_its_explanation_says_why() -> None:
    """W as printed, but 2.99249 for the factor 5 of OTB Regular: 16635.86 / 9.87617 = 1684.44."""
    rated = rate_newcomer(EXAMPLE_OF_2025, ONLINE_BLITZ, "2020-09-01")
    assert tuple(seat_of(rated, 1).before) == (pytest.approx(1684.44, abs=5e-3), 10.0, "other-ratings")
    assert "D25's worked example, an online Blitz section of 2020-09-01, starts at 1684" in readings_of(rated)
    later = rate_newcomer(EXAMPLE_OF_2025, ONLINE_BLITZ, "2025-03-01")
    assert "worked example" not in readings_of(later)


def readings_of(rated: RatedSection) -> str:
    """Return what the explanation of seat 1 says of this project's readings in Step 1."""
    explanation = explain(rated, 1, load_rulebook())
    assert explanation is not None
    return " ".join(explanation.steps[0].readings)


@pytest.mark.statement("I11")
def test_strength_for_age_is_cut_at_six_and_then_nothing_goes_stale() -> None:
    ratings = {REGULAR: Rating(2900.0, 30, as_of=date(2021, 1, 1))}
    facts = newcomer(ratings, born=date(2015, 1, 1))
    assert weights(facts, QUICK, IN_2025) == {FROM_REGULAR: 10.0}


@pytest.mark.statement("I11", "Q25")
def test_a_rating_from_the_future_is_not_stale() -> None:
    ratings = {REGULAR: Rating(1000.0, 30, as_of=date(2025, 12, 1))}
    assert weights(newcomer(ratings), QUICK, IN_2025) == {FROM_REGULAR: 10.0}


@pytest.mark.statement("I11", "Q25")
def test_fide_and_cfc_go_stale_from_the_date_of_their_list() -> None:
    """By hand: adult, so P = 1300; X = 2162; Z = 862 / 350; D = 1461 days."""
    facts = newcomer(fide=ForeignRating(2100.0, date(2021, 6, 15)), adult=True)
    stale = math.exp(0.06 * (862.0 / 350.0 - 6.0) * 1461.0 / 365.25)
    assert weights(facts, REGULAR, IN_2025) == {FROM_FIDE: pytest.approx(10.0 * stale)}


@pytest.mark.statement("I11", "I15", "Q15")
def test_the_age_based_rating_at_the_time_of_an_old_rating() -> None:
    rated_on = date(2020, 6, 15)
    stored = {REGULAR: Rating(500.0, 30, as_of=rated_on)}

    def then(**more: Any) -> float:  # noqa: ANN401 - fields of PlayerFacts, of whatever type
        step1 = rate_newcomer(newcomer(stored)._replace(**more), QUICK, IN_2025).step1
        assert step1 is not None
        return step1.age_rating[FROM_REGULAR]

    ten_years_before = date(2010, 6, 15)
    assert then(birth_date=ten_years_before) == pytest.approx(
        50 * (rated_on - ten_years_before).days / 365.25
    )
    assert then(birth_date=date(2019, 6, 15)) == 100.0, (
        "one year old then, six at the event: the plain formula"
    )
    assert then(birth_date=date(1980, 1, 1)) == 1300.0
    assert then() == 750.0, "no birth date, not known as an adult"
    assert then(adult=True) == 1300.0
    assert then(birth_date=date(2023, 1, 1)) == 750.0, "below three at the event: no usable birth date"
    assert then(birth_date=date(2023, 1, 1), adult=True) == 1300.0


@pytest.mark.statement("I12")
def test_a_blended_rating_is_not_rounded() -> None:
    """Published Quick ratings of 2025-08-31 fit 1392.16 (docs/rules/readings.md#blend-details)."""
    assert first_rating(newcomer({REGULAR: Rating(1392.16, 30)}), QUICK, IN_2025)[0] == pytest.approx(1392.16)


@pytest.mark.statement("I12")
def test_the_sum_of_weights_is_rounded_up_to_at_least_one_and_at_most_ten() -> None:
    ancient = newcomer({REGULAR: Rating(100.0, 30, as_of=date(1980, 1, 1))}, adult=True)
    assert sum(weights(ancient, QUICK, IN_2025).values()) < 0.001
    assert first_rating(ancient, QUICK, IN_2025)[:2] == (100.0, 1)
    stale = newcomer({REGULAR: Rating(1300.0, 30, as_of=date(2024, 6, 15))}, adult=True)
    assert weights(stale, QUICK, IN_2025)[FROM_REGULAR] == pytest.approx(10 * math.exp(-0.36 * 365 / 365.25))
    assert first_rating(stale, QUICK, IN_2025)[:2] == (1300.0, 7)
    both = newcomer({REGULAR: Rating(1300.0, 30), BLITZ: Rating(1400.0, 30)}, adult=True)
    assert first_rating(both, QUICK, IN_2025)[:2] == (pytest.approx(4000 / 3), 10)


def columns_of_fractions(games: list[float]) -> SourceColumns:
    """Return the columns of one player with fractional games in as many systems."""
    size = SOURCES - len(games)
    zeros = [0.0] * SOURCES
    return SourceColumns(
        rating=[1500.0] * len(games) + [NO_RATING] * size,
        games=games + [0.0] * size,
        day=[738000.0] * SOURCES,
        birth_day=[-1.0],
        adult=[1],
        canadian=[0],
        converted=list(zeros),
        factor=list(zeros),
        staleness_days=list(zeros),
        age_rating=list(zeros),
        strength=list(zeros),
        staleness=list(zeros),
        weight=list(zeros),
    )


@pytest.mark.statement("I12", "Q25")
def test_a_sum_within_a_billionth_of_an_integer_is_that_integer() -> None:
    games = [0.1, 2.7, 0.2]
    assert 0.1 + 2.7 + 0.2 > 3.0, "floats make more of these three than they are"
    rules = rules_of(IN_2025, QUICK)
    assert initial_rating(rules, columns_of_fractions([1.0 + 1e-10]), 0, 738000.0)[1] == 1.0
    assert initial_rating(rules, columns_of_fractions([1.0 + 1e-8]), 0, 738000.0)[1] == 2.0
    assert initial_rating(rules, columns_of_fractions(games), 0, 738000.0)[1] == 3.0


@pytest.mark.statement("I10", "I12", "Q25", "Q37")
def test_a_source_without_games_drops_out() -> None:
    facts = newcomer({REGULAR: Rating(1900.0, 0), BLITZ: Rating(1400.0, 30)})
    assert first_rating(facts, QUICK, IN_2025) == (1400.0, 5, "other-ratings")
    assert first_rating(newcomer({REGULAR: Rating(1900.0, 0)}), QUICK, IN_2025) == (750.0, 0, "default")


@pytest.mark.statement("I9", "S8", "Q33")
def test_the_system_itself_is_no_source() -> None:
    """A rating stored on no games is a rating; the blend is not asked."""
    facts = newcomer({REGULAR: Rating(1900.0, 0), QUICK: Rating(1400.0, 100)})
    assert first_rating(facts, REGULAR, IN_2025) == (1900.0, 0, "rated")

"""Step 1: where the initial rating of an unrated player comes from, edition by edition."""

from __future__ import annotations

import math
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from builders import BLITZ, QUICK, REGULAR, rate, rules_of, seat_of, section
from ratebook.model import ForeignRating, InitialRating, PlayerFacts, Rating, System
from ratebook.rating.initial import (
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
    plain_age_rating,
)

if TYPE_CHECKING:
    from ratebook.rating.rated import RatedSection

ONLINE_REGULAR = System.ONLINE_REGULAR
ONLINE_QUICK = System.ONLINE_QUICK
ONLINE_BLITZ = System.ONLINE_BLITZ

IN_2015 = "2015-06-15"
LAST_DAY_OF_LISTS = "2020-05-31"
FIRST_DAY_OF_BLEND = "2020-06-01"
IN_2025 = "2025-06-15"

REGULAR_26 = Rating(1700.0, 26)
QUICK_26 = Rating(1600.0, 26)
BLITZ_26 = Rating(1500.0, 26)
FIDE = ForeignRating(2200.0)
CFC = ForeignRating(1800.0)


def player(  # noqa: PLR0913 - each test knows another thing of the player
    ratings: dict[System, Rating] | None = None,
    *,
    fide: ForeignRating | None = None,
    cfc: ForeignRating | None = None,
    born: date | None = None,
    adult: bool | None = None,
    canadian: bool = False,
) -> PlayerFacts:
    return PlayerFacts(
        id="",
        ratings=ratings or {},
        fide=fide,
        cfc=cfc,
        birth_date=born,
        adult=adult,
        canadian_resident=canadian,
    )


def rate_newcomer(facts: PlayerFacts, system: System, on: str, end: str = "") -> RatedSection:
    opponent = PlayerFacts(id="2", ratings={system: Rating(1500.0, 50)})
    played = section(["D2", "D1"], on=on, end=end)
    return rate({"1": facts._replace(id="1"), "2": opponent}, played, system=system)


def start(facts: PlayerFacts, system: System, on: str, end: str = "") -> tuple[Any, float, str]:
    """Return the rating that Step 1 gives, its N, and where it comes from."""
    before = seat_of(rate_newcomer(facts, system, on, end), 1).before
    return before.rating, before.games, before.source


# The priority lists


@pytest.mark.statement("I1", "Q26")
def test_regular_starts_from_fide_then_cfc_then_quick_then_age() -> None:
    quick = {QUICK: QUICK_26}
    born = date(2005, 6, 15)
    assert start(player(quick, fide=FIDE, cfc=CFC, born=born), REGULAR, IN_2015) == (2264.0, 10, "fide")
    assert start(player(quick, cfc=CFC, born=born), REGULAR, IN_2015) == (pytest.approx(1740.0), 5, "cfc")
    assert start(player(quick, born=born), REGULAR, IN_2015) == (1600.0, 0, "other-ratings")
    assert start(player(born=born), REGULAR, IN_2015) == (pytest.approx(500.0, abs=0.1), 0, "age")
    assert start(player(), REGULAR, IN_2015) == (750.0, 0, "default")


@pytest.mark.statement("I1")
def test_regular_does_not_start_from_blitz() -> None:
    assert start(player({BLITZ: BLITZ_26}, adult=True), REGULAR, IN_2015) == (1300.0, 0, "default")


@pytest.mark.statement("I1", "Q16")
@pytest.mark.parametrize(
    ("fide", "games"), [(1400, 5), (2000, 5), (2001, 5), (2150, 5), (2150.5, 10), (2151, 10)]
)
def test_fide_above_2150_counts_ten_games(fide: float, games: float) -> None:
    for system in (REGULAR, QUICK, BLITZ):
        assert start(player(fide=ForeignRating(fide)), system, IN_2015)[1:] == (games, "fide")


@pytest.mark.statement("I1")
@pytest.mark.parametrize(("cfc", "games"), [(1200, 0), (1500, 0), (1501, 5)])
def test_cfc_above_1500_counts_five_games(cfc: float, games: float) -> None:
    for system in (REGULAR, QUICK, BLITZ):
        assert start(player(cfc=ForeignRating(cfc)), system, IN_2015)[1:] == (games, "cfc")


@pytest.mark.statement("I1", "I7")
def test_a_cfc_rating_counts_whoever_lives_where_before_the_blend() -> None:
    for canadian in (False, True):
        facts = player(cfc=ForeignRating(1000.0), canadian=canadian)
        assert start(facts, REGULAR, LAST_DAY_OF_LISTS) == (910.0, 0, "cfc")


@pytest.mark.statement("I1")
def test_regular_starts_from_quick_of_at_least_four_games() -> None:
    assert start(player({QUICK: Rating(1600.0, 4)}), REGULAR, IN_2015) == (1600.0, 0, "other-ratings")
    assert start(player({QUICK: Rating(1600.0, 3)}), REGULAR, IN_2015) == (750.0, 0, "default")


@pytest.mark.statement("I2")
def test_quick_starts_from_regular_then_fide_then_cfc_then_age() -> None:
    regular = {REGULAR: REGULAR_26}
    born = date(2005, 6, 15)
    assert start(player(regular, fide=FIDE, cfc=CFC, born=born), QUICK, IN_2015) == (
        1700.0,
        10,
        "other-ratings",
    )
    assert start(player(fide=FIDE, cfc=CFC, born=born), QUICK, IN_2015) == (2264.0, 10, "fide")
    assert start(player(cfc=CFC, born=born), QUICK, IN_2015) == (pytest.approx(1740.0), 5, "cfc")
    assert start(player(born=born), QUICK, IN_2015)[2] == "age"
    assert start(player(), QUICK, IN_2015) == (750.0, 0, "default")


@pytest.mark.statement("I2")
@pytest.mark.parametrize(("games", "credited"), [(4, 4), (7, 7), (9.5, 9.5), (10, 10), (11, 10), (None, 10)])
def test_quick_credits_the_games_of_the_regular_rating_up_to_ten(
    games: float | None, credited: float
) -> None:
    facts = player({REGULAR: Rating(1700.0, games)})
    assert start(facts, QUICK, IN_2015) == (1700.0, credited, "other-ratings")


@pytest.mark.statement("I2")
def test_quick_does_not_start_from_a_regular_rating_of_three_games() -> None:
    facts = player({REGULAR: Rating(1700.0, 3)}, fide=FIDE)
    assert start(facts, QUICK, IN_2015) == (2264.0, 10, "fide")


@pytest.mark.statement("I3")
def test_blitz_starts_from_established_regular_before_anything_else() -> None:
    facts = player({REGULAR: REGULAR_26, QUICK: QUICK_26}, fide=FIDE, cfc=CFC)
    assert start(facts, BLITZ, IN_2015) == (1700.0, 10, "other-ratings")


@pytest.mark.statement("I3")
def test_blitz_prefers_fide_and_cfc_to_regular_that_is_not_established() -> None:
    few = {REGULAR: Rating(1700.0, 25), QUICK: QUICK_26}
    assert start(player(few, fide=FIDE, cfc=CFC), BLITZ, IN_2015) == (2264.0, 10, "fide")
    assert start(player(few, cfc=CFC), BLITZ, IN_2015) == (pytest.approx(1740.0), 5, "cfc")
    assert start(player(few), BLITZ, IN_2015) == (1700.0, 10, "other-ratings")
    assert start(player({REGULAR: Rating(1700.0, 4), QUICK: QUICK_26}), BLITZ, IN_2015) == (
        1700.0,
        4,
        "other-ratings",
    )


@pytest.mark.statement("I3")
def test_blitz_ends_with_quick_age_and_750() -> None:
    few = {REGULAR: Rating(1700.0, 3), QUICK: Rating(1600.0, 4)}
    assert start(player(few), BLITZ, IN_2015) == (1600.0, 0, "other-ratings")
    too_few = {REGULAR: Rating(1700.0, 3), QUICK: Rating(1600.0, 3)}
    assert start(player(too_few, born=date(2005, 6, 15)), BLITZ, IN_2015)[2] == "age"
    assert start(player(too_few), BLITZ, IN_2015) == (750.0, 0, "default")


ALL_RATINGS = {
    ONLINE_BLITZ: Rating(1400.0, 1),
    ONLINE_QUICK: Rating(1450.0, 1),
    BLITZ: Rating(1500.0, 1),
    QUICK: Rating(1600.0, 1),
    REGULAR: Rating(1700.0, 1),
}


@pytest.mark.statement("I4")
def test_online_quick_takes_the_first_it_finds_whatever_its_games() -> None:
    ratings = {system: rating for system, rating in ALL_RATINGS.items() if system is not ONLINE_QUICK}
    for system, expected in (
        (ONLINE_BLITZ, (1400.0, 10, "other-ratings")),
        (QUICK, (1600.0, 0, "other-ratings")),
        (BLITZ, (1500.0, 0, "other-ratings")),
        (REGULAR, (1700.0, 0, "other-ratings")),
    ):
        assert start(player(ratings, fide=FIDE, cfc=CFC), ONLINE_QUICK, IN_2015) == expected
        del ratings[system]
    assert start(player(fide=FIDE, cfc=CFC), ONLINE_QUICK, IN_2015) == (2264.0, 0, "fide")
    assert start(player(cfc=CFC), ONLINE_QUICK, IN_2015) == (pytest.approx(1740.0), 0, "cfc")
    assert start(player(born=date(2005, 6, 15)), ONLINE_QUICK, IN_2015)[1:] == (0, "age")
    assert start(player(), ONLINE_QUICK, IN_2015) == (750.0, 0, "default")


@pytest.mark.statement("I5")
def test_online_blitz_takes_the_first_it_finds_and_credits_no_games() -> None:
    ratings = {system: rating for system, rating in ALL_RATINGS.items() if system is not ONLINE_BLITZ}
    for system, expected in (
        (ONLINE_QUICK, (1450.0, 0, "other-ratings")),
        (BLITZ, (1500.0, 0, "other-ratings")),
        (QUICK, (1600.0, 0, "other-ratings")),
        (REGULAR, (1700.0, 0, "other-ratings")),
    ):
        assert start(player(ratings, fide=FIDE, cfc=CFC), ONLINE_BLITZ, IN_2015) == expected
        del ratings[system]
    assert start(player(fide=FIDE, cfc=CFC), ONLINE_BLITZ, IN_2015) == (2264.0, 0, "fide")
    assert start(player(cfc=CFC), ONLINE_BLITZ, IN_2015) == (pytest.approx(1740.0), 0, "cfc")
    assert start(player(born=date(2005, 6, 15)), ONLINE_BLITZ, IN_2015)[1:] == (0, "age")


@pytest.mark.statement("I6")
def test_a_foreign_national_rating_is_the_offices_decision_on_no_games() -> None:
    facts = player(fide=FIDE)._replace(initial={REGULAR: InitialRating(1875.0)})
    rated = rate_newcomer(facts, REGULAR, IN_2015)
    assert tuple(seat_of(rated, 1).before) == (1875.0, 0, "initial")


@pytest.mark.statement("I1", "I2")
def test_the_lists_of_2015_hold_from_2001_on() -> None:
    assert start(player({QUICK: QUICK_26}, cfc=CFC), REGULAR, "2002-06-15") == (
        pytest.approx(1740.0),
        5,
        "cfc",
    )
    assert start(player({REGULAR: REGULAR_26}, fide=FIDE), QUICK, "2002-06-15") == (
        1700.0,
        10,
        "other-ratings",
    )


@pytest.mark.statement("I9", "M7")
def test_the_lists_give_way_to_the_blend_on_1_june_2020() -> None:
    facts = player({QUICK: Rating(1600.0, 26), BLITZ: Rating(1400.0, 26)})
    assert start(facts, REGULAR, LAST_DAY_OF_LISTS) == (1600.0, 0, "other-ratings")
    assert start(facts, REGULAR, FIRST_DAY_OF_BLEND) == (1500.0, 10, "other-ratings")


# Age


def aged(days: int, on: str, *, adult: bool | None = None) -> tuple[Any, float, str]:
    """Return the start of somebody who is so many days old on the section's last day."""
    end = date.fromisoformat(on) + timedelta(days=1)
    return start(player(born=end - timedelta(days=days), adult=adult), REGULAR, on, end.isoformat())


@pytest.mark.statement("I8")
@pytest.mark.parametrize(
    ("days", "rating", "source"),
    [
        (1461, 200.0, "age"),
        (1096, 50 * 1096 / 365.25, "age"),
        (1095, 1300.0, "default"),
        (0, 1300.0, "default"),
        (9496, 50 * 9496 / 365.25, "age"),
        (9497, 1300.0, "age"),
        (20000, 1300.0, "age"),
    ],
)
def test_age_by_the_editions_of_2015(days: int, rating: float, source: str) -> None:
    for on in ("2006-03-01", IN_2015, LAST_DAY_OF_LISTS):
        assert aged(days, on) == (pytest.approx(rating), 0, source)


@pytest.mark.statement("I15", "Q15")
@pytest.mark.parametrize(
    ("days", "rating", "source"),
    [
        (1461, 200.0, "age"),
        (1096, 50 * 1096 / 365.25, "age"),
        (1095, 750.0, "default"),
        (800, 750.0, "default"),
        (100, 750.0, "default"),
        (9496, 50 * 9496 / 365.25, "age"),
        (9497, 1300.0, "age"),
    ],
)
def test_age_by_the_edition_of_2025(days: int, rating: float, source: str) -> None:
    for on in (FIRST_DAY_OF_BLEND, IN_2025):
        assert aged(days, on) == (pytest.approx(rating), 0, source)


@pytest.mark.statement("I15", "Q15")
def test_an_adult_below_three_starts_at_1300_since_2020() -> None:
    assert aged(1095, IN_2025, adult=True) == (1300.0, 0, "default")


@pytest.mark.statement("I8", "I15")
@pytest.mark.parametrize("on", ["2002-06-15", IN_2015, IN_2025])
@pytest.mark.parametrize(("adult", "rating"), [(True, 1300.0), (False, 750.0), (None, 750.0)])
def test_without_birth_date_only_a_known_adult_starts_at_1300(
    on: str, *, adult: bool | None, rating: float
) -> None:
    assert start(player(adult=adult), REGULAR, on) == (rating, 0, "default")


@pytest.mark.statement("I8")
@pytest.mark.parametrize(
    ("days", "rating", "source"),
    [
        (1461, 500.0, "age"),
        (1460, 750.0, "default"),
        (3653, 300 + 50 * 3653 / 365.25, "age"),
        (7304, 300 + 50 * 7304 / 365.25, "age"),
        (7305, 1300.0, "age"),
        (15000, 1300.0, "age"),
    ],
)
def test_age_until_february_2006(days: int, rating: float, source: str) -> None:
    for on in ("2001-06-15", "2006-02-28"):
        assert aged(days, on) == (pytest.approx(rating), 0, source)


@pytest.mark.statement("I8", "M7")
def test_the_age_formula_changed_in_march_2006() -> None:
    assert aged(3653, "2006-02-28")[0] == pytest.approx(300 + 50 * 3653 / 365.25)
    assert aged(3653, "2006-03-01")[0] == pytest.approx(50 * 3653 / 365.25)


@pytest.mark.statement("I8", "I12")
def test_an_age_based_rating_is_not_rounded() -> None:
    rating, _, _ = aged(3653, IN_2025)
    assert rating != round(rating)


@pytest.mark.statement("I8")
def test_age_is_taken_on_the_sections_last_day() -> None:
    born = date(2015, 6, 15)
    first = start(player(born=born), REGULAR, "2025-06-15", "2025-06-15")[0]
    later = start(player(born=born), REGULAR, "2025-06-15", "2025-07-15")[0]
    assert later - first == pytest.approx(50 * 30 / 365.25)


@pytest.mark.statement("I15", "Q15")
@pytest.mark.parametrize(
    ("age", "rating"),
    [(-1, 100), (0, 100), (1.999, 100), (2, 100), (2.5, 125), (26, 1300), (26.1, 1300), (80, 1300)],
)
def test_the_plain_formula_at_the_time_of_an_old_rating(age: float, rating: float) -> None:
    assert plain_age_rating(rules_of(IN_2025), age) == rating


# The blend


def weights(facts: PlayerFacts, system: System, on: str, end: str = "") -> dict[int, float]:
    """Return the weight of each source that took part."""
    step1 = rate_newcomer(facts, system, on, end).step1
    assert step1 is not None
    return {source: step1.weight[source] for source in range(SOURCES) if step1.weight[source] > 0.0}


@pytest.mark.statement("I9")
def test_without_any_other_rating_age_decides() -> None:
    assert start(player(born=date(2015, 6, 15)), REGULAR, IN_2025) == (
        pytest.approx(500.0, abs=0.5),
        0,
        "age",
    )
    assert start(player(), REGULAR, IN_2025) == (750.0, 0, "default")


@pytest.mark.statement("I9", "I10")
def test_seven_sources_take_part() -> None:
    ratings = {system: Rating(1500.0, 100) for system in System if system is not REGULAR}
    facts = player(ratings, fide=ForeignRating(2100.0), cfc=ForeignRating(1500.0), canadian=True)
    assert weights(facts, REGULAR, IN_2025) == {
        FROM_QUICK: 5.0,
        FROM_BLITZ: 5.0,
        FROM_ONLINE_REGULAR: 5.0,
        FROM_ONLINE_QUICK: 5.0,
        FROM_ONLINE_BLITZ: 5.0,
        FROM_FIDE: 10.0,
        FROM_CFC: 5.0,
    }
    # By hand: six sources of 1500 or what converts to it, and FIDE 2100 -> 2162, CFC 1500 -> 1270.
    assert start(facts, REGULAR, IN_2025)[:2] == (round((25 * 1500 + 10 * 2162 + 5 * 1270) / 40), 10)


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
    most = 10.0 if source is REGULAR or (system, source) in FULL_WEIGHT else 5.0
    for games, factor in ((3, 3.0), (7, min(7.0, most)), (100, most), (None, most)):
        facts = player({source: Rating(1500.0, games)})
        assert weights(facts, system, IN_2025) == {OVER_THE_BOARD_AND_ONLINE[source]: factor}
        assert start(facts, system, IN_2025) == (1500.0, factor, "other-ratings")


@pytest.mark.statement("I10", "Q16")
@pytest.mark.parametrize(
    ("fide", "factor"), [(1400, 5), (2000, 5), (2000.5, 10), (2001, 10), (2150, 10), (2600, 10)]
)
def test_the_game_factor_of_fide_changes_above_2000(fide: float, factor: float) -> None:
    for system in (REGULAR, QUICK, ONLINE_BLITZ):
        for on in (FIRST_DAY_OF_BLEND, IN_2025):
            assert start(player(fide=ForeignRating(fide)), system, on)[1:] == (factor, "fide")


@pytest.mark.statement("I10", "Q25")
def test_a_cfc_rating_counts_for_canadian_residents_only() -> None:
    for on in (FIRST_DAY_OF_BLEND, IN_2025):
        resident = player(cfc=ForeignRating(1300.0), canadian=True)
        assert start(resident, REGULAR, on)[1:] == (5, "cfc")
        assert start(player(cfc=ForeignRating(1300.0)), REGULAR, on) == (750.0, 0, "default")


@pytest.mark.statement("I7", "I13", "I14", "Q16")
def test_the_blend_converts_by_the_day_of_the_section() -> None:
    fide, cfc = player(fide=ForeignRating(1420.0)), player(cfc=ForeignRating(1300.0), canadian=True)
    assert start(fide, REGULAR, "2021-06-01") == (1515.0, 5, "fide")
    assert start(fide, REGULAR, "2024-02-29") == (1515.0, 5, "fide")
    assert start(fide, REGULAR, "2024-03-01") == (1152.0, 5, "fide")
    assert start(cfc, REGULAR, "2024-12-31") == (1210.0, 5, "cfc")
    assert start(cfc, REGULAR, "2025-01-01") == (1014.0, 5, "cfc")


@pytest.mark.statement("I11", "I12", "I16")
def test_the_worked_example_of_2025() -> None:
    ratings = {
        REGULAR: Rating(1759.0, None, as_of=date(2018, 3, 25)),
        QUICK: Rating(1643.0, None, as_of=date(2018, 1, 13)),
        BLITZ: Rating(1658.0, None, as_of=date(2016, 7, 16)),
    }
    facts = player(ratings, born=date(2000, 7, 1))
    rated = rate_newcomer(facts, ONLINE_BLITZ, "2020-09-01")
    step1 = rated.step1
    assert step1 is not None
    assert step1.staleness_days[:3] == [891, 962, 1508]
    assert step1.age_rating[:3] == pytest.approx([886.516, 876.797, 802.053], abs=5e-4)
    assert step1.strength[:3] == pytest.approx([2.4928, 2.1892, 2.4456], abs=5e-5)
    assert step1.staleness[:3] == pytest.approx([0.598498, 0.547593, 0.414572], abs=5e-7)
    assert step1.weight[:3] == pytest.approx([5.98498, 2.73796, 4.14572], abs=5e-6)
    assert tuple(seat_of(rated, 1).before) == (1702.0, 10.0, "other-ratings")


@pytest.mark.statement("I11")
def test_strength_for_age_is_cut_at_six_and_then_nothing_goes_stale() -> None:
    ratings = {REGULAR: Rating(2900.0, 30, as_of=date(2021, 1, 1))}
    facts = player(ratings, born=date(2015, 1, 1))
    assert weights(facts, QUICK, IN_2025) == {FROM_REGULAR: 10.0}


@pytest.mark.statement("I11", "Q25")
def test_a_rating_from_the_future_is_not_stale() -> None:
    ratings = {REGULAR: Rating(1000.0, 30, as_of=date(2025, 12, 1))}
    assert weights(player(ratings), QUICK, IN_2025) == {FROM_REGULAR: 10.0}


@pytest.mark.statement("I11", "Q25")
def test_fide_and_cfc_go_stale_from_the_date_of_their_list() -> None:
    """By hand: adult, so P = 1300; X = 2162; Z = 862 / 350; D = 1461 days."""
    facts = player(fide=ForeignRating(2100.0, date(2021, 6, 15)), adult=True)
    stale = math.exp(0.06 * (862.0 / 350.0 - 6.0) * 1461.0 / 365.25)
    assert weights(facts, REGULAR, IN_2025) == {FROM_FIDE: pytest.approx(10.0 * stale)}


@pytest.mark.statement("I11", "I15", "Q15")
def test_the_age_based_rating_at_the_time_of_an_old_rating() -> None:
    rated_on = date(2020, 6, 15)
    stored = {REGULAR: Rating(500.0, 30, as_of=rated_on)}

    def then(**more: Any) -> float:  # noqa: ANN401 - fields of PlayerFacts, of whatever type
        step1 = rate_newcomer(player(stored)._replace(**more), QUICK, IN_2025).step1
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
@pytest.mark.parametrize(
    ("rating", "rounded"), [(1600.4, 1600), (1600.5, 1601), (1601.5, 1602), (1600.6, 1601)]
)
def test_a_blended_rating_is_rounded_even_with_one_source(rating: float, rounded: float) -> None:
    assert start(player({REGULAR: Rating(rating, 30)}), QUICK, IN_2025)[0] == rounded


@pytest.mark.statement("I12")
def test_the_sum_of_weights_is_rounded_up_to_at_least_one_and_at_most_ten() -> None:
    ancient = player({REGULAR: Rating(100.0, 30, as_of=date(1980, 1, 1))}, adult=True)
    assert sum(weights(ancient, QUICK, IN_2025).values()) < 0.001
    assert start(ancient, QUICK, IN_2025)[:2] == (100.0, 1)
    stale = player({REGULAR: Rating(1300.0, 30, as_of=date(2024, 6, 15))}, adult=True)
    assert weights(stale, QUICK, IN_2025)[FROM_REGULAR] == pytest.approx(10 * math.exp(-0.36 * 365 / 365.25))
    assert start(stale, QUICK, IN_2025)[:2] == (1300.0, 7)
    both = player({REGULAR: Rating(1300.0, 30), BLITZ: Rating(1400.0, 30)}, adult=True)
    assert start(both, QUICK, IN_2025)[:2] == (1333.0, 10)


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


@pytest.mark.statement("I10", "I12", "Q25")
def test_a_source_without_games_drops_out() -> None:
    facts = player({REGULAR: Rating(1900.0, 0), BLITZ: Rating(1400.0, 30)})
    assert start(facts, QUICK, IN_2025) == (1400.0, 5, "other-ratings")
    assert start(player({REGULAR: Rating(1900.0, 0)}), QUICK, IN_2025) == (750.0, 0, "default")


@pytest.mark.statement("I9", "S8", "Q33")
def test_the_system_itself_is_no_source() -> None:
    """A rating stored on no games is the initial rating; the blend is not asked."""
    facts = player({REGULAR: Rating(1900.0, 0), QUICK: Rating(1400.0, 100)})
    assert start(facts, REGULAR, IN_2025) == (1900.0, 0, "initial")

"""Step 1 before the blend: priority lists and age."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from ratebook.model import ForeignRating, InitialRating, Rating, System
from ratebook.rating.columns import gather_sources
from ratebook.rating.step1 import first_in_priority, plain_age_rating
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

IN_2015 = "2015-06-15"
LAST_DAY_OF_LISTS = "2020-05-31"

REGULAR_26 = Rating(1700.0, 26)
QUICK_26 = Rating(1600.0, 26)
BLITZ_26 = Rating(1500.0, 26)
FIDE = ForeignRating(2200.0)
CFC = ForeignRating(1800.0)


# The priority lists


@pytest.mark.statement("I1", "Q26")
def test_regular_starts_from_fide_then_cfc_then_quick_then_age() -> None:
    quick = {QUICK: QUICK_26}
    born = date(2005, 6, 15)
    assert first_rating(newcomer(quick, fide=FIDE, cfc=CFC, born=born), REGULAR, IN_2015) == (
        2264.0,
        10,
        "fide",
    )
    assert first_rating(newcomer(quick, cfc=CFC, born=born), REGULAR, IN_2015) == (
        pytest.approx(1740.0),
        5,
        "cfc",
    )
    assert first_rating(newcomer(quick, born=born), REGULAR, IN_2015) == (1600.0, 0, "other-ratings")
    assert first_rating(newcomer(born=born), REGULAR, IN_2015) == (pytest.approx(500.0, abs=0.1), 0, "age")
    assert first_rating(newcomer(), REGULAR, IN_2015) == (750.0, 0, "default")


@pytest.mark.statement("I1")
def test_regular_does_not_start_from_blitz() -> None:
    assert first_rating(newcomer({BLITZ: BLITZ_26}, adult=True), REGULAR, IN_2015) == (1300.0, 0, "default")


@pytest.mark.statement("I1", "Q16")
@pytest.mark.parametrize(
    ("fide", "games"), [(1400, 5), (2000, 5), (2001, 5), (2150, 5), (2150.5, 10), (2151, 10)]
)
def test_fide_above_2150_counts_ten_games(fide: float, games: float) -> None:
    for system in (REGULAR, QUICK, BLITZ):
        assert first_rating(newcomer(fide=ForeignRating(fide)), system, IN_2015)[1:] == (games, "fide")


@pytest.mark.statement("Q38")
@pytest.mark.parametrize(
    ("on", "fide", "start"),
    [
        ("2005-10-01", 2150.0, (2200.0, 5)),
        ("2005-10-01", 2151.0, (2201.0, 10)),
        ("2008-04-01", 2150.0, (2150.0, 5)),
        ("2008-04-01", 2151.0, (2151.0, 10)),
        ("2011-02-11", 2150.0, (2144.0, 5)),
        ("2011-02-11", 2151.0, (2145.16, 10)),
        ("2011-02-11", 1950.0, (1938.75, 5)),
        ("2015-01-01", 2151.0, (2214.02, 10)),
    ],
)
def test_a_newcomer_with_a_fide_rating_starts_as_in_his_year(
    on: str, fide: float, start: tuple[float, float]
) -> None:
    """Every published first rating of 2008 to 2014 on ten games is 2145 or more, on five none is above 2107."""
    for system in (REGULAR, QUICK):
        points, games, source = first_rating(newcomer(fide=ForeignRating(fide)), system, on)
        assert (points, games, source) == (pytest.approx(start[0]), start[1], "fide")


@pytest.mark.statement("I1")
@pytest.mark.parametrize(("cfc", "games"), [(1200, 0), (1500, 0), (1501, 5)])
def test_cfc_above_1500_counts_five_games(cfc: float, games: float) -> None:
    for system in (REGULAR, QUICK, BLITZ):
        assert first_rating(newcomer(cfc=ForeignRating(cfc)), system, IN_2015)[1:] == (games, "cfc")


@pytest.mark.statement("I1", "I7")
def test_a_cfc_rating_counts_whoever_lives_where_before_the_blend() -> None:
    for canadian in (False, True):
        facts = newcomer(cfc=ForeignRating(1000.0), canadian=canadian)
        assert first_rating(facts, REGULAR, LAST_DAY_OF_LISTS) == (910.0, 0, "cfc")


@pytest.mark.statement("I1")
def test_regular_starts_from_quick_of_at_least_four_games() -> None:
    assert first_rating(newcomer({QUICK: Rating(1600.0, 4)}), REGULAR, IN_2015) == (
        1600.0,
        0,
        "other-ratings",
    )
    assert first_rating(newcomer({QUICK: Rating(1600.0, 3)}), REGULAR, IN_2015) == (750.0, 0, "default")


@pytest.mark.statement("I2")
def test_quick_starts_from_regular_then_fide_then_cfc_then_age() -> None:
    regular = {REGULAR: REGULAR_26}
    born = date(2005, 6, 15)
    assert first_rating(newcomer(regular, fide=FIDE, cfc=CFC, born=born), QUICK, IN_2015) == (
        1700.0,
        10,
        "other-ratings",
    )
    assert first_rating(newcomer(fide=FIDE, cfc=CFC, born=born), QUICK, IN_2015) == (2264.0, 10, "fide")
    assert first_rating(newcomer(cfc=CFC, born=born), QUICK, IN_2015) == (pytest.approx(1740.0), 5, "cfc")
    assert first_rating(newcomer(born=born), QUICK, IN_2015)[2] == "age"
    assert first_rating(newcomer(), QUICK, IN_2015) == (750.0, 0, "default")


@pytest.mark.statement("I2")
@pytest.mark.parametrize(("games", "credited"), [(4, 4), (7, 7), (9.5, 9.5), (10, 10), (11, 10), (None, 10)])
def test_quick_credits_the_games_of_the_regular_rating_up_to_ten(
    games: float | None, credited: float
) -> None:
    facts = newcomer({REGULAR: Rating(1700.0, games)})
    assert first_rating(facts, QUICK, IN_2015) == (1700.0, credited, "other-ratings")


@pytest.mark.statement("I2")
def test_quick_does_not_start_from_a_regular_rating_of_three_games() -> None:
    facts = newcomer({REGULAR: Rating(1700.0, 3)}, fide=FIDE)
    assert first_rating(facts, QUICK, IN_2015) == (2264.0, 10, "fide")


@pytest.mark.statement("I3")
def test_blitz_starts_from_established_regular_before_anything_else() -> None:
    facts = newcomer({REGULAR: REGULAR_26, QUICK: QUICK_26}, fide=FIDE, cfc=CFC)
    assert first_rating(facts, BLITZ, IN_2015) == (1700.0, 10, "other-ratings")


@pytest.mark.statement("I3")
def test_blitz_prefers_fide_and_cfc_to_regular_that_is_not_established() -> None:
    few = {REGULAR: Rating(1700.0, 25), QUICK: QUICK_26}
    assert first_rating(newcomer(few, fide=FIDE, cfc=CFC), BLITZ, IN_2015) == (2264.0, 10, "fide")
    assert first_rating(newcomer(few, cfc=CFC), BLITZ, IN_2015) == (pytest.approx(1740.0), 5, "cfc")
    assert first_rating(newcomer(few), BLITZ, IN_2015) == (1700.0, 10, "other-ratings")
    assert first_rating(newcomer({REGULAR: Rating(1700.0, 4), QUICK: QUICK_26}), BLITZ, IN_2015) == (
        1700.0,
        4,
        "other-ratings",
    )


@pytest.mark.statement("I3")
def test_blitz_ends_with_quick_age_and_750() -> None:
    few = {REGULAR: Rating(1700.0, 3), QUICK: Rating(1600.0, 4)}
    assert first_rating(newcomer(few), BLITZ, IN_2015) == (1600.0, 0, "other-ratings")
    too_few = {REGULAR: Rating(1700.0, 3), QUICK: Rating(1600.0, 3)}
    assert first_rating(newcomer(too_few, born=date(2005, 6, 15)), BLITZ, IN_2015)[2] == "age"
    assert first_rating(newcomer(too_few), BLITZ, IN_2015) == (750.0, 0, "default")


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
        assert first_rating(newcomer(ratings, fide=FIDE, cfc=CFC), ONLINE_QUICK, IN_2015) == expected
        del ratings[system]
    assert first_rating(newcomer(fide=FIDE, cfc=CFC), ONLINE_QUICK, IN_2015) == (2264.0, 0, "fide")
    assert first_rating(newcomer(cfc=CFC), ONLINE_QUICK, IN_2015) == (pytest.approx(1740.0), 0, "cfc")
    assert first_rating(newcomer(born=date(2005, 6, 15)), ONLINE_QUICK, IN_2015)[1:] == (0, "age")
    assert first_rating(newcomer(), ONLINE_QUICK, IN_2015) == (750.0, 0, "default")


@pytest.mark.statement("I5")
def test_online_blitz_takes_the_first_it_finds_and_credits_no_games() -> None:
    ratings = {system: rating for system, rating in ALL_RATINGS.items() if system is not ONLINE_BLITZ}
    for system, expected in (
        (ONLINE_QUICK, (1450.0, 0, "other-ratings")),
        (BLITZ, (1500.0, 0, "other-ratings")),
        (QUICK, (1600.0, 0, "other-ratings")),
        (REGULAR, (1700.0, 0, "other-ratings")),
    ):
        assert first_rating(newcomer(ratings, fide=FIDE, cfc=CFC), ONLINE_BLITZ, IN_2015) == expected
        del ratings[system]
    assert first_rating(newcomer(fide=FIDE, cfc=CFC), ONLINE_BLITZ, IN_2015) == (2264.0, 0, "fide")
    assert first_rating(newcomer(cfc=CFC), ONLINE_BLITZ, IN_2015) == (pytest.approx(1740.0), 0, "cfc")
    assert first_rating(newcomer(born=date(2005, 6, 15)), ONLINE_BLITZ, IN_2015)[1:] == (0, "age")


@pytest.mark.statement("I6")
def test_a_foreign_national_rating_is_the_offices_decision_on_no_games() -> None:
    facts = newcomer(fide=FIDE)._replace(initial={REGULAR: InitialRating(1875.0)})
    rated = rate_newcomer(facts, REGULAR, IN_2015)
    assert tuple(seat_of(rated, 1).before) == (1875.0, 0, "initial")


@pytest.mark.statement("Q37")
@pytest.mark.parametrize("source", [QUICK, BLITZ, REGULAR, ONLINE_BLITZ])
def test_a_rating_on_no_games_is_no_source_of_the_lists(source: System) -> None:
    """Born 2000-07-01, 5906 days before 2016-09-01: 50 x 5906 / 365.25 = 808.4873."""
    facts = newcomer({source: Rating(2000.0, 0)}, born=date(2000, 7, 1))
    by_age = first_rating(facts, ONLINE_QUICK, "2016-09-01")
    assert by_age == (pytest.approx(808.4873, abs=1e-4), 0, "age")
    facts = newcomer({source: Rating(2000.0, 0), REGULAR: Rating(1400.0, 0.5)}, born=date(2000, 7, 1))
    assert first_rating(facts, ONLINE_QUICK, "2016-09-01") == (1400.0, 0, "other-ratings")


@pytest.mark.statement("Q37")
def test_the_lists_of_older_books_start_from_a_rating_on_no_games() -> None:
    older = rules_of("2016-09-01", ONLINE_QUICK, lists_skip_ratings_without_games=0)
    columns = gather_sources([newcomer({QUICK: Rating(2000.0, 0)})], 736208.0)
    assert first_in_priority(older, columns, 0)[:2] == (2000.0, 0.0)


@pytest.mark.statement("I1", "I2")
def test_the_lists_of_2015_hold_from_2001_on() -> None:
    assert first_rating(newcomer({QUICK: QUICK_26}, cfc=CFC), REGULAR, "2002-06-15") == (
        pytest.approx(1740.0),
        5,
        "cfc",
    )
    assert first_rating(newcomer({REGULAR: REGULAR_26}, fide=FIDE), QUICK, "2002-06-15") == (
        1700.0,
        10,
        "other-ratings",
    )


@pytest.mark.statement("I9", "M7")
def test_the_lists_give_way_to_the_blend_on_1_june_2020() -> None:
    facts = newcomer({QUICK: Rating(1600.0, 26), BLITZ: Rating(1400.0, 26)})
    assert first_rating(facts, REGULAR, LAST_DAY_OF_LISTS) == (1600.0, 0, "other-ratings")
    assert first_rating(facts, REGULAR, FIRST_DAY_OF_BLEND) == (1500.0, 10, "other-ratings")


# Age


def aged(days: int, on: str, *, adult: bool | None = None) -> tuple[Any, float, str]:
    """Return the start of somebody who is so many days old on the section's last day."""
    end = date.fromisoformat(on) + timedelta(days=1)
    return first_rating(newcomer(born=end - timedelta(days=days), adult=adult), REGULAR, on, end.isoformat())


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
    assert first_rating(newcomer(adult=adult), REGULAR, on) == (rating, 0, "default")


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
    first = first_rating(newcomer(born=born), REGULAR, "2025-06-15", "2025-06-15")[0]
    later = first_rating(newcomer(born=born), REGULAR, "2025-06-15", "2025-07-15")[0]
    assert later - first == pytest.approx(50 * 30 / 365.25)


@pytest.mark.statement("I15", "Q15")
@pytest.mark.parametrize(
    ("age", "rating"),
    [(-1, 100), (0, 100), (1.999, 100), (2, 100), (2.5, 125), (26, 1300), (26.1, 1300), (80, 1300)],
)
def test_the_plain_formula_at_the_time_of_an_old_rating(age: float, rating: float) -> None:
    assert plain_age_rating(rules_of(IN_2025), age) == rating

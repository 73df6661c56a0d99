"""The published formulas one by one, with the values that the documents print or that follow from them by hand."""

from __future__ import annotations

import math

import pytest

from ratebook.model import Rating, System
from ratebook.rating.formulas import (
    bonus_threshold,
    converted_cfc,
    converted_fide,
    converted_fide_youth,
    expectancy_numbers,
    expected_score,
    k_factor,
    most_effective_games,
    provisional_expected_score,
    rounded,
    stored_rating,
    strength,
)
from ratebook.rating.steps import bonus_eligible
from ratebook.rules.in_force import FIDE_TABLE, LINEAR, LOGISTIC, NORMAL
from support.builders import BLITZ, QUICK, REGULAR, rate, rules_of, workings_of

TODAY = rules_of("2026-01-01")
PAGE_OF_2001 = rules_of("2002-06-01")


# Effective games


@pytest.mark.statement("E1")
@pytest.mark.parametrize(
    ("rating", "most"),
    [
        (100, 7.3954),
        (1300, 14.1069),
        (1700, 20.0118),
        (2200, 38.7117),
        (2355, 49.9892),
        (2355.001, 50),
        (2800, 50),
    ],
)
def test_effective_games_have_an_upper_end_by_rating(rating: float, most: float) -> None:
    assert most_effective_games(TODAY, rating) == pytest.approx(most, abs=5e-5)


def effective_games(rating: float, games: float | None) -> float:
    """Return N' of a player in a section."""
    return workings_of(rate([Rating(rating, games), Rating(1500.0, 50)], ["D2", "D1"]), 1).effective_games


@pytest.mark.statement("E1")
def test_effective_games_are_the_games_where_these_are_fewer() -> None:
    assert effective_games(1700.0, 19.0) == 19.0
    assert effective_games(1700.0, 21.0) == pytest.approx(20.0118, abs=5e-5)
    assert effective_games(2800.0, 49.0) == 49.0
    assert effective_games(2800.0, 51.0) == 50.0


@pytest.mark.statement("E1")
def test_effective_games_of_eight_are_cut_only_for_very_low_ratings() -> None:
    assert effective_games(289.46, 8.0) < 8.0
    assert effective_games(289.48, 8.0) == 8.0


@pytest.mark.statement("E1")
def test_effective_games_of_an_established_player_with_unknown_games_are_the_upper_end() -> None:
    assert effective_games(1700.0, None) == effective_games(1700.0, 1000.0)


@pytest.mark.statement("E2", "Q31")
@pytest.mark.parametrize(
    ("rating", "most"), [(1700, 26.726), (1300, 16.5748), (2200, 50), (2100, 47.6731), (2500, 50)]
)
def test_effective_games_until_2013_are_those_of_the_page_of_2001(rating: float, most: float) -> None:
    assert most_effective_games(PAGE_OF_2001, rating) == pytest.approx(most, abs=5e-4)


@pytest.mark.statement("E3")
def test_effective_games_changed_on_8_may_2013() -> None:
    assert most_effective_games(rules_of("2013-05-07"), 1700.0) == pytest.approx(26.726, abs=5e-4)
    assert most_effective_games(rules_of("2013-05-08"), 1700.0) == pytest.approx(20.0118, abs=5e-5)


# Expected scores


@pytest.mark.statement("G1")
@pytest.mark.parametrize(
    ("own", "opponent", "expected"),
    [
        (1300, 1250, 0.5715),
        (1300, 1400, 0.3599),
        (1300, 1500, 0.2403),
        (1300, 1550, 0.1917),
        (1500, 1500, 0.5),
        (1900, 1500, 10 / 11),
    ],
)
def test_the_standard_expectancy(own: float, opponent: float, expected: float) -> None:
    assert expected_score(TODAY, own, opponent) == pytest.approx(expected, abs=5e-5)


@pytest.mark.statement("F1")
@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (1099, 0),
        (1100, 0),
        (1100.8, 0.001),
        (1300, 0.25),
        (1500, 0.5),
        (1700, 0.75),
        (1899.2, 0.999),
        (1900, 1),
        (2000, 1),
    ],
)
def test_the_provisional_expectancy_is_a_closed_ramp(own: float, expected: float) -> None:
    assert provisional_expected_score(TODAY, own, 1500.0) == pytest.approx(expected, abs=1e-12)


# K


@pytest.mark.statement("G2")
@pytest.mark.parametrize(
    ("prior", "played", "k"),
    [
        (6, 4, 80),
        (6, 6, 66.67),
        (6, 10, 50),
        (20, 4, 33.33),
        (20, 6, 30.77),
        (20, 10, 26.67),
        (50, 4, 14.81),
        (50, 6, 14.29),
        (50, 10, 13.33),
    ],
)
def test_k_as_in_the_printed_table(prior: float, played: int, k: float) -> None:
    assert k_factor(TODAY, 1500.0, prior, played, 0, 0) == pytest.approx(k, abs=0.005)


@pytest.mark.statement("G5", "Q17")
@pytest.mark.parametrize(
    ("prior", "played", "k"),
    [
        (6, 4, 50),
        (6, 6, 44.44),
        (6, 10, 36.36),
        (20, 4, 18.18),
        (20, 6, 17.39),
        (20, 10, 16),
        (50, 4, 7.69),
        (50, 6, 7.547),
        (50, 10, 7.27),
    ],
)
def test_half_k_as_in_the_table_of_2004(prior: float, played: int, k: float) -> None:
    assert k_factor(PAGE_OF_2001, 1500.0, prior, played, 1, 0) == pytest.approx(k, abs=0.005)


@pytest.mark.statement("G3", "A7", "Q18")
@pytest.mark.parametrize(
    ("rating", "numerator"),
    [
        (2200, 800),
        (2200.001, 799.998),
        (2300, 600),
        (2400, 400),
        (2499.999, 200.002),
        (2500, 200),
        (2800, 200),
    ],
)
def test_k_is_reduced_strictly_above_2200_in_dual_rated_sections(rating: float, numerator: float) -> None:
    assert k_factor(TODAY, rating, 46.0, 4, 0, 1) == pytest.approx(numerator / 50, rel=1e-9)
    assert k_factor(TODAY, rating, 46.0, 4, 0, 0) == 16.0


@pytest.mark.statement("G3", "A7", "Q18")
def test_k_is_reduced_in_otb_regular_only() -> None:
    for system in System:
        if system is not REGULAR:
            assert k_factor(rules_of("2026-01-01", system), 2400.0, 46.0, 4, 0, 1) == 16.0


@pytest.mark.statement("G3", "Q18")
def test_k_is_reduced_since_8_may_2013() -> None:
    assert k_factor(rules_of("2013-05-07"), 2400.0, 46.0, 4, 0, 1) == 16.0
    assert k_factor(rules_of("2013-05-08"), 2400.0, 46.0, 4, 0, 1) == pytest.approx(8.0)


# The bonus


@pytest.mark.statement("B1", "B2", "Q6", "Q7")
@pytest.mark.parametrize(
    ("first_day", "day_before", "multiplier", "multiplier_before"),
    [
        ("2008-06-06", "2008-06-05", 6, 10),
        ("2012-08-03", "2012-08-02", 8, 6),
        ("2014-03-20", "2014-03-19", 10, 8),
        ("2015-06-01", "2015-05-31", 12, 10),
        ("2017-06-01", "2017-05-31", 14, 12),
        ("2023-02-01", "2023-01-31", 12, 14),
        ("2025-01-01", "2024-12-31", 10, 12),
    ],
)
def test_the_bonus_multiplier_changed_on_each_printed_day(
    first_day: str, day_before: str, multiplier: float, multiplier_before: float
) -> None:
    for system in (REGULAR, QUICK, BLITZ):
        assert bonus_threshold(rules_of(first_day, system), 4) == 2 * multiplier
        assert bonus_threshold(rules_of(day_before, system), 4) == 2 * multiplier_before


@pytest.mark.statement("B1", "B2")
def test_the_bonus_multiplier_did_not_go_back_to_16_in_2003() -> None:
    assert rules_of("2001-01-01").bonus_multiplier == 10
    assert rules_of("2003-02-01").bonus_multiplier == 10


@pytest.mark.statement("G4")
@pytest.mark.parametrize(("played", "counted"), [(3, 4), (4, 4), (5, 5), (9, 9)])
def test_three_games_count_as_four_for_the_bonus(played: int, counted: int) -> None:
    assert bonus_threshold(TODAY, played) == pytest.approx(10 * math.sqrt(counted))


@pytest.mark.statement("B3", "Q8", "A8", "Q31")
@pytest.mark.parametrize(
    ("played", "meetings", "eligible"),
    [(2, 1, 0), (3, 1, 1), (3, 2, 0), (3, 3, 0), (4, 1, 1), (4, 2, 1), (4, 3, 0), (9, 2, 1), (9, 3, 0)],
)
def test_who_may_earn_a_bonus(played: int, meetings: int, eligible: int) -> None:
    """D25 section 4.2, in every year: published ratings of 2013 to 2021 show the rule for three games."""
    for on in ("2001-01-01", "2016-06-01", "2025-02-10"):
        assert bonus_eligible(rules_of(on), played, meetings) == eligible


# Conversions


@pytest.mark.statement("I7")
@pytest.mark.parametrize(
    ("fide", "converted"),
    [(1420, 1514.8), (1999, 2059.06), (2000, 2060), (2001, 2061.02), (2100, 2162), (2500, 2570)],
)
def test_fide_ratings_until_february_2024(fide: float, converted: float) -> None:
    for on in ("2015-01-01", "2015-06-01", "2020-06-01", "2024-02-29"):
        assert converted_fide(rules_of(on), fide) == pytest.approx(converted, abs=1e-9)


@pytest.mark.statement("Q38")
@pytest.mark.parametrize(
    ("days", "fide", "converted"),
    [
        (("2001-01-01", "2005-10-01", "2007-12-31"), 2151, 2201),
        (("2001-01-01", "2007-12-31"), 1600, 1650),
        (("2008-01-01", "2008-04-01", "2008-06-30"), 2151, 2151),
        (("2008-01-01", "2008-06-30"), 1600, 1600),
        (("2008-07-01", "2010-06-01", "2014-12-31"), 1950, 1938.75),
        (("2008-07-01", "2014-12-31"), 1600, 1720),
        (("2008-07-01", "2014-12-31"), 2000, 1970),
        (("2008-07-01", "2014-12-31"), 2300, 2318),
        (("2015-01-01",), 2151, 2214.02),
    ],
)
def test_fide_ratings_before_2015(days: tuple[str, ...], fide: float, converted: float) -> None:
    """2201 and 2151 as the office's programmer has them; 1950 becomes 1939 on a page on rating lists."""
    for on in days:
        assert converted_fide(rules_of(on), fide) == pytest.approx(converted, abs=1e-9)


@pytest.mark.statement("I13")
@pytest.mark.parametrize(
    ("fide", "converted"), [(1500, 1277.05), (2000, 2060.4), (2001, 2061.02), (2100, 2162), (2500, 2570)]
)
def test_fide_ratings_since_march_2024(fide: float, converted: float) -> None:
    assert converted_fide(rules_of("2024-03-01"), fide) == pytest.approx(converted, abs=1e-9)


@pytest.mark.statement("M1")
@pytest.mark.parametrize(
    ("on", "fide", "converted"),
    [
        ("2024-02-29", 1500, 1700),
        ("2024-02-29", 2000, 2080),
        ("2024-02-29", 2001, 2081),
        ("2024-03-01", 1500, 1447.05),
        ("2024-03-01", 2000, 2080.4),
        ("2024-03-01", 2001, 2081),
    ],
)
def test_fide_ratings_of_youth_events(on: str, fide: float, converted: float) -> None:
    assert converted_fide_youth(rules_of(on), fide) == pytest.approx(converted, abs=1e-9)


@pytest.mark.statement("I7")
@pytest.mark.parametrize(
    ("cfc", "converted"), [(1000, 910), (1500, 1410), (1501, 1411.1), (2000, 1960), (2400, 2400)]
)
def test_cfc_ratings_until_2024(cfc: float, converted: float) -> None:
    for on in ("2015-06-01", "2024-12-31"):
        assert converted_cfc(rules_of(on), cfc) == pytest.approx(converted, abs=1e-9)


@pytest.mark.statement("I14")
@pytest.mark.parametrize(
    ("cfc", "converted"),
    [
        (1000, 700),
        (1149, 821.435),
        (1150, 822),
        (1609, 1409.52),
        (1610, 1414.1),
        (1999, 1962.59),
        (2000, 1960),
        (2002, 1962.2),
        (2003, 1963.3),
    ],
)
def test_cfc_ratings_since_2025_drop_at_2000_as_printed(cfc: float, converted: float) -> None:
    assert converted_cfc(rules_of("2025-01-01"), cfc) == pytest.approx(converted, abs=1e-9)


# Rounding


@pytest.mark.statement("S5", "A14")
@pytest.mark.parametrize(
    ("rating", "shown"),
    [(1643.759, 1644), (1431.034, 1431), (1500.5, 1501), (1501.5, 1502), (1499.4999, 1499), (100.0, 100)],
)
def test_ratings_are_displayed_with_halves_rounded_up(rating: float, shown: float) -> None:
    assert rounded(rating) == shown


@pytest.mark.statement("A14", "G6", "Q30")
@pytest.mark.parametrize(
    ("before", "result", "stored"),
    [
        (1300, 1446.158, 1447),
        (1300, 1300.01, 1301),
        (1300, 1299.99, 1299),
        (1300, 1250.9, 1250),
        (1300, 1300, 1300),
        (1300, 1310.0000004, 1310),
        (1300, 1289.9999996, 1290),
        (1300, 1310.000002, 1311),
        (1300, 1300.0000004, 1300),
        (1299.6, 1299.9, 1300),
        (1299.6, 1299.2, 1299),
    ],
)
def test_ratings_were_stored_as_integers_rounded_away_until_august_2014(
    before: float, result: float, stored: float
) -> None:
    for on in ("2001-01-01", "2014-08-31"):
        assert stored_rating(rules_of(on), before, result) == stored
    assert stored_rating(rules_of("2014-09-01"), before, result) == result


@pytest.mark.statement("A14", "Q30")
def test_an_unchanged_initial_rating_is_stored_as_the_nearest_integer() -> None:
    """There is no way to be away from it; 499.66 is the Step 1 rating of a child of ten."""
    assert stored_rating(rules_of("2010-01-01"), 499.66, 499.66) == 500.0


# What expectancies depend on


@pytest.mark.parametrize("shape", [LOGISTIC, LINEAR, NORMAL, FIDE_TABLE])
def test_expectancies_depend_on_no_other_numbers_than_are_named(shape: int) -> None:
    rules = TODAY._replace(expectancy=shape, expectancy_most_difference=500.0)
    numbers = expectancy_numbers(rules)
    others = {field: value + 1.0 for field, value in rules._asdict().items()}
    named = {
        field for field in others if expectancy_numbers(rules._replace(**{field: others[field]})) != numbers
    }
    different = rules._replace(**{field: value for field, value in others.items() if field not in named})
    assert len(named) == len(numbers)
    assert expected_score(different, 1500.0, 1732.0) == expected_score(rules, 1500.0, 1732.0)
    assert strength(different, 1500.0) == strength(rules, 1500.0)

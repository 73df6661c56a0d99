"""Every dated value of docs/rules/readings.md#2-dated-values, typed from there: the day before and the day itself."""

from __future__ import annotations

import math
from datetime import date, timedelta
from pathlib import Path
from typing import get_type_hints

import pytest

from ratebook.model import Section, SectionType, System
from ratebook.rules.in_force import (
    AS_ADULT,
    AS_MISSING,
    BLEND,
    CLAUSE_AGE,
    CLAUSE_BLITZ,
    CLAUSE_CFC,
    CLAUSE_FIDE,
    CLAUSE_ONLINE_BLITZ_FULL,
    CLAUSE_ONLINE_QUICK,
    CLAUSE_QUICK,
    CLAUSE_QUICK_FEW_GAMES,
    CLAUSE_REGULAR,
    CLAUSE_REGULAR_ESTABLISHED,
    CLAUSE_REGULAR_FEW_GAMES,
    FLOAT,
    INTEGER_AWAY,
    LOGISTIC,
    NOT_ROUNDED,
    OFF,
    PRIORITY_LISTS,
    REVISED,
    RulesInForce,
)
from ratebook.rules.loading import SUBJECTS
from ratebook.rules.rulebook import load_rulebook
from ratebook.rules.snapshot import TIMELINE

REGULAR, QUICK, BLITZ = System.REGULAR, System.QUICK, System.BLITZ
ONLINE_REGULAR, ONLINE_QUICK, ONLINE_BLITZ = System.ONLINE_REGULAR, System.ONLINE_QUICK, System.ONLINE_BLITZ
OVER_THE_BOARD = (REGULAR, QUICK, BLITZ)
ONLINE = (ONLINE_REGULAR, ONLINE_QUICK, ONLINE_BLITZ)
ALL = (*OVER_THE_BOARD, *ONLINE)
START = "2001-01-01"
TODAY = date(2026, 11, 1)
UNLIMITED = math.inf

History = list[tuple[str, float]]


def value_on(field: str, system: System, day: date) -> float:
    number: float = getattr(load_rulebook().in_force(system, day), field)
    return number


def assert_history(field: str, systems: tuple[System, ...], history: History) -> None:
    """Assert that *field* changes on the given days only: on the day, and not on the day before."""
    assert history[0][0] == START
    for system in systems:
        for place, (text, expected) in enumerate(history):
            day = date.fromisoformat(text)
            assert value_on(field, system, day) == expected, (field, system, text)
            if place:
                assert value_on(field, system, day - timedelta(days=1)) == history[place - 1][1], (
                    field,
                    system,
                    text,
                )
        seen = [value_on(field, system, day) for day in load_rulebook().change_dates(system)]
        changes = [after for before, after in zip([math.nan, *seen], seen, strict=False) if before != after]
        assert changes == [expected for _, expected in history], (field, system)


BONUS: History = [
    (START, 10),
    ("2008-06-06", 6),
    ("2012-08-03", 8),
    ("2014-03-20", 10),
    ("2015-06-01", 12),
    ("2017-06-01", 14),
    ("2023-02-01", 12),
    ("2025-01-01", 10),
]


@pytest.mark.statement("B1")
def test_bonus_multiplier_follows_the_rulings() -> None:
    assert_history("bonus_multiplier", ALL, BONUS)


@pytest.mark.statement("B2")
@pytest.mark.parametrize("day", [date(2002, 12, 31), date(2003, 1, 1), date(2003, 2, 1), date(2008, 6, 5)])
def test_the_announced_return_to_16_never_took_effect(day: date) -> None:
    assert value_on("bonus_multiplier", REGULAR, day) == 10
    assert "16" in load_rulebook().value("bonus_multiplier", REGULAR, day).note


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2008, 6, 6), "E20 prints 2008-08-07"),
        (date(2012, 8, 3), "E20 prints 2012-08-04"),
        (date(2017, 6, 1), "effective May 1, 2017"),
    ],
)
def test_conflicting_dates_of_e20_are_noted_beside_the_value(day: date, words: str) -> None:
    dated = load_rulebook().value("bonus_multiplier", REGULAR, day)
    assert dated.since == day
    assert words in dated.note


def test_the_last_bonus_multiplier_is_from_the_july_2025_edition() -> None:
    dated = load_rulebook().value("bonus_multiplier", QUICK, TODAY)
    assert (dated.value, dated.document, dated.status) == (10, "E25", "documented")


SIMPLE: list[tuple[str, tuple[System, ...], History]] = [
    # bonus eligibility
    ("bonus_eligibility_least_games", ALL, [(START, 3)]),
    ("bonus_eligibility_most_meetings", ALL, [(START, 2)]),
    ("bonus_eligibility_most_meetings_at_least_games", ALL, [(START, 1)]),
    ("bonus_least_counted_games", ALL, [(START, 4)]),
    # effective games
    ("effective_games_most", ALL, [(START, 50)]),
    ("effective_games_constant", ALL, [(START, 1), ("2013-05-08", 0.662)]),
    ("effective_games_slope", ALL, [(START, 1e-5), ("2013-05-08", 0.00000739)]),
    ("effective_games_centre", ALL, [(START, 2200), ("2013-05-08", 2569)]),
    ("effective_games_knee", ALL, [(START, 2200), ("2013-05-08", 2355)]),
    ("newcomer_effective_games", ALL, [(START, 1)]),
    # reduced K
    ("reduced_k_above", (REGULAR,), [(START, OFF), ("2013-05-08", 2200)]),
    ("reduced_k_intercept", (REGULAR,), [(START, OFF), ("2013-05-08", 6.5)]),
    ("reduced_k_slope", (REGULAR,), [(START, OFF), ("2013-05-08", 0.0025)]),
    ("reduced_k_least_from", (REGULAR,), [(START, OFF), ("2013-05-08", 2500)]),
    ("reduced_k_least_numerator", (REGULAR,), [(START, OFF), ("2013-05-08", 200)]),
    ("reduced_k_above", (QUICK, BLITZ, *ONLINE), [(START, OFF)]),
    # half K
    ("half_k_numerator", ALL, [(START, 400), ("2006-03-01", OFF)]),
    ("half_k_game_weight", ALL, [(START, 0.5), ("2006-03-01", OFF)]),
    ("k_numerator", ALL, [(START, 800)]),
    ("logistic_scale", ALL, [(START, 400)]),
    # stored precision
    ("stored_precision", ALL, [(START, INTEGER_AWAY), ("2014-09-01", FLOAT)]),
    ("stored_precision_tolerance", ALL, [(START, 1e-6)]),
    # systems that exist
    ("system_exists", (REGULAR, QUICK), [(START, 1)]),
    ("system_exists", (BLITZ,), [(START, 0), ("2013-03-01", 1)]),
    ("system_exists", (ONLINE_BLITZ,), [(START, 0), ("2014-10-01", 1)]),
    ("system_exists", (ONLINE_QUICK,), [(START, 0), ("2015-03-01", 1)]),
    ("system_exists", (ONLINE_REGULAR,), [(START, 0), ("2020-06-01", 1)]),
    # time control classes
    ("time_control_least", (REGULAR,), [(START, 30)]),
    ("time_control_most", (REGULAR,), [(START, UNLIMITED)]),
    ("time_control_least", (QUICK,), [(START, 10), ("2004-01-01", 5), ("2013-03-01", 11)]),
    ("time_control_most", (QUICK,), [(START, 29), ("2002-01-01", 60), ("2012-08-11", 65)]),
    ("time_control_least", (BLITZ,), [(START, OFF), ("2013-03-01", 5)]),
    ("time_control_most", (BLITZ,), [(START, OFF), ("2013-03-01", 10)]),
    ("time_control_least", (ONLINE_BLITZ,), [(START, OFF), ("2014-10-01", 5)]),
    ("time_control_most", (ONLINE_BLITZ,), [(START, OFF), ("2014-10-01", 10)]),
    ("time_control_least", (ONLINE_QUICK,), [(START, OFF), ("2015-03-01", 11)]),
    ("time_control_most", (ONLINE_QUICK,), [(START, OFF), ("2015-03-01", 65), ("2020-06-01", 29)]),
    ("time_control_least", (ONLINE_REGULAR,), [(START, OFF), ("2020-06-01", 30)]),
    ("time_control_most", (ONLINE_REGULAR,), [(START, OFF), ("2020-06-01", UNLIMITED)]),
    ("main_time_least", (REGULAR, QUICK, ONLINE_REGULAR, ONLINE_QUICK), [(START, 5)]),
    ("main_time_least", (BLITZ, ONLINE_BLITZ), [(START, 3)]),
    # terms
    ("established_above_games", ALL, [(START, 25)]),
    ("days_per_year", ALL, [(START, 365.25)]),
    ("rated_without_games", ALL, [(START, 1)]),
    # initial rating
    ("initial_method", ALL, [(START, PRIORITY_LISTS), ("2020-06-01", BLEND)]),
    ("initial_least_games", ALL, [(START, 4)]),
    ("initial_most_games", ALL, [(START, 10)]),
    ("blend_most_games", ALL, [(START, OFF), ("2020-06-01", 10)]),
    ("blend_staleness_rate", ALL, [(START, OFF), ("2020-06-01", 0.06)]),
    ("blend_strength_most", ALL, [(START, OFF), ("2020-06-01", 6)]),
    ("blend_strength_scale", ALL, [(START, OFF), ("2020-06-01", 350)]),
    ("blend_factor_regular", (QUICK, BLITZ, *ONLINE), [(START, OFF), ("2020-06-01", 5), ("2025-02-10", 10)]),
    ("blend_factor_quick", (REGULAR,), [(START, OFF), ("2020-06-01", 10), ("2025-02-10", 5)]),
    ("blend_factor_quick", (BLITZ, ONLINE_REGULAR, ONLINE_BLITZ), [(START, OFF), ("2020-06-01", 5)]),
    ("blend_factor_quick", (ONLINE_QUICK,), [(START, OFF), ("2020-06-01", 10)]),
    ("blend_factor_blitz", (REGULAR,), [(START, OFF), ("2020-06-01", 10), ("2025-02-10", 5)]),
    ("blend_factor_blitz", (QUICK, ONLINE_REGULAR, ONLINE_QUICK), [(START, OFF), ("2020-06-01", 5)]),
    ("blend_factor_blitz", (ONLINE_BLITZ,), [(START, OFF), ("2020-06-01", 10)]),
    *(
        (field, systems, history)
        for field in ("blend_factor_online_regular", "blend_factor_online_quick", "blend_factor_online_blitz")
        for systems, history in (
            ((REGULAR,), [(START, OFF), ("2020-06-01", 10), ("2025-02-10", 5)]),
            ((QUICK, BLITZ, *ONLINE), [(START, OFF), ("2020-06-01", 5)]),
        )
    ),
    ("blend_rounding", ALL, [(START, NOT_ROUNDED)]),
    # FIDE conversion
    (
        "fide_conversion_low_intercept",
        ALL,
        [(START, 50), ("2008-01-01", 0), ("2008-07-01", 720), ("2015-01-01", 180), ("2024-03-01", -1073)],
    ),
    (
        "fide_conversion_low_slope",
        ALL,
        [(START, 1), ("2008-07-01", 0.625), ("2015-01-01", 0.94), ("2024-03-01", 1.5667)],
    ),
    ("fide_conversion_knee", ALL, [(START, 2000)]),
    (
        "fide_conversion_high_intercept",
        ALL,
        [(START, 50), ("2008-01-01", 0), ("2008-07-01", -350), ("2015-01-01", 20)],
    ),
    ("fide_conversion_high_slope", ALL, [(START, 1), ("2008-07-01", 1.16), ("2015-01-01", 1.02)]),
    ("fide_youth_conversion_low_intercept", ALL, [(START, 560), ("2024-03-01", -453)]),
    ("fide_youth_conversion_low_slope", ALL, [(START, 0.76), ("2024-03-01", 1.2667)]),
    ("fide_youth_conversion_knee", ALL, [(START, 2000)]),
    ("fide_youth_conversion_high_intercept", ALL, [(START, 80)]),
    ("fide_youth_conversion_high_slope", ALL, [(START, 1)]),
    ("fide_games_above", ALL, [(START, 2150), ("2020-06-01", 2000)]),
    ("fide_games_high", OVER_THE_BOARD, [(START, 10)]),
    ("fide_games_low", OVER_THE_BOARD, [(START, 5)]),
    ("fide_games_high", ONLINE, [(START, 0), ("2020-06-01", 10)]),
    ("fide_games_low", ONLINE, [(START, 0), ("2020-06-01", 5)]),
    # CFC conversion
    ("cfc_conversion_knees_belong_below", ALL, [(START, 1), ("2025-01-01", 0)]),
    ("cfc_conversion_intercept_1", ALL, [(START, -90), ("2025-01-01", -115)]),
    ("cfc_conversion_slope_1", ALL, [(START, 1), ("2025-01-01", 0.815)]),
    ("cfc_conversion_knee_1", ALL, [(START, 1500), ("2025-01-01", 1150)]),
    ("cfc_conversion_intercept_2", ALL, [(START, -240), ("2025-01-01", -650)]),
    ("cfc_conversion_slope_2", ALL, [(START, 1.1), ("2025-01-01", 1.28)]),
    ("cfc_conversion_knee_2", ALL, [(START, UNLIMITED), ("2025-01-01", 1610)]),
    ("cfc_conversion_intercept_3", ALL, [(START, 0), ("2025-01-01", -856)]),
    ("cfc_conversion_slope_3", ALL, [(START, 0), ("2025-01-01", 1.41)]),
    ("cfc_conversion_knee_3", ALL, [(START, UNLIMITED), ("2025-01-01", 2000)]),
    ("cfc_conversion_intercept_4", ALL, [(START, 0), ("2025-01-01", -240)]),
    ("cfc_conversion_slope_4", ALL, [(START, 0), ("2025-01-01", 1.1)]),
    ("cfc_games_above", ALL, [(START, 1500), ("2020-06-01", 0)]),
    ("cfc_games_high", OVER_THE_BOARD, [(START, 5)]),
    ("cfc_games_low", OVER_THE_BOARD, [(START, 0), ("2020-06-01", 5)]),
    ("cfc_games_high", ONLINE, [(START, 0), ("2020-06-01", 5)]),
    ("cfc_games_low", ONLINE, [(START, 0), ("2020-06-01", 5)]),
    ("cfc_residents_only", ALL, [(START, 0), ("2020-06-01", 1)]),
    # age
    ("age_rating_offset", ALL, [(START, 300), ("2006-03-01", 0)]),
    ("age_rating_slope", ALL, [(START, 50)]),
    ("age_rating_least_age", ALL, [(START, 4), ("2006-03-01", 3)]),
    ("age_rating_most_age", ALL, [(START, 20), ("2006-03-01", 26)]),
    ("age_rating_adult", ALL, [(START, 1300)]),
    ("age_rating_default", ALL, [(START, 750)]),
    (
        "age_rating_too_young",
        ALL,
        [(START, AS_MISSING), ("2006-03-01", AS_ADULT), ("2020-06-01", AS_MISSING)],
    ),
    ("age_rating_plain_least_age", ALL, [(START, OFF), ("2020-06-01", 2)]),
    ("age_rating_plain_least", ALL, [(START, OFF), ("2020-06-01", 100)]),
    # special formula
    ("special_most_games", ALL, [(START, 8)]),
    ("special_reach", ALL, [(START, 400)]),
    ("special_unbroken_shift", ALL, [(START, 400)]),
    ("special_ceiling", ALL, [(START, 2700)]),
    ("special_tolerance", ALL, [(START, 1e-7)]),
    # floors
    ("absolute_floor", ALL, [(START, 100)]),
    ("floors_from_bounds", ALL, [(START, 1)]),
    ("lists_skip_ratings_without_games", ALL, [(START, 1)]),
    ("national_rating_most_games", ALL, [(START, 0), ("2025-02-10", UNLIMITED)]),
    ("ceiling_cuts_first_ratings", ALL, [(START, 1)]),
    ("entered_floors_raise", ALL, [(START, 1)]),
    ("personal_floor_win", OVER_THE_BOARD, [(START, OFF), ("2008-08-07", 4)]),
    ("personal_floor_draw", OVER_THE_BOARD, [(START, OFF), ("2008-08-07", 2)]),
    ("personal_floor_section", OVER_THE_BOARD, [(START, OFF), ("2008-08-07", 1)]),
    ("personal_floor_section_games", OVER_THE_BOARD, [(START, OFF), ("2008-08-07", 3)]),
    ("personal_floor_most", OVER_THE_BOARD, [(START, OFF), ("2008-08-07", 150)]),
    ("personal_floor_most", ONLINE, [(START, OFF)]),
    ("peak_floor_lowest", ALL, [(START, 1400), ("2010-04-01", 1200)]),
    ("peak_floor_highest", ALL, [(START, 2100)]),
    ("peak_floor_drop", ALL, [(START, 200)]),
    ("peak_floor_step", ALL, [(START, 100)]),
    ("olm_floor_level", (REGULAR,), [(START, 2200)]),
    ("olm_floor_games", (REGULAR,), [(START, 300)]),
    ("olm_floor_rating", (REGULAR,), [(START, 2200)]),
    ("olm_floor_level", (QUICK, BLITZ, *ONLINE), [(START, OFF)]),
    ("money_floor_prize", ALL, [(START, 1000), ("2006-03-01", 2000), ("2016-01-01", 4000)]),
    ("money_floor_highest", ALL, [(START, 2000)]),
    ("money_floor_step", ALL, [(START, 100)]),
    # matches
    ("match_difference", ALL, [(START, 400)]),
    ("match_established", ALL, [(START, 0), ("2006-01-01", 1)]),
    ("match_change", ALL, [(START, OFF), ("2005-01-01", 50)]),
    ("match_net_short_points", ALL, [(START, OFF), ("2006-01-01", 100)]),
    ("match_net_short_days", ALL, [(START, OFF), ("2006-01-01", 180)]),
    ("match_net_long_points", ALL, [(START, 200)]),
    ("match_net_long_years", ALL, [(START, 3)]),
    ("match_floor_drop", ALL, [(START, 100)]),
    ("match_coding_least_games", ALL, [(START, OFF), ("2005-01-01", 3), ("2006-01-01", 2)]),
    # foreign FIDE events
    ("foreign_eligibility", ALL, [(START, 3), ("2015-06-01", 4), ("2025-02-10", 5)]),
    ("foreign_automatic_rating", ALL, [(START, 2200)]),
    ("foreign_games_above", ALL, [(START, 8)]),
    # shapes of other federations, which US Chess does not have
    ("initial_constant", ALL, [(START, OFF)]),
    ("expectancy", ALL, [(START, LOGISTIC)]),
    ("expectancy_most_difference", ALL, [(START, UNLIMITED)]),
    ("opponent_ratings", ALL, [(START, REVISED)]),
    ("k_times_games_most", ALL, [(START, UNLIMITED)]),
    *(
        (f"plain_k_{step}_{part}", ALL, [(START, OFF)])
        for step in range(1, 6)
        for part in ("k", "games_below", "rating_below", "age_below")
    ),
]


@pytest.mark.parametrize(
    ("field", "systems", "history"), SIMPLE, ids=[f"{field}-{systems[0]}" for field, systems, _ in SIMPLE]
)
def test_dated_values_follow_the_rulings(field: str, systems: tuple[System, ...], history: History) -> None:
    assert_history(field, systems, history)


PRIORITY_OF_SYSTEM = {
    REGULAR: [CLAUSE_FIDE, CLAUSE_CFC, CLAUSE_QUICK_FEW_GAMES, CLAUSE_AGE, 0, 0, 0, 0],
    QUICK: [CLAUSE_REGULAR_FEW_GAMES, CLAUSE_FIDE, CLAUSE_CFC, CLAUSE_AGE, 0, 0, 0, 0],
    BLITZ: [
        CLAUSE_REGULAR_ESTABLISHED,
        CLAUSE_FIDE,
        CLAUSE_CFC,
        CLAUSE_REGULAR_FEW_GAMES,
        CLAUSE_QUICK_FEW_GAMES,
        CLAUSE_AGE,
        0,
        0,
    ],
    ONLINE_QUICK: [
        CLAUSE_ONLINE_BLITZ_FULL,
        CLAUSE_QUICK,
        CLAUSE_BLITZ,
        CLAUSE_REGULAR,
        CLAUSE_FIDE,
        CLAUSE_CFC,
        CLAUSE_AGE,
        0,
    ],
    ONLINE_BLITZ: [
        CLAUSE_ONLINE_QUICK,
        CLAUSE_BLITZ,
        CLAUSE_QUICK,
        CLAUSE_REGULAR,
        CLAUSE_FIDE,
        CLAUSE_CFC,
        CLAUSE_AGE,
        0,
    ],
    ONLINE_REGULAR: [CLAUSE_AGE, 0, 0, 0, 0, 0, 0, 0],
}


@pytest.mark.parametrize("system", ALL)
@pytest.mark.parametrize("day", [date(2001, 1, 1), date(2015, 1, 7), date(2020, 5, 31)])
def test_priority_lists_are_those_of_2015(system: System, day: date) -> None:
    rules = load_rulebook().in_force(system, day)
    assert [getattr(rules, f"initial_priority_{place}") for place in range(1, 9)] == PRIORITY_OF_SYSTEM[
        system
    ]


def test_every_field_is_asserted_in_this_file() -> None:
    asserted = {field for field, _, _ in SIMPLE} | {"bonus_multiplier"}
    asserted |= {f"initial_priority_{place}" for place in range(1, 9)}
    assert asserted == set(RulesInForce._fields)


# D25 section 8, every line with a day: (day, system, field, value before, value from that day on).
HISTORICAL_CHANGES: list[tuple[str, System, str, float, float]] = [
    ("2002-01-01", QUICK, "time_control_most", 29, 60),
    ("2004-01-01", QUICK, "time_control_least", 10, 5),
    ("2006-03-01", REGULAR, "age_rating_offset", 300, 0),
    ("2008-06-06", REGULAR, "bonus_multiplier", 10, 6),
    ("2008-08-07", REGULAR, "personal_floor_most", OFF, 150),
    ("2010-04-01", REGULAR, "peak_floor_lowest", 1400, 1200),
    ("2012-08-03", REGULAR, "bonus_multiplier", 6, 8),
    ("2013-03-01", BLITZ, "system_exists", 0, 1),
    ("2013-03-01", QUICK, "time_control_least", 5, 11),
    ("2012-08-11", QUICK, "time_control_most", 60, 65),
    ("2013-05-08", REGULAR, "effective_games_constant", 1, 0.662),
    ("2014-03-20", REGULAR, "bonus_multiplier", 8, 10),
    ("2014-09-01", REGULAR, "stored_precision", INTEGER_AWAY, FLOAT),
    ("2014-10-01", ONLINE_BLITZ, "system_exists", 0, 1),
    ("2015-03-01", ONLINE_QUICK, "system_exists", 0, 1),
    ("2015-06-01", REGULAR, "bonus_multiplier", 10, 12),
    ("2017-06-01", REGULAR, "bonus_multiplier", 12, 14),
    ("2020-06-01", ONLINE_REGULAR, "system_exists", 0, 1),
    ("2020-06-01", REGULAR, "initial_method", PRIORITY_LISTS, BLEND),
    ("2023-02-01", REGULAR, "bonus_multiplier", 14, 12),
    ("2024-03-01", REGULAR, "fide_conversion_low_intercept", 180, -1073),
    ("2025-01-01", REGULAR, "cfc_conversion_intercept_1", -90, -115),
]


@pytest.mark.statement("M7")
@pytest.mark.parametrize(("text", "system", "field", "before", "after"), HISTORICAL_CHANGES)
def test_historical_changes_take_effect_on_their_day(
    text: str, system: System, field: str, before: float, after: float
) -> None:
    day = date.fromisoformat(text)
    assert value_on(field, system, day - timedelta(days=1)) == before
    assert value_on(field, system, day) == after
    assert day in load_rulebook().change_dates(system)


@pytest.mark.statement("S1")
@pytest.mark.parametrize(
    ("day", "systems"),
    [
        (date(2001, 1, 1), {REGULAR, QUICK}),
        (date(2015, 6, 1), {REGULAR, QUICK, BLITZ, ONLINE_QUICK, ONLINE_BLITZ}),
        (date(2025, 2, 10), set(ALL)),
    ],
)
def test_two_then_five_then_six_systems_exist(day: date, systems: set[System]) -> None:
    assert {system for system in ALL if value_on("system_exists", system, day) == 1} == systems


@pytest.mark.statement("S9")
@pytest.mark.parametrize(
    ("start", "end", "multiplier"),
    [
        (date(2017, 5, 31), date(2017, 6, 4), 12),
        (date(2017, 6, 1), date(2017, 6, 4), 14),
        (None, date(2017, 6, 1), 14),
        (None, date(2017, 5, 31), 12),
    ],
)
def test_changes_apply_to_sections_that_start_on_the_day(
    start: date | None, end: date, multiplier: float
) -> None:
    """The start decides; the end only where no start is known."""
    section = Section(1, "Open", start, end, "G/90;d5", SectionType.SWISS, False, False, False, ())
    assert value_on("bonus_multiplier", REGULAR, section.rules_date) == multiplier


@pytest.mark.statement("E3")
def test_effective_games_switch_on_the_date_of_the_specification() -> None:
    """The news page said tournaments ending 2013-05-18; D25 section 8 says 2013-05-08."""
    assert value_on("effective_games_knee", REGULAR, date(2013, 5, 7)) == 2200
    assert value_on("effective_games_knee", REGULAR, date(2013, 5, 8)) == 2355
    assert "2013-05-18" in load_rulebook().value("effective_games", REGULAR, date(2013, 5, 8)).note


@pytest.mark.parametrize("system", ALL)
def test_numbers_have_the_declared_types(system: System) -> None:
    """Compiled code and fingerprints rely on it: -1 and -1.0, 10 and 10.0 are not the same bits."""
    declared = get_type_hints(RulesInForce)
    for day in load_rulebook().change_dates(system):
        rules = load_rulebook().in_force(system, day)
        for field, number in rules._asdict().items():
            assert type(number) is declared[field], (field, day)


def test_every_file_of_the_timeline_is_read() -> None:
    assert {path.stem for path in Path(TIMELINE).glob("*.toml")} == {*SUBJECTS, "documents"}

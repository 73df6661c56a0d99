"""Which dated values are inferred, and which ones published ratings confirm."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.model import System
from ratebook.rules.rulebook import load_rulebook
from support.builders import ONLINE_BLITZ, ONLINE_QUICK, QUICK, REGULAR

ONLINE_REGULAR = System.ONLINE_REGULAR


@pytest.mark.parametrize(
    ("name", "system", "day"),
    [
        ("blend_factor", REGULAR, date(2025, 2, 10)),
        ("half_k", REGULAR, date(2006, 3, 1)),
        ("time_control", QUICK, date(2001, 1, 1)),
        ("time_control", QUICK, date(2002, 1, 1)),
        ("time_control", QUICK, date(2004, 1, 1)),
        ("time_control", QUICK, date(2013, 3, 1)),
        ("initial_method", REGULAR, date(2001, 1, 1)),
        ("initial_priority", ONLINE_REGULAR, date(2001, 1, 1)),
        ("fide_conversion", REGULAR, date(2001, 1, 1)),
        ("fide_conversion", REGULAR, date(2008, 1, 1)),
        ("fide_conversion", REGULAR, date(2008, 7, 1)),
        ("fide_conversion", REGULAR, date(2015, 1, 1)),
        ("age_rating", REGULAR, date(2001, 1, 1)),
        ("peak_floor", QUICK, date(2001, 1, 1)),
        ("olm_floor", REGULAR, date(2001, 1, 1)),
        ("money_floor", REGULAR, date(2016, 1, 1)),
        ("match_change", REGULAR, date(2005, 1, 1)),
        ("match_change", REGULAR, date(2006, 1, 1)),
        ("match_coding_least_games", REGULAR, date(2005, 1, 1)),
        ("match_net_short", REGULAR, date(2006, 1, 1)),
        ("foreign_eligibility", REGULAR, date(2025, 2, 10)),
        ("foreign_games_above", REGULAR, date(2001, 1, 1)),
    ],
)
def test_what_the_rulings_call_inferred_is_inferred(name: str, system: System, day: date) -> None:
    assert load_rulebook().value(name, system, day).status == "inferred"


@pytest.mark.parametrize(
    ("name", "system", "day", "count"),
    [
        ("bonus_multiplier", REGULAR, date(2008, 6, 6), "47 of 47"),
        ("bonus_multiplier", REGULAR, date(2012, 8, 3), "148 of 148"),
        ("bonus_multiplier", REGULAR, date(2014, 3, 20), "291 of 292"),
        ("bonus_multiplier", REGULAR, date(2015, 6, 1), "101 of 101"),
        ("bonus_multiplier", REGULAR, date(2017, 6, 1), "173 of 173"),
        ("bonus_eligibility", QUICK, date(2001, 1, 1), "5 of 5"),
        ("effective_games", REGULAR, date(2013, 5, 8), "398 of 399"),
        ("reduced_k", REGULAR, date(2013, 5, 8), "55 of 55"),
        ("stored_precision", REGULAR, date(2001, 1, 1), "7,892 of 7,940"),
        ("stored_precision", REGULAR, date(2014, 9, 1), "197 of 197"),
        ("personal_floor", REGULAR, date(2008, 8, 7), "352 newcomers"),
        ("peak_floor", ONLINE_BLITZ, date(2020, 6, 1), "161 online"),
        ("blend_factor", ONLINE_QUICK, date(2020, 6, 1), "13 of 13"),
        ("time_control", QUICK, date(2012, 8, 11), "Six sections"),
    ],
)
def test_what_published_ratings_confirm_says_so_with_counts(
    name: str, system: System, day: date, count: str
) -> None:
    """The counts are those of the comparison with published sections of 1992 to 2021."""
    value = load_rulebook().value(name, system, day)
    assert value.status == "published"
    assert count in value.note

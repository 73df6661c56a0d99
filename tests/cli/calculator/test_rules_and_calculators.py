"""The commands that read no report: rules, estimates, conversions, Glicko."""

from __future__ import annotations

import json

import pytest

from support.command_line import invoke


def test_rules_show_history_and_diff_tell_values_with_sources() -> None:
    shown = json.loads(invoke("rules", "show", "--on", "2016-02-01", "--json").stdout)
    bonus = shown["rules"]["bonus_multiplier"]
    assert (bonus["is"], bonus["since"], bonus["status"]) == (12, "2015-06-01", "documented")
    history = json.loads(invoke("rules", "history", "bonus_multiplier", "--json").stdout)
    assert [value["is"] for value in history["values"]] == [10, 6, 8, 10, 12, 14, 12, 10]
    diff = json.loads(
        invoke("rules", "diff", "2016-02-01", "2017-07-01", "--system", "regular", "--json").stdout
    )
    assert diff["differences"] == [
        {"system": "regular", "rule": "bonus_multiplier", "first": 12, "second": 14}
    ]


def test_rules_before_2001_and_unknown_names_are_findings() -> None:
    for arguments, word in (
        (("rules", "show", "--on", "1999-01-01"), "2001-01-01"),
        (("rules", "diff", "1999-01-01", "2016-01-01"), "2001-01-01"),
        (("rules", "history", "bonus_multiplyer"), "bonus_multiplier"),
        (("convert-rating", "--fide", "2100", "--on", "1999-01-01"), "2001-01-01"),
    ):
        shown = invoke(*arguments)
        assert shown.exit_code == 1
        assert word in shown.stderr


def test_estimate_of_the_2001_page() -> None:
    """A01, standard rating formula: 1300 on 45 games, results 1 1 1 0.5 give 1447 (1446.158 rounded away)."""
    results = ("W1250", "W1400", "W1500", "D1550")
    shown = invoke("estimate", "--rating", "1300", "--games", "45", *results, "--edition", "2001", "--json")
    assert json.loads(shown.stdout)["rating_after"] == 1447
    timeline = invoke(
        "estimate", "--rating", "1300", "--games", "45", *results, "--on", "2002-06-01", "--json"
    )
    assert json.loads(timeline.stdout)["rating_after"] == 1447


def test_estimate_of_the_1995_report() -> None:
    """R95 section 2, example 1: 842 with the scholastic K, 749 without."""
    results = ("W600", "W750@9", "W900", "L1000")
    shown = invoke("estimate", "--rating", "700", "--age", "10", *results, "--edition", "1995", "--json")
    assert json.loads(shown.stdout)["rating_after"] == 842
    plain = invoke(
        "estimate", "--rating", "700", "W600", "W750", "W900", "L1000", "--edition", "1995", "--json"
    )
    assert json.loads(plain.stdout)["rating_after"] == 749


def test_estimate_tells_what_the_last_game_is_worth() -> None:
    shown = json.loads(
        invoke("estimate", "--rating", "1500", "--games", "30", "W1400", "L1600", "D1550", "--json").stdout
    )
    assert shown["last_game"]["draw"] == shown["rating_after"]
    assert shown["last_game"]["loss"] < shown["last_game"]["draw"] < shown["last_game"]["win"]
    assert shown["performance_rating"] == pytest.approx((1400 + 1600 + 1550) / 3)


def test_estimate_needs_a_system_that_rates_all_rounds_of_a_schedule() -> None:
    control = "Round 1: G/90;d5, Round 2: {}"
    common = ("estimate", "--rating", "1500", "--games", "30", "W1400", "--on", "2025-06-01")
    assert invoke(*common, "--time-control", control.format("G/60;d5")).exit_code == 0
    shown = invoke(*common, "--time-control", control.format("G/20;d5"))
    assert shown.exit_code == 1
    assert "G/90;d5 in regular, G/20;d5 in quick" in shown.stderr


def test_estimate_knows_the_same_opponent_by_name() -> None:
    """D25 section 4.2: with three games nobody may be met more than once for a bonus."""
    common = ("--rating", "1000", "--games", "30", "--on", "2025-06-01", "--json")
    once = json.loads(invoke("estimate", *common, "W1400", "W1400", "W1400").stdout)
    twice = json.loads(invoke("estimate", *common, "W1400#a", "W1400#a", "W1400").stdout)
    assert once["bonus_eligible"]
    assert not twice["bonus_eligible"]


def test_convert_rating_by_date_and_by_table() -> None:
    """D25 section 2.1: 20 + 1.02 x 2100 = 2162; R95 table 2: CFC 1970 -> 1958."""
    shown = json.loads(invoke("convert-rating", "--fide", "2100", "--on", "2026-01-01", "--json").stdout)
    assert shown["conversions"][0]["rating"] == pytest.approx(2162)
    table = json.loads(invoke("convert-rating", "--cfc", "1970", "--edition", "1995", "--json").stdout)
    assert table["conversions"][0]["displayed"] == 1958
    outside = invoke("convert-rating", "--fide", "2000", "--edition", "1995")
    assert outside.exit_code == 1
    assert "2200" in outside.stderr


def test_glicko_of_two_newcomers() -> None:
    """docs/rules/coverage.md#m5: (1720, 350) beats (1720, 350): 1882.2120, RD 290.2305."""
    shown = json.loads(invoke("glicko", "W1720/350", "--json").stdout)
    assert shown["rating"] == pytest.approx(1882.2120, abs=0.00005)
    assert shown["rd"] == pytest.approx(290.2305, abs=0.00005)
    assert invoke("glicko", "--rd", "-5", "W1720/350").exit_code == 1

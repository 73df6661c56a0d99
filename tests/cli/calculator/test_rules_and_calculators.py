"""The commands that read no report: rules, estimates, conversions, Glicko."""

from __future__ import annotations

import json
import math
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ratebook.model import System
from ratebook.rules.rulebook import load_rulebook
from support.command_line import invoke


def test_rules_show_history_and_diff_tell_values_with_sources() -> None:
    shown = json.loads(invoke("rules", "show", "--on", "2016-02-01", "--json").stdout)
    (bonus,) = [rule for rule in shown["rules"] if rule["rule"] == "bonus_multiplier"]
    assert (bonus["value"], bonus["since"], bonus["status"]) == (12, "2015-06-01", "published")
    history = json.loads(invoke("rules", "history", "bonus_multiplier", "--json").stdout)
    assert [value["is"] for value in history["values"]][:8] == [10, 6, 8, 10, 12, 14, 12, 10]
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


PLAIN = ("--from", "2026-01-01", "--k")
JUNIOR_CLUB = (
    *PLAIN,
    "50",
    "--first-rating",
    "500",
    "--one-system",
    "Club rating",
    "--set",
    "special_reach=250",
)


def test_rules_of_a_league_are_those_that_were_written_by_hand(tmp_path: Path) -> None:
    made = tmp_path / "club.toml"
    shown = invoke("rules", "new", str(made), *JUNIOR_CLUB, "--set", "expectancy=linear")
    assert "--system regular --system-names 'regular=Club rating'" in shown.stdout
    by_hand = Path("examples/federations/junior-club.toml")
    for system in System:
        ours, theirs = (
            load_rulebook().with_overlay_file(file).in_force(system, date(2026, 2, 6))
            for file in (made, by_hand)
        )
        assert ours == theirs


def test_rules_of_a_league_are_asked_for(tmp_path: Path) -> None:
    made = tmp_path / "club.toml"
    assert not invoke("rules", "new", str(made), data=b"2026-03-01\n40:age-below-18 20\n1200\n").exit_code
    rules = load_rulebook().with_overlay_file(made).in_force(System.QUICK, date(2026, 3, 1))
    assert (rules.plain_k_1_k, rules.plain_k_1_age_below, rules.plain_k_2_k) == (40, 18, 20)
    assert (rules.initial_constant, rules.absolute_floor) == (1200, 0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("40:games-below-30",), "must hold for everyone"),
        (("40:points-below-30 20",), "no key points_below"),
        (("1 2 3 4 5 6",), "no such rule"),
        (("many",), "takes a number, not 'many'"),
        (("32", "--set", "a b=3"), "no such rule"),
    ],
)
def test_rules_of_a_league_that_cannot_rate_are_not_written(
    options: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    shown = invoke("rules", "new", str(tmp_path / "club.toml"), *PLAIN, *options)
    assert shown.exit_code == 1
    assert words in shown.stderr
    assert list(tmp_path.iterdir()) == []


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


@pytest.mark.parametrize("word", ["UNR", "unrated"])
def test_estimate_takes_a_newcomer_of_ones_own_by_word(word: str) -> None:
    by_word = invoke("estimate", word, "--age", "9.5", "W600", "L900", "--on", "2026-01-01", "--json")
    left_out = invoke("estimate", "--age", "9.5", "W600", "L900", "--on", "2026-01-01", "--json")
    assert by_word.exit_code == 0
    assert by_word.stdout == left_out.stdout
    twice = invoke("estimate", word, "--rating", "1500", "W600")
    assert twice.exit_code == 2
    assert f"leave out {word}, or --rating" in twice.stderr


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


def test_estimate_takes_results_in_words() -> None:
    common = ("estimate", "1500", "--on", "2025-06-01", "--json")
    in_words = invoke(*common, "win", "1400", "Lost", "to", "1600P5", "drew", "UNR")
    assert in_words.stdout == invoke(*common, "W1400", "L1600P5", "DUNR").stdout
    behind = invoke("estimate", "--rating", "1450", "1600W")
    assert "'1600W': write W, D or L and the opponent's rating" in behind.stderr


def test_estimate_takes_opponents_without_a_rating() -> None:
    """One of 30 years starts at 1300, loses to 1500 and is faced at 1200 (Step 3); one without a birth date at 750."""
    words = ("estimate", "--rating", "1500", "--on", "2024-06-01", "WUNR@30", "WUNR", "--json")
    assert json.loads(invoke(*words).stdout)["opponents_faced_at"] == pytest.approx([1200, 750])
    assert "A section rates such an opponent once more" in invoke(*words[:-1]).stdout
    older = invoke("estimate", "--rating", "1500", "WUNR", "--edition", "2001")
    assert older.exit_code == 2
    assert "older editions need a rating" in older.stderr


def test_convert_rating_by_date_and_by_table() -> None:
    """D25 section 2.1: 20 + 1.02 x 2100 = 2162; R95 table 2: CFC 1970 -> 1958."""
    shown = json.loads(invoke("convert-rating", "--fide", "2100", "--on", "2026-01-01", "--json").stdout)
    assert shown["conversions"][0]["rating"] == pytest.approx(2162)
    table = json.loads(invoke("convert-rating", "--cfc", "1970", "--edition", "1995", "--json").stdout)
    assert table["conversions"][0]["displayed"] == 1958
    outside = invoke("convert-rating", "--fide", "2000", "--edition", "1995")
    assert outside.exit_code == 1
    assert "2200" in outside.stderr


def test_a_converted_rating_says_how_many_games_it_counts_as() -> None:
    """J15 sections 2.1 and 2.5: FIDE counts as 10 games above 2150, else 5, CFC as 5 above 1500; online as none.

    D25 sections 2.1 and 2.2: Game Factor 10 above 2000, else 5; CFC 5. A conversion for opponents brings no games.
    """

    def games(*arguments: str) -> list[float | None]:
        shown = json.loads(invoke("convert-rating", *arguments, "--json").stdout)
        return [line["games"] for line in shown["conversions"]]

    assert games("--fide", "2151", "--cfc", "1501", "--on", "2016-01-01") == [10, 5]
    assert games("--fide", "2150", "--cfc", "1500", "--on", "2016-01-01") == [5, 0]
    assert games("--fide", "2400", "--on", "2016-01-01", "--system", "online-quick") == [0]
    assert games("--fide", "2001", "--cfc", "1400", "--on", "2026-01-01") == [10, 5]
    assert games("--fide", "2000", "--on", "2026-01-01") == [5]
    assert games("--fide", "1900", "--youth", "--on", "2026-01-01") == [None]
    assert "counts as 5 games" in invoke("convert-rating", "--fide", "2100", "--on", "2016-01-01").stdout


@pytest.mark.statement("I17")
def test_beside_a_cfc_rating_the_fide_rating_of_1995_is_not_used() -> None:
    shown = invoke("convert-rating", "--cfc", "1970", "--fide", "2440", "--edition", "1995").stdout
    cfc, fide = shown.splitlines()
    assert "provisional on 10 games" in cfc
    assert "not used beside a CFC rating" in fide
    assert "provisional" not in fide


def figures(*arguments: str) -> dict[str, Any]:
    shown = invoke("estimate", *arguments, "--json")
    assert shown.exit_code == 0, shown.output
    found: dict[str, Any] = json.loads(shown.stdout)
    return found


@pytest.mark.statement("I17")
def test_estimate_of_1995_takes_a_foreign_rating_in_one_step() -> None:
    """R95 section 1: FIDE 2440 is 2525 on 10 games. (10 x 2525 + 4 x 2400 + 2 x 400) / 14 = 2546.43."""
    results = ("W2400", "W2400", "D2400", "D2400", "--edition", "1995")
    shown = figures("--fide", "2440", *results)
    assert (shown["rating_before"], shown["games_before"], shown["rating_after"]) == (2525, 10, 2546)
    both = figures("--fide", "2440", "--cfc", "1970", *results)
    assert (both["rating_before"], both["converted_from"].split("; ")[1:]) == (
        1958,
        ["--fide is not used beside --cfc"],
    )
    outside = invoke("estimate", "--fide", "2100", *results)
    assert outside.exit_code == 1
    assert "rating-outside-table" in outside.stderr


@pytest.mark.statement("I19")
def test_unrated_opponents_with_a_foreign_rating_count_by_the_rule_of_1994_or_1995() -> None:
    """R95 section 1: FIDE 2440 is 2525, CFC 1970 is 1958.

    An unrated player who beats 2525 performs at 2925. 32 x (0.5 - 1 / (1 + 10 ** (-42 / 400))) = -1.92: 2000 -> 1998.
    """
    unrated = ("WFIDE2440", "--edition", "1995", "--opponents")
    for rule, kind in (("1994", "as established"), ("1995", "provisional on 10 games")):
        shown = figures(*unrated, rule)
        assert (shown["rating_after"], shown["performance_rating"]) == (2925, 2925)
        assert shown["converted_opponents"] == [f"FIDE 2440 is 2525, {kind}"]
    rated = ("--rating", "2000", "DCFC1970", "--edition", "1995")
    assert figures(*rated)["rating_after"] == 1998
    for not_used in (
        (*rated, "--opponents", "1994"),
        ("--rating", "2400", *unrated, "1994"),
        ("DCFC1970", "--edition", "1995", "--opponents", "1994"),
    ):
        shown_error = invoke("estimate", *not_used)
        assert shown_error.exit_code == 1
        assert "opponent-unrated" in shown_error.stderr


@pytest.mark.statement("L5")
def test_estimate_of_1995_knows_the_floors_of_its_day() -> None:
    """R95 motion 6: a highest rating of 1750 has its floor at 1600, with a prison membership at 1400.

    1610 loses to 1500: 32 x 0.653 = 20.9 points less are 1589.
    """
    lost = ("--rating", "1610", "--peak", "1750", "L1500", "--edition", "1995")
    assert (figures(*lost)["peak_floor"], figures(*lost)["rating_after"]) == (1600, 1600)
    prison = figures(*lost, "--prison")
    assert (prison["peak_floor"], prison["rating_after"]) == (1400, 1589)


@pytest.mark.statement("L2")
def test_estimate_of_2001_and_of_the_timeline_knows_the_floor_of_a_peak() -> None:
    """A01, rating floors: 1941 less 200 is 1741, so the floor is 1700; 1588 has 100. D25 section 5 goes on to 1200."""
    of_2001 = ("L1500", "L1600", "--edition", "2001")
    held = figures("--rating", "1720", "--peak", "1941", *of_2001)
    assert (held["rounded"], held["peak_floor"], held["rating_after"]) == (1680, 1700, 1700)
    assert figures("--rating", "1500", "--peak", "1588", *of_2001)["peak_floor"] == 100
    today = figures("--rating", "1402", "--peak", "1604", "L1200", "L1200", "--on", "2026-01-01")
    assert (today["peak_floor"], today["displayed"], today["last_game"]["loss"]) == (1400, 1400, 1400)
    assert invoke("estimate", "--rating", "1720", "--peak", "1700", "L1500").exit_code == 2
    assert invoke("estimate", "--peak", "1941", "L1500").exit_code == 2


def test_estimate_names_the_class_of_the_new_rating() -> None:
    """docs/rules/outside.md, section 6c: Expert from 2000, Class A from 1800."""
    assert figures("--rating", "1990", "W1990", "W1990", "--on", "2026-01-01")["class"] == "Expert"
    assert figures("--rating", "1990", "L1990", "--on", "2026-01-01")["class"] == "Class A"


def test_options_of_1995_go_with_its_edition() -> None:
    for alone in (("--prison",), ("--fide", "2300"), ("--opponents", "1994"), ("WFIDE2300",)):
        shown = invoke("estimate", "W1500", *alone)
        assert shown.exit_code == 2
        assert "--edition 1995" in shown.stderr
    assert invoke("estimate", "W1500", "--prison", "--edition", "1995").exit_code == 2
    both = ("--rating", "1500", "--fide", "2300", "--edition", "1995")
    assert invoke("estimate", "W1500", *both).exit_code == 2


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("estimate --rating 1500 W1500 --edition 1995 --bonus 16", "--bonus"),
        ("estimate --rating 1500 W1500 --edition 1995 --system quick", "--system"),
        ("estimate --rating 1500 W1500 --edition 1995 --half-k", "--half-k"),
        ("estimate --rating 1500 W1500 --edition 1995 --set bonus_multiplier=9", "--set"),
        ("estimate --rating 1500 W1500 --edition 1995 --record wins", "--record"),
        ("estimate --rating 1500 W1500 --edition 1995 --time-control G/60", "--time-control"),
        ("estimate --rating 1500 W1500 --edition 1995 --on 2020-01-01", "--on"),
        ("estimate --rating 1500 W1500 --edition 2001 --age 10", "--age"),
        ("estimate --rating 1500 W1500 --bonus 10", "--bonus"),
        ("convert-rating --fide 2300 --edition 1995 --on 2020-01-01", "--on"),
        ("convert-rating --fide 2300 --edition 1995 --system quick", "--system"),
    ],
)
def test_an_option_that_a_calculator_does_not_read_is_wrong_usage(line: str, option: str) -> None:
    shown = invoke(*line.split())
    assert shown.exit_code == 2
    assert f"{option} goes with " in shown.stderr


def test_glicko_of_two_newcomers() -> None:
    """docs/rules/coverage.md#m5: (1720, 350) beats (1720, 350): 1882.2120, RD 290.2305."""
    shown = json.loads(invoke("glicko", "W1720/350", "--json").stdout)
    assert shown["rating"] == pytest.approx(1882.2120, abs=0.00005)
    assert shown["rd"] == pytest.approx(290.2305, abs=0.00005)
    assert invoke("glicko", "--rd", "-5", "W1720/350").exit_code == 1


@pytest.mark.statement("M5")
def test_glicko_rates_both_players_and_ages_each() -> None:
    """R95, appendix B: "The same steps are done for your opponent". 1720 - 162.2120 = 1557.7880.

    After a day idle, RD 30 is sqrt(900 + 1.483 ** 2 ln 1441) = 30.2654, after a minute sqrt(900 + 2.1993 ln 2).
    """
    (newcomers,) = json.loads(invoke("glicko", "W1720/350", "--json").stdout)["games"]
    other = newcomers["opponent_side"]["after"]
    assert (other["rating"], other["deviation"]) == pytest.approx((1557.7880, 290.2305), abs=0.00005)
    arguments = (
        "--rating",
        "1500",
        "--rd",
        "30",
        "--idle",
        "1",
        "W1400/30+1440",
        "L1400/30+1@1440",
        "--json",
    )
    first, second = json.loads(invoke("glicko", *arguments).stdout)["games"]
    assert first["before"]["deviation"] == pytest.approx(30.025396, abs=1e-6)
    assert first["opponent_side"]["before"]["deviation"] == pytest.approx(30.265420, abs=1e-6)
    assert second["opponent_side"]["before"]["deviation"] == pytest.approx(30.025396, abs=1e-6)
    grown = first["after"]["deviation"] ** 2 + 1.483**2 * math.log(1441)
    assert second["before"]["deviation"] == pytest.approx(math.sqrt(grown))


def test_glicko_says_what_it_cuts_and_takes_one_idle_time() -> None:
    cut = invoke("glicko", "--rd", "400", "W1400/30")
    assert cut.exit_code == 0
    assert "deviation-cut" in cut.stderr
    assert "reduced to 350" in cut.stderr
    assert "deviation-cut" not in invoke("glicko", "--rd", "350", "W1400/30").stderr
    twice = invoke("glicko", "--idle", "60", "W1400/30@60")
    assert twice.exit_code == 2
    assert "--idle" in twice.stderr
    assert invoke("glicko", "--idle", "60", "--rd", "60").exit_code == 0

"""What a player asks: why this rating, what if, and what the signs of a crosstable mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import invoke

EXAMPLES = Path(__file__).parents[3] / "examples"
FESTIVAL = str(EXAMPLES / "festival" / "festival.json")
QUAD = str(EXAMPLES / "quad-crosstable.txt")


@pytest.mark.parametrize("who", ["adams", "Example ADÁMS", "90000001"])
def test_a_player_is_explained_by_name_or_id(who: str) -> None:
    asked = ("explain", FESTIVAL, "--section", "1", "--system", "regular")
    assert invoke(*asked, "--who", who).stdout == invoke(*asked, "--seat", "1").stdout


@pytest.mark.parametrize(
    ("who", "code"),
    [
        ("example", "person-ambiguous"),
        ("okafor", "person-unknown"),
        ("adms", "the nearest are 'ADAMS EXAMPLE'"),
    ],
)
def test_a_name_that_is_not_one_player_is_a_finding(who: str, code: str) -> None:
    shown = invoke("explain", FESTIVAL, "--section", "1", "--who", who)
    assert shown.exit_code == 1
    assert code in shown.stderr


def test_the_signs_of_a_crosstable_have_a_legend() -> None:
    shown = invoke("rate", FESTIVAL, "--system", "regular").stdout
    legend = next(line for line in shown.splitlines() if line.startswith("Legend: "))
    assert "1511P17: provisional, based on 17 games" in legend
    assert "B: full-point bye" in legend
    assert "Z:" not in legend


def test_an_estimate_is_said_in_one_line_and_takes_ratings_as_they_are_printed() -> None:
    printed = invoke(
        "estimate", "--rating", "1500P12", "--on", "2026-01-01", "W1400", "L1600P4", "D1550"
    ).stdout
    counted = invoke(
        "estimate", "--rating", "1500", "--games", "12", "--on", "2026-01-01", "W1400", "L1600", "D1550"
    )
    assert printed == counted.stdout
    # N' is 12: K = 800 / 15; 0.071463 above the expected score makes 3.8.
    assert printed.startswith("1500 -> 1504 (+4): 1.5 of 3 against 1.43 expected.\n")
    slashed = invoke("estimate", "--rating", "1500/12", "--on", "2026-01-01", "W1400", "L1600P4", "D1550")
    assert slashed.stdout == printed
    assert invoke("estimate", "--rating", "1500P12", "--games", "9", "W1400").exit_code == 2


def test_a_dual_rated_section_is_one_table_with_the_ratings_of_both_systems() -> None:
    asked = ("rate", QUAD, "--end", "2026-08-30", "--time-control", "G/60;d5")
    shown = invoke(*asked).stdout
    assert shown.startswith("Section 1 - AUTUMN QUAD A - OTB Regular and Quick\n")
    assert shown.count("BAKER EXAMPLE") == 1
    quick = invoke(*asked, "--system", "quick").stdout
    of_quick = next(line.split() for line in quick.splitlines() if "BAKER" in line)
    row = next(line.split() for line in shown.splitlines() if "BAKER" in line)
    assert row[6:8] == of_quick[3:5] == ["1611P24", "1611"]


def test_without_a_seat_the_players_are_listed() -> None:
    shown = invoke("explain", QUAD, "--end", "2026-08-30", "--time-control", "G/60;d5")
    assert shown.exit_code == 0
    title, heading, *rows = shown.stdout.splitlines()
    assert title == "Section 1 - AUTUMN QUAD A - OTB Regular and Quick"
    assert heading.split()[:2] == ["Seat", "Name"]
    assert [row.split()[:2] for row in rows[:4]] == [
        ["1", "ADAMS"],
        ["2", "BAKER"],
        ["3", "DAVIS"],
        ["4", "CLARK"],
    ]
    assert rows[-1] == "Whose rating is to be explained? Give --seat, or --who with a name or an id."


def test_of_several_sections_the_section_is_asked_for_too() -> None:
    shown = invoke("explain", FESTIVAL, "--system", "regular").stdout
    assert shown.endswith("Give --seat and --section, or --who with a name or an id.\n")
    one = invoke("explain", FESTIVAL, "--system", "regular", "--section", "1").stdout
    assert one.endswith("Give --seat, or --who with a name or an id.\n")
    assert "(549/0)" not in one


def test_a_listing_is_no_json_and_two_names_of_a_player_are_wrong_usage() -> None:
    assert invoke("explain", FESTIVAL, "--json").exit_code == 2
    assert invoke("explain", FESTIVAL, "--seat", "1", "--who", "adams").exit_code == 2


def test_a_short_explanation_is_the_answer_alone() -> None:
    asked = ("explain", FESTIVAL, "--section", "1", "--system", "regular", "--seat", "1")
    short, whole = (invoke(*asked, *options).stdout.splitlines() for options in (("--short",), ()))
    assert 2 <= len(short) <= 5
    assert whole[: len(short)] == short
    assert whole[len(short)] == ""


def test_the_rating_before_may_come_first() -> None:
    by_option = invoke("estimate", "--rating", "1755P12", "--on", "2026-01-01", "W1987", "L1600")
    assert invoke("estimate", "1755P12", "W1987", "L1600", "--on", "2026-01-01").stdout == by_option.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("1755",), "as in ratebook estimate 1755 W1987 L1600"),
        ((), "as in ratebook estimate 1755 W1987 L1600"),
        (("1755", "W1987", "--rating", "1700"), "given twice"),
        (("99", "W1987"), "99"),
    ],
)
def test_what_an_estimate_lacks_is_said_with_an_example(arguments: tuple[str, ...], words: str) -> None:
    shown = invoke("estimate", *arguments)
    assert shown.exit_code == 2
    assert words in " ".join(shown.stderr.split())

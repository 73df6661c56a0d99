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


@pytest.mark.parametrize(("who", "code"), [("example", "person-ambiguous"), ("okafor", "person-unknown")])
def test_a_name_that_is_not_one_player_is_a_finding(who: str, code: str) -> None:
    shown = invoke("explain", FESTIVAL, "--section", "1", "--who", who)
    assert shown.exit_code == 1
    assert f"[{code}]" in shown.stderr


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

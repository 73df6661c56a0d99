"""First ratings of real players: what Step 1 takes from other systems, and how many games it credits."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ratebook.model import Rating, System
from ratebook.rating.floors import NO_FLOOR, peak_floor
from support.builders import first_rating, newcomer, rules_of

FOLDER = Path(__file__).parent

BY_CHANCE = {
    ("2006-10-14", "regular"),
    ("2007-02-10", "quick"),
    ("2007-02-10", "regular"),
    ("2017-03-11", "quick"),
    ("2018-01-06", "quick"),
    ("2019-08-17", "blitz"),
}
"""Ratings that equal one in another system but have another N: by chance, or by an error of the source."""

STARTED_OTHERWISE = ("2020-10-18", "online-quick")
"""A newcomer with three established ratings whom the office credited with no game at all; no one knows why."""

OF_2020 = {("2021-05-01", "regular"), ("2020-10-28", "online-quick"), ("2021-03-17", "online-regular")}
"""Newcomers whose N follows from the Game Factors of 2020 only."""


def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["rows"]
    return found


def key(row: dict[str, Any]) -> tuple[str, str]:
    return row["end"], row["system"]


def credited(row: dict[str, Any]) -> float:
    """Return N that Step 1 gives a newcomer to the blend."""
    sources = {
        System(system): Rating(
            float(source["rating"]), source["games"], as_of=date.fromisoformat(source["as_of"])
        )
        for system, source in row["sources"].items()
    }
    return first_rating(newcomer(sources), System(row["system"]), row["end"])[1]


def test_before_the_blend_a_first_rating_is_that_of_another_system_on_ten_games_at_most() -> None:
    differing = set()
    listed = rows("initial-from-other-2001-2021")
    for row in listed:
        source = {System(row["from"]): Rating(float(row["rating"]), row["source_games"])}
        rating, games, _ = first_rating(newcomer(source), System(row["system"]), row["end"])
        if (rating, games) != (row["rating"], row["credited"]):
            differing.add(key(row))
    assert len(listed) == 187
    assert differing == BY_CHANCE


def test_the_blend_credits_the_games_that_were_published() -> None:
    listed = rows("blend-2021")
    differing = {key(row) for row in listed if credited(row) != row["credited"]}
    assert len(listed) == 51
    assert differing - OF_2020 == {STARTED_OTHERWISE}


@pytest.mark.xfail(reason="R16: the Game Factors of 2020 to 2025", strict=True)
def test_the_blend_of_2020_credits_five_games_for_most_systems() -> None:
    few = [row for row in rows("blend-2021") if key(row) in OF_2020]
    assert [credited(row) for row in few] == [row["credited"] for row in few]


def test_the_floor_on_a_members_page_follows_from_the_highest_established_rating() -> None:
    """But for an original Life Master, who has 2200."""
    rules = rules_of("2021-06-01")
    listed = rows("floors-2021")
    differing = [
        row
        for row in listed
        if peak_floor(rules, row["peak_established_regular"])
        != (NO_FLOOR if row["floor_shown"] is None else row["floor_shown"])
    ]
    assert len(listed) == 34
    assert [row["floor_shown"] for row in differing] == [rules.olm_floor_level]

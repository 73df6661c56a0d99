"""First ratings of real players: what Step 1 takes from other systems, and how many games it credits."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

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

FIRST_DAY_OF_THE_BLEND = "2020-06-01"
"""Pages that were last rated before June 2021 still show the lists for later sections."""

AGES = range(4, 27)
"""Ages that change how old a rating is: an old one of a child weighs more. The members' ages are not known."""


def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["rows"]
    return found


def key(row: dict[str, Any]) -> tuple[str, str]:
    return row["end"], row["system"]


def possible_games(row: dict[str, Any]) -> set[float]:
    """Return N that Step 1 gives a newcomer to the blend, at every age that the member may have."""
    sources = {
        System(system): Rating(float(one["rating"]), one["games"], as_of=date.fromisoformat(one["as_of"]))
        for system, one in row["sources"].items()
    }
    end = date.fromisoformat(row["end"])
    births = [end.replace(year=end.year - age) for age in AGES]
    members = [
        newcomer(sources),
        newcomer(sources, adult=True),
        *(newcomer(sources, born=born) for born in births),
    ]
    return {first_rating(member, System(row["system"]), row["end"])[1] for member in members}


def test_before_the_blend_a_first_rating_is_that_of_another_system_on_ten_games_at_most() -> None:
    differing = set()
    listed = [row for row in rows("initial-from-other-2001-2021") if row["end"] < FIRST_DAY_OF_THE_BLEND]
    for row in listed:
        source = {System(row["from"]): Rating(float(row["rating"]), row["source_games"])}
        rating, games, _ = first_rating(newcomer(source), System(row["system"]), row["end"])
        if (rating, games) != (row["rating"], row["credited"]):
            differing.add(key(row))
    assert len(listed) == 172
    assert differing == BY_CHANCE


def test_the_blend_credits_the_games_that_were_published() -> None:
    listed = rows("blend-2021")
    games = {key(row): (possible_games(row), row["credited"]) for row in listed}
    differing = {one for one, (possible, credited) in games.items() if credited not in possible}
    assert len(listed) == 51
    assert differing == {STARTED_OTHERWISE}
    assert sum(len(possible) == 1 for possible, _ in games.values()) > len(listed) // 2, "most need no age"


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

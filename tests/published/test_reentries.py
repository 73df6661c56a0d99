"""One person under two seats of a section is one player: both were published with the one rating of all games."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ratebook.model import Cell, Entry, InitialRating, Rating
from support.builders import Start, after_of, cell, facts, rate, section

DOCUMENT: dict[str, Any] = json.loads(
    (Path(__file__).parent / "reentries-b14.json").read_text(encoding="utf-8")
)
IN_2021 = "2021-06-01"
ANY_INITIAL = InitialRating(1300.0)
"""Of players who were unrated: it does not move the published ratings by a point."""


@pytest.mark.statement("A8")
@pytest.mark.parametrize("listed", DOCUMENT["sections"], ids=lambda listed: f"section {listed['section']}")
def test_both_seats_have_the_rating_of_all_games(listed: dict[str, Any]) -> None:
    starts: dict[str, Start] = {}
    entries = []
    for seat, before, games, rounds, person in listed["rows"]:
        starts[str(person)] = ANY_INITIAL if before is None else Rating(float(before), games)
        cells = (Cell("U") if text == "-" else cell(text) for text in rounds.split())
        entries.append(Entry(seat, str(person), tuple(cells)))
    players = {person: facts(person, start) for person, start in starts.items()}
    rated = rate(players, section(entries, on=IN_2021))
    seats: dict[int, list[int]] = {}
    for seat, *_, person in listed["rows"]:
        seats.setdefault(person, []).append(seat)
    published = {int(seat): rating for seat, rating in listed["published"].items()}
    for both in seats.values():
        known = [published[seat] for seat in both if seat in published]
        for rating in known:
            for seat in both:
                assert abs(after_of(rated, seat).rating - rating) <= 1.0, f"seat {seat}"


def test_every_published_rating_is_that_of_someone_with_two_seats() -> None:
    for listed in DOCUMENT["sections"]:
        seats = Counter(row[-1] for row in listed["rows"])
        person_of = {row[0]: row[-1] for row in listed["rows"]}
        assert all(seats[person_of[int(seat)]] > 1 for seat in listed["published"])

"""Real sections come out as they were published: to 0.01 where decimals were, within 1 where integers were.

A rating that a floor held is asserted as that floor. The expected values are the published ones, never ours.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ratebook.model import Entry, PlayerFacts, Rating, Section, SectionType, System
from ratebook.rating.rate import rate_section
from ratebook.rules.rulebook import load_rulebook
from support.builders import after_of, cell, seat_of, workings_of

if TYPE_CHECKING:
    from ratebook.rating.results import RatedSection

FOLDER = Path(__file__).parent

TO_THE_HUNDREDTH = 0.01
TO_THE_POINT = 1.0
"""Published integers rest on integers before, so that ours may differ by the rounding of both."""


class Published(NamedTuple):
    """One published section in one system."""

    file: str
    system: System
    tolerance: float
    dual_rated: bool
    held_at: dict[int, int]
    """Seats that a floor held, with that floor."""

    @property
    def id(self) -> str:
        return f"{self.file}, {self.system}"


SECTIONS = (
    Published("dual-20-2025", System.REGULAR, TO_THE_HUNDREDTH, dual_rated=True, held_at={}),
    Published("dual-20-2025", System.QUICK, TO_THE_HUNDREDTH, dual_rated=True, held_at={}),
    Published("regular-10-2026", System.REGULAR, TO_THE_HUNDREDTH, dual_rated=False, held_at={7: 1500}),
    Published("regular-8-2026", System.REGULAR, TO_THE_HUNDREDTH, dual_rated=False, held_at={}),
    Published("dual-6-players-2026", System.REGULAR, TO_THE_HUNDREDTH, dual_rated=True, held_at={}),
    Published("dual-6-players-2026", System.QUICK, TO_THE_HUNDREDTH, dual_rated=True, held_at={}),
    Published("regular-25-players-b10", System.REGULAR, TO_THE_POINT, dual_rated=False, held_at={17: 1600}),
    Published(
        "regular-64-players-b12", System.REGULAR, TO_THE_POINT, dual_rated=False, held_at={18: 1600, 54: 1200}
    ),
)
WITH_FLOORS = [published for published in SECTIONS if published.held_at]


def read(published: Published) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((FOLDER / f"{published.file}.json").read_text(encoding="utf-8"))
    return document


def rows_of(published: Published) -> dict[int, dict[str, Any]]:
    """Return what was published for each seat in the system."""
    return {row["seat"]: row[published.system.value] for row in read(published)["rows"]}


def rate(published: Published, peaks: dict[int, float] | None = None) -> RatedSection:
    """Rate the section from the published ratings before it; *peaks* by seat, where a test knows one."""
    document = read(published)
    header, rows = document["section"], document["rows"]
    section = Section(
        number=1,
        name="",
        start=date.fromisoformat(header["start"]),
        end=date.fromisoformat(header["end"]),
        time_control=header["time_control"],
        type=SectionType.SWISS,
        entries=tuple(
            Entry(row["seat"], str(row["seat"]), tuple(cell(text) for text in row["rounds"].split()))
            for row in rows
        ),
    )
    facts = {}
    for row in rows:
        ratings = {
            system: Rating(
                row[system]["before"], row[system]["games_before"], peak=(peaks or {}).get(row["seat"])
            )
            for system in System
            if row.get(system) and row[system]["before"] is not None
        }
        facts[str(row["seat"])] = PlayerFacts(id=str(row["seat"]), ratings=ratings)
    rules = load_rulebook().in_force(published.system, section.rules_date)
    return rate_section(section, facts, published.system, rules, dual_rated=published.dual_rated)


@pytest.fixture(params=SECTIONS, ids=[published.id for published in SECTIONS])
def published(request: pytest.FixtureRequest) -> Published:
    chosen: Published = request.param
    return chosen


@pytest.fixture(params=WITH_FLOORS, ids=[published.id for published in WITH_FLOORS])
def with_floors(request: pytest.FixtureRequest) -> Published:
    chosen: Published = request.param
    return chosen


@pytest.mark.statement("P4", "P5", "P7", "G2", "G4", "B1", "A4", "A5", "A12")
def test_every_seat_that_no_floor_held_is_as_published(published: Published) -> None:
    rated = rate(published)
    differing = {
        seat: (after_of(rated, seat).rating, row["after"])
        for seat, row in rows_of(published).items()
        if seat not in published.held_at
        and abs(after_of(rated, seat).rating - row["after"]) > published.tolerance + 1e-9
    }
    assert differing == {}


def test_the_seats_that_a_floor_held_are_below_it_without_a_known_peak(with_floors: Published) -> None:
    """The floor explains the difference: without it the rating would have fallen further."""
    rated = rate(with_floors)
    for seat, floor in with_floors.held_at.items():
        assert after_of(rated, seat).rating < floor - TO_THE_POINT
        assert workings_of(rated, seat).floor is None


@pytest.mark.statement("L2", "A6")
def test_a_known_peak_holds_those_seats_exactly_at_the_floor(with_floors: Published) -> None:
    rows = rows_of(with_floors)
    rated = rate(with_floors, {seat: floor + 200.0 for seat, floor in with_floors.held_at.items()})
    for seat, floor in with_floors.held_at.items():
        assert rows[seat]["after"] == floor, "the published rating is the floor itself"
        assert after_of(rated, seat).rating == floor
        assert after_of(rated, seat).published == floor
        assert workings_of(rated, seat).floor == floor


@pytest.mark.statement("A6")
def test_a_floor_changes_nobody_else(with_floors: Published) -> None:
    """Floors apply once, after Step 5: opponents are rated against the rating without it."""
    without = rate(with_floors)
    with_peaks = rate(with_floors, {seat: floor + 200.0 for seat, floor in with_floors.held_at.items()})
    for one in without.entries:
        if one.seat not in with_floors.held_at:
            assert seat_of(with_peaks, one.seat) == one


@pytest.mark.statement("A13", "S7")
def test_the_games_after_are_as_published(published: Published) -> None:
    rated = rate(published)
    for seat, row in rows_of(published).items():
        games = after_of(rated, seat).games
        if row["games_after"] is not None:
            assert games == row["games_after"], f"seat {seat}"
        elif row["games_before"] is not None:
            assert games > 25, f"seat {seat} became established"
        else:
            assert games == float("inf"), f"seat {seat} was established on an unknown number of games"


@pytest.mark.statement("S6")
def test_who_is_established_is_as_published(published: Published) -> None:
    rated = rate(published)
    for seat, row in rows_of(published).items():
        assert after_of(rated, seat).established == (row["games_after"] is None), f"seat {seat}"


def test_the_displayed_rating_is_the_rounded_one(published: Published) -> None:
    for one in rate(published).entries:
        assert one.after is not None
        assert one.after.published - 0.5 <= one.after.rating < one.after.published + 0.5


def test_the_files_still_say_what_they_are() -> None:
    """The published values are facts: their origin and what to expect of them stand beside them."""
    for published in SECTIONS:
        document = read(published)
        assert document["about"]
        assert document["expect"]
        assert len(document["rows"]) == int(document["about"].split(" ", 1)[0])

"""Reports of several sections: what one section shows of a player bounds what the report does not say."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.model import Bound, Event, PlayerFacts, Rating, Report, Section, SectionType, System
from ratebook.rating.rate import facts_after
from ratebook.reports.rate import rate_report
from ratebook.rules.rulebook import load_rulebook
from ratebook.titles.report import titles_of_report
from support.builders import entry

PLAYER = "90000001"
OTHERS = 90000100
COUNTS = {"wins": 40, "draws": 20, "losses": 40, "long_events": 20}


def against(number: int, score: str, games: int, first: int, *, time_control: str) -> Section:
    """Return a section of the year 2026 in which the player has one result in so many games, each against another."""
    day = date(2026, number, 1)
    other = {"W": "L", "L": "W"}[score]
    seats = range(2, games + 2)
    entries = [entry(1, " ".join(f"{score}{seat}" for seat in seats), PLAYER)]
    entries += [entry(seat, f"{'U ' * (seat - 2)}{other}1", str(first + seat)) for seat in seats]
    return Section(number, "OPEN", day, day, time_control, SectionType.SWISS, entries=tuple(entries))


def rated_after_each(start: Rating, system: System, played: list[tuple[Section, float]]) -> list[Rating]:
    """Return what the player carries after each section; the others of a section have one rating, known in full."""
    players = {PLAYER: PlayerFacts(PLAYER, ratings={system: start})}
    for section, points in played:
        known = Rating(points, 100, peak=points, life_master_games=0, **COUNTS)  # type: ignore[arg-type]
        for one in section.entries[1:]:
            players[one.player] = PlayerFacts(one.player, ratings={system: known})
    sections = tuple(section for section, _ in played)
    event = Event("202601010001", "OPEN", sections[0].start, sections[-1].end)
    rated = rate_report(Report(event, players, sections), load_rulebook())
    assert "peak-missing" in [finding.code for finding in rated.findings]
    return [facts_after(one)[PLAYER].ratings[system] for one in rated.sections]


def test_a_section_has_the_facts_from_before_it() -> None:
    start = Rating(1390.0, 100, peak=1390.0, life_master_games=0, **COUNTS)  # type: ignore[arg-type]
    sections = tuple(
        against(number, "W", 4, OTHERS + 100 * number, time_control="G/90;d5") for number in (1, 2)
    )
    facts = {PLAYER: PlayerFacts(PLAYER, ratings={System.REGULAR: start})}
    for seat in (*sections[0].entries[1:], *sections[1].entries[1:]):
        facts[seat.player] = PlayerFacts(seat.player, ratings={System.REGULAR: start})
    event = Event("202601010001", "OPEN", sections[0].start, sections[-1].end)
    first, second = rate_report(Report(event, facts, sections), load_rulebook()).sections
    between = facts_after(first)[PLAYER]
    assert first.facts[PLAYER] == facts[PLAYER]
    assert second.facts[PLAYER] == between
    told = [line for line in titles_of_report([first, second]) if line.player == PLAYER]
    # Class D ends below 1400; four points against 1390 raise the rating above that at once.
    assert [(one.class_before, one.class_after) for one in told] == [
        ("Class D", "Class C"),
        ("Class C", "Class C"),
    ]


@pytest.mark.statement("L2")
def test_a_rating_before_the_report_gives_its_floor() -> None:
    """14 games lost from an established Blitz rating of 1400: by D25 section 5 nobody with it falls below 1200."""
    section = against(1, "L", 14, OTHERS, time_control="G/3;+2")
    (after,) = rated_after_each(Rating(1400.0, 100, **COUNTS), System.BLITZ, [(section, 1200.0)])  # type: ignore[arg-type]
    assert (after.rating, after.peak, after.at_least) == (
        1200.0,
        1400.0,
        Bound.PEAK | Bound.LIFE_MASTER_GAMES,
    )


@pytest.mark.statement("L2")
def test_a_rating_that_the_first_section_gave_is_a_floor_of_the_third() -> None:
    """From 1990 to 2223 and down again: 2223 - 200 is 2023, so the floor is 2000."""
    played = [
        (against(1, "W", 10, OTHERS, time_control="G/90;d5"), 2100.0),
        (against(2, "L", 15, OTHERS + 100, time_control="G/90;d5"), 1500.0),
        (against(3, "L", 15, OTHERS + 200, time_control="G/90;d5"), 1500.0),
    ]
    start = Rating(1990.0, 200, life_master_games=0, **COUNTS)  # type: ignore[arg-type]
    high, low, floor = rated_after_each(start, System.REGULAR, played)
    assert 2200.0 <= high.rating < 2300.0
    assert 2000.0 < low.rating < high.rating
    assert (floor.rating, floor.peak, floor.at_least) == (2000.0, high.rating, Bound.PEAK)

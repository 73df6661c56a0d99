"""A stored section as a native report, rated by the program."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from scripts.published.pairings import rounds_by_seat

from ratebook.model import Entry, Event, PlayerFacts, Rating, Report, Section, System
from ratebook.reports.rate import RatedReport, rate_report
from ratebook.rules.rulebook import load_rulebook
from ratebook.rules.timecontrol import TimeControl, parse_time_control, systems_for

if TYPE_CHECKING:
    from scripts.published.stored import StoredSection

STAND_INS = ("G/90;d5", "G/60", "G/20", "G/5")
"""Time controls for sections without one, or with one that the program does not read or reads otherwise."""


def player_of(person: int) -> str:
    """Return the key of a person in reports."""
    return f"P{person}"


@cache
def systems_of(text: str, on: date, *, online: bool) -> tuple[System, ...]:
    """Return the systems that the program rates a time control in, none where it does not read it."""
    control = parse_time_control(text)
    return (
        systems_for(load_rulebook(), control, on, online=online) if isinstance(control, TimeControl) else ()
    )


def time_control_of(section: StoredSection) -> str:
    """Return the time control as published if it gives the published systems, else one that does."""
    online = section.systems[0].online
    for text in (section.time_control or STAND_INS[0], *STAND_INS):
        if set(systems_of(text, section.start, online=online)) == set(section.systems):
            return text
    raise ValueError(
        f"event {section.event}, section {section.number}: no time control is rated as {section.systems}"
    )


def players_of(section: StoredSection) -> dict[str, PlayerFacts]:
    """Return the players with their published ratings before the section; nothing else is known of them."""
    players = {}
    for seat in section.seats:
        ratings = {
            system: Rating(float(published.before), published.games_before)
            for system, published in seat.ratings.items()
            if published.before is not None
        }
        players[player_of(seat.person)] = PlayerFacts(player_of(seat.person), ratings=ratings)
    return players


def report_of(section: StoredSection) -> Report:
    """Return *section* as the native report that an office would have received."""
    rounds = rounds_by_seat(section)
    entries = tuple(Entry(seat.seat, player_of(seat.person), rounds[seat.seat]) for seat in section.seats)
    played = Section(
        number=section.number,
        name="",
        start=section.start,
        end=section.end,
        time_control=time_control_of(section),
        type=section.type,
        online=section.systems[0].online,
        entries=entries,
    )
    event = Event(id=str(section.event), start=section.start, end=section.end)
    return Report(event, players_of(section), (played,))


def rate(section: StoredSection) -> RatedReport:
    """Rate *section* as published."""
    return rate_report(report_of(section), load_rulebook())

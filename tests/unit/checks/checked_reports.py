"""Small reports for the tests of the checks: everything is in order where a test does not say otherwise."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ratebook.checks import ReportedFacts, check_report
from ratebook.model import Cell, Entry, Event, PlayerFacts, Rating, Report, Section, SectionType, System

if TYPE_CHECKING:
    from ratebook.findings import Severity

QUAD = ("W2w W3b D4w", "L1b W4w D3b", "L4b L1w D2w", "W3w L2b D1b")
DAY = date(2026, 11, 14)
NO_FACTS = ReportedFacts()


def cells(text: str) -> tuple[Cell, ...]:
    """Return the cells written as in the native report, ``-`` for none."""
    found = []
    for word in text.split():
        colour = word[-1] if word[-1] in "wb" else ""
        digits = word[1:].removesuffix(colour)
        found.append(Cell() if word == "-" else Cell(word[0], int(digits) if digits else None, colour))
    return tuple(found)


def rated(
    key: str, rating: float = 1500.0, games: float | None = None, system: System = System.REGULAR
) -> PlayerFacts:
    """Return a player with a rating in one system and a name like nobody else's."""
    return PlayerFacts(key, f"{key} EXAMPLE", ratings={system: Rating(rating, games)})


def section_of(  # noqa: PLR0913 - each check looks at another part of a section
    *rounds: str,
    players: tuple[str, ...] = (),
    seats: tuple[int, ...] = (),
    number: int = 1,
    name: str = "",
    kind: SectionType = SectionType.SWISS,
    start: date | None = DAY,
    end: date = DAY,
    time_control: str | None = "G/90;d5",
    online: bool = False,
    update: tuple[int, ...] = (),
) -> Section:
    """Return a section; seat 1 is player P1 and so on, where *seats* and *players* do not say otherwise."""
    places = seats or tuple(range(1, len(rounds) + 1))
    names = players or tuple(f"P{seat}" for seat in places)
    entries = tuple(
        Entry(seat, player, cells(text), update=seat in update)
        for seat, player, text in zip(places, names, rounds, strict=True)
    )
    return Section(
        number, name, start, end, time_control, kind, online, half_k=False, youth=False, entries=entries
    )


def report_with(
    *sections: Section, facts: dict[str, PlayerFacts] | None = None, event: Event | None = None
) -> Report:
    """Return a report of *sections*; a player of whom *facts* says nothing has an established rating of 1500."""
    names = {entry.player for section in sections for entry in section.entries}
    players = {name: rated(name) for name in sorted(names)} | (facts or {})
    return Report(event or Event(), players, sections)


def report_of(
    *rounds: str,
    players: tuple[str, ...] = (),
    seats: tuple[int, ...] = (),
    kind: SectionType = SectionType.SWISS,
    update: tuple[int, ...] = (),
    facts: dict[str, PlayerFacts] | None = None,
) -> Report:
    """Return a report of one section."""
    return report_with(
        section_of(*rounds, players=players, seats=seats, kind=kind, update=update), facts=facts
    )


def found(report: Report, facts: ReportedFacts = NO_FACTS) -> list[tuple[str, str]]:
    """Return code and place of every finding."""
    return [(finding.code, finding.where) for finding in check_report(report, facts)]


def severities(report: Report, facts: ReportedFacts = NO_FACTS) -> dict[str, Severity]:
    """Return the severity of every code that is found."""
    return {finding.code: finding.severity for finding in check_report(report, facts)}

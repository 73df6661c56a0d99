"""What of a report comes back from a tournament report file, and what is noted as lost, by a second bookkeeping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.model import (
    Cell,
    Entry,
    Event,
    ForeignRating,
    PlayerFacts,
    Report,
    Section,
    SectionType,
    System,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

PLAYED_CLASS = {"G/15;d3": 1, "G/29": 1, "G/5;d0": 2}
"""Controls of the random reports that are quick or blitz, by the place of their system; the others are regular."""

SCORE_LETTERS = {"N": "W", "S": "L", "R": "D"}


def reduced_event(report: Report, sections: Sequence[Section]) -> tuple[Event, list[str]]:
    event = report.event
    if len(sections) == 1:
        name, section_names = event.name or sections[0].name, [""]
    else:
        names = [" - ".join(part for part in (event.name, one.name) if part) for one in sections]
        heads = {name.split(" - ")[0] for name in names}
        if len(heads) == 1:
            name, section_names = heads.pop(), [name.partition(" - ")[2] for name in names]
        else:
            name, section_names = "", names
    starts = [one.start for one in sections]
    return (
        Event(
            name=name,
            start=None if None in starts else min(start for start in starts if start is not None),
            end=max(one.end for one in sections),
            city=event.city,
            country=event.country,
            chief_td=event.chief_td,
        ),
        section_names,
    )


def reduced_cell(cell: Cell) -> Cell:
    letter = SCORE_LETTERS.get(cell.letter, cell.letter)
    # A draw against no one is read as a half-point bye, what is lost against no one as not paired.
    if letter == "D" and cell.opponent is None:
        return Cell("H")
    return cell._replace(letter="U" if letter in {"F", "L"} and cell.opponent is None else letter)


def reduced_section(section: Section, number: int, name: str, control: str | None) -> Section:
    rounds = max(len(entry.rounds) for entry in section.entries)
    return section._replace(
        number=number,
        name=name,
        time_control=section.time_control or control,
        type=SectionType.OTHER if section.type is SectionType.FIDE else section.type,
        online=False,
        half_k=False,
        youth=False,
        entries=tuple(
            Entry(
                entry.seat,
                entry.player,
                tuple(map(reduced_cell, entry.rounds)) + (Cell(),) * (rounds - len(entry.rounds)),
            )
            for entry in section.entries
        ),
    )


def reduced(report: Report, edition: int, control: str | None) -> Report:
    sections = sorted(report.sections, key=lambda one: one.number)
    event, names = reduced_event(report, sections)
    seated = {entry.player for one in sections for entry in one.entries}
    return Report(
        event,
        {
            key: PlayerFacts(
                key,
                player.name[:33].strip(),
                birth_date=player.birth_date,
                fide=None if player.fide is None else ForeignRating(player.fide.rating),
                cfc=None if player.cfc is None or edition == 16 else ForeignRating(player.cfc.rating),
                usa_flag=player.usa_flag,
                federation="USA" if player.usa_flag else "",
            )
            for key, player in report.players.items()
            if key in seated
        },
        tuple(
            reduced_section(one, 1 if len(sections) == 1 else one.number, name, control)
            for one, name in zip(sections, names, strict=True)
        ),
    )


def paired_by(report: Report) -> dict[str, float]:
    """Return each player's rating in the first section, in the likeliest system that has one."""
    found: dict[str, float] = {}
    for section in sorted(report.sections, key=lambda one: one.number):
        first = PLAYED_CLASS.get(section.time_control or "", 0)
        places = {0: (0, 1, 2), 1: (1, 0, 2), 2: (2, 1, 0)}[first]
        systems = [list(System)[place + 3 * section.online] for place in places]
        for entry in section.entries:
            ratings = report.players[entry.player].ratings
            rating = next((ratings[system].rating for system in systems if system in ratings), None)
            if rating is not None:
                found.setdefault(entry.player, float(int(rating + 0.5)))
    return found


def expected_losses(report: Report, edition: int) -> dict[str, bool]:
    """Return for each kind of loss, by a part of its message, whether it happens."""
    event, sections = report.event, sorted(report.sections, key=lambda one: one.number)
    held, names = reduced_event(report, sections)
    seated = {entry.player for one in sections for entry in one.entries}
    players = [one for key, one in report.players.items() if key in seated]
    everybody = report.players.values()
    cells = [cell for one in sections for entry in one.entries for cell in entry.rounds]
    new = edition == 26
    return {
        "event id": event.id != "",
        "state": event.state != "",
        "affiliate": event.affiliate != "",
        "event name that differs": event.name != held.name,
        "first day of the event": event.start != held.start,
        "last day of the event": event.end != held.end,
        "section name that differs": [one.name for one in sections] != names,
        "number of the only section": False,
        "foreign FIDE event": any(one.type is SectionType.FIDE for one in sections),
        "online section": any(one.online for one in sections),
        "half-K section": any(one.half_k for one in sections),
        "youth event": any(one.youth for one in sections),
        "entry to be updated": any(entry.update for one in sections for entry in one.entries),
        "floor request": any(entry.floor_request is not None for one in sections for entry in one.entries),
        "N, S, R": any(cell.letter in "NSR" and cell.letter for cell in cells),
        "sits in no section": len(players) != len(report.players),
        "adult": any(one.adult is not None for one in everybody),
        "Canadian resident": any(one.canadian_resident for one in everybody),
        "of a member": any(one.us_member for one in everybody),
        "opt-in": any(one.fide_opt_in for one in everybody),
        "player's ratings": any(one.ratings for one in everybody),
        "initial ratings": any(one.initial for one in everybody),
        "floors": any(one.floors for one in everybody),
        "ceilings": any(one.ceilings for one in everybody),
        "earlier matches": any(one.matches for one in everybody),
        "date of a FIDE": any(one.fide is not None and one.fide.as_of is not None for one in everybody),
        "date of a CFC": new and any(one.cfc is not None and one.cfc.as_of is not None for one in everybody),
        "for: CFC rating": not new and any(one.cfc is not None for one in everybody),
        "cut to 33 characters": any(len(one.name) > 33 for one in players),
        "player id": False,
        "fraction": False,
    }

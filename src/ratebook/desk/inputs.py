"""What a rating of one section in one system reads, and nothing else: the facts handed to the engine, and their hash.

The engine sees only what the hash covers; so a section whose hash is unchanged need not be rated again.
"""

from __future__ import annotations

import hashlib
import json
from datetime import date
from typing import TYPE_CHECKING

from ratebook.book.dossiers import CEILING, CEILING_LIFTED, FLOOR, FLOOR_LIFTED, INITIAL, Dossier, initial_of
from ratebook.model import Ceiling, EnteredFloor, ForeignRating, PlayerFacts, Rating, SectionType, System

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ratebook.book.events import StoredSection
    from ratebook.book.official import OfficialRating
    from ratebook.book.rows import Standing
    from ratebook.model import EarlierMatch, InitialRating, Section


class MemberState:
    """A member on the way through history: the dossier, and where the member stands in each system.

    Attributes:
        dossier: None for somebody who is no member (opponents of foreign events).
        standings: by system, after the last section so far; without an opening balance that nothing followed.
        matches: rating changes of earlier matches; None until a match asks for them.
    """

    __slots__ = ("dossier", "matches", "standings")

    def __init__(self, dossier: Dossier | None, standings: dict[System, Standing]) -> None:
        self.dossier = dossier
        self.standings = standings
        self.matches: list[EarlierMatch] | None = None

    def rating(self, system: System) -> Rating | None:
        """Return the rating in *system*: from the ledger, or the opening balance; None where unrated."""
        standing = self.standings.get(system)
        if standing is not None:
            return standing.rating
        balance = None if self.dossier is None else self.dossier.balances.get(system)
        return None if balance is None else balance.rating

    def floors(self, system: System, day: date) -> tuple[EnteredFloor, ...]:
        """Return the entered floors in *system* on *day*: those carried, with the decisions since."""
        dossier = self.dossier
        if dossier is None:
            return ()
        standing = self.standings.get(system)
        balance = dossier.balances.get(system)
        since = date.min
        floors: tuple[EnteredFloor, ...] = ()
        if standing is not None:
            since, floors = standing.end, standing.floors
        elif balance is not None:
            since, floors = balance.as_of, balance.floors
        for decision in dossier.decisions:
            if decision.system is not system or not since < decision.effective <= day:
                continue
            if decision.kind in {FLOOR, FLOOR_LIFTED}:
                floors = tuple(floor for floor in floors if floor.kind is not decision.floor_kind)
            if decision.kind == FLOOR and decision.value is not None:
                floors = (*floors, EnteredFloor(system, decision.floor_kind, decision.value))
        return floors

    def ceilings(self, system: System, day: date) -> tuple[Ceiling, ...]:
        """Return the ceiling in *system* on *day*, if there is one."""
        held: tuple[Ceiling, ...] = ()
        for decision in () if self.dossier is None else self.dossier.decisions:
            if decision.system is not system or decision.effective > day:
                continue
            if decision.kind == CEILING and decision.value is not None:
                held = (Ceiling(system, decision.value),)
            elif decision.kind == CEILING_LIFTED:
                held = ()
        return held

    def initial(self, system: System, day: date) -> Mapping[System, InitialRating]:
        """Return the initial rating that the office decided for *system* up to *day*, if any."""
        found: dict[System, InitialRating] = {}
        for decision in () if self.dossier is None else self.dossier.decisions:
            if decision.kind == INITIAL and decision.system is system and decision.effective <= day:
                found[system] = initial_of(decision)
        return found


def facts_to_rate(
    stored: StoredSection,
    system: System,
    states: Mapping[str, MemberState],
    official: Mapping[str, OfficialRating | None],
) -> dict[str, PlayerFacts]:
    """Return what the engine may know of each player of a section in one system.

    Who has a seat and no game is not rated: where such a player stands is kept from the engine, and so from the hash.

    Args:
        stored: the section.
        system: the system it is rated in.
        states: where everybody stands before it.
        official: official ratings of the players of a match.
    """
    section = stored.section
    rated = _with_games(section)
    updated = {entry.player for entry in section.entries if entry.update}
    facts = {}
    for player in stored.members:
        if player not in rated:
            facts[player] = PlayerFacts(player)
        elif section.type is SectionType.FIDE:
            facts[player] = _foreign_facts(stored, player, states[player], system, updated=player in updated)
        else:
            facts[player] = _facts(section, player, states[player], system, official.get(player))
    return facts


def _with_games(section: Section) -> set[str]:
    """Return the players who have a rated game, by their own report or by their opponent's."""
    seated = {entry.seat: entry.player for entry in section.entries}
    found = set()
    for entry in section.entries:
        for cell in entry.rounds:
            if cell.rated:
                found.add(entry.player)
                if cell.opponent in seated:
                    found.add(seated[cell.opponent])
    return found


def _facts(
    section: Section, player: str, state: MemberState, system: System, official: OfficialRating | None
) -> PlayerFacts:
    day = section.end
    rating = state.rating(system)
    floors, ceilings = state.floors(system, day), state.ceilings(system, day)
    if rating is not None:
        is_match = section.type is SectionType.MATCH
        own = rating._replace(
            as_of=None,
            published=official.rating if is_match and official is not None else None,
            published_games=official.games if is_match and official is not None else None,
        )
        return PlayerFacts(
            player,
            ratings={system: own},
            floors=floors,
            ceilings=ceilings,
            matches=tuple(match for match in state.matches or () if match.system is system)
            if is_match
            else (),
        )
    decided = state.initial(system, day)
    if decided:
        return PlayerFacts(player, initial=decided, floors=floors, ceilings=ceilings)
    dossier = state.dossier
    assert dossier is not None, "players of a domestic section are members"  # noqa: S101 - tells the type checker
    others = {}
    for other in System:
        known = state.rating(other)
        if known is not None:
            others[other] = Rating(known.rating, known.games, as_of=known.as_of)
    return PlayerFacts(
        player,
        birth_date=dossier.birth_date,
        adult=dossier.adult,
        canadian_resident=dossier.canadian_resident,
        ratings=others,
        fide=dossier.foreign_on("fide", day),
        cfc=dossier.foreign_on("cfc", day),
        floors=floors,
        ceilings=ceilings,
    )


def _foreign_facts(
    stored: StoredSection, player: str, state: MemberState, system: System, *, updated: bool
) -> PlayerFacts:
    day = stored.section.end
    dossier = state.dossier
    reported = stored.fide.get(player)
    fide = None if reported is None else ForeignRating(reported)
    if fide is None and dossier is not None:
        fide = dossier.foreign_on("fide", day)
    facts = PlayerFacts(player, fide=None if fide is None else ForeignRating(fide.rating))
    if not updated or dossier is None:
        return facts
    rating = state.rating(system)
    return facts._replace(
        ratings={} if rating is None else {system: rating._replace(as_of=None)},
        floors=state.floors(system, day),
        ceilings=state.ceilings(system, day),
        us_member=dossier.member_on(day),
        usa_flag=dossier.usa_flag,
        fide_opt_in=dossier.fide_opt_in,
    )


def input_hash(
    section: Section, system: System, rules: str, facts: Mapping[str, PlayerFacts], *, dual_rated: bool
) -> str:
    """Return 32 hex digits that differ whenever something differs that the rating reads.

    Args:
        section: what was played; its name is not read.
        system: the system.
        rules: fingerprint of the numbers in force.
        facts: what the engine is given of the players.
        dual_rated: whether the section is rated in OTB Quick too.
    """
    read = [
        system.value,
        rules,
        dual_rated,
        section.start,
        section.end,
        section.type.value,
        section.half_k,
        section.youth,
        section.entries,
        [_listed(facts[player]) for player in facts],
    ]
    return hashlib.sha256(json.dumps(read, default=_plain, separators=(",", ":")).encode()).hexdigest()[:32]


def _listed(facts: PlayerFacts) -> list[object]:
    """Return the facts as JSON can hold them; the order of systems is that of `System`."""
    return [
        *facts[:5],
        _by_system(facts.ratings),
        *facts[6:-1],
        _by_system(facts.initial),
    ]


def _by_system(values: Mapping[System, object]) -> list[object]:
    return [[system.value, values[system]] for system in System if system in values]


def _plain(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"no part of a rating's inputs: {type(value).__name__}")


def participants(stored: Iterable[StoredSection]) -> Sequence[str]:
    """Return everybody who has a seat in one of the sections, once."""
    return list(dict.fromkeys(player for one in stored for player in one.members))

"""What a rating of one section in one system reads, and nothing else: the facts handed to the engine, and their hash.

The engine sees only what the hash covers; so a section whose hash is unchanged need not be rated again.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from ratebook.book.events import StoredSection
from ratebook.book.facts.member_files import MemberBalance, MemberDecision, MemberFile
from ratebook.book.ledger.rows import Standing
from ratebook.model import (
    SCORES,
    Ceiling,
    EarlierMatch,
    EnteredFloor,
    FloorKind,
    ForeignRating,
    InitialRating,
    PlayerFacts,
    Rating,
    Section,
    SectionType,
    Shown,
    System,
)
from ratebook.rating import decisions
from ratebook.rating.carry import Carry
from ratebook.rating.floors import NO_FLOOR
from ratebook.rating.foreign import finds_unmarked
from ratebook.rating.settlement import NO_CEILING
from ratebook.rating.step1 import NO_RATING
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import Rulebook

SYSTEMS = tuple(System)
_PUBLISHED = Rating._fields.index("published")
"""Where the fields begin that a rating does not carry from section to section: what a list says, and the day."""

UNMOVED = (math.nan,) * len(decisions.NOTHING_ENTERED)
"""What is entered before a decision that is looked at alone."""


class SystemFacts(NamedTuple):
    """What a rating may read of a member in the system that is rated; floors are in the order of their entry."""

    rating: Rating | None
    floors: tuple[EnteredFloor, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()
    initial: Mapping[System, InitialRating] = MappingProxyType({})


class MemberState:
    """A member at a place of history: the member's file, and the standing in each system.

    Attributes:
        member_file: None for a player who is no member (an opponent in a foreign event).
        standings: by system, after the last section so far; without an opening balance that nothing followed.
        rulebook: the dated rules, since what a decision does is said by those of its day.
        matches: rating changes of earlier matches; None until a match asks for them.
    """

    __slots__ = ("matches", "member_file", "rulebook", "standings")

    def __init__(
        self, member_file: MemberFile | None, standings: dict[System, Standing], rulebook: Rulebook
    ) -> None:
        self.member_file = member_file
        self.standings = standings
        self.rulebook = rulebook
        self.matches: list[EarlierMatch] | None = None

    def carried(self, system: System) -> Standing | MemberBalance | None:
        """Return what the member carries in *system*: from the ledger, or the opening balance; None where unrated."""
        known = self.standings.get(system)
        return known or (None if self.member_file is None else self.member_file.balances.get(system))

    @property
    def systems(self) -> Iterable[System]:
        """The systems in which something may be known: all where something was decided."""
        member_file = self.member_file
        if member_file is None or member_file.decisions:
            return SYSTEMS
        return [system for system in SYSTEMS if system in self.standings or system in member_file.balances]

    def facts(self, system: System, day: date) -> SystemFacts:
        """Return what a section that ends on *day* starts from: what is carried, and the decisions that follow it."""
        return self._followed(system, day, raised_before=day)

    def facts_after(self, system: System, day: date) -> SystemFacts:
        """Return what holds in *system* when *day* is over and everything of it is carried."""
        return self._followed(system, day, raised_before=date.max)

    def _followed(self, system: System, day: date, *, raised_before: date) -> SystemFacts:
        member_file = self.member_file
        if member_file is None:
            return SystemFacts(None)
        carried = self.carried(system)
        rating, floors = (None, ()) if carried is None else (carried.rating, carried.floors)
        if not member_file.decisions:
            return SystemFacts(rating, floors)
        since = date.min if rating is None or rating.as_of is None else rating.as_of
        due = [
            decision
            for decision in member_file.decisions
            if decision.system is system
            and decision.effective <= day
            and (decision.effective > since or decisions.NUMBERS[decision.kind] not in decisions.CARRIED)
        ]
        if not due:
            return SystemFacts(rating, floors)
        following = _Following(system, rating, floors, self.rulebook)
        for decision in due:
            following.end_days_before(decision.effective)
            following.follow(decision)
        following.end_days_before(raised_before)
        return following.facts()


class _Following:
    """What a member carries in a system, as one decision after the other takes effect."""

    def __init__(
        self, system: System, rating: Rating | None, floors: tuple[EnteredFloor, ...], rulebook: Rulebook
    ) -> None:
        self.system = system
        self.before = rating
        self.carry = Carry(rating)
        self.as_of = None if rating is None else rating.as_of
        self.floors = floors
        self.ceiling = NO_CEILING
        self.rulebook = rulebook
        self.raises: date | None = None

    def follow(self, decision: MemberDecision) -> None:
        """Let a decision take effect."""
        rules = self._rules_of(decision.effective)
        kind, floor_kind, value, games = decision.numbers()
        moved = list(UNMOVED)
        if kind == decisions.RATING:
            moved[decisions.LOWERED_FLOOR] = lowered = self._level(FloorKind.LOWERED)
        if decisions.take_effect(rules, self.carry, moved, kind, floor_kind, value, games):
            self.as_of = decision.effective
        if kind == decisions.RATING and moved[decisions.LOWERED_FLOOR] == lowered:
            return
        self.floors = _with_moved(self.floors, moved, self.system)
        if not math.isnan(moved[decisions.ENTERED_CEILING]):
            self.ceiling = moved[decisions.ENTERED_CEILING]
        if decisions.waits_to_raise(rules, kind, floor_kind):
            self.raises = decision.effective

    def end_days_before(self, day: date) -> None:
        """Raise the rating to the floor whose day has ended before *day*."""
        if self.raises is None or self.raises >= day:
            return
        entered = [*map(self._level, decisions.FLOOR_KINDS), NO_CEILING]
        lowered = entered[decisions.LOWERED_FLOOR]
        if decisions.raise_to_floor(self._rules_of(self.raises), self.carry, entered):
            self.as_of = self.raises
        if entered[decisions.LOWERED_FLOOR] != lowered:
            self.floors = tuple(floor for floor in self.floors if floor.kind is not FloorKind.LOWERED)
        self.raises = None

    def _rules_of(self, day: date) -> RulesInForce:
        return self.rulebook.in_force(self.system, max(day, self.rulebook.first_day))

    def _level(self, kind: FloorKind) -> float:
        return max((entered.floor for entered in self.floors if entered.kind is kind), default=NO_FLOOR)

    def facts(self) -> SystemFacts:
        """Return what holds after all of them."""
        ceilings = () if self.ceiling == NO_CEILING else (Ceiling(self.system, self.ceiling),)
        carry = self.carry
        if self.before is not None:
            return SystemFacts(carry.rating_on(self.as_of, self.before), self.floors, ceilings)
        initial = {} if carry.rating == NO_RATING else {self.system: InitialRating(carry.rating, carry.games)}
        return SystemFacts(None, self.floors, ceilings, initial)


def _with_moved(
    floors: tuple[EnteredFloor, ...], moved: Sequence[float], system: System
) -> tuple[EnteredFloor, ...]:
    """Return *floors* without the kinds that a decision moved, and those that it entered last."""
    for kind, floor in zip(decisions.FLOOR_KINDS, moved, strict=False):
        if not math.isnan(floor):
            floors = tuple(entered for entered in floors if entered.kind is not kind)
            if floor != NO_FLOOR:
                floors = (*floors, EnteredFloor(system, kind, floor))
    return floors


class GamesPlayed(NamedTuple):
    """What was played in a section, as every system that rates it reads it.

    Attributes:
        rated: the players who have a rated game, by their own report or by their opponent's.
        text: dates, kind, entries and games as JSON, without the brackets of the list; the name is not read.
    """

    rated: frozenset[str]
    text: str


def played_in(section: Section) -> GamesPlayed:
    """Return what was played in *section*."""
    entries = [entry[:5] for entry in section.entries]
    read = [section.start, section.end, section.type.value, section.half_k, section.youth, entries]
    return GamesPlayed(_with_games(section), _JSON.encode(read)[1:-1])


def facts_to_rate(  # noqa: PLR0913, PLR0917 - a section, how it is rated, and what is known
    stored: StoredSection,
    played: GamesPlayed,
    system: System,
    states: Mapping[str, MemberState],
    official: Mapping[str, Shown | None],
    rules: RulesInForce,
) -> dict[str, PlayerFacts]:
    """Return what the engine may know of each player of a section in one system.

    A player with a seat and no game is not rated; the engine and the hash see nothing of the standing of such a player.
    *states* are those before the section, *official* the official ratings of the players of a match. Of a foreign event
    the engine knows those who may be updated: by the *rules* all members, or those who are marked.
    """
    section = stored.section
    updated = {entry.player for entry in section.entries if entry.update}
    facts = {}
    for player in stored.members:
        if player not in played.rated:
            facts[player] = PlayerFacts(player)
        elif section.type is SectionType.FIDE:
            may_be = bool(finds_unmarked(rules)) or player in updated
            facts[player] = _foreign_facts(stored, player, states[player], system, updated=may_be)
        else:
            facts[player] = _facts(section, player, states[player], system, official.get(player))
    return facts


def _with_games(section: Section) -> frozenset[str]:
    """Return the players who have a rated game, by their own report or by their opponent's."""
    seated = {entry.seat: entry.player for entry in section.entries}
    players = set()
    for entry in section.entries:
        for letter, opponent, _ in entry.rounds:
            if letter in SCORES:
                players.add(entry.player)
                if opponent in seated:
                    players.add(seated[opponent])
    return frozenset(players)


def _facts(
    section: Section, player: str, state: MemberState, system: System, official: Shown | None
) -> PlayerFacts:
    day = section.end
    rating, floors, ceilings, initial = state.facts(system, day)
    if rating is not None:
        published = (None, None) if official is None else (official.rating, official.provisional_games)
        # As `_replace` would make it, which takes four times as long.
        own = Rating._make((*rating[:_PUBLISHED], *published, None, rating.at_least))
        matches = state.matches or () if section.type is SectionType.MATCH else ()
        return PlayerFacts(
            player,
            ratings={system: own},
            floors=floors,
            ceilings=ceilings,
            matches=tuple(match for match in matches if match.system is system),
        )
    if initial:
        return PlayerFacts(player, initial=initial, floors=floors, ceilings=ceilings)
    member_file = state.member_file
    assert member_file is not None, "players of a domestic section are members"  # noqa: S101 - tells the type checker
    others = {
        other: Rating(known.rating, known.games, as_of=known.as_of)
        for other in state.systems
        if (known := state.facts(other, day).rating) is not None
    }
    return PlayerFacts(
        player,
        birth_date=member_file.birth_date,
        adult=member_file.adult,
        canadian_resident=member_file.canadian_resident,
        ratings=others,
        fide=member_file.foreign_on("fide", day),
        cfc=member_file.foreign_on("cfc", day),
        floors=floors,
        ceilings=ceilings,
    )


def _foreign_facts(
    stored: StoredSection, player: str, state: MemberState, system: System, *, updated: bool
) -> PlayerFacts:
    day = stored.section.end
    member_file = state.member_file
    reported = stored.fide.get(player)
    fide = None if reported is None else ForeignRating(reported)
    if fide is None and member_file is not None:
        fide = member_file.foreign_on("fide", day)
    facts = PlayerFacts(player, fide=None if fide is None else ForeignRating(fide.rating))
    if not updated or member_file is None:
        return facts
    rating, floors, ceilings, _ = state.facts(system, day)
    return facts._replace(
        ratings={} if rating is None else {system: rating._replace(as_of=None)},
        floors=floors,
        ceilings=ceilings,
        us_member=member_file.member_on(day),
        usa_flag=member_file.flag_on(day),
        fide_opt_in=member_file.opted_in_before(stored.section.rules_date),
    )


def input_hash(
    played: GamesPlayed, system: System, rules: str, facts: Mapping[str, PlayerFacts], *, dual_rated: bool
) -> str:
    """Return 32 hex digits that differ whenever something that the rating reads differs.

    *rules* is the fingerprint of the numbers in force; *dual_rated* sections are rated in OTB Quick too.
    """
    how = _JSON.encode([system.value, rules, dual_rated])
    whom = _JSON.encode([_listed(player) for player in facts.values()])
    return hashlib.sha256(f"{how[:-1]},{played.text},{whom}]".encode()).hexdigest()[:32]


_INITIAL = PlayerFacts._fields.index("initial")
"""The last fact that a rating reads; titles, which follow, are no part of it."""


def _listed(facts: PlayerFacts) -> list[object]:
    """Return the facts that a rating reads as JSON can hold them; the order of systems is that of `System`."""
    return [*facts[:5], _ratings(facts), *facts[6:_INITIAL], _by_system(facts.initial)]


def _ratings(facts: PlayerFacts) -> list[object]:
    """Return the ratings; one without bounds as ratings were before there were any, so that older hashes hold."""
    return _by_system(
        {system: rating if rating.at_least else rating[:-1] for system, rating in facts.ratings.items()}
    )


def _by_system(values: Mapping[System, object]) -> list[object]:
    if len(values) <= 1:
        return [[system.value, value] for system, value in values.items()]
    return [[system.value, values[system]] for system in SYSTEMS if system in values]


def _plain(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"no part of a rating's inputs: {type(value).__name__}")


_JSON = json.JSONEncoder(default=_plain, separators=(",", ":"))


def participants(stored: Iterable[StoredSection]) -> Sequence[str]:
    """Return all players who have a seat in one of the sections, once each."""
    return list(dict.fromkeys(player for section in stored for player in section.members))

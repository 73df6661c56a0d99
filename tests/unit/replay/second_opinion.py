"""A second opinion on replays: the columns as sections and facts, rated one by one as a report is rated.

It shares the formulas with the loop of a replay, and none of what gathers, follows decisions and stores.
"""

from __future__ import annotations

import math
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa

from ratebook.model import (
    Bound,
    Ceiling,
    Cell,
    EnteredFloor,
    Entry,
    FloorKind,
    FloorRequest,
    ForeignRating,
    InitialRating,
    PlayerFacts,
    Rating,
    Record,
    Section,
    SectionType,
    System,
)
from ratebook.rating.decisions import (
    CEILING,
    FLOOR,
    FLOOR_KINDS,
    FLOOR_LIFTED,
    INITIAL,
    OPT_IN,
    RATING,
    USA_FLAG,
)
from ratebook.rating.floors import peak_floor
from ratebook.rating.rate import facts_after, merged, rate_section
from ratebook.replay.ledger import ledger_schema
from ratebook.replay.load import chunks, source_of
from ratebook.replay.memory import (
    FOREIGN,
    MATCH,
    NOBODY,
    REQUEST_DENIED,
    REQUEST_GRANTED,
    SEVERAL_SEATS,
    UPDATE,
    US_MEMBER,
)
from ratebook.replay.prepare import FLOOR_COLUMNS, decisions_that_count, side_arrays
from ratebook.replay.run import Replayed
from ratebook.replay.tables import STANDINGS
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ratebook.rating.results import RatedSection
    from ratebook.replay.load import Arrays, RawChunk
    from ratebook.replay.tables import History
    from ratebook.rules.rulebook import Rulebook

SYSTEM_LIST = tuple(System)
KINDS = (SectionType.SWISS, SectionType.MATCH, SectionType.FIDE)
RECORDS = (Record.MIXED, Record.WINS, Record.LOSSES)
LETTERS = "LDW"


def day_or_none(day: int) -> date | None:
    """Return a day number as a date."""
    return None if day < 0 else date.fromordinal(int(day))


def number_or_none(value: float) -> float | None:
    """Return a number of a column; NaN stands for none."""
    return None if math.isnan(value) else float(value)


def count_or_none(value: int) -> int | None:
    """Return a count of a column; a negative one stands for none."""
    return None if value < 0 else int(value)


class Standings:
    """Where everybody stands, as the interpreted engine knows it: one `PlayerFacts` a member."""

    def __init__(self, side: Mapping[str, Arrays], rulebook: Rulebook) -> None:
        self.side = side
        self.rulebook = rulebook
        # By member and system: the day of a floor whose day is not over.
        self.raises: dict[tuple[int, int], int] = {}
        members = side["members"]
        self.facts = [
            PlayerFacts(
                str(member),
                birth_date=day_or_none(members["birth_date"][member]),
                adult=bool(members["adult"][member]),
                canadian_resident=bool(members["canadian_resident"][member]),
                usa_flag=bool(members["usa_flag"][member]),
                fide_opt_in=bool(members["fide_opt_in"][member]),
            )
            for member in range(len(members["adult"]))
        ]
        balances = side["balances"]
        for row in range(len(balances["member"])):
            self._open(balances, row)
        # By member and system: the decisions, and how many of them have taken effect.
        self.decisions: dict[tuple[int, int], list[int]] = {}
        for row, key in enumerate(zip(side["decisions"]["member"], side["decisions"]["system"], strict=True)):
            self.decisions.setdefault((int(key[0]), int(key[1])), []).append(row)
        foreign = side["foreign_ratings"]
        self.foreign: dict[tuple[int, int], list[ForeignRating]] = {}
        for row, key in enumerate(zip(foreign["member"], foreign["source"], strict=True)):
            listed = ForeignRating(float(foreign["rating"][row]), day_or_none(foreign["list_date"][row]))
            self.foreign.setdefault((int(key[0]), int(key[1])), []).append(listed)

    def _open(self, balances: Arrays, row: int) -> None:
        member = int(balances["member"][row])
        system = SYSTEM_LIST[balances["system"][row]]
        record = int(balances["record"][row])
        rating = Rating(
            rating=float(balances["rating"][row]),
            games=number_or_none(balances["games"][row]),
            wins=count_or_none(balances["wins"][row]),
            draws=count_or_none(balances["draws"][row]),
            losses=count_or_none(balances["losses"][row]),
            record=None if record < 0 else RECORDS[record],
            long_events=count_or_none(balances["long_events"][row]),
            peak=number_or_none(balances["peak"][row]),
            life_master_games=count_or_none(balances["life_master_games"][row]),
            as_of=day_or_none(balances["as_of"][row]),
            at_least=Bound(int(balances["at_least"][row])),
        )
        floors = tuple(
            EnteredFloor(system, kind, float(balances[name][row]))
            for kind, name in zip(FLOOR_KINDS, FLOOR_COLUMNS, strict=True)
            if not math.isnan(balances[name][row])
        )
        facts = self.facts[member]
        self.facts[member] = facts._replace(
            ratings={**facts.ratings, system: rating}, floors=facts.floors + floors
        )

    def facts_on(self, member: int, system: int, day: int) -> PlayerFacts:
        """Return the facts of a member on a day, after the decisions about *system* that hold from it or earlier."""
        rated = [number for number, one in enumerate(System) if one in self.facts[member].ratings]
        for one in {system, *rated}:
            self.follow(member, one, day)
        return self.facts[member]._replace(
            fide=self.newest_foreign(member, 0, day), cfc=self.newest_foreign(member, 1, day)
        )

    def follow(self, member: int, system: int, day: int) -> None:
        """Let the decisions of a member and system take effect: each on its day, floors raise when theirs is over."""
        table, key = self.side["decisions"], (member, system)
        due = self.decisions.get(key, [])
        while due and table["effective"][due[0]] <= day:
            row = due.pop(0)
            own_day = int(table["effective"][row])
            self._end_days(key, own_day)
            self.facts[member] = self._decided(self.facts[member], SYSTEM_LIST[system], row)
            if table["kind"][row] == FLOOR and FLOOR_KINDS[table["floor_kind"][row]] is not FloorKind.LOWERED:
                self.raises[key] = own_day
        self._end_days(key, day)

    def _end_days(self, key: tuple[int, int], before: int) -> None:
        if self.raises.get(key, before) >= before:
            return
        day = self.raises.pop(key)
        member, system = key[0], SYSTEM_LIST[key[1]]
        facts = self.facts[member]
        floors = [
            one.floor for one in facts.floors if one.system is system and one.kind is not FloorKind.LOWERED
        ]
        rating = facts.ratings.get(system)
        if rating is not None and floors and rating.rating < max(floors):
            self.facts[member] = self._moved(facts, system, max(floors), day, floor=True)

    def _moved(
        self, facts: PlayerFacts, system: System, value: float, day: int, *, floor: bool = False
    ) -> PlayerFacts:
        """Return *facts* with a rating moved to *value*: a new peak if it is the highest, or if the peak gives way.

        It gives way to an adjusted rating, not to one that rose to a *floor*.
        """
        rating = facts.ratings[system]
        on = max(date.fromordinal(day), self.rulebook.first_day)
        rules = self.rulebook.in_force(system, on)
        lowered = [one for one in facts.floors if one.system is system and one.kind is FloorKind.LOWERED]
        peak, at_least, floors = rating.peak, rating.at_least, facts.floors
        others = tuple(one for one in floors if one not in lowered)
        in_force = lowered[0].floor if lowered else peak_floor(rules, -1.0 if peak is None else peak)
        if rating.games is None or rating.games > rules.established_above_games:
            if value < in_force and not floor:
                peak, at_least, floors = value, at_least & ~Bound.PEAK, others
            elif peak is not None and value > peak:
                surely = Bound.PEAK not in at_least
                if (
                    surely
                    or not lowered
                    or peak_floor(rules, value) > lowered[0].floor + rules.match_floor_drop
                ):
                    floors = others
                peak = value
        moved = rating._replace(rating=value, peak=peak, at_least=at_least, as_of=date.fromordinal(day))
        return facts._replace(ratings={**facts.ratings, system: moved}, floors=floors)

    def marked(self, member: int, mark: int, day: int, *, before: bool) -> bool:
        """Return whether the newest decision about a mark of a member, of those before *day*, sets it."""
        table = self.side["decisions"]
        mine = (table["member"] == member) & (table["system"] == 0) & (table["effective"] < day)
        about = table["kind"][mine & np.isin(table["kind"], (mark, mark + 1))]
        return bool(about[-1] == mark) if len(about) else before

    def newest_foreign(self, member: int, source: int, day: int) -> ForeignRating | None:
        """Return the FIDE (0) or CFC (1) rating of the newest list up to a day."""
        newest = None
        for rating in self.foreign.get((member, source), ()):
            if rating.as_of is not None and rating.as_of.toordinal() <= day:
                newest = rating
        return newest

    def _decided(self, facts: PlayerFacts, system: System, row: int) -> PlayerFacts:
        decisions = self.side["decisions"]
        kind = int(decisions["kind"][row])
        value = float(decisions["value"][row])
        if kind in {FLOOR, FLOOR_LIFTED}:
            whose = FLOOR_KINDS[decisions["floor_kind"][row]]
            kept = tuple(
                floor for floor in facts.floors if floor.system is not system or floor.kind is not whose
            )
            entered = (EnteredFloor(system, whose, value),) if kind == FLOOR else ()
            return facts._replace(floors=kept + entered)
        if kind == RATING:
            day = int(decisions["effective"][row])
            return self._moved(facts, system, value, day) if system in facts.ratings else facts
        if kind >= OPT_IN:
            return facts
        if kind == INITIAL:
            decided = InitialRating(value, float(decisions["games"][row]))
            return facts._replace(initial={**facts.initial, system: decided})
        others = tuple(ceiling for ceiling in facts.ceilings if ceiling.system is not system)
        return facts._replace(ceilings=(*others, Ceiling(system, value)) if kind == CEILING else others)

    def carry_on(self, member: int, after: PlayerFacts, system: System) -> None:
        """Take over what *after* says about *system*; the other system of the section stays as it is."""
        self.facts[member] = merged(self.facts[member], after, system)


def second_opinion(history: History, rulebook: Rulebook | None = None) -> Replayed:
    """Return what a replay of *history* with workings should give."""
    source = source_of(history)
    side = side_arrays(source.side)
    side["decisions"] = decisions_that_count(side)
    standings = Standings(side, rulebook or load_rulebook())
    rows = [
        found
        for raw in chunks(source, max(source.sections, 1))
        for row, system, rated in rate_raw(raw, standings, rulebook or load_rulebook())
        for found in ledger_rows(row, system, rated)
    ]
    for member, system in sorted(standings.decisions):
        standings.follow(member, system, date.max.toordinal())
    ledger = pa.Table.from_pylist(rows, schema=ledger_schema(workings=True))
    stand = pa.Table.from_pylist(list(standing_rows(standings)), schema=STANDINGS)
    return Replayed(pl.DataFrame(ledger), pl.DataFrame(stand), ())


def sections_of(raw: RawChunk) -> Iterator[tuple[Section, list[int], slice]]:
    """Yield each section of a chunk as the engine takes it, with its members and where its entries stand.

    Players are named by member, opponents who are no members by entry; a second seat without games stands for the
    mark that a player has several.
    """
    sections, entries, games = raw.sections, raw.entries, raw.games
    entry = game = 0
    for row in range(len(sections["end"])):
        count = int(sections["entries"][row])
        members = entries["member"][entry : entry + count].tolist()
        seats: list[Entry] = []
        for at in range(count):
            played = int(entries["games"][entry + at])
            marks = int(entries["marks"][entry + at])
            cells = tuple(
                Cell(LETTERS[games["score"][place]], int(games["opponent"][place]) + 1)
                for place in range(game, game + played)
            )
            game += played
            request = None
            if marks & (REQUEST_GRANTED | REQUEST_DENIED):
                request = FloorRequest.GRANTED if marks & REQUEST_GRANTED else FloorRequest.DENIED
            seats.append(Entry(at + 1, key_of(members[at], at), cells, bool(marks & UPDATE), request))
            if marks & SEVERAL_SEATS:
                seats.append(Entry(count + at + 1, key_of(members[at], at), (), bool(marks & UPDATE)))
        section = Section(
            number=int(sections["number"][row]),
            name="",
            start=date.fromordinal(int(sections["start"][row])),
            end=date.fromordinal(int(sections["end"][row])),
            time_control=None,
            type=KINDS[sections["kind"][row]],
            half_k=bool(sections["half_k"][row]),
            youth=bool(sections["youth"][row]),
            entries=tuple(sorted(seats)),
        )
        yield section, members, slice(entry, entry + count)
        entry += count


def key_of(member: int, at: int) -> str:
    """Return the name of a player within a section."""
    return str(member) if member != NOBODY else f"opponent {at}"


def rate_raw(
    raw: RawChunk, standings: Standings, rulebook: Rulebook
) -> Iterator[tuple[int, int, RatedSection]]:
    """Yield the rated sections of a chunk with the row of the section and the system; *standings* move on with them."""
    for row, (section, members, place) in enumerate(sections_of(raw)):
        systems = int(raw.sections["systems"][row])
        rated = [
            _rate_one(raw, row, section, members, place, system, standings, rulebook)
            for system in range(len(SYSTEM_LIST))
            if systems >> system & 1
        ]
        for one in rated:
            for player, after in facts_after(one).items():
                standings.carry_on(int(player), after, one.system)
        for one in rated:
            yield row, SYSTEM_LIST.index(one.system), one


def _rate_one(  # noqa: PLR0913, PLR0917 - one section in one system
    raw: RawChunk,
    row: int,
    section: Section,
    members: list[int],
    place: slice,
    system: int,
    standings: Standings,
    rulebook: Rulebook,
) -> RatedSection:
    day = section.end.toordinal()
    foreign = raw.sections["kind"][row] == FOREIGN
    facts: dict[str, PlayerFacts] = {}
    for at, member in enumerate(members):
        key = key_of(member, at)
        known = PlayerFacts(key) if member == NOBODY else standings.facts_on(member, system, day)
        if foreign:
            reported = float(raw.entries["fide"][place][at])
            if reported > 0:
                known = known._replace(fide=ForeignRating(reported))
            known = known._replace(us_member=bool(raw.entries["marks"][place][at] & US_MEMBER))
            if member != NOBODY:
                begins = section.rules_date.toordinal()
                known = known._replace(
                    usa_flag=standings.marked(member, USA_FLAG, day + 1, before=known.usa_flag),
                    fide_opt_in=standings.marked(member, OPT_IN, begins, before=known.fide_opt_in),
                )
        facts[key] = known
    systems = int(raw.sections["systems"][row])
    return rate_section(
        section,
        facts,
        SYSTEM_LIST[system],
        rulebook.in_force(SYSTEM_LIST[system], section.rules_date),
        dual_rated=systems & 3 == 3,
    )


def ledger_rows(row: int, system: int, rated: RatedSection) -> Iterator[dict[str, Any]]:
    """Yield the ledger rows of one rated section, as `tables.LEDGER` and `tables.FULL_LEDGER` have them."""
    columns, settlement = rated.columns, rated.settlement
    entries = {entry.player: entry for entry in rated.entries}
    for player, after in facts_after(rated).items():
        at = rated.places[player]
        now = after.ratings[rated.system]
        workings = entries[player].workings
        assert workings is not None, "who has played has workings"
        lowered = [f.floor for f in after.floors if f.system is rated.system and f.kind is FloorKind.LOWERED]
        match = rated.section.type is KINDS[MATCH]
        yield {
            "member": int(player),
            "section": row,
            "system": system,
            "source": rated.sources[at],
            "formula": columns.formula[at],
            "played": columns.first_game[at + 1] - columns.first_game[at],
            "rating_before": columns.rating[at],
            "games_before": columns.games[at],
            "rating": now.rating,
            "games": math.inf if now.games is None else now.games,
            "k": workings.k,
            "score": workings.score,
            "expected": workings.expected,
            "bonus": workings.bonus,
            "floor_applied": workings.floor,
            "wins": now.wins,
            "draws": now.draws,
            "losses": now.losses,
            "record": None if now.record is None else RECORDS.index(now.record),
            "long_events": now.long_events,
            "peak": now.peak,
            "life_master_games": now.life_master_games,
            "at_least": int(now.at_least),
            "lowered": lowered[0] if lowered else None,
            "match_change": settlement.after[at] - columns.rating[at] if match else None,
            "effective_games": workings.effective_games,
            "step3": workings.step3,
            "step4": workings.step4,
            "step5": workings.step5,
        }


def standing_rows(standings: Standings) -> Iterator[dict[str, Any]]:
    """Yield where everybody stands, as `tables.STANDINGS` has it."""
    for member, facts in enumerate(standings.facts):
        for number, system in enumerate(SYSTEM_LIST):
            rating = facts.ratings.get(system)
            if rating is None:
                continue
            floors = {floor.kind: floor.floor for floor in facts.floors if floor.system is system}
            yield {
                "member": member,
                "system": number,
                "as_of": rating.as_of,
                "rating": rating.rating,
                "games": math.inf if rating.games is None else rating.games,
                "wins": rating.wins,
                "draws": rating.draws,
                "losses": rating.losses,
                "record": None if rating.record is None else RECORDS.index(rating.record),
                "long_events": rating.long_events,
                "peak": rating.peak,
                "life_master_games": rating.life_master_games,
                "at_least": int(rating.at_least),
                **{name: floors.get(kind) for kind, name in zip(FLOOR_KINDS, FLOOR_COLUMNS, strict=True)},
            }

"""From columns that were checked to what the compiled loop reads: tables, state, chunks, room for the ledger."""

import math
from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa

from ratebook.model import System
from ratebook.rating.decisions import CARRIED, FLOOR_KINDS
from ratebook.rating.floors import NO_FLOOR
from ratebook.rating.settlement import window_days
from ratebook.replay.load import Arrays, RawChunk, first_places
from ratebook.replay.memory import (
    ADULT,
    CANADIAN,
    FIDE_OPT_IN,
    FOREIGN,
    MATCH,
    NO_EXTRA,
    NO_MATCH,
    RULES,
    SYSTEMS,
    UNDER_USA_FLAG,
    Array,
    Chunk,
    Ledger,
    State,
    Tables,
    empty_extras,
    lines_of,
    standings_at,
    unrated,
)
from ratebook.replay.tables import FULL_LEDGER, LEDGER, SCHEMAS, array_of, number_type
from ratebook.rules.rulebook import Rulebook

LONGEST_YEAR = 366

FLOOR_COLUMNS = tuple(f"floor_{kind.value}" for kind in FLOOR_KINDS)
"""Columns of entered floors, in the order of their kinds."""

COUNTS = {
    "wins": "wins",
    "draws": "draws",
    "losses": "losses",
    "long_events": "long_sections",
    "life_master_games": "olm_games",
}
"""Columns of balances and standings that hold counts, and their fields in a standing."""

LEDGER_NAMES = frozenset(LEDGER.names)
ALWAYS_WRITTEN = frozenset({"member", "section", "rating", "expected"})
"""Columns of a ledger that the loop writes whether or not they are wanted: what was rated, and if it is a number."""


class RuleTable:
    """The rules of all systems and days as one array of records, resolved once.

    Attributes:
        records: records of ``RULES``.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self._days: list[Array] = []
        self._first: list[int] = []
        rows: list[tuple[float, ...]] = []
        for system in System:
            changes = rulebook.change_dates(system)
            self._first.append(len(rows))
            self._days.append(np.array([change.toordinal() for change in changes], "i4"))
            rows += [tuple(rulebook.in_force(system, change)) for change in changes]
        self.records = np.array(rows, RULES)

    @property
    def first_day(self) -> int:
        """The day number from which all rules are known."""
        return self.rulebook.first_day.toordinal()

    def rows(self, system: int, day: Array) -> Array:
        """Return the row of the rules of *system* on each day."""
        return self._first[system] + np.searchsorted(self._days[system], day, side="right") - 1


def side_arrays(side: Mapping[str, pa.Table]) -> dict[str, Arrays]:
    """Return the side tables as arrays; texts stay where they are.

    Raises:
        pa.ArrowInvalid: a column does not fit its type.
        KeyError: a column is missing.
    """
    return {
        name: {
            field.name: array_of(table.column(field.name), field.type)
            for field in SCHEMAS[name]
            if not pa.types.is_string(field.type)
        }
        for name, table in side.items()
    }


def tables_of(side: Mapping[str, Arrays], rules: RuleTable) -> Tables:
    """Return the tables that the loop reads beside the sections."""
    members, foreign, decisions = side["members"], side["foreign_ratings"], side["decisions"]
    count = len(members["adult"])
    marks = (
        ADULT * members["adult"]
        + CANADIAN * members["canadian_resident"]
        + UNDER_USA_FLAG * members["usa_flag"]
        + FIDE_OPT_IN * members["fide_opt_in"]
    ).astype("u1")
    place = foreign["member"].astype("i8") * 2 + foreign["source"]
    return Tables(
        rules=rules.records,
        birth_day=members["birth_date"],
        marks=marks,
        first_foreign=first_places(np.bincount(place, minlength=2 * count)),
        foreign_day=foreign["list_date"],
        foreign_rating=foreign["rating"],
        decision_day=decisions["effective"],
        decision_kind=decisions["kind"],
        decision_floor=decisions["floor_kind"],
        decision_value=decisions["value"],
        decision_games=decisions["games"],
        decision_rules=_decision_rules(decisions, rules),
    )


def _decision_rules(decisions: Arrays, rules: RuleTable) -> Array:
    """Return the row of the rules of each decision's day, or of the first day that has rules."""
    rows = np.zeros(len(decisions["effective"]), "i4")
    day = np.maximum(decisions["effective"], rules.first_day)
    for system in range(SYSTEMS):
        of_system = decisions["system"] == system
        rows[of_system] = rules.rows(system, day[of_system])
    return rows


def opening_state(side: Mapping[str, Arrays]) -> State:
    """Return the standings before the first section."""
    balances, decisions = side["balances"], side["decisions"]
    standings = unrated(len(side["members"]["adult"]))
    key = balances["member"].astype("i8") * SYSTEMS + balances["system"]
    fresh = standings_at(standings, key)
    fresh["rating"] = balances["rating"]
    fresh["games"] = np.where(np.isnan(balances["games"]), np.inf, balances["games"])
    fresh["peak"] = np.where(np.isnan(balances["peak"]), -1.0, balances["peak"])
    for column, field in COUNTS.items():
        fresh[field] = balances[column]
    fresh["record"] = balances["record"]
    fresh["at_least"] = balances["at_least"]
    fresh["day"] = balances["as_of"]
    fresh["known"] = 1
    lines_of(standings)[key] = lines_of(fresh)
    floors = np.stack([balances[name] for name in FLOOR_COLUMNS], axis=1)
    decided_key = decisions["member"].astype("i8") * SYSTEMS + decisions["system"]
    special = np.union1d(key[~np.isnan(floors).all(axis=1)], decided_key)
    extras = empty_extras(len(special))
    standings["extra"][special] = np.arange(len(special))
    has = standings["extra"][key] != NO_EXTRA
    at = standings["extra"][key[has]]
    extras["entered"][at, : len(FLOOR_COLUMNS)] = np.where(np.isnan(floors[has]), NO_FLOOR, floors[has])
    extras["first_decision"] = np.searchsorted(decided_key, special, side="left")
    extras["next_decision"] = extras["first_decision"]
    extras["last_decision"] = np.searchsorted(decided_key, special, side="right")
    rated_in = np.packbits(standings["known"].reshape(-1, SYSTEMS), axis=1, bitorder="little")[:, 0].copy()
    return State(
        standings=standings,
        rated_in=rated_in,
        extras=extras,
        match_day=np.zeros(0, "i4"),
        match_change=np.zeros(0),
        match_next=np.zeros(0, "i4"),
    )


def decisions_that_count(side: Mapping[str, Arrays]) -> Arrays:
    """Return the decisions without those that an opening balance already contains (up to its day)."""
    balances, decisions = side["balances"], side["decisions"]
    opened = np.full(len(side["members"]["adult"]) * SYSTEMS, -1, "i4")
    opened[balances["member"].astype("i8") * SYSTEMS + balances["system"]] = balances["as_of"]
    key = decisions["member"].astype("i8") * SYSTEMS + decisions["system"]
    keep = ~(np.isin(decisions["kind"], CARRIED) & (decisions["effective"] <= opened[key]))
    return {name: values[keep] for name, values in decisions.items()}


def chunk_of(raw: RawChunk, rules: RuleTable, first_slot: int) -> Chunk:
    """Return a checked chunk as the compiled loop reads it; its matches go to the pool from *first_slot* on."""
    sections, entries, games = raw.sections, raw.entries, raw.games
    count = len(sections["start"])
    table = np.zeros((count, SYSTEMS), "i4")
    for system in range(SYSTEMS):
        table[:, system] = rules.rows(system, sections["start"])
    first_entry = first_places(sections["entries"])
    matches = np.flatnonzero(sections["kind"] == MATCH)
    match = np.full(count, NO_MATCH, "i4")
    match[matches] = np.arange(len(matches))
    room = sections["entries"][matches].astype("i8") * SYSTEMS
    return Chunk(
        begin_day=sections["start"],
        end_day=sections["end"],
        kind=sections["kind"],
        half_k=sections["half_k"],
        youth=sections["youth"],
        systems=sections["systems"],
        rules=table.reshape(-1),
        match=match,
        windows=_windows(sections, matches, rules),
        slots=first_slot + first_places(room),
        first_entry=first_entry,
        first_row=_first_rows(sections, entries, first_entry),
        member=entries["member"],
        marks=entries["marks"],
        fide=entries["fide"],
        after=raw.after,
        first_game=first_places(entries["games"]),
        opponent=games["opponent"],
        score=games["score"],
    )


def _windows(sections: Arrays, matches: Array, rules: RuleTable) -> Array:
    windows: list[float] = []
    for match in matches.tolist():
        start = date.fromordinal(int(sections["start"][match]))
        end = date.fromordinal(int(sections["end"][match]))
        for system in System:
            windows += window_days(rules.rulebook.in_force(system, start), end)
    return np.array(windows, "f8")


def _first_rows(sections: Arrays, entries: Arrays, first_entry: Array) -> Array:
    """Return where the ledger rows of each section and system begin: one for each entry that has a game."""
    played = np.concatenate([[0], np.cumsum(entries["games"] > 0)])
    rows = played[first_entry[1:]] - played[first_entry[:-1]]
    rated = (sections["systems"][:, None] >> np.arange(SYSTEMS)) & 1
    rated[sections["kind"] == FOREIGN, 1:] = 0
    return first_places((rows[:, None] * rated).reshape(-1))


def ledger_room(rows: int, columns: Collection[str]) -> Ledger:
    """Return arrays for *rows* ledger rows; columns that are not among *columns* and not always written are empty."""
    written = ALWAYS_WRITTEN.union(columns)
    if not written <= LEDGER_NAMES:
        # Workings are written all together.
        written = written.union(name for name in FULL_LEDGER.names if name not in LEDGER_NAMES)
    return Ledger._make(
        np.full(
            rows if field.name in written else 0, -1 if field.name == "member" else 0, number_type(field.type)
        )
        for field in FULL_LEDGER
    )


def with_extras(state: State, chunk: Chunk) -> State:
    """Return *state* with an extra for each player of a match in the chunk, and room for these matches."""
    matches = np.flatnonzero(chunk.kind == MATCH)
    keys: list[Any] = []
    for match in matches.tolist():
        member = chunk.member[chunk.first_entry[match] : chunk.first_entry[match + 1]].astype("i8")
        keys += [
            member * SYSTEMS + system for system in range(SYSTEMS) if chunk.systems[match] & (1 << system)
        ]
    room = int(chunk.slots[-1]) - len(state.match_day)
    state = state._replace(
        match_day=np.concatenate([state.match_day, np.zeros(room, "i4")]),
        match_change=np.concatenate([state.match_change, np.zeros(room)]),
        match_next=np.concatenate([state.match_next, np.full(room, NO_MATCH, "i4")]),
    )
    if not keys:
        return state
    return state._replace(extras=_extras_for(state, np.unique(np.concatenate(keys))))


def _extras_for(state: State, keys: Array) -> Array:
    """Return the extras of *state* and new ones for the standings of *keys* that have none."""
    fresh = keys[state.standings["extra"][keys] == NO_EXTRA]
    state.standings["extra"][fresh] = len(state.extras) + np.arange(len(fresh))
    extras = empty_extras(len(state.extras) + len(fresh))
    extras[: len(state.extras)] = state.extras
    return extras


def without_old_matches(state: State, rules: RuleTable, day: int) -> State:
    """Return *state* without matches that no window reaches from *day* on, so that the pool does not grow for ever."""
    years = float(rules.records["match_net_long_years"].max())
    days = float(rules.records["match_net_short_days"].max())
    reach = max(math.ceil(years) * LONGEST_YEAR, math.ceil(days)) + 1
    recent = np.flatnonzero(state.match_day >= day - reach)
    if 2 * len(recent) >= len(state.match_day):
        return state
    place = np.full(len(state.match_day) + 1, NO_MATCH, "i4")
    place[recent] = np.arange(len(recent))
    # Matches of one member are linked in the order of days: those that go are the first of each chain.
    extras = state.extras.copy()
    for at in np.flatnonzero(extras["first_match"] != NO_MATCH).tolist():
        first = extras["first_match"][at]
        while first != NO_MATCH and place[first] == NO_MATCH:
            first = state.match_next[first]
        extras["first_match"][at] = place[first]
        extras["last_match"][at] = NO_MATCH if first == NO_MATCH else place[extras["last_match"][at]]
    return state._replace(
        extras=extras,
        match_day=state.match_day[recent],
        match_change=state.match_change[recent],
        match_next=place[state.match_next[recent]],
    )

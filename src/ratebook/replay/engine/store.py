"""What one section leaves behind: where its players stand now, and their rows of the ledger.

Compiled functions; what a player carries on is said by the engine's own functions.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ratebook.rating.carry import (
    NO_RECORD,
    applied_floor,
    counts_are_known,
    counts_as_rated,
    floor_stays,
    games_after,
    has_no_games,
    losses_after,
    peak_after,
    record_after,
)
from ratebook.rating.floors import NO_FLOOR, UNKNOWN
from ratebook.rating.steps import STANDARD
from ratebook.replay.engine.registration import part_of_kernel
from ratebook.replay.memory import FOREIGN, MATCH, NO_DOSSIER, NO_MATCH, SYSTEMS

if TYPE_CHECKING:
    from ratebook.rating.settlement import SettlementColumns
    from ratebook.rating.steps import SectionColumns
    from ratebook.replay.engine.scratch import Results
    from ratebook.replay.memory import Array, Chunk, Ledger, State

Record = Any
"""One record of an array: rules in force, a standing, a dossier."""


@part_of_kernel
def store_player(
    rules: Record,
    chunk: Chunk,
    state: State,
    ledger: Ledger,
    columns: SectionColumns,
    settlement: SettlementColumns,
    results: Results,
    from_where: Array,
    at: int,
    member: int,
    system: int,
    section: int,
    half_k: int,
    place: int,
) -> None:
    """Store what a player carries on, and write the ledger row at *place*."""
    standing = state.standings[member * SYSTEMS + system]
    played = columns.first_game[at + 1] - columns.first_game[at]
    after = settlement.after[at]
    before_games = columns.games[at]
    first_time = not (standing.known and counts_as_rated(standing.games))
    won = results.won[at]
    lost = played - won - results.drawn[at]
    foreign = chunk.kind[section] == FOREIGN
    known_counts = first_time or counts_are_known(
        float(standing.wins), float(standing.draws), float(standing.long_sections)
    )
    old_record = standing.record
    old_wins = standing.wins
    old_draws = standing.draws
    old_losses = standing.losses
    old_peak = standing.peak
    if not standing.known:
        old_record = NO_RECORD
        old_wins = -1
        old_draws = -1
        old_losses = -1
        old_peak = UNKNOWN
    if foreign:
        standing.losses = old_losses
    else:
        standing.losses = int(losses_after(known_counts, first_time, float(old_losses), float(lost)))
        if settlement.wins[at] >= 0.0:
            standing.wins = int(settlement.wins[at])
            standing.draws = int(settlement.draws[at])
            standing.long_sections = int(settlement.long_sections[at])
    games = games_after(rules, before_games, float(played), half_k)
    standing.record = record_after(
        columns.record[at],
        first_time or has_no_games(old_record, float(old_wins), float(old_draws), float(old_losses)),
        float(won),
        float(lost),
        float(played),
    )
    olm_games = settlement.olm_games[at]
    standing.olm_games = int(olm_games) if olm_games >= 0.0 else -1
    peak = peak_after(rules, old_peak, before_games, games, after)
    standing.peak = peak
    standing.rating = after
    standing.games = games
    standing.day = chunk.end_day[section]
    if not standing.known:
        standing.known = 1
        state.rated_in[member] |= 1 << system
    lowered_to = settlement.lowered_to[at]
    change = after - columns.rating[at]
    if standing.dossier != NO_DOSSIER:
        dossier = state.dossiers[standing.dossier]
        kept = old_peak < 0.0 or peak == old_peak
        if not floor_stays(0, dossier.money, kept, lowered_to):
            dossier.money = NO_FLOOR
        if not floor_stays(0, dossier.olm, kept, lowered_to):
            dossier.olm = NO_FLOOR
        if not floor_stays(0, dossier.office, kept, lowered_to):
            dossier.office = NO_FLOOR
        if not floor_stays(1, dossier.lowered, kept, lowered_to):
            dossier.lowered = NO_FLOOR
        if lowered_to != NO_FLOOR:
            dossier.lowered = lowered_to
        if chunk.kind[section] == MATCH:
            add_match(chunk, state, dossier, section, system, at, change)
    standard = columns.formula[at] == STANDARD
    ledger.member[place] = member
    ledger.section[place] = section
    ledger.system[place] = system
    ledger.source[place] = from_where[at]
    ledger.formula[place] = columns.formula[at]
    ledger.played[place] = played
    ledger.rating_before[place] = columns.rating[at]
    ledger.games_before[place] = before_games
    ledger.rating[place] = after
    ledger.games[place] = games
    ledger.k[place] = columns.k[at] if standard else math.nan
    ledger.score[place] = columns.total_score[at]
    ledger.expected[place] = columns.expected[at]
    ledger.bonus[place] = columns.bonus[at] if standard else math.nan
    floor = applied_floor(settlement.floor_applied[at], settlement.floor[at], lowered_to)
    ledger.floor_applied[place] = math.nan if floor == NO_FLOOR else floor
    if len(ledger.wins) > 0:
        ledger.wins[place] = standing.wins
        ledger.draws[place] = standing.draws
        ledger.losses[place] = standing.losses
        ledger.record[place] = standing.record
        ledger.long_events[place] = standing.long_sections
        ledger.life_master_games[place] = standing.olm_games
        ledger.peak[place] = math.nan if peak < 0.0 else peak
        ledger.effective_games[place] = columns.effective_games[at]
        ledger.step3[place] = columns.step3[at] if columns.newcomer[at] else math.nan
        ledger.step4[place] = math.nan if foreign else columns.step4[at]
        ledger.step5[place] = columns.step5[at]
        ledger.match_change[place] = change if chunk.kind[section] == MATCH else math.nan
        ledger.lowered[place] = math.nan
        if standing.dossier != NO_DOSSIER and state.dossiers[standing.dossier].lowered != NO_FLOOR:
            ledger.lowered[place] = state.dossiers[standing.dossier].lowered


@part_of_kernel
def add_match(
    chunk: Chunk, state: State, dossier: Record, section: int, system: int, at: int, change: float
) -> None:
    """Append the result of a match to the matches of one member and system; its slot is the player's own."""
    players = chunk.first_entry[section + 1] - chunk.first_entry[section]
    slot = chunk.slots[chunk.match[section]] + system * players + at
    state.match_day[slot] = chunk.end_day[section]
    state.match_change[slot] = change
    state.match_next[slot] = NO_MATCH
    if dossier.first_match == NO_MATCH:
        dossier.first_match = slot
    else:
        state.match_next[dossier.last_match] = slot
    dossier.last_match = slot

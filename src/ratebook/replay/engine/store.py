"""What one section leaves behind: the new standings of its players, and their rows of the ledger.

Compiled functions; what a player carries on is said by the engine's own functions.
"""

import math
from typing import Any

from ratebook.rating.carry import applied_floor, carry_on, keep_floors
from ratebook.rating.decisions import LOWERED_FLOOR
from ratebook.rating.floors import NO_FLOOR
from ratebook.rating.settlement import SettlementColumns
from ratebook.rating.step1 import RATED
from ratebook.rating.steps import STANDARD, SectionColumns
from ratebook.replay.engine.registration import part_of_kernel
from ratebook.replay.engine.scratch import RatedSeat, Results
from ratebook.replay.memory import FOREIGN, MATCH, NO_EXTRA, NO_MATCH, SYSTEMS, Chunk, Ledger, State

Record = Any
"""One record of an array: rules in force, a standing, an extra."""


@part_of_kernel
def store_player(
    rules: Record,
    chunk: Chunk,
    state: State,
    ledger: Ledger,
    columns: SectionColumns,
    settlement: SettlementColumns,
    results: Results,
    seat: RatedSeat,
    place: int,
) -> None:
    """Store what the player of a seat carries on, and write the ledger row at *place*."""
    at, member, system, section = seat
    standing = state.standings[member * SYSTEMS + system]
    foreign = chunk.kind[section] == FOREIGN
    is_match = chunk.kind[section] == MATCH
    carried = carry_on(
        rules,
        standing,
        columns,
        settlement,
        at,
        float(results.won[at]),
        float(results.drawn[at]),
        chunk.half_k[section],
        foreign,
    )
    standing.day = chunk.end_day[section]
    if results.source[at] != RATED:
        state.rated_in[member] |= 1 << system
    lowered_to = settlement.lowered_to[at]
    lowered = NO_FLOOR
    change = standing.rating - columns.rating[at]
    if standing.extra != NO_EXTRA:
        extra = state.extras[standing.extra]
        keep_floors(extra.entered, carried, lowered_to)
        lowered = extra.entered[LOWERED_FLOOR]
        if is_match:
            add_match(chunk, state, extra, seat, change)
    standard = columns.formula[at] == STANDARD
    ledger.member[place] = member
    ledger.section[place] = section
    if len(ledger.system) > 0:
        ledger.system[place] = system
    if len(ledger.source) > 0:
        ledger.source[place] = results.source[at]
    if len(ledger.formula) > 0:
        ledger.formula[place] = columns.formula[at]
    if len(ledger.played) > 0:
        ledger.played[place] = columns.first_game[at + 1] - columns.first_game[at]
    if len(ledger.rating_before) > 0:
        ledger.rating_before[place] = columns.rating[at]
    if len(ledger.games_before) > 0:
        ledger.games_before[place] = columns.games[at]
    ledger.rating[place] = standing.rating
    if len(ledger.games) > 0:
        ledger.games[place] = standing.games
    if len(ledger.k) > 0:
        ledger.k[place] = columns.k[at] if standard else math.nan
    if len(ledger.score) > 0:
        ledger.score[place] = columns.total_score[at]
    ledger.expected[place] = columns.expected[at]
    if len(ledger.bonus) > 0:
        ledger.bonus[place] = columns.bonus[at] if standard else math.nan
    if len(ledger.floor_applied) > 0:
        floor = applied_floor(settlement.floor_applied[at], settlement.floor[at], lowered_to)
        ledger.floor_applied[place] = math.nan if floor == NO_FLOOR else floor
    if len(ledger.wins) > 0:
        ledger.wins[place] = standing.wins
        ledger.draws[place] = standing.draws
        ledger.losses[place] = standing.losses
        ledger.record[place] = standing.record
        ledger.long_events[place] = standing.long_sections
        ledger.life_master_games[place] = standing.olm_games
        ledger.at_least[place] = standing.at_least
        ledger.peak[place] = math.nan if standing.peak < 0.0 else standing.peak
        ledger.effective_games[place] = columns.effective_games[at]
        ledger.step3[place] = columns.step3[at] if columns.newcomer[at] else math.nan
        ledger.step4[place] = math.nan if foreign else columns.step4[at]
        ledger.step5[place] = columns.step5[at]
        ledger.match_change[place] = change if is_match else math.nan
        ledger.lowered[place] = math.nan if lowered == NO_FLOOR else lowered


@part_of_kernel
def add_match(chunk: Chunk, state: State, extra: Record, seat: RatedSeat, change: float) -> None:
    """Append the result of a match to the matches of one member and system; its slot is the player's own."""
    players = chunk.first_entry[seat.section + 1] - chunk.first_entry[seat.section]
    slot = chunk.slots[chunk.match[seat.section]] + seat.system * players + seat.at
    state.match_day[slot] = chunk.end_day[seat.section]
    state.match_change[slot] = change
    state.match_next[slot] = NO_MATCH
    if extra.first_match == NO_MATCH:
        extra.first_match = slot
    else:
        state.match_next[extra.last_match] = slot
    extra.last_match = slot

"""What one section reads, gathered from the columns of history: Step 1, games, and what settles a rating.

Compiled functions; each fills columns and calls the engine's own functions for what is a rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ratebook.rating.carry import (
    counts_are_known,
    counts_as_rated,
    long_sections_after,
    olm_games_after,
    record_before,
)
from ratebook.rating.floors import NO_FLOOR, UNKNOWN
from ratebook.rating.foreign import ELIGIBLE, foreign_eligibility
from ratebook.rating.matches import within_window
from ratebook.rating.settlement import DENIED, GRANTED, NO_CEILING, NOT_ANSWERED
from ratebook.rating.special import MIXED
from ratebook.rating.step1 import (
    FROM_CFC,
    FROM_FIDE,
    NO_BIRTH_DATE,
    NO_RATING,
    RATED,
    SOURCE_INITIAL,
    initial_rating,
)
from ratebook.replay.engine.registration import part_of_kernel
from ratebook.replay.memory import (
    ADULT,
    CANADIAN,
    CEILING,
    CEILING_LIFTED,
    FIDE_OPT_IN,
    FLOOR,
    FLOOR_LIFTED,
    INITIAL,
    LOWERED_FLOOR,
    MATCH,
    MONEY_FLOOR,
    NO_DAY,
    NO_DOSSIER,
    NO_MATCH,
    NOBODY,
    OLM_FLOOR,
    REGULAR,
    REQUEST_DENIED,
    REQUEST_GRANTED,
    SEVERAL_SEATS,
    SYSTEMS,
    UPDATE,
    US_MEMBER,
    USA_FLAG,
)

if TYPE_CHECKING:
    from ratebook.rating.settlement import SettlementColumns
    from ratebook.rating.step1 import SourceColumns
    from ratebook.rating.steps import SectionColumns
    from ratebook.replay.engine.scratch import Results
    from ratebook.replay.memory import Array, Chunk, State, Tables

Record = Any
"""One record of an array: rules in force, a standing, a dossier."""


@part_of_kernel
def follow_decisions(dossier: Record, tables: Tables, day: int) -> None:
    """Let all decisions of one member and system take effect that hold from *day* or earlier."""
    at = dossier.next_decision
    while at < dossier.last_decision and tables.decision_day[at] <= day:
        kind = tables.decision_kind[at]
        value = tables.decision_value[at]
        if kind in (FLOOR, FLOOR_LIFTED):
            floor = value if kind == FLOOR else NO_FLOOR
            whose = tables.decision_floor[at]
            if whose == MONEY_FLOOR:
                dossier.money = floor
            elif whose == OLM_FLOOR:
                dossier.olm = floor
            elif whose == LOWERED_FLOOR:
                dossier.lowered = floor
            else:
                dossier.office = floor
        elif kind == CEILING:
            dossier.ceiling = value
        elif kind == CEILING_LIFTED:
            dossier.ceiling = NO_CEILING
        elif kind == INITIAL:
            dossier.initial = value
            dossier.initial_games = tables.decision_games[at]
        at += 1
    dossier.next_decision = at


@part_of_kernel
def newest_foreign(tables: Tables, member: int, source: int, day: int) -> int:
    """Return the place of the newest FIDE (0) or CFC (1) rating of a member up to *day*; -1 for none."""
    first = tables.first_foreign[2 * member + source]
    at = tables.first_foreign[2 * member + source + 1] - 1
    while at >= first and tables.foreign_day[at] > day:
        at -= 1
    return at if at >= first else -1


@part_of_kernel
def gather_sources(sources: SourceColumns, tables: Tables, state: State, member: int, day: int) -> None:
    """Fill the columns of Step 1 with what is known of *member* in the other systems."""
    rated_in = state.rated_in[member]
    for system in range(SYSTEMS):
        sources.rating[system] = NO_RATING
        if rated_in & (1 << system):
            standing = state.standings[member * SYSTEMS + system]
            sources.rating[system] = standing.rating
            sources.games[system] = standing.games
            sources.day[system] = day if standing.day == NO_DAY else standing.day
    for source in range(2):
        at = newest_foreign(tables, member, source, day)
        place = FROM_FIDE if source == 0 else FROM_CFC
        sources.rating[place] = NO_RATING
        sources.games[place] = 0.0
        if at >= 0:
            sources.rating[place] = tables.foreign_rating[at]
            sources.day[place] = tables.foreign_day[at]
    birth_day = tables.birth_day[member]
    sources.birth_day[0] = NO_BIRTH_DATE if birth_day == NO_DAY else float(birth_day)
    sources.adult[0] = 1 if tables.marks[member] & ADULT else 0
    sources.canadian[0] = 1 if tables.marks[member] & CANADIAN else 0


@part_of_kernel
def start_players(
    rules: Record,
    chunk: Chunk,
    tables: Tables,
    state: State,
    columns: SectionColumns,
    sources: SourceColumns,
    from_where: Array,
    section: int,
    system: int,
) -> None:
    """Do Step 1: R0 and N of every player, and where they come from."""
    first = chunk.first_entry[section]
    day = chunk.end_day[section]
    for at in range(len(columns.rating)):
        member = chunk.member[first + at]
        key = member * SYSTEMS + system
        standing = state.standings[key]
        if standing.dossier != NO_DOSSIER:
            follow_decisions(state.dossiers[standing.dossier], tables, day)
        columns.record[at] = MIXED
        if standing.known:
            columns.rating[at] = standing.rating
            columns.games[at] = standing.games
            from_where[at] = SOURCE_INITIAL
            columns.newcomer[at] = 1
            if counts_as_rated(standing.games):
                columns.newcomer[at] = 0
                from_where[at] = RATED
                columns.record[at] = record_before(
                    rules,
                    standing.record,
                    float(standing.wins),
                    float(standing.draws),
                    float(standing.losses),
                    standing.games,
                )
            continue
        rating = NO_RATING
        games = 0.0
        source = SOURCE_INITIAL
        if standing.dossier != NO_DOSSIER:
            rating = state.dossiers[standing.dossier].initial
            games = state.dossiers[standing.dossier].initial_games
        if rating == NO_RATING:
            gather_sources(sources, tables, state, member, day)
            rating, games, source = initial_rating(rules, sources, 0, float(day))
        columns.rating[at] = rating
        columns.games[at] = games
        columns.newcomer[at] = 1 if games == 0.0 else 0
        from_where[at] = source


@part_of_kernel
def gather_games(chunk: Chunk, columns: SectionColumns, results: Results, section: int) -> None:
    """Fill first games, opponents, scores and seats of a section, and what came of the games."""
    first = chunk.first_entry[section]
    players = chunk.first_entry[section + 1] - first
    base = chunk.first_game[first]
    for at in range(players):
        columns.first_game[at] = chunk.first_game[first + at] - base
        columns.several_seats[at] = 1 if chunk.marks[first + at] & SEVERAL_SEATS else 0
    columns.first_game[players] = chunk.first_game[first + players] - base
    for game in range(len(columns.score)):
        columns.opponent[game] = chunk.opponent[base + game]
        columns.score[game] = 0.5 * chunk.score[base + game]
    count_results(columns, results)


@part_of_kernel
def count_results(columns: SectionColumns, results: Results) -> None:
    """Count how many games everybody won and drew.

    Results come in no order, so a branch for each would be guessed wrongly half the time: half points are added up.
    """
    for at in range(len(columns.rating)):
        won = 0
        drawn = 0
        for game in range(columns.first_game[at], columns.first_game[at + 1]):
            half_points = int(2.0 * columns.score[game])
            won += half_points >> 1
            drawn += half_points & 1
        results.won[at] = won
        results.drawn[at] = drawn


@part_of_kernel
def gather_settlement(
    rules: Record,
    chunk: Chunk,
    state: State,
    columns: SectionColumns,
    settlement: SettlementColumns,
    results: Results,
    entry: int,
    at: int,
    key: int,
    section: int,
    counts_grow: int,
) -> None:
    """Fill what decides between Step 5 and the stored rating of one player, who stands in *entry*."""
    standing = state.standings[key]
    played = columns.first_game[at + 1] - columns.first_game[at]
    wins = 0.0
    draws = 0.0
    long_sections = 0.0
    olm_games = 0.0
    if standing.known and counts_as_rated(standing.games):
        wins = float(standing.wins)
        draws = float(standing.draws)
        long_sections = float(standing.long_sections)
        olm_games = float(standing.olm_games)
        if not counts_are_known(wins, draws, long_sections):
            wins = UNKNOWN
            draws = UNKNOWN
            long_sections = UNKNOWN
    if counts_grow:
        if wins >= 0.0:
            wins += float(results.won[at])
            draws += float(results.drawn[at])
            long_sections = long_sections_after(rules, long_sections, float(played))
        olm_games = olm_games_after(rules, olm_games, columns.rating[at], columns.games[at], float(played))
    settlement.wins[at] = wins
    settlement.draws[at] = draws
    settlement.long_sections[at] = long_sections
    settlement.olm_games[at] = olm_games
    settlement.peak[at] = UNKNOWN
    if standing.known and columns.games[at] > rules.established_above_games:
        settlement.peak[at] = standing.peak
    settlement.lowered[at] = NO_FLOOR
    settlement.entered[at] = NO_FLOOR
    settlement.ceiling[at] = NO_CEILING
    settlement.net_short[at] = 0.0
    settlement.net_long[at] = 0.0
    settlement.request[at] = NOT_ANSWERED
    settlement.floor_applied[at] = 0
    settlement.request_open[at] = 0
    settlement.ceiling_applied[at] = 0
    if standing.dossier == NO_DOSSIER:
        return
    dossier = state.dossiers[standing.dossier]
    settlement.lowered[at] = dossier.lowered
    settlement.entered[at] = max(dossier.money, dossier.olm, dossier.office)
    settlement.ceiling[at] = dossier.ceiling
    if chunk.kind[section] == MATCH:
        marks = chunk.marks[entry]
        if marks & REQUEST_GRANTED:
            settlement.request[at] = GRANTED
        elif marks & REQUEST_DENIED:
            settlement.request[at] = DENIED
        windows = 2 * (SYSTEMS * chunk.match[section] + key % SYSTEMS)
        end = chunk.end_day[section]
        net_short = 0.0
        net_long = 0.0
        match = dossier.first_match
        while match != NO_MATCH:
            if within_window(state.match_day[match], chunk.windows[windows], end):
                net_short += state.match_change[match]
            if within_window(state.match_day[match], chunk.windows[windows + 1], end):
                net_long += state.match_change[match]
            match = state.match_next[match]
        settlement.net_short[at] = net_short
        settlement.net_long[at] = net_long


@part_of_kernel
def reported_fide(chunk: Chunk, tables: Tables, entry: int, day: int) -> float:
    """Return the FIDE rating that an entry of a foreign event brings; ``NO_RATING`` for none."""
    if chunk.fide[entry] > 0.0:
        return float(chunk.fide[entry])
    member = chunk.member[entry]
    if member == NOBODY:
        return NO_RATING
    at = newest_foreign(tables, member, 0, day)
    return tables.foreign_rating[at] if at >= 0 else NO_RATING


@part_of_kernel
def may_be_updated(rules: Record, chunk: Chunk, tables: Tables, state: State, entry: int, day: int) -> bool:
    """Return whether an entry of a foreign event asks for its rating to be updated and may."""
    member = chunk.member[entry]
    if member == NOBODY or not chunk.marks[entry] & UPDATE:
        return False
    standing = state.standings[member * SYSTEMS + REGULAR]
    if standing.dossier != NO_DOSSIER:
        follow_decisions(state.dossiers[standing.dossier], tables, day)
    fide = reported_fide(chunk, tables, entry, day)
    marks = tables.marks[member]
    reason = foreign_eligibility(
        rules,
        1 if standing.known and counts_as_rated(standing.games) else 0,
        standing.games,
        1 if fide != NO_RATING else 0,
        fide,
        1 if chunk.marks[entry] & US_MEMBER else 0,
        1 if marks & USA_FLAG else 0,
        1 if marks & FIDE_OPT_IN else 0,
    )
    return reason == ELIGIBLE

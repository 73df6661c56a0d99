"""What one section reads, gathered from the columns of history: Step 1, games, and what settles a rating.

Compiled functions; each fills columns and calls the engine's own functions for what is a rule.
"""

from typing import Any

from ratebook.rating.carry import gather_counts, is_rated, prior_record
from ratebook.rating.decisions import (
    OPT_IN,
    USA_FLAG,
    gather_entered,
    mark_after,
    raise_to_floor,
    take_effect,
    waits_to_raise,
)
from ratebook.rating.floors import NO_FLOOR
from ratebook.rating.foreign import ELIGIBLE, finds_unmarked, foreign_eligibility
from ratebook.rating.formulas import NO_AGE, plain_k_reads_age
from ratebook.rating.settlement import (
    DENIED,
    GRANTED,
    NO_CEILING,
    NOT_ANSWERED,
    SettlementColumns,
    within_window,
)
from ratebook.rating.step1 import (
    FROM_CFC,
    FROM_FIDE,
    NO_BIRTH_DATE,
    NO_RATING,
    RATED,
    SOURCE_INITIAL,
    SourceColumns,
    age_for_k,
    initial_rating,
)
from ratebook.rating.steps import SectionColumns
from ratebook.replay.engine.registration import part_of_kernel
from ratebook.replay.engine.scratch import RatedSeat, Results
from ratebook.replay.memory import (
    ADULT,
    CANADIAN,
    FIDE_OPT_IN,
    FOREIGN,
    MATCH,
    NO_DAY,
    NO_DECISION,
    NO_EXTRA,
    NO_MATCH,
    NOBODY,
    REGULAR,
    REQUEST_DENIED,
    REQUEST_GRANTED,
    SEVERAL_SEATS,
    SYSTEMS,
    UNDER_USA_FLAG,
    UPDATE,
    US_MEMBER,
    Chunk,
    State,
    Tables,
)

Record = Any
"""One record of an array: rules in force, a standing, an extra."""


@part_of_kernel
def follow_decisions(tables: Tables, state: State, standing: Record, day: int) -> None:
    """Let all decisions of one member and system take effect that hold from *day* or earlier."""
    if standing.extra == NO_EXTRA:
        return
    extra = state.extras[standing.extra]
    at = extra.next_decision
    while at < extra.last_decision and tables.decision_day[at] <= day:
        raise_after(tables, standing, extra, tables.decision_day[at])
        rules = tables.rules[tables.decision_rules[at]]
        kind = tables.decision_kind[at]
        floor_kind = tables.decision_floor[at]
        if take_effect(
            rules,
            standing,
            extra.entered,
            kind,
            floor_kind,
            tables.decision_value[at],
            tables.decision_games[at],
        ):
            standing.day = tables.decision_day[at]
        if waits_to_raise(rules, kind, floor_kind):
            extra.raises = at
        at += 1
    extra.next_decision = at
    raise_after(tables, standing, extra, day)


@part_of_kernel
def raise_after(tables: Tables, standing: Record, extra: Record, day: int) -> None:
    """Raise a rating to the floor whose day has ended before *day*."""
    at = extra.raises
    if at != NO_DECISION and tables.decision_day[at] < day:
        extra.raises = NO_DECISION
        if raise_to_floor(tables.rules[tables.decision_rules[at]], standing, extra.entered):
            standing.day = tables.decision_day[at]


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
            follow_decisions(tables, state, standing, day)
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
def age_of(rules: Record, tables: Tables, member: int, day: int) -> float:
    """Return the age of a member on a *day*, where a table of K asks for it."""
    birth_day = tables.birth_day[member]
    return age_for_k(rules, NO_BIRTH_DATE if birth_day == NO_DAY else float(birth_day), float(day))


@part_of_kernel
def start_players(
    rules: Record,
    chunk: Chunk,
    tables: Tables,
    state: State,
    columns: SectionColumns,
    sources: SourceColumns,
    results: Results,
    section: int,
    system: int,
) -> None:
    """Do Step 1: R0 and N of every player, and where they come from."""
    first = chunk.first_entry[section]
    day = chunk.end_day[section]
    asks_age = plain_k_reads_age(rules)
    for at in range(len(columns.rating)):
        member = chunk.member[first + at]
        standing = state.standings[member * SYSTEMS + system]
        follow_decisions(tables, state, standing, day)
        columns.record[at] = prior_record(rules, standing)
        columns.age[at] = age_of(rules, tables, member, day) if asks_age else NO_AGE
        if standing.known:
            rated = is_rated(rules, standing)
            columns.rating[at] = standing.rating
            columns.games[at] = standing.games
            columns.newcomer[at] = 1 - rated
            results.source[at] = RATED if rated else SOURCE_INITIAL
            continue
        rating = standing.rating
        games = standing.games
        source = SOURCE_INITIAL
        if rating == NO_RATING:
            gather_sources(sources, tables, state, member, day)
            rating, games, source = initial_rating(rules, sources, 0, float(day))
        columns.rating[at] = rating
        columns.games[at] = games
        columns.newcomer[at] = 1 if games == 0.0 else 0
        results.source[at] = source


@part_of_kernel
def gather_games(chunk: Chunk, columns: SectionColumns, results: Results, section: int) -> None:
    """Fill first games, opponents, scores and seats of a section, and count the games that each player won and drew.

    Results come in no order, so a branch for each would be guessed wrongly half the time: half points are added up.
    """
    first = chunk.first_entry[section]
    players = chunk.first_entry[section + 1] - first
    base = chunk.first_game[first]
    for game in range(len(columns.score)):
        columns.opponent[game] = chunk.opponent[base + game]
        columns.score[game] = 0.5 * chunk.score[base + game]
    columns.first_game[0] = 0
    for at in range(players):
        begin = chunk.first_game[first + at]
        end = chunk.first_game[first + at + 1]
        columns.first_game[at + 1] = end - base
        columns.several_seats[at] = 1 if chunk.marks[first + at] & SEVERAL_SEATS else 0
        columns.met[at] = 0
        half_points = 0
        drawn = 0
        for game in range(begin, end):
            half_points += chunk.score[game]
            drawn += chunk.score[game] & 1
        results.won[at] = (half_points - drawn) >> 1
        results.drawn[at] = drawn


@part_of_kernel
def gather_settlement(
    rules: Record,
    chunk: Chunk,
    state: State,
    columns: SectionColumns,
    settlement: SettlementColumns,
    results: Results,
    seat: RatedSeat,
) -> None:
    """Fill what decides between Step 5 and the stored rating of one player."""
    at = seat.at
    standing = state.standings[seat.member * SYSTEMS + seat.system]
    foreign = chunk.kind[seat.section] == FOREIGN
    gather_counts(
        rules, standing, columns, settlement, at, float(results.won[at]), float(results.drawn[at]), foreign
    )
    settlement.lowered[at] = NO_FLOOR
    settlement.entered[at] = NO_FLOOR
    settlement.ceiling[at] = NO_CEILING
    settlement.net_short[at] = 0.0
    settlement.net_long[at] = 0.0
    settlement.request[at] = NOT_ANSWERED
    settlement.floor_applied[at] = 0
    settlement.request_open[at] = 0
    settlement.ceiling_applied[at] = 0
    if standing.extra == NO_EXTRA:
        return
    extra = state.extras[standing.extra]
    gather_entered(extra.entered, settlement, at)
    if chunk.kind[seat.section] == MATCH:
        marks = chunk.marks[chunk.first_entry[seat.section] + at]
        if marks & REQUEST_GRANTED:
            settlement.request[at] = GRANTED
        elif marks & REQUEST_DENIED:
            settlement.request[at] = DENIED
        windows = 2 * (SYSTEMS * chunk.match[seat.section] + seat.system)
        end = chunk.end_day[seat.section]
        net_short = 0.0
        net_long = 0.0
        match = extra.first_match
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
def mark_holds(tables: Tables, state: State, standing: Record, mark: int, before: int, day: int) -> int:
    """Return 1 where a mark of a member holds after all decisions before *day*, if it held *before* them or not."""
    holds = before
    if standing.extra != NO_EXTRA:
        extra = state.extras[standing.extra]
        for at in range(extra.first_decision, extra.last_decision):
            if tables.decision_day[at] < day:
                holds = mark_after(holds, tables.decision_kind[at], mark)
    return holds


@part_of_kernel
def may_be_updated(
    rules: Record, chunk: Chunk, tables: Tables, state: State, section: int, entry: int, day: int
) -> bool:
    """Return whether an entry of a foreign event has its rating updated: marked, or found, and eligible."""
    member = chunk.member[entry]
    if member == NOBODY or not (chunk.marks[entry] & UPDATE or finds_unmarked(rules)):
        return False
    standing = state.standings[member * SYSTEMS + REGULAR]
    follow_decisions(tables, state, standing, day)
    fide = reported_fide(chunk, tables, entry, day)
    marks = tables.marks[member]
    reason = foreign_eligibility(
        rules,
        is_rated(rules, standing),
        standing.games,
        1 if fide != NO_RATING else 0,
        fide,
        1 if chunk.marks[entry] & US_MEMBER else 0,
        mark_holds(tables, state, standing, USA_FLAG, 1 if marks & UNDER_USA_FLAG else 0, day + 1),
        mark_holds(
            tables, state, standing, OPT_IN, 1 if marks & FIDE_OPT_IN else 0, chunk.begin_day[section]
        ),
    )
    return reason == ELIGIBLE

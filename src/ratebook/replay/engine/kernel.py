"""The only compiled loop: the engine's own functions over the columns of a chunk of history.

Nothing is computed here that a marked function of ``ratebook.rating`` computes; the loop gathers, calls and stores.
Both systems of a dual-rated section read the state before it (docs/rules/readings.md#a12): Step 1 of all systems is
done before any result is stored. Indexes are made safe by ``check`` before a chunk comes here.
"""

from ratebook.rating.foreign import opponent_rating
from ratebook.rating.formulas import NO_AGE
from ratebook.rating.settlement import settle_players
from ratebook.rating.special import MIXED
from ratebook.rating.step1 import NO_RATING, RATED
from ratebook.rating.steps import NOT_RATED, rate_in_five_steps, rate_in_one_pass
from ratebook.replay.engine.gather import (
    age_of,
    gather_games,
    gather_settlement,
    may_be_updated,
    reported_fide,
    start_players,
)
from ratebook.replay.engine.intrinsics import PATIENCE, fetch_early, flag_is_raised, give_way, raise_flag
from ratebook.replay.engine.registration import part_of_kernel
from ratebook.replay.engine.scratch import (
    RatedSeat,
    Scratch,
    five_step_columns,
    result_columns,
    settling_columns,
    source_columns,
)
from ratebook.replay.engine.store import store_player
from ratebook.replay.memory import (
    FOREIGN,
    MATCH,
    NO_EXTRA,
    NOBODY,
    QUICK,
    REGULAR,
    SEVERAL_SEATS,
    SYSTEMS,
    Array,
    Chunk,
    Ledger,
    State,
    Tables,
)

BLOCK = 8
"""Sections that one thread rates before it leaves the next ones to the others: their flags share a cache line."""


@part_of_kernel
def rate_ordinary(
    chunk: Chunk, tables: Tables, state: State, ledger: Ledger, scratch: Scratch, thread: int, section: int
) -> None:
    """Rate a section in all its systems, then store; matches too."""
    first = chunk.first_entry[section]
    players = chunk.first_entry[section + 1] - first
    opponent = scratch.opponent[thread][: chunk.first_game[first + players] - chunk.first_game[first]]
    floats = scratch.floats[thread]
    ints = scratch.ints[thread]
    games = scratch.games[thread]
    systems = chunk.systems[section]
    sources = source_columns(scratch.sources[thread], scratch.source_facts[thread])
    for system in range(SYSTEMS):
        if systems & (1 << system):
            rules = tables.rules[chunk.rules[SYSTEMS * section + system]]
            columns = five_step_columns(floats, ints, games, opponent, system, players)
            results = result_columns(ints, system, players)
            start_players(rules, chunk, tables, state, columns, sources, results, section, system)
    dual_rated = systems & (1 << REGULAR) and systems & (1 << QUICK)
    is_match = 1 if chunk.kind[section] == MATCH else 0
    half_k = chunk.half_k[section]
    settlement = settling_columns(floats, ints, players)
    begun = False
    for system in range(SYSTEMS):
        if not systems & (1 << system):
            continue
        rules = tables.rules[chunk.rules[SYSTEMS * section + system]]
        columns = five_step_columns(floats, ints, games, opponent, system, players)
        results = result_columns(ints, system, players)
        if not begun:
            gather_games(chunk, columns, results, section)
            begun = True
        reduced = 1 if dual_rated and system == REGULAR else 0
        rate_in_five_steps(rules, half_k, reduced, is_match, columns)
        for at in range(players):
            seat = RatedSeat(at, chunk.member[first + at], system, section)
            gather_settlement(rules, chunk, state, columns, settlement, results, seat)
        settle_players(rules, is_match, columns, settlement)
        place = chunk.first_row[SYSTEMS * section + system]
        for at in range(players):
            if columns.formula[at] != NOT_RATED:
                seat = RatedSeat(at, chunk.member[first + at], system, section)
                store_player(rules, chunk, state, ledger, columns, settlement, results, seat, place)
                place += 1


@part_of_kernel
def rate_foreign(
    chunk: Chunk, tables: Tables, state: State, ledger: Ledger, scratch: Scratch, thread: int, section: int
) -> None:
    """Rate a foreign FIDE event: one pass of the players who are updated against converted ratings.

    Every entry has a column as a player, and a second one as an opponent, whose rating is fixed.
    """
    first = chunk.first_entry[section]
    players = chunk.first_entry[section + 1] - first
    base = chunk.first_game[first]
    day = chunk.end_day[section]
    rules = tables.rules[chunk.rules[SYSTEMS * section + REGULAR]]
    faced = scratch.opponent[thread][: chunk.first_game[first + players] - base]
    columns = five_step_columns(
        scratch.floats[thread], scratch.ints[thread], scratch.games[thread], faced, REGULAR, 2 * players
    )
    settlement = settling_columns(scratch.floats[thread], scratch.ints[thread], 2 * players)
    results = result_columns(scratch.ints[thread], REGULAR, 2 * players)
    for at in range(players):
        fide = reported_fide(chunk, tables, first + at, day)
        columns.rating[players + at] = NO_RATING
        if fide != NO_RATING:
            columns.rating[players + at] = opponent_rating(rules, chunk.youth[section], fide)
    side = 0
    for at in range(2 * players):
        columns.first_game[at] = side
        columns.games[at] = 0.0
        columns.age[at] = NO_AGE
        columns.newcomer[at] = 0
        columns.record[at] = MIXED
        columns.several_seats[at] = 0
        columns.met[at] = 0
        results.source[at] = RATED
        if at >= players:
            continue
        columns.rating[at] = NO_RATING
        if not may_be_updated(rules, chunk, tables, state, section, first + at, day):
            continue
        standing = state.standings[chunk.member[first + at] * SYSTEMS + REGULAR]
        columns.rating[at] = standing.rating
        columns.games[at] = standing.games
        columns.age[at] = age_of(rules, tables, chunk.member[first + at], day)
        columns.several_seats[at] = 1 if chunk.marks[first + at] & SEVERAL_SEATS else 0
        half_points = 0
        drawn = 0
        for game in range(chunk.first_game[first + at], chunk.first_game[first + at + 1]):
            other = players + chunk.opponent[game]
            if columns.rating[other] != NO_RATING:
                columns.score[side] = 0.5 * chunk.score[game]
                faced[side] = other
                side += 1
                half_points += chunk.score[game]
                drawn += chunk.score[game] & 1
        results.won[at] = (half_points - drawn) >> 1
        results.drawn[at] = drawn
    columns.first_game[2 * players] = side
    rate_in_one_pass(rules, 0, 0, columns)
    for at in range(2 * players):
        settlement.floor_applied[at] = 0
    for at in range(players):
        if columns.formula[at] != NOT_RATED:
            seat = RatedSeat(at, chunk.member[first + at], REGULAR, section)
            gather_settlement(rules, chunk, state, columns, settlement, results, seat)
    settle_players(rules, 0, columns, settlement)
    place = chunk.first_row[SYSTEMS * section + REGULAR]
    for at in range(players):
        if columns.formula[at] != NOT_RATED:
            seat = RatedSeat(at, chunk.member[first + at], REGULAR, section)
            store_player(rules, chunk, state, ledger, columns, settlement, results, seat, place)
            place += 1


@part_of_kernel
def rate_section(
    chunk: Chunk, tables: Tables, state: State, ledger: Ledger, scratch: Scratch, thread: int, section: int
) -> None:
    """Rate a section of any kind."""
    if chunk.kind[section] == FOREIGN:
        rate_foreign(chunk, tables, state, ledger, scratch, thread, section)
    else:
        rate_ordinary(chunk, tables, state, ledger, scratch, thread, section)


@part_of_kernel
def wait_for(chunk: Chunk, section: int, flags: Array) -> None:
    """Wait until the section before in which any of this section's members played is rated."""
    for entry in range(chunk.first_entry[section], chunk.first_entry[section + 1]):
        earlier = chunk.after[entry]
        if earlier >= 0:
            looks = 0
            while not flag_is_raised(flags, earlier):
                looks += 1
                if looks > PATIENCE:
                    give_way()


@part_of_kernel
def following(section: int, threads: int) -> int:
    """Return the section that a thread rates after a section."""
    return section + 1 if (section + 1) % BLOCK else section + 1 + (threads - 1) * BLOCK


@part_of_kernel
def ask_for_standings(chunk: Chunk, state: State, section: int) -> None:
    """Ask the memory for the standings of the section that is rated after the next one."""
    systems = chunk.systems[section]
    first = chunk.first_entry[section]
    fetch_early(chunk.first_game, first)
    for entry in range(first, chunk.first_entry[section + 1]):
        member = chunk.member[entry]
        if member != NOBODY:
            fetch_early(state.rated_in, member)
            for system in range(SYSTEMS):
                if systems & (1 << system):
                    fetch_early(state.standings, member * SYSTEMS + system)


@part_of_kernel
def ask_for_facts(chunk: Chunk, tables: Tables, state: State, section: int) -> None:
    """Ask the memory for what the standings of the section that is rated next lead to.

    Another thread may be writing these standings: what is read of them decides nothing.
    """
    systems = chunk.systems[section]
    first = chunk.first_entry[section]
    fetch_early(chunk.first_row, SYSTEMS * section)
    fetch_early(chunk.opponent, chunk.first_game[first])
    fetch_early(chunk.score, chunk.first_game[first])
    for entry in range(first, chunk.first_entry[section + 1]):
        member = chunk.member[entry]
        if member == NOBODY:
            continue
        for system in range(SYSTEMS):
            if systems & (1 << system):
                standing = state.standings[member * SYSTEMS + system]
                if standing.extra != NO_EXTRA:
                    fetch_early(state.extras, standing.extra)
                if not standing.known:
                    fetch_early(tables.first_foreign, 2 * member)
                    fetch_early(tables.birth_day, member)
                    fetch_early(tables.marks, member)
                    for other in range(SYSTEMS):
                        if state.rated_in[member] & (1 << other):
                            fetch_early(state.standings, member * SYSTEMS + other)


def rate_sections(
    chunk: Chunk,
    tables: Tables,
    state: State,
    ledger: Ledger,
    scratch: Scratch,
    flags: Array,
    thread: int,
    threads: int,
) -> None:
    """Rate one *thread*'s share of a chunk: every so many sections a block, in order.

    A section waits only for earlier ones in which its own members played, so it finds them as if all sections had been
    rated one after the other: results depend neither on the number of threads nor on which of them is faster. The
    earliest section that is not rated never waits, so there is always one that goes on. *state* moves on, *ledger* is
    filled, and *flags* (uint8) has a flag for each section that is raised when it is rated.
    """
    sections = len(chunk.kind)
    for begin in range(thread * BLOCK, sections, threads * BLOCK):
        end = min(begin + BLOCK, sections)
        for section in range(begin, end):
            coming = following(section, threads)
            if coming < sections:
                ask_for_facts(chunk, tables, state, coming)
            coming = following(coming, threads)
            if coming < sections:
                ask_for_standings(chunk, state, coming)
            if threads > 1:
                wait_for(chunk, section, flags)
            rate_section(chunk, tables, state, ledger, scratch, thread, section)
            raise_flag(flags, section)

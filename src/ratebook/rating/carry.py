"""What a player carries from one section to the next: games, counts, record, peak and entered floors.

One scalar function for each, of values before the section and of what happened in it. What is unknown is negative.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ratebook.rating.floors import NO_FLOOR, UNKNOWN
from ratebook.rating.formulas import compilable
from ratebook.rating.special import ALL_LOSSES, ALL_WINS, MIXED

if TYPE_CHECKING:
    from ratebook.rules.in_force import RulesInForce

NO_RECORD = -1
"""Of a rating that does not say whether all games were wins or losses; its counts may."""


@compilable
def counts_as_rated(games: float) -> int:
    """Return 1 where a stored rating counts as one: one stored with N = 0 does not (RULINGS A10)."""
    return 1 if games != 0.0 else 0


@compilable
def counts_are_known(wins: float, draws: float, long_sections: float) -> int:
    """Return 1 where all counts that the personal floor needs are known."""
    return 1 if wins >= 0.0 and draws >= 0.0 and long_sections >= 0.0 else 0


@compilable
def record_before(
    rules: RulesInForce, record: int, wins: float, draws: float, losses: float, games: float
) -> int:
    """Return what all earlier rated games were: as recorded, else as complete counts show, else mixed.

    Counts are complete where they reach N, less the games that Step 1 can have credited. Someone with counts of
    nothing but zeros has no record yet (RULINGS A3).
    """
    if record != NO_RECORD:
        return record
    if wins < 0.0 or draws < 0.0 or losses < 0.0 or draws > 0.0:
        return MIXED
    least = rules.established_above_games if math.isinf(games) else games
    if wins + losses + rules.initial_most_games < least:
        return MIXED
    if wins > 0.0 and losses == 0.0:
        return ALL_WINS
    if losses > 0.0 and wins == 0.0:
        return ALL_LOSSES
    return MIXED


@compilable
def has_no_games(record: int, wins: float, draws: float, losses: float) -> int:
    """Return 1 where the counts say that no game was played yet (a rating credited by Step 1 alone)."""
    return 1 if record == NO_RECORD and wins == 0.0 and draws == 0.0 and losses == 0.0 else 0


@compilable
def record_after(before: int, first_time: int, wins: float, losses: float, played: float) -> int:
    """Return what all rated games are, from the record before and the *played* games of this section."""
    record = MIXED
    if wins == played:
        record = ALL_WINS
    elif losses == played:
        record = ALL_LOSSES
    return record if first_time or before == record else MIXED


@compilable
def game_weight(rules: RulesInForce, half_k: int) -> float:
    """Return what one game of a section adds to N: 1, or a half in half-K sections (RULINGS A13)."""
    return rules.half_k_game_weight if half_k else 1.0


@compilable
def games_after(rules: RulesInForce, games: float, played: float, half_k: int) -> float:
    """Return N after a section with *played* rated games.

    Source: D25 section 7; RULINGS A13.
    """
    return games + played * game_weight(rules, half_k)


@compilable
def losses_after(known: int, first_time: int, before: float, lost: float) -> float:
    """Return the games lost so far; unknown where they or the other counts are (*known* is 0)."""
    if not known:
        return UNKNOWN
    if first_time:
        return lost
    return before + lost if before >= 0.0 else UNKNOWN


@compilable
def long_sections_after(rules: RulesInForce, before: float, played: float) -> float:
    """Return the sections with at least three rated games, the one just rated included.

    Source: D25 section 5; RULINGS, absolute floor.
    """
    if played >= rules.personal_floor_section_games >= 0.0:
        return before + 1.0
    return before


@compilable
def olm_games_after(rules: RulesInForce, before: float, rating: float, games: float, played: float) -> float:
    """Return the games played from an established 2200 or more, the section just rated included.

    Args:
        rules: the rules of the section.
        before: such games so far; negative: unknown.
        rating: pre-event rating.
        games: N of that rating.
        played: rated games of the section.

    Source: RULINGS, OLM floor.
    """
    if before >= 0.0 and games > rules.established_above_games and rating >= rules.olm_floor_rating >= 0.0:
        return before + played
    return before


@compilable
def peak_after(rules: RulesInForce, peak: float, before: float, games: float, rating: float) -> float:
    """Return the highest established post-event rating after a section.

    Args:
        rules: the rules of the section.
        peak: the highest so far; negative: none yet, or unknown.
        before: N before the section; an established player without a peak has one that is unknown, and it stays so.
        games: N after the section.
        rating: the rating after the section.
    """
    if games <= rules.established_above_games:
        return peak
    if peak < 0.0:
        return peak if before > rules.established_above_games else rating
    return rating if rating > peak else peak


@compilable
def floor_stays(is_lowered: int, floor: float, lowered_kept: int, lowered_to: float) -> int:
    """Return 1 where an entered floor still holds after a section.

    A granted request lowers the floor that held: entered floors above the new one give way to it, and so does an
    earlier lowered one. A higher peak ends a lowered floor (*lowered_kept* is 0).
    """
    if is_lowered and not lowered_kept:
        return 0
    if lowered_to != NO_FLOOR and (is_lowered or floor > lowered_to):
        return 0
    return 1


@compilable
def applied_floor(applied: int, floor: float, lowered_to: float) -> float:
    """Return the floor that decided the result, the new one where a request was granted; ``NO_FLOOR``: none did."""
    if not applied:
        return NO_FLOOR
    return floor if lowered_to == NO_FLOOR else lowered_to

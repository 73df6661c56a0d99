"""What a player carries from one section to the next: rating, games, counts, record, peak and entered floors.

One scalar function for each, of values before the section and of what happened in it; then `gather_counts` and
`carry_on`, which apply them to a `Carry` before and after a section is settled. What is unknown is negative.
"""

import math
from collections.abc import MutableSequence, Sequence
from datetime import date
from typing import Any

from ratebook.model import Bound, Rating, Record
from ratebook.rating.decisions import ENTERED_CEILING, LOWERED_FLOOR
from ratebook.rating.floors import NO_FLOOR, UNKNOWN, peak_floor
from ratebook.rating.formulas import compilable
from ratebook.rating.settlement import SettlementColumns
from ratebook.rating.special import ALL_LOSSES, ALL_WINS, MIXED
from ratebook.rating.step1 import NO_RATING
from ratebook.rating.steps import SectionColumns
from ratebook.rules.in_force import RulesInForce

PEAK_BOUND, COUNTS_BOUND, OLM_BOUND = (int(bound) for bound in Bound)
"""Bits of ``at_least``: what is known is a lower bound (docs/rules/readings.md#what-is-known-bounds-what-is-not)."""

NO_RECORD = -1
"""Of a rating that does not say whether all games were wins or losses; its counts may."""

RECORDS = (Record.MIXED, Record.WINS, Record.LOSSES)
"""Records by number: ``MIXED``, ``ALL_WINS``, ``ALL_LOSSES``."""
RECORD_NAMES = tuple(record.value for record in RECORDS)


class Carry:
    """What a player carries in one system; a replay has a record with the same fields.

    Attributes:
        known: 1 where the player has a rating.
        rating: rating points; of an unrated player what the office decided to start from, or ``NO_RATING``.
        games: N of that rating; infinite where it is only known that the rating is established.
        peak: the highest established rating; negative: none, or unknown.
        wins, draws, losses, long_sections, olm_games: counts; negative: unknown.
        record: ``MIXED``, ``ALL_WINS``, ``ALL_LOSSES`` or ``NO_RECORD``.
        at_least: bits of ``PEAK_BOUND``, ``COUNTS_BOUND``, ``OLM_BOUND``: the figure is a lower bound.
    """

    __slots__ = (
        "at_least", "draws", "games", "known", "long_sections", "losses", "olm_games", "peak", "rating",
        "record", "wins",
    )  # fmt: skip

    def __init__(self, rating: Rating | None) -> None:
        """Take what *rating* says; None: the player is unrated."""
        known = Rating(NO_RATING, 0.0) if rating is None else rating
        self.known = 0 if rating is None else 1
        self.rating = known.rating
        self.games = games_of(known.games)
        self.peak = UNKNOWN if known.peak is None else known.peak
        self.wins = -1 if known.wins is None else known.wins
        self.draws = -1 if known.draws is None else known.draws
        self.losses = -1 if known.losses is None else known.losses
        self.long_sections = -1 if known.long_events is None else known.long_events
        self.olm_games = -1 if known.life_master_games is None else known.life_master_games
        self.record = NO_RECORD if known.record is None else RECORDS.index(known.record)
        self.at_least = int(known.at_least)

    def rating_on(self, day: date | None, before: Rating | None) -> Rating:
        """Return the rating that is carried since *day*; what a list says of the player is as *before*."""
        published = (None, None) if before is None else (before.published, before.published_games)
        return Rating._make((*self.figures(), *published, day, Bound(self.at_least)))

    def figures(self, records: Sequence[str] = RECORDS) -> tuple[Any, ...]:
        """Return what `Rating` has first and the ledger too, in their order; *records* are by number."""
        return (
            self.rating,
            None if math.isinf(self.games) else self.games,
            None if self.wins < 0 else self.wins,
            None if self.draws < 0 else self.draws,
            None if self.losses < 0 else self.losses,
            None if self.record == NO_RECORD else records[self.record],
            None if self.long_sections < 0 else self.long_sections,
            None if self.peak < 0.0 else self.peak,
            None if self.olm_games < 0 else self.olm_games,
        )


def games_of(games: float | None) -> float:
    """Return N as a number: infinite where it is only known that the rating is established."""
    return math.inf if games is None else float(games)


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
    nothing but zeros has no record yet (docs/rules/readings.md#a3).
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
def has_no_games(carry: Carry) -> int:
    """Return 1 where the counts say that no game was played yet (a rating credited by Step 1 alone)."""
    counted = carry.wins != 0 or carry.draws != 0 or carry.losses != 0
    return 0 if counted or carry.record != NO_RECORD or carry.at_least & COUNTS_BOUND else 1


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
    """Return what one game of a section adds to N: 1, or a half in half-K sections (docs/rules/readings.md#a13)."""
    return rules.half_k_game_weight if half_k else 1.0


@compilable
def games_after(rules: RulesInForce, games: float, played: float, half_k: int) -> float:
    """Return N after a section with *played* rated games.

    Source: D25 section 7; docs/rules/readings.md#a13.
    """
    return games + played * game_weight(rules, half_k)


@compilable
def losses_after(rules: RulesInForce, first_time: int, wins: float, before: float, lost: float) -> float:
    """Return the games lost so far, at least; under rules without bounds, unknown where they or *wins* are."""
    if first_time:
        return lost
    if rules.floors_from_bounds != 1 and (wins < 0.0 or before < 0.0):
        return UNKNOWN
    return lost if before < 0.0 else before + lost


@compilable
def long_sections_after(rules: RulesInForce, before: float, played: float) -> float:
    """Return the sections with at least three rated games, the one just rated included.

    Source: D25 section 5; docs/rules/readings.md#absolute-floor.
    """
    if played >= rules.personal_floor_section_games >= 0.0:
        return before + 1.0
    return before


@compilable
def olm_games_after(rules: RulesInForce, before: float, rating: float, games: float, played: float) -> float:
    """Return the games played from an established 2200 or more, the section just rated included.

    Source: docs/rules/readings.md#olm-floor.
    """
    if before >= 0.0 and games > rules.established_above_games and rating >= rules.olm_floor_rating >= 0.0:
        return before + played
    return before


@compilable
def peak_after(rules: RulesInForce, peak: float, before: float, games: float, rating: float) -> float:
    """Return the highest established post-event rating after a section.

    A player who was established already (*before* and *games* are N before and after the section) and has no peak has
    one that is unknown, and it stays unknown.
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


@compilable
def has_games(carry: Carry) -> int:
    """Return 1 where a player has a rating that rests on games; before that the history is complete: nothing."""
    return 1 if carry.known and carry.games != 0.0 else 0


@compilable
def is_rated(rules: RulesInForce, carry: Carry) -> int:
    """Return 1 where a player counts as rated, with N = 0 too (docs/rules/readings.md#a10)."""
    return 1 if has_games(carry) or (carry.known and rules.rated_without_games == 1) else 0


@compilable
def prior_record(rules: RulesInForce, carry: Carry) -> int:
    """Return what all earlier rated games of a player were; mixed for one who has none."""
    if not has_games(carry) or (carry.record == NO_RECORD and carry.at_least & COUNTS_BOUND):
        return MIXED
    return record_before(
        rules, carry.record, float(carry.wins), float(carry.draws), float(carry.losses), carry.games
    )


@compilable
def gather_counts(
    rules: RulesInForce,
    carry: Carry,
    columns: SectionColumns,
    settlement: SettlementColumns,
    at: int,
    won: float,
    drawn: float,
    foreign: int,
) -> None:
    """Fill the counts and the peak that the floors of a player read.

    *at* is the player's row; *won* and *drawn* are the games won and drawn in the section. Games of *foreign* FIDE
    events do not count for floors (docs/rules/readings.md#2-dated-values). What is unknown of earlier years is bounded
    by what is known: no games, and an established rating as the peak
    (docs/rules/readings.md#what-is-known-bounds-what-is-not).
    """
    wins = 0.0
    draws = 0.0
    long_sections = 0.0
    olm_games = 0.0
    at_least = 0
    if has_games(carry):
        wins = float(carry.wins)
        draws = float(carry.draws)
        long_sections = float(carry.long_sections)
        olm_games = float(carry.olm_games)
        at_least = int(carry.at_least)
        if rules.floors_from_bounds == 1:
            if not counts_are_known(wins, draws, long_sections) or carry.losses < 0:
                at_least |= COUNTS_BOUND
                wins = wins if wins > 0.0 else 0.0
                draws = draws if draws > 0.0 else 0.0
                long_sections = long_sections if long_sections > 0.0 else 0.0
            if olm_games < 0.0:
                at_least |= OLM_BOUND
                olm_games = 0.0
        elif not counts_are_known(wins, draws, long_sections):
            wins = UNKNOWN
            draws = UNKNOWN
            long_sections = UNKNOWN
    if not foreign:
        played = float(columns.first_game[at + 1] - columns.first_game[at])
        if wins >= 0.0:
            wins += won
            draws += drawn
            long_sections = long_sections_after(rules, long_sections, played)
        olm_games = olm_games_after(rules, olm_games, columns.rating[at], columns.games[at], played)
    settlement.wins[at] = wins
    settlement.draws[at] = draws
    settlement.long_sections[at] = long_sections
    settlement.olm_games[at] = olm_games
    peak = UNKNOWN
    if carry.known and columns.games[at] > rules.established_above_games:
        peak = float(carry.peak)
        if rules.floors_from_bounds == 1 and columns.rating[at] > peak:
            if peak < 0.0:
                at_least |= PEAK_BOUND
            peak = columns.rating[at]
    settlement.peak[at] = peak
    settlement.at_least[at] = at_least
    settlement.first[at] = 1 - is_rated(rules, carry)


@compilable
def carry_on(
    rules: RulesInForce,
    carry: Carry,
    columns: SectionColumns,
    settlement: SettlementColumns,
    at: int,
    won: float,
    drawn: float,
    half_k: int,
    foreign: int,
) -> int:
    """Change *carry* to what the player carries after a section that is settled.

    The arguments are those of `gather_counts`; *half_k* is 1 for half-K sections. *foreign* FIDE events are rated at
    full K.

    Returns:
        1 where a lowered floor outlives the section, because the peak is not a new one.

    Source: D25 section 7 (N grows by m); docs/rules/readings.md#a13, #a18.
    """
    played = float(columns.first_game[at + 1] - columns.first_game[at])
    lost = played - won - drawn
    first_time = 1 - has_games(carry)
    no_games = first_time or has_no_games(carry)
    carry.record = record_after(prior_record(rules, carry), no_games, won, lost, played)
    if not foreign:
        carry.losses = int(losses_after(rules, first_time, settlement.wins[at], float(carry.losses), lost))
        if settlement.wins[at] >= 0.0:
            carry.wins = int(settlement.wins[at])
            carry.draws = int(settlement.draws[at])
            carry.long_sections = int(settlement.long_sections[at])
    olm_games = settlement.olm_games[at]
    carry.olm_games = int(olm_games) if olm_games >= 0.0 else -1
    after = settlement.after[at]
    games = games_after(rules, columns.games[at], played, 0 if foreign else half_k)
    highest = settlement.peak[at] if settlement.peak[at] > carry.peak else carry.peak
    peak = peak_after(rules, highest, columns.games[at], games, after)
    lowered_stays = 1 if highest < 0.0 or peak == highest else 0
    if settlement.at_least[at] & PEAK_BOUND:
        # A peak of earlier years may be higher: only one with a higher floor than the lowered one had is surely new.
        lowered_stays = 1 if peak_floor(rules, peak) <= settlement.lowered[at] + rules.match_floor_drop else 0
    carry.peak = peak
    carry.at_least = settlement.at_least[at]
    carry.rating = after
    carry.games = games
    carry.known = 1
    return lowered_stays


@compilable
def keep_floors(entered: MutableSequence[float], lowered_stays: int, lowered_to: float) -> None:
    """Take the floors out of *entered* that end with a section, and enter the one that it lowered."""
    for kind in range(ENTERED_CEILING):
        if not floor_stays(1 if kind == LOWERED_FLOOR else 0, entered[kind], lowered_stays, lowered_to):
            entered[kind] = NO_FLOOR
    if lowered_to != NO_FLOOR:
        entered[LOWERED_FLOOR] = lowered_to

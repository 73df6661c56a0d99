"""From the result of Step 5 to the rating that is stored: match limits, precision, floors, ceiling.

Source: docs/rules/readings.md#a16.
"""

import math
from collections.abc import MutableSequence
from datetime import date, timedelta
from typing import NamedTuple

from ratebook.model import EarlierMatch, System
from ratebook.rating.floors import (
    ABSOLUTE,
    ENTERED,
    LOWERED,
    NO_FLOOR,
    OLM,
    PEAK,
    PERSONAL,
    olm_floor,
    peak_floor,
    personal_floor,
)
from ratebook.rating.formulas import compilable, stored_rating
from ratebook.rating.steps import NOT_RATED, SectionColumns
from ratebook.rules.in_force import RulesInForce

NO_CEILING = -1.0

NOT_ANSWERED = 0
GRANTED = 1
DENIED = 2


class SettlementColumns(NamedTuple):
    """What decides between Step 5 and the stored rating, one value a player.

    Attributes:
        peak: highest established rating before the section; negative: none or unknown.
        wins, draws, long_sections: counts in the system, this section included; negative: unknown.
        olm_games: games from an established 2200 or more, this section included; negative: unknown.
        at_least: bits that say which of peak, counts and olm_games are lower bounds (``carry.PEAK_BOUND`` ...).
        first: 1 for players without a rating before the section, whose first one this is.
        lowered: floor lowered by a granted match request; it replaces the peak floor.
        entered: highest floor that the office entered otherwise.
        ceiling: the ceiling, or ``NO_CEILING``.
        net_short, net_long: earlier match changes within the windows.
        request: the office's answer to the floor request of this match (``NOT_ANSWERED`` ...).
        limited: rating after the match limits.
        stored: rating in stored precision.
        personal, from_peak, from_olm: the floors of these kinds, or ``NO_FLOOR``.
        floor, floor_kind: the highest floor in force and its kind.
        floor_applied: 1 where the floor decided the result.
        request_open: 1 where a match result fell below the floor and waits for the office.
        lowered_to: the new floor after a granted request, or ``NO_FLOOR``.
        ceiling_applied: 1 where the ceiling decided the result.
        after: the rating that is stored.
    """

    peak: MutableSequence[float]
    wins: MutableSequence[float]
    draws: MutableSequence[float]
    long_sections: MutableSequence[float]
    olm_games: MutableSequence[float]
    at_least: MutableSequence[int]
    first: MutableSequence[int]
    lowered: MutableSequence[float]
    entered: MutableSequence[float]
    ceiling: MutableSequence[float]
    net_short: MutableSequence[float]
    net_long: MutableSequence[float]
    request: MutableSequence[int]
    limited: MutableSequence[float]
    stored: MutableSequence[float]
    personal: MutableSequence[float]
    from_peak: MutableSequence[float]
    from_olm: MutableSequence[float]
    floor: MutableSequence[float]
    floor_kind: MutableSequence[int]
    floor_applied: MutableSequence[int]
    request_open: MutableSequence[int]
    lowered_to: MutableSequence[float]
    ceiling_applied: MutableSequence[int]
    after: MutableSequence[float]


@compilable
def limited_change(rules: RulesInForce, change: float, net_short: float, net_long: float) -> float:
    """Return the rating change that a match may make.

    At most 50 in the match, net 100 within 180 days, net 200 within three years (before 2006 the last only). A limit
    may cut a change down to zero, never turn its sign.

    *net_short* and *net_long* are the signed changes of earlier matches within 180 days and within three years.

    Source: D25 and J15 section 7; docs/rules/readings.md#matches.

    >>> from ratebook.rules.rulebook import rules_on
    >>> rules = rules_on("2024-06-01")
    >>> limited_change(rules, 60.0, 0.0, 0.0), limited_change(rules, 60.0, 70.0, 70.0)
    (50.0, 30.0)
    """
    size = change if change > 0.0 else -change
    sign = 1.0 if change > 0.0 else -1.0
    if rules.match_change >= 0.0 and size > rules.match_change:
        size = rules.match_change
    if rules.match_net_short_points >= 0.0:
        room = rules.match_net_short_points - sign * net_short
        if size > room:
            size = room
    if rules.match_net_long_points >= 0.0:
        room = rules.match_net_long_points - sign * net_long
        if size > room:
            size = room
    return sign * size if size > 0.0 else 0.0


@compilable
def within_window(match_end: float, first_day_before: float, end: float) -> int:
    """Return 1 where a match ended after the day before the window and not after its *end* (day numbers)."""
    return 1 if first_day_before < match_end <= end else 0


def window_days(rules: RulesInForce, end: date) -> tuple[float, float]:
    """Return the days before the short and the long window that end on *end*; infinite for a window that is off."""
    short = math.inf
    if rules.match_net_short_days >= 0:
        short = float((end - timedelta(days=rules.match_net_short_days)).toordinal())
    return short, float(years_before(end, int(rules.match_net_long_years)).toordinal())


def years_before(day: date, years: int) -> date:
    """Return the same calendar day *years* earlier (28 February for a leap day).

    >>> years_before(date(2024, 2, 29), 3)
    datetime.date(2021, 2, 28)
    """
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def net_changes(
    rules: RulesInForce, earlier: tuple[EarlierMatch, ...], system: System, end: date
) -> tuple[float, float]:
    """Return the signed changes of *earlier* matches in *system* within the short and the long window before *end*.

    The windows end on the day the match ends: (D - 180 days, D] and (D - 3 years, D].
    """
    net_short = 0.0
    net_long = 0.0
    before_short, before_long = window_days(rules, end)
    for match in earlier:
        if match.system is system:
            day = match.end.toordinal()
            if within_window(day, before_short, end.toordinal()):
                net_short += match.change
            if within_window(day, before_long, end.toordinal()):
                net_long += match.change
    return net_short, net_long


@compilable
def find_floor(rules: RulesInForce, settlement: SettlementColumns, player: int) -> None:
    """Test every kind of floor and note the highest one in force.

    Source: D25 section 5; docs/rules/readings.md#2-dated-values.
    """
    personal = personal_floor(
        rules, settlement.wins[player], settlement.draws[player], settlement.long_sections[player]
    )
    from_peak = peak_floor(rules, settlement.peak[player])
    from_olm = olm_floor(rules, settlement.olm_games[player])
    settlement.personal[player] = personal
    settlement.from_peak[player] = from_peak
    settlement.from_olm[player] = from_olm
    floor = rules.absolute_floor
    kind = ABSOLUTE
    if personal > floor:
        floor = personal
        kind = PERSONAL
    lowered = settlement.lowered[player]
    if lowered != NO_FLOOR:
        if lowered > floor:
            floor = lowered
            kind = LOWERED
    elif from_peak > floor:
        floor = from_peak
        kind = PEAK
    # A floor lowered from the original Life Master's level replaces that floor too (docs/inferred.md).
    olm_gave_way = lowered != NO_FLOOR and lowered >= from_olm - rules.match_floor_drop
    if from_olm > floor and not olm_gave_way:
        floor = from_olm
        kind = OLM
    if settlement.entered[player] > floor:
        floor = settlement.entered[player]
        kind = ENTERED
    settlement.floor[player] = floor
    settlement.floor_kind[player] = kind


@compilable
def settle_player(
    rules: RulesInForce,
    is_match: int,
    before: float,
    result: float,
    settlement: SettlementColumns,
    player: int,
) -> None:
    """Fill ``after`` and how it came about from the *result* of Step 5.

    Source: docs/rules/readings.md#a14, #a16, #a17; D25 section 7 (matches, ceilings).
    """
    find_floor(rules, settlement, player)
    floor = settlement.floor[player]
    limited = result
    if is_match:
        change = result - before
        allowed = limited_change(rules, change, settlement.net_short[player], settlement.net_long[player])
        if allowed != change:
            limited = before + allowed
    settlement.limited[player] = limited
    after = stored_rating(rules, before, limited)
    settlement.stored[player] = after
    settlement.lowered_to[player] = NO_FLOOR
    if after < floor:
        if is_match and settlement.request[player] == GRANTED:
            floor -= rules.match_floor_drop
            if floor < rules.absolute_floor:
                floor = rules.absolute_floor
            settlement.lowered_to[player] = floor
        elif is_match and settlement.request[player] == NOT_ANSWERED:
            settlement.request_open[player] = 1
        if after < floor:
            after = floor
            settlement.floor_applied[player] = 1
    ceiling = settlement.ceiling[player]
    if ceiling != NO_CEILING:
        if before > ceiling and not (settlement.first[player] and rules.ceiling_cuts_first_ratings == 1):
            ceiling = before
        if after > ceiling:
            after = ceiling
            settlement.ceiling_applied[player] = 1
    settlement.after[player] = after


@compilable
def settle_players(
    rules: RulesInForce, is_match: int, columns: SectionColumns, settlement: SettlementColumns
) -> None:
    """Settle all players who have a rated game; the others keep what they had."""
    for player in range(len(columns.rating)):
        settlement.after[player] = columns.rating[player]
        if columns.formula[player] != NOT_RATED:
            settle_player(rules, is_match, columns.rating[player], columns.step5[player], settlement, player)

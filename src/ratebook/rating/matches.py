"""Two-player matches: what a match may change, and who may play one.

The windows end on the day the match ends: (D - 180 days, D] and (D - 3 years, D], signed changes added up.
"""

from __future__ import annotations

import math
from datetime import date, timedelta
from typing import TYPE_CHECKING

from ratebook.rating.formulas import compilable

if TYPE_CHECKING:
    from ratebook.model import EarlierMatch, System
    from ratebook.rules.in_force import RulesInForce


@compilable
def limited_change(rules: RulesInForce, change: float, net_short: float, net_long: float) -> float:
    """Return the rating change that a match may make.

    At most 50 in the match, net 100 within 180 days, net 200 within three years (before 2006 the last only). A limit
    may cut a change down to zero, never turn its sign.

    Args:
        rules: the rules of the section.
        change: what the formulas give, rating points.
        net_short: signed changes of earlier matches within 180 days.
        net_long: signed changes of earlier matches within three years.

    Source: D25 and J15 section 7; RULINGS, matches.

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
    """Return the signed changes of *earlier* matches in *system* within the short and the long window before *end*."""
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


def too_few_games(rules: RulesInForce, games: float) -> bool:
    """Return whether a rating that rests on *games* games is not established, which a match needs (D25 section 7)."""
    return games <= rules.established_above_games


def too_far_apart(rules: RulesInForce, published: float, other: float) -> bool:
    """Return whether two published ratings are too far apart for a match, in rating points (D25 section 7)."""
    return abs(published - other) > rules.match_difference

"""One plain scalar function for each published formula of the timeline, and the marker of compilable functions.

Ratings are in rating points, N and m in games. The rules' numbers come from ``rules``, so that a formula holds for
every date; the docstring gives the form that they fill.

Interpreted code neither imports nor needs a compiler: `compilable` only notes a function. The replay registers every
noted function with Numba, so that each formula is written once (ARCHITECTURE invariant 1). What a compilable function
may use: arguments, local scalars, loops, ``math``, other compilable functions, attributes of the rules, and flat
sequences by index. What it may not: ``x ** 2`` (write ``x * x``), ``sum()``, objects, strings, exceptions.
"""

import math
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from ratebook.rules.in_force import INTEGER_AWAY, RulesInForce

P = ParamSpec("P")
R = TypeVar("R")

COMPILABLE: list[Callable[..., Any]] = []
"""Every marked function, in the order of definition: callees before callers."""

ARITHMETIC = 2
"""Raised whenever something is computed another way: ratings may then differ in their last bits, and in nothing else.

2: expectancies from one strength a player (docs/decisions/0017-strengths.md).
"""


def compilable(function: Callable[P, R]) -> Callable[P, R]:
    """Note *function* as compilable and return it unchanged."""
    COMPILABLE.append(function)
    return function


@compilable
def strength(rules: RulesInForce, rating: float) -> float:
    """Return the strength that a *rating* stands for: ten times as much for every 400 points more.

    strength = 10 ** (rating / 400)

    Source: D25 section 4.2, with both sides of the fraction multiplied by it (`expected_score`).

    >>> from ratebook.rules.rulebook import rules_on
    >>> strength(rules_on("2024-06-01"), 800.0)
    100.0
    """
    power: float = 10.0 ** (rating / rules.logistic_scale)
    return power


@compilable
def expected_of_strengths(own: float, opponent: float) -> float:
    """Return the score that a player should expect from one game (standard winning expectancy).

    We = own / (own + opponent), which is 1 / (1 + 10 ** (-(Ri - Rj) / 400)) for the strengths of Ri and Rj. A section
    needs one power for each player then, not one for each game and side.

    Source: D25 section 4.2.

    >>> expected_of_strengths(100.0, 100.0)
    0.5
    """
    return own / (own + opponent)


@compilable
def expected_score(rules: RulesInForce, own: float, opponent: float) -> float:
    """Return the score that a player rated *own* should expect from one game (standard winning expectancy).

    We = 1 / (1 + 10 ** (-(own - opponent) / 400))

    Source: D25 section 4.2.

    >>> from ratebook.rules.rulebook import rules_on
    >>> round(expected_score(rules_on("2024-06-01"), 1300.0, 1250.0), 3)
    0.571
    """
    return expected_of_strengths(strength(rules, own), strength(rules, opponent))


@compilable
def provisional_expected_score(rules: RulesInForce, own: float, opponent: float) -> float:
    """Return the score expected from one game by the special formula (provisional winning expectancy).

    PWe = 0 up to 400 points below the opponent, 1 from 400 above, 0.5 + (own - opponent) / 800 between.

    Source: D25 section 4.1.

    >>> from ratebook.rules.rulebook import rules_on
    >>> provisional_expected_score(rules_on("2024-06-01"), 1500.0, 1700.0)
    0.25
    """
    reach = rules.special_reach
    if own <= opponent - reach:
        return 0.0
    if own >= opponent + reach:
        return 1.0
    return 0.5 + (own - opponent) / (2.0 * reach)


@compilable
def most_effective_games(rules: RulesInForce, rating: float) -> float:
    """Return N*, the most effective games that a rating allows; N' = min(N, N*) is used.

    N* = 50 / sqrt(constant + slope (centre - R0)^2) up to the knee, 50 above it.

    Source: D25 section 3 (0.662, 0.00000739, 2569, 2355); A01 (1, 1/100000, 2200, 2200) until May 2013.

    >>> from ratebook.rules.rulebook import rules_on
    >>> round(most_effective_games(rules_on("2024-06-01"), 1700.0), 1)
    20.0
    """
    most = rules.effective_games_most
    if rating <= rules.effective_games_knee:
        distance = rules.effective_games_centre - rating
        spread = rules.effective_games_constant + rules.effective_games_slope * (distance * distance)
        most = most / math.sqrt(spread)
    return most


@compilable
def k_factor(
    rules: RulesInForce, rating: float, prior_games: float, played: float, half_k: int, dual_rated: int
) -> float:
    """Return K for *played* games from a pre-event *rating* with *prior_games* effective games (N').

    K = 800 / (N' + m); half K: 400 / (N' + m / 2); dual-rated OTB Regular above 2200:
    800 (6.5 - 0.0025 R) / (N' + m) below 2500, 200 / (N' + m) from 2500.

    Source: D25 section 4.2; half K: A01.

    >>> from ratebook.rules.rulebook import rules_on
    >>> round(k_factor(rules_on("2024-06-01"), 1700.0, 20.0, 6.0, 0, 0), 2)
    30.77
    """
    if half_k:
        return rules.half_k_numerator / (prior_games + rules.half_k_game_weight * played)
    numerator = rules.k_numerator
    if dual_rated and rules.reduced_k_above >= 0.0 and rating > rules.reduced_k_above:
        if rating >= rules.reduced_k_least_from:
            numerator = rules.reduced_k_least_numerator
        else:
            numerator = numerator * (rules.reduced_k_intercept - rules.reduced_k_slope * rating)
    return numerator / (prior_games + played)


@compilable
def games_counted_for_bonus(rules: RulesInForce, played: float) -> float:
    """Return m' = max(m, 4), the games that the threshold of the bonus counts.

    Source: D25 section 4.2.

    >>> from ratebook.rules.rulebook import rules_on
    >>> games_counted_for_bonus(rules_on("2024-06-01"), 3.0)
    4.0
    """
    return played if played > rules.bonus_least_counted_games else rules.bonus_least_counted_games


@compilable
def bonus_threshold(rules: RulesInForce, played: float) -> float:
    """Return what K (S - E) must exceed to earn a bonus; the excess is the bonus.

    B sqrt(max(m, 4)); the bonus is max(0, K (S - E) - B sqrt(max(m, 4)))

    Source: D25 section 4.2; B by date: D25 section 8.

    >>> from ratebook.rules.rulebook import rules_on
    >>> bonus_threshold(rules_on("2024-06-01"), 3.0)
    24.0
    """
    return rules.bonus_multiplier * math.sqrt(games_counted_for_bonus(rules, played))


@compilable
def converted_fide(rules: RulesInForce, fide: float) -> float:
    """Return the US rating that a FIDE rating converts to.

    low_intercept + low_slope F up to the knee (2000), high_intercept + high_slope F above it.

    Source: D25 section 2.1; J15 section 2.6 until February 2024.

    >>> from ratebook.rules.rulebook import rules_on
    >>> round(converted_fide(rules_on("2026-01-01"), 2100.0), 6)
    2162.0
    """
    if fide <= rules.fide_conversion_knee:
        return rules.fide_conversion_low_intercept + rules.fide_conversion_low_slope * fide
    return rules.fide_conversion_high_intercept + rules.fide_conversion_high_slope * fide


@compilable
def converted_fide_youth(rules: RulesInForce, fide: float) -> float:
    """Return the US rating that an opponent's FIDE rating converts to in a foreign youth event.

    Source: D25 section 6; J15 section 6 until February 2024.

    >>> from ratebook.rules.rulebook import rules_on
    >>> converted_fide_youth(rules_on("2026-01-01"), 2100.0)
    2180.0
    """
    if fide <= rules.fide_youth_conversion_knee:
        return rules.fide_youth_conversion_low_intercept + rules.fide_youth_conversion_low_slope * fide
    return rules.fide_youth_conversion_high_intercept + rules.fide_youth_conversion_high_slope * fide


@compilable
def converted_cfc(rules: RulesInForce, cfc: float) -> float:
    """Return the US rating that a CFC rating converts to: up to four straight pieces.

    Since 2025 the line drops at 2000 (1999 -> 1962.59, 2000 -> 1960); the document says so, it stays
    (docs/rules/readings.md#2-dated-values).

    Source: D25 section 2.2; J15 section 2.6 until December 2024.

    >>> from ratebook.rules.rulebook import rules_on
    >>> round(converted_cfc(rules_on("2025-06-01"), 1999.0), 2)
    1962.59
    """
    closed = rules.cfc_conversion_knees_belong_below
    knee = rules.cfc_conversion_knee_1
    if cfc < knee or (closed and cfc == knee):
        return rules.cfc_conversion_intercept_1 + rules.cfc_conversion_slope_1 * cfc
    knee = rules.cfc_conversion_knee_2
    if cfc < knee or (closed and cfc == knee):
        return rules.cfc_conversion_intercept_2 + rules.cfc_conversion_slope_2 * cfc
    knee = rules.cfc_conversion_knee_3
    if cfc < knee or (closed and cfc == knee):
        return rules.cfc_conversion_intercept_3 + rules.cfc_conversion_slope_3 * cfc
    return rules.cfc_conversion_intercept_4 + rules.cfc_conversion_slope_4 * cfc


@compilable
def rounded(rating: float) -> float:
    """Return *rating* as it is displayed: the nearest integer, halves up (never banker's rounding).

    floor(x + 0.5)

    Source: D25 sections 1 and 7; docs/rules/readings.md#a14.

    >>> rounded(1643.759), rounded(1431.034), rounded(1500.5)
    (1644.0, 1431.0, 1501.0)
    """
    return float(math.floor(rating + 0.5))


@compilable
def stored_rating(rules: RulesInForce, before: float, rating: float) -> float:
    """Return *rating* in the precision in which it is stored after an event.

    Today: as it is. Before September 2014: an integer, rounded away from the rating *before* (up if gained, down if
    lost); a value within 1e-6 of an integer is that integer first.

    Source: A01; D25 section 8; docs/rules/readings.md#a14.

    >>> from ratebook.rules.rulebook import rules_on
    >>> stored_rating(rules_on("2002-06-01"), 1300.0, 1446.158)
    1447.0
    """
    if rules.stored_precision != INTEGER_AWAY:
        return rating
    nearest = rounded(rating)
    tolerance = rules.stored_precision_tolerance
    if abs(rating - nearest) <= tolerance or abs(rating - before) <= tolerance:
        return nearest
    if rating > before:
        return float(math.ceil(rating))
    return float(math.floor(rating))

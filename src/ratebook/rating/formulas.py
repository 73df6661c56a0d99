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

from ratebook.rules.in_force import (
    FIDE_TABLE,
    INTEGER_AWAY,
    INTEGER_NEAREST,
    K_STEPS,
    LINEAR,
    LOGISTIC,
    NORMAL,
    UNLIMITED,
    RulesInForce,
)

NO_AGE = -1.0
"""The age of a player whose birth date is unknown."""

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


FIDE_TABLE_ENDS = (
    3.0, 10.0, 17.0, 25.0, 32.0, 39.0, 46.0, 53.0, 61.0, 68.0, 76.0, 83.0, 91.0, 98.0, 106.0, 113.0, 121.0,
    129.0, 137.0, 145.0, 153.0, 162.0, 170.0, 179.0, 188.0, 197.0, 206.0, 215.0, 225.0, 235.0, 245.0, 256.0,
    267.0, 278.0, 290.0, 302.0, 315.0, 328.0, 344.0, 357.0, 374.0, 391.0, 411.0, 432.0, 456.0, 484.0, 517.0,
    559.0, 619.0, 735.0,
)  # fmt: skip
"""The largest differences at which the stronger player is expected to score 0.50, 0.51, ... 0.99 points.

Source: the table of FIDE's rating regulations (docs/rules/other-federations.md#the-shapes).
"""


def expectancy_numbers(rules: RulesInForce) -> tuple[float, ...]:
    """Return the numbers on which `strength` and `expected_score` depend: where they are the same, so are these."""
    return rules.expectancy, rules.expectancy_most_difference, rules.logistic_scale, rules.special_reach


@compilable
def compares_strengths(rules: RulesInForce) -> bool:
    """Return whether the winning expectancy is the logistic one of US Chess, for which one power a player is enough."""
    return rules.expectancy == LOGISTIC and rules.expectancy_most_difference == UNLIMITED


@compilable
def strength(rules: RulesInForce, rating: float) -> float:
    """Return the strength that a *rating* stands for: ten times as much for every 400 points more.

    strength = 10 ** (rating / 400); under another winning expectancy the rating itself.

    Source: D25 section 4.2, with both sides of the fraction multiplied by it (`expected_score`).

    >>> from ratebook.rules.rulebook import rules_on
    >>> strength(rules_on("2024-06-01"), 800.0)
    100.0
    """
    if not compares_strengths(rules):
        return rating
    power: float = 10.0 ** (rating / rules.logistic_scale)
    return power


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
def expected_within(reach: float, own: float, opponent: float) -> float:
    """Return the score expected from one game where nothing is certain within a *reach* of rating points.

    0 from so many points below the opponent, 1 from so many above, a straight line between.

    >>> expected_within(400.0, 1500.0, 1700.0)
    0.25
    """
    if own <= opponent - reach:
        return 0.0
    if own >= opponent + reach:
        return 1.0
    return 0.5 + (own - opponent) / (2.0 * reach)


@compilable
def provisional_expected_score(rules: RulesInForce, own: float, opponent: float) -> float:
    """Return the score expected from one game by the special formula (provisional winning expectancy).

    PWe = 0 up to 400 points below the opponent, 1 from 400 above, 0.5 + (own - opponent) / 800 between.

    Source: D25 section 4.1.

    >>> from ratebook.rules.rulebook import rules_on
    >>> provisional_expected_score(rules_on("2024-06-01"), 1500.0, 1700.0)
    0.25
    """
    return expected_within(rules.special_reach, own, opponent)


@compilable
def expected_of_fide(difference: float) -> float:
    """Return the expected score that FIDE's table has for a difference, rounded to a whole number of points.

    >>> [expected_of_fide(points) for points in (0.0, 92.4, -400.0, 736.0)]
    [0.5, 0.63, 0.08, 1.0]
    """
    distance = rounded(difference if difference > 0.0 else -difference)
    hundredths = 50
    while hundredths < 100 and distance > FIDE_TABLE_ENDS[hundredths - 50]:  # noqa: PLR2004 - hundredths of a point
        hundredths += 1
    return (hundredths if difference > 0.0 else 100 - hundredths) / 100.0


@compilable
def expected_of_difference(rules: RulesInForce, difference: float) -> float:
    """Return the score that a player so many points stronger should expect from one game, by any winning expectancy.

    A *difference* counts as at most ``expectancy_most_difference`` points. The normal curve has a standard deviation of
    200 sqrt(2) points for a ``logistic_scale`` of 400.

    Source: docs/rules/other-federations.md#the-shapes.

    >>> from ratebook.rules.rulebook import load_rulebook
    >>> from ratebook.model import System
    >>> from datetime import date
    >>> book = load_rulebook().with_overlay({"expectancy": "fide-table"})
    >>> expected_of_difference(book.in_force(System.REGULAR, date(2026, 1, 1)), -79.0)
    0.39
    """
    most = rules.expectancy_most_difference
    if difference > most:
        difference = most
    elif difference < -most:
        difference = -most
    if rules.expectancy == LINEAR:
        return provisional_expected_score(rules, difference, 0.0)
    if rules.expectancy == NORMAL:
        return 0.5 + 0.5 * math.erf(difference / rules.logistic_scale)
    if rules.expectancy == FIDE_TABLE:
        return expected_of_fide(difference)
    power: float = 10.0 ** (-difference / rules.logistic_scale)
    return 1.0 / (1.0 + power)


@compilable
def expected_of_strengths(rules: RulesInForce, own: float, opponent: float) -> float:
    """Return the score that a player should expect from one game, from the strengths of both.

    We = own / (own + opponent), which is 1 / (1 + 10 ** (-(Ri - Rj) / 400)) for the strengths of Ri and Rj. A section
    needs one power for each player then, not one for each game and side.

    Source: D25 section 4.2.

    >>> from ratebook.rules.rulebook import rules_on
    >>> expected_of_strengths(rules_on("2024-06-01"), 100.0, 100.0)
    0.5
    """
    if compares_strengths(rules):
        return own / (own + opponent)
    return expected_of_difference(rules, own - opponent)


def expectancy(rules: RulesInForce) -> Callable[[float, float], float]:
    """Return `expected_of_strengths` under some rules, for thousands of games: they are looked at once.

    >>> from ratebook.rules.rulebook import rules_on
    >>> expectancy(rules_on("2024-06-01"))(300.0, 100.0)
    0.75
    """
    if compares_strengths(rules):
        return lambda own, opponent: own / (own + opponent)
    return lambda own, opponent: expected_of_difference(rules, own - opponent)


@compilable
def expected_score(rules: RulesInForce, own: float, opponent: float) -> float:
    """Return the score that a player rated *own* should expect from one game (standard winning expectancy).

    We = 1 / (1 + 10 ** (-(own - opponent) / 400))

    Source: D25 section 4.2.

    >>> from ratebook.rules.rulebook import rules_on
    >>> round(expected_score(rules_on("2024-06-01"), 1300.0, 1250.0), 3)
    0.571
    """
    return expected_of_strengths(rules, strength(rules, own), strength(rules, opponent))


@compilable
def most_effective_games(rules: RulesInForce, rating: float) -> float:
    """Return N*, the most effective games that a rating allows; N' = min(N, N*) is used.

    N* = 50 / sqrt(constant + slope (centre - R0)^2) up to the knee, 50 above it; 0 where the rule is off.

    Source: D25 section 3 (0.662, 0.00000739, 2569, 2355); A01 (1, 1/100000, 2200, 2200) until May 2013.

    >>> from ratebook.rules.rulebook import rules_on
    >>> round(most_effective_games(rules_on("2024-06-01"), 1700.0), 1)
    20.0
    """
    most = rules.effective_games_most
    if most < 0.0:
        return 0.0
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
def plain_k_part(rules: RulesInForce, step: int) -> tuple[float, float, float, float]:
    """Return K of a *step* of the table of K, 1 to 5, and the games, rating and age below which it holds."""
    if step == 1:
        return (
            rules.plain_k_1_k,
            rules.plain_k_1_games_below,
            rules.plain_k_1_rating_below,
            rules.plain_k_1_age_below,
        )
    if step == 2:  # noqa: PLR2004 - a step, as in the field's name
        return (
            rules.plain_k_2_k,
            rules.plain_k_2_games_below,
            rules.plain_k_2_rating_below,
            rules.plain_k_2_age_below,
        )
    if step == 3:  # noqa: PLR2004 - a step, as in the field's name
        return (
            rules.plain_k_3_k,
            rules.plain_k_3_games_below,
            rules.plain_k_3_rating_below,
            rules.plain_k_3_age_below,
        )
    if step == 4:  # noqa: PLR2004 - a step, as in the field's name
        return (
            rules.plain_k_4_k,
            rules.plain_k_4_games_below,
            rules.plain_k_4_rating_below,
            rules.plain_k_4_age_below,
        )
    return (
        rules.plain_k_5_k,
        rules.plain_k_5_games_below,
        rules.plain_k_5_rating_below,
        rules.plain_k_5_age_below,
    )


@compilable
def has_plain_k(rules: RulesInForce) -> bool:
    """Return whether K comes from a table, not from the games before."""
    return rules.plain_k_1_k >= 0.0


@compilable
def plain_k_reads_age(rules: RulesInForce) -> bool:
    """Return whether a step of the table of K asks for the age."""
    for step in range(1, K_STEPS + 1):
        _, _, _, age_below = plain_k_part(rules, step)
        if age_below >= 0.0:
            return True
    return False


@compilable
def plain_k_step(rules: RulesInForce, rating: float, games: float, age: float) -> int:
    """Return the first step of the table of K whose conditions a player meets.

    *games* is N before the section, *age* in years at its end; an unknown one meets no condition.
    """
    for step in range(1, K_STEPS):
        _, games_below, rating_below, age_below = plain_k_part(rules, step)
        if (
            (games_below < 0.0 or games < games_below)
            and (rating_below < 0.0 or rating < rating_below)
            and (age_below < 0.0 or NO_AGE < age < age_below)
        ):
            return step
    return K_STEPS


@compilable
def plain_k(rules: RulesInForce, rating: float, games: float, age: float, played: float) -> float:
    """Return K of the table of K, the largest whole number for which K m is at most ``k_times_games_most``.

    Source: docs/rules/other-federations.md#the-shapes.
    """
    k, _, _, _ = plain_k_part(rules, plain_k_step(rules, rating, games, age))
    if k * played > rules.k_times_games_most:
        k = float(math.floor(rules.k_times_games_most / played))
    return k


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

    B sqrt(max(m, 4)); the bonus is max(0, K (S - E) - B sqrt(max(m, 4))). Where the bonus is off, no gain exceeds it.

    Source: D25 section 4.2; B by date: D25 section 8.

    >>> from ratebook.rules.rulebook import rules_on
    >>> bonus_threshold(rules_on("2024-06-01"), 3.0)
    24.0
    """
    if rules.bonus_multiplier < 0.0:
        return math.inf
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
def stored_rating(rules: RulesInForce, before: float, rating: float) -> float:
    """Return *rating* in the precision in which it is stored after an event.

    Today: as it is. Before September 2014: an integer, rounded away from the rating *before* (up if gained, down if
    lost); a value within 1e-6 of an integer is that integer first. In other federations also the nearest integer.

    Source: A01; D25 section 8; docs/rules/readings.md#a14.

    >>> from ratebook.rules.rulebook import rules_on
    >>> stored_rating(rules_on("2002-06-01"), 1300.0, 1446.158)
    1447.0
    """
    if rules.stored_precision == INTEGER_NEAREST:
        return rounded(rating)
    if rules.stored_precision != INTEGER_AWAY:
        return rating
    nearest = rounded(rating)
    tolerance = rules.stored_precision_tolerance
    if abs(rating - nearest) <= tolerance or abs(rating - before) <= tolerance:
        return nearest
    if rating > before:
        return float(math.ceil(rating))
    return float(math.floor(rating))

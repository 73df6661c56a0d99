"""The rating system of 1995 as the Ratings Committee's report of August 1995 describes it (R95).

The report relies on a system that it does not print: the breakpoints of K, the limit of 20 provisional games and the
old provisional formula come from other documents (docs/rules/readings.md#the-edition-of-1995). This module rates one
list of games for one player, without bonus points, unrated opponents, or the feedback of an event's results on each
other, and its formulas apply no floor but 100 (``peak_floor`` is for the caller to apply); the conversion tables of the
same report are in ``conversion1995``.

Ratings are in points, ages in years at the end of the event (None: unknown). What a formula is not defined for raises
``ValueError``: no game, a number that is not finite, a negative age, a score that is not 0, 0.5 or 1.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ratebook.calculators import arithmetic
from ratebook.calculators.arithmetic import Game, winning_expectancy
from ratebook.calculators.provisional import ABSOLUTE_FLOOR, ProvisionalResult, rate_by_provisional_formula

PROVISIONAL_MOST_GAMES = 20
"""A rating based on this many games or fewer was provisional."""

SCHOLASTIC_AGE = 12.0
"""The scholastic measure is for players younger than this, in years."""

SCHOLASTIC_RATING = 800.0
"""The scholastic measure is for ratings below this, in points."""

_SCHOLASTIC_FACTOR = 4.0
_K_BELOW_2100 = 32.0
_K_BELOW_2400 = 24.0
_K_FROM_2400 = 16.0
_FIRST_K_LIMIT = 2100.0
_SECOND_K_LIMIT = 2400.0
_STEP_OF_DIFFERENCES = 10.0
_FLOOR_ALLOWANCE = 100.0
_PRISON_FLOOR_ALLOWANCE = 300.0
_FLOOR_STEP = 100


class GameChange(NamedTuple):
    """One game: its K and K(score - E) by the rating before the event, and the winning expectancy E."""

    game: Game
    k_factor: float
    expected_score: float
    change: float


class Stretch(NamedTuple):
    """A part of a rating's way within the range of one K: from where to where it moved."""

    k_factor: float
    start: float
    end: float


class EstablishedResult(NamedTuple):
    """What an event makes of an established rating, with every intermediate value.

    ``normal_k`` is K of the rating before the event, before any scholastic measure; score and expected score are totals
    over the games. ``stretches`` is the way from the old rating to the new one, in parts where it crosses 2100 or 2400;
    ``change`` is all of it. ``rating_after`` is ``rounded``, but at least 100 (inferred).
    """

    rating_before: float
    normal_k: float
    games: tuple[GameChange, ...]
    stretches: tuple[Stretch, ...]
    score: float
    expected_score: float
    change: float
    unrounded: float
    rounded: int
    rating_after: int


def is_provisional(games_before: float) -> bool:
    """Return whether N <= 20, which made a rating provisional in 1995.

    Source: A01, provisional and established ratings ("rather than 20 under the old system"). R95, appendix B,
    calls "players with fewer than 20 games" provisional, but it means those of a chess server.

    >>> is_provisional(20), is_provisional(21)
    (True, False)
    """
    arithmetic.require_not_negative(games_before, "number of games before the event")
    return games_before <= PROVISIONAL_MOST_GAMES


def normal_k(rating: float) -> float:
    """Return K before any scholastic measure: 32 below 2100, 24 from 2100 to 2399, 16 from 2400.

    Source: R95, section 2 prints 32 for 700 and 1200; the breakpoints are inferred
    (docs/rules/readings.md#the-edition-of-1995).

    >>> normal_k(1200), normal_k(2100), normal_k(2400)
    (32.0, 24.0, 16.0)
    """
    arithmetic.require_rating(rating, "rating before the event")
    if rating < _FIRST_K_LIMIT:
        return _K_BELOW_2100
    return _K_BELOW_2400 if rating < _SECOND_K_LIMIT else _K_FROM_2400


def stretches_of_change(rating: float, surplus: float) -> tuple[Stretch, ...]:
    """Return the way of a rating that scored *surplus* points of games more (or fewer) than expected.

    As far as the next limit of K every point of the surplus is worth the K of that range, and beyond it the K of the
    next one. So 2075 with a surplus of 2.5729 gains 25 points at 32 and 43 at 24, as published: 2143.

    Source: 61 of the 63 published ratings of 1992 to 2000 that crossed a limit and can show it
    (docs/rules/readings.md#the-edition-of-1995); R95 prints no limits.

    >>> [round(stretch.end) for stretch in stretches_of_change(2075, 2.5729)], stretches_of_change(2075, 0.5)
    ([2100, 2143], (Stretch(k_factor=32.0, start=2075, end=2091.0),))
    """
    arithmetic.require_rating(rating, "rating before the event")
    limits = (_FIRST_K_LIMIT, _SECOND_K_LIMIT)
    ahead = (
        [limit for limit in limits if limit > rating]
        if surplus > 0.0
        else [limit for limit in reversed(limits) if limit <= rating]
    )
    stretches = []
    for limit in ahead:
        factor = _k_towards(rating, surplus)
        to_limit = (limit - rating) / factor
        if abs(to_limit) >= abs(surplus):
            break
        if to_limit:
            stretches.append(Stretch(factor, rating, limit))
        rating, surplus = limit, surplus - to_limit
    factor = _k_towards(rating, surplus)
    return (*stretches, Stretch(factor, rating, rating + factor * surplus))


def _k_towards(rating: float, surplus: float) -> float:
    """Return K of the range into which a rating moves; one on a limit that falls is in the range below."""
    return normal_k(math.nextafter(rating, -math.inf) if surplus < 0.0 else rating)


def is_scholastic(rating: float, age: float | None) -> bool:
    """Return whether the scholastic measure is for this player: age < 12 and rating < 800 (unknown age: 12 or older).

    Source: R95, motion 3 and section 2.

    >>> is_scholastic(700, 10), is_scholastic(800, 10), is_scholastic(700, 12)
    (True, False, False)
    """
    arithmetic.require_rating(rating, "rating")
    if age is None:
        return False
    arithmetic.require_not_negative(age, "age")
    return age < SCHOLASTIC_AGE and rating < SCHOLASTIC_RATING


def scholastic_k(rating: float, age: float | None, game: Game) -> float:
    """Return K of one game under the scholastic measure.

    The normal K, times 4 if the player is scholastic, divided by 4 if the opponent is; both cancel.

    Source: R95, motion 3 and section 2.

    >>> scholastic_k(700, 10, Game(600, 1)), scholastic_k(1200, None, Game(750, 0, opponent_age=9))
    (128.0, 8.0)
    """
    factor = normal_k(rating)
    if is_scholastic(rating, age):
        factor *= _SCHOLASTIC_FACTOR
    if is_scholastic(game.opponent_rating, game.opponent_age):
        factor /= _SCHOLASTIC_FACTOR
    return factor


def expectancy_in_tens(own_rating: float, opponent_rating: float) -> float:
    """Return the score to expect from one game, by the difference in whole tens: 109 points count as 100.

    We(R, R_opp) = 1 / (10 ** (-D / 400) + 1), D the difference taken down to a multiple of 10 on either side of 0

    Source: published ratings of 1993 to 2000; docs/rules/readings.md#the-edition-of-1995.

    >>> expectancy_in_tens(1309, 1200) == winning_expectancy(1300, 1200)
    True
    """
    arithmetic.require_rating(own_rating, "own rating")
    arithmetic.require_rating(opponent_rating, "opponent rating")
    tens = math.trunc((own_rating - opponent_rating) / _STEP_OF_DIFFERENCES)
    return winning_expectancy(tens * _STEP_OF_DIFFERENCES, 0.0)


def rate_established(
    rating_before: float, games: Sequence[Game], *, age: float | None = None, scholastic: bool = False
) -> EstablishedResult:
    """Return the new rating of an established player of 1995.

    R_new = R + sum of K_i (score_i - We(R, R_i)), rounded to the nearest integer; no bonus. We is that of
    ``expectancy_in_tens``.

    Where the rating crosses 2100 or 2400, the points beyond are at the K of that range (``stretches_of_change``). The
    scholastic measure, a proposed and temporary one, multiplies K game by game on either side of such a limit; it is in
    use where *scholastic* is true, and nothing else uses the *age*.

    Source: R95, section 2; docs/rules/readings.md#the-edition-of-1995.

    >>> games = [Game(750, 0, opponent_age=9), Game(1100, 0.5), Game(1150, 1)]
    >>> rate_established(1200, games, scholastic=True).rating_after
    1202
    >>> rate_established(1200, games).rating_after
    1179
    """
    arithmetic.require_games(games)
    for game in games:
        if game.opponent_age is not None:
            arithmetic.require_not_negative(game.opponent_age, "age")
    usual = normal_k(rating_before)
    rated = []
    for game in games:
        factor = scholastic_k(rating_before, age, game) if scholastic else usual
        expected = expectancy_in_tens(rating_before, game.opponent_rating)
        rated.append(GameChange(game, factor, expected, factor * (game.score - expected)))
    stretches = stretches_of_change(rating_before, math.fsum(change.change for change in rated) / usual)
    unrounded = stretches[-1].end
    rounded = arithmetic.round_to_nearest(unrounded)
    return EstablishedResult(
        rating_before=rating_before,
        normal_k=usual,
        games=tuple(rated),
        score=math.fsum(game.score for game in games),
        expected_score=math.fsum(change.expected_score for change in rated),
        stretches=stretches,
        change=unrounded - rating_before,
        unrounded=unrounded,
        rounded=rounded,
        rating_after=max(rounded, ABSOLUTE_FLOOR),
    )


def rate_provisional(
    rating_before: float | None, games_before: float, games: Sequence[Game]
) -> ProvisionalResult:
    """Return the new rating of an unrated or provisional player of 1995.

    R_post = (N R_pre + m R_avg + 400 (W - L)) / (N + m), for N <= 20

    There is no K in this formula, so the scholastic measure does not change it. A rating converted from FIDE or CFC
    counts as one on 10 games (``CONVERTED_GAMES``) and is updated like that.

    Source: A01, special rating formula ("the old provisional rating formula"); R95, motion 2 and section 1, second
    example, for converted ratings; inferred, docs/rules/readings.md#the-edition-of-1995.

    >>> rate_provisional(1400, 20, [Game(1500, 0.5)]).rounded
    1405
    """
    return rate_by_provisional_formula(
        rating_before, games_before, games, most_games_before=PROVISIONAL_MOST_GAMES
    )


def peak_floor(highest: float, *, prison: bool = False) -> int:
    """Return the rating floor of 1995: highest - 100, taken down to a multiple of 100.

    With a *prison* membership, where motion 6 is in force, it is highest - 300. Neither is ever below 100 (inferred:
    the report names no lowest level, and no highest one).

    Source: R95, motion 6.

    >>> peak_floor(1750), peak_floor(1750, prison=True)
    (1600, 1400)
    """
    arithmetic.require_rating(highest, "highest rating")
    allowance = _PRISON_FLOOR_ALLOWANCE if prison else _FLOOR_ALLOWANCE
    return max(ABSOLUTE_FLOOR, math.floor((highest - allowance) / _FLOOR_STEP) * _FLOOR_STEP)

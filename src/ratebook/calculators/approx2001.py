"""The approximating formulas of February 2001 (A01), for a player who computes a rating by hand.

The page calls itself a rough guide: "on occasion, the formulas presented below produce ratings considerably different
from ratings calculated under the actual algorithm". So this module rates no events: it has no unrated opponents, no
second pass, no correction of a rating that falls by a win, no matches and no later rules (``ratebook.rating``).

Ratings are in points. *rating_before* is R_pre (None: unrated) and *games_before* N, the games that it is based on (a
half-K event counts half its games); *games* are those of the event. What a formula is not defined for raises
``ValueError``: no game, a number that is not finite, one opponent with two ratings.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ratebook.calculators import arithmetic
from ratebook.calculators.arithmetic import Game
from ratebook.calculators.provisional import ABSOLUTE_FLOOR, ProvisionalResult, rate_by_provisional_formula

SPECIAL_MOST_GAMES = 8
"""The special formula serves ratings based on this many games or fewer."""

ESTABLISHED_MORE_THAN = 25
"""A rating is established once it is based on more games than this."""

BONUS_MULTIPLIERS = (10, 16)
"""10 is the page's value; 16 was announced for January 2003 and never took effect."""

_MOST_GAMES_COUNTED = 50.0
_FULL_EFFECTIVE_RATING = 2200.0
_EFFECTIVE_SPREAD = 100_000.0
_FULL_K_NUMERATOR = 800.0
_HALF_K_NUMERATOR = 400.0
_BONUS_LEAST_OPPONENTS = 3
_BONUS_MOST_MEETINGS = 2
_BONUS_LEAST_GAMES = 4
_PEAK_ALLOWANCE = 200.0
_LOWEST_PEAK_FLOOR = 1400
_HIGHEST_PEAK_FLOOR = 2100
_FLOOR_STEP = 100


class EffectiveGames(NamedTuple):
    """The "effective" number of games that a rating is based on.

    Attributes:
        counted: N, the games before the event, at most 50.
        by_rating: N_r, the number that the rating alone allows.
        effective: N_e, the smaller of the two.
    """

    counted: float
    by_rating: float
    effective: float


class StandardResult(NamedTuple):
    """What the standard formula makes of an event of m games, with every intermediate value.

    A bonus is paid where ``change_without_bonus``, K(S - E), exceeds ``bonus_threshold``, multiplier * sqrt(m').
    ``rating_after`` is ``rounded``, but at least 100. The formula does not use ``average_opponent``.
    """

    rating_before: float
    games_before: float
    effective_games: EffectiveGames
    games: int
    average_opponent: float
    score: float
    k_factor: float
    expectancies: tuple[float, ...]
    expected_score: float
    change_without_bonus: float
    bonus_eligible: bool
    bonus_threshold: float
    bonus: float
    unrounded: float
    rounded: int
    rating_after: int


class PeakFloor(NamedTuple):
    """The floor that a player's highest established rating gives; ``reduced`` is 200 points less than that rating."""

    highest: float
    reduced: float
    floor: int


def uses_special_formula(games_before: float) -> bool:
    """Return whether N <= 8, so that the special formula updates the rating; an unrated player has N = 0.

    Source: A01, provisional and established ratings.

    >>> uses_special_formula(8), uses_special_formula(9)
    (True, False)
    """
    arithmetic.require_not_negative(games_before, "number of games before the event")
    return games_before <= SPECIAL_MOST_GAMES


def is_established(games_before: float) -> bool:
    """Return whether N > 25, which makes a rating established; otherwise it is provisional.

    Source: A01, provisional and established ratings.

    >>> is_established(25), is_established(26)
    (False, True)
    """
    arithmetic.require_not_negative(games_before, "number of games before the event")
    return games_before > ESTABLISHED_MORE_THAN


def rate_special(
    rating_before: float | None, games_before: float, games: Sequence[Game]
) -> ProvisionalResult:
    """Return the new rating of a player with 8 games or fewer, or none.

    R_post = (N R_pre + m R_avg + 400 (W - L)) / (N + m), rounded to the nearest integer

    The page warns that a rating can rise by losing to a high rated player and fall by beating a low rated one.

    Source: A01, special rating formula.

    >>> result = rate_special(1500, 6, [Game(1400, 1), Game(1550, 0), Game(1650, 0.5)])
    >>> round(result.unrounded, 3), result.rounded
    (1511.111, 1511)
    """
    _require_valid(games)
    return rate_by_provisional_formula(
        rating_before, games_before, games, most_games_before=SPECIAL_MOST_GAMES
    )


def effective_games(rating: float, games_before: float) -> EffectiveGames:
    """Return N_e, the "effective" number of games that a rating is based on, and what it comes from.

    N_r = 50 / sqrt(1 + (2200 - R) ** 2 / 100000) below 2200, else 50; N_e = min(N, N_r) with N at most 50

    Source: A01, standard rating formula.

    >>> round(effective_games(1700, 30).effective, 1)
    26.7
    """
    arithmetic.require_rating(rating, "rating before the event")
    arithmetic.require_not_negative(games_before, "number of games before the event")
    by_rating = _MOST_GAMES_COUNTED
    if rating < _FULL_EFFECTIVE_RATING:
        missing = _FULL_EFFECTIVE_RATING - rating
        by_rating = _MOST_GAMES_COUNTED / math.sqrt(1.0 + missing * missing / _EFFECTIVE_SPREAD)
    counted = min(games_before, _MOST_GAMES_COUNTED)
    return EffectiveGames(counted, by_rating, min(counted, by_rating))


def k_factor(effective: float, games: int, *, half_k: bool = False) -> float:
    """Return K, which governs how far one event moves a rating.

    K = 800 / (N_e + m), or for a half-K event K = 400 / (N_e + m / 2)

    Source: A01, standard rating formula.

    >>> k_factor(20, 4), k_factor(6, 4, half_k=True)
    (33.333333333333336, 50.0)
    """
    arithmetic.require_not_negative(effective, "effective number of games")
    if games < 1:
        raise ValueError("there must be at least one game")
    if half_k:
        return _HALF_K_NUMERATOR / (effective + games / 2.0)
    return _FULL_K_NUMERATOR / (effective + games)


def is_bonus_eligible(games: Sequence[Game]) -> bool:
    """Return whether an event of these games can earn a bonus.

    At least three distinct opponents, no one met more than twice; an opponent without a name was met once.

    Source: A01, standard rating formula. The specifications say it differently (docs/rules/readings.md#2-dated-values).

    >>> is_bonus_eligible([Game(1500, 1, "ann"), Game(1500, 1, "ann"), Game(1600, 1, "ben")])
    False
    """
    meetings = Counter(game.opponent for game in games if game.opponent is not None)
    distinct = len(meetings) + sum(game.opponent is None for game in games)
    return distinct >= _BONUS_LEAST_OPPONENTS and max(meetings.values(), default=0) <= _BONUS_MOST_MEETINGS


def bonus_threshold(games: int, *, multiplier: Literal[10, 16] = 10) -> float:
    """Return what K(S - E) must exceed before a bonus is paid: multiplier * sqrt(m') with m' = max(m, 4).

    Source: A01, standard rating formula.

    >>> bonus_threshold(3), bonus_threshold(4), bonus_threshold(4, multiplier=16)
    (20.0, 20.0, 32.0)
    """
    if games < 1:
        raise ValueError("there must be at least one game")
    if multiplier not in BONUS_MULTIPLIERS:
        raise ValueError(f"the bonus multiplier is 10 or 16, not {multiplier}")
    return multiplier * math.sqrt(max(games, _BONUS_LEAST_GAMES))


def rate_standard(
    rating_before: float,
    games_before: float,
    games: Sequence[Game],
    *,
    half_k: bool = False,
    bonus_multiplier: Literal[10, 16] = 10,
) -> StandardResult:
    """Return the new rating of a player with more than 8 games.

    R_post = R_pre + K(S - E) + B, with B = max(0, K(S - E) - multiplier * sqrt(m')) if eligible, else 0

    The result is rounded away from R_pre: the page's own example prints 1447 for 1446.22, although a sentence before it
    says that the value is rounded to the nearest integer.

    Source: A01, standard rating formula.

    >>> games = [Game(1250, 1), Game(1400, 1), Game(1500, 1), Game(1550, 0.5)]
    >>> result = rate_standard(1300, 45, games)
    >>> round(result.unrounded, 3), result.rounded
    (1446.158, 1447)
    """
    _require_valid(games)
    if uses_special_formula(games_before):
        raise ValueError(
            f"a rating of {games_before:g} games needs the special formula; "
            f"the standard formula is for more than {SPECIAL_MOST_GAMES} games"
        )
    base = effective_games(rating_before, games_before)
    count = len(games)
    factor = k_factor(base.effective, count, half_k=half_k)
    score = math.fsum(game.score for game in games)
    expectancies = tuple(arithmetic.winning_expectancy(rating_before, game.opponent_rating) for game in games)
    expected = math.fsum(expectancies)
    change = factor * (score - expected)
    threshold = bonus_threshold(count, multiplier=bonus_multiplier)
    eligible = is_bonus_eligible(games)
    bonus = max(0.0, change - threshold) if eligible else 0.0
    unrounded = rating_before + change + bonus
    rounded = arithmetic.round_away(unrounded, rating_before)
    return StandardResult(
        rating_before=rating_before,
        games_before=games_before,
        effective_games=base,
        games=count,
        average_opponent=math.fsum(game.opponent_rating for game in games) / count,
        score=score,
        k_factor=factor,
        expectancies=expectancies,
        expected_score=expected,
        change_without_bonus=change,
        bonus_eligible=eligible,
        bonus_threshold=threshold,
        bonus=bonus,
        unrounded=unrounded,
        rounded=rounded,
        rating_after=max(rounded, ABSOLUTE_FLOOR),
    )


def peak_floor(highest: float) -> PeakFloor:
    """Return the floor that a highest established rating gives.

    highest - 200, taken down to 1400, 1500 ... 2100; below 1400 the floor is 100. A level that is met exactly
    counts (1600 gives 1400); the page does not round the highest rating first.

    Source: A01, rating floors.

    >>> peak_floor(1941).floor, peak_floor(1588).floor, peak_floor(1600).floor
    (1700, 100, 1400)
    """
    arithmetic.require_rating(highest, "highest rating")
    reduced = highest - _PEAK_ALLOWANCE
    level = math.floor(reduced / _FLOOR_STEP) * _FLOOR_STEP
    floor = ABSOLUTE_FLOOR if level < _LOWEST_PEAK_FLOOR else min(level, _HIGHEST_PEAK_FLOOR)
    return PeakFloor(highest, reduced, floor)


def performance_rating(opponents: Sequence[float], scores: Sequence[float]) -> float:
    """Return the rating that an event alone would give.

    R_avg + 400 (W - L) / m, which is the special formula with N = 0

    Source: A01, special rating formula.

    >>> performance_rating([1400, 1550, 1650], [1, 1, 0.5])
    1800.0
    """
    if len(opponents) != len(scores):
        raise ValueError(f"there are {len(opponents)} opponents but {len(scores)} scores")
    games = [Game(opponent, score) for opponent, score in zip(opponents, scores, strict=True)]
    return rate_by_provisional_formula(None, 0, games, most_games_before=0).unrounded


def _require_valid(games: Sequence[Game]) -> None:
    arithmetic.require_games(games)
    contradicted = arithmetic.contradicted_rating(games)
    if contradicted is not None:
        opponent, first, second = contradicted
        raise ValueError(f"opponent {opponent!r} is given two ratings in one event: {first} and {second}")

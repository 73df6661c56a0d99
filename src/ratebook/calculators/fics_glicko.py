"""The Glicko system as the Free Internet Chess Server used it in 1995 (R95, appendix B).

Each game is rated by itself. The server also rounded each change and, from 1997, kept K at 16 or more and let the
deviation grow more slowly; none of that is done here, nor are rating periods of several games (Glicko's own paper) or
volatility (Glicko-2). It is not a US Chess system.

Ratings and deviations (RD) are in points. A rating or a deviation that is not finite, a negative deviation and a score
that is not 0, 0.5 or 1 raise ``ValueError``.
"""

import math
from typing import Any, NamedTuple

from ratebook.calculators import arithmetic

LARGEST_DEVIATION = 350.0
"""The deviation of a player without games; time takes no deviation beyond it (the server's program)."""

FICS_GROWTH = 1.483 * 1.483
"""The server's c, in points squared, with time in minutes (the server's program; R95 prints no value)."""

Q = math.log(10.0) / arithmetic.LOGISTIC_SCALE
"""q = ln 10 / 400."""

P = (
    3.0
    * math.log(10.0)
    * math.log(10.0)
    / (arithmetic.LOGISTIC_SCALE * math.pi * arithmetic.LOGISTIC_SCALE * math.pi)
)
"""p = 3 (ln 10)^2 / (400 pi)^2."""

_INTERVAL_PROBABILITIES = (0.67, 0.95, 0.997)


class FicsRating(NamedTuple):
    """A rating and how far it can be trusted; the defaults are a new player of the server, without games."""

    rating: float = 1720.0
    deviation: float = LARGEST_DEVIATION


class Interval(NamedTuple):
    """A range, so many *deviations* to either side, that holds the true rating with about this *probability*."""

    deviations: int
    low: float
    high: float
    probability: float


class RatedGame(NamedTuple):
    """What one game makes of one player: f(RD of the opponent), E, K and K(score - E); both as before the game."""

    before: FicsRating
    opponent: FicsRating
    score: float
    attenuation: float
    expected_score: float
    k_factor: float
    change: float
    after: FicsRating


def deviation_after_time(deviation: float, elapsed: float, *, growth: float = FICS_GROWTH) -> float:
    """Return the deviation of a player who has not played for a time.

    RD' = sqrt(RD ** 2 + c ln(1 + t)), at most 350

    RD is the deviation after the player's latest game, *elapsed* the time t since then (in minutes for the default of
    *growth*), and *growth* c in points squared.

    Source: R95, appendix B, Step 1; the limit of 350 and the default of c are the server's own
    (docs/rules/readings.md#glicko-as-on-fics).

    >>> deviation_after_time(60, 0)
    60.0
    >>> deviation_after_time(349.999, 1_000_000)
    350.0
    """
    _require_deviation(deviation)
    arithmetic.require_not_negative(elapsed, "elapsed time")
    arithmetic.require_not_negative(growth, "growth constant c")
    grown = math.sqrt(deviation * deviation + growth * math.log1p(elapsed))
    return min(grown, LARGEST_DEVIATION)


def attenuation(deviation: float) -> float:
    """Return how much of a rating difference an uncertain rating leaves.

    f(RD) = 1 / sqrt(1 + p RD ** 2), p = 3 (ln 10) ** 2 / (400 pi) ** 2

    Source: R95, appendix B, Step 2.

    >>> attenuation(0), round(attenuation(30), 6)
    (1.0, 0.995498)
    """
    _require_deviation(deviation)
    return float(attenuated(deviation * deviation))


def attenuated(variance: Any) -> Any:  # noqa: ANN401 - a number or an array
    """Return `attenuation` from RD ** 2, points squared, of one player or of a column of players.

    Source: R95, appendix B, Step 2.
    """
    return 1.0 / (1.0 + P * variance) ** 0.5


def information(factor: Any, expected: Any) -> Any:  # noqa: ANN401 - a number or an array
    """Return how much a game says about a rating, 1 / points squared: q ** 2 f ** 2 E (1 - E).

    Source: R95, appendix B, Steps 4 and 6.
    """
    return Q * Q * factor * factor * expected * (1.0 - expected)


def shrinkage(variance: Any, gained: Any) -> Any:  # noqa: ANN401 - a number or an array
    """Return by what RD ** 2 is divided after games from which so much `information` is *gained*: 1 + RD ** 2 times it.

    A deviation of 0 needs no division by zero. Source: R95, appendix B, Steps 4 and 6, fractions expanded by RD ** 2.
    """
    return 1.0 + variance * gained


def expected_score(own_rating: float, opponent: FicsRating) -> float:
    """Return the winning expectancy, allowing for the uncertainty of the opponent's rating.

    E = 1 / (1 + 10 ** (-(r1 - r2) f(RD of the opponent) / 400))

    Source: R95, appendix B, Step 3.

    >>> round(expected_score(1500, FicsRating(1400, 30)), 6)
    0.639468
    """
    arithmetic.require_rating(own_rating, "own rating")
    arithmetic.require_rating(opponent.rating, "opponent rating")
    return arithmetic.logistic((own_rating - opponent.rating) * attenuation(opponent.deviation))


def rate_game(player: FicsRating, opponent: FicsRating, score: float) -> RatedGame:
    """Return what one game makes of *player*.

    K = q f / (1 / RD ** 2 + q ** 2 f ** 2 E (1 - E)), q = ln 10 / 400
    rating' = rating + K (score - E)
    RD' = 1 / sqrt(1 / RD ** 2 + q ** 2 f ** 2 E (1 - E))

    Source: R95, appendix B, Steps 2 to 6.

    >>> after = rate_game(FicsRating(), FicsRating(), 1).after
    >>> round(after.rating, 4), round(after.deviation, 4)
    (1882.212, 290.2305)
    """
    arithmetic.require_score(score)
    _require_deviation(player.deviation)
    factor = attenuation(opponent.deviation)
    expected = expected_score(player.rating, opponent)
    variance = player.deviation * player.deviation
    divisor = shrinkage(variance, information(factor, expected))
    k_factor = Q * factor * variance / divisor
    change = k_factor * (score - expected)
    after = FicsRating(player.rating + change, player.deviation / math.sqrt(divisor))
    return RatedGame(
        before=player,
        opponent=opponent,
        score=score,
        attenuation=factor,
        expected_score=expected,
        k_factor=k_factor,
        change=change,
        after=after,
    )


def rate_both(first: FicsRating, second: FicsRating, first_score: float) -> tuple[RatedGame, RatedGame]:
    """Return what one game makes of both players, each from the other's values before it.

    Source: R95, appendix B ("The same steps are done for your opponent").

    >>> uncertain, precise = rate_both(FicsRating(1700, 200), FicsRating(1700, 40), 1)
    >>> uncertain.change > 80 and -4 < precise.change < 0
    True
    """
    return rate_game(first, second, first_score), rate_game(second, first, 1.0 - first_score)


def intervals(player: FicsRating) -> tuple[Interval, ...]:
    """Return the ranges of 1, 2 and 3 deviations around a rating.

    rating - n RD to rating + n RD, which hold the true rating with probability of about 0.67, 0.95 and 0.997

    Source: R95, appendix B, mathematical interpretation of RD.

    >>> intervals(FicsRating(1500.0, 50.0))[1]
    Interval(deviations=2, low=1400.0, high=1600.0, probability=0.95)
    """
    arithmetic.require_rating(player.rating, "rating")
    _require_deviation(player.deviation)
    return tuple(
        Interval(
            width,
            player.rating - width * player.deviation,
            player.rating + width * player.deviation,
            probability,
        )
        for width, probability in enumerate(_INTERVAL_PROBABILITIES, start=1)
    )


def probability_stronger(first: FicsRating, second: FicsRating) -> float:
    """Return the probability that the first player's true rating exceeds the second's.

    1 / (1 + 10 ** (-(r1 - r2) f(sqrt(s1 ** 2 + s2 ** 2)) / 400))

    Source: R95, appendix B, a further use of RD's.

    >>> probability_stronger(FicsRating(1700, 50), FicsRating(1700, 200))
    0.5
    """
    for player in (first, second):
        arithmetic.require_rating(player.rating, "rating")
        _require_deviation(player.deviation)
    joint = math.hypot(first.deviation, second.deviation)
    return arithmetic.logistic((first.rating - second.rating) * attenuation(joint))


def _require_deviation(deviation: float) -> None:
    arithmetic.require_not_negative(deviation, "rating deviation")
    arithmetic.require_rating(deviation, "rating deviation")

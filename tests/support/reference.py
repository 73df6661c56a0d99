"""The rating algorithm a second time, written from the documents for the tests alone.

Nothing here comes from ``ratebook``: fractions instead of floats where a root is sought, dictionaries instead of
columns, dates written out. It is slow and plain on purpose. Where the documents leave a choice,
docs/rules/readings.md#1-the-algorithm decides.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

REACH = 400
MIXED, WINS, LOSSES = "mixed", "wins", "losses"


class Player(NamedTuple):
    """A player before the section: R0 and N, a rating of his own or one from Step 1, and his games.

    Attributes:
        rating: pre-event or Step 1 rating.
        games: N.
        unrated: whether the rating comes from Step 1.
        record: what all earlier rated games were.
        played: opponent's index and score of each rated game.
    """

    rating: float
    games: float
    played: tuple[tuple[int, float], ...]
    unrated: bool = False
    record: str = MIXED


class Edition(NamedTuple):
    """What differs between the editions, as the documents print it."""

    bonus: float
    new_effective_games: bool


class Steps(NamedTuple):
    """Each player's rating after the steps; Step 3 is None where it does not concern the player."""

    step3: list[float | None]
    step4: list[float]
    step5: list[float]


def expectancy_of_special(rating: Fraction, opponent: Fraction) -> Fraction:
    """PWe of D25 section 4.1, exactly."""
    if rating <= opponent - REACH:
        return Fraction(0)
    if rating >= opponent + REACH:
        return Fraction(1)
    return Fraction(1, 2) + (rating - opponent) / (2 * REACH)


def zero_interval(
    opponents: Sequence[float], own_centre: float, own_weight: float, target: Fraction
) -> tuple[Fraction | None, Fraction | None]:
    """Return the interval on which f is zero; None for an end that is not there.

    f never falls and is straight between knots: the first knot with f >= 0 and the last with f <= 0 are found by
    bisection over the knots, the ends by straight lines, all in exact fractions.
    """
    ramps = {Fraction(opponent): Fraction(count) for opponent, count in Counter(opponents).items()}
    if own_weight > 0:
        own = Fraction(own_centre)
        ramps[own] = ramps.get(own, Fraction(0)) + Fraction(own_weight)
    knots = sorted({centre + side for centre in ramps for side in (-REACH, REACH)})

    def f(rating: Fraction) -> Fraction:
        total = sum(
            (weight * expectancy_of_special(rating, centre) for centre, weight in ramps.items()), Fraction(0)
        )
        return total - target

    def crossing(left: Fraction, right: Fraction) -> Fraction:
        return left - f(left) * (right - left) / (f(right) - f(left))

    below, above = -1, len(knots)
    while above - below > 1:
        middle = (below + above) // 2
        if f(knots[middle]) >= 0:
            above = middle
        else:
            below = middle
    first = above
    below, above = -1, len(knots)
    while above - below > 1:
        middle = (below + above) // 2
        if f(knots[middle]) <= 0:
            below = middle
        else:
            above = middle
    last = below
    low = None if first == 0 else crossing(knots[first - 1], knots[first])
    high = None if last == len(knots) - 1 else crossing(knots[last], knots[last + 1])
    return low, high


def special(  # noqa: PLR0913 - the quantities of the formula
    rating: float,
    prior_games: float,
    record: str,
    opponents: Sequence[float],
    score: float,
    *,
    cap: float = 2700.0,
) -> float:
    """The special rating: the root of f nearest to R0 (docs/rules/readings.md#a1), at most 2700."""
    own_centre = Fraction(rating)
    target = Fraction(score)
    if record == WINS:
        own_centre -= REACH
        target += Fraction(prior_games)
    elif record == LOSSES:
        own_centre += REACH
    else:
        target += Fraction(prior_games) / 2
    low, high = zero_interval(opponents, float(own_centre), prior_games, target)
    root = Fraction(rating)
    if low is not None and root < low:
        root = low
    if high is not None and root > high:
        root = high
    return min(float(root), cap)


def special_by_iteration(  # noqa: PLR0913 - the quantities of the formula
    rating: float,
    prior_games: float,
    record: str,
    opponents: Sequence[float],
    score: float,
    *,
    start_closed_form: bool,
) -> float:
    """The special rating by the iteration that D25 section 4.1 prints, word for word.

    M starts at R0' ("the actual implemented program") or at the closed form of item 1. Item 4 counts |M - Ri| <= 400
    with a tolerance, as docs/rules/readings.md#a2 asks.
    """
    epsilon = 1e-7
    own = rating - 400 if record == WINS else rating + 400 if record == LOSSES else rating
    target = score + (prior_games if record == WINS else 0.0 if record == LOSSES else prior_games / 2)
    centres = [*opponents, own]
    knots = sorted({centre + side for centre in centres for side in (-400.0, 400.0)})

    def expectancy(m: float, centre: float) -> float:
        return 0.0 if m <= centre - 400 else 1.0 if m >= centre + 400 else 0.5 + (m - centre) / 800

    def f(m: float) -> float:
        return prior_games * expectancy(m, own) + sum(expectancy(m, centre) for centre in opponents) - target

    m = own
    if start_closed_form:
        count = len(opponents)
        m = (prior_games * own + sum(opponents) + 400 * (2 * score - count)) / (prior_games + count)
    for _ in range(10_000):
        if f(m) > epsilon:
            knot = max(z for z in knots if z < m)
            better = knot if abs(f(m) - f(knot)) < epsilon else m - f(m) * (m - knot) / (f(m) - f(knot))
            m = max(better, knot)
        elif f(m) < -epsilon:
            knot = min(z for z in knots if z > m)
            better = knot if abs(f(knot) - f(m)) < epsilon else m - f(m) * (knot - m) / (f(knot) - f(m))
            m = min(better, knot)
        else:
            break
    else:
        raise AssertionError("the documented iteration did not end")
    if not any(abs(m - centre) <= 400 + 1e-6 for centre in centres):
        left = max((z for z in knots if z < m), default=-math.inf)
        right = min((z for z in knots if z > m), default=math.inf)
        m = min(max(rating, left), right)
    return min(m, 2700.0)


def effective_games(rating: float, games: float, edition: Edition) -> float:
    """N' of D25 section 3, or of the page of 2001."""
    if edition.new_effective_games:
        most = 50.0 if rating > 2355 else 50 / math.sqrt(0.662 + 0.00000739 * (2569 - rating) ** 2)
    else:
        most = 50.0 if rating >= 2200 else 50 / math.sqrt(1 + (2200 - rating) ** 2 / 100000)
    return min(games, most)


def earns_bonus(opponents: Sequence[int]) -> bool:
    """Whether m games against these opponents may earn a bonus."""
    meetings = max(Counter(opponents).values())
    if len(opponents) < 3:
        return False
    if len(opponents) == 3:
        return meetings == 1
    return meetings <= 2


def standard(  # noqa: PLR0913 - the quantities of the formula
    player: Player, faced: Sequence[float], edition: Edition, *, half_k: bool, reduced_k: bool, match: bool
) -> float:
    """The standard rating of D25 section 4.2 against opponents rated *faced*."""
    m = len(player.played)
    score = sum(result for _, result in player.played)
    expected = sum(1 / (1 + 10 ** ((other - player.rating) / 400)) for other in faced)
    prior = effective_games(player.rating, player.games, edition)
    if half_k:
        k = 400 / (prior + m / 2)
    elif reduced_k and player.rating >= 2500:
        k = 200 / (prior + m)
    elif reduced_k and player.rating > 2200:
        k = 800 * (6.5 - 0.0025 * player.rating) / (prior + m)
    else:
        k = 800 / (prior + m)
    change = k * (score - expected)
    bonus = 0.0
    if not match and earns_bonus([opponent for opponent, _ in player.played]):
        bonus = max(0.0, change - edition.bonus * math.sqrt(max(m, 4)))
    return player.rating + change + bonus


def five_steps(
    players: Sequence[Player],
    edition: Edition,
    *,
    half_k: bool = False,
    reduced_k: bool = False,
    match: bool = False,
) -> Steps:
    """Steps 2 to 5 of D25 section 1 for players whose Step 1 is done."""

    def rated_special(player: Player, prior: float, ratings: Sequence[float]) -> float:
        faced = [ratings[opponent] for opponent, _ in player.played]
        score = sum(result for _, result in player.played)
        return max(100.0, special(player.rating, prior, player.record, faced, score))

    before = [player.rating for player in players]
    step3 = [
        rated_special(player, 1.0, before) if player.unrated and player.games == 0 and player.played else None
        for player in players
    ]

    def repeat(ratings: Sequence[float]) -> list[float]:
        results = []
        for player in players:
            if not player.played:
                results.append(player.rating)
            elif player.games <= 8 or player.record != MIXED:
                results.append(
                    rated_special(player, effective_games(player.rating, player.games, edition), ratings)
                )
            else:
                faced = [ratings[opponent] for opponent, _ in player.played]
                rating = standard(player, faced, edition, half_k=half_k, reduced_k=reduced_k, match=match)
                results.append(max(100.0, rating))
        return results

    step4 = repeat(
        [first if first is not None else rating for first, rating in zip(step3, before, strict=True)]
    )
    return Steps(step3, step4, repeat(step4))

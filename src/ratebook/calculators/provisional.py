"""The old provisional formula, which 1995 used for its provisional ratings and 2001 approximates its own by.

What it does not do: it is not the special formula of the specifications, which never lets a rating fall by
a win or rise by a loss, and it does not decide who is provisional; ``r1995`` and ``approx2001`` do.
What it is not defined for is a ``ValueError``.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ratebook.calculators.rounding import round_to_nearest
from ratebook.calculators.validation import require_games, require_not_negative, require_rating, require_score

ABSOLUTE_FLOOR = 100
"""No rating can drop below it (A01, rating floors; inferred for 1995)."""

_WIN_VALUE = 400.0


class ProvisionalResult(NamedTuple):
    """What the old provisional formula makes of an event, with every intermediate value.

    Attributes:
        rating_before: R_pre in points; 0 for an unrated player.
        games_before: N, the games that rating is based on.
        games: m, the games of the event.
        average_opponent: R_avg in points.
        rounded: the new rating, rounded to the nearest integer.
        rating_after: the same, but never below 100.
    """

    rating_before: float
    games_before: float
    games: int
    average_opponent: float
    wins: int
    losses: int
    unrounded: float
    rounded: int
    rating_after: int


def rate_by_provisional_formula(
    rating_before: float | None,
    games_before: float,
    opponents: Sequence[float],
    scores: Sequence[float],
    *,
    most_games_before: float,
) -> ProvisionalResult:
    """Return the new rating of a player with few games, or none.

    R_post = (N R_pre + m R_avg + 400 (W - L)) / (N + m), rounded to the nearest integer

    Args:
        rating_before: R_pre in points; None for an unrated player.
        games_before: N; 0 for an unrated player.
        opponents: the opponents' ratings in points, one for each game of the event.
        scores: the score of each game: 1 for a win, 0.5 for a draw, 0 for a loss.
        most_games_before: the largest N the formula was for: 8 in 2001, 20 before.

    Source: A01, special rating formula ("the old provisional rating formula").

    >>> rate_by_provisional_formula(1400, 20, [1500], [0.5], most_games_before=20).rounded
    1405
    """
    require_not_negative(games_before, "number of games before the event")
    if games_before > most_games_before:
        raise ValueError(
            f"the formula is for ratings of at most {most_games_before:g} games, not {games_before:g}"
        )
    if rating_before is None and games_before > 0:
        raise ValueError(f"a rating that is based on {games_before:g} games must be given")
    # With N = 0 the term N R_pre vanishes, whatever rating is given: "set N = 0 and R_pre = 0".
    own = 0.0 if rating_before is None or games_before == 0 else rating_before
    require_rating(own, "rating before the event")
    require_games(opponents)
    if len(opponents) != len(scores):
        raise ValueError(f"there are {len(opponents)} opponents but {len(scores)} scores")
    for opponent in opponents:
        require_rating(opponent, "opponent rating")
    for score in scores:
        require_score(score)
    count = len(opponents)
    average = math.fsum(opponents) / count
    wins = sum(score == 1.0 for score in scores)
    losses = sum(score == 0.0 for score in scores)
    total = games_before * own + count * average + _WIN_VALUE * (wins - losses)
    unrounded = total / (games_before + count)
    rounded = round_to_nearest(unrounded)
    return ProvisionalResult(
        rating_before=own,
        games_before=games_before,
        games=count,
        average_opponent=average,
        wins=wins,
        losses=losses,
        unrounded=unrounded,
        rounded=rounded,
        rating_after=max(rounded, ABSOLUTE_FLOOR),
    )

"""The old provisional formula, which 1995 used for its provisional ratings and 2001 for its approximation.

It is not the special formula of the specifications, by which no rating falls after a win or rises after a loss, and
it does not decide who is provisional; ``r1995`` and ``approx2001`` do.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ratebook.calculators import arithmetic
from ratebook.calculators.arithmetic import Game

ABSOLUTE_FLOOR = 100
"""No rating can drop below it (A01, rating floors; inferred for 1995)."""

_WIN_VALUE = 400.0


class ProvisionalResult(NamedTuple):
    """What the old provisional formula makes of an event of m games, with every intermediate value.

    An unrated player has 0 as ``rating_before``. ``rating_after`` is ``rounded``, but at least 100.
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
    rating_before: float | None, games_before: float, games: Sequence[Game], *, most_games_before: float
) -> ProvisionalResult:
    """Return the new rating of a player with few games, or none.

    R_post = (N R_pre + m R_avg + 400 (W - L)) / (N + m), rounded to the nearest integer

    An unrated player has no R_pre and N = 0. The formula was for N up to *most_games_before*: 8 in 2001, 20 before.

    Source: A01, special rating formula ("the old provisional rating formula").

    >>> rate_by_provisional_formula(1400, 20, [Game(1500, 0.5)], most_games_before=20).rounded
    1405
    """
    arithmetic.require_not_negative(games_before, "number of games before the event")
    if games_before > most_games_before:
        raise ValueError(
            f"the formula is for ratings of at most {most_games_before:g} games, not {games_before:g}"
        )
    if rating_before is None and games_before > 0:
        raise ValueError(f"a rating that is based on {games_before:g} games must be given")
    # With N = 0 the term N R_pre vanishes, whatever rating is given: "set N = 0 and R_pre = 0".
    own = 0.0 if rating_before is None or games_before == 0 else rating_before
    arithmetic.require_rating(own, "rating before the event")
    arithmetic.require_games(games)
    count = len(games)
    average = math.fsum(game.opponent_rating for game in games) / count
    wins = sum(game.score == 1.0 for game in games)
    losses = sum(game.score == 0.0 for game in games)
    total = games_before * own + count * average + _WIN_VALUE * (wins - losses)
    unrounded = total / (games_before + count)
    rounded = arithmetic.round_to_nearest(unrounded)
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

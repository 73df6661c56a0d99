"""What the editions of 1995 and 2001 share: one game, values that no formula takes, winning expectancy and rounding.

A refusal is a ``ValueError`` that names the argument. Whether a rating is plausible for a person is not judged. The
expectancy takes ratings as certain (``fics_glicko`` does not), and no edition of the rules uses bankers' rounding.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

LARGEST_RATING = 100_000.0
"""A rating farther from zero is a slip of the keyboard; up to here no formula overflows."""

UNRATED = math.nan
"""The rating of an opponent who has none."""

_SCORES = (0.0, 0.5, 1.0)

LOGISTIC_SCALE = 400.0
"""Points of difference that make the odds ten to one."""

INTEGER_TOLERANCE = 1e-6
"""A value this close to an integer is that integer before it is rounded away."""


class Game(NamedTuple):
    """One game of a player.

    Attributes:
        opponent_rating: the rating before the event; NaN for an opponent who has none (`is_newcomer`).
        score: 1 for a win, 0.5 for a draw, 0 for a loss.
        opponent: who the opponent was, where meetings are counted; None is an opponent who was met only once.
        opponent_age: in years, for the scholastic measure of 1995, where None (unknown) counts as 12 or older, and for
            the first rating of an opponent who has none.
    """

    opponent_rating: float
    score: float
    opponent: str | None = None
    opponent_age: float | None = None

    @property
    def is_newcomer(self) -> bool:
        """Whether the opponent has no rating; only estimates by the rules of a day take such a game.

        >>> Game(UNRATED, 1.0, opponent_age=9).is_newcomer
        True
        """
        return math.isnan(self.opponent_rating)


def require_rating(value: float, name: str) -> None:
    """Refuse a rating that is not a finite number of a sane size.

    >>> require_rating(float("nan"), "opponent rating")
    Traceback (most recent call last):
    ...
    ValueError: opponent rating must be a finite number between -100000 and 100000, not nan
    """
    if not (math.isfinite(value) and abs(value) <= LARGEST_RATING):
        limit = int(LARGEST_RATING)
        raise ValueError(f"{name} must be a finite number between -{limit} and {limit}, not {value}")


def require_not_negative(value: float, name: str) -> None:
    """Refuse an amount that is negative, infinite or not a number."""
    if not (math.isfinite(value) and value >= 0.0):
        raise ValueError(f"{name} must be a finite number, 0 or more, not {value}")


def require_score(value: float) -> None:
    """Refuse a score that is not a loss, a draw or a win."""
    if value not in _SCORES:
        raise ValueError(f"a score is 0, 0.5 or 1, not {value}")


def require_games(games: Sequence[Game]) -> None:
    """Refuse an empty list of games, and games with impossible ratings or scores."""
    if not games:
        raise ValueError("there must be at least one game")
    for game in games:
        require_rating(game.opponent_rating, "opponent rating")
        require_score(game.score)


def contradicted_rating(games: Sequence[Game]) -> tuple[str, float, float] | None:
    """Return the first opponent with two ratings, and both ratings: in one event each opponent has one rating."""
    known: dict[str, float] = {}
    for game in games:
        if game.opponent is not None:
            first = known.setdefault(game.opponent, game.opponent_rating)
            if first != game.opponent_rating and not (math.isnan(first) and game.is_newcomer):
                return game.opponent, first, game.opponent_rating
    return None


def logistic(difference: float) -> float:
    """Return the expectancy of a player whose rating is higher by *difference*.

    1 / (1 + 10 ** (-difference / 400)), written so that no difference overflows.

    Source: A01, standard rating formula; R95, appendix B, Step 3 (with the difference already attenuated).
    """
    if difference >= 0.0:
        against: float = 10.0 ** (-difference / LOGISTIC_SCALE)
        return 1.0 / (1.0 + against)
    odds: float = 10.0 ** (difference / LOGISTIC_SCALE)
    return odds / (1.0 + odds)


def winning_expectancy(own_rating: float, opponent_rating: float) -> float:
    """Return We, the score that a player should expect from one game (`logistic`).

    Source: A01, standard rating formula; used, but not printed, by the examples of R95, section 2.

    >>> round(winning_expectancy(1300, 1250), 3)
    0.571
    """
    require_rating(own_rating, "own rating")
    require_rating(opponent_rating, "opponent rating")
    return logistic(own_rating - opponent_rating)


def round_to_nearest(value: float) -> int:
    """Return the nearest integer; a half goes up: floor(value + 0.5).

    Source: A01, special rating formula (1511.111 becomes 1511); R95, section 2, whose four printed ratings it gives.

    >>> round_to_nearest(1511.111), round_to_nearest(1510.5)
    (1511, 1511)
    """
    return math.floor(value + 0.5)


def round_away(value: float, rating_before: float) -> int:
    """Return *value* rounded up if the rating rose and down if it fell, so that a gain is worth at least one point.

    Source: A01, standard rating formula ("rounded away from the pre-event rating"); docs/rules/readings.md#a14.

    >>> round_away(1446.158, 1300), round_away(1299.9, 1300), round_away(1446.0000001, 1300)
    (1447, 1299, 1446)
    """
    nearest = round_to_nearest(value)
    if abs(value - nearest) <= INTEGER_TOLERANCE or value == rating_before:
        return nearest
    return math.ceil(value) if value > rating_before else math.floor(value)

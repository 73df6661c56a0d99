"""One game as the calculators take it, and the refusal of values that no formula is defined for.

A refusal is a ``ValueError`` that names the argument. Whether a rating is plausible for a person is not judged.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

LARGEST_RATING = 100_000.0
"""A rating farther from zero is a slip of the keyboard; up to here no formula overflows."""

_SCORES = (0.0, 0.5, 1.0)


class Game(NamedTuple):
    """One game of a player.

    Attributes:
        score: 1 for a win, 0.5 for a draw, 0 for a loss.
        opponent: who the opponent was, where meetings are counted; None is an opponent who was met only once.
        opponent_age: in years, for the scholastic measure of 1995; None (unknown) counts as 12 or older.
    """

    opponent_rating: float
    score: float
    opponent: str | None = None
    opponent_age: float | None = None


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
            if first != game.opponent_rating:
                return game.opponent, first, game.opponent_rating
    return None

"""Refusal of arguments that no rating formula is defined for.

What it does not do: it does not judge whether a rating is plausible for a person, only whether arithmetic
on it means something. Every refusal is a ``ValueError`` whose message names the argument.
"""

import math
from collections.abc import Sized

LARGEST_RATING = 100_000.0
"""A rating further from zero is a slip of the keyboard; within it no formula overflows."""

_SCORES = (0.0, 0.5, 1.0)


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
    """Refuse an amount that is negative, infinite, not a number or absurdly large."""
    if not (math.isfinite(value) and value >= 0.0):
        raise ValueError(f"{name} must be a finite number, 0 or more, not {value}")


def require_score(value: float) -> None:
    """Refuse a score that is not a loss, a draw or a win."""
    if value not in _SCORES:
        raise ValueError(f"a score is 0, 0.5 or 1, not {value}")


def require_games(games: Sized) -> None:
    """Refuse an empty list of games."""
    if not len(games):
        raise ValueError("there must be at least one game")

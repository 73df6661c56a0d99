"""Ratings of a book as people write them."""

import math
from datetime import date

from ratebook.book.profile import Federation
from ratebook.model import System
from ratebook.pages.crosstable import rating_text

UNRATED = "unrated"
"""Shown for a player who had no rating before a section, or still has none after it."""


def current_text(federation: Federation, system: System, rating: float, games: float | None, on: date) -> str:
    """Return a rating as people write it, with its games while it is provisional."""
    established = federation.established(system, games, on)
    return rating_text(rating, math.inf if games is None else games, established=established)

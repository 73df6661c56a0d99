"""The yardstick: plain Elo, one pass a game, compiled with Numba over the same columns as the full rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from ratebook.replay.memory import SYSTEMS

if TYPE_CHECKING:
    from ratebook.replay.memory import Array, Chunk

START = 1300.0
"""Rating points with which everyone starts."""


@numba.njit(nogil=True)
def plain_elo(  # noqa: PLR0913, PLR0917 - the columns that the full rules have too
    first_entry: Array,
    member: Array,
    first_game: Array,
    opponent: Array,
    score: Array,
    systems: Array,
    rating: Array,
) -> int:
    """Rate every game by Elo with K = 32, once for each system that rates it; return how many that were."""
    games = 0
    for section in range(len(systems)):
        first = first_entry[section]
        for system in range(SYSTEMS):
            if not systems[section] & (1 << system):
                continue
            for entry in range(first, first_entry[section + 1]):
                if member[entry] < 0:
                    continue
                for game in range(first_game[entry], first_game[entry + 1]):
                    other = first + opponent[game]
                    if other > entry and member[other] >= 0:
                        own_place = member[entry] * SYSTEMS + system
                        other_place = member[other] * SYSTEMS + system
                        expected = 1.0 / (1.0 + 10.0 ** ((rating[other_place] - rating[own_place]) / 400.0))
                        change = 32.0 * (0.5 * score[game] - expected)
                        rating[own_place] += change
                        rating[other_place] -= change
                        games += 1
    return games


def rate_by_yardstick(chunk: Chunk, rating: Array) -> int:
    """Rate the games of *chunk* from the ratings in *rating*, one a key; return how many there were."""
    games: int = plain_elo(
        chunk.first_entry, chunk.member, chunk.first_game, chunk.opponent, chunk.score, chunk.systems, rating
    )
    return games


def start_ratings(members: int) -> Array:
    """Return what the yardstick begins with: float64, one a member and system."""
    return np.full(members * SYSTEMS, START)


def games_of(chunk: Chunk) -> dict[str, Any]:
    """Return the games that the yardstick rates, in its order, as other programs want them.

    Returns:
        ``pairs`` (int64, two a game: keys), ``scores`` (float64, of the first of the two) and ``section`` (int64).
    """
    section_of_entry = np.repeat(np.arange(len(chunk.kind)), np.diff(chunk.first_entry))
    entry = np.repeat(np.arange(len(chunk.member)), np.diff(chunk.first_game))
    section = section_of_entry[entry]
    other = chunk.first_entry[section] + chunk.opponent
    once = (other > entry) & (chunk.member[entry] >= 0)
    once[once] &= chunk.member[other[once]] >= 0
    entry, other, section = entry[once], other[once], section[once]
    score = 0.5 * chunk.score[once]
    parts = []
    for system in range(SYSTEMS):
        rated = np.flatnonzero((chunk.systems[section] >> system) & 1)
        one = chunk.member[entry[rated]].astype("i8") * SYSTEMS + system
        two = chunk.member[other[rated]].astype("i8") * SYSTEMS + system
        parts.append((np.stack([one, two], axis=1), score[rated], section[rated]))
    order = np.argsort(np.concatenate([part[2] for part in parts]), kind="stable")
    return {
        name: np.concatenate([part[place] for part in parts])[order]
        for place, name in enumerate(("pairs", "scores", "section"))
    }

"""Pairing the rounds of many sections side by side, and drawing their results."""

from typing import NamedTuple

import numpy as np

from ratebook.lab.worlds.attendance import Sections
from ratebook.lab.worlds.draws import Draws, expected
from ratebook.replay.memory import Array

NOBODY = -1
WIN, DRAW = 2, 1
QUAD = 4
QUAD_ROUNDS = ((0, 3, 1, 2), (0, 2, 3, 1), (0, 1, 2, 3))
"""Seats that meet, two and two, in the rounds of a quad."""
TRIES = 3
"""How often pairs that would meet again exchange opponents before they get a bye."""


class Played(NamedTuple):
    """The games of entries, by entry and round.

    Attributes:
        opponent: as an entry of the month, or ``NOBODY``.
        score: half points.
        colour: 1 white, -1 black, 0 no game.
    """

    opponent: Array
    score: Array
    colour: Array


class ResultOdds(NamedTuple):
    """How results come about.

    Attributes:
        share_drawn: of games between equals; otherwise twice that share of the weaker player's expected score.
        white: what White has more, rating points.
    """

    share_drawn: float
    white: float = 0.0


def play(sections: Sections, strength: Array, published: Array, how: ResultOdds, draws: Draws) -> Played:
    """Return the games of a month: quads all against all, the other sections by the Swiss system.

    Args:
        sections: with their entries.
        strength: true strengths of the entries, from which results are drawn.
        published: ratings of the entries, by which they are paired.
        how: results come about.
        draws: of the results.
    """
    count, most = len(sections.member), int(sections.rounds.max(initial=0))
    opponent = np.full((count, most), NOBODY, "i8")
    score, colour = np.zeros((count, most), "i8"), np.zeros((count, most), "i8")
    points = np.zeros(count, "i8")
    sizes = np.diff(sections.first)
    met = np.zeros(0, "i8")
    for number in range(most):
        goes_on = sections.rounds > number
        upper, lower = _swiss_pairs(sections, goes_on & (sizes != QUAD), points, published, met)
        quads = sections.first[:-1][goes_on & (sizes == QUAD)]
        if number < len(QUAD_ROUNDS):
            seats = QUAD_ROUNDS[number]
            upper = np.concatenate([upper, quads + seats[0], quads + seats[2]])
            lower = np.concatenate([lower, quads + seats[1], quads + seats[3]])
        opponent[upper, number], opponent[lower, number] = lower, upper
        white = _white(colour, upper, lower, number)
        results = _results(strength[upper] - strength[lower] + how.white * white, how.share_drawn, draws)
        colour[upper, number], colour[lower, number] = white, -white
        score[upper, number], score[lower, number] = results, WIN - results
        points[goes_on[sections.section] & (opponent[:, number] == NOBODY)] += WIN
        points[upper] += results
        points[lower] += WIN - results
        met = np.union1d(met, _keys(upper, lower, count))
    return Played(opponent, score, colour)


def _white(colour: Array, upper: Array, lower: Array, number: int) -> Array:
    """Return 1 where *upper* has white, else -1: who had white less often; among equals, by turns."""
    owed = colour[lower].sum(axis=1) - colour[upper].sum(axis=1)
    return np.where(owed == 0, np.where((upper + number) % 2 == 0, 1, -1), np.sign(owed))


def _results(difference: Array, share_drawn: float, draws: Draws) -> Array:
    """Return half points, so that the expectation is exactly that of the difference."""
    expectation = expected(difference)
    half_drawn = share_drawn * np.minimum(expectation, 1.0 - expectation)
    luck = draws.fractions(len(difference))
    return np.where(luck < expectation - half_drawn, WIN, np.where(luck < expectation + half_drawn, DRAW, 0))


def _swiss_pairs(
    sections: Sections, take_part: Array, points: Array, published: Array, met: Array
) -> tuple[Array, Array]:
    """Return who meets whom: within score groups the upper half meets the lower, an odd player meets the next group."""
    entries = np.flatnonzero(take_part[sections.section])
    if not len(entries):
        return entries, entries
    section = sections.section[entries]
    order = np.lexsort((entries, -published[entries], -points[entries], section))
    entries, section = entries[order], section[order]
    new_group = np.ones(len(entries), bool)
    new_group[1:] = (section[1:] != section[:-1]) | (points[entries[1:]] != points[entries[:-1]])
    start = np.flatnonzero(new_group)
    sizes = np.diff(np.append(start, len(entries)))
    at = np.arange(len(entries)) - np.repeat(start, sizes)
    half = np.repeat(sizes // 2, sizes)
    # The upper half takes the even places and the lower half the odd ones, so that neighbours meet.
    place = np.where(
        at < half, 2 * at, np.where(at < 2 * half, 2 * (at - half) + 1, np.repeat(sizes, sizes) - 1)
    )
    folded = np.empty_like(entries)
    folded[np.repeat(start, sizes) + place] = entries
    new_section = np.ones(len(entries), bool)
    new_section[1:] = section[1:] != section[:-1]
    begins = np.flatnonzero(new_section)
    pairs = np.diff(np.append(begins, len(entries))) // 2
    upper = np.repeat(begins, pairs) + 2 * (
        np.arange(pairs.sum()) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    )
    return _without_rematches(folded[upper], folded[upper + 1], sections, met)


def _without_rematches(upper: Array, lower: Array, sections: Sections, met: Array) -> tuple[Array, Array]:
    """Return the pairs of which none meets again: neighbours exchange opponents, else neither plays."""
    count, section = len(sections.member), sections.section[upper]
    for turn in range(TRIES):
        again = np.isin(_keys(upper, lower, count), met)
        if not again.any():
            return upper, lower
        # Pairs of even places exchange with the next one, then those of odd places, so that none exchanges twice.
        place = np.flatnonzero(again[:-1] | again[1:])
        place = place[(place % 2 == turn % 2) & (section[place] == section[place + 1])]
        lower[place], lower[place + 1] = lower[place + 1], lower[place]
    fresh = ~np.isin(_keys(upper, lower, count), met)
    return upper[fresh], lower[fresh]


def _keys(upper: Array, lower: Array, count: int) -> Array:
    return np.minimum(upper, lower) * count + np.maximum(upper, lower)

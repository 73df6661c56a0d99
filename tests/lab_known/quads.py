"""What players gain in a quad on average, exactly: all 729 results of its six games, each with its probability."""

import math
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab_known.answers import KnownAnswer, KnownFigure, about
from lab_known.histories import Plays, history_of
from ratebook.lab.worlds.draws import Draws, expected
from ratebook.replay.memory import Array
from ratebook.replay.run import Options, replay
from ratebook.replay.tables import History
from ratebook.rules.rulebook import Rulebook, load_rulebook

PLAYERS = 4
GAMES = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
WIN, DRAW, LOSS = 2, 1, 0


class Gains(NamedTuple):
    """Means over all results, one value a player in rating points, before floors and rounding.

    Attributes:
        change: of the rating.
        bonus: the part of it that is bonus.
        variance: of the change, squared rating points.
    """

    change: tuple[float, ...]
    bonus: tuple[float, ...]
    variance: tuple[float, ...]


def quad_gains(ratings: Sequence[float], rules: Rulebook, day: date, share_drawn: float) -> Gains:
    """Return what four players gain in a quad when their strengths are their ratings.

    Args:
        ratings: established ratings with unlimited N, rating points.
        rules: the rulebook.
        day: of the quad, which selects the rules.
        share_drawn: of games between equals; otherwise twice that share of the weaker player's expected score.
    """
    results = np.array(list(product((LOSS, DRAW, WIN), repeat=len(GAMES))))
    chance = np.ones(len(results))
    for place, (one, other) in enumerate(GAMES):
        expectation = float(expected(ratings[one] - ratings[other]))
        half = share_drawn * min(expectation, 1.0 - expectation)
        of_score = np.array([1.0 - expectation - half, 2.0 * half, expectation - half])
        chance *= of_score[results[:, place]]
    change, bonus = _changes(ratings, results, rules, day)
    mean = chance @ change
    return Gains(
        tuple(mean.tolist()),
        tuple((chance @ bonus).tolist()),
        tuple((chance @ (change - mean) ** 2).tolist()),
    )


def _changes(ratings: Sequence[float], results: Array, rules: Rulebook, day: date) -> tuple[Array, Array]:
    """Return the change of each player with each of the results, and the bonus in it."""
    replayed = replay(_history(ratings, results, day), rules, Options(workings=True))
    assert replayed.ledger is not None, replayed.findings
    shape = len(results), PLAYERS
    change = (replayed.ledger["step5"] - replayed.ledger["rating_before"]).to_numpy().reshape(shape)
    return change, replayed.ledger["bonus"].to_numpy().reshape(shape)


def _history(ratings: Sequence[float], results: Array, day: date) -> History:
    """Return a history in which every result is a section of four members of its own."""
    count = len(results)
    members = count * PLAYERS
    score = np.zeros((count, PLAYERS, PLAYERS))
    for place, (one, other) in enumerate(GAMES):
        score[:, one, other] = results[:, place]
        score[:, other, one] = WIN - results[:, place]
    others = np.array([[other for other in range(PLAYERS) if other != one] for one in range(PLAYERS)])
    seats = np.arange(PLAYERS)[:, None]
    return history_of(
        Plays(
            openings=np.tile(np.asarray(ratings, "f8"), count),
            day=np.full(count, day.toordinal()),
            entries=np.full(count, PLAYERS),
            member=np.arange(members),
            games=np.full(members, PLAYERS - 1),
            opponent=np.tile(others.reshape(-1), count),
            score=score[:, seats, others].reshape(-1),
        )
    )


ON = date(2014, 6, 1)
EQUAL = (1500.0,) * PLAYERS
MANY = 100_000
UNEQUAL = (1400.0, 1500.0, 1600.0, 1700.0)


def _gains(_: Path) -> Iterator[KnownFigure]:
    rules = load_rulebook()
    for threshold, gained in ((6, 8.425), (10, 4.778), (14, 3.216)):
        found = quad_gains(EQUAL, rules.with_overlay({"bonus_multiplier": threshold}), ON, 0.25)
        yield about(f"gain of equal players, B = {threshold}, points", gained, 0.0005, found.change[0])
    found = quad_gains(UNEQUAL, rules.with_overlay({"bonus_multiplier": 10}), ON, 0.25)
    for rating, gained, got in zip(UNEQUAL, (5.04, 5.02, 4.08, 2.31), found.change, strict=True):
        yield about(f"gain of {rating:.0f} among 1400 to 1700, B = 10, points", gained, 0.005, got)


def _drawn(_: Path) -> Iterator[KnownFigure]:
    rules = load_rulebook().with_overlay({"bonus_multiplier": 10})
    found = quad_gains(UNEQUAL, rules, ON, 0.25)
    expectation = expected(np.array([UNEQUAL[one] - UNEQUAL[other] for one, other in GAMES]))
    half = 0.25 * np.minimum(expectation, 1.0 - expectation)
    luck = Draws(4, "quads").fractions(MANY * len(GAMES)).reshape(MANY, len(GAMES))
    results = np.where(luck < expectation - half, WIN, np.where(luck < expectation + half, DRAW, LOSS))
    change = _changes(UNEQUAL, results, rules, ON)[0]
    for seat, rating in enumerate(UNEQUAL):
        error = math.sqrt(found.variance[seat] / MANY)
        what = f"gain of {rating:.0f} in {MANY:,} drawn quads, points"
        yield about(what, found.change[seat], 4.0 * error, float(change[:, seat].mean()))


QUADS = (
    KnownAnswer(
        "A4",
        "drawn quads gain what the enumeration says, within 4 standard errors",
        "the law of large numbers",
        _drawn,
        long=True,
    ),
    KnownAnswer(
        "A4",
        "players of a quad gain what all 729 results give on average",
        "an enumeration by another program",
        _gains,
    ),
)

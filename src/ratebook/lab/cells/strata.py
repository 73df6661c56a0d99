"""By what games are divided, by the ratings of the baseline: parts say where a rule helps and whom."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ratebook.lab.cells.forecasts import ForecastGames, Ratings
from ratebook.replay.memory import Array

CLASS_POINTS, CLASSES = 200.0, 16
"""Classes of ratings and of strengths, rating points; what is beyond is in the last one."""
DIFFERENCE_POINTS = 100
AGES = (0, 10, 13, 16, 20, 35, 46, 65)
SIZES = (2, 5, 9, 17, 33, 65)
GAMES_BEFORE = (0, 5, 26, 51, 101, 301, 1001)
UNKNOWN = -1


class Circumstances(NamedTuple):
    """What is known of games before they are played: the players and year of their sections, the younger player's age.

    *ratings* are of the entries of the chunk; age and round are -1 where the history does not say.
    """

    games: ForecastGames
    ratings: Ratings
    size: Array
    year: Array
    age: Array
    round: Array


def _class(of: Circumstances) -> Array:
    ratings = of.ratings.before
    mean = (ratings[of.games.entry] + ratings[of.games.other]) / 2.0
    return np.asarray(mean // CLASS_POINTS * CLASS_POINTS)


def _difference(of: Circumstances) -> Array:
    return np.asarray(np.minimum(np.abs(of.games.difference) // DIFFERENCE_POINTS * DIFFERENCE_POINTS, 1000))


def _banded(values: Array, bounds: tuple[int, ...]) -> Array:
    """Return the lower bound of the band of each value."""
    place = np.searchsorted(bounds, values, side="right") - 1
    return np.where(place < 0, UNKNOWN, np.asarray(bounds)[np.maximum(place, 0)])


def _experience(of: Circumstances) -> Array:
    games = of.ratings.games
    return _banded(np.minimum(games[of.games.entry], games[of.games.other]), GAMES_BEFORE)


CUTS: dict[str, Callable[[Circumstances], Array]] = {
    "rating class": _class,
    "difference": _difference,
    "experience": _experience,
    "age": lambda of: _banded(of.age, AGES),
    "section size": lambda of: _banded(of.size, SIZES),
    "year": lambda of: of.year,
    "round": lambda of: of.round,
}
"""*rating class*: mean rating of both; *experience*: N of the one who has fewer; *age*: of the younger one."""

POPULATIONS = ("established", "one provisional", "newcomers")
"""Both established; one of them provisional; one of them without a rating of an earlier section."""


def populations(games: ForecastGames, ratings: Ratings) -> Array:
    """Return the place in `POPULATIONS` of each game."""
    new = ratings.newcomer[games.entry] | ratings.newcomer[games.other]
    firm = ratings.established[games.entry] & ratings.established[games.other]
    return np.where(new, 2, np.where(firm, 0, 1))


def add_by_class(sums: Array, rating: Array, *columns: Array) -> None:
    """Add to each column of *sums* the values of one of *columns*, by class of *rating*."""
    of_class = np.clip(rating // CLASS_POINTS, 0, CLASSES - 1).astype("i8")
    for place, values in enumerate(columns):
        sums[:, place] += np.bincount(of_class, values, CLASSES)


def values_before(latest: Array, member: Array, values: Array) -> tuple[Array, Array]:
    """Return the order of rows by member, and in that order the value that each row's member had before it.

    *latest* has the value of each member before the first row, and then after the last one.
    """
    order = np.argsort(member, kind="stable")
    who, now = member[order], values[order]
    starts = np.ones(len(who), bool)
    starts[1:] = who[1:] != who[:-1]
    before = np.empty_like(now)
    before[1:] = now[:-1]
    before[starts] = latest[who[starts]]
    ends = np.append(starts[1:], True)[: len(who)]
    latest[who[ends]] = now[ends]
    return order, before


def groups(values: Array) -> Iterator[tuple[int, Array]]:
    """Yield each value with the places that have it."""
    if not len(values):
        return
    order = np.argsort(values, kind="stable")
    found, first = np.unique(values[order], return_index=True)
    for value, places in zip(found.tolist(), np.split(order, first[1:]), strict=True):
        yield int(value), places

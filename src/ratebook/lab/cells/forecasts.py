"""Forecasts of games from the ratings before their section, never from anything that knows its results.

A forecast is that of the formula which is scored: differences of ratings are brought to a scale of 400 points.
"""

import math
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ratebook.calculators.fics_glicko import attenuated
from ratebook.replay.load import RawChunk, first_places
from ratebook.replay.memory import Array

SCALE = 400.0
"""Rating points of ten to one, as differences are counted here."""
LOGIT = math.log(10.0) / SCALE
"""Logit of the expectation for each rating point of difference."""
RATED = 0
"""The source of a rating that comes from an earlier section (`ratebook.rating.rated.SOURCE_NAMES`)."""
PROVISIONAL_GAMES = 25.0
"""Up to so many games a rating is provisional (D25, section 2.1)."""
HALF_POINT = 0.5


def expectation(difference: Array) -> Array:
    """Return what a player of so many rating points more is expected to score: ``1 / (1 + 10^(-difference / 400))``."""
    return np.asarray(1.0 / (1.0 + np.exp(-LOGIT * difference)))


class Ratings(NamedTuple):
    """What is known of the entries of a chunk before their sections, in one system.

    A rating is NaN where the entry has no rated game in the system, its number of games infinite where it is only known
    to be established. A newcomer's is that of Step 1. *row* is of the ledger in the system, -1 for none; *deviation*
    says in rating points how far a rating can be trusted, None where a system does not say.
    """

    before: Array
    games: Array
    newcomer: Array
    row: Array
    deviation: Array | None = None

    @property
    def established(self) -> Array:
        """Return whether the rating before is established."""
        return ~self.newcomer & (self.games > PROVISIONAL_GAMES)

    def by_row(self, values: Array) -> Array:
        """Return values of entries by the rows that these have in the ledger."""
        has = np.flatnonzero(self.row >= 0)
        by_row = np.empty(len(has), values.dtype)
        by_row[self.row[has]] = values[has]
        return by_row


class ForecastGames(NamedTuple):
    """The games of a chunk in one system, each once and from the side of the favourite.

    Attributes:
        section: in the chunk.
        entry, other: in the chunk; *entry* is the favourite, or stands first in the section.
        difference: of the ratings before the section, as far as these can be trusted, in points of which 400 are ten to
            one, with the advantage of White; never negative.
        score: of *entry*, games.
        colour: of *entry*: 1 white, -1 black, 0 unknown.
        place: in the chunk's table of games, of the row of the one who stands first in the section.
    """

    section: Array
    entry: Array
    other: Array
    difference: Array
    score: Array
    colour: Array
    place: Array


def sections_of(raw: RawChunk) -> Array:
    """Return the section of each entry of a chunk."""
    counts = raw.sections["entries"]
    return np.repeat(np.arange(len(counts)), counts)


def sides_of(entries: Array, games: Array, opponent: Array) -> tuple[Array, Array, Array]:
    """Return the section of each entry, and whose entries both sides of each row of games are.

    Args:
        entries: of each section, how many.
        games: of each entry, how many rows.
        opponent: of each row, the seat.
    """
    section = np.repeat(np.arange(len(entries)), entries)
    entry = np.repeat(np.arange(len(section)), games)
    return section, entry, first_places(entries)[section[entry]] + opponent


def rows_of(ledger: pa.Table, system: int) -> dict[str, Array]:
    """Return the columns of a ledger that are numbers, of one system."""
    wanted = np.flatnonzero(np.asarray(ledger["system"]) == system)
    return {name: np.asarray(ledger[name])[wanted] for name in ledger.column_names}


def ratings_before(raw: RawChunk, rows: dict[str, Array], members: int) -> Ratings:
    """Return the ratings before the sections of a chunk, by its entries.

    Args:
        raw: the chunk.
        rows: its ledger in one system (`rows_of`).
        members: how many the history has.
    """
    section = sections_of(raw)
    key_of_row = (rows["section"].astype("i8") - raw.first_section) * members + rows["member"]
    order = np.argsort(key_of_row, kind="stable")
    key = section * members + raw.entries["member"]
    row = np.full(len(key), -1)
    if len(order):
        place = np.minimum(np.searchsorted(key_of_row[order], key), len(order) - 1)
        row = np.where(key_of_row[order][place] == key, order[place], -1)
    has = row >= 0

    def column(name: str, otherwise: float) -> Array:
        values = np.full(len(key), otherwise)
        values[has] = rows[name][row[has]]
        return values

    return Ratings(
        before=column("rating_before", math.nan),
        games=column("games_before", 0.0),
        newcomer=column("source", RATED) != RATED,
        row=row,
    )


def games_of(
    raw: RawChunk, ratings: Ratings, scale: Array | None = None, white: float = 0.0
) -> ForecastGames:
    """Return the games of a chunk that both sides have rated, each once.

    Args:
        raw: the chunk.
        ratings: of its entries.
        scale: of each section, the rating points that the formula takes for ten to one; None: 400.
        white: what White has more, in points of which 400 are ten to one.
    """
    section, entry, other = sides_of(raw.sections["entries"], raw.entries["games"], raw.games["opponent"])
    once = (entry < other) & (ratings.row[entry] >= 0) & (ratings.row[other] >= 0)
    entry, other, score = entry[once], other[once], raw.games["score"][once] * HALF_POINT
    colour = raw.games["colour"][once].astype("i8")
    difference = ratings.before[entry] - ratings.before[other]
    if scale is not None:
        difference = difference * (SCALE / scale[section[entry]])
    difference = difference + white * colour
    if ratings.deviation is not None:
        # As in R95, appendix B, "a further use of RD's".
        difference = difference * attenuated(ratings.deviation[entry] ** 2 + ratings.deviation[other] ** 2)
    games = ForecastGames(
        section=section[entry],
        entry=entry,
        other=other,
        difference=difference,
        score=score,
        colour=colour,
        place=np.flatnonzero(once),
    )
    return towards_the_favourite(games)


def towards_the_favourite(games: ForecastGames) -> ForecastGames:
    """Return games from the side of those who are expected to score more."""
    turned = games.difference < 0.0
    return games._replace(
        entry=np.where(turned, games.other, games.entry),
        other=np.where(turned, games.entry, games.other),
        difference=np.abs(games.difference),
        score=np.where(turned, 1.0 - games.score, games.score),
        colour=np.where(turned, -games.colour, games.colour),
    )

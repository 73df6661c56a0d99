"""The conversion of FIDE and CFC ratings to USCF ratings of 1995 (R95), by the committee's own tables.

Nothing is converted beyond the ends of a table; later conversions are dated rules of ``ratebook.rules``.
"""

import tomllib
from bisect import bisect_right
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from ratebook.calculators.arithmetic import require_rating, round_to_nearest

CONVERTED_GAMES = 10
"""A converted rating is treated as provisional, based on this many games."""

_TABLE_FILE = "conversion_tables_1995.toml"


class ForeignFederation(StrEnum):
    """The federation whose rating is converted."""

    FIDE = "fide"
    CFC = "cfc"


class OpponentRule(StrEnum):
    """Which rule says that a USCF-unrated opponent counts at a converted rating."""

    OF_1994 = "1994"
    OF_1995 = "1995"


class RatingOutOfRangeError(ValueError):
    """A rating is outside the conversion table, which has ratings from *lowest* to *highest*."""

    def __init__(self, federation: ForeignFederation, rating: float, lowest: int, highest: int) -> None:
        self.federation = federation
        self.rating = rating
        self.lowest = lowest
        self.highest = highest
        super().__init__(
            f"the 1995 table converts {federation.upper()} ratings from {lowest} to {highest}, not {rating}"
        )


class ConversionTable(NamedTuple):
    """One printed table: *foreign* ratings in rising order and the USCF rating of each, in points."""

    source: str
    foreign: tuple[int, ...]
    converted: tuple[int, ...]


class ConvertedRating(NamedTuple):
    """A USCF rating taken from a foreign one.

    Attributes:
        unrounded: an integer on a printed row.
        games: on how many games it counts as provisional, 10; None where it counts as established.
    """

    federation: ForeignFederation
    foreign_rating: float
    unrounded: float
    rating: int
    games: int | None


@cache
def conversion_table(federation: ForeignFederation) -> ConversionTable:
    """Return the table of *federation* from the packaged data.

    Source: R95, section 1, Tables 1 and 2.

    >>> table = conversion_table(ForeignFederation.FIDE)
    >>> len(table.foreign), table.foreign[0], table.converted[0]
    (100, 2200, 2217)
    """
    data = tomllib.loads(files(__package__).joinpath(_TABLE_FILE).read_text(encoding="utf-8"))
    table = data[federation.value]
    foreign, converted = zip(*table["rows"], strict=True)
    # A search by halves needs rising rows; a slip in the data must not become a wrong rating.
    assert all(low < high for low, high in pairwise(foreign)), _TABLE_FILE  # noqa: S101 - guards packaged data
    return ConversionTable(table["source"], foreign, converted)


def convert_rating(federation: ForeignFederation, rating: float) -> ConvertedRating:
    """Return the USCF rating that a foreign *rating* converts to.

    The printed value on a row of the table; between two rows the straight line that joins them. A rating below the
    first row or above the last one raises `RatingOutOfRangeError`; one that is not finite raises ``ValueError``.

    Source: R95, section 1, Tables 1 and 2; the line between rows: docs/rules/readings.md#the-edition-of-1995.

    >>> convert_rating(ForeignFederation.CFC, 1970).rating
    1958
    """
    require_rating(rating, f"{federation.upper()} rating")
    table = conversion_table(federation)
    lowest, highest = table.foreign[0], table.foreign[-1]
    if not lowest <= rating <= highest:
        raise RatingOutOfRangeError(federation, rating, lowest, highest)
    row = bisect_right(table.foreign, rating) - 1
    converted = float(table.converted[row])
    beyond = rating - table.foreign[row]
    if beyond > 0.0:
        width = table.foreign[row + 1] - table.foreign[row]
        converted += (table.converted[row + 1] - table.converted[row]) * beyond / width
    return ConvertedRating(federation, rating, converted, round_to_nearest(converted), CONVERTED_GAMES)


def assign_rating(*, cfc: float | None = None, fide: float | None = None) -> ConvertedRating:
    """Return the USCF rating of an unrated player who has a CFC rating, a FIDE rating, or both.

    The established CFC rating has precedence; one that its table does not convert is refused even if a FIDE rating is
    given. Without either rating this raises ``ValueError``.

    Source: R95, motion 2 and section 1.

    >>> assign_rating(cfc=1970, fide=2440).rating
    1958
    """
    if cfc is not None:
        return convert_rating(ForeignFederation.CFC, cfc)
    if fide is not None:
        return convert_rating(ForeignFederation.FIDE, fide)
    raise ValueError("a CFC or a FIDE rating must be given")


def convert_opponent(
    federation: ForeignFederation,
    rating: float,
    *,
    player_rated: bool,
    rule: OpponentRule = OpponentRule.OF_1995,
) -> ConvertedRating | None:
    """Return the rating at which a USCF-unrated opponent with a foreign rating counts; None where it is not used.

    By the rule of 1994, an opponent's FIDE rating is used only where the player is unrated too, and then as if it were
    established. By the proposal of 1995, every FIDE or CFC rating of an unrated player is converted before anything
    else, and counts as provisional on 10 games. The report prints only the tables of 1995, so they serve both rules.

    Source: R95, section 1 ("This conversion is only used when an unrated player's opponent is unrated"), and its
    additional use.

    >>> opponent = convert_opponent(
    ...     ForeignFederation.FIDE, 2440, player_rated=False, rule=OpponentRule.OF_1994
    ... )
    >>> opponent.rating, opponent.games
    (2525, None)
    >>> convert_opponent(ForeignFederation.FIDE, 2440, player_rated=True, rule=OpponentRule.OF_1994) is None
    True
    """
    if rule is OpponentRule.OF_1995:
        return convert_rating(federation, rating)
    if player_rated or federation is ForeignFederation.CFC:
        return None
    return convert_rating(federation, rating)._replace(games=None)

"""The balance of rating points: every point that enters or leaves the pool of a year, by its cause.

The pool is the sum of the ratings of all members in one system. A section changes a rating from R0 to R by

* the special formula, or
* K (S - E) + bonus, and what match limits, a ceiling, precision and floors make of it.

K (S - E) is split game by game. With d = s - e, where e follows from the ratings before the section, and with the mean
of both players' K, ``mean K d`` moves from one to the other and is in balance; ``(K - mean K) d`` is not, where the Ks
differ; nor is ``K d`` against someone whom the special formula rates or who is new. The rest is the second pass: E of
Step 5 is computed from ratings that know the results of Step 4.
"""

import math

import numpy as np

from ratebook.lab.cells.content import YearBalance
from ratebook.lab.cells.forecasts import RATED, ForecastGames, Ratings, expectation
from ratebook.lab.cells.strata import groups, values_before
from ratebook.rating.results import FORMULA_NAMES
from ratebook.replay.memory import Array

CAUSES = (
    "openings", "entry", "unequal K", "against newcomers", "second pass", "bonus", "special formula",
    "limits", "rounding", "floors", "office",
)  # fmt: skip
"""Why points enter the pool.

*openings*: members who have a rating when history begins; *entry*: first ratings of newcomers; *limits*: of matches,
and ceilings; *office*: what decisions change between sections.
"""

SPECIAL = FORMULA_NAMES.index("special")
ROUNDED = 1.0
"""A rating is stored with a precision of a point or finer."""


class PointsBalance:
    """The balance of one system, gathered section by section.

    Attributes:
        years: the causes' points by year.
        pool: the rating of each member now, NaN for those who have none.
    """

    def __init__(self, members: int) -> None:
        self.years: dict[int, Array] = {}
        self.pools: dict[int, float] = {}
        self.pool = np.full(members, math.nan)

    def add(self, year: Array, rows: dict[str, Array], ratings: Ratings, games: ForecastGames) -> None:
        """Add ledger rows, the ratings of their entries and their games.

        Args:
            year: of each row.
            rows: columns of the ledger with workings, of one system.
            ratings: of the entries before the sections.
            games: between the entries.
        """
        before, after, step5 = rows["rating_before"], rows["rating"], rows["step5"]
        new, special = rows["source"] != RATED, rows["formula"] == SPECIAL
        bonus = np.where(special, 0.0, np.nan_to_num(rows["bonus"]))
        unequal, one_sided, by_row = _by_game(rows, ratings, games, new | special)
        settled = after - step5
        floored = ~np.isnan(rows["floor_applied"])
        rounded = ~floored & (np.abs(settled) < ROUNDED)
        of_rows = (
            np.where(new, before, 0.0),
            unequal,
            one_sided,
            np.where(special, 0.0, step5 - before - bonus) - by_row,
            bonus,
            np.where(special, step5 - before, 0.0),
            np.where(floored | rounded, 0.0, settled),
            np.where(rounded, settled, 0.0),
            np.where(floored, settled, 0.0),
        )
        for number, mine in groups(year):
            causes = self.years.setdefault(number, np.zeros(len(CAUSES)))
            openings, office = self._between(rows["member"][mine], before[mine], after[mine], new[mine])
            causes += (openings, *(points[mine].sum() for points in of_rows), office)
            self.pools[number] = float(np.nansum(self.pool))

    def _between(self, member: Array, before: Array, after: Array, new: Array) -> tuple[float, float]:
        """Follow members from row to row; return what came with openings, and what changed between rows."""
        order, earlier = values_before(self.pool, member, after)
        was, unknown = before[order], np.isnan(earlier)
        openings = was[unknown & ~new[order]].sum()
        return float(openings), float((was - earlier)[~unknown].sum())

    def content(self) -> tuple[YearBalance, ...]:
        """Return the balance of each year."""
        return tuple(
            YearBalance(
                year=year, pool=self.pools[year], causes=dict(zip(CAUSES, points.tolist(), strict=True))
            )
            for year, points in sorted(self.years.items())
        )


def _by_game(
    rows: dict[str, Array], ratings: Ratings, games: ForecastGames, apart: Array
) -> tuple[Array, Array, Array]:
    """Return points of games by row: between unequal Ks, against those *apart*, and ``K (s - e)`` of all games.

    The first two are those of both sides, at the row of one of them.
    """
    k = np.where(apart, 0.0, np.nan_to_num(rows["k"]))
    count = len(k)
    row, other = ratings.row[games.entry], ratings.row[games.other]
    off = games.score - expectation(games.difference)
    both = ~apart[row] & ~apart[other]
    # Of (K1 - K) d for one and -(K2 - K) d for the other, the mean K cancels.
    out_of_balance = (k[row] - k[other]) * off
    return (
        np.bincount(row, np.where(both, out_of_balance, 0.0), count),
        np.bincount(row, np.where(both, 0.0, out_of_balance), count),
        np.bincount(row, k[row] * off, count) - np.bincount(other, k[other] * off, count),
    )

"""The level of ratings year by year: the monitoring cohort of the committee, percentiles, ages and regions.

The cohort of a year: established, active in the year and in each of the three before, 35 to 45 years old in the year
(reports of the committee since 2014). A world knows their strengths too: what the level gains beyond them is inflation.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict

import numpy as np

from ratebook.lab.cells.content import AgeGroup, Group, RegionGroup, YearLevel
from ratebook.lab.cells.forecasts import PROVISIONAL_GAMES
from ratebook.lab.cells.measures import Measure
from ratebook.lab.cells.strata import groups
from ratebook.lab.days import birth_years_of
from ratebook.replay.memory import Array

COHORT_AGES = (35, 45)
YEARS_ACTIVE = 4
ALL_YEARS = np.uint8((1 << YEARS_ACTIVE) - 1)
PERCENTILES = (5, 25, 50, 75, 95)
AGES = ((0, 12), (13, 19), (20, 34), (35, 45), (46, 64), (65, 120))
STRONG = 2200.0
LEAST_OF_REGION = 20
"""Active established players without whom a region's percentiles say nothing."""
MEASURES = (
    Measure(
        "tau",
        "Kendall's tau",
        "of ratings and strengths, at the end",
        lambda cell: cell.level[-1].tau if cell.level else None,
        digits=4,
        against_truth=True,
    ),
    Measure(
        "at_floor",
        "At a floor %",
        "of active established players, at the end",
        lambda cell: cell.level[-1].at_floor if cell.level else None,
        digits=2,
        times=100.0,
    ),
)


class Level:
    """The ratings of one system at the end of each year.

    Attributes:
        born: years of birth; 0 where unknown.
        names, region: of the regions, and where each member lives, a place among them.
        rating, games, strength: of each member now, NaN for none.
        at_floor: whether a floor made the rating that the member has now.
        active: bit *n* is set where a member played *n* years ago.
        years: the levels so far.
    """

    def __init__(self, birth_days: Array, names: list[str], region: Array) -> None:
        self.names, self.region = names, region
        self._in_order = sorted(range(len(names)), key=names.__getitem__)
        self.born = birth_years_of(birth_days)
        count = len(birth_days)
        self.rating, self.games, self.strength = (np.full(count, math.nan) for _ in range(3))
        self.active, self.at_floor = np.zeros(count, "u1"), np.zeros(count, bool)
        self.years: list[YearLevel] = []
        self._year: int | None = None
        self._rating_before: Array | None = None

    def add(self, year: Array, rows: dict[str, Array], strength: Array | None) -> None:
        """Add ledger rows in their order; years come in order.

        Args:
            year: of each row.
            rows: columns ``member``, ``rating`` and ``games`` of the ledger, and ``at_floor``.
            strength: true strengths of the rows' members; None where they are not known.
        """
        for number, mine in groups(year):
            if number != self._year:
                self.close()
                years = 1 if self._year is None else number - self._year
                # No one was active in a year without games, and no gain over two years is that of one.
                self.active = (self.active << np.uint8(min(years, YEARS_ACTIVE))) & ALL_YEARS
                if years > 1:
                    self._rating_before = None
                self._year = number
            member = rows["member"][mine]
            # Of several rows of a member the last one stays.
            self.rating[member], self.games[member] = rows["rating"][mine], rows["games"][mine]
            self.at_floor[member] = rows["at_floor"][mine]
            if strength is not None:
                self.strength[member] = strength[mine]
            self.active[member] |= np.uint8(1)

    def close(self) -> None:
        """Note the level at the end of the year that was added last."""
        if self._year is None:
            return
        established = self.games > PROVISIONAL_GAMES
        always = self.active == ALL_YEARS
        age = self._year - self.born
        is_known = self.born > 0
        cohort = established & always & is_known & (age >= COHORT_AGES[0]) & (age <= COHORT_AGES[1])
        now = established & (self.active & 1 == 1)
        self.years.append(
            YearLevel(
                year=self._year,
                cohort=self._group(cohort),
                active=self._group(now),
                strong=float((self.rating[now] >= STRONG).mean()) if now.any() else math.nan,
                at_floor=float(self.at_floor[now].mean()) if now.any() else math.nan,
                tau=self._tau(now),
                ages=tuple(
                    AgeGroup(
                        youngest=low,
                        oldest=high,
                        **asdict(self._group(now & is_known & (age >= low) & (age <= high))),
                    )
                    for low, high in AGES
                ),
                regions=tuple(self._regions(now)),
            )
        )
        self._rating_before = self.rating.copy()

    def _regions(self, now: Array) -> Iterator[RegionGroup]:
        players = np.bincount(self.region[now], minlength=len(self.names))
        for place in self._in_order:
            if self.names[place] and players[place] >= LEAST_OF_REGION:
                group = self._group(now & (self.region == place))
                yield RegionGroup(region=self.names[place], **asdict(group))

    def _group(self, who: Array) -> Group:
        ratings, strengths = self.rating[who], self.strength[who]
        if not len(ratings):
            return Group(players=0)
        percentiles = np.percentile(ratings, PERCENTILES).tolist()
        change, error = self._change(who)
        return Group(
            players=len(ratings),
            mean=float(ratings.mean()),
            strength=None if np.isnan(strengths).any() else float(strengths.mean()),
            percentiles=dict(zip(map(str, PERCENTILES), percentiles, strict=True)),
            change=change,
            change_error=error,
        )

    def _tau(self, who: Array) -> float | None:
        """Return Kendall's tau of ratings and strengths, where these are known."""
        rating, strength = self.rating[who], self.strength[who]
        if len(rating) < 2 or np.isnan(strength).any():  # noqa: PLR2004 - a pair
            return None
        from scipy.stats import kendalltau  # noqa: PLC0415 - it takes a second to load, and few need it

        return float(kendalltau(rating, strength).statistic)

    def _change(self, who: Array) -> tuple[float | None, float | None]:
        """Return by how much those who have a rating of the year before gained since, and the error of the mean."""
        if self._rating_before is None:
            return None, None
        gained = (self.rating - self._rating_before)[who]
        gained = gained[~np.isnan(gained)]
        if len(gained) < 2:  # noqa: PLR2004 - no spread
            return None, None
        return float(gained.mean()), float(gained.std(ddof=1) / math.sqrt(len(gained)))

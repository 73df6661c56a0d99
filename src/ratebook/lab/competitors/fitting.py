"""Glicko's c from training years: the value with the lowest log loss, found in one pass over them.

All values of a grid rate side by side; a parabola through the best of them and its neighbours, over the logarithm of c,
gives the value.
"""

import numpy as np

from ratebook.lab.cells.content import FittedConstant
from ratebook.lab.cells.forecasts import games_of, ratings_before, rows_of
from ratebook.lab.cells.members.starts import KnownAtStart
from ratebook.lab.cells.scores import log_loss
from ratebook.lab.cells.strata import populations
from ratebook.lab.competitors.competitor import Competitor
from ratebook.lab.competitors.following import Rated
from ratebook.lab.competitors.systems import rater_of
from ratebook.replay.run import Run

GRID = tuple(5.0 * 2.0 ** (step / 2) for step in range(14))
"""Values of c that are tried, rating points: 5 to 453."""


def fit_constant(run: Run, system: int, competitor: Competitor, before: int, longest: int) -> FittedConstant:
    """Return the constant of a competitor from the sections that end before a day number.

    The games of the first half of these years are rated and not scored: deviations settle in it.

    Args:
        run: a replay of the rules that the competitor follows; it is used up.
        system: place of the rating system.
        competitor: whose constant is fitted.
        before: a day number.
        longest: days of the longest section.
    """
    members = len(run.birth_days)
    raters = [Rated(rater_of(competitor._replace(constant=c), members)) for c in GRID]
    losses, count = np.zeros(len(GRID)), 0
    settled: float | None = None
    starts = [KnownAtStart(longest) for _ in (None, *GRID)]
    for raw, ledger in run.rated_chunks():
        end = raw.sections["end"]
        if end[0] >= before:
            break
        if settled is None:
            settled = (int(end[0]) + before) / 2.0
        ratings = ratings_before(raw, rows_of(ledger, system), members)
        games = games_of(raw, ratings)
        firm = populations(games, starts[0].known(raw, ratings)) == 0
        day = end[games.section]
        scored = firm & (day >= settled) & (day < before)
        count += int(scored.sum())
        for place, rater in enumerate(raters):
            rated = rater.rate(raw, ratings, games)
            own = games_of(
                raw, starts[place + 1].known(raw, ratings._replace(before=rated[0], deviation=rated[2]))
            )
            losses[place] += log_loss(own.difference[scored], own.score[scored]).sum()
    return _lowest(losses, count)


def _lowest(losses: np.ndarray, games: int) -> FittedConstant:
    best = int(np.argmin(losses))
    if not games or not 0 < best < len(GRID) - 1:
        return FittedConstant(value=GRID[best], games=games, on_edge=True)
    left, middle, right = losses[best - 1 : best + 2].tolist()
    off = (left - right) / (2.0 * (left - 2.0 * middle + right))
    return FittedConstant(value=GRID[best] * 2.0 ** (off / 2), games=games, on_edge=False)

"""A constant from training years: the value with the lowest log loss, found in one pass over them.

All values that the system names rate side by side; a parabola through the best of them and its neighbours, over the
logarithm of the constant, gives the value.
"""

from collections.abc import Sequence

import numpy as np

from ratebook.lab.cells.content import FittedConstant
from ratebook.lab.cells.forecasts import games_of, ratings_before, rows_of
from ratebook.lab.cells.measures import SYSTEMS, Measures
from ratebook.lab.cells.members.starts import KnownAtStart
from ratebook.lab.cells.scores import log_loss
from ratebook.lab.cells.strata import populations
from ratebook.lab.competitors.following import Rated
from ratebook.lab.competitors.rating_system import members_of
from ratebook.lab.competitors.systems import kind_of, made
from ratebook.replay.run import Run
from ratebook.rules.rulebook import Rulebook


def fit_constant(run: Run, rules: Rulebook, measures: Measures, longest: int) -> FittedConstant:
    """Return the constant of a competitor from the sections that end before the scored years.

    The games of the first half of these years are rated and not scored: deviations settle in it.

    Args:
        run: a replay of the rules that the competitor follows; it is used up.
        rules: these rules.
        measures: with the competitor whose constant is fitted, and the day before which.
        longest: days of the longest section.

    Raises:
        ContractError: another package's system cannot be made.
    """
    competitor, before = measures.competitor, measures.since.toordinal()
    assert competitor is not None, "its constant is fitted"  # noqa: S101 - tells the type checker
    members = members_of(run.birth_days)
    grid = tuple(kind_of(competitor.method).FITS[competitor.fitted])
    raters = [Rated(made(competitor.with_fitted(value), members), rules, measures) for value in grid]
    losses, count = np.zeros(len(grid)), 0
    settled: float | None = None
    starts = [KnownAtStart(longest) for _ in (None, *grid)]
    for raw, ledger in run.rated_chunks():
        end = raw.sections["end"]
        if end[0] >= before:
            break
        if settled is None:
            settled = (int(end[0]) + before) / 2.0
        rows = rows_of(ledger, SYSTEMS.index(measures.system))
        ratings = ratings_before(raw, rows, members.size)
        games = games_of(raw, ratings)
        firm = populations(games, starts[0].known(raw, ratings)) == 0
        day = end[games.section]
        scored = firm & (day >= settled) & (day < before)
        count += int(scored.sum())
        for place, rater in enumerate(raters):
            own_ratings, _ = rater.rate(raw, rows, ratings, games)
            own = games_of(raw, starts[place + 1].known(raw, own_ratings), white=measures.white)
            losses[place] += log_loss(own.difference[scored], own.score[scored]).sum()
    return _lowest(grid, losses, count)


def _lowest(grid: Sequence[float], losses: np.ndarray, games: int) -> FittedConstant:
    best = int(np.argmin(losses))
    if not games or not 0 < best < len(grid) - 1:
        return FittedConstant(value=grid[best], games=games, on_edge=True)
    x = np.log(grid[best - 1 : best + 2])
    curve = np.polyfit(x - x[1], losses[best - 1 : best + 2], 2)
    off = -curve[1] / (2.0 * curve[0])
    return FittedConstant(value=float(np.exp(x[1] + off)), games=games, on_edge=False)

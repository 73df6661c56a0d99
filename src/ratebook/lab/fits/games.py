"""The games of a history with the ratings or the true strengths of their players, for a fit of the expected score."""

from pathlib import Path

import numpy as np

from ratebook.findings import Finding
from ratebook.lab.cells.cell import strengths_of
from ratebook.lab.cells.forecasts import games_of, places_of, ratings_before, rows_of
from ratebook.lab.cells.strata import populations
from ratebook.lab.fits.expectancy import Expectancy, ExpectancySums
from ratebook.model import System
from ratebook.replay.run import Options, Run
from ratebook.rules.rulebook import Rulebook


def expectancy_of(  # noqa: PLR0913 - whose games, and which ratings of them
    history: Path, rules: Rulebook, system: System, step: int, options: Options, *, by_strength: bool = False
) -> tuple[Expectancy | None, tuple[Finding, ...]]:
    """Return what the games of a history show of a system, or what is wrong with it.

    Args:
        history: a folder.
        rules: by which it is rated.
        system: of the games; those between established players count.
        step: rating points of a class of the curve.
        options: of the replay.
        by_strength: take true strengths instead of ratings; then all games count.
    """
    run = Run(history, rules, options)
    if run.failed:
        return None, tuple(run.findings)
    sums = ExpectancySums()
    place = tuple(System).index(system)
    truth = strengths_of(history) if by_strength else None
    for raw, ledger in run.rated_chunks():
        ratings = ratings_before(raw, rows_of(ledger, place), len(run.birth_days))
        games = games_of(raw, ratings)
        value, counts = ratings.before, populations(games, ratings) == 0
        if truth is not None:
            value, counts = truth.take(len(places_of(raw)[1])), np.ones(len(games.score), bool)
        one, other = value[games.entry[counts]], value[games.other[counts]]
        score = games.score[counts]
        sums.add(np.abs(one - other), (one + other) / 2.0, np.where(one < other, 1.0 - score, score))
    if run.failed:
        return None, tuple(run.findings)
    return sums.expectancy(step), tuple(run.findings)

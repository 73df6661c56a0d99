"""Glicko on its own model: strengths that walk at random, openings with an error of known size, and no draws."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lab_known.answers import KnownAnswer, KnownFigure, about
from lab_known.elo import FIRST_DAY, LEVEL, elo, measured
from lab_known.histories import PairedRounds, drawn_pairs, write_rounds
from ratebook.calculators.fics_glicko import LARGEST_DEVIATION, FicsRating, information, intervals
from ratebook.lab.cells.forecasts import PROVISIONAL_GAMES
from ratebook.lab.cells.scores import scores_of
from ratebook.lab.competitors.competitor import Competitor
from ratebook.lab.days import YEAR_DAYS
from ratebook.lab.worlds.draws import Draws

WALK = 120.0
"""Rating points a year; c of the system whose model it is."""
DAYS, SPREAD = 5, 200.0
"""Between rounds; of the openings, rating points."""
KS = (16.0, 24.0, 32.0, 40.0, 48.0)
TOLERANCES = (0.015, 0.01, 0.004)


def _walking(folder: Path, players: int, rounds: int) -> Path:
    draws = Draws(11, f"walking pool of {players}")
    openings = LEVEL + SPREAD * draws.bells(players)
    error = 1.0 / math.sqrt(1.0 / LARGEST_DEVIATION**2 + (PROVISIONAL_GAMES + 1.0) * information(1.0, 0.5))
    steps = WALK * math.sqrt(DAYS / YEAR_DAYS) * draws.bells(players * rounds).reshape(rounds, players)
    steps[0] = error * draws.bells(players)
    strength = openings + np.cumsum(steps, axis=0)
    # Some play often and some seldom, so that deviations differ; half of them play in each round.
    eager = 0.1 + draws.fractions(players) ** 2
    luck = draws.fractions(players * rounds).reshape(rounds, players) / eager
    member = np.argsort(luck, axis=1, kind="stable")[:, : players // 4 * 2]
    member = np.take_along_axis(member, drawn_pairs(member.shape[1], rounds, draws), axis=1)
    return write_rounds(
        PairedRounds(
            openings,
            FIRST_DAY + DAYS * np.arange(rounds),
            member,
            np.take_along_axis(strength, member, axis=1),
        ),
        draws,
        folder / f"walking-{players}-{rounds}",
    )


def glicko_figures(folder: Path, players: int, rounds: int) -> Iterator[KnownFigure]:
    """Yield coverage, the constant that is fitted, and how the best Elo does."""
    history = _walking(folder, players, rounds)
    settled = FIRST_DAY + DAYS * (rounds // 3)
    own = measured(history, settled, Competitor("glicko", (("c", WALK),)))
    stated = [one.probability for one in intervals(FicsRating())]
    for width, wanted, tolerance, got in zip((1, 2, 3), stated, TOLERANCES, own.truth.coverage, strict=True):
        yield about(f"share of strengths within {width} deviations", wanted, tolerance, got)
    fitted = measured(history, settled, Competitor("glicko", fitted="c")).fitted
    assert fitted is not None, "it was asked for"
    yield about("c that is found on training years, points a year", WALK, 0.15 * WALK, fitted.value)
    losses = [scores_of(measured(history, settled, elo(k))).log_loss for k in KS]
    gained = (min(losses) - scores_of(own).log_loss) * 1000.0
    yield KnownFigure("log loss of the best Elo less that of Glicko, thousandths of a nat", 0.0, 10.0, gained)


def _on_its_own_model(folder: Path) -> Iterator[KnownFigure]:
    return glicko_figures(folder, 2_000, 400)


GLICKO = (
    KnownAnswer(
        "A11",
        "on its own model Glicko knows how wrong it is, and forecasts better than any Elo",
        "R95, appendix B, mathematical interpretation of RD, and section 3",
        _on_its_own_model,
        long=True,
    ),
)

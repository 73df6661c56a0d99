"""Elo in pools whose answers are formulas: how far ratings stray, that points stay, and how far they are behind.

With ``s = 400 / ln 10`` the winning expectancy has the slope ``E (1 - E) / s``.
"""

import math
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path

import numpy as np

from lab_known.answers import KnownAnswer, KnownFigure, about
from lab_known.histories import PairedRounds, drawn_pairs, write_rounds
from ratebook.lab.cells.cell import run_cell
from ratebook.lab.cells.content import CellContent
from ratebook.lab.cells.forecasts import LOGIT
from ratebook.lab.cells.measures import Measures
from ratebook.lab.competitors.competitor import Competitor
from ratebook.lab.worlds.draws import Draws
from ratebook.rules.rulebook import load_rulebook

LEVEL = 1500.0
FIRST_DAY = date(2010, 1, 1).toordinal()
NO_BONUS = {"bonus_multiplier": 1e300}
TOLERANCE = {8.0: 0.03, 16.0: 0.06, 32.0: 0.06}
"""By which the formula is off where E (1 - E) is not 1/4, since ratings stray."""


def measured(
    history: Path, since: int, competitor: Competitor | None, rules: Mapping[str, str | float] | None = None
) -> CellContent:
    """Return what a cell of a history measures from a day number on."""
    rulebook = load_rulebook().with_overlay(rules or {})
    measures = Measures(since=date.fromordinal(since), competitor=competitor)
    content = run_cell(history, rulebook, measures, history.with_suffix(".blocks")).content
    assert content is not None, "the history is ours"
    return content


def elo(k: float) -> Competitor:
    """Return Elo with a K."""
    return Competitor("elo", (("k", k),))


def _still(folder: Path, players: int, rounds: int) -> Path:
    """Return a pool of equal players, each of whom plays one game a day."""
    draws = Draws(5, f"still pool of {players}")
    return write_rounds(
        PairedRounds(
            openings=np.full(players, LEVEL),
            day=FIRST_DAY + np.arange(rounds),
            member=drawn_pairs(players, rounds, draws),
            strength=np.full((rounds, players), LEVEL),
        ),
        draws,
        folder / f"still-{players}-{rounds}",
    )


def _variance(folder: Path, players: int, rounds: int, ks: tuple[float, ...]) -> Iterator[KnownFigure]:
    history = _still(folder, players, rounds)
    for k in ks:
        a = k * LOGIT / 4.0
        wanted = k / (LOGIT * 2.0 * (1.0 - a))
        # Until then the exact openings are forgotten.
        settled = FIRST_DAY + round(3.0 / a)
        got = measured(history, settled, elo(k)).truth.rms_error
        assert got is not None, "strengths are known"
        yield about(f"variance of ratings, K = {k:g}, points squared", wanted, TOLERANCE[k] * wanted, got**2)


def _few_stray(folder: Path) -> Iterator[KnownFigure]:
    return _variance(folder, 400, 250, (32.0,))


def _many_stray(folder: Path) -> Iterator[KnownFigure]:
    return _variance(folder, 2_000, 1_200, (8.0, 16.0, 32.0))


def _points_stay(folder: Path) -> Iterator[KnownFigure]:
    players, rounds, a_game = 200, 80, 1.5
    draws = Draws(6, "pool that grows")
    member = drawn_pairs(players, rounds, draws)
    grows = np.arange(players) < players // 4
    began = LEVEL + 200.0 * draws.bells(players)
    strength = began[member] + np.where(grows[member], a_game * np.arange(rounds)[:, None], 0.0)
    history = write_rounds(
        PairedRounds(began, FIRST_DAY + np.arange(rounds), member, strength),
        draws,
        folder / "pool-that-grows",
    )
    level = measured(history, FIRST_DAY, elo(24.0)).level[-1].active
    assert level.mean is not None, "all are active"
    assert level.strength is not None, "strengths are known"
    yield about("mean rating of a closed pool under Elo, points", float(began.mean()), 1e-9, level.mean)
    grown = a_game * (rounds - 1) * float(grows.mean())
    bias = level.mean - level.strength
    yield about("its bias when a quarter of the pool grows, points", -grown, 1e-9, bias)
    added = measured(history, FIRST_DAY, None, NO_BONUS).balance[-1].causes
    entered = (added["unequal K"] + added["second pass"]) / (players * rounds)
    yield KnownFigure(
        "what the rules without bonus add a player and game, points (not zero)", 0.001, 0.5, entered
    )


def _lag(folder: Path, players: int, share_drawn: float) -> Iterator[KnownFigure]:
    """Yield the lag of players who gain two points a game, each against someone new who is as strong at that time."""
    rounds, a_game, k = 300, 2.0, 32.0
    strength = LEVEL - 300.0 + a_game * np.repeat(np.arange(rounds)[:, None], 2 * players, axis=1)
    member = np.empty((rounds, 2 * players), "i8")
    member[:, ::2] = np.arange(players)
    member[:, 1::2] = players + np.arange(rounds * players).reshape(rounds, players)
    openings = np.concatenate([strength[0, ::2], strength[:, 1::2].reshape(-1)])
    history = write_rounds(
        PairedRounds(openings, FIRST_DAY + np.arange(rounds), member, strength, share_drawn),
        Draws(7, "improving"),
        folder / f"improving-{players}",
    )
    lag = measured(history, FIRST_DAY + rounds // 2, elo(k)).truth.lag
    assert lag is not None, "strengths are known"
    wanted = a_game / (k * LOGIT / 4.0)
    yield about(
        "lag of a player who gains 2 points a game, K = 32, points",
        wanted,
        0.05 * wanted,
        lag.points or math.nan,
    )
    for unit, measured_lag in (("games", lag.games), ("days", lag.days)):
        yield about(f"the same in {unit}", wanted / a_game, 0.05 * wanted / a_game, measured_lag or math.nan)


def _one_is_behind(folder: Path) -> Iterator[KnownFigure]:
    # Between equals every game is drawn: the expectation happens.
    return _lag(folder, 1, 1.0)


def _many_are_behind(folder: Path) -> Iterator[KnownFigure]:
    # The more draws, the less ratings stray, and the nearer E (1 - E) is to 1/4.
    return _lag(folder, 1_000, 0.75)


SPREAD = "a deviation e becomes (1 - a) e + a e' + K x with a = K / (4 s) and x of variance 1/4"
ELO = (
    KnownAnswer("A5", "equal fixed players: the variance of Elo is K s / (2 (1 - a))", SPREAD, _few_stray),
    KnownAnswer("A5", "the same for several K", SPREAD, _many_stray, long=True),
    KnownAnswer(
        "A6",
        "a closed pool keeps its mean under Elo, so that growth becomes bias; the rules without bonus add points",
        "what one gains the other loses, unless K differs or E comes from later ratings",
        _points_stay,
    ),
    KnownAnswer(
        "A7",
        "a player who gains g points a game is g / (K E (1 - E) / s) behind under Elo",
        "so far behind that a game is expected to give g",
        _one_is_behind,
    ),
    KnownAnswer(
        "A7", "the same for 1,000 players with results by chance", "as before", _many_are_behind, long=True
    ),
)

"""What is kept of a cell: the figures of one replay. What is None was not measured, or is not known of this history.

Ratings, strengths and differences of them are in rating points, losses in nats a game unless said.
"""

import math
from collections.abc import Mapping
from typing import Any

from ratebook.records.record import record


@record
class Scores:
    """Scores of a set of forecasts, most of them a game; `ratebook.lab.cells.scores` has the formulas.

    *accuracy* is of decided games, *bias* the favourite's mean of score minus forecast. What scores do not determine of
    the logistic regressions (*slope*, *intercept*, *scale*) is NaN.
    """

    games: int = 0
    log_loss: float = math.nan
    brier: float = math.nan
    reliability: float = math.nan
    resolution: float = math.nan
    calibration_error: float = math.nan
    kaggle: float = math.nan
    accuracy: float = math.nan
    slope: float = math.nan
    intercept: float = math.nan
    scale: float = math.nan
    bias: float = math.nan


@record
class PopulationScores(Scores):
    """Scores of one of the populations of games (`ratebook.lab.cells.strata`)."""

    population: str


@record
class CalibrationPoint:
    """Games of a class of differences: its middle, how many, and the sums of forecasts and of scores."""

    difference: float
    games: int
    forecast: float
    score: float


@record
class MonthsError:
    """Months of players, and the error of what was forecast of their scores."""

    months: int
    error: float


@record
class DrawsLoss:
    """Forecasts of wins, draws and losses: the share of draws from training games, and the loss of those scored."""

    training_games: int
    games: int
    draws: float | None = None
    log_loss: float | None = None


@record
class LagClass:
    """A class of strengths from *lowest* on: entries of those who improve, and by how much they are rated too low."""

    lowest: float
    entries: int
    points: float


@record
class Lag:
    """How far ratings are behind those who improve, and how many years of players are counted."""

    player_years: int
    points: float | None = None
    days: float | None = None
    games: float | None = None
    classes: tuple[LagClass, ...] = ()


@record
class BiasClass:
    """A class of strengths from *lowest* on: entries, and the mean of rating less strength."""

    lowest: float
    entries: int
    bias: float


@record
class TruthFigures:
    """Forecasts and ratings against true strengths.

    Attributes:
        games: between established players.
        excess: nats a game over forecasts that know the truth.
        bias, rms_error: of rating less strength.
        spread: of ratings, by that of strengths.
        correlation: of ratings and strengths.
        coverage: shares of the strengths within 1, 2 and 3 deviations, if the system has deviations.
        classes: by strength; empty where strengths are not known.
        lag: of those who improve.
    """

    games: int = 0
    excess: float | None = None
    bias: float | None = None
    rms_error: float | None = None
    spread: float | None = None
    correlation: float | None = None
    coverage: tuple[float, ...] = ()
    classes: tuple[BiasClass, ...] = ()
    lag: Lag | None = None


@record
class Group:
    """Players at the end of a year: how many, the means of their ratings and true strengths, percentiles of ratings.

    *change* is the mean gain since the year before of those who had a rating then, with its standard error.
    """

    players: int
    mean: float | None = None
    strength: float | None = None
    percentiles: Mapping[str, float] | None = None
    change: float | None = None
    change_error: float | None = None

    @property
    def level(self) -> float | None:
        """Return the mean rating less the mean strength where that is known."""
        return None if self.mean is None else self.mean - (self.strength or 0.0)


@record
class AgeGroup(Group):
    """Those of an age, both bounds included."""

    youngest: int
    oldest: int


@record
class RegionGroup(Group):
    """Those who live in a region."""

    region: str


@record
class YearLevel:
    """The level at the end of a year, of the monitoring cohort and of established players who played in the year.

    *ages* and *regions* are parts of these; *strong* and *at_floor* their shares of 2200 or more, and at a floor, NaN
    where there is none; *tau* is Kendall's, of their ratings and strengths.
    """

    year: int
    cohort: Group
    active: Group
    strong: float
    at_floor: float
    tau: float | None
    ages: tuple[AgeGroup, ...]
    regions: tuple[RegionGroup, ...]


@record
class ChangeClass:
    """A class of ratings from *lowest* on: sections, mean absolute change, and mean K; NaN where none had a K."""

    lowest: float
    sections: int
    change: float
    k: float


@record
class ChangeFigures:
    """Pairs of consecutive sections, the autocorrelation of surprises, the mean absolute change, both by class."""

    pairs: int
    autocorrelation: float
    change: float
    classes: tuple[ChangeClass, ...]


@record
class YearBalance:
    """The pool of points at the end of a year, and what entered it since the year before, by cause."""

    year: int
    pool: float
    causes: Mapping[str, float]


@record
class FittedConstant:
    """The constant of a competitor that was fitted, and the games between established players from which it follows.

    Attributes:
        value: rating points.
        games: how many.
        on_edge: whether it is at an end of the values tried, so that it is no optimum.
    """

    value: float
    games: int
    on_edge: bool


@record
class CellContent:
    """What is kept of a cell: the version that computed it, what it measured, as text, and the figures.

    Scores are of populations of games, level and balance by year, all others of games between established players.
    """

    ratebook: str
    measures: Any
    fitted: FittedConstant | None
    scores: tuple[PopulationScores, ...]
    player_months: MonthsError
    three_way: DrawsLoss | None
    calibration: tuple[CalibrationPoint, ...]
    truth: TruthFigures
    level: tuple[YearLevel, ...]
    changes: ChangeFigures
    balance: tuple[YearBalance, ...]

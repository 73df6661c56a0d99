"""A conversion of one rating to another from players who have both: a table with intervals, and an overlay of it."""

import math
from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from ratebook.lab.fits import curves
from ratebook.lab.fits.pairs import Pair
from ratebook.lab.worlds.draws import Draws
from ratebook.replay.memory import Array

RESAMPLES = 200
BOUNDS = (0.025, 0.975)
PERCENTS = (5, 25, 50, 75, 95)
DIGITS, SLOPE_DIGITS = 4, 7
PLACES = 200
"""At which the lines of an overlay follow a curved table."""


class FitMethod(StrEnum):
    """How a curve is found."""

    LOESS = "loess"
    PIECES = "pieces"
    EQUIPERCENTILE = "equipercentile"


class ConvertedRule(StrEnum):
    """The rule of the timeline that an overlay changes."""

    FIDE = "fide"
    FIDE_YOUTH = "fide-youth"
    CFC = "cfc"


MOST_KNOTS = {ConvertedRule.FIDE: 1, ConvertedRule.FIDE_YOUTH: 1, ConvertedRule.CFC: 3}
"""Knees that the form of a rule has."""


class FitSettings(NamedTuple):
    """How a conversion is fitted: by loess of a *span* and *degree*, or by straight pieces.

    Knots that are None are chosen, for so many *pieces*. Rows are a *step* of rating points apart; *seed* is of the
    samples that the bootstrap draws.
    """

    method: FitMethod = FitMethod.LOESS
    span: float = 0.75
    degree: int = 2
    knots: tuple[float, ...] | None = None
    pieces: int = 2
    step: int = 5
    seed: int = 1


class FittedRow(NamedTuple):
    """One row of a conversion table, not rounded, with an interval of 95 %."""

    foreign: float
    rating: float
    low: float
    high: float


class ConversionFit(NamedTuple):
    """A conversion table with what it rests on: how many *pairs*, and what these players have more than the table says.

    *spread* is the robust scale of these residuals, in points as their percentiles; *interval* says where intervals
    come from.
    """

    method: FitMethod
    pairs: int
    spread: float
    interval: str
    residuals: Mapping[int, float]
    rows: tuple[FittedRow, ...]
    pieces: curves.Pieces | None


class FittedOverlay(NamedTuple):
    """A file for ``--rules``, and by how much its lines differ from the table at most, points."""

    text: str
    difference: float


def fit_conversion(pairs: Sequence[Pair], settings: FitSettings | None = None) -> ConversionFit:
    """Return the conversion table that a curve through the ratings of players gives.

    The rows are the multiples of the step between the lowest and the highest foreign rating; nothing is extrapolated.
    The intervals of loess are those of its library (t distribution of the local fits), the others are percentiles of
    fits to samples that are drawn from the players again and again (bootstrap), with the knots as they were found.
    R95 prints the span; the degree of the local polynomials is the library's and S's default (inferred).

    Raises:
        FitError: these ratings cannot be fitted, as where nearly all players have the same one.

    Source: R95, appendix A; docs/rules/readings.md#conversion-fits.
    """
    settings = settings or FitSettings()
    ordered = sorted(pairs)
    x, y = (np.array([pair[place] for pair in ordered], dtype=np.float64) for place in (0, 1))
    step = settings.step
    if not ordered:
        raise curves.FitError("no player is left")
    steps = range(math.ceil(x[0] / step), math.floor(x[-1] / step) + 1)
    at = np.array([step * number for number in steps], dtype=np.float64)
    if not at.size:
        raise curves.FitError(f"no multiple of {step} is between {x[0]:g} and {x[-1]:g}")
    pieces = None
    if settings.method is FitMethod.LOESS:
        curve = curves.loess_curve(x, y, at, span=settings.span, degree=settings.degree)
    elif settings.method is FitMethod.PIECES:
        pieces = _pieces(x, y, settings)
        curve = curves.pieces_curve(x, y, at, pieces)
    else:
        curve = curves.equipercentile_curve(x, y, at)
    bounds = curve.bounds or _resampled(x, y, at, pieces, settings.seed)
    rows = zip(*(column.tolist() for column in (at, curve.values, *bounds)), strict=True)
    return ConversionFit(
        method=settings.method,
        pairs=len(ordered),
        spread=curve.spread,
        interval="analytic" if settings.method is FitMethod.LOESS else f"bootstrap, {RESAMPLES} samples",
        residuals=dict(zip(PERCENTS, np.percentile(y - curve.fitted, PERCENTS).tolist(), strict=True)),
        rows=tuple(FittedRow(*row) for row in rows),
        pieces=pieces,
    )


def _pieces(x: Array, y: Array, settings: FitSettings) -> curves.Pieces:
    if settings.knots is None and settings.pieces > 1:
        return curves.pieces_with_knots(x, y, settings.pieces - 1)
    return curves.fitted_pieces(x, y, settings.knots or ())


def _resampled(x: Array, y: Array, at: Array, pieces: curves.Pieces | None, seed: int) -> tuple[Array, Array]:
    """Return bounds between which the curves of most samples lie."""
    draws, samples = Draws(seed, "bootstrap"), []
    for _ in range(RESAMPLES):
        drawn = np.sort(draws.below(len(x), len(x)))
        try:
            if pieces is None:
                samples.append(curves.equipercentile_curve(x[drawn], y[drawn], at).values)
            else:
                samples.append(curves.fitted_pieces(x[drawn], y[drawn], pieces.knots)(at))
        except curves.FitError:
            continue
    if len(samples) < RESAMPLES / 2:
        raise curves.FitError("most samples of the players allow no such fit")
    low, high = np.quantile(samples, BOUNDS, axis=0)
    return low, high


def overlay_of(fit: ConversionFit, rule: ConvertedRule, since: date) -> FittedOverlay:
    """Return an overlay that converts by a fit from a day on.

    The rules are straight pieces; a curved table is followed by as many as the rule has.

    Raises:
        FitError: the rule has fewer knees than the fit has knots.
    """
    foreign, rating = (np.array([row[place] for row in fit.rows]) for place in (0, 1))
    most = MOST_KNOTS[rule]
    # Between its rows the table is a line, whatever the step.
    places = np.linspace(foreign[0], foreign[-1], PLACES)
    pieces = fit.pieces or curves.pieces_with_knots(places, np.interp(places, foreign, rating), most)
    if len(pieces.knots) > most:
        raise curves.FitError(f"the rule has {most + 1} pieces, the fit {len(pieces.knots) + 1}")
    settings = _cfc(pieces) if rule is ConvertedRule.CFC else _fide(pieces)
    values = ", ".join(f"{name} = {value}" for name, value in settings.items())
    text = (
        f"# Fitted to {fit.pairs} players by {fit.method.value}; residual scale {fit.spread:.1f} points.\n"
        f"[[{rule.value.replace('-', '_')}_conversion.values]]\nfrom = {since.isoformat()}\nis = {{ {values} }}\n"
    )
    return FittedOverlay(text, float(np.abs(pieces(foreign) - rating).max()))


def _fide(pieces: curves.Pieces) -> dict[str, str]:
    """Return the values of a rule with one knee; it is out of reach where there is one line."""
    knee = _number(pieces.knots[0]) if pieces.knots else '"unlimited"'
    settings = {"knee": knee}
    for name, place in (("low", 0), ("high", -1)):
        settings |= _line(name, pieces, place)
    return settings


def _cfc(pieces: curves.Pieces) -> dict[str, str]:
    settings = {"knees_belong_below": "1"}
    for number in range(MOST_KNOTS[ConvertedRule.CFC] + 1):
        place = min(number, len(pieces.knots))
        lines = _line("line", pieces, place)
        settings |= {f"{name.removeprefix('line_')}_{number + 1}": value for name, value in lines.items()}
        if number < MOST_KNOTS[ConvertedRule.CFC]:
            inside = number < len(pieces.knots)
            settings[f"knee_{number + 1}"] = _number(pieces.knots[number]) if inside else '"unlimited"'
    return settings


def _line(name: str, pieces: curves.Pieces, place: int) -> dict[str, str]:
    return {
        f"{name}_intercept": _number(pieces.intercepts[place]),
        f"{name}_slope": _number(pieces.slopes[place], SLOPE_DIGITS),
    }


def _number(value: float, digits: int = DIGITS) -> str:
    return repr(round(value, digits))

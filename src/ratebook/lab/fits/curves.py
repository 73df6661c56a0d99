"""Three ways to a curve through the pairs of two ratings, as functions of arrays.

* *loess*, robust: R95, appendix A; the library is Cleveland's own code (docs/decisions/0022-loess-from-its-authors.md);
* *pieces*: straight lines that meet at knots, robust by the same weights against outliers;
* *equipercentile*: the rating above the same share of players, whoever they are, with both distributions smoothed by
  normal kernels that keep mean and variance (von Davier, Holland and Thayer 2004).
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr
from skmisc.loess import loess

from ratebook.replay.memory import Array

ROUNDS = 3
"""How often loess weighs the players against outliers and fits again. R has four fits by default; the library's
prediction weighs the residuals of its last fit once more, so that its three are R's four."""
MOST_FITTED_DIRECTLY = 2_000
"""With more players the library fits at some places and blends between them, as its authors meant it to."""
OUTLIER_SCALES = 6.0
"""Residuals from so many medians of all residuals on have no weight (Cleveland 1979)."""
MOST_ROUNDS, SETTLED = 60, 1e-7
LEAST_AT_A_KNOT = 5
CANDIDATES = 30
"""Places that are tried for a knot."""
POINTS = 100.0
GRID_POINTS = 4.0
"""Between the places at which smoothed distributions are computed; much less than a kernel's width."""
KERNEL = 0.9
"""Silverman's factor: the width of a kernel is 0.9 min(sd, IQR / 1.34) n^(-1/5)."""
NORMAL_IQR = 1.34


class FitError(ValueError):
    """The ratings allow no such fit."""


class FittedCurve(NamedTuple):
    """A fitted curve, at the places that were asked for (*values*) and at the pairs (*fitted*).

    *spread* is the robust scale of the residuals, rating points; *bounds* are of an interval of 95 % at the places,
    None where the method has no error of its own.
    """

    values: Array
    fitted: Array
    spread: float
    bounds: tuple[Array, Array] | None = None


def loess_curve(  # noqa: PLR0913 - two samples and the library's own settings
    x: Array,
    y: Array,
    at: Array,
    *,
    span: float,
    degree: int,
    robust: bool = True,
    direct: bool | None = None,
) -> FittedCurve:
    """Return a loess of *y* on *x*, with the library's intervals.

    Args:
        x: of the pairs, in rising order.
        y: of the pairs.
        at: places within *x*.
        span: part of the pairs in each local fit.
        degree: of the local polynomials.
        robust: weigh against outliers.
        direct: fit at every place, or blend; None: as the number of pairs says.

    Raises:
        FitError: the library cannot fit these, as where nearly all of *x* are equal.
    """
    exact = len(x) <= MOST_FITTED_DIRECTLY if direct is None else direct
    try:
        model = loess(
            x,
            y,
            span=span,
            degree=degree,
            family="symmetric" if robust else "gaussian",
            surface="direct" if exact else "interpolate",
            statistics="approximate",
            iterations=ROUNDS,
        )
        model.fit()
        predicted = model.predict(at, stderror=True)
        interval = predicted.confidence(0.05)
    except ValueError as failure:
        raise FitError("the foreign ratings lie in too few places") from failure
    spread = float(model.outputs.residual_scale)
    if not (np.isfinite(predicted.values).all() and np.isfinite(spread)):
        raise FitError("the foreign ratings lie in too few places")
    return FittedCurve(
        np.array(predicted.values),
        np.array(model.outputs.fitted_values),
        spread,
        (np.array(interval.lower), np.array(interval.upper)),
    )


class Pieces(NamedTuple):
    """Straight lines that meet at knots.

    Attributes:
        knots: in rising order, rating points.
        intercepts, slopes: of each line, one more than there are knots.
    """

    knots: tuple[float, ...]
    intercepts: tuple[float, ...]
    slopes: tuple[float, ...]

    def __call__(self, x: Array) -> Array:
        """Return the values at *x*."""
        piece = np.searchsorted(self.knots, x, side="left")
        return np.asarray(np.array(self.intercepts)[piece] + np.array(self.slopes)[piece] * x)


def pieces_curve(x: Array, y: Array, at: Array, pieces: Pieces) -> FittedCurve:
    """Return straight pieces as a curve."""
    fitted = pieces(x)
    return FittedCurve(pieces(at), fitted, _scale(y - fitted))


def fitted_pieces(x: Array, y: Array, knots: tuple[float, ...]) -> Pieces:
    """Return the straight pieces with these knots, fitted by weights that leave out outliers.

    The bisquare weights ``(1 - (r / 6 median|r|)^2)^2`` of the residuals r and the fit follow from each other until
    both stay as they are.

    Raises:
        FitError: a piece has too few players.
    """
    return _fitted(x, y, knots)[0]


def pieces_with_knots(x: Array, y: Array, count: int) -> Pieces:
    """Return straight pieces with the *count* knots that leave the least loss, found one after the other.

    Raises:
        FitError: there are too few players or places for so many.
    """
    low, high = np.quantile(x, [0.05, 0.95]).tolist()
    places = np.unique(np.round(np.linspace(low, high, CANDIDATES) / 10.0) * 10.0)
    if len(places) < 2 * count:
        raise FitError("the foreign ratings lie in too few places")
    # The outliers of a curve without kinks would be the ends; so all knots begin apart from each other.
    start = np.quantile(x, np.arange(1, count + 1) / (count + 1))
    knots = [float(places[np.argmin(np.abs(places - knot))]) for knot in start]
    if len(set(knots)) < count:
        knots = places[np.linspace(0, len(places) - 1, count + 2).astype(int)[1:-1]].tolist()
    scale = max(_fitted(x, y, tuple(knots))[1], 1e-9)
    best = np.inf
    while True:
        before = best
        for number in range(count):
            least = knots[number - 1] if number else -np.inf
            most = knots[number + 1] if number + 1 < count else np.inf
            for place in places[(places > least) & (places < most)].tolist():
                other_knots = (*knots[:number], place, *knots[number + 1 :])
                try:
                    loss = _loss(y - _fitted(x, y, other_knots)[0](x), scale)
                except FitError:
                    continue
                if loss < best:
                    best, knots = loss, list(other_knots)
        if not best < before:
            return _fitted(x, y, tuple(knots))[0]


def _fitted(x: Array, y: Array, knots: tuple[float, ...]) -> tuple[Pieces, float]:
    """Return the pieces with these knots, and the scale of their residuals."""
    counts = np.bincount(np.searchsorted(knots, x, side="left"), minlength=len(knots) + 1)
    if counts.min() < LEAST_AT_A_KNOT:
        raise FitError(f"a piece has fewer than {LEAST_AT_A_KNOT} players")
    # A line through the median, and for each knot what bends the line there.
    middle = float(np.median(x))
    bends = [np.maximum(x - knot, 0.0) / POINTS for knot in knots]
    basis = np.column_stack([np.ones_like(x), (x - middle) / POINTS, *bends])
    coefficients, scale = _without_outliers(basis, y)
    slopes = np.cumsum(coefficients[1:]) / POINTS
    intercepts = [float(coefficients[0] - slopes[0] * middle)]
    for knot, before, after in zip(knots, slopes[:-1], slopes[1:], strict=True):
        # Two lines meet at their knot.
        intercepts.append(intercepts[-1] + float(before - after) * knot)
    return Pieces(knots, tuple(intercepts), tuple(slopes.tolist())), scale


def _without_outliers(basis: Array, y: Array) -> tuple[Array, float]:
    """Return the coefficients of *y* in a *basis*, by least squares reweighted until they settle, and their scale.

    Source: Holland and Welsch, "Robust regression using iteratively reweighted least squares" (1977); the weights are
    Tukey's bisquare.
    """
    weight, coefficients = np.ones_like(y), np.zeros(basis.shape[1])
    for _ in range(MOST_ROUNDS):
        weighted = basis * weight[:, None]
        try:
            better = np.linalg.solve(weighted.T @ basis, weighted.T @ y)
        except np.linalg.LinAlgError as failure:
            raise FitError("the foreign ratings lie in too few places") from failure
        settled = np.abs(better - coefficients).max() < SETTLED * max(float(np.abs(better).max()), 1.0)
        coefficients = better
        residuals = y - basis @ coefficients
        scale = _scale(residuals)
        if settled or scale < SETTLED:
            break
        weight = _bisquare(residuals / (OUTLIER_SCALES * scale))
    return coefficients, scale


def _scale(residuals: Array) -> float:
    return float(np.median(np.abs(residuals)))


def _bisquare(at: Array) -> Array:
    return np.maximum(1.0 - at * at, 0.0) ** 2


def _loss(residuals: Array, scale: float) -> float:
    """Return the sum of Tukey's loss, of which the bisquare weights are the derivative."""
    at = residuals / (OUTLIER_SCALES * scale)
    return float((1.0 - np.maximum(1.0 - at * at, 0.0) ** 3).sum())


def equipercentile_curve(x: Array, y: Array, at: Array) -> FittedCurve:
    """Return the rating of *y* that is above the same share of players as each place is of *x*.

    ``e(x) = G^-1(F(x))`` with F and G the distributions of the two ratings, smoothed.

    Raises:
        FitError: all of one sample are equal.
    """
    (x_grid, x_shares), (y_grid, y_shares) = _smoothed(x), _smoothed(y)
    rising = np.concatenate([[True], np.diff(np.maximum.accumulate(y_shares)) > 0])

    def equal(place: Array) -> Array:
        share = np.interp(place, x_grid, x_shares)
        return np.asarray(np.interp(share, y_shares[rising], y_grid[rising]))

    fitted = equal(x)
    return FittedCurve(equal(at), fitted, _scale(y - fitted))


def _smoothed(sample: Array) -> tuple[Array, Array]:
    """Return places and the share below each of a sample, smoothed by kernels that keep its mean and variance."""
    deviation = float(sample.std())
    quarter, three = np.quantile(sample, [0.25, 0.75])
    narrow = min(deviation, float(three - quarter) / NORMAL_IQR) or deviation
    if not narrow > 0.0:
        raise FitError("all ratings of one kind are equal")
    width = KERNEL * narrow * len(sample) ** -0.2
    shrunk = deviation / np.hypot(deviation, width)
    mean = sample.mean()
    rating, count = np.unique(sample, return_counts=True)
    middle, width = mean + shrunk * (rating - mean), shrunk * width
    grid = np.arange(rating[0] - 6.0 * width, rating[-1] + 6.0 * width, GRID_POINTS)
    return grid, ndtr((grid[:, None] - middle) / width) @ count / len(sample)

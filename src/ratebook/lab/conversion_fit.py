"""The conversion of one rating to another from players who have both, as the Ratings Committee fitted it in 1995.

R95, appendix A: a local regression ("loess") of the one rating on the other, robust against outliers, each fit over the
nearest 75 % of the players. The library is Cleveland's own code (docs/decisions/0022-loess-from-its-authors.md), which
only ``fit_conversion`` loads.
"""

import csv
import math
from collections.abc import Sequence
from typing import NamedTuple

from ratebook.findings import Finding
from ratebook.formats.contract import Findings
from ratebook.formats.reading.fields import close_match, shown
from ratebook.formats.reading.sheets.header import plain_title
from ratebook.formats.reading.sheets.sheet import separator_of
from ratebook.formats.reading.text import decoded_text

LEAST_PLAYERS = 10
MOST_PLAYERS = 20_000
LOWEST, HIGHEST = 100.0, 3500.0
"""Ratings outside are slips of the keyboard."""

_MOST_FITTED_DIRECTLY = 2_000
"""With more players the library fits at some places and blends between them, as its authors meant it to."""
_ROUNDS = 4
"""How often the players are weighted against outliers and fitted again, the library's own number."""


class Pair(NamedTuple):
    """The two ratings of one player."""

    foreign: float
    rating: float


class FittedRow(NamedTuple):
    """One row of a conversion table, not rounded."""

    foreign: float
    rating: float


class ConversionFit(NamedTuple):
    """A conversion table with what it rests on; *spread* is the robust scale of the residuals, in points."""

    pairs: int
    span: float
    degree: int
    spread: float
    rows: tuple[FittedRow, ...]


class FitError(ValueError):
    """The ratings allow no such fit."""


def parse_pairs(
    data: bytes, name: str, *, foreign: str | None = None, rating: str | None = None
) -> tuple[tuple[Pair, ...], tuple[Finding, ...]]:
    r"""Return the pairs of a CSV file whose first line names its columns, and all findings.

    The columns are those called *foreign* and *rating*, else the first and the second. A row in which one of the two
    ratings is empty says nothing.

    >>> parse_pairs(b"fide,uscf\n2440,2525\n", "pairs.csv")[0]
    (Pair(foreign=2440.0, rating=2525.0),)
    """
    findings = Findings()
    text, _ = decoded_text(data)
    lines = [line for line in text.split("\n") if line.strip()]
    if "\0" in text or not lines:
        findings.add("pairs-missing", name)
        return (), findings.of_file(name)
    try:
        header, *rows = csv.reader(lines, delimiter=separator_of(lines[:1]), strict=True)
    except csv.Error:
        findings.add("pairs-missing", name)
        return (), findings.of_file(name)
    titles = list(map(plain_title, header))
    at = [
        _column(findings, name, titles, wanted, default) for default, wanted in enumerate((foreign, rating))
    ]
    if None in at:
        return (), findings.of_file(name)
    pairs = []
    for number, row in enumerate(rows, start=2):
        cells = [row[column].strip() if column is not None and column < len(row) else "" for column in at]
        if "" in cells:
            continue
        values = [_rating_of(cell) for cell in cells]
        for cell, value in zip(cells, values, strict=True):
            if value is None:
                findings.add("pair-rating-wrong", f"{name} row {number}", text=shown(cell))
        if None not in values:
            pairs.append(Pair(*(value for value in values if value is not None)))
    if not findings.has_errors and not LEAST_PLAYERS <= len(pairs) <= MOST_PLAYERS:
        findings.add("pairs-count", name, count=len(pairs), least=LEAST_PLAYERS, most=MOST_PLAYERS)
    return tuple(pairs), findings.of_file(name)


def _column(
    findings: Findings, name: str, titles: Sequence[str], wanted: str | None, default: int
) -> int | None:
    """Return where a column is; None with a finding where there is none."""
    if wanted is None:
        if default < len(titles):
            return default
        findings.add("pairs-missing", name)
        return None
    title = "_".join(wanted.casefold().replace("-", " ").split())
    if title in titles:
        return titles.index(title)
    remedy = close_match(title, frozenset(titles))
    findings.add("pair-column-missing", name, column=shown(wanted), remedy=remedy)
    return None


def _rating_of(text: str) -> float | None:
    """Return the rating that a cell holds, None where it holds none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if LOWEST <= value <= HIGHEST else None


def fit_conversion(
    pairs: Sequence[Pair], *, span: float = 0.75, degree: int = 2, step: int = 5
) -> ConversionFit:
    """Return the conversion table that a robust loess of the one rating on the other gives.

    The rows are the multiples of *step* between the lowest and the highest foreign rating; nothing is extrapolated.
    R95 prints the *span*; the *degree* of the local polynomials is the library's and S's default (inferred).

    Raises:
        FitError: the library cannot fit these ratings, as where nearly all players have the same one.

    Source: R95, appendix A; docs/rules/readings.md#conversion-fits.
    """
    import numpy as np  # noqa: PLC0415 - the extra "lab"
    from skmisc.loess import loess  # noqa: PLC0415 - the extra "lab"

    ordered = sorted(pairs)
    foreign = np.array([pair.foreign for pair in ordered])
    rating = np.array([pair.rating for pair in ordered])
    lowest, highest = ordered[0].foreign, ordered[-1].foreign
    steps = range(math.ceil(lowest / step), math.floor(highest / step) + 1)
    at = np.array([step * number for number in steps], dtype=np.float64)
    if not at.size:
        raise FitError(f"no multiple of {step} is between {lowest:g} and {highest:g}")
    surface = "direct" if len(pairs) <= _MOST_FITTED_DIRECTLY else "interpolate"
    try:
        model = loess(
            foreign,
            rating,
            span=span,
            degree=degree,
            family="symmetric",
            surface=surface,
            statistics="approximate",
            iterations=_ROUNDS,
        )
        model.fit()
        fitted = model.predict(at).values
    except ValueError as failure:
        raise FitError("the foreign ratings lie in too few places") from failure
    spread = float(model.outputs.residual_scale)
    if not (np.isfinite(fitted).all() and math.isfinite(spread)):
        raise FitError("the foreign ratings lie in too few places")
    rows = tuple(FittedRow(float(x), float(y)) for x, y in zip(at, fitted, strict=True))
    return ConversionFit(len(pairs), span, degree, spread, rows)

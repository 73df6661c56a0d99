"""The command that fits a conversion of ratings to players who have both, as appendix A of the 1995 report does."""

import math
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path

import click

from ratebook.bounded_files import MOST_BYTES, bounded_bytes
from ratebook.cli.command import command, option
from ratebook.cli.hints import STANDARD_INPUT, standard_input
from ratebook.cli.options import (
    PATH,
    FiniteRange,
    PlaceOfFile,
    WholeRange,
    WordOf,
    day_option,
    default_option,
)
from ratebook.cli.output import TextTable
from ratebook.cli.output_files import write_or_fail
from ratebook.cli.show import fail, fail_unreadable, fail_with, json_option, show
from ratebook.findings import Place
from ratebook.lab.fits.conversions import (
    MOST_KNOTS,
    ConversionFit,
    ConvertedRule,
    FitMethod,
    FitSettings,
    FittedRow,
    fit_conversion,
    overlay_of,
)
from ratebook.lab.fits.curves import FitError
from ratebook.lab.fits.pairs import Pair, parse_pairs
from ratebook.rating.formulas import rounded

MOST_ROWS = 1_000
LEAST_SPAN = 0.2
MOST_PIECES = max(MOST_KNOTS.values()) + 1
BESIDE = 5
"""How many pairs of columns the printed tables of 1995 have beside each other."""


def knots_of(text: str) -> tuple[float, ...]:
    """Return ratings in rising order, as ``1500,2000``, or end with a usage error."""
    try:
        knots = tuple(float(knot) for knot in text.split(","))
    except ValueError:
        knots = ()
    rising = all(low < high for low, high in pairwise(knots))
    if not 1 <= len(knots) < MOST_PIECES or not rising or not all(map(math.isfinite, knots)):
        raise click.BadParameter(
            f"{text!r} is not one to {MOST_PIECES - 1} ratings in rising order; write 1500,2000."
        )
    return knots


@command("fit-conversion", json_option)
@click.argument("path", type=PlaceOfFile(allow_dash=True, readable=False), metavar="FILE")
@option("--from COLUMN", "Column of the rating to convert (default: first).", name="foreign")
@option("--to COLUMN", "Column of the rating to fit (default: second).", name="rating")
@option("--least", "Leave out players below this rating to convert.", FiniteRange(100, 3500))
@default_option("--method", "How the curve is found.", WordOf(FitMethod), default=FitMethod.LOESS.value)
@default_option(
    "--span", "Loess: share of the players in each local fit.", FiniteRange(LEAST_SPAN, 1), default=0.75
)
@default_option("--degree", "Loess: degree of the local polynomials.", WholeRange(1, 2), default=2)
@default_option(
    "--pieces", "Number of straight pieces; their knots are chosen.", WholeRange(1, MOST_PIECES), default=2
)
@option("--knots RATINGS", "Where pieces meet, as 1500,2000, instead of --pieces.", knots_of)
@default_option("--step", "Rating points between two rows.", WholeRange(1, 500), default=5)
@option("--out RULES.toml", "Write an overlay for --rules; needs --rule and --since.", PATH)
@option("--rule", "The conversion that the overlay changes.", WordOf(ConvertedRule))
@day_option("--since", "First day on which the overlay applies.")
def fit_conversion_command(
    path: str,
    foreign: str | None,
    rating: str | None,
    least: float | None,
    method: FitMethod,
    span: float,
    degree: int,
    pieces: int,
    knots: tuple[float, ...] | None,
    step: int,
    out: Path | None,
    rule: ConvertedRule | None,
    since: date | None,
) -> None:
    """Fit a conversion of ratings to the players in FILE who have both.

    FILE is a CSV file with a row for each player; "-" reads standard input. loess is what the committee used in 1995;
    pieces are straight lines that meet at knots; with both, outliers do not bend the curve. equipercentile takes the
    rating that an equal share of players reaches. The table ends at the players' lowest and highest ratings; an overlay
    continues its first and last line.

    Examples:
      ratebook lab fit-conversion both-ratings.csv --from fide --to uscf --least 2200
      ratebook lab fit-conversion cfc.csv --method pieces --pieces 3 --json
      ratebook lab fit-conversion both.csv --method pieces --rule fide --since 2026-01-01 --out new-fide.toml
    """
    if foreign is not None and foreign == rating:
        raise click.UsageError("--from and --to name the same column; give two.")
    if len({out is None, rule is None, since is None}) > 1:
        raise click.UsageError("--out, --rule and --since belong together; give all three or none.")
    pairs, findings = parse_pairs(_read(path), path, foreign=foreign, rating=rating)
    if findings:
        fail(findings)
    fitted = [pair for pair in pairs if least is None or pair.foreign >= least]
    if rows_of(fitted, step) > MOST_ROWS:
        raise click.UsageError(f"--step {step} gives more than {MOST_ROWS} rows; choose a larger one.")
    settings = FitSettings(method, span, degree, knots, pieces, step)
    overlay = None
    try:
        fit = fit_conversion(fitted, settings)
        if rule is not None and since is not None:
            overlay = overlay_of(fit, rule, since)
    except FitError as failure:
        fail_with("fit-impossible", Place(file=path), failure=str(failure))
    if overlay is not None and out is not None:
        write_or_fail({out.name: overlay.text.encode()}, out)
    content = {
        **fit._asdict(),
        "settings": settings,
        "rows": [{**row._asdict(), "displayed": rounded(row.rating)} for row in fit.rows],
        "overlay": overlay,
    }
    lines = list(words_of(fit, settings))
    if overlay is not None:
        lines.append(
            f"Written to {out}; it differs from the table by {overlay.difference:.1f} points at most."
        )
    show("lab-fit-conversion", content, as_printed(lines[0], fit.rows), *lines[1:], findings=None)


def _read(path: str) -> bytes:
    try:
        return standard_input() if path == STANDARD_INPUT else bounded_bytes(path, MOST_BYTES)
    except OSError as failure:
        fail_unreadable(path, failure)


def rows_of(pairs: Sequence[Pair], step: int) -> int:
    """Return how many rows a table will have."""
    foreign = [pair.foreign for pair in pairs]
    return math.floor((max(foreign) - min(foreign)) / step) + 1 if foreign else 0


def words_of(fit: ConversionFit, settings: FitSettings) -> list[str]:
    """Return what a fit rests on: its title, its lines, its residuals and its intervals."""
    how = {
        FitMethod.LOESS: f"robust loess, span {settings.span:g}, degree {settings.degree}",
        FitMethod.PIECES: "straight pieces",
        FitMethod.EQUIPERCENTILE: "equal percentiles",
    }[fit.method]
    lines_of_fit = [f"Conversion by {how}: {fit.pairs} players, residual scale {fit.spread:.1f}"]
    if fit.pieces is not None:
        bounds = [*(f"up to {knot:g}" for knot in fit.pieces.knots), "above"]
        lines = zip(bounds, fit.pieces.intercepts, fit.pieces.slopes, strict=True)
        lines_of_fit += [
            f"{bound}: {intercept:.2f} + {slope:.5f} x rating" for bound, intercept, slope in lines
        ]
    shares = ", ".join(f"{percent} %: {value:+.0f}" for percent, value in fit.residuals.items())
    lines_of_fit.append(f"Players less the table, percentiles: {shares}.")
    middle = fit.rows[len(fit.rows) // 2]
    lines_of_fit.append(
        f"At {middle.foreign:.0f}, 95 % interval {middle.low:.1f} to {middle.high:.1f} ({fit.interval});"
        " --json has those of all rows."
    )
    return lines_of_fit


def as_printed(title: str, rows: Sequence[FittedRow]) -> TextTable:
    """Return a table as those of 1995 are printed: five pairs of columns, filled one after the other.

    >>> as_printed("T", [FittedRow(2200, 2216.6, 2210, 2223), FittedRow(2205, 2225, 2219, 2231)]).rows
    [['2200', '2217', '2205', '2225']]
    """
    deep = math.ceil(len(rows) / BESIDE)
    columns = [rows[start : start + deep] for start in range(0, len(rows), deep)]
    lines = [
        [text for column in columns for text in _cells(column[line] if line < len(column) else None)]
        for line in range(deep)
    ]
    return TextTable(title, ["From", "To"] * len(columns), lines)


def _cells(row: FittedRow | None) -> tuple[str, str]:
    return ("", "") if row is None else (f"{row.foreign:.0f}", f"{rounded(row.rating):.0f}")

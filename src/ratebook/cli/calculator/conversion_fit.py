"""The command that fits a conversion of ratings to players who have both, as appendix A of the 1995 report does."""

import math
import sys
from collections.abc import Sequence
from importlib.util import find_spec

import click

from ratebook.cli.command import command
from ratebook.cli.hints import STANDARD_INPUT
from ratebook.cli.options import FiniteRange, WholeRange
from ratebook.cli.output import TextTable
from ratebook.cli.show import fail, fail_with, json_option, show
from ratebook.formats.source import MOST_BYTES, SourceError, bounded_bytes
from ratebook.lab.conversion_fit import FitError, FittedRow, Pair, fit_conversion, parse_pairs
from ratebook.rating.formulas import rounded

MOST_ROWS = 1_000
LEAST_SPAN = 0.2
BESIDE = 5
"""How many pairs of columns the printed tables of 1995 have beside each other."""


@command("conversion-fit", json_option)
@click.argument("path", type=click.Path(allow_dash=True, readable=False), metavar="FILE")
@click.option("--from", "foreign", metavar="COLUMN", help="Column of the rating to convert (default: first).")
@click.option("--to", "rating", metavar="COLUMN", help="Column of the rating to fit (default: second).")
@click.option(
    "--span",
    type=FiniteRange(LEAST_SPAN, 1),
    default=0.75,
    show_default=True,
    help="Part of the players in each local fit.",
)
@click.option(
    "--degree", type=WholeRange(1, 2), default=2, show_default=True, help="Of the local polynomials."
)
@click.option(
    "--step", type=WholeRange(1, 500), default=5, show_default=True, help="Points between two rows."
)
@click.option("--least", type=FiniteRange(100, 3500), help="Leave out players below this rating to convert.")
def conversion_fit_command(
    path: str,
    foreign: str | None,
    rating: str | None,
    span: float,
    degree: int,
    step: int,
    least: float | None,
) -> None:
    """Fit a conversion of ratings to the players in FILE who have both, by robust loess.

    FILE is a CSV file with a row for each player; "-" reads standard input. The table is made as
    those of 1995 were: players at the edge or beyond the rest do not bend it, and no rating beyond
    the players' own is converted.

    Examples:
      ratebook conversion-fit both-ratings.csv
      ratebook conversion-fit both-ratings.csv --from fide --to uscf --least 2200
      ratebook conversion-fit cfc.csv --step 10 --json
    """
    if foreign is not None and foreign == rating:
        raise click.UsageError("--from and --to name the same column; give two.")
    for name in ("numpy", "skmisc"):
        if find_spec(name) is None:
            fail_with("lab-library-missing", name, name=name)
    try:
        data = sys.stdin.buffer.read() if path == STANDARD_INPUT else bounded_bytes(path, MOST_BYTES)
    except SourceError as refused:
        fail([refused.finding])
    except OSError as failure:
        fail_with("file-unreadable.source", path, reason=failure.strerror or str(failure))
    pairs, findings = parse_pairs(data, path, foreign=foreign, rating=rating)
    if findings:
        fail(findings)
    kept = [pair for pair in pairs if least is None or pair.foreign >= least]
    if rows_of(kept, step) > MOST_ROWS:
        raise click.UsageError(f"--step {step} gives more than {MOST_ROWS} rows; choose a larger one.")
    try:
        if not kept:
            raise FitError("no player is left")  # noqa: TRY301 - the same words as of the fit
        found = fit_conversion(kept, span=span, degree=degree, step=step)
    except FitError as failure:
        fail_with("fit-impossible", path, failure=str(failure))
    title = (
        f"Conversion by robust loess: {found.pairs} players, span {found.span:g}, degree {found.degree},"
        f" residual scale {found.spread:.1f}"
    )
    content = {
        **found._asdict(),
        "rows": [{**row._asdict(), "displayed": rounded(row.rating)} for row in found.rows],
    }
    show("conversion-fit", content, as_printed(title, found.rows), findings=None)


def rows_of(pairs: Sequence[Pair], step: int) -> int:
    """Return how many rows a table will have."""
    foreign = [pair.foreign for pair in pairs]
    return math.floor((max(foreign) - min(foreign)) / step) + 1 if foreign else 0


def as_printed(title: str, rows: Sequence[FittedRow]) -> TextTable:
    """Return a table as those of 1995 are printed: five pairs of columns, filled one after the other.

    >>> as_printed("T", [FittedRow(2200, 2216.6), FittedRow(2205, 2225)]).rows
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

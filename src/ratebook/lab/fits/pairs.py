"""Players who have two ratings, read from a table."""

from typing import NamedTuple

import polars as pl

from ratebook.findings import Finding, Findings, Place
from ratebook.formats.reading.fields import close_match, shown
from ratebook.formats.reading.sheets.header import plain_title
from ratebook.lab.imports.games import table_of, within

LEAST_PLAYERS = 10
MOST_PLAYERS = 20_000
LOWEST, HIGHEST = 100.0, 3500.0
"""Ratings outside are slips of the keyboard."""


class Pair(NamedTuple):
    """The two ratings of one player."""

    foreign: float
    rating: float


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
    table = table_of(data)
    if table is None or table.width < len(Pair._fields):
        findings.add("pairs-missing", Place(file=name))
        return (), findings.of_file(name)
    columns = [_column(findings, name, table, title, at) for at, title in enumerate((foreign, rating))]
    if findings.has_errors:
        return (), findings.of_file(name)
    texts = table.select(
        pl.col(column).str.strip_chars().replace("", None).alias(field)
        for field, column in zip(Pair._fields, columns, strict=True)
    )
    both = texts.with_row_index("row", 2).drop_nulls()
    values = both.with_columns(
        within(pl.col(field), pl.Float64, LOWEST, HIGHEST).name.suffix("_value") for field in Pair._fields
    )
    for field in Pair._fields:
        for row, text in values.filter(pl.col(f"{field}_value").is_null()).select("row", field).iter_rows():
            findings.add("pair-rating-wrong", Place(file=name, rows=(row,)), text=shown(text))
    pairs = tuple(map(Pair._make, values.drop_nulls().select(r"^.*_value$").iter_rows()))
    if not findings.has_errors and not LEAST_PLAYERS <= len(pairs) <= MOST_PLAYERS:
        findings.add(
            "pairs-count", Place(file=name), count=len(pairs), least=LEAST_PLAYERS, most=MOST_PLAYERS
        )
    return pairs, findings.of_file(name)


def _column(findings: Findings, name: str, table: pl.DataFrame, wanted: str | None, default: int) -> str:
    """Return the title of a column, with a finding where there is none."""
    if wanted is None:
        return table.columns[default]
    titles = {plain_title(title): title for title in table.columns}
    title = "_".join(wanted.casefold().replace("-", " ").split())
    if title not in titles:
        remedy = close_match(title, frozenset(titles))
        findings.add("pair-column-missing", Place(file=name), column=shown(wanted), remedy=remedy)
    return titles.get(title, "")

"""Players who have two ratings, read from a table."""

import csv
from collections.abc import Sequence
from typing import NamedTuple

from ratebook.findings import Finding, Findings, Place
from ratebook.formats.reading.fields import close_match, shown
from ratebook.formats.reading.sheets.header import plain_title
from ratebook.formats.reading.sheets.sheet import separator_of
from ratebook.formats.reading.text import decoded_text

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
    text, _ = decoded_text(data)
    lines = [line for line in text.split("\n") if line.strip()]
    if "\0" in text or not lines:
        findings.add("pairs-missing", Place(file=name))
        return (), findings.of_file(name)
    try:
        header, *rows = csv.reader(lines, delimiter=separator_of(lines[:1]), strict=True)
    except csv.Error:
        findings.add("pairs-missing", Place(file=name))
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
                findings.add("pair-rating-wrong", Place(file=name, rows=(number,)), text=shown(cell))
        if None not in values:
            pairs.append(Pair(*(value for value in values if value is not None)))
    if not findings.has_errors and not LEAST_PLAYERS <= len(pairs) <= MOST_PLAYERS:
        findings.add(
            "pairs-count", Place(file=name), count=len(pairs), least=LEAST_PLAYERS, most=MOST_PLAYERS
        )
    return tuple(pairs), findings.of_file(name)


def _column(
    findings: Findings, name: str, titles: Sequence[str], wanted: str | None, default: int
) -> int | None:
    """Return where a column is; None with a finding where there is none."""
    if wanted is None:
        if default < len(titles):
            return default
        findings.add("pairs-missing", Place(file=name))
        return None
    title = "_".join(wanted.casefold().replace("-", " ").split())
    if title in titles:
        return titles.index(title)
    remedy = close_match(title, frozenset(titles))
    findings.add("pair-column-missing", Place(file=name), column=shown(wanted), remedy=remedy)
    return None


def _rating_of(text: str) -> float | None:
    """Return the rating that a cell holds, None where it holds none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if LOWEST <= value <= HIGHEST else None

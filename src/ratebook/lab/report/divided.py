"""Tables of the report that divide a cell by rating class, age, region or cause, with a column for each variant."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ratebook.lab.cells.balance import CAUSES
from ratebook.lab.cells.content import CellContent, Group
from ratebook.lab.cells.measures import Figure
from ratebook.lab.studies.lock import Lock
from ratebook.lab.studies.summary import cells_of, mean_of
from ratebook.lab.studies.tables import figure_text

Figures: TypeAlias = Mapping[tuple[float, str], tuple[Figure, ...]]
"""Figures of a cell by part; a part has its place in the order, and its words."""

ABREAST = 5
"""Variants side by side in a table, which must fit on paper."""


class DividedTable(NamedTuple):
    """A table: its title, what its figures are, the heading of the parts, variants, and the rows with their texts."""

    title: str
    caption: str
    head: str
    names: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]


def divided_tables(lock: Lock) -> Iterator[DividedTable]:
    """Yield the tables that have something to show; with several worlds, figures are means with their intervals."""
    cells = cells_of(lock)
    worlds = len(lock.worlds)
    surely = "exact for this history" if worlds == 1 else f"means over {worlds} federations, ± 95 %"
    players = f"Active established players at the end of the last year: mean rating / median, {surely}"
    tables: tuple[tuple[str, str, str, Callable[[CellContent], Figures], tuple[str, ...]], ...] = (
        (
            "K and changes by rating class",
            f"Sections of established players, by their own ratings: mean K / mean absolute change, points, {surely}",
            "From",
            _classes,
            (".1f", ".1f"),
        ),
        ("The level by age", players, "Age", _ages, (".0f", ".0f")),
        ("The level by region", players, "Region", _regions, (".0f", ".0f")),
        (
            "Where rating points come from, all variants",
            f"Rating points that enter the pool in a year, mean of the scored years, {surely}",
            "Cause",
            lambda cell: _causes(cell, lock.since.year),
            ("+,.0f",),
        ),
    )
    for title, caption, head, read, forms in tables:
        sides = {name: [read(cell) for cell in worlds] for name, worlds in cells.items()}
        parts = sorted({part for side in sides.values() for figures in side for part in figures})
        for names in batched(list(cells), ABREAST) if parts else ():
            rows = [(part[1], [_text(sides[name], part, forms) for name in names]) for part in parts]
            yield DividedTable(title, caption, head, names, [row for row in rows if any(row[1])])


def batched(names: Sequence[str], size: int) -> list[Sequence[str]]:
    """Return names in batches of a *size*.

    >>> batched(["a", "b", "c"], 2)
    [['a', 'b'], ['c']]
    """
    return [names[first : first + size] for first in range(0, len(names), size)]


def _text(side: Sequence[Figures], part: tuple[float, str], forms: Sequence[str]) -> str:
    """Return the means over worlds of a part's figures; empty where a world has none."""
    known = [figures[part] for figures in side if part in figures]
    if not known or len(known) < len(side):
        return ""
    texts = [
        figure_text(*mean_of(list(values)), form)
        for values, form in zip(zip(*known, strict=True), forms, strict=True)
    ]
    return " / ".join(text or "-" for text in texts)


def _classes(cell: CellContent) -> Figures:
    return {(row.lowest, f"{row.lowest:.0f}"): (row.k, row.change) for row in cell.changes.classes}


def _ages(cell: CellContent) -> Figures:
    groups = cell.level[-1].ages if cell.level else ()
    return {
        (group.youngest, f"{group.youngest} to {group.oldest}"): _means(group)
        for group in groups
        if group.players
    }


def _regions(cell: CellContent) -> Figures:
    return {(0.0, group.region): _means(group) for group in (cell.level[-1].regions if cell.level else ())}


def _means(group: Group) -> tuple[Figure, ...]:
    return group.mean, (group.percentiles or {}).get("50", math.nan)


def _causes(cell: CellContent, since: int) -> Figures:
    years = [line for line in cell.balance if line.year >= since]
    return {
        (float(place), cause): (sum(line.causes[cause] for line in years) / len(years),)
        for place, cause in enumerate(CAUSES)
        if years
    }

"""What another variant makes of persons: who moves most, and who gains or loses a title or a floor. For offices only.

Titles are those that follow from ratings; norms are not known here.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from ratebook.lab.cells.forecasts import PROVISIONAL_GAMES
from ratebook.lab.cells.members.people import people_beside
from ratebook.lab.studies.store import CellFiles, table_in
from ratebook.pages.columns import Column, Columns
from ratebook.replay.memory import Array
from ratebook.titles.classes import rating_class
from ratebook.titles.title_rules import title_rules

PERCENTILES = (1, 5, 25, 50, 75, 95, 99)


class Mover(NamedTuple):
    """A member whose rating differs; ratings in points, as they are displayed."""

    id: str
    first: int
    second: int
    difference: int
    first_class: str
    second_class: str


class Turnover(NamedTuple):
    """How many members have something in the first variant, in the second, and in one of them alone."""

    what: str
    first: int
    second: int
    gained: int
    lost: int


MOVERS: Columns[Mover] = (
    Column("Id", "id"),
    Column("First", "first", "right"),
    Column("Second", "second", "right"),
    Column("Difference", "difference", "right", "+d"),
    Column("Class", "first_class"),
    Column("becomes", lambda one: "" if one.second_class == one.first_class else one.second_class),
)
TURNOVERS: Columns[Turnover] = (
    Column("What", "what"),
    Column("First", "first", "right", ","),
    Column("Second", "second", "right", ","),
    Column("Gained", "gained", "right", ","),
    Column("Lost", "lost", "right", ","),
)


class PeopleCompared(NamedTuple):
    """Members established in two variants: how many, and what the second does to their titles, floors and classes.

    *percentiles* are of the second rating less the first; *movers* those whom the second raises or lowers most, the
    largest gain first.
    """

    members: int
    percentiles: dict[str, float]
    movers: tuple[Mover, ...]
    turnovers: tuple[Turnover, ...]


def people_between(first: CellFiles, second: CellFiles, history: Path, most: int) -> PeopleCompared:
    """Return how the members of a history differ in two cells, with *most* of those who gain and of those who lose.

    Raises:
        OSError: a cell was computed without its people.
        DamagedCellError: it has been damaged.
    """
    one, other = (table_in(people_beside(place.games)) for place in (first, second))
    joined = one.join(other, on="member", suffix="_second").filter(
        (pl.col("games") > PROVISIONAL_GAMES) & (pl.col("games_second") > PROVISIONAL_GAMES)
    )
    shown = (
        joined.with_columns(
            pl.Series(name, displayed(joined[name].to_numpy())).cast(pl.Int64)
            for name in ("rating", "rating_second")
        )
        .with_columns(difference=pl.col("rating_second") - pl.col("rating"))
        .sort("difference", "member", descending=[True, False])
    )
    difference = (joined["rating_second"] - joined["rating"]).to_numpy()
    values = np.percentile(difference, PERCENTILES).tolist() if len(joined) else []
    ids = pl.read_parquet(history / "members.parquet", columns=["id"])["id"]
    ups, downs = (
        shown.head(most).filter(pl.col("difference") > 0),
        shown.tail(most).filter(pl.col("difference") < 0),
    )
    return PeopleCompared(
        members=len(joined),
        percentiles=dict(zip(map(str, PERCENTILES), values, strict=False)),
        movers=tuple(_mover(row, ids) for row in pl.concat([ups, downs]).iter_rows(named=True)),
        turnovers=tuple(_turnovers(joined)),
    )


def _mover(row: dict[str, int], ids: pl.Series) -> Mover:
    first, second = row["rating"], row["rating_second"]
    classes = rating_class(float(first)).name, rating_class(float(second)).name
    return Mover(ids[row["member"]], first, second, row["difference"], *classes)


def _turnovers(joined: pl.DataFrame) -> Iterator[Turnover]:
    """Yield the turnover of titles, of floors by level, and of classes."""
    peaks, ratings, floors, masters = (
        [joined[name + suffix].to_numpy() for suffix in ("", "_second")]
        for name in ("peak", "rating", "floor", "life_master")
    )
    all_floors = np.concatenate(floors)
    # Neither of these is known of a competitor.
    for title in () if np.isnan(all_floors).any() else title_rules().titles:
        if title.original_life_master:
            yield _turnover(title.name, *masters)
        elif title.norm_level is None and title.established is not None:
            yield _turnover(title.name, *(displayed(peak) >= title.established for peak in peaks))
    # Everyone has the lowest one.
    for level in [] if np.isnan(all_floors).any() else np.unique(all_floors)[1:].tolist():
        yield _turnover(f"floor of {level:g} or more", *(floor >= level for floor in floors))
    for rating in title_rules().classes:
        yield _turnover(f"{rating.name} or better", *(displayed(end) >= rating.lowest for end in ratings))


def _turnover(what: str, first: Array, second: Array) -> Turnover:
    return Turnover(
        what, int(first.sum()), int(second.sum()), int((second & ~first).sum()), int((first & ~second).sum())
    )


def displayed(rating: Array) -> Array:
    """Return ratings as they are displayed, as `ratebook.rating.formulas.rounded` does one by one."""
    return np.asarray(np.floor(rating + 0.5))

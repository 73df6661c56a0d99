"""What a re-rating changes: current ratings before and after it, and how many of each size."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ratebook.book.ledger.changes import RatingChange
from ratebook.pages.columns import Column, Columns

LARGEST_SHOWN = 20
BUCKETS = (1, 5, 10, 25, 50, 100, 200)
"""Upper ends, in displayed rating points, of the classes in which changes are counted."""


def change_columns(names: Mapping[str, str]) -> Columns[RatingChange]:
    """Return the columns of changes, with the members' *names* by id."""
    return (
        Column("ID", "member"),
        Column("Name", lambda change: names.get(change.member, "")),
        Column("System", "system"),
        Column("Before", "before", "right", _shown),
        Column("After", "after", "right", _shown),
        Column("Change", _moved, "right"),
    )


def _moved(change: RatingChange) -> str:
    if change.before is None or change.after is None:
        return "-"
    return f"{change.after - change.before:+.2f}"


def _shown(rating: float | None) -> str:
    return "unrated" if rating is None else f"{rating:.2f}"


class Difference(NamedTuple):
    """What a re-rating changes: sections looked at and rated again, and rows of the ledger added and superseded.

    The largest changes come first; the histogram has the classes of `BUCKETS`, and one above. A *run* of 0 did nothing.
    """

    run: int
    sections: int
    rated: int
    rows: int
    closed: int
    changes: tuple[RatingChange, ...]
    histogram: tuple[int, ...]


SIZES: Columns[tuple[str, int]] = (
    Column("Points", lambda size: size[0]),
    Column("Ratings", lambda size: str(size[1]), "right"),
)


def sizes(histogram: Iterable[int]) -> Iterator[tuple[str, int]]:
    """Yield each class of changes in words, and how many there are."""
    for lower, upper, count in zip((0, *BUCKETS), (*BUCKETS, 0), histogram, strict=True):
        yield (f"above {lower}" if not upper else f"{lower} to {upper}" if lower else f"up to {upper}"), count


NOTHING = Difference(
    run=0, sections=0, rated=0, rows=0, closed=0, changes=(), histogram=(0,) * (len(BUCKETS) + 1)
)


LEAST_LISTED = 0.005
"""A change that is smaller would be listed as +0.00: another order of the same sums."""


def sorted_changes(changes: Iterable[RatingChange]) -> tuple[RatingChange, ...]:
    """Return those of *changes* that two digits after the point show, the largest first."""
    listed = (
        change
        for change in changes
        if change.before is None or change.after is None or change.size >= LEAST_LISTED
    )
    return tuple(sorted(listed, key=lambda change: (-change.size, change.member, change.system)))


def histogram_of(changes: Iterable[RatingChange]) -> tuple[int, ...]:
    """Return how many changes there are of each class of `BUCKETS`, and above them all."""
    sizes = Counter(bisect_left(BUCKETS, change.size) for change in changes)
    return tuple(sizes[at] for at in range(len(BUCKETS) + 1))

"""What a re-rating changes: current ratings before and after it, and how many of each size."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.ledger.read import CURRENT
from ratebook.book.member_files import batches
from ratebook.model import System
from ratebook.pages.columns import Column, Columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sqlalchemy import Connection

ledger = schema.ledger

LARGEST_SHOWN = 20
BUCKETS = (1, 5, 10, 25, 50, 100, 200)
"""Upper ends, in displayed rating points, of the classes in which changes are counted."""


class Change(NamedTuple):
    """A member's current rating in one system before and after a re-rating; None: unrated."""

    member: str
    system: System
    before: float | None
    after: float | None

    @property
    def size(self) -> float:
        """How far the rating moved; a rating that came or went counts in full."""
        return abs((self.after or 0.0) - (self.before or 0.0))


def change_columns(names: Mapping[str, str]) -> Columns[Change]:
    """Return the columns of changes, with the members' *names* by id."""
    return (
        Column("ID", "member"),
        Column("Name", lambda one: names.get(one.member, "")),
        Column("System", "system"),
        Column("Before", lambda one: _shown(one.before), "right"),
        Column("After", lambda one: _shown(one.after), "right"),
        Column("Change", _moved, "right"),
    )


def _moved(one: Change) -> str:
    return "-" if one.before is None or one.after is None else f"{one.after - one.before:+.2f}"


def _shown(rating: float | None) -> str:
    return "unrated" if rating is None else f"{rating:.2f}"


class Difference(NamedTuple):
    """What a re-rating changes.

    Attributes:
        run: its number; 0 where nothing waited.
        sections: sections that were looked at.
        rated: sections and systems rated again, since they read something new.
        rows: ledger rows added.
        closed: ledger rows that gave way.
        changes: current ratings that differ, the largest changes first.
        histogram: members by the size of the change, classes as in `BUCKETS`, the last one above them all.
    """

    run: int
    sections: int
    rated: int
    rows: int
    closed: int
    changes: tuple[Change, ...]
    histogram: tuple[int, ...]


SIZES: Columns[tuple[str, int]] = (
    Column("Points", lambda one: one[0]),
    Column("Ratings", lambda one: str(one[1]), "right"),
)


def sizes(histogram: Iterable[int]) -> Iterator[tuple[str, int]]:
    """Yield each class of changes in words, and how many there are."""
    for lower, upper, count in zip((0, *BUCKETS), (*BUCKETS, 0), histogram, strict=True):
        yield (f"above {lower}" if not upper else f"{lower} to {upper}" if lower else f"up to {upper}"), count


NOTHING = Difference(0, 0, 0, 0, 0, (), (0,) * (len(BUCKETS) + 1))


def changes_of(connection: Connection, run: int) -> tuple[Change, ...]:
    """Return the current ratings that *run* changed, the largest changes first, from the rows it closed and added."""
    return tuple(sorted(_changes(connection, run), key=lambda one: (-one.size, one.member, one.system)))


def histogram_of(changes: Iterable[Change]) -> tuple[int, ...]:
    """Return how many changes there are of each class of `BUCKETS`, and above them all."""
    sizes = Counter(_bucket(one.size) for one in changes)
    return tuple(sizes[at] for at in range(len(BUCKETS) + 1))


def _changes(connection: Connection, run: int) -> Iterator[Change]:
    own = select(schema.postings.c.id).where(schema.postings.c.run_id == run)
    ours = set(connection.execute(own).scalars())
    touched = {
        (member, system)
        for member, system in connection.execute(
            select(ledger.c.member_id, ledger.c.system)
            .where(ledger.c.superseded_by.in_(own) | ledger.c.posting_id.in_(own))
            .distinct()
        ).all()
    }
    for batch in batches(sorted({member for member, _ in touched})):
        newest: dict[tuple[str, str], tuple[float | None, float | None]] = {}
        # Rows that were current when the run began: not its own, and closed by nobody or by it.
        history = connection.execute(
            select(
                ledger.c.member_id,
                ledger.c.system,
                ledger.c.rating,
                ledger.c.posting_id,
                ledger.c.superseded_by,
            )
            .where(ledger.c.member_id.in_(batch), CURRENT | ledger.c.superseded_by.in_(own))
            .order_by(ledger.c.place)
        ).all()
        for member, system, rating, posting, closed_by in history:
            before, after = newest.get((member, system), (None, None))
            newest[member, system] = (
                before if posting in ours else rating,
                after if closed_by is not None else rating,
            )
        for (member, system), (before, after) in newest.items():
            if (member, system) in touched and before != after:
                yield Change(member, System(system), before, after)


def _bucket(size: float) -> int:
    for at, end in enumerate(BUCKETS):
        if size <= end:
            return at
    return len(BUCKETS)

"""What a re-rating changed: current ratings before and after it."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.connection import Connection
from ratebook.book.facts.member_files import batches, owners_of, rows_about
from ratebook.book.ledger.read import CURRENT, POSTED
from ratebook.model import System

ledger = schema.ledger
postings = schema.postings


class RatingChange(NamedTuple):
    """A member's current rating in one system before and after a re-rating; None: unrated."""

    member: str
    system: System
    before: float | None
    after: float | None

    @property
    def size(self) -> float:
        """How far the rating moved; a rating that came or went counts in full."""
        return abs((self.after or 0.0) - (self.before or 0.0))


def rating_changes(connection: Connection, run: int) -> Iterator[RatingChange]:
    """Yield the current ratings that *run* changed, from the rows that it closed and added."""
    own = select(postings.c.id).where(postings.c.run_id == run)
    ours = set(connection.execute(own).scalars())
    moved = select(ledger.c.member_id, ledger.c.system).where(
        ledger.c.superseded_by.in_(own) | ledger.c.posting_id.in_(own)
    )
    touched = {(member, system) for member, system in connection.execute(moved.distinct())}
    for batch in batches(sorted({member for member, _ in touched})):
        newest: dict[tuple[str, str], tuple[float | None, float | None]] = {}
        # Rows that were current when the run began: not its own, and closed by no other.
        columns = (
            ledger.c[name] for name in ("member_id", "system", "rating", "posting_id", "superseded_by")
        )
        history = connection.execute(
            select(*columns)
            .where(ledger.c.member_id.in_(batch), CURRENT | ledger.c.superseded_by.in_(own))
            .order_by(ledger.c.place)
        ).all()
        for member, system, rating, posting, closed_by in history:
            before, after = newest.get((member, system), (None, None))
            newest[member, system] = (
                before if posting in ours else rating,
                after if closed_by is not None else rating,
            )
        opened = _opening_ratings(connection, batch)
        for (member, system), ratings in newest.items():
            before, after = (opened.get((member, system)) if rating is None else rating for rating in ratings)
            if (member, system) in touched and before != after:
                yield RatingChange(member, System(system), before, after)


def _opening_ratings(connection: Connection, members: list[str]) -> dict[tuple[str, str], float]:
    """Return the ratings of opening balances, by member and system: those of members who have no row."""
    opened: dict[tuple[str, str], float] = {}
    owner = owners_of(connection, members)
    balances = schema.opening_balances
    for row in rows_about(connection, select(balances), balances.c.member_id, sorted(owner)):
        holding = owner[row.member_id]
        if row.member_id == holding or (holding, row.system) not in opened:
            opened[holding, row.system] = row.rating
    return opened


def misplaced_postings(connection: Connection, section_ids: set[int]) -> list[tuple[int, System]]:
    """Return the current postings whose section, of those given, was withdrawn or is at another place now."""
    sections = schema.sections
    rows = connection.execute(
        select(postings.c.section_id, postings.c.system)
        .join_from(postings, sections)
        .where(
            postings.c.section_id.in_(section_ids),
            POSTED,
            (postings.c.place != sections.c.place) | sections.c.withdrawn,
        )
    )
    return [(section, System(system)) for section, system in rows.all()]

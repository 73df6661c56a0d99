"""The official ratings of active players, among whom one has a rank."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, exists, select

from ratebook.book import schema
from ratebook.book.figures.federation import BAND
from ratebook.book.ledger.read import CURRENT, ledger
from ratebook.model import System
from ratebook.records.federation import RatingBand
from ratebook.records.players import Rank

members, ratings = schema.members, schema.published_ratings


class ActiveRatings(NamedTuple):
    """The official ratings of active players in a system, the lowest first: all of them, and by state."""

    everywhere: Sequence[int]
    by_state: Mapping[str, Sequence[int]]

    @property
    def bands(self) -> tuple[RatingBand, ...]:
        """Return how many of them are in each hundred, the lowest first, none left out."""
        if not self.everywhere:
            return ()
        first, last = (rating // BAND * BAND for rating in (self.everywhere[0], self.everywhere[-1]))
        below = [bisect_left(self.everywhere, least) for least in range(first, last + 2 * BAND, BAND)]
        return tuple(
            RatingBand(least=first + at * BAND, players=after - before)
            for at, (before, after) in enumerate(pairwise(below))
        )

    def rank(self, rating: int, state: str) -> Rank:
        """Return the rank of a rating that is one of these; equal ratings share the better place."""
        beside = self.by_state.get(state, ()) if state else ()
        return Rank(
            place=_place(self.everywhere, rating),
            active=len(self.everywhere),
            state_place=_place(beside, rating) if beside else None,
            state_active=len(beside) or None,
        )


NO_RATINGS = ActiveRatings((), {})


def _place(ratings: Sequence[int], rating: int) -> int:
    return 1 + len(ratings) - bisect_right(ratings, rating)


def active_since(cut_off: date) -> date:
    """Return the day after which a section makes its players active in a list: twelve months before the cut-off.

    >>> active_since(date(2026, 10, 20)), active_since(date(2024, 2, 29))
    (datetime.date(2025, 10, 20), datetime.date(2023, 2, 28))
    """
    try:
        return cut_off.replace(year=cut_off.year - 1)
    except ValueError:
        return cut_off.replace(year=cut_off.year - 1, day=28)


def is_active(ends: Iterable[date], cut_off: date) -> bool:
    """Return whether a player whose sections in a system ended on some days is active in a list."""
    since = active_since(cut_off)
    return any(since < end <= cut_off for end in ends)


def active_ratings(connection: Connection, month: str, cut_off: date, system: System) -> ActiveRatings:
    """Return the official ratings of active players in a system.

    They are read once, since a list never changes; later re-ratings and new homes move nobody in it.
    """
    ratings_of_lists = _KEPT.setdefault(connection.engine, {})
    if (month, system) not in ratings_of_lists:
        # Pages are about the newest list: one set for each system is kept.
        for other in [key for key in ratings_of_lists if key[1] is system]:
            ratings_of_lists.pop(other, None)
        ratings_of_lists[month, system] = _read(connection, month, cut_off, system)
    return ratings_of_lists[month, system]


_KEPT: WeakKeyDictionary[Engine, dict[tuple[str, System], ActiveRatings]] = WeakKeyDictionary()


def _read(connection: Connection, month: str, cut_off: date, system: System) -> ActiveRatings:
    first, end = (active_since(cut_off) + timedelta(days=1), cut_off + timedelta(days=1))
    rows = connection.execute(
        select(ratings.c.rating, members.c.state)
        .join(members, members.c.id == ratings.c.member_id)
        .where(
            ratings.c.list_id == month,
            ratings.c.system == system.value,
            exists().where(
                CURRENT,
                ledger.c.member_id == ratings.c.member_id,
                ledger.c.system == system.value,
                ledger.c.place >= first.isoformat(),
                ledger.c.place < end.isoformat(),
            ),
        )
    )
    everywhere: list[int] = []
    by_state: defaultdict[str, list[int]] = defaultdict(list)
    for rating, state in rows:
        everywhere.append(rating)
        by_state[state].append(rating)
    return ActiveRatings(sorted(everywhere), {state: sorted(those) for state, those in by_state.items()})

"""What re-ratings changed: current ratings before and after one, and the rows that gave way to others."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from sqlalchemy import Select, bindparam, case, func, select, union_all

from ratebook.book import schema
from ratebook.book.connection import Connection
from ratebook.book.facts.member_files import batches, owners_of, rows_about
from ratebook.book.ledger.read import CURRENT, POSTED
from ratebook.book.ledger.rows import end_of_place
from ratebook.book.queries import PreparedQuery
from ratebook.model import System

ledger = schema.ledger
postings = schema.postings
runs, sections, events = schema.runs, schema.sections, schema.events
_LATER = ledger.alias("later")
_TAKES_OVER = (_LATER.c.posting_id == ledger.c.superseded_by) & (_LATER.c.member_id == ledger.c.member_id)
"""Of a row and the one that replaced it."""


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
        # Rows that were current when the run began: not its own, and closed by no other. A range of its postings is one
        # step into an index for each member; all of them would be thousands.
        ratings = select(*(ledger.c[name] for name in _OF_RATING)).where(ledger.c.member_id.in_(batch))
        kinds = (CURRENT, ledger.c.superseded_by.between(min(ours), max(ours)))
        history = chain.from_iterable(connection.execute(ratings.where(kind)).all() for kind in kinds)
        for _, member, system, rating, posting, closed_by in sorted(history, key=itemgetter(0)):
            before, after = newest.get((member, system), (None, None))
            newest[member, system] = (
                before if posting in ours else rating,
                after if closed_by is not None else rating,
            )
        opened = _opening_ratings(connection, batch)
        for (member, system), ends in newest.items():
            before, after = (opened.get((member, system)) if rating is None else rating for rating in ends)
            if (member, system) in touched and before != after:
                yield RatingChange(member, System(system), before, after)


_OF_RATING = ("place", "member_id", "system", "rating", "posting_id", "superseded_by")


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


class ReplacedRow(NamedTuple):
    """A rating after a section, or moved by a decision, that a later *run* replaced or (*now* is None) took away.

    The section and *place* are those of history; *games* and *games_now* are those of the ratings; *decision* is the
    one that moved the rating, as the ledger has it now; *closed_by* is the number of the posting that replaced it.
    """

    section_id: int | None
    place: str
    event_id: str | None
    event_name: str | None
    section: int | None
    system: str
    was: float
    games: float | None
    now: float | None
    games_now: float | None
    run: int
    run_at: str
    decision: int | None
    closed_by: int

    @property
    def end(self) -> date:
        """The day of the rating."""
        return end_of_place(self.place)


class ReplacedPart(NamedTuple):
    """Some replaced rows, those replaced last first, and before which posting older ones are; None: there are none."""

    rows: tuple[ReplacedRow, ...]
    older: int | None


def read_replaced(connection: Connection, member: str, systems: Sequence[System]) -> list[ReplacedRow]:
    """Return the ratings of a member that later runs replaced by others, in the order of history and of the runs."""
    query = _replaced(member).where(ledger.c.system.in_([system.value for system in systems]))
    rows = connection.execute(query.order_by(ledger.c.place, ledger.c.system, runs.c.id))
    replaced = map(ReplacedRow._make, rows)
    return [row for row in replaced if (row.was, row.games) != (row.now, row.games_now)]


def replaced_in(connection: Connection, member: str, event_id: str, number: int) -> list[ReplacedRow]:
    """Return the ratings of a member after one section that later runs replaced, in the order of the runs."""
    query = _replaced(member).where(sections.c.event_id == event_id, sections.c.number == number)
    return [ReplacedRow._make(row) for row in connection.execute(query.order_by(ledger.c.superseded_by))]


def newest_replaced(
    connection: Connection, member: str, *, before: int | None = None, most: int
) -> ReplacedPart:
    """Return the ratings of a member that were replaced last, or last *before* a posting."""
    query = _replaced(member)
    if before is not None:
        query = query.where(ledger.c.superseded_by < before)
    newest_first = query.order_by(ledger.c.superseded_by.desc()).limit(most + 1)
    rows = tuple(map(ReplacedRow._make, connection.execute(newest_first)))
    return ReplacedPart(rows[:most], rows[most - 1].closed_by if len(rows) > most else None)


def _replaced(member: str) -> Select[tuple[object, ...]]:
    return (
        select(
            ledger.c.section_id,
            ledger.c.place,
            sections.c.event_id,
            events.c.name,
            sections.c.number,
            ledger.c.system,
            ledger.c.rating,
            ledger.c.games,
            _LATER.c.rating,
            _LATER.c.games,
            runs.c.id,
            runs.c.started_at,
            postings.c.decision_id,
            ledger.c.superseded_by,
        )
        .join_from(ledger, postings, postings.c.id == ledger.c.superseded_by)
        .join(runs, runs.c.id == postings.c.run_id)
        .outerjoin(sections, sections.c.id == ledger.c.section_id)
        .outerjoin(events, events.c.id == sections.c.event_id)
        .outerjoin(_LATER, _TAKES_OVER)
        .where(ledger.c.member_id == member, ledger.c.superseded_by.is_not(None))
    )


class RatedAgain(NamedTuple):
    """What a run changed in one system of a section.

    Attributes:
        moved: how many ratings are shown as another whole number since.
        largest: by how many points one moved at most, in whole numbers as shown.
        gone: ratings that were taken away, because a player or the section is no longer rated there.
    """

    run: int
    run_at: str
    section_id: int
    place: str
    section: int
    system: System
    moved: int
    largest: float
    gone: int


_DIFFERENCE = func.abs(func.round(_LATER.c.rating) - func.round(ledger.c.rating))
_RATED_AGAIN = PreparedQuery(
    select(
        runs.c.id,
        runs.c.started_at,
        sections.c.id,
        sections.c.place,
        sections.c.number,
        ledger.c.system,
        func.sum(case((_DIFFERENCE >= 1.0, 1), else_=0)),
        func.coalesce(func.max(_DIFFERENCE), 0.0),
        func.sum(case((_LATER.c.rating.is_(None), 1), else_=0)),
    )
    .join_from(sections, ledger, (ledger.c.section_id == sections.c.id) & ledger.c.superseded_by.is_not(None))
    .join(postings, postings.c.id == ledger.c.superseded_by)
    .join(runs, runs.c.id == postings.c.run_id)
    .outerjoin(_LATER, _TAKES_OVER)
    .where(sections.c.event_id == bindparam("event"))
    .group_by(runs.c.id, sections.c.id, ledger.c.system)
    .order_by(runs.c.id.desc(), sections.c.number, ledger.c.system)
    .limit(bindparam("most"))
)


def rated_again(connection: Connection, event_id: str, *, most: int) -> list[RatedAgain]:
    """Return what re-ratings changed in an event, the newest first."""
    rows = _RATED_AGAIN.tuples(connection, event=event_id, most=most)
    return [RatedAgain._make((*row[:5], System(row[5]), *row[6:])) for row in rows]


_OF_EVENT = select(sections.c.id).where(sections.c.event_id == bindparam("event"))
_EVER_POSTED = union_all(
    select(postings.c.section_id, postings.c.run_id).where(postings.c.section_id.in_(_OF_EVENT), POSTED),
    select(ledger.c.section_id, postings.c.run_id)
    .join_from(ledger, postings, postings.c.id == ledger.c.posting_id)
    .where(ledger.c.section_id.in_(_OF_EVENT), ledger.c.superseded_by.is_not(None)),
).subquery()
_FIRST_RATED = PreparedQuery(
    select(sections.c.number, func.min(runs.c.started_at))
    .join_from(sections, _EVER_POSTED, _EVER_POSTED.c.section_id == sections.c.id)
    .join(runs, runs.c.id == _EVER_POSTED.c.run_id)
    .group_by(sections.c.number)
)


def first_rated(connection: Connection, event_id: str) -> dict[int, str]:
    """Return the moments at which sections of an event were rated for the first time, by their numbers."""
    return dict(_FIRST_RATED.tuples(connection, event=event_id))


def misplaced_postings(connection: Connection, section_ids: set[int]) -> list[tuple[int, System]]:
    """Return the current postings whose section, of those given, was withdrawn or is at another place now."""
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

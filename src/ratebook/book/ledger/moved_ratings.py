"""Ratings that a decision moved: rows of the ledger without a section, each following from the row before it."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import add_linked
from ratebook.book.facts.member_files import batches, grouped
from ratebook.book.ledger.read import CURRENT, ROW_COLUMNS
from ratebook.book.ledger.rows import LedgerRow, end_of_place
from ratebook.book.mirrors import Changing, note_changed
from ratebook.model import System
from ratebook.rating.decisions import MOVING

decisions = schema.decisions
ledger = schema.ledger
postings = schema.postings


ADJUSTED = "adjusted"
RAISED = "raised"
"""In the column of formulas: how a decision moved the rating."""


class MovedPlace(NamedTuple):
    """Whose rating moved in which system, at which place of history."""

    member: str
    system: System
    place: str


class MovedRating(NamedTuple):
    """A row that a decision, by its number, gave."""

    decision: int
    row: LedgerRow


class StoredMove(NamedTuple):
    """A moved rating that is current, and the posting of it."""

    posting: int
    moved: MovedRating


def members_decided_about(connection: Connection) -> list[str]:
    """Return the ids of members about whom there is a decision that can move a rating."""
    decided = select(decisions.c.member_id).where(
        decisions.c.kind.in_(MOVING), decisions.c.member_id.is_not(None)
    )
    return list(connection.execute(decided.distinct()).scalars())


def rows_of_sections(connection: Connection, members: Iterable[str]) -> dict[tuple[str, System], list[Any]]:
    """Return the current rows of *members* that sections gave, by member and system in the order of history."""
    rows = (row for batch in batches(members) for row in connection.execute(_SECTION_ROWS, {"ids": batch}))
    return grouped(((row.member_id, System(row.system)), row) for row in rows)


def current_moves(
    connection: Connection, members: Iterable[str] | None = None
) -> dict[MovedPlace, StoredMove]:
    """Return the moved ratings of *members*, or of all, that are current."""
    rows: list[Any] = []
    if members is None:
        rows += connection.execute(_MOVES).all()
    else:
        for batch in batches(members):
            rows += connection.execute(_MOVES.where(ledger.c.member_id.in_(batch))).all()
    return {
        MovedPlace(row.member_id, System(row.system), row.place): StoredMove(
            row.posting_id, MovedRating(row.decision_id, LedgerRow._make(row[4:]))
        )
        for row in rows
    }


class MoveSaid(NamedTuple):
    """How a decision moved a rating: *how* (``ADJUSTED`` or ``RAISED``), to what, when and why."""

    how: str
    rating: float
    day: date
    reason: str


def move_before(connection: Connection, member: str, system: System, place: str) -> MoveSaid | None:
    """Return what moved the rating that a section at *place* starts from; None where the section before it gave it."""
    binds = {"member": member, "system": system.value, "place": place}
    row = connection.execute(_NEWEST_BEFORE, binds).first()
    if row is None or row.reason is None:
        return None
    return MoveSaid(row.formula, row.rating, end_of_place(row.place), row.reason)


def write_moves(
    connection: Connection,
    run: int,
    wanted: Mapping[MovedPlace, MovedRating],
    ended: Mapping[MovedPlace, StoredMove],
) -> None:
    """Post what is *wanted*; the rows that *ended* give way to it, or to a posting without a row."""
    note_changed(connection, Changing.PLAYER, (place.member for place in wanted.keys() | ended.keys()))
    for place in sorted(wanted.keys() | ended.keys()):
        new, old = wanted.get(place), ended.get(place)
        posting = {
            "run_id": run,
            "system": place.system.value,
            "place": place.place,
            "dual_rated": False,
            "withdrawn": new is None,
            "input_hash": "",
            "decision_id": old.moved.decision if new is None and old is not None else new and new.decision,
        }
        number = add_linked(connection, Linked.POSTING, postings, posting)
        if old is not None:
            connection.execute(_END_POSTING, {"old": old.posting, "new": number})
            connection.execute(_END_ROW, {"old": old.posting, "new": number})
        if new is not None:
            row = new.row._asdict() | {
                "posting_id": number,
                "system": place.system.value,
                "place": place.place,
            }
            connection.execute(insert(ledger), [row])


_SECTION_ROWS = (
    select(ledger.c.system, ledger.c.place, *ROW_COLUMNS)
    .where(
        CURRENT, ledger.c.section_id.is_not(None), ledger.c.member_id.in_(bindparam("ids", expanding=True))
    )
    .order_by(ledger.c.place)
)
_MOVES = (
    select(ledger.c.posting_id, postings.c.decision_id, ledger.c.system, ledger.c.place, *ROW_COLUMNS)
    .join_from(ledger, postings, postings.c.id == ledger.c.posting_id)
    .where(CURRENT, ledger.c.section_id.is_(None))
)
_NEWEST_BEFORE = (
    select(ledger.c.formula, ledger.c.rating, ledger.c.place, decisions.c.reason)
    .join_from(ledger, postings, postings.c.id == ledger.c.posting_id)
    .outerjoin(decisions, decisions.c.id == postings.c.decision_id)
    .where(
        CURRENT,
        ledger.c.member_id == bindparam("member"),
        ledger.c.system == bindparam("system"),
        ledger.c.place < bindparam("place"),
    )
    .order_by(ledger.c.place.desc())
    .limit(1)
)
_END_POSTING = (
    update(postings).where(postings.c.id == bindparam("old")).values(superseded_by=bindparam("new"))
)
_END_ROW = (
    update(ledger).where(ledger.c.posting_id == bindparam("old")).values(superseded_by=bindparam("new"))
)

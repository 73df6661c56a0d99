"""Opening balances: where the ledgers of members start."""

from collections.abc import Collection, Mapping
from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select, update

from ratebook.book import schema
from ratebook.book.ledger.read import CURRENT
from ratebook.model import System

balances = schema.opening_balances
ledger = schema.ledger
members = schema.members


class StoredBalance(NamedTuple):
    """The balance of a member in a system, as its columns hold it."""

    as_of: date
    rating: float
    games: float | None
    wins: int | None
    draws: int | None
    losses: int | None
    record: str | None
    long_events: int | None
    peak: float | None
    life_master_games: int | None
    floors: str


class KnownBalance(NamedTuple):
    """A balance that the book has, and the decision that made it."""

    decision: int
    balance: StoredBalance


class Ledgers(NamedTuple):
    """What the book has of the ledgers of members.

    Attributes:
        balances: by the id under which a member is rated, and the system.
        first: the place of the first section in which a member was rated, by that id.
    """

    balances: Mapping[tuple[str, System], KnownBalance]
    first: Mapping[str, str]


def ledgers_of(connection: Connection, canonical: Collection[str]) -> Ledgers:
    """Return what the book has of the ledgers of members, those of ids merged into theirs included."""
    merged = select(members.c.id, members.c.merged_into).where(members.c.merged_into.in_(canonical))
    owner = {one: one for one in canonical}
    owner |= {row.id: row.merged_into for row in connection.execute(merged)}
    known = {
        (owner[row.member_id], System(row.system)): KnownBalance(
            row.decision_id, StoredBalance._make(getattr(row, name) for name in StoredBalance._fields)
        )
        for row in connection.execute(select(balances).where(balances.c.member_id.in_(sorted(owner))))
    }
    first: dict[str, str] = {}
    rated = (
        select(ledger.c.member_id, func.min(ledger.c.place).label("first"))
        .where(CURRENT, ledger.c.member_id.in_(sorted(owner)))
        .group_by(ledger.c.member_id)
    )
    for row in connection.execute(rated):
        member = owner[row.member_id]
        first[member] = min(row.first, first.get(member, row.first))
    return Ledgers(known, first)


def write_balance(  # noqa: PLR0913, PLR0917 - whose, where, what and by which decision
    connection: Connection,
    member: str,
    system: System,
    balance: StoredBalance,
    decision: int,
    before: KnownBalance | None,
) -> None:
    """Write a balance by a decision, replacing the one *before* if there is one."""
    values = {**balance._asdict(), "decision_id": decision}
    if before is None:
        connection.execute(insert(balances).values(values | {"member_id": member, "system": system.value}))
    else:
        same = (balances.c.decision_id == before.decision) & (balances.c.system == system.value)
        connection.execute(update(balances).where(same).values(values))

"""Opening balances: where the ledgers of members start."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select, update

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.facts.member_files import MemberBalance, balance_of, owners_of, stored_rating
from ratebook.book.ledger.read import CURRENT
from ratebook.book.mirrors import Changing, note_changed
from ratebook.model import System

balances = schema.opening_balances
ledger = schema.ledger


class KnownBalance(NamedTuple):
    """A balance that the book has, and the decision that made it."""

    decision: int
    balance: MemberBalance


class Ledgers(NamedTuple):
    """What the book has of the ledgers of members.

    Attributes:
        balances: by the id under which a member is rated, and the system.
        first: the place of the first section in which a member was rated, by that id.
    """

    balances: Mapping[tuple[str, System], KnownBalance]
    first: Mapping[str, str]


def ledgers_of(connection: Connection, canonical: Sequence[str]) -> Ledgers:
    """Return what the book has of the ledgers of members, those of ids merged into theirs included."""
    owner = owners_of(connection, canonical)
    opened = {
        (owner[row.member_id], System(row.system)): KnownBalance(
            row.decision_id, balance_of(row, System(row.system))
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
    return Ledgers(opened, first)


def write_balance(  # noqa: PLR0913, PLR0917 - whose, where, what and by which decision
    connection: Connection,
    member: str,
    system: System,
    balance: MemberBalance,
    decision: int,
    before: KnownBalance | None,
) -> None:
    """Write a balance by a decision, replacing the one *before* if there is one."""
    values = {
        "as_of": balance.as_of,
        **stored_rating(balance.rating, balance.floors),
        "decision_id": decision,
    }
    note_changed(connection, Changing.PLAYER, [member])
    note_linked(connection, Linked.MEMBER, [member])
    if before is None:
        connection.execute(insert(balances).values(values | {"member_id": member, "system": system.value}))
    else:
        same = (balances.c.decision_id == before.decision) & (balances.c.system == system.value)
        connection.execute(update(balances).where(same).values(values))

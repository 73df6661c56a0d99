"""Memberships: from which day to which a member belongs to the federation, both days included."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import date
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked

memberships = schema.memberships

FROM_EVER = date.min
"""First day of a membership of which a list gives the last day alone."""


class Membership(NamedTuple):
    """One membership of a member."""

    member_id: str
    starts: date
    expires: date


def memberships_of(connection: Connection, members: Iterable[str]) -> dict[str, dict[date, date]]:
    """Return the memberships of *members*: the last day by the first."""
    spans: dict[str, dict[date, date]] = defaultdict(dict)
    query = select(memberships).where(memberships.c.member_id.in_(sorted(set(members))))
    for row in connection.execute(query):
        spans[row.member_id][row.starts] = row.expires
    return spans


def write_memberships(
    connection: Connection,
    *,
    ended: Iterable[tuple[str, date]] = (),
    changed: Iterable[Membership] = (),
    added: Collection[Membership] = (),
) -> None:
    """Remove those *ended* (member, first day), give those *changed* another last day, and write those *added*."""

    def same(member: str, starts: date) -> ColumnElement[bool]:
        return (memberships.c.member_id == member) & (memberships.c.starts == starts)

    for member, starts in ended:
        note_linked(connection, Linked.MEMBER, [member])
        connection.execute(delete(memberships).where(same(member, starts)))
    for span in changed:
        note_linked(connection, Linked.MEMBER, [span.member_id])
        is_it = same(span.member_id, span.starts)
        connection.execute(update(memberships).where(is_it).values(expires=span.expires))
    if added:
        note_linked(connection, Linked.MEMBER, (span.member_id for span in added))
        connection.execute(insert(memberships), [span._asdict() for span in added])

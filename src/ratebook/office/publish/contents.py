"""A published list as the values that the writers of lists take: with names, homes and memberships as known today."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from ratebook.book import schema
from ratebook.book.member_files import batches
from ratebook.book.profile import read_federation
from ratebook.office.publish.lists import read_list
from ratebook.official_lists.contents import ListMember, ListRating, OfficialList

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from sqlalchemy import Connection

    from ratebook.model import System


def official_list(connection: Connection, month: str) -> OfficialList:
    """Return the published list of *month*.

    Ratings are as they were published; who the members are is as the book knows today.

    Raises:
        BookError: it is not published.
    """
    rated: dict[str, dict[System, ListRating]] = {}
    names = {}
    for one in read_list(connection, month):
        names[one.member] = one.name
        rated.setdefault(one.member, {})[one.system] = ListRating(one.official.rating, one.official.games)
    homes, expiries = _homes(connection, rated), _expiries(connection, rated)
    lists = schema.published_lists
    cut_off = connection.execute(select(lists.c.cut_off).where(lists.c.id == month)).scalar_one()
    return OfficialList(
        federation=read_federation(connection).profile.name,
        month=month,
        cut_off=cut_off,
        members=tuple(
            ListMember(member, names[member], homes.get(member, ""), expiries.get(member), ratings)
            for member, ratings in sorted(rated.items())
        ),
    )


def _homes(connection: Connection, members: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for batch in batches(members):
        rows = connection.execute(
            select(schema.members.c.id, schema.members.c.state).where(schema.members.c.id.in_(batch))
        )
        found.update((row.id, row.state) for row in rows)
    return found


def _expiries(connection: Connection, members: Iterable[str]) -> dict[str, date]:
    """Return the last day of the newest membership of each member who has one."""
    memberships = schema.memberships
    found: dict[str, date] = {}
    for batch in batches(members):
        rows = connection.execute(
            select(memberships.c.member_id, func.max(memberships.c.expires).label("last"))
            .where(memberships.c.member_id.in_(batch))
            .group_by(memberships.c.member_id)
        )
        found.update((row.member_id, row.last) for row in rows)
    return found

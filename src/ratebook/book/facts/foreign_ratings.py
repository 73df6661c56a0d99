"""Ratings of members on lists of other federations."""

from collections.abc import Collection
from datetime import date
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, delete, insert, select, update

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.connection import Connection

external = schema.external_ratings


class ExternalRating(NamedTuple):
    """A member's rating on a list of another federation, in its rating points."""

    member_id: str
    source: str
    list_date: date
    rating: float


class ListedForeign(NamedTuple):
    """A rating of a FIDE or CFC list; without a rating, one to be removed."""

    source: str
    list_date: date
    rating: float | None


class WrittenRatings(NamedTuple):
    """Which ratings the book did not have, and which it had otherwise."""

    added: list[ExternalRating]
    changed: list[ExternalRating]


def write_foreign_ratings(connection: Connection, ratings: Collection[ExternalRating]) -> WrittenRatings:
    """Write *ratings*, and return those that the book did not have like this."""
    written = WrittenRatings([], [])
    if not ratings:
        return written
    members = sorted({rating.member_id for rating in ratings})
    stored = select(external).where(external.c.member_id.in_(members))
    known = {(row.member_id, row.source, row.list_date): row.rating for row in connection.execute(stored)}
    for rating in ratings:
        before = known.get(rating[:3])
        if before is None:
            written.added.append(rating._replace(rating=float(rating.rating)))
        elif before != rating.rating:
            written.changed.append(rating)
            same = _on_list(rating.member_id, rating.source, rating.list_date)
            connection.execute(update(external).where(same).values(rating=float(rating.rating)))
    note_linked(
        connection, Linked.MEMBER, (rating.member_id for rating in (*written.added, *written.changed))
    )
    if written.added:
        connection.execute(insert(external), [rating._asdict() for rating in written.added])
    return written


def _on_list(member: str, source: str, list_date: date) -> ColumnElement[bool]:
    columns = external.c
    return and_(columns.member_id == member, columns.source == source, columns.list_date == list_date)


def replace_foreign_rating(connection: Connection, member: str, listed: ListedForeign) -> bool:
    """Write a member's rating on one list, or remove it; return whether there was one."""
    note_linked(connection, Linked.MEMBER, [member])
    same = _on_list(member, listed.source, listed.list_date)
    removed = connection.execute(delete(external).where(same))
    if listed.rating is not None:
        connection.execute(insert(external).values({"member_id": member, **listed._asdict()}))
    return removed.rowcount > 0

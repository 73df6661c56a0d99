"""Official lists: closed on their day, published once, never changed."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, insert, select

from ratebook.book import schema
from ratebook.book.audit import note_audit
from ratebook.book.failures import refused
from ratebook.book.ledger.official import OfficialRating, as_published, cut_off_of
from ratebook.book.ledger.pending import read_pending
from ratebook.book.ledger.read import CURRENT
from ratebook.book.profile import read_federation
from ratebook.findings import Finding, Severity, finding, has_errors
from ratebook.model import System
from ratebook.pages.columns import Column, Columns
from ratebook.pages.records import official_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import date

    from sqlalchemy import Connection

    from ratebook.book.connection import Actor, Book
    from ratebook.book.profile import Federation

lists = schema.published_lists
ratings = schema.published_ratings
ledger = schema.ledger

ROWS_AT_ONCE = 5_000


class ListedRating(NamedTuple):
    """One rating of an official list."""

    member: str
    name: str
    system: System
    official: OfficialRating


class Published(NamedTuple):
    """What publishing a list did."""

    month: str
    cut_off: date
    members: int
    ratings: int
    findings: tuple[Finding, ...]


def publish(
    book: Book, month: str, today: date, actor: Actor, *, accepted: Collection[str] = ()
) -> Published:
    """Publish the official list of *month* (``2026-12``).

    It takes the ratings after the sections that ended by its cut-off. Who is rated in no section since stands with the
    same rating again, and an opening balance counts as a rating.

    Args:
        book: the book.
        month: the list's name.
        today: a list is not published before its cut-off has passed.
        actor: who publishes it, and when.
        accepted: codes of what stands against it and was looked at: ``rerate-waits``, ``list-skips-months``.

    Raises:
        BookError: the month is none, the list exists, or its cut-off has not passed.

    Source: docs/rules/readings.md#official-lists; docs/rules/outside.md#7-publication-and-re-rating.
    """
    with book.writing() as connection:
        federation = read_federation(connection)
        cut_off = checked_cut_off(month, federation)
        if today < cut_off:
            raise refused("list-too-early", f"official list {month}", cut_off=cut_off, today=today)
        if connection.execute(select(lists.c.id).where(lists.c.id == month)).first() is not None:
            raise refused("list-published-already", f"official list {month}")
        later = connection.execute(select(lists.c.id).where(lists.c.id > month).limit(1)).scalar()
        if later is not None:
            raise refused("list-out-of-order", f"official list {month}", later=later)
        findings = _against_publishing(connection, month, accepted)
        if has_errors(findings):
            return Published(month, cut_off, 0, 0, tuple(findings))
        connection.execute(
            insert(lists).values(
                id=month,
                cut_off=cut_off,
                published_by=actor.name,
                published_at=actor.at,
                least_games=federation.profile.least_published_games,
                digest=_digest(_rows_to_publish(connection, federation, cut_off)),
            )
        )
        members = set()
        count = 0
        rows = []
        for member, system, official in _rows_to_publish(connection, federation, cut_off):
            members.add(member)
            count += 1
            rows.append(
                {
                    "list_id": month,
                    "member_id": member,
                    "system": system.value,
                    "rating": official.rating,
                    "provisional_games": official.games,
                }
            )
            if len(rows) == ROWS_AT_ONCE:
                connection.execute(insert(ratings), rows)
                rows = []
        if rows:
            connection.execute(insert(ratings), rows)
        note_audit(
            connection, actor, "publish", f"official list {month}", f"{len(members)} members, {count} ratings"
        )
        return Published(month, cut_off, len(members), count, tuple(findings))


def _against_publishing(connection: Connection, month: str, accepted: Collection[str]) -> list[Finding]:
    """Return what should be looked at before a list is closed for good: errors, or notes where it was accepted."""
    found = []
    waiting = len(read_pending(connection))
    if waiting:
        found.append(finding("rerate-waits.against-publishing", f"official list {month}", waiting=waiting))
    newest = connection.execute(select(func.max(lists.c.id))).scalar()
    skipped = 0 if newest is None else months_between(newest, month) - 1
    if skipped > 0:
        found.append(finding("list-skips-months", f"official list {month}", newest=newest, skipped=skipped))
    return [
        one._replace(severity=Severity.NOTE, message=f"Accepted: {one.message}")
        if one.code in accepted
        else one
        for one in found
    ]


def months_between(earlier: str, later: str) -> int:
    """Return how many months lie from one list to another.

    >>> months_between("2026-11", "2027-02")
    3
    """
    (year, month), (later_year, later_month) = (map(int, one.split("-")) for one in (earlier, later))
    return 12 * (later_year - year) + later_month - month


def checked_cut_off(month: str, federation: Federation) -> date:
    """Return the cut-off of a list.

    Raises:
        BookError: there is no such month.
    """
    try:
        return cut_off_of(month, federation.profile.cut_off)
    except ValueError as failure:
        raise refused("month-wrong", f"official list {month}") from failure


def _rows_to_publish(
    connection: Connection, federation: Federation, cut_off: date
) -> Iterator[tuple[str, System, OfficialRating]]:
    """Yield member, system and official rating, in the order of members and systems."""
    until = (cut_off + timedelta(days=1)).isoformat()
    balances = schema.opening_balances
    for system in System:
        newest = (
            select(ledger.c.member_id, func.max(ledger.c.place).label("place"))
            .where(CURRENT, ledger.c.system == system.value, ledger.c.place < until)
            .group_by(ledger.c.member_id)
            .subquery()
        )
        rated = {
            row.member_id: (row.rating, row.games)
            for row in connection.execute(
                select(ledger.c.member_id, ledger.c.rating, ledger.c.games)
                .join(newest, (newest.c.member_id == ledger.c.member_id) & (newest.c.place == ledger.c.place))
                .where(CURRENT, ledger.c.system == system.value)
            )
        }
        opened = connection.execute(
            select(balances.c.member_id, balances.c.rating, balances.c.games)
            .join(schema.members, schema.members.c.id == balances.c.member_id)
            .where(
                balances.c.system == system.value,
                balances.c.as_of <= cut_off,
                schema.members.c.merged_into.is_(None),
            )
        )
        for row in opened:
            rated.setdefault(row.member_id, (row.rating, row.games))
        for member in sorted(rated):
            official = as_published(federation, system, *rated[member], cut_off)
            if official is not None:
                yield member, system, official


def _digest(rows: Iterator[tuple[str, System, OfficialRating]]) -> str:
    """Return the digest of a list's contents, in the order of systems and members."""
    digest = hashlib.sha256()
    for member, system, official in rows:
        games = "" if official.games is None else official.games
        digest.update(f"{system.value}\t{member}\t{official.rating}\t{games}\n".encode())
    return digest.hexdigest()


def digest_of_list(connection: Connection, month: str) -> str:
    """Return the digest of a published list as it stands in the book."""
    order = list(System)
    rows = connection.execute(select(ratings).where(ratings.c.list_id == month)).all()
    found = sorted(
        (
            (row.member_id, System(row.system), OfficialRating(row.rating, row.provisional_games))
            for row in rows
        ),
        key=lambda one: (order.index(one[1]), one[0]),
    )
    return _digest(iter(found))


def read_list(connection: Connection, month: str) -> list[ListedRating]:
    """Return a published list, by member and system.

    Raises:
        BookError: it is not published.
    """
    if connection.execute(select(lists.c.id).where(lists.c.id == month)).first() is None:
        known = ", ".join(connection.execute(select(lists.c.id).order_by(lists.c.id)).scalars()) or "none yet"
        raise refused("list-unknown.list", f"official list {month}", known=known)
    rows = connection.execute(
        select(ratings, schema.members.c.name)
        .join(schema.members, schema.members.c.id == ratings.c.member_id)
        .where(ratings.c.list_id == month)
        .order_by(ratings.c.member_id)
    )
    order = list(System)
    found = [
        ListedRating(
            row.member_id,
            row.name,
            System(row.system),
            OfficialRating(row.rating, row.provisional_games),
        )
        for row in rows
    ]
    return sorted(found, key=lambda one: (one.member, order.index(one.system)))


class ListedList(NamedTuple):
    """A published list, without its ratings."""

    month: str
    cut_off: date
    published_by: str
    published_at: str
    ratings: int


def all_lists(connection: Connection) -> list[ListedList]:
    """Return the published lists, the newest first."""
    rows = connection.execute(
        select(lists, func.count(ratings.c.member_id).label("ratings"))
        .outerjoin(ratings, ratings.c.list_id == lists.c.id)
        .group_by(*lists.columns)
        .order_by(lists.c.id.desc())
    )
    return [ListedList(row.id, row.cut_off, row.published_by, row.published_at, row.ratings) for row in rows]


class ListChange(NamedTuple):
    """One rating that two lists show differently; None: not in that list."""

    member: str
    name: str
    system: System
    before: OfficialRating | None
    after: OfficialRating | None


def list_change_columns(earlier: str, later: str) -> Columns[ListChange]:
    """Return the columns of what differs between two lists."""
    return (
        Column("ID", "member"),
        Column("Name", "name"),
        Column("System", "system"),
        Column(earlier, lambda one: official_text(one.before) or "-", "right"),
        Column(later, lambda one: official_text(one.after) or "-", "right"),
        Column(
            "Change",
            lambda one: f"{one.after.rating - one.before.rating:+d}" if one.before and one.after else "",
            "right",
        ),
    )


def list_difference(connection: Connection, earlier: str, later: str) -> list[ListChange]:
    """Return what differs between two published lists, by member and system.

    Raises:
        BookError: one of them is not published.
    """
    before = {(one.member, one.system): one for one in read_list(connection, earlier)}
    after = {(one.member, one.system): one for one in read_list(connection, later)}
    changes = []
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        was, now = None if old is None else old.official, None if new is None else new.official
        if was != now:
            known = new or old
            assert known is not None, "the key is of one of the two"  # noqa: S101 - tells the type checker
            changes.append(ListChange(key[0], known.name, key[1], was, now))
    return changes

"""Lists about members who are in the book: memberships, and ratings on lists of other federations."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, insert, select, update

from ratebook.book import schema
from ratebook.book.members import similar_members
from ratebook.formats.reading.fields import Fields, shown
from ratebook.office.imports.effects import Change, note_changes, owners_of
from ratebook.office.imports.table import (
    ROWS_AT_ONCE,
    Imported,
    TableRow,
    Tally,
    import_file,
    opened_table,
    rows_of_table,
)
from ratebook.office.progress import Progress, no_progress

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sqlalchemy import Connection

    from ratebook.book.connection import Actor, Book
    from ratebook.formats.contract import Findings

memberships = schema.memberships
external = schema.external_ratings

FROM_EVER = date.min
"""First day of a membership of which a list gives the last day alone."""

MEMBERSHIP_COLUMNS = ("member_id", "starts", "expires")
EXTERNAL_COLUMNS = ("member_id", "source", "list_date", "rating")


class ForeignSource(StrEnum):
    """Whose lists are known."""

    FIDE = "fide"
    CFC = "cfc"


class ForeignRow(NamedTuple):
    """A member's rating on a list of another federation."""

    member: str
    source: str
    list_date: date
    rating: float


class _Membership(NamedTuple):
    member: str
    starts: date
    expires: date


def import_memberships(book: Book, path: Path, actor: Actor, *, progress: Progress = no_progress) -> Imported:
    """Import a table of memberships: ``member_id``, ``starts``, ``expires``, both days included.

    A membership that the book has with the same first day gets the last day of the file.

    Args:
        book: the book.
        path: the file.
        actor: who imports, and when.
        progress: told how many bytes of how many are read.

    Raises:
        BookError: the store fails.
    """

    def read(connection: Connection, tally: Tally) -> None:
        with opened_table(path, progress) as stream:
            rows = rows_of_table(stream, path.name, tally.findings, MEMBERSHIP_COLUMNS)
            while batch := list(islice(rows, ROWS_AT_ONCE)):
                tally.rows += len(batch)
                known = known_rows(connection, batch, tally.findings)
                said = [one for row in known if (one := _membership(row)) is not None]
                changes = _write_memberships(connection, said, tally)
                tally.marked += note_changes(connection, actor, f"memberships {path.name}", changes)
                progress(stream.tell(), path.stat().st_size)

    return import_file(book, path, actor, "import-memberships", read)


def import_external_ratings(
    book: Book, path: Path, actor: Actor, *, progress: Progress = no_progress
) -> Imported:
    """Import a table of ratings on other federations' lists: ``member_id``, ``source``, ``list_date``, ``rating``.

    Args:
        book: the book.
        path: the file.
        actor: who imports, and when.
        progress: told how many bytes of how many are read.

    Raises:
        BookError: the store fails.
    """

    def read(connection: Connection, tally: Tally) -> None:
        seen: set[tuple[str, str, date]] = set()
        with opened_table(path, progress) as stream:
            rows = rows_of_table(stream, path.name, tally.findings, EXTERNAL_COLUMNS)
            while batch := list(islice(rows, ROWS_AT_ONCE)):
                tally.rows += len(batch)
                said = []
                for row in known_rows(connection, batch, tally.findings):
                    one = _foreign_row(row)
                    if one is None:
                        continue
                    if one[:3] in seen:
                        tally.findings.add(
                            "import-row-twice.read",
                            row.where,
                            source=one.source.upper(),
                            member=one.member,
                            list_date=one.list_date,
                        )
                        continue
                    seen.add(one[:3])
                    said.append(one)
                take_foreign_ratings(connection, actor, path.name, said, tally)
                progress(stream.tell(), path.stat().st_size)

    return import_file(book, path, actor, "import-external-ratings", read)


def take_foreign_ratings(
    connection: Connection, actor: Actor, name: str, said: list[ForeignRow], tally: Tally
) -> None:
    """Write ratings of other federations, count them, and mark whose rated sections may read them."""
    _, changes = write_foreign_ratings(connection, said)
    changed = sum("changed" in one.facts for one in changes)
    new = len(changes) - changed
    tally.changed += changed
    tally.added += new
    tally.unchanged += len(said) - new - changed
    tally.marked += note_changes(connection, actor, f"list {name}", changes)


def known_rows(connection: Connection, rows: list[TableRow], findings: Findings) -> list[TableRow]:
    """Return the rows whose ``member_id`` the book has; the others are errors."""
    known = owners_of(connection, sorted({row.text("member_id") for row in rows}))
    found = []
    for row in rows:
        member = row.text("member_id")
        if member in known:
            found.append(row)
        else:
            unknown_member(connection, findings, row.where, member)
    return found


def unknown_member(connection: Connection, findings: Findings, where: str, member: str) -> None:
    """Add the error that the book has no such member, with the ids that may be meant."""
    offered = "" if findings.full else ", ".join(one for one, _ in similar_members(connection, member, ""))
    findings.add(
        "member-unknown.unknown-member",
        f"{where}, member_id",
        member=shown(member),
        word=f"Perhaps {offered} is meant; correct the id" if offered else "Correct the id",
    )


def _membership(row: TableRow) -> _Membership | None:
    starts, expires = row.day("starts"), row.expiry("expires")
    if starts is None or expires is None:
        return None
    if expires < starts:
        row.findings.add("dates-reversed.membership", f"{row.where}, expires", expires=expires, starts=starts)
        return None
    return _Membership(row.text("member_id"), starts, expires)


def _foreign_row(row: TableRow) -> ForeignRow | None:
    fields = Fields(row.findings, {**row.cells, "rating": row.number("rating")}, row.where)
    source = fields.choice("source", ForeignSource, "import-source-unknown")
    day, rating = row.day("list_date"), fields.rating("rating")
    if source is None or day is None or rating is None:
        return None
    return ForeignRow(row.text("member_id"), source.value, day, rating)


def _write_memberships(connection: Connection, said: list[_Membership], tally: Tally) -> list[Change]:
    """Write memberships; return what foreign events may read otherwise now."""
    known: dict[str, dict[date, date]] = defaultdict(dict)
    members = sorted({one.member for one in said})
    for row in connection.execute(select(memberships).where(memberships.c.member_id.in_(members))):
        known[row.member_id][row.starts] = row.expires
    fresh: dict[tuple[str, date], dict[str, object]] = {}
    changes = []
    for one in said:
        of_member = known[one.member]
        before = of_member.get(one.starts)
        if before == one.expires:
            tally.unchanged += 1
            continue
        own = (memberships.c.member_id == one.member) & (memberships.c.starts == one.starts)
        if before is None:
            fresh[one.member, one.starts] = one._asdict() | {"member_id": one.member}
            tally.added += 1
        else:
            if (one.member, one.starts) in fresh:
                fresh[one.member, one.starts]["expires"] = one.expires
            else:
                connection.execute(update(memberships).where(own).values(expires=one.expires))
            tally.changed += 1
        of_member[one.starts] = one.expires
        open_end = of_member.get(FROM_EVER)
        if one.starts != FROM_EVER and open_end is not None and open_end <= one.expires:
            # The file says what a list with last days alone could not.
            ever = (memberships.c.member_id == one.member) & (memberships.c.starts == FROM_EVER)
            connection.execute(delete(memberships).where(ever))
            del of_member[FROM_EVER]
            changes.append(Change(one.member, "", ("membership",), foreign=True))
        changes.append(Change(one.member, "", ("membership",), since=one.starts, foreign=True))
    if fresh:
        connection.execute(
            insert(memberships),
            [
                {"member_id": one["member_id"], "starts": one["starts"], "expires": one["expires"]}
                for one in fresh.values()
            ],
        )
    return changes


def write_expiries(connection: Connection, said: list[tuple[str, date]]) -> list[Change]:
    """Write memberships of which only the last day is known; return what foreign events may read otherwise now."""
    if not said:
        return []
    latest: dict[str, date] = {}
    asked = select(memberships).where(memberships.c.member_id.in_([member for member, _ in said]))
    for row in connection.execute(asked):
        latest[row.member_id] = max(row.expires, latest.get(row.member_id, row.expires))
    changes = []
    fresh = []
    for member, expires in said:
        before = latest.get(member)
        if before is not None and before >= expires:
            continue
        starts = FROM_EVER if before is None else before + timedelta(days=1)
        fresh.append({"member_id": member, "starts": starts, "expires": expires})
        changes.append(Change(member, "", ("membership",), since=starts, foreign=True))
    if fresh:
        connection.execute(insert(memberships), fresh)
    return changes


def write_foreign_ratings(
    connection: Connection, said: Iterable[ForeignRow]
) -> tuple[set[str], list[Change]]:
    """Write ratings of other federations; return whose are new or changed, and what ratings may read otherwise now."""
    rows = list(said)
    if not rows:
        return set(), []
    known = {
        (row.member_id, row.source, row.list_date): row.rating
        for row in connection.execute(
            select(external).where(external.c.member_id.in_(sorted({one.member for one in rows})))
        )
    }
    fresh = []
    changes = []
    for one in rows:
        before = known.get(one[:3])
        if before == one.rating:
            continue
        values = {
            "member_id": one.member,
            "source": one.source,
            "list_date": one.list_date,
            "rating": float(one.rating),
        }
        if before is None:
            fresh.append(values)
        else:
            connection.execute(
                update(external)
                .where(
                    external.c.member_id == one.member,
                    external.c.source == one.source,
                    external.c.list_date == one.list_date,
                )
                .values(rating=float(one.rating))
            )
        what = f"{one.source} rating"
        changes.append(
            Change(
                one.member,
                "correct-foreign-rating",
                (what, "changed" if before is not None else "added"),
                since=one.list_date,
                value=float(one.rating),
            )
        )
    if fresh:
        connection.execute(insert(external), fresh)
    return {one.member for one in changes}, changes

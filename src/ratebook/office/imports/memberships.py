"""Memberships in bulk: a table with both days, or the last days of a members CSV."""

from datetime import date, timedelta

from ratebook.book.connection import Connection
from ratebook.book.facts.memberships import FROM_EVER, Membership, memberships_of, write_memberships
from ratebook.office.imports.table import FactChange, Import, TableImport, TableRow


def _membership(_: Import, row: TableRow) -> Membership | None:
    starts, expires = row.day("starts"), row.last_day("expires")
    if starts is None or expires is None:
        return None
    if expires < starts:
        row.findings.add(
            "dates-reversed.membership", row.where.inner("expires"), expires=expires, starts=starts
        )
        return None
    return Membership(row.text("member_id"), starts, expires)


def _write(running: Import, memberships: list[Membership]) -> None:
    """Write memberships, and note what foreign events may read differently now."""
    stored = memberships_of(running.connection, [membership.member_id for membership in memberships])
    added: dict[tuple[str, date], Membership] = {}
    later: dict[tuple[str, date], Membership] = {}
    ended: list[tuple[str, date]] = []
    changes = []
    for membership in memberships:
        of_member = stored[membership.member_id]
        before = of_member.get(membership.starts)
        if before == membership.expires:
            running.unchanged += 1
            continue
        if before is None:
            running.added += 1
        else:
            running.changed += 1
        written = added if before is None or membership[:2] in added else later
        written[membership[:2]] = membership
        of_member[membership.starts] = membership.expires
        open_end = of_member.get(FROM_EVER)
        if membership.starts != FROM_EVER and open_end is not None and open_end <= membership.expires:
            # The file says what a list with last days alone could not.
            ended.append((membership.member_id, FROM_EVER))
            del of_member[FROM_EVER]
            changes.append(_changed(membership.member_id, None))
        changes.append(_changed(membership.member_id, membership.starts))
    write_memberships(running.connection, ended=ended, changed=later.values(), added=added.values())
    running.note("memberships", changes)


import_memberships = TableImport("import-memberships", Membership._fields, _membership, _write)
"""Import a table of memberships; one with the same first day as in the book gets the last day of the file."""


def write_expiries(connection: Connection, expiries: list[tuple[str, date]]) -> list[FactChange]:
    """Write memberships of which only the last day is known; return what foreign events may read differently now."""
    if not expiries:
        return []
    stored = memberships_of(connection, [member for member, _ in expiries])
    changes = []
    added = []
    for member, expires in expiries:
        before = max(stored[member].values(), default=None)
        if before is not None and before >= expires:
            continue
        starts = FROM_EVER if before is None else before + timedelta(days=1)
        added.append(Membership(member, starts, expires))
        changes.append(_changed(member, starts))
    write_memberships(connection, added=added)
    return changes


def _changed(member: str, since: date | None) -> FactChange:
    return FactChange(member, "", ("membership",), since=since, foreign=True)

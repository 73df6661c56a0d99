"""Members come in bulk: the members CSV, with memberships, ratings of other federations, and balances if asked.

Members who exist are changed only in what the file says: an empty cell changes nothing.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.members import MemberFacts, write_members
from ratebook.book.profile import read_federation
from ratebook.formats.reading.fields import shown
from ratebook.office.imports.effects import (
    FACTS_OF_FOREIGN_EVENTS,
    FACTS_OF_STEP_1,
    Change,
    note_changes,
)
from ratebook.office.imports.memberships import ForeignRow, write_expiries, write_foreign_ratings
from ratebook.office.imports.opening_balances import BalanceRow, BalanceWriter, balances_of_facts
from ratebook.office.imports.table import ROWS_AT_ONCE, Imported, Tally, import_file, opened_table
from ratebook.office.progress import Progress, no_progress
from ratebook.player_lists.members_csv import iter_members_said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from pathlib import Path

    from sqlalchemy import Connection, Row

    from ratebook.book.connection import Actor, Book
    from ratebook.formats.contract import Findings
    from ratebook.player_lists.row import ListedPlayer

members = schema.members

_FACTS = ("name", *FACTS_OF_STEP_1, *FACTS_OF_FOREIGN_EVENTS)
_NOT_OF_MEMBERS = ("ceilings", "matches")


class _Said(NamedTuple):
    """A row of the file, and the columns in which it says something."""

    row: ListedPlayer
    columns: frozenset[str]


def import_members(  # noqa: PLR0913 - what, by whom, and how much of it
    book: Book,
    path: Path,
    actor: Actor,
    *,
    balances: bool = False,
    as_of: date | None = None,
    replace: bool = False,
    progress: Progress = no_progress,
) -> Imported:
    """Import a members CSV (its columns stand in ``player_lists/members_csv.py``).

    Column ``expires`` gives the last day of a membership. Where the book knows no other it holds from ever; where it
    knows an earlier one it follows that without a gap. A list with both days (`import_memberships`) takes its place.

    Args:
        book: the book.
        path: the file.
        actor: who imports, and when.
        balances: take ratings and floors as opening balances; otherwise they are left out.
        as_of: day of the balances, for ratings that have none of their own.
        replace: let new balances take the place of those that members have.
        progress: told how many bytes of how many are read.

    Raises:
        BookError: the store fails.
    """

    def read(connection: Connection, tally: Tally) -> None:
        federation = read_federation(connection)
        pattern = re.compile(federation.profile.member_id_pattern or ".+")
        everybody = _Members(connection, actor, path.name, tally, pattern)
        writer = BalanceWriter(connection, actor, path.name, tally, replace=replace) if balances else None
        with opened_table(path, progress) as stream:
            rows = iter_members_said(stream, path.name, tally.findings)
            while batch := [_Said(*one) for one in islice(rows, ROWS_AT_ONCE)]:
                everybody.write(batch)
                if writer is not None:
                    writer.write(_balances(batch, as_of, tally.findings))
                progress(stream.tell(), path.stat().st_size)
        everybody.note_what_was_left(with_ratings=balances)

    return import_file(book, path, actor, "import-members", read)


def _balances(batch: list[_Said], as_of: date | None, findings: Findings) -> Iterator[BalanceRow]:
    for row, _ in batch:
        yield from balances_of_facts(row.where, row.member_id, row.facts, as_of, findings)


class _Members:
    """Writes the persons of a members CSV, a batch at a time."""

    def __init__(
        self, connection: Connection, actor: Actor, name: str, tally: Tally, pattern: re.Pattern[str]
    ) -> None:
        self.connection = connection
        self.actor = actor
        self.name = name
        self.tally = tally
        self.findings = tally.findings
        self.pattern = pattern
        # Whom the file has named: one id for each row of it.
        self.seen: set[str] = set()
        self.left: set[str] = set()
        self.without_end = 0

    def write(self, batch: list[_Said]) -> None:
        """Write one batch of rows."""
        self.tally.rows += len(batch)
        said = [one for one in batch if self._can_be_read(one)]
        known = {
            row.id: row
            for row in self.connection.execute(
                select(members).where(members.c.id.in_([one.row.member_id for one in said]))
            )
        }
        kept = [one for one in said if self._may_be_written(one.row, known.get(one.row.member_id))]
        changes: list[Change] = []
        facts = []
        for one in kept:
            before = known.get(one.row.member_id)
            now = _facts_of(one, before)
            facts.append(now)
            if before is not None:
                changes += _changes_of(before, now)
            self.left |= one.columns - _READ
            if "us_member" in one.columns and one.row.facts.us_member and one.row.expires is None:
                self.without_end += 1
        added, changed = write_members(self.connection, facts)
        fresh = {one.id for one in facts} - known.keys()
        also = write_expiries(
            self.connection,
            [(one.row.member_id, one.row.expires) for one in kept if one.row.expires is not None],
        )
        foreign, found = write_foreign_ratings(self.connection, list(self._foreign(kept)))
        changes += also
        changes += found
        touched = {one.member for one in (*also, *found)} | foreign
        changed_members = {one.id for one in facts if one.id in known and _differs(known[one.id], one)}
        self.tally.added += added
        self.tally.changed += len((changed_members | touched) - fresh)
        self.tally.unchanged += len(facts) - added - len((changed_members | touched) - fresh)
        assert changed == len(changed_members), "both compare the same columns"  # noqa: S101 - a slip here would miscount
        changes = [one for one in changes if one.member not in fresh]
        self.tally.marked += note_changes(self.connection, self.actor, f"members list {self.name}", changes)

    def _can_be_read(self, said: _Said) -> bool:
        row = said.row
        if not row.member_id:
            self.findings.add("list-value-missing.can-be-read", f"{row.where}, id")
            return False
        if not self.pattern.fullmatch(row.member_id):
            self.findings.add("import-id-wrong", f"{row.where}, id", member_id=shown(row.member_id))
            return False
        if row.member_id in self.seen:
            self.findings.add("import-row-twice.can-be-read", row.where, member_id=row.member_id)
            return False
        self.seen.add(row.member_id)
        return True

    def _may_be_written(self, row: ListedPlayer, before: Row[tuple[object, ...]] | None) -> bool:
        if before is None:
            return True
        if before.merged_into is not None:
            self.findings.add(
                "member-merged.may-be-written",
                row.where,
                member_id=row.member_id,
                merged_into=before.merged_into,
            )
            return False
        if before.erased_at is not None:
            self.findings.add("import-member-erased", row.where, member_id=row.member_id)
            return False
        return True

    def _foreign(self, kept: list[_Said]) -> Iterator[ForeignRow]:
        for row, _ in kept:
            for source, rating in (("fide", row.facts.fide), ("cfc", row.facts.cfc)):
                if rating is None:
                    continue
                if rating.as_of is None:
                    self.findings.add(
                        "import-list-date-missing.foreign",
                        f"{row.where}, {source}_as_of",
                        source=source.upper(),
                        source_2=source,
                    )
                else:
                    yield ForeignRow(row.member_id, source, rating.as_of, rating.rating)

    def note_what_was_left(self, *, with_ratings: bool) -> None:
        """Say which columns were not used."""
        used = {"us_member"} if not with_ratings else {"us_member", *(self.left - set(_NOT_OF_MEMBERS))}
        left = sorted(self.left - used)
        if left:
            self.findings.add("import-columns-left", self.name, left=", ".join(left))
        if self.without_end:
            self.findings.add("import-membership-without-end", self.name, without_end=self.without_end)


_READ = frozenset({"id", "expires", "state", "fide", "fide_as_of", "cfc", "cfc_as_of", *_FACTS})


def _facts_of(said: _Said, before: Row[tuple[object, ...]] | None) -> MemberFacts:
    """Return the member as the file has it, completed by what the book knows."""
    row, columns = said
    known = (
        MemberFacts(row.member_id)
        if before is None
        else MemberFacts._make(getattr(before, name) for name in MemberFacts._fields)
    )
    if "state" in columns:
        known = known._replace(state=row.state)
    return known._replace(**{name: getattr(row.facts, name) for name in _FACTS if name in columns})


def _differs(before: Row[tuple[object, ...]], now: MemberFacts) -> bool:
    return any(getattr(before, name) != getattr(now, name) for name in MemberFacts._fields)


def _changes_of(before: Row[tuple[object, ...]], now: MemberFacts) -> Iterator[Change]:
    for names, foreign in ((FACTS_OF_STEP_1, False), (FACTS_OF_FOREIGN_EVENTS, True)):
        changed = tuple(name for name in names if getattr(before, name) != getattr(now, name))
        if changed:
            yield Change(now.id, "correct-facts", changed, foreign=foreign)

"""Members and memberships in bulk: the members CSV, with ratings of other federations, and balances if asked.

Members who exist are changed only in what the file says: an empty cell changes nothing.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, TypeAlias

from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.decisions import corrected_facts
from ratebook.book.facts.foreign_ratings import ExternalRating
from ratebook.book.facts.member_files import load_member_files
from ratebook.book.facts.members import LATER_FACTS, MemberFacts, StoredMember, load_members, write_members
from ratebook.book.facts.memberships import FROM_EVER, Membership, memberships_of, write_memberships
from ratebook.book.profile import read_federation
from ratebook.checks.member_ids import corrected_id
from ratebook.checks.texts import can_be_addressed
from ratebook.findings import Place
from ratebook.formats.contract import DayOrder
from ratebook.formats.reading.fields import shown
from ratebook.model import PlayerFacts
from ratebook.office import Progress, no_progress
from ratebook.office.decisions.changes import changes_of_member
from ratebook.office.decisions.members import (
    FACTS_OF_STEP_1,
    OPT_IN_WORD,
    ListedFlag,
    Mark,
    holds_after,
    take_flags,
    write_mark,
)
from ratebook.office.decisions.revision import Reason, possible_duplicates
from ratebook.office.imports.foreign_ratings import take_foreign_ratings
from ratebook.office.imports.opening_balances import BalanceWriter, balances_of_facts
from ratebook.office.imports.table import FactChange, Import, Imported, TableImport, TableRow, importing
from ratebook.player_lists.members_csv import iter_members_said
from ratebook.player_lists.row import ListedPlayer, ListKind


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


FACTS_OF_FOREIGN_EVENTS = ("usa_flag", "fide_opt_in")
"""Foreign FIDE events update those who play for the country and want it; of members who exist, by decisions."""
_FACTS = ("name", *FACTS_OF_STEP_1, *LATER_FACTS)
_READ = frozenset(
    {"id", "expires", "state", "fide", "fide_as_of", "cfc", "cfc_as_of", *_FACTS, *FACTS_OF_FOREIGN_EVENTS}
)
_NOT_OF_MEMBERS = ("ceilings", "matches")
_WITHOUT_DAY = {"fide": "import-list-date-missing.fide", "cfc": "import-list-date-missing.cfc"}


_Row: TypeAlias = tuple[ListedPlayer, frozenset[str]]
"""A row of the file, and the columns that it fills."""
_Facts: TypeAlias = dict[str, MemberFacts]


def import_members(  # noqa: PLR0913 - what, by whom, and how much of it
    book: Book,
    path: Path,
    actor: Actor,
    *,
    balances: bool = False,
    as_of: date | None = None,
    replace: bool = False,
    fide_as_of: date | None = None,
    order: DayOrder | None = None,
    accepted: Sequence[str] = (),
    progress: Progress = no_progress,
) -> Imported:
    """Import a members CSV (its columns are in ``formats/reading/sheets/player_columns.py``).

    Column ``expires`` gives the last day of a membership. If the book knows no other, it has always been one; if the
    book knows an earlier one, it follows that without a gap. A list with both days (`import_memberships`) replaces it.

    With *balances*, ratings and floors become opening balances, as of the day *as_of* if a rating has none of its own;
    with *replace* they replace those that members have. Otherwise ratings and floors are left out. *fide_as_of* is the
    day of the list of the FIDE ratings, where the file has none.

    A new member who may be another one (the same name and birth date, or the same FIDE id) is refused unless *accepted*
    has the code ``possible-duplicate`` or ``all``. So are new members without a name (``import-member-nameless``).
    """
    with importing(book, path, actor, "import-members", progress, order) as running:
        findings = running.findings
        members = _Members(running, accepted, fide_as_of)
        writer = BalanceWriter(running, replace=replace) if balances else None
        for batch in running.batches(lambda stream: iter_members_said(stream, path.name, findings, order)):
            members.write(batch)
            if writer is not None:
                writer.write(
                    balance for row, _ in batch for balance in balances_of_facts(row, as_of, findings)
                )
        members.note_unused_columns(with_ratings=balances)
        if writer is not None:
            writer.note_bounds()
            running.balances = writer.counts
    return running.imported()


def add_member(
    book: Book, facts: PlayerFacts, actor: Actor, *, expires: date | None = None, accepted: Sequence[str] = ()
) -> Imported:
    """Add a member, as `import_members` does from a row; one whom the book has is an error."""
    with importing(book, Path(f"member {facts.id}"), actor, "add-member") as running:
        running.name, running.rows = f"member {facts.id}", 1
        if facts.id in load_members(running.connection, [facts.id]):
            running.findings.add("member-exists", Place(file=running.name))
        else:
            columns = frozenset(name for name in (*_FACTS, "state") if getattr(facts, name) not in {None, ""})
            row = ListedPlayer(ListKind.MEMBERS, Place(members=(facts.id,)), facts, expires=expires)
            _Members(running, accepted).write([(row, columns)])
    return running.imported()


class _Members:
    """Writes the persons of a members CSV, a batch at a time."""

    def __init__(self, running: Import, accepted: Sequence[str], fide_as_of: date | None = None) -> None:
        self.running = running
        self.accepted = accepted
        self.list_days = {"fide": fide_as_of, "cfc": None}
        self.without_day: dict[str, list[Place]] = {"fide": [], "cfc": []}
        self.findings = running.findings
        federation = read_federation(running.connection)
        self.pattern = re.compile(federation.profile.member_id_pattern or ".+")
        self.left: set[str] = set()
        self.without_end = 0
        self.nameless: list[str] = []
        self.today = date.fromisoformat(running.actor.at[:10])

    def write(self, batch: list[_Row]) -> None:
        """Write one batch of rows."""
        connection = self.running.connection
        readable = [(player, columns) for player, columns in batch if self._can_be_read(player)]
        stored = load_members(connection, [player.facts.id for player, _ in readable])
        rows = [
            (player, columns)
            for player, columns in readable
            if self._may_be_written(player, stored.get(player.facts.id))
        ]
        before = {member: record.facts for member, record in stored.items()}
        after = {
            player.facts.id: _facts_of(player, columns, before.get(player.facts.id))
            for player, columns in rows
        }
        places = {player.facts.id: player.where for player, _ in rows}
        self._note_columns(rows)
        marks = list(self._marks(rows, before.keys()))
        write_members(connection, after.values())
        self._note_duplicates(before, after, places)
        expiries = [(player.facts.id, player.expires) for player, _ in rows if player.expires is not None]
        memberships = write_expiries(connection, expiries)
        _, _, ratings = take_foreign_ratings(connection, list(self._foreign(rows)))
        self._note_changes(before, after, places, (*marks, *memberships, *ratings))

    def _note_columns(self, rows: list[_Row]) -> None:
        for player, columns in rows:
            self.left |= columns - _READ
            if "us_member" in columns and player.facts.us_member and player.expires is None:
                self.without_end += 1

    def _note_duplicates(self, before: _Facts, after: _Facts, places: dict[str, Place]) -> None:
        identified = [
            facts
            for member, facts in after.items()
            if member not in before or facts.fide_id != before[member].fide_id
        ]
        for duplicate in possible_duplicates(self.running.connection, identified, self.accepted, places):
            self.findings.append(duplicate)

    def _note_changes(
        self, before: _Facts, after: _Facts, places: dict[str, Place], dated: Iterable[FactChange]
    ) -> None:
        """Count and record what the rows changed: the facts of members, and the *dated* changes beside them."""
        running = self.running
        new = after.keys() - before.keys()
        self.nameless += [member for member, facts in after.items() if member in new and not facts.name]
        corrected = sorted(member for member in after.keys() - new if before[member] != after[member])
        for member in corrected:
            words = "; ".join(changes_of_member(before[member], after[member]))
            running.changes.append(f"{member} {before[member].name}: {words}")
        self._note_taken_back(before, after, places, corrected)
        changes = [change for change in dated if change.member not in new]
        changed = {*corrected, *(change.member for change in changes)}
        running.added += len(new)
        running.changed += len(changed)
        running.unchanged += len(after) - len(new) - len(changed)
        facts = [
            change
            for member in after
            if member in before
            for change in _changes_of(before[member], after[member])
        ]
        running.note("members list", [*facts, *changes])

    def _note_taken_back(
        self, before: _Facts, after: _Facts, places: dict[str, Place], changed: list[str]
    ) -> None:
        for member, corrected in corrected_facts(self.running.connection, changed).items():
            names = [
                name
                for name in sorted(corrected)
                if getattr(before[member], name) != getattr(after[member], name)
            ]
            if names:
                self.findings.add("import-takes-back", places[member], member=member, facts=", ".join(names))

    def _marks(self, rows: list[_Row], known_members: Collection[str]) -> Iterator[FactChange]:
        """Record as decisions of today what the file says new of flags and opt-ins of members who exist.

        No list opts a member out; a flag has the day of the FIDE rating beside it.
        """
        connection, actor = self.running.connection, self.running.actor
        because = Reason(actor, f"members list {self.running.name}")
        today = date.fromisoformat(actor.at[:10])
        of_events = [
            (player, columns)
            for player, columns in rows
            if player.facts.id in known_members and not columns.isdisjoint(FACTS_OF_FOREIGN_EVENTS)
        ]
        files = load_member_files(connection, [player.facts.id for player, _ in of_events])
        for player, columns in of_events:
            member, fide = player.facts.id, player.facts.fide
            if "fide_opt_in" in columns:
                if player.facts.fide_opt_in:
                    if write_mark(connection, Mark(member, OPT_IN_WORD, today), because):
                        yield FactChange(member, "", ("fide_opt_in",), since=today, foreign=True)
                elif holds_after(files[member], OPT_IN_WORD, today):
                    self.findings.add("import-opt-out", player.where.inner("fide_opt_in"), member=member)
            if "usa_flag" in columns:
                day = (None if fide is None else fide.as_of or self.list_days["fide"]) or today
                for flag in take_flags(connection, [ListedFlag(member, day, player.facts.usa_flag)], because):
                    yield FactChange(member, "", ("usa_flag",), since=flag.list_date, foreign=True)

    def _can_be_read(self, row: ListedPlayer) -> bool:
        if not row.facts.id:
            self.findings.add("list-value-missing.id", row.where.inner("id"))
        elif not self.pattern.fullmatch(row.facts.id) or not can_be_addressed(row.facts.id):
            corrected = corrected_id(row.facts.id, self.pattern)
            word = f"Perhaps {corrected} is meant; correct the id" if corrected else "Correct the id"
            self.findings.add(
                "import-id-wrong", row.where.inner("id"), member_id=shown(row.facts.id), word=word
            )
        elif not self.running.is_new(row.facts.id):
            self.findings.add("import-row-twice.member", row.where, member_id=row.facts.id)
        elif row.facts.birth_date is not None and row.facts.birth_date > self.today:
            self.findings.add(
                "birth-date-after-event.in-future", row.where.inner("birth_date"), today=self.today
            )
        else:
            return True
        return False

    def _may_be_written(self, row: ListedPlayer, before: StoredMember | None) -> bool:
        if before is not None and before.merged_into is not None:
            self.findings.add(
                "member-merged.row-left-out",
                row.where,
                member_id=row.facts.id,
                merged_into=before.merged_into,
            )
            return False
        if before is not None and before.erased:
            self.findings.add("import-member-erased", row.where, member_id=row.facts.id)
            return False
        return True

    def _foreign(self, rows: list[_Row]) -> Iterator[ExternalRating]:
        for player, _ in rows:
            for source, rating in (("fide", player.facts.fide), ("cfc", player.facts.cfc)):
                day = None if rating is None else rating.as_of or self.list_days[source]
                if rating is not None and day is not None:
                    yield ExternalRating(player.facts.id, source, day, rating.rating)
                elif rating is not None:
                    self.without_day[source].append(player.where.inner(f"{source}_as_of"))

    def note_unused_columns(self, *, with_ratings: bool) -> None:
        """Say which columns were not used."""
        unused = self.left & set(_NOT_OF_MEMBERS) if with_ratings else self.left
        left = sorted(unused - {"us_member"})
        if left:
            self.findings.add("import-columns-left", Place(file=self.running.name), left=", ".join(left))
        if self.nameless:
            count, first = len(self.nameless), self.nameless[0]
            self.findings.add(
                "import-member-nameless.to-be-accepted"
                if {"import-member-nameless", "all"}.isdisjoint(self.accepted)
                else "import-member-nameless.accepted",
                Place(file=self.running.name),
                count=count,
                first=first,
            )
        for source, places in self.without_day.items():
            if places:
                self.findings.add(_WITHOUT_DAY[source], places[0], rating_count=len(places))
        if self.without_end:
            self.findings.add(
                "import-membership-without-end", Place(file=self.running.name), without_end=self.without_end
            )


def _facts_of(row: ListedPlayer, columns: frozenset[str], before: MemberFacts | None) -> MemberFacts:
    """Return the member as the file has it, completed by what the book knows."""
    member = before or MemberFacts(row.facts.id)
    if "state" in columns:
        member = member._replace(state=row.facts.state)
    facts = _FACTS if before else (*_FACTS, *FACTS_OF_FOREIGN_EVENTS)
    values: dict[str, Any] = {name: getattr(row.facts, name) for name in facts if name in columns}
    # What is not known of a person is no value in a report, and an empty text in a book.
    return member._replace(**values | {name: values[name] or "" for name in LATER_FACTS if name in values})


def _changes_of(before: MemberFacts, after: MemberFacts) -> Iterator[FactChange]:
    changed = tuple(name for name in FACTS_OF_STEP_1 if getattr(before, name) != getattr(after, name))
    if changed:
        yield FactChange(after.id, "correct-facts", changed)

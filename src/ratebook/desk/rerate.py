"""Re-rating: history walked in order from the first thing that waits, rating again only what reads something new."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, select

from ratebook import __version__
from ratebook.book import schema
from ratebook.book.audit import note_audit
from ratebook.book.dossiers import batches
from ratebook.book.events import read_sections
from ratebook.book.ledger import CURRENT, NewPosting, current_posting, load_postings, post
from ratebook.book.marks import close_marks, open_marks
from ratebook.book.profile import raise_revision, read_federation
from ratebook.book.rows import rows_of
from ratebook.book.runs import begin_run, end_run
from ratebook.desk.careers import write_norms, write_titles
from ratebook.desk.progress import Progress, unseen
from ratebook.desk.walk import Walk, rate_from
from ratebook.model import SectionType, System

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from sqlalchemy import Connection

    from ratebook.book.connect import Actor, Book
    from ratebook.book.events import StoredSection
    from ratebook.book.ledger import Posting
    from ratebook.book.marks import Mark
    from ratebook.book.rows import LedgerRow
    from ratebook.desk.walk import Inputs

ledger = schema.ledger

LARGEST_SHOWN = 20
BUCKETS = (1, 5, 10, 25, 50, 100, 200)
"""Upper ends, in displayed rating points, of the classes in which changes are counted."""


class Change(NamedTuple):
    """A member's current rating in one system before and after a re-rating; None: unrated."""

    member: str
    system: System
    before: float | None
    after: float | None

    @property
    def size(self) -> float:
        """How far the rating moved; a rating that came or went counts in full."""
        return abs((self.after or 0.0) - (self.before or 0.0))


class Difference(NamedTuple):
    """What a re-rating changes.

    Attributes:
        run: its number; 0 where nothing waited.
        sections: sections that were looked at.
        rated: sections and systems rated again, since they read something new.
        rows: ledger rows added.
        closed: ledger rows that gave way.
        changes: current ratings that differ, the largest changes first.
        histogram: members by the size of the change, classes as in `BUCKETS`, the last one above them all.
    """

    run: int
    sections: int
    rated: int
    rows: int
    closed: int
    changes: tuple[Change, ...]
    histogram: tuple[int, ...]


NOTHING = Difference(0, 0, 0, 0, 0, (), (0,) * (len(BUCKETS) + 1))


def rerate(  # noqa: PLR0913 - what, by whom, how
    book: Book,
    actor: Actor,
    *,
    since: date | None = None,
    everything: bool = False,
    dry_run: bool = False,
    progress: Progress = unseen,
) -> Difference:
    """Rate again what waits, in one transaction: readers see the book before it or after it.

    Args:
        book: the book.
        actor: who, and when.
        since: look at everything from the sections that ended on this day on.
        everything: look at the whole history.
        dry_run: keep nothing, and only say what would change.
        progress: told how many sections of how many were looked at.
    """
    with book.writing() as connection:
        difference = _Rerating(connection, actor).all_of_it(since, progress, everything=everything)
        if dry_run or difference is NOTHING:
            connection.rollback()
    return difference


class _Rerating:
    """One re-rating in the transaction of *connection*.

    ``stored`` remembers where members of changed sections stood before the run; who stands there again is forgotten,
    so that a change that dies out costs nothing further on.
    """

    def __init__(self, connection: Connection, actor: Actor) -> None:
        self.connection = connection
        self.actor = actor
        self.walk = Walk(read_federation(connection))
        self.marks = open_marks(connection)
        self.watched = {one.member: one.place for one in reversed(self.marks) if one.member is not None}
        self.sections = {one.section for one in self.marks if one.section is not None}
        self.whole = False
        self.run = 0
        self.rated = 0
        self.rows = 0
        self.closed = 0
        self.unsettled: dict[str, set[System]] = {}
        self.careers: set[str] = set()

    def all_of_it(self, since: date | None, progress: Progress, *, everything: bool) -> Difference:
        """Walk through history and return what changed."""
        connection = self.connection
        starts = [one.place for one in self.marks]
        self.whole = everything or any(one.member is None and one.section is None for one in self.marks)
        if since is not None:
            starts.append(since.isoformat())
        if everything:
            starts.append("")
        if not starts:
            return NOTHING
        start = min(starts)
        asked = None if since is None else since.isoformat()
        self.run = begin_run(connection, "rerate", self.actor, self.walk.federation.rulebook_id, __version__)
        self._close_moved()
        total = int(
            connection.execute(
                select(func.count()).select_from(schema.sections).where(schema.sections.c.place >= start)
            ).scalar_one()
        )
        seen = 0
        for stored in read_sections(connection, since=start):
            progress(seen, total)
            seen += 1
            if self.whole or (asked is not None and stored.place >= asked) or self._is_affected(stored):
                self._section(stored)
        progress(seen, total)
        write_titles(connection, self.walk.federation, sorted(self.careers))
        difference = self._difference(seen)
        close_marks(connection, self.run)
        end_run(connection, self.run, self.actor.at)
        raise_revision(connection)
        note_audit(
            connection,
            self.actor,
            "rerate",
            f"run {self.run}",
            f"{seen} sections, {self.rated} rated again, {self.rows} rows, {self.closed} closed, "
            f"{len(difference.changes)} ratings changed",
        )
        return difference

    def _close_moved(self) -> None:
        """Close what stands at a place where its section is no longer, so that nobody starts from it."""
        postings, sections = schema.postings, schema.sections
        moved = self.connection.execute(
            select(postings.c.section_id, postings.c.system, sections.c.withdrawn)
            .join_from(postings, sections)
            .where(
                postings.c.section_id.in_(self.sections),
                postings.c.superseded_by.is_(None),
                postings.c.withdrawn.is_(False),
                (postings.c.place != sections.c.place) | sections.c.withdrawn,
            )
        ).all()
        for row in moved:
            system = System(row.system)
            posting = load_postings(self.connection, row.section_id)[system]
            self._drop(row.section_id, system, posting)

    def _drop(self, section: int, system: System, posting: Posting) -> None:
        """End a posting that nothing takes the place of."""
        new = NewPosting(self.run, section, system, posting.place, False, None, "", withdrawn=True)
        post(self.connection, new, (), supersedes=posting.id, closed=list(posting.rows))
        self.closed += len(posting.rows)
        for member in posting.rows:
            self._unsettle(member, system)
            self.walk.states.pop(member, None)
            self.watched[member] = min(self.watched.get(member, posting.place), posting.place)
        if system is System.REGULAR:
            self.careers.update(posting.rows)
            self.connection.execute(schema.norms.delete().where(schema.norms.c.section_id == section))

    def _unsettle(self, member: str, system: System) -> None:
        self.unsettled.setdefault(member, set()).add(system)

    def _is_affected(self, stored: StoredSection) -> bool:
        """Return whether a section may read something new."""
        if stored.id in self.sections or stored.section.type is SectionType.MATCH:
            # A match reads official ratings too, from rows that may lie far back.
            return True
        return any(
            member in self.unsettled or self.watched.get(member, "\uffff") <= stored.place
            for member in stored.members
        )

    def _section(self, stored: StoredSection) -> None:
        """Rate a section again where what it reads has changed."""
        connection, walk = self.connection, self.walk
        postings = load_postings(connection, stored.id)
        planned = walk.plan(stored)
        for member in stored.members:
            # What the walk remembers holds only for those whose every section it has seen since.
            if not self.whole and member not in self.unsettled:
                walk.states.pop(member, None)
        walk.enter(connection, stored.members, stored.place)
        inputs = (
            {} if planned is None else {one.system: one for one in walk.inputs(connection, stored, planned)}
        )
        after: dict[System, Mapping[str, LedgerRow]] = {}
        for system, posting in postings.items():
            if system not in inputs:
                self._drop(stored.id, system, posting)
        for system, one in inputs.items():
            known = postings.get(system)
            if known is not None and known.input_hash == one.hash and known.place == stored.place:
                after[system] = known.rows
                self._settle(stored, system, known.rows, known.rows)
                continue
            after[system] = self._rate_again(stored, one, known)
        walk.apply(stored, after)

    def _rate_again(
        self, stored: StoredSection, inputs: Inputs, known: Posting | None
    ) -> dict[str, LedgerRow]:
        system = inputs.system
        rated = rows_of(rate_from(stored, inputs))
        before = {} if known is None else known.rows
        moved = known is not None and known.place != stored.place
        changed = [row for member, row in rated.items() if moved or before.get(member) != row]
        closed = [member for member, row in before.items() if moved or rated.get(member) != row]
        new = NewPosting(
            self.run,
            stored.id,
            system,
            stored.place,
            inputs.dual_rated,
            self.walk.rule_sets.store(self.connection, inputs.rules),
            inputs.hash,
        )
        supersedes = current_posting(self.connection, stored.id, system)
        post(self.connection, new, changed, supersedes=supersedes, closed=closed)
        self.rated += 1
        self.rows += len(changed)
        self.closed += len(closed)
        self._settle(stored, system, before, rated)
        if system is System.REGULAR:
            write_norms(self.connection, stored, rated)
            self.careers.update(rated)
            self.careers.update(before)
        return rated

    def _settle(
        self,
        stored: StoredSection,
        system: System,
        before: Mapping[str, LedgerRow],
        after: Mapping[str, LedgerRow],
    ) -> None:
        """Note who stands elsewhere than before after a section, and who stands again where he stood."""
        for member in before.keys() | after.keys():
            old, new = before.get(member), after.get(member)
            if old is None or new is None or not same_state(old, new):
                self._unsettle(member, system)
                if getattr(old, "match_change", None) != getattr(new, "match_change", None):
                    # The limits of later matches read it, wherever the member stands then.
                    self.watched.setdefault(member, stored.place)
                continue
            unsettled = self.unsettled.get(member)
            if unsettled is not None:
                unsettled.discard(system)
                if not unsettled:
                    del self.unsettled[member]

    def _difference(self, seen: int) -> Difference:
        """Return what the run changed, from the rows that it closed and added."""
        changes = sorted(self._changes(), key=lambda one: (-one.size, one.member, one.system))
        sizes = Counter(_bucket(one.size) for one in changes)
        return Difference(
            self.run,
            seen,
            self.rated,
            self.rows,
            self.closed,
            tuple(changes),
            tuple(sizes[at] for at in range(len(BUCKETS) + 1)),
        )

    def _changes(self) -> Iterator[Change]:
        own = select(schema.postings.c.id).where(schema.postings.c.run_id == self.run)
        ours = set(self.connection.execute(own).scalars())
        touched = {
            (member, system)
            for member, system in self.connection.execute(
                select(ledger.c.member_id, ledger.c.system)
                .where(ledger.c.superseded_by.in_(own) | ledger.c.posting_id.in_(own))
                .distinct()
            )
        }
        for batch in batches(sorted({member for member, _ in touched})):
            newest: dict[tuple[str, str], tuple[float | None, float | None]] = {}
            # Rows that were current when the run began: not its own, and closed by nobody or by it.
            history = self.connection.execute(
                select(
                    ledger.c.member_id,
                    ledger.c.system,
                    ledger.c.rating,
                    ledger.c.posting_id,
                    ledger.c.superseded_by,
                )
                .where(ledger.c.member_id.in_(batch), CURRENT | ledger.c.superseded_by.in_(own))
                .order_by(ledger.c.place)
            )
            for member, system, rating, posting, closed_by in history:
                before, after = newest.get((member, system), (None, None))
                newest[member, system] = (
                    before if posting in ours else rating,
                    after if closed_by is not None else rating,
                )
            for (member, system), (before, after) in newest.items():
                if (member, system) in touched and before != after:
                    yield Change(member, System(system), before, after)


def same_state(one: LedgerRow, other: LedgerRow) -> bool:
    """Return whether two rows leave a member with the same state for later sections."""
    return one[4:15] == other[4:15]


def _bucket(size: float) -> int:
    for at, end in enumerate(BUCKETS):
        if size <= end:
            return at
    return len(BUCKETS)


def waiting_marks(book: Book) -> list[Mark]:
    """Return what waits for a re-rating."""
    with book.reading() as connection:
        return open_marks(connection)

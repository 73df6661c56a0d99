"""Re-rating: from the first pending change on, in the order of history, what reads something new is rated again."""

import pickle
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from os import SEEK_END
from tempfile import SpooledTemporaryFile
from typing import NamedTuple

from ratebook import __version__
from ratebook.book.audit import AuditSubject, note_audit
from ratebook.book.chain.links import Head, head_of
from ratebook.book.chain.verifications import is_still_at
from ratebook.book.columns import END_OF_HISTORY
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.events import StoredSection, count_sections, read_sections
from ratebook.book.ledger.careers import NormRow, write_norms, write_titles
from ratebook.book.ledger.changes import misplaced_postings, rating_changes
from ratebook.book.ledger.pending import read_pending, settle_pending
from ratebook.book.ledger.postings import NewPosting, PendingPosting, Postings
from ratebook.book.ledger.read import CurrentPostings, Posting, load_current
from ratebook.book.ledger.rows import LedgerRow, rows_of
from ratebook.book.ledger.runs import begin_run, end_run
from ratebook.book.profile import raise_revision, read_federation
from ratebook.model import SectionType, System
from ratebook.office import Progress, no_progress
from ratebook.office.rating.difference import NOTHING, Difference, histogram_of, sorted_changes
from ratebook.office.rating.inputs import participants
from ratebook.office.rating.moved_ratings import refresh_moves
from ratebook.office.rating.standings import Inputs, MemberStandings, rate_from
from ratebook.office.rating.titles import changed_titles, norms_made
from ratebook.rating.rate import rate_in_columns
from ratebook.rules.in_force import RulesInForce

STATE = slice(LedgerRow._fields.index("rating"), LedgerRow._fields.index("match_change") + 1)
"""The columns of a row that later sections read."""


class Pace(NamedTuple):
    """How much a re-rating reads at once. What it writes depends on none of these.

    Attributes:
        part: sections that are read and written together; memory grows with them, and with nothing else of history.
        first_part: the same while few of them are looked at.
        whole_part: share of the sections of a part that are looked at, from which on everything of it is read at once:
            a section that is not looked at costs about a quarter of one that is then.
    """

    part: int = 1_000
    first_part: int = 200
    whole_part: float = 0.25


USUAL = Pace()


def rerate(  # noqa: PLR0913 - what, by whom, how
    book: Book,
    actor: Actor,
    *,
    since: date | None = None,
    everything: bool = False,
    dry_run: bool = False,
    progress: Progress = no_progress,
    pace: Pace = USUAL,
    preview: "KeptRerating | None" = None,
) -> Difference:
    """Rate again what waits, in one transaction: readers see the book before it or after it.

    One that is tried fills *preview*; while the book is still as it was then, that is done, and nothing computed. More
    than what waits is looked at *since* a day, or *everything*. What is written does not depend on the *pace*.
    """
    place = "" if everything else None if since is None else since.isoformat()
    with book.writing() as connection:
        rerating = _Rerating(connection, actor, pace)
        if preview is not None and preview.is_of(connection):
            difference = rerating.as_kept(preview, progress)
        else:
            if preview is not None and preview.head is None:
                rerating.preview = preview
            difference = rerating.all_of_it(place, progress)
        if dry_run or difference is NOTHING:
            connection.rollback()
    return difference


MOST_IN_MEMORY = 1 << 20
"""Bytes of what is kept of a re-rating; more are in a file."""


class KeptRerating:
    """A re-rating that was tried, to be done as it was seen, in a file that no one else can open.

    Nothing is kept without the *head* of the chain; *rules* are those by which it rated, by fingerprint.
    """

    def __init__(self) -> None:
        self.head: Head | None = None
        self.rules: dict[str, RulesInForce] = {}
        self.titles: dict[str, dict[str, date]] = {}
        self.difference = NOTHING
        self._postings: list[tuple[PendingPosting, list[tuple[object, ...]]]] = []
        self._file = SpooledTemporaryFile[bytes](MOST_IN_MEMORY, prefix="ratebook-")

    def close(self) -> None:
        """Forget what is kept."""
        self.head = None
        self._file.close()

    def is_of(self, connection: Connection) -> bool:
        """Return whether something is kept, and the book is as it was then."""
        return self.head is not None and is_still_at(connection, self.head)

    def keep(self, posting: PendingPosting, rules: RulesInForce | None) -> None:
        """Keep a posting."""
        # Plain rows are kept in half of the time.
        self._postings.append((posting._replace(rows=()), [tuple(row) for row in posting.rows]))
        if rules is not None and posting.new.rules is not None:
            self.rules[posting.new.rules] = rules

    def end_part(self, norms: Mapping[int, Sequence[NormRow]]) -> None:
        """Write what was kept since the part before, with the *norms* that come with it."""
        pickle.dump((self._postings, norms), self._file, pickle.HIGHEST_PROTOCOL)
        self._postings = []

    def end(self, titles: dict[str, dict[str, date]], difference: Difference, head: Head) -> None:
        """Keep what the re-rating changed of a book whose chain goes to *head*: all of it is known."""
        self.titles, self.difference, self.head = titles, difference, head

    def parts(self) -> Iterator[tuple[list[PendingPosting], dict[int, list[NormRow]]]]:
        """Yield what was written together: postings, and norms by section."""
        size = self._file.seek(0, SEEK_END)
        self._file.seek(0)
        while self._file.tell() < size:
            postings, norms = pickle.load(self._file)  # noqa: S301 - this process wrote it, and no one else can open it
            yield (
                [posting._replace(rows=list(map(LedgerRow._make, rows))) for posting, rows in postings],
                norms,
            )


class _Rerating:
    """One re-rating in the transaction of *connection*, part by part of history.

    A member whose state differs from the stored one is *changed*; once it matches again, the member is no longer
    followed, so that a change that dies out costs nothing further on.

    Attributes:
        affected: from which place on what the sections of a member read may have changed.
        changed: members whose states differ from the stored ones, and in which systems.
        whole_part: whether every section is looked at, so that the standings of all members hold.
        preview: what keeps all of it to be done as it was seen, where that is wanted.
    """

    def __init__(self, connection: Connection, actor: Actor, pace: Pace) -> None:
        self.connection = connection
        self.actor = actor
        self.pace = pace
        self.postings = Postings(connection)
        # The standings are read from what this run has written.
        self.standings = MemberStandings(read_federation(connection), self.postings.write_about)
        self.pending = read_pending(connection)
        self.affected = {
            change.member: change.place for change in reversed(self.pending) if change.member is not None
        }
        self.sections = {change.section for change in self.pending if change.section is not None}
        self.everything_from: str | None = None
        self.whole_part = False
        self.run = 0
        self.rated = 0
        self.rows = 0
        self.closed = 0
        self.changed: dict[str, set[System]] = defaultdict(set)
        self.norms: dict[int, list[NormRow]] = {}
        self.careers: set[str] = set()
        self.seen = 0
        self.preview: KeptRerating | None = None

    def all_of_it(self, since: str | None, progress: Progress) -> Difference:
        """Walk through history, looking at all sections from the place *since* on, and return what changed."""
        connection = self.connection
        adopted = any(change.member is None and change.section is None for change in self.pending)
        self.everything_from = "" if adopted else since
        starts = [change.place for change in self.pending] + ([] if since is None else [since])
        if not starts:
            return NOTHING
        start = min(starts)
        self._begin()
        self._close_moved()
        total = count_sections(connection, start)
        history = read_sections(connection, since=start)
        self.whole_part = self.everything_from == ""
        while part := list(islice(history, self.pace.part if self.whole_part else self.pace.first_part)):
            self._part(part, self.seen, total, progress)
            self.seen += len(part)
        progress(self.seen, total)
        titles = changed_titles(connection, self.standings.federation, sorted(self.careers))
        self._follow(titles)
        changes = sorted_changes(rating_changes(connection, self.run))
        difference = Difference(
            run=self.run,
            sections=self.seen,
            rated=self.rated,
            rows=self.rows,
            closed=self.closed,
            changes=changes,
            histogram=histogram_of(changes),
        )
        if self.preview is not None:
            # Links follow at the end of a transaction: the chain is as it was.
            self.preview.end(titles, difference, head_of(connection))
        return self._ended(difference)

    def as_kept(self, preview: KeptRerating, progress: Progress) -> Difference:
        """Write what was kept of the same re-rating of the same book, and return what changed."""
        self._begin()
        for postings, norms in preview.parts():
            for posting in postings:
                new = posting.new._replace(run_id=self.run)
                if new.rules is not None:
                    self.standings.rule_sets.store(self.connection, preview.rules[new.rules])
                self._add(posting._replace(new=new), None)
            self.norms = norms
            self._write()
        self._follow(preview.titles)
        seen = preview.difference.sections
        progress(seen, seen)
        return self._ended(preview.difference._replace(run=self.run))

    def _begin(self) -> None:
        self.run = begin_run(
            self.connection, "rerate", self.actor, self.standings.federation.rulebook_id, __version__
        )

    def _follow(self, titles: Mapping[str, Mapping[str, date]]) -> None:
        """Write what follows from all sections: titles, and the ratings that decisions move."""
        write_titles(self.connection, titles)
        added, ended = refresh_moves(self.connection, self.standings.federation, lambda: self.run)
        self.rows += added
        self.closed += ended

    def _ended(self, difference: Difference) -> Difference:
        """End the run, and return what it changed."""
        connection = self.connection
        settle_pending(connection, self.run)
        end_run(connection, self.run, self.actor.at)
        raise_revision(connection)
        details = (
            f"{difference.sections} sections, {difference.rated} rated again, {difference.rows} rows, "
            f"{difference.closed} closed, {len(difference.changes)} ratings changed"
        )
        note_audit(connection, self.actor, "rerate", AuditSubject("run", str(self.run)), details)
        return difference

    def _close_moved(self) -> None:
        """Close what is posted at a place where its section is no longer, so that no rating starts from it."""
        misplaced = misplaced_postings(self.connection, self.sections)
        current = load_current(self.connection, {section for section, _ in misplaced})
        for section, system in misplaced:
            self._drop(section, system, current.postings[section][system])
        self._write()

    def _part(self, part: list[StoredSection], seen: int, total: int, progress: Progress) -> None:
        """Look at consecutive sections; afterwards everything about them is written."""
        looked_at = [stored for stored in part if self._is_looked_at(stored)]
        whole = len(looked_at) > self.pace.whole_part * len(part)
        if whole and not self.whole_part:
            self.standings.states.clear()
        self.whole_part = whole
        current = load_current(self.connection, [stored.id for stored in (part if whole else looked_at)])
        if whole:
            self._load(part)
        loaded = {stored.id for stored in looked_at}
        for stored in part:
            progress(seen, total)
            seen += 1
            if self._is_looked_at(stored):
                postings = current
                if not whole and stored.id not in loaded:
                    # What waits to be written is about other sections.
                    postings = load_current(self.connection, [stored.id])
                self._section(stored, postings)
            elif whole:
                # The section reads nothing new: its members move to the states in its rows.
                known = current.postings.get(stored.id, {})
                self.standings.apply(stored, {system: posting.rows for system, posting in known.items()})
        self._write()

    def _load(self, part: list[StoredSection]) -> None:
        """Read the standings of all members in *part* before it."""
        matches = [stored for stored in part if stored.section.type is SectionType.MATCH]
        self.standings.load(self.connection, participants(part), part[0].place)
        self.standings.read_matches(self.connection, participants(matches), part[0].place)

    def _write(self) -> None:
        """Write what waits."""
        if self.preview is not None:
            self.preview.end_part(self.norms)
        self.postings.write()
        write_norms(self.connection, self.norms)
        self.norms.clear()

    def _add(self, posting: PendingPosting, rules: RulesInForce | None) -> None:
        """Take a posting, which is written with others."""
        if self.preview is not None:
            self.preview.keep(posting, rules)
        self.postings.add(posting)

    def _drop(self, section: int, system: System, posting: Posting) -> None:
        """End a posting that nothing takes the place of."""
        ended = NewPosting(
            run_id=self.run,
            section_id=section,
            system=system,
            place=posting.place,
            dual_rated=False,
            rules=None,
            input_hash="",
            withdrawn=True,
        )
        self._add(PendingPosting(ended, (), posting.id, list(posting.rows), all_closed=True), None)
        self.closed += len(posting.rows)
        for member in posting.rows:
            self.changed[member].add(system)
            self.standings.states.pop(member, None)
            self.affected[member] = min(self.affected.get(member, posting.place), posting.place)
        if system is System.REGULAR:
            self.careers.update(posting.rows)
            self.norms[section] = []

    def _is_looked_at(self, stored: StoredSection) -> bool:
        """Return whether a section may read something new, or everything there is looked at."""
        if self.everything_from is not None and stored.place >= self.everything_from:
            return True
        if stored.id in self.sections or stored.section.type is SectionType.MATCH:
            # A match reads official ratings too, from rows that may be far back.
            return True
        return any(
            member in self.changed or self.affected.get(member, END_OF_HISTORY) <= stored.place
            for member in stored.members
        )

    def _section(self, stored: StoredSection, current: CurrentPostings) -> None:
        """Rate a section again where what it reads has changed."""
        connection, standings = self.connection, self.standings
        postings = current.postings.get(stored.id, {})
        self._forget(stored.members)
        for posting in postings.values():
            # Members taken out of this section are changed by it, and are then believed.
            self._forget(posting.rows)
        standings.load(connection, stored.members, stored.place)
        inputs = {
            system_inputs.system: system_inputs for system_inputs in standings.inputs(connection, stored)
        }
        after: dict[System, Mapping[str, LedgerRow]] = {}
        for system, posting in postings.items():
            if system not in inputs:
                self._drop(stored.id, system, posting)
        for system, system_inputs in inputs.items():
            posting_before = postings.get(system)
            if (
                posting_before is not None
                and posting_before.input_hash == system_inputs.hash
                and posting_before.place == stored.place
            ):
                after[system] = posting_before.rows
                self._settle(stored, system, posting_before.rows, posting_before.rows)
                if system is System.REGULAR and self.everything_from is not None:
                    self.careers.update(posting_before.rows)
            else:
                after[system] = rows_of(rate_from(stored, system_inputs, rate_in_columns))
                supersedes = current.numbers.get((stored.id, system))
                self._post(stored, system_inputs, posting_before, supersedes, after[system])
        standings.apply(stored, after)

    def _forget(self, members: Iterable[str]) -> None:
        """Forget the states of *members* unless every section of theirs was seen since that was read."""
        if not self.whole_part:
            for member in members:
                if member not in self.changed:
                    self.standings.states.pop(member, None)

    def _post(
        self,
        stored: StoredSection,
        inputs: Inputs,
        posting_before: Posting | None,
        supersedes: int | None,
        rated: Mapping[str, LedgerRow],
    ) -> None:
        """Post a section rated in one system, replacing what is known of it."""
        system = inputs.system
        before = {} if posting_before is None else posting_before.rows
        moved = posting_before is not None and posting_before.place != stored.place
        changed = [row for member, row in rated.items() if moved or before.get(member) != row]
        closed = [member for member, row in before.items() if moved or rated.get(member) != row]
        posting = self.standings.new_posting(self.connection, self.run, stored, inputs)
        self._add(
            PendingPosting(posting, changed, supersedes, closed, all_closed=len(closed) == len(before)),
            inputs.rules,
        )
        self.rated += 1
        self.rows += len(changed)
        self.closed += len(closed)
        self._settle(stored, system, before, rated)
        if system is System.REGULAR:
            self.norms[stored.id] = norms_made(stored, rated)
            self.careers.update(rated)
            self.careers.update(before)

    def _settle(
        self,
        stored: StoredSection,
        system: System,
        before: Mapping[str, LedgerRow],
        after: Mapping[str, LedgerRow],
    ) -> None:
        """Note whose state after a section differs from the stored one, and whose matches it again."""
        if before is after and not self.changed:
            return
        for member in before.keys() | after.keys():
            old, new = before.get(member), after.get(member)
            if old is None or new is None or old[STATE] != new[STATE]:
                self.changed[member].add(system)
                if getattr(old, "match_change", None) != getattr(new, "match_change", None):
                    # The limits of later matches read it, whatever the member's state is then.
                    self.affected.setdefault(member, stored.place)
                continue
            changed = self.changed.get(member)
            if changed is not None:
                changed.discard(system)
                if not changed:
                    del self.changed[member]

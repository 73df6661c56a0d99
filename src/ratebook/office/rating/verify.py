"""Verifying the book: the whole ledger is computed again from balances, reports, decisions and the stored rules."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from pathlib import Path
from traceback import extract_tb
from typing import NamedTuple

from ratebook.book.audit import decisions_not_audited, sections_not_audited
from ratebook.book.chain import verifications
from ratebook.book.chain.checking import chain_findings, store_findings
from ratebook.book.chain.links import NO_LINK, Head, head_of
from ratebook.book.columns import day_of_place, place_of
from ratebook.book.connection import STORE_FAILURES, Actor, Book, Connection
from ratebook.book.events import StoredSection, as_kept, count_sections, misplaced_games, section_parts
from ratebook.book.facts.members import merged_ids
from ratebook.book.failures import BookError, failure_of, is_of_value, refused
from ratebook.book.ledger.careers import NormRow, load_careers, norms_of
from ratebook.book.ledger.lists import list_headers
from ratebook.book.ledger.moved_ratings import current_moves, members_decided_about
from ratebook.book.ledger.pending import read_pending
from ratebook.book.ledger.read import Posting, load_current, load_rule_sets
from ratebook.book.ledger.rows import LedgerRow, rows_of
from ratebook.book.ledger.runs import platform_name, platforms
from ratebook.book.profile import read_federation
from ratebook.book.reports import canonical_sections, stored_report
from ratebook.book.submissions import rated_submissions
from ratebook.findings import Finding, Place, finding, has_errors
from ratebook.model import Report, Section, System
from ratebook.office import Progress, no_progress
from ratebook.office.publish.lists import digest_of_list
from ratebook.office.rating.inputs import GamesPlayed, participants, played_in
from ratebook.office.rating.moved_ratings import moves_of
from ratebook.office.rating.standings import MOST_MEMBER_FILES, MemberStandings, rate_from
from ratebook.office.rating.titles import norms_made, titles_of_career
from ratebook.rating.rate import rate_in_columns

CLOSE = 1e-9
"""On another platform than the one that rated, figures may differ by this much (ARCHITECTURE, invariant 4)."""

MOST_FINDINGS = 1_000


class Verified(NamedTuple):
    """What `verify` looked at and found, *since* another or from the beginning; without an error, up to a *head*."""

    sections: int
    rows: int
    findings: tuple[Finding, ...]
    head: Head = NO_LINK
    since: verifications.Verification | None = None


def verify_new(
    book: Book, on: date, progress: Progress = no_progress, *, sealed: Head | None = None
) -> Verified:
    """Verify what the book has taken since the last verification, as far as that is known to be right.

    A warning says that one of everything is due *on* this day, by the profile.

    Raises:
        BookError: the book was never verified as a whole, or the store fails.
    """
    with book.reading() as connection:
        last = verifications.last_verification(connection)
        whole = verifications.last_verification(connection, verifications.EVERYTHING)
        due = verification_due(connection, on)
    if last is None or whole is None:
        raise refused("verified-never", Place(subject="the book"))
    verified = verify(book, progress, sealed=sealed, since=last)
    return verified._replace(findings=(*verified.findings, *due))


def verification_due(connection: Connection, on: date) -> list[Finding]:
    """Return a warning where the profile asks for a verification of everything *on* this day."""
    whole = verifications.last_verification(connection, verifications.EVERYTHING)
    allowed = read_federation(connection).profile.days_between_verifications
    if whole is None or whole.days_before(on) <= allowed:
        return []
    place = Place(subject="the book")
    return [
        finding("verification-due", place, day=whole.at[:10], days=whole.days_before(on), allowed=allowed)
    ]


def keep_verified(book: Book, actor: Actor, verified: Verified) -> list[Finding]:
    """Note in the book that it was verified without an error; return why that was not possible."""
    if has_errors(verified.findings):
        return []
    action = verifications.EVERYTHING if verified.since is None else verifications.NEW
    details = f"{verified.sections} sections, {verified.rows} rows"
    try:
        with book.logging() as connection:
            verifications.note_verification(connection, actor, action, verified.head, details)
    except BookError as failure:
        # A book that may only be read is verified all the same.
        return [finding("verified-not-noted", Place(file=book.url), message=failure.finding.message)]
    return []


def verify(
    book: Book,
    progress: Progress = no_progress,
    *,
    sealed: Head | None = None,
    deep: bool = False,
    since: verifications.Verification | None = None,
) -> Verified:
    """Check the store and the chain, compute the whole ledger again and compare.

    *sealed* is a head of the chain that was kept outside of the book; *deep* has the store check its indexes too. If
    everything was right when it was verified last, *since* leaves out what neither came, changed nor was rated after
    that, and reads something of what did.

    For every section in the order of history, what its rating read is put together again from the rows before it.
    Where it has another hash than the stored one, the chain is broken, unless a pending re-rating will fix it.
    Where the hash is the same, the section is rated with the rules that its run stored, and every figure must be the
    stored one: bit for bit on the platform that wrote it, within 1e-9 on another.

    Raises:
        BookError: the store fails or has rules of a later version, and nothing else is wrong with the book.
    """
    with book.reading() as connection:
        start = NO_LINK if since is None else since.head
        verifier = _Verifier(
            connection, None if since is None else verifications.part_since(connection, start)
        )
        findings: list[Finding] = []
        for subject, step in (
            ("the store", store_findings(connection, deep=deep) if since is None else iter(())),
            ("the chain", chain_findings(connection, sealed, start)),
            ("the ledger", verifier.ledger(progress)),
            ("the official lists", verifier.lists()),
            ("the audit log", verifier.audit()),
        ):
            try:
                findings.extend(islice(step, MOST_FINDINGS - len(findings)))
            except (BookError, *STORE_FAILURES) as failure:
                # Where nothing else is wrong with the book, the store does not answer, or the program is too old.
                if not findings:
                    raise
                refusal = failure if isinstance(failure, BookError) else failure_of(failure, book.url)
                findings.append(refusal.finding)
                if refusal is not failure and not is_of_value(failure):
                    break
            except Exception as failure:  # noqa: BLE001 - what damage leads to, no list of exceptions knows
                line = extract_tb(failure.__traceback__)[-1]
                met = f"{type(failure).__name__}, {Path(line.filename).name}:{line.lineno}"
                findings.append(finding("verify-stopped", Place(subject=subject), failure=met))
        verified = Verified(verifier.sections, verifier.rows, tuple(findings), since=since)
        if has_errors(findings):
            return verified
        return verified._replace(head=head_of(connection))


class _Verifier:
    """The steps of `verify` that compute something, in this order; of a *part* of the book, or of everything."""

    def __init__(self, connection: Connection, part: verifications.NewPart | None) -> None:
        self.connection = connection
        self.part = part
        self.chosen = None if part is None else part.sections
        self.sections = 0
        self.rows = 0
        self.stale = 0
        self.differing: set[int] = set()
        self.unreadable: set[str] = set()
        self.rated = set(() if part is None else part.rated)
        self.without_career: set[str] = set()

    def _reports(self, part: Sequence[StoredSection]) -> Iterator[Finding]:
        """Yield the sections, withdrawn ones too, that are not what the revision of their report that holds says."""
        reported, failures = self._reported(part)
        for stored in part:
            event_id = stored.event_id
            if event_id in failures and event_id not in self.unreadable:
                self.unreadable.add(event_id)
                yield failures[event_id]
            if (
                reported.get((event_id, stored.section.number)) != stored.section
                or stored.id in self.misplaced
            ):
                self.differing.add(stored.id)
                yield finding("section-differs", _place(stored))
            if stored.place != place_of(stored.section.end, event_id, stored.section.number):
                yield finding("place-wrong", _place(stored))

    def _reported(
        self, part: Iterable[StoredSection]
    ) -> tuple[dict[tuple[str, int], Section], dict[str, Finding]]:
        """Return the sections of the reports by which some are rated, and what is wrong with those that fail."""
        failures: dict[str, Finding] = {}
        reports: dict[str, Report] = {}
        event_ids = list(dict.fromkeys(stored.event_id for stored in part))
        for event_id, row in rated_submissions(self.connection, event_ids).items():
            try:
                reports[event_id], _ = stored_report(row)
            except BookError as failure:
                failures[event_id] = failure.finding
        players = dict.fromkeys(player for report in reports.values() for player in report.players)
        canonical = merged_ids(self.connection, players)
        sections = {
            (event_id, section.number): as_kept(section)
            for event_id, report in reports.items()
            for section in canonical_sections(report, canonical)
        }
        return sections, failures

    def ledger(self, progress: Progress) -> Iterator[Finding]:
        """Yield what sections have otherwise than reports, and the ledger than balances, decisions and rules give."""
        self.standings = MemberStandings(read_federation(self.connection))
        self.misplaced = misplaced_games(self.connection, self.chosen)
        self.rules = load_rule_sets(self.connection)
        self.pending = read_pending(self.connection)
        self.first_pending = min((change.place for change in self.pending), default=None)
        self.same_platform = platforms(self.connection) <= {platform_name()}
        total = count_sections(self.connection) if self.chosen is None else len(self.chosen)
        for part in section_parts(self.connection, self.chosen):
            yield from self._reports(part)
            self._read(part)
            for stored in part:
                yield from self._section(stored)
                self.sections += 1
                progress(self.sections, total)
        yield from self._moved_ratings()
        yield from self._titles()
        if self.pending:
            yield finding(
                "rerate-waits.verified-without",
                Place(subject="ledger"),
                pending_count=len(self.pending),
                stale=self.stale,
            )

    def _read(self, part: Sequence[StoredSection]) -> None:
        """Read what the ledger has of consecutive sections, and where their members stand before them."""
        connection, standings = self.connection, self.standings
        ids = [stored.id for stored in part]
        self.postings = load_current(connection, ids).postings
        self.norms = norms_of(connection, ids)
        if self.part is not None or len(standings.states) > MOST_MEMBER_FILES:
            # Sections between this part and the one before may have moved its members.
            standings.states.clear()
        standings.load(connection, participants(part), part[0].place)

    def _section(self, stored: StoredSection) -> Iterator[Finding]:
        """Verify what the ledger says of one section, unless the section is not what its report says."""
        postings = self.postings.get(stored.id, {})
        if stored.id in self.differing:
            self.without_career.update(stored.members)
        else:
            yield from self._posted(stored, postings)
            played = played_in(stored.section)
            for system, posting in postings.items():
                yield from self._posting(stored, played, system, posting)
            yield from self._norms(stored, postings)
        self.standings.apply(stored, {system: posting.rows for system, posting in postings.items()})

    def _waits(self, place: str) -> bool:
        """Return whether a re-rating that is pending will rate again what is at a place."""
        return self.first_pending is not None and self.first_pending <= place

    def _posted(self, stored: StoredSection, postings: Mapping[System, Posting]) -> Iterator[Finding]:
        """Look for the ratings that a section must have."""
        plan = self.standings.plan(stored)
        if plan is None or self._waits(stored.place):
            return
        for system, _ in plan.systems:
            if system not in postings:
                yield finding("posting-missing", _place(stored, system))

    def _posting(
        self, stored: StoredSection, played: GamesPlayed, system: System, posting: Posting
    ) -> Iterator[Finding]:
        self.rows += len(posting.rows)
        rules = self.rules.get(posting.rules or "")
        if rules is None:
            yield finding("rules-not-stored", _place(stored, system), rules=posting.rules)
            return
        inputs = self.standings.inputs_with(
            self.connection, stored, system, rules, dual_rated=posting.dual_rated, played=played
        )
        if inputs.hash != posting.input_hash or posting.place != stored.place:
            if self._waits(max(stored.place, posting.place)):
                self.stale += 1
                return
            yield finding("chain-broken", _place(stored, system))
            return
        for member, expected in rows_of(rate_from(stored, inputs, rate_in_columns)).items():
            row = posting.rows.get(member)
            if row is None:
                yield finding("row-missing", _place(stored, system), member=member)
            elif not self._same(expected, row):
                difference = _difference(expected, row)
                yield finding("row-differs", _place(stored, system), member=member, difference=difference)
        for member in posting.rows.keys() - inputs.facts.keys():
            yield finding("row-too-many", _place(stored, system), member=member)

    def _same(self, expected: Sequence[object], stored: Sequence[object]) -> bool:
        if expected == stored:
            return True
        if self.same_platform:
            return False
        return all(
            computed == figure
            or (
                isinstance(computed, float)
                and isinstance(figure, float)
                and math.isclose(computed, figure, rel_tol=0.0, abs_tol=CLOSE)
            )
            for computed, figure in zip(expected, stored, strict=True)
        )

    def _norms(self, stored: StoredSection, postings: Mapping[System, Posting]) -> Iterator[Finding]:
        """Compare the norms of a section with those that its ratings give."""
        stored_norms = self.norms.get(stored.id, {})
        regular = postings.get(System.REGULAR)
        norms: dict[str, NormRow] = {}
        if regular is not None:
            norms = {norm.member_id: norm for norm in norms_made(stored, regular.rows)}
            if self.part is None:
                self.rated.update(regular.rows)
        if self._waits(stored.place):
            return
        if norms.keys() != stored_norms.keys() or not all(
            self._same(norm, stored_norms[member]) for member, norm in norms.items()
        ):
            yield finding("norms-differ", _place(stored))

    def _moved_ratings(self) -> Iterator[Finding]:
        """Compare the ratings that decisions moved with those that sections and decisions give."""
        federation = self.standings.federation
        moves = current_moves(self.connection)
        computed = moves_of(self.connection, federation, members_decided_about(self.connection))
        self.rows += len(moves)
        for place in sorted(moves.keys() | computed.keys()):
            stored, expected = moves.get(place), computed.get(place)
            if stored is not None and expected is not None and self._same(expected.row, stored.moved.row):
                continue
            if self._waits(place.place):
                self.stale += 1
            else:
                member = Place(members=(place.member,), system=place.system, field=day_of_place(place.place))
                yield finding("moved-rating-wrong", member)

    def _titles(self) -> Iterator[Finding]:
        """Compare the titles on record of those who were rated with those that their careers give."""
        for careers in load_careers(self.connection, sorted(self.rated)):
            for member, career in careers.items():
                if member in self.without_career or (
                    career.sections and self._waits(career.sections[-1].place)
                ):
                    continue
                if titles_of_career(self.standings.federation, career) != career.titles:
                    yield finding("titles-differ", Place(members=(member,)))

    def lists(self) -> Iterator[Finding]:
        """Compare every official list with the digest it was published under."""
        for header in list_headers(self.connection):
            if self.part is not None and header.month not in self.part.lists:
                continue
            if digest_of_list(self.connection, header.month) != header.digest:
                yield finding("list-changed", Place(month=header.month))

    def audit(self) -> Iterator[Finding]:
        """Look for decisions and posted sections without an audit entry."""
        for event_id, number in sections_not_audited(self.connection):
            yield finding("audit-missing.section", Place(event=event_id, section=number))
        for decision in decisions_not_audited(self.connection):
            yield finding("audit-missing.decision", Place(decision=decision))


def _place(stored: StoredSection, system: str = "") -> Place:
    return Place(event=stored.event_id, section=stored.section.number, system=system)


def _difference(expected: LedgerRow, row: LedgerRow) -> str:
    """Return the first figure that differs, in words."""
    for name, computed, figure in zip(LedgerRow._fields, expected, row, strict=True):
        if computed != figure:
            return f"{name} is {figure!r}, computed {computed!r}"
    return "nothing"

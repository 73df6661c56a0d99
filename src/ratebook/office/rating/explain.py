"""Explaining a rating of the ledger: its section is rated once more, which must give the ledger's own figures."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ratebook.book.connection import Book, Connection
from ratebook.book.events import StoredSection, as_stored, read_sections
from ratebook.book.facts.members import holding_id, names_of
from ratebook.book.failures import refused
from ratebook.book.ledger.moved_ratings import RAISED, MoveSaid, move_before
from ratebook.book.ledger.read import Posting, load_current, load_rule_sets
from ratebook.book.ledger.rows import rows_of
from ratebook.book.ledger.runs import rulebook_of_run
from ratebook.book.profile import read_federation
from ratebook.book.reports import stored_report, with_members
from ratebook.book.submissions import rated_submission, read_submission, revisions_of
from ratebook.findings import Place
from ratebook.model import SectionType, System
from ratebook.office.rating.inputs import played_in
from ratebook.office.rating.standings import MemberStandings, rate_from
from ratebook.rating.explanation.explain import Explainer, explain
from ratebook.rating.results import RatedSection
from ratebook.records.explanations import Explanation
from ratebook.rules.in_force import RulesInForce


class AskedRatings(NamedTuple):
    """Which ratings of an event are explained: those of one section or (None) all, in *systems* or (empty) all."""

    section: int | None = None
    systems: Sequence[System] = ()


ALL_RATINGS = AskedRatings()
CORRECTED = "The office has corrected this section since; the next re-rating computes it again."


def explain_rating(
    book: Book,
    member: str,
    event_id: str,
    question: AskedRatings = ALL_RATINGS,
    explainer: Explainer = explain,
) -> list[Explanation]:
    """Return how a member's ratings of an event came about.

    The *explainer* decides for whom: `explain` for the office, `explain_in_public` for anyone.

    Raises:
        BookError: the member has no rating there, or a re-rating waits that will change it.
    """
    with book.reading() as connection:
        holding = holding_id(connection, member)
        explanations = [
            explanation
            for stored in read_sections(connection, event_id=event_id)
            if question.section in {None, stored.section.number} and holding in stored.members
            for explanation in _explained(connection, stored, holding, question.systems, explainer)
        ]
    if not explanations:
        raise refused("nothing-to-explain", Place(event=event_id, members=(member,)))
    return explanations


def _explained(
    connection: Connection,
    stored: StoredSection,
    member: str,
    systems: Sequence[System],
    explainer: Explainer,
) -> Iterator[Explanation]:
    rules = load_rule_sets(connection)
    versions = _Versions(connection, stored)
    for system, posting in load_current(connection, [stored.id]).postings.get(stored.id, {}).items():
        if systems and system not in systems:
            continue
        rated, is_corrected = versions.as_posted(system, posting, rules[posting.rules or ""])
        seat = next((entry.seat for entry in rated.section.entries if entry.player == member), None)
        if seat is None or member not in played_in(rated.section).rated:
            continue
        # Rating reads no names; an explanation shows them.
        names = names_of(connection, rated.facts)
        named = {player: facts._replace(name=names.get(player, "")) for player, facts in rated.facts.items()}
        explanation = explainer(rated._replace(facts=named), seat, rulebook_of_run(connection, posting.run))
        if explanation is not None:
            moved = move_before(connection, member, system, stored.place)
            # The reason of a decision about a person is the office's own.
            sentences = [_moved_text(moved, with_reason=explainer is explain)] if moved is not None else []
            if is_corrected:
                sentences.append(CORRECTED)
            start, *others = explanation.steps
            start = replace(start, text=(*start.text, *sentences))
            yield replace(explanation, steps=(start, *others))


class _Versions:
    """A section as it is, and as the versions of its report before had it; each is loaded once, for all systems."""

    def __init__(self, connection: Connection, stored: StoredSection) -> None:
        self._connection, self._stored = connection, stored
        self._known: list[tuple[StoredSection, MemberStandings]] = []
        self._left = self._load()

    def as_posted(self, system: System, posting: Posting, numbers: RulesInForce) -> tuple[RatedSection, bool]:
        """Return the section as it was rated, and whether it was corrected since; a `BookError` if that waits."""
        for version, standings in self._each():
            inputs = standings.inputs_with(
                self._connection, version, system, numbers, dual_rated=posting.dual_rated
            )
            rated = rate_from(version, inputs)
            if inputs.hash == posting.input_hash and rows_of(rated) == posting.rows:
                return rated, version is not self._stored
        where = Place(event=self._stored.event_id, section=self._stored.section.number)
        raise refused("rerate-waits.section", where)

    def _each(self) -> Iterator[tuple[StoredSection, MemberStandings]]:
        yield from self._known
        for loaded in self._left:
            self._known.append(loaded)
            yield loaded

    def _load(self) -> Iterator[tuple[StoredSection, MemberStandings]]:
        for version in _versions(self._connection, self._stored):
            standings = MemberStandings(read_federation(self._connection))
            standings.load(self._connection, version.members, version.place)
            strangers = [member for member in version.members if standings.states[member].member_file is None]
            # A version that named somebody unknown waited for the office, and was never rated.
            if not strangers or version.section.type is SectionType.FIDE:
                yield version, standings


def _versions(connection: Connection, stored: StoredSection) -> Iterator[StoredSection]:
    """Yield a section as it is, then as the versions of its report before had it, the newest first."""
    yield stored
    row = rated_submission(connection, stored.event_id)
    chain = [] if row is None else [one for one in revisions_of(connection, row) if one.id < row.id]
    for revision in reversed(chain):
        before = read_submission(connection, revision.id)
        if before is None or not before.report:
            continue
        report, _ = with_members(connection, stored_report(before)[0])
        for section in report.sections:
            if section.number == stored.section.number:
                yield as_stored(stored.id, stored.event_id, section, report.players)


def _moved_text(moved: MoveSaid, *, with_reason: bool) -> str:
    how = "raised to the floor of" if moved.how == RAISED else "adjusted to"
    reason = f": {moved.reason.rstrip('.')}" if with_reason else ""
    return f"The rating was {how} {moved.rating:g} on {moved.day}{reason}."

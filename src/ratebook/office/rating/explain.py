"""Explaining a rating of the ledger: its section is rated once more, which must give the ledger's own figures."""

from collections.abc import Iterator, Mapping, Sequence
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
    current = load_current(connection, [stored.id]).postings.get(stored.id, {})
    postings = {system: posting for system, posting in current.items() if not systems or system in systems}
    for system, (rated, is_corrected) in _as_posted(connection, stored, postings).items():
        seat = next((entry.seat for entry in rated.section.entries if entry.player == member), None)
        if seat is None or member not in played_in(rated.section).rated:
            continue
        # Rating reads no names; an explanation shows them.
        names = names_of(connection, rated.facts)
        named = {player: facts._replace(name=names.get(player, "")) for player, facts in rated.facts.items()}
        explanation = explainer(
            rated._replace(facts=named), seat, rulebook_of_run(connection, postings[system].run)
        )
        if explanation is not None:
            moved = move_before(connection, member, system, stored.place)
            # The reason of a decision about a person is the office's own.
            sentences = [_moved_text(moved, with_reason=explainer is explain)] if moved is not None else []
            if is_corrected:
                sentences.append(CORRECTED)
            start, *others = explanation.steps
            start = replace(start, text=(*start.text, *sentences))
            yield replace(explanation, steps=(start, *others))


def _as_posted(
    connection: Connection, stored: StoredSection, postings: Mapping[System, Posting]
) -> dict[System, tuple[RatedSection, bool]]:
    """Return a section as it was rated in each system, and whether the office has corrected it since.

    Versions of its report before are loaded only while a posting is not that of a later one. A `BookError` if none is:
    a re-rating waits that will change it.
    """
    rules = load_rule_sets(connection)
    posted: dict[System, tuple[RatedSection, bool]] = {}
    for version in _versions(connection, stored) if postings else ():
        standings = MemberStandings(read_federation(connection))
        standings.load(connection, version.members, version.place)
        strangers = [member for member in version.members if standings.states[member].member_file is None]
        if strangers and version.section.type is not SectionType.FIDE:
            # A version that named somebody unknown waited for the office, and was never rated.
            continue
        for system, posting in postings.items():
            if system in posted:
                continue
            numbers = rules[posting.rules or ""]
            inputs = standings.inputs_with(
                connection, version, system, numbers, dual_rated=posting.dual_rated
            )
            rated = rate_from(version, inputs)
            if inputs.hash == posting.input_hash and rows_of(rated) == posting.rows:
                posted[system] = rated, version is not stored
        if len(posted) == len(postings):
            break
    if len(posted) < len(postings):
        raise refused("rerate-waits.section", Place(event=stored.event_id, section=stored.section.number))
    return {system: posted[system] for system in postings}


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

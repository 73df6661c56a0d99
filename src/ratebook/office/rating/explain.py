"""Explaining a rating of the ledger: its section is rated once more, which must give the ledger's own figures."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ratebook.book.connection import Book, Connection
from ratebook.book.events import StoredSection, read_sections
from ratebook.book.facts.members import holding_id, names_of
from ratebook.book.failures import refused
from ratebook.book.ledger.moved_ratings import RAISED, MoveSaid, move_before
from ratebook.book.ledger.read import load_postings, load_rule_sets
from ratebook.book.ledger.rows import rows_of
from ratebook.book.ledger.runs import rulebook_of_run
from ratebook.book.profile import read_federation
from ratebook.findings import Place
from ratebook.model import System
from ratebook.office.rating.standings import MemberStandings, rate_from
from ratebook.rating.explanation.explain import Explainer, explain
from ratebook.records.explanations import Explanation


class AskedRatings(NamedTuple):
    """Which ratings of an event are explained: those of one section or (None) all, in *systems* or (empty) all."""

    section: int | None = None
    systems: Sequence[System] = ()


ALL_RATINGS = AskedRatings()


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
    standings = MemberStandings(read_federation(connection))
    rules = load_rule_sets(connection)
    standings.load(connection, stored.members, stored.place)
    seat = next(entry.seat for entry in stored.section.entries if entry.player == member)
    names = names_of(connection, stored.members)
    for system, posting in load_postings(connection, stored.id).items():
        if systems and system not in systems:
            continue
        numbers = rules[posting.rules or ""]
        inputs = standings.inputs_with(connection, stored, system, numbers, dual_rated=posting.dual_rated)
        rated = rate_from(stored, inputs)
        if inputs.hash != posting.input_hash or rows_of(rated) != posting.rows:
            raise refused("rerate-waits.section", Place(event=stored.event_id, section=stored.section.number))
        # Rating reads no names; an explanation shows them.
        named = {player: facts._replace(name=names.get(player, "")) for player, facts in rated.facts.items()}
        explanation = explainer(rated._replace(facts=named), seat, rulebook_of_run(connection, posting.run))
        if explanation is not None:
            moved = move_before(connection, member, system, stored.place)
            if moved is not None:
                # The reason of a decision about a person is the office's own.
                sentence = _moved_text(moved, with_reason=explainer is explain)
                start, *others = explanation.steps
                start = replace(start, text=(*start.text, sentence))
                explanation = replace(explanation, steps=(start, *others))
            yield explanation


def _moved_text(moved: MoveSaid, *, with_reason: bool) -> str:
    how = "raised to the floor of" if moved.how == RAISED else "adjusted to"
    reason = f": {moved.reason.rstrip('.')}" if with_reason else ""
    return f"The rating was {how} {moved.rating:g} on {moved.day}{reason}."

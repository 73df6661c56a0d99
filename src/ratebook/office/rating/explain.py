"""Explaining a rating of the ledger: its section is rated once more, which must give the ledger's own figures."""

from collections.abc import Sequence

from ratebook.book.connection import Book, Connection
from ratebook.book.events import StoredSection, read_sections
from ratebook.book.facts.members import holding_id, names_of
from ratebook.book.failures import refused
from ratebook.book.ledger.read import load_postings, load_rule_sets
from ratebook.book.ledger.rows import rows_of
from ratebook.book.ledger.runs import rulebook_of_run
from ratebook.book.profile import read_federation
from ratebook.model import System
from ratebook.office.rating.standings import Standings, rate_from
from ratebook.rating.explanation.explain import Explanation, explain
from ratebook.rating.results import RatedSection


def explain_rating(
    book: Book, member: str, event_id: str, *, number: int | None = None, systems: Sequence[System] = ()
) -> list[Explanation]:
    """Return how a member's ratings of an event came about: in one section or all, in *systems* or (empty) all.

    Raises:
        BookError: the member has no rating there, or a re-rating waits that will change it.
    """
    with book.reading() as connection:
        holding = holding_id(connection, member)
        found = []
        for stored in read_sections(connection, event_id=event_id):
            if number not in {None, stored.section.number} or holding not in stored.members:
                continue
            found += _explained(connection, stored, holding, systems)
    if not found:
        raise refused("nothing-to-explain", f"member {member}, event {event_id}")
    return found


def rated_as_posted(
    connection: Connection, stored: StoredSection, systems: Sequence[System] = ()
) -> list[tuple[RatedSection, int]]:
    """Return a section rated again as it was posted, by system, each with the run that posted it.

    Raises:
        BookError: what it read has changed since, and a re-rating waits.
    """
    standings = Standings(read_federation(connection))
    rules = load_rule_sets(connection)
    standings.load(connection, stored.members, stored.place)
    rated = []
    for system, posting in load_postings(connection, stored.id).items():
        if systems and system not in systems:
            continue
        numbers = rules[posting.rules or ""]
        inputs = standings.inputs_with(connection, stored, system, numbers, dual_rated=posting.dual_rated)
        result = rate_from(stored, inputs)
        if inputs.hash != posting.input_hash or rows_of(result) != posting.rows:
            raise refused(
                "rerate-waits.rated-as-posted", f"event {stored.event_id}, section {stored.section.number}"
            )
        rated.append((result, posting.run))
    return rated


def _explained(
    connection: Connection, stored: StoredSection, member: str, systems: Sequence[System]
) -> list[Explanation]:
    seat = next(entry.seat for entry in stored.section.entries if entry.player == member)
    names = names_of(connection, stored.members)
    found = []
    for result, run in rated_as_posted(connection, stored, systems):
        # Rating reads no names; an explanation shows them.
        rated = result._replace(
            facts={
                player: facts._replace(name=names.get(player, "")) for player, facts in result.facts.items()
            }
        )
        explanation = explain(rated, seat, rulebook_of_run(connection, run))
        if explanation is not None:
            found.append(explanation)
    return found

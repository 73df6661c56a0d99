"""Whose rating a foreign FIDE event of the book did not update, or updated without a mark, by the facts of today."""

from collections.abc import Iterator

from ratebook.book.connection import Connection
from ratebook.book.events import read_sections
from ratebook.book.profile import read_federation
from ratebook.findings import Finding
from ratebook.model import SectionType
from ratebook.office.rating.standings import MemberStandings, rate_from
from ratebook.rating.results import RatedSection

_CODES = frozenset({"fide-not-eligible", "fide-updated-unmarked"})


def updates_found(rated: RatedSection) -> Iterator[Finding]:
    """Yield what the rating of a foreign event found out about who is updated; nothing of other sections."""
    return (finding for finding in rated.findings if finding.code in _CODES)


def updates_of_event(connection: Connection, event_id: str, number: int | None = None) -> list[Finding]:
    """Return what the foreign events among the sections of an event, or one of them, say of who is updated."""
    standings = MemberStandings(read_federation(connection))
    updates: list[Finding] = []
    for stored in read_sections(connection, event_id=event_id):
        section = stored.section
        if section.type is not SectionType.FIDE or stored.withdrawn or number not in {None, section.number}:
            continue
        earlier = standings.at(stored.place, connection, stored.members)
        for inputs in earlier.inputs(connection, stored):
            updates += updates_found(rate_from(stored, inputs))
    return updates

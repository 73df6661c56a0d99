"""Members who may be two ids of one person, when they are added or given a FIDE id."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType

from ratebook.book.connection import Connection
from ratebook.book.facts.members import MemberFacts, duplicates_of
from ratebook.findings import Finding, finding

NO_PLACES: Mapping[str, str] = MappingProxyType({})


def possible_duplicates(
    connection: Connection,
    facts: Iterable[MemberFacts],
    accepted: Collection[str],
    where: Mapping[str, str] = NO_PLACES,
) -> Iterator[Finding]:
    """Yield those of *facts* who may be another member, as errors unless the code (or ``all``) is *accepted*.

    *where* they are said, by id.
    """
    open_one = {"possible-duplicate", "all"}.isdisjoint(accepted)
    text = "possible-duplicate.to-be-accepted" if open_one else "possible-duplicate.accepted"
    for one, other in duplicates_of(connection, facts):
        place = where.get(one.id, f"member {one.id}")
        yield finding(text, place, member=one.id, other=other.id, name=other.name)

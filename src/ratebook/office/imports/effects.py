"""What imported facts change: by a decision, the members whose rated sections read them wait for a re-rating."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.facts.members import merged_ids
from ratebook.book.facts.seats import seats_of
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.office.decisions.members import decide_about
from ratebook.office.decisions.revision import Reason

FACTS_OF_STEP_1 = ("birth_date", "adult", "canadian_resident")
FACTS_OF_FOREIGN_EVENTS = ("usa_flag", "fide_opt_in")
"""Foreign FIDE events update those who play for the country and want it."""


class Change(NamedTuple):
    """Something that a rating may have read, and that is different now.

    Attributes:
        member: as the file names the member.
        kind: of the decision, as where the office changes one member; empty: it needs none.
        facts: what changed, in words; never a birth date.
        since: the first day on which it counts; None: always.
        foreign: only foreign FIDE events read it.
    """

    member: str
    kind: str
    facts: tuple[str, ...]
    since: date | None = None
    foreign: bool = False
    value: float | None = None


def note_changes(connection: Connection, because: Reason, changes: Sequence[Change]) -> int:
    """Decide *changes* of known members that concern sections of the book; return how many members wait now."""
    owner = merged_ids(connection, sorted({one.member for one in changes}))
    seats = {
        foreign: seats_of(
            connection,
            sorted({owner[one.member] for one in changes if one.foreign is foreign}),
            foreign=foreign,
        )
        for foreign in (False, True)
    }
    places: dict[str, str] = {}
    for one in changes:
        member = owner[one.member]
        known = seats[one.foreign].get(member)
        if known is None:
            continue
        since = "" if one.since is None else one.since.isoformat()
        if known.last < since:
            continue
        place = max(known.first, since)
        places[member] = min(places.get(member, place), place)
        if one.kind:
            details = {"changed": list(one.facts)}
            decide_about(
                connection, because, one.kind, member, effective=one.since, value=one.value, details=details
            )
    note_pending(
        connection, [Pending(place, because.reason, member=member) for member, place in places.items()]
    )
    return len(places)

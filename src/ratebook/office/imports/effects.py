"""What imported facts move: the members whose rated sections read them wait for a re-rating, by a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, select

from ratebook.book import schema
from ratebook.book.decisions import Decision, decide
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.member_files import batches
from ratebook.model import SectionType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from sqlalchemy import Connection

    from ratebook.book.connection import Actor

members = schema.members

FACTS_OF_STEP_1 = ("birth_date", "adult", "canadian_resident")
FACTS_OF_FOREIGN_EVENTS = ("usa_flag", "fide_opt_in")
"""Foreign FIDE events update those who play for the country and want it."""


class Change(NamedTuple):
    """Something that a rating may have read, and that is otherwise now.

    Attributes:
        member: as the file names the member.
        kind: of the decision, as where the office changes one member; empty: it needs none.
        facts: what changed, in words; never a birth date.
        since: the first day on which it counts; None: always.
        foreign: only foreign FIDE events read it.
        value: rating points, where there are any.
    """

    member: str
    kind: str
    facts: tuple[str, ...]
    since: date | None = None
    foreign: bool = False
    value: float | None = None


class Seats(NamedTuple):
    """The places of the first and the last section in which a member has a seat."""

    first: str
    last: str


def owners_of(connection: Connection, ids: Iterable[str]) -> dict[str, str]:
    """Return the ids among *ids* that exist, each with the id under which it is rated."""
    found: dict[str, str] = {}
    for batch in batches(ids):
        rows = connection.execute(select(members.c.id, members.c.merged_into).where(members.c.id.in_(batch)))
        found.update((row.id, row.merged_into or row.id) for row in rows)
    return found


def seats_of(connection: Connection, canonical: Iterable[str], *, foreign: bool = False) -> dict[str, Seats]:
    """Return where members have seats, those under merged ids included; who has none is left out.

    Args:
        connection: a reader's or writer's.
        canonical: ids under which members are rated.
        foreign: look at foreign FIDE events alone.
    """
    entries, sections = schema.entries, schema.sections
    found: dict[str, Seats] = {}
    for batch in batches(canonical):
        owner = {one: one for one in batch}
        merged = select(members.c.id, members.c.merged_into).where(members.c.merged_into.in_(batch))
        owner |= {row.id: row.merged_into for row in connection.execute(merged)}
        asked = (
            select(
                entries.c.member_id,
                func.min(sections.c.place).label("first"),
                func.max(sections.c.place).label("last"),
            )
            .join_from(entries, sections)
            .where(entries.c.member_id.in_(sorted(owner)))
            .group_by(entries.c.member_id)
        )
        if foreign:
            asked = asked.where(sections.c.type == SectionType.FIDE.value)
        for row in connection.execute(asked):
            known = found.get(owner[row.member_id], Seats(row.first, row.last))
            found[owner[row.member_id]] = Seats(min(known.first, row.first), max(known.last, row.last))
    return found


def note_changes(connection: Connection, actor: Actor, reason: str, changes: Sequence[Change]) -> int:
    """Decide *changes* that concern sections of the book, and mark their members; return how many members these are.

    Args:
        connection: the writer's.
        actor: who imports, and when.
        reason: for the decisions and the marks.
        changes: of members who existed before.
    """
    owner = owners_of(connection, sorted({one.member for one in changes}))
    seats = {
        foreign: seats_of(
            connection,
            sorted({owner[one.member] for one in changes if one.foreign is foreign}),
            foreign=foreign,
        )
        for foreign in (False, True)
    }
    marks: dict[str, str] = {}
    for one in changes:
        member = owner[one.member]
        known = seats[one.foreign].get(member)
        if known is None:
            continue
        since = "" if one.since is None else one.since.isoformat()
        if known.last < since:
            continue
        place = max(known.first, since)
        marks[member] = min(marks.get(member, place), place)
        if one.kind:
            decide(
                connection,
                actor,
                Decision(
                    one.kind,
                    f"member {member}",
                    reason,
                    effective=one.since,
                    member=member,
                    value=one.value,
                    details={"changed": list(one.facts)},
                ),
            )
    note_pending(connection, [Pending(place, reason, member=member) for member, place in marks.items()])
    return len(marks)

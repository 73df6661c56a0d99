"""Decisions about persons: two ids that are one."""

from collections.abc import Mapping
from typing import NamedTuple

from ratebook.book.columns import END_OF_HISTORY, day_of_place
from ratebook.book.connection import Book, Connection
from ratebook.book.decisions import RecordedDecision
from ratebook.book.facts.member_files import balances_of
from ratebook.book.facts.members import MemberFacts, earlier_ids, load_members, merge_member, part_member
from ratebook.book.facts.seats import first_place, seats_of, section_together
from ratebook.book.failures import refused
from ratebook.book.ledger.careers import write_titles
from ratebook.book.ledger.history import sections_played
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.ledger.read import load_standings
from ratebook.book.profile import raise_revision, read_federation
from ratebook.findings import Finding, Place, finding
from ratebook.model import Rating, System
from ratebook.office.decisions.members import decide_about, known_member, move_ratings, undo_about
from ratebook.office.decisions.revision import DecisionResult, Reason, decided
from ratebook.office.queue.check import MOST_POINTS_FROM_BOOK
from ratebook.office.rating.titles import changed_titles
from ratebook.player_lists.names import names_agree
from ratebook.records.system_titles import SYSTEM_TITLES


class MergeSide(NamedTuple):
    """One of two ids that are to be merged; *sections* counts those that are rated, *ratings* are in words."""

    id: str
    name: str
    state: str
    sections: int
    first: str
    last: str
    ratings: tuple[str, ...]


class MergePreview(NamedTuple):
    """What a merge would bring together: both ids, and what says that they are two persons."""

    old: MergeSide
    new: MergeSide
    findings: tuple[Finding, ...]


def preview_merge(connection: Connection, old: str, new: str) -> MergePreview:
    """Return what a merge of *old* into *new* would bring together, with warnings where it seems wrong.

    Raises:
        BookError: one of the two does not exist or was merged already, or both are the same or met.
    """
    persons = known_member(connection, old), known_member(connection, new)
    if old == new:
        raise refused("merge-with-itself", Place(members=(old,)))
    together = section_together(connection, old, new)
    if together:
        raise refused("merge-met", Place(members=(old, new)), together=together)
    seats = seats_of(connection, [old, new])
    standings = load_standings(connection, [old, new], END_OF_HISTORY)
    balances = balances_of(connection, [old, new])
    rated = {
        member: {system: balance.rating for system, balance in balances[member].items()}
        | {system: standing.rating for system, standing in standings[member].items()}
        for member in (old, new)
    }
    first, second = (
        MergeSide(
            id=member,
            name=person.facts.name,
            state=person.facts.state,
            sections=sections_played(connection, member),
            first=day_of_place(seats[member].first) if member in seats else "",
            last=day_of_place(seats[member].last) if member in seats else "",
            ratings=tuple(
                f"{SYSTEM_TITLES[system]} {rating.rating:.0f}" for system, rating in rated[member].items()
            ),
        )
        for member, person in zip((old, new), persons, strict=True)
    )
    doubts = _contradictions(persons[0].facts, persons[1].facts, rated[old], rated[new])
    unused = [
        f"{SYSTEM_TITLES[system]} {balance.rating.rating:.0f}"
        for system, balance in balances[old].items()
        if system in balances[new]
    ]
    place = Place(members=(old, new))
    findings = [finding("merge-doubtful", place, doubts="; ".join(doubts))] if doubts else []
    if unused:
        findings.append(finding("merge-balance-unused", place, old=old, new=new, unused=", ".join(unused)))
    return MergePreview(first, second, tuple(findings))


def _contradictions(
    person: MemberFacts, other: MemberFacts, ratings: Mapping[System, Rating], others: Mapping[System, Rating]
) -> list[str]:
    """Return what says that two members are two persons; birth dates are not shown."""
    differences = []
    if person.birth_date and other.birth_date and person.birth_date != other.birth_date:
        differences.append("the birth dates differ")
    if not names_agree(person.name, other.name):
        differences.append(f"the names differ: {person.name}, {other.name}")
    differences += [
        f"the {title} differ"
        for name, title in (("fide_id", "FIDE ids"), ("sex", "sexes"))
        if getattr(person, name) and getattr(other, name) and getattr(person, name) != getattr(other, name)
    ]
    differences += [
        f"the {SYSTEM_TITLES[system]} ratings are far apart: {rating.rating:.0f}, {others[system].rating:.0f}"
        for system, rating in ratings.items()
        if system in others and abs(rating.rating - others[system].rating) > MOST_POINTS_FROM_BOOK
    ]
    return differences


def merge(book: Book, old: str, new: str, because: Reason) -> DecisionResult:
    """Merge two ids of one person, or refuse as `preview_merge` does: what *old* played counts for *new*."""

    def work(connection: Connection) -> DecisionResult:
        preview = preview_merge(connection, old, new)
        followers = earlier_ids(connection, old)
        places = [place for member in (old, new) if (place := first_place(connection, member)) is not None]
        merge_member(connection, old, new)
        write_titles(connection, {old: {}})
        details = {"into": new, "followers": list(followers)}
        number = decide_about(connection, because, "merge-members", old, details=details)
        if places:
            reason = f"decision {number}, {old} merged into {new}"
            note_pending(connection, [Pending(min(places), reason, member=new, decision=number)])
        move_ratings(connection, because.actor, [old, new])
        raise_revision(connection)
        moved = f"{preview.old.sections} rated {'section' if preview.old.sections == 1 else 'sections'}"
        change = f"{old} {preview.old.name} -> {new} {preview.new.name}: {moved}, memberships, decisions"
        return DecisionResult(number, preview.findings, waits=bool(places), changes=(change,))

    return decided(book, because, work)


def undo_merge(connection: Connection, decision: RecordedDecision, because: Reason) -> DecisionResult:
    """Take back a merge: the old id, unless it was merged again since, is a member of its own again.

    Seats, balances and decisions had kept its id; reports that came or were corrected since have the other one.
    """
    old, new = str(decision.member_id), str(decision.details["into"])
    if load_members(connection, [old])[old].merged_into != new:
        raise refused("decision-not-last.merge", Place(decision=decision.id), old=old)
    followers = decision.details.get("followers", [])
    part_member(connection, old, followers if isinstance(followers, list) else [])
    number = undo_about(connection, because, old, decision.id)
    places = {
        member: place for member in (old, new) if (place := first_place(connection, member)) is not None
    }
    reason, first = f"decision {number}, {old} is a member again", min(places.values(), default="")
    note_pending(connection, [Pending(first, reason, member=member, decision=number) for member in places])
    write_titles(connection, changed_titles(connection, read_federation(connection), [old]))
    move_ratings(connection, because.actor, [old, new])
    raise_revision(connection)
    change = f"{old} is a separate member again, no longer {new}"
    since = finding("merge-undone", Place(members=(old,)), old=old, new=new, day=decision.decided_at[:10])
    return DecisionResult(number, (since,), waits=bool(places), changes=(change,))

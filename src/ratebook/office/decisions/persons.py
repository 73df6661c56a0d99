"""Decisions about persons: two ids that are one, and personal data that are to be removed."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.decisions import UNDO, RecordedDecision
from ratebook.book.facts.member_files import balances_of
from ratebook.book.facts.members import (
    LATER_FACTS,
    MemberFacts,
    earlier_ids,
    erase_member,
    load_members,
    merge_member,
    part_member,
)
from ratebook.book.facts.seats import first_place, seats_of, section_together
from ratebook.book.failures import refused
from ratebook.book.ledger.careers import write_titles
from ratebook.book.ledger.history import initial_ratings, sections_played
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.ledger.read import load_standings
from ratebook.book.profile import raise_revision, read_federation
from ratebook.book.schema import day_of_place
from ratebook.book.submissions import reports_about, rewrite_findings, rewrite_report
from ratebook.findings import Finding, finding
from ratebook.model import Rating, System
from ratebook.office.decisions.acceptance import decided
from ratebook.office.decisions.members import decide_about, known_member, mark_member, move_ratings
from ratebook.office.decisions.revision import DecisionResult, Reason, nothing_changes
from ratebook.office.queue.identity import MOST_POINTS_FROM_BOOK
from ratebook.office.rating.titles import update_titles
from ratebook.player_lists.names import names_agree

END_OF_HISTORY = "\uffff"
"""Sorts after every place."""


class MergeSide(NamedTuple):
    """One of two ids that are to be merged.

    Attributes:
        sections: how many sections of it are rated, and on which days the first and the last of them ended.
        ratings: in words, by system.
    """

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
        raise refused("merge-with-itself", f"member {old}")
    together = section_together(connection, old, new)
    if together:
        raise refused("merge-met", f"members {old} and {new}", together=together)
    seats = seats_of(connection, [old, new])
    standings = load_standings(connection, [old, new], END_OF_HISTORY)
    balances = balances_of(connection, [old, new])
    rated = {
        one: {system: balance.rating for system, balance in balances[one].items()}
        | {system: standing.rating for system, standing in standings[one].items()}
        for one in (old, new)
    }
    first, second = (
        MergeSide(
            person.facts.id,
            person.facts.name,
            person.facts.state,
            sections_played(connection, person.facts.id),
            day_of_place(seats[one].first) if one in seats else "",
            day_of_place(seats[one].last) if one in seats else "",
            tuple(f"{system} {rating.rating:.0f}" for system, rating in rated[one].items()),
        )
        for one, person in zip((old, new), persons, strict=True)
    )
    doubts = _contradictions(persons[0].facts, persons[1].facts, rated[old], rated[new])
    unused = [
        f"{system} {balance.rating.rating:.0f}"
        for system, balance in balances[old].items()
        if system in balances[new]
    ]
    where = f"members {old} and {new}"
    findings = [finding("merge-doubtful", where, doubts="; ".join(doubts))] if doubts else []
    if unused:
        findings.append(finding("merge-balance-unused", where, old=old, new=new, unused=", ".join(unused)))
    return MergePreview(first, second, tuple(findings))


def _contradictions(
    one: MemberFacts, other: MemberFacts, ratings: Mapping[System, Rating], others: Mapping[System, Rating]
) -> list[str]:
    """Return what says that two members are two persons; birth dates are not shown."""
    found = []
    if one.birth_date and other.birth_date and one.birth_date != other.birth_date:
        found.append("the birth dates differ")
    if not names_agree(one.name, other.name):
        found.append(f"the names differ: {one.name}, {other.name}")
    found += [
        f"the {title} differ"
        for name, title in (("fide_id", "FIDE ids"), ("sex", "sexes"))
        if getattr(one, name) and getattr(other, name) and getattr(one, name) != getattr(other, name)
    ]
    found += [
        f"the {system} ratings are far apart: {rating.rating:.0f}, {others[system].rating:.0f}"
        for system, rating in ratings.items()
        if system in others and abs(rating.rating - others[system].rating) > MOST_POINTS_FROM_BOOK
    ]
    return found


def merge(book: Book, old: str, new: str, because: Reason) -> DecisionResult:
    """Merge two ids of one person: what *old* played counts for *new*, and the id of *old* leads to *new*.

    Raises:
        BookError: one of the two does not exist or was merged already, or both are the same or met.
    """

    def work(connection: Connection) -> DecisionResult:
        preview = preview_merge(connection, old, new)
        followers = earlier_ids(connection, old)
        places = [place for one in (old, new) if (place := first_place(connection, one)) is not None]
        merge_member(connection, old, new)
        write_titles(connection, {old: {}})
        details = {"into": new, "followers": list(followers)}
        number = decide_about(connection, because, "merge-members", old, details=details)
        if places:
            note_pending(
                connection,
                [
                    Pending(
                        min(places),
                        f"decision {number}, {old} merged into {new}",
                        member=new,
                        decision=number,
                    )
                ],
            )
        move_ratings(connection, because.actor, [old, new])
        raise_revision(connection)
        moved = f"{preview.old.sections} rated {'section' if preview.old.sections == 1 else 'sections'}"
        change = f"{old} {preview.old.name} -> {new} {preview.new.name}: {moved}, memberships, decisions"
        return DecisionResult(number, preview.findings, waits=bool(places), changes=(change,))

    return decided(book, because, work)


def undo_merge(connection: Connection, decision: RecordedDecision, because: Reason) -> DecisionResult:
    """Take back a merge: the old id is a member of its own again.

    Seats, balances and decisions had kept its id; reports that came or were corrected since have the other one.

    Raises:
        BookError: the id was merged again, or is no longer merged.
    """
    old, new = str(decision.member_id), str(decision.details["into"])
    if load_members(connection, [old])[old].merged_into != new:
        raise refused("decision-not-last.merge", f"decision {decision.id}", old=old)
    followers = decision.details.get("followers", [])
    part_member(connection, old, followers if isinstance(followers, list) else [])
    number = decide_about(
        connection, because, UNDO, old, details={"decision": decision.id}, undoes=decision.id
    )
    places = {one: place for one in (old, new) if (place := first_place(connection, one)) is not None}
    for one in places:
        note_pending(
            connection,
            [
                Pending(
                    min(places.values()),
                    f"decision {number}, {old} is a member again",
                    member=one,
                    decision=number,
                )
            ],
        )
    update_titles(connection, read_federation(connection), [old])
    move_ratings(connection, because.actor, [old, new])
    raise_revision(connection)
    change = f"{old} is a member of its own again, not {new}"
    since = finding("merge-undone", f"member {old}", old=old, new=new, day=decision.decided_at[:10])
    return DecisionResult(number, (since,), waits=bool(places), changes=(change,))


def erase(book: Book, member: str, because: Reason) -> DecisionResult:
    """Remove a member's personal data, from the name to the FIDE id. The ledger keeps its numbers under the id.

    Initial ratings that followed from the birth date are kept as decisions, so that the ledger can still be computed.

    Raises:
        BookError: there is no such member.
    """
    with book.writing() as connection:
        known = known_member(connection, member)
        if known.erased:
            raise nothing_changes(f"member {member}")
        number = decide_about(connection, because, "erase-member", member)
        waits = _freeze_initial_ratings(connection, member, because.actor)
        erase_member(connection, member, because.actor.at)
        _erase_from_reports(connection, member, {known.facts.name} - {""})
        raise_revision(connection)
        return DecisionResult(number, waits=waits)


def _freeze_initial_ratings(connection: Connection, member: str, actor: Actor) -> bool:
    """Turn the initial ratings of a member's first rows into decisions; return whether there were any."""
    frozen = False
    for first in initial_ratings(connection, [member]).get(member, ()):
        decide_about(
            connection,
            Reason(actor, "kept when the person was erased"),
            "initial",
            member,
            effective=first.end,
            system=first.system,
            value=first.rating,
            details={"games": first.games},
        )
        frozen = mark_member(connection, member, f"{member} erased", first.end) or frozen
    return frozen


def _erase_from_reports(connection: Connection, member: str, names: set[str]) -> None:
    """Take a member's name and facts out of all stored reports and findings."""
    stored = reports_about(connection, member)
    for number, text in stored.items():
        if not text:
            continue
        report = json.loads(text)
        for player in report.get("players", ()):
            if player.get("id") == member:
                names.add(player.pop("name", ""))
                for fact in ("birth_date", "state", *LATER_FACTS):
                    player.pop(fact, None)
        rewrite_report(connection, number, json.dumps(report, ensure_ascii=False))
    rewrite_findings(connection, stored.keys(), lambda text: _without(text, names - {""}))


def _without(text: str, names: set[str]) -> str:
    for name in names:
        text = text.replace(name, "(erased)")
    return text

"""Decisions about persons: two ids that are one, and personal data that are to be removed."""

import json

from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.facts.members import erase_member, merge_member
from ratebook.book.facts.seats import first_place, section_together
from ratebook.book.failures import refused
from ratebook.book.ledger.careers import write_titles
from ratebook.book.ledger.history import first_rows
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.profile import raise_revision
from ratebook.book.submissions import reports_about, rewrite_findings, rewrite_report
from ratebook.office.decisions.members import decide_about, known_member, mark_member
from ratebook.office.decisions.revision import DecisionResult, Reason, nothing_changes


def merge(book: Book, old: str, new: str, because: Reason) -> DecisionResult:
    """Merge two ids of one person: what *old* played counts for *new*, and the id of *old* leads to *new*.

    Raises:
        BookError: one of the two does not exist or was merged already, or both are the same.
    """
    with book.writing() as connection:
        known_member(connection, old)
        known_member(connection, new)
        if old == new:
            raise refused("merge-with-itself", f"member {old}")
        together = section_together(connection, old, new)
        if together:
            raise refused("merge-met", f"members {old} and {new}", together=together)
        places = [place for one in (old, new) if (place := first_place(connection, one)) is not None]
        merge_member(connection, old, new)
        write_titles(connection, {old: {}})
        number = decide_about(connection, because, "merge-members", old, details={"into": new})
        if places:
            note_pending(connection, [Pending(min(places), f"{old} merged into {new}", member=new)])
        raise_revision(connection)
        return DecisionResult(number, waits=bool(places))


def erase(book: Book, member: str, because: Reason) -> DecisionResult:
    """Remove a member's personal data: name, birth date, home. The ledger keeps its numbers under the id.

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
    for first in first_rows(connection, member):
        if first.source in {"rated", "initial"}:
            continue
        decide_about(
            connection,
            Reason(actor, "kept when the person was erased"),
            "initial",
            member,
            effective=first.end,
            system=first.system,
            value=first.rating_before,
            details={"games": first.games_before},
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
                player.pop("birth_date", None)
        rewrite_report(connection, number, json.dumps(report, ensure_ascii=False))
    rewrite_findings(connection, stored.keys(), lambda text: _without(text, names - {""}))


def _without(text: str, names: set[str]) -> str:
    for name in names:
        text = text.replace(name, "(erased)")
    return text

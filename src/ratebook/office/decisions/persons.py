"""Decisions about persons: two ids that are one, and personal data that are to be removed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update

from ratebook.book import schema
from ratebook.book.decisions import Decision, decide
from ratebook.book.failures import refused
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.ledger.read import CURRENT
from ratebook.book.ledger.rows import end_of_place
from ratebook.book.profile import raise_revision
from ratebook.model import System
from ratebook.office.decisions.members import first_place, known_member, mark_member
from ratebook.office.decisions.revision import DecisionResult, Reason, nothing_changes

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ratebook.book.connection import Actor, Book

members = schema.members
ledger = schema.ledger


def merge(book: Book, old: str, new: str, because: Reason) -> DecisionResult:
    """Say that two ids are one person: what *old* played counts for *new*, and the id of *old* leads to *new*.

    Raises:
        BookError: one of the two does not exist or was merged already, or both are the same.
    """
    with book.writing() as connection:
        known_member(connection, old)
        known_member(connection, new)
        if old == new:
            raise refused("merge-with-itself", f"member {old}")
        together = _section_together(connection, old, new)
        if together:
            raise refused("merge-met", f"members {old} and {new}", together=together)
        places = [place for one in (old, new) if (place := first_place(connection, one)) is not None]
        connection.execute(
            update(members)
            .where((members.c.id == old) | (members.c.merged_into == old))
            .values(merged_into=new)
        )
        connection.execute(delete(schema.titles).where(schema.titles.c.member_id == old))
        decision = Decision(
            "merge-members", f"member {old}", because.reason, member=old, details={"into": new}
        )
        number = decide(connection, because.actor, decision)
        if places:
            note_pending(connection, [Pending(min(places), f"{old} merged into {new}", member=new)])
        raise_revision(connection)
        return DecisionResult(number, waits=bool(places))


def _section_together(connection: Connection, one: str, other: str) -> str:
    """Return a section in which both members have a seat, in words; empty where there is none."""
    entries, sections = schema.entries, schema.sections
    theirs = entries.alias()
    found = connection.execute(
        select(sections.c.event_id, sections.c.number)
        .join_from(entries, theirs, theirs.c.section_id == entries.c.section_id)
        .join(sections, sections.c.id == entries.c.section_id)
        .where(entries.c.member_id == one, theirs.c.member_id == other)
        .limit(1)
    ).first()
    return "" if found is None else f"event {found.event_id}, section {found.number}"


def erase(book: Book, member: str, because: Reason) -> DecisionResult:
    """Remove a member's personal data: name, birth date, home. The ledger keeps its numbers under the id.

    Initial ratings that followed from the birth date are kept as decisions, so that the ledger can still be computed.

    Raises:
        BookError: there is no such member.
    """
    with book.writing() as connection:
        row = known_member(connection, member)
        if row.erased_at is not None:
            raise nothing_changes(f"member {member}")
        number = decide(
            connection,
            because.actor,
            Decision("erase-member", f"member {member}", because.reason, member=member),
        )
        waits = _freeze_initial_ratings(connection, member, because.actor)
        connection.execute(
            update(members)
            .where((members.c.id == member) | (members.c.merged_into == member))
            .values(
                name="",
                folded_name="",
                birth_date=None,
                adult=None,
                state="",
                canadian_resident=False,
                erased_at=because.actor.at,
            )
        )
        connection.execute(update(schema.entries).where(schema.entries.c.member_id == member).values(name=""))
        _erase_from_reports(connection, member, {row.name} - {""})
        raise_revision(connection)
        return DecisionResult(number, waits=waits)


def _freeze_initial_ratings(connection: Connection, member: str, actor: Actor) -> bool:
    """Turn the initial ratings of a member's first rows into decisions; return whether there were any."""
    frozen = False
    for system in System:
        first = connection.execute(
            select(ledger.c.place, ledger.c.source, ledger.c.rating_before, ledger.c.games_before)
            .where(CURRENT, ledger.c.member_id == member, ledger.c.system == system.value)
            .order_by(ledger.c.place)
            .limit(1)
        ).first()
        if first is None or first.source in {"rated", "initial"}:
            continue
        day = end_of_place(first.place)
        decide(
            connection,
            actor,
            Decision(
                "initial",
                f"member {member}",
                "kept when the person was erased",
                effective=day,
                member=member,
                system=system,
                value=first.rating_before,
                details={"games": first.games_before},
            ),
        )
        frozen = mark_member(connection, member, f"{member} erased", day) or frozen
    return frozen


def _erase_from_reports(connection: Connection, member: str, names: set[str]) -> None:
    """Take a member's name and facts out of all stored reports and findings."""
    entries, sections, submissions = schema.entries, schema.sections, schema.submissions
    events = (
        select(sections.c.event_id)
        .join_from(entries, sections)
        .where(entries.c.member_id == member)
        .distinct()
    )
    stored = connection.execute(
        select(submissions.c.id, submissions.c.report).where(
            submissions.c.event_id.in_(events) | submissions.c.report.like(f'%"{member}"%')
        )
    ).all()
    for row in stored:
        if not row.report:
            continue
        report = json.loads(row.report)
        for player in report.get("players", ()):
            if player.get("id") == member:
                names.add(player.pop("name", ""))
                player.pop("birth_date", None)
        connection.execute(
            update(submissions)
            .where(submissions.c.id == row.id)
            .values(report=json.dumps(report, ensure_ascii=False))
        )
    findings = schema.findings
    numbers = [row.id for row in stored]
    for found in connection.execute(select(findings).where(findings.c.submission_id.in_(numbers))).all():
        texts = {name: getattr(found, name) for name in ("place", "message", "remedy")}
        cleaned = {key: _without(text, names - {""}) for key, text in texts.items()}
        if cleaned != texts:
            connection.execute(update(findings).where(findings.c.id == found.id).values(cleaned))


def _without(text: str, names: set[str]) -> str:
    for name in names:
        text = text.replace(name, "(erased)")
    return text

"""Decisions about members: facts that move Step 1, floors, ceilings, initial ratings, merged ids, erased persons."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, func, insert, select, update

from ratebook.book import schema
from ratebook.book.decisions import Decision, decide
from ratebook.book.dossiers import CEILING, CEILING_LIFTED, FLOOR, FLOOR_LIFTED, INITIAL
from ratebook.book.failures import refused
from ratebook.book.ledger import CURRENT
from ratebook.book.marks import Mark, mark
from ratebook.book.profile import adopt, change_profile, raise_revision, read_federation, store_rulebook
from ratebook.book.rows import end_of_place
from ratebook.desk.revise import Because, Decided
from ratebook.model import FloorKind, System
from ratebook.rules.rulebook import RulebookError, timeline_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from sqlalchemy import Connection, Row

    from ratebook.book.connect import Actor, Book
    from ratebook.book.profile import Profile

members = schema.members
ledger = schema.ledger

HIGHEST = 3_000
LOWEST = 100


class ChangedFacts(NamedTuple):
    """Facts of a member to be changed; None leaves a fact as it is."""

    birth_date: date | None = None
    adult: bool | None = None
    canadian_resident: bool | None = None
    usa_flag: bool | None = None
    fide_opt_in: bool | None = None


class ListedForeign(NamedTuple):
    """A rating of a FIDE or CFC list; without a rating, one to be removed."""

    source: str
    list_date: date
    rating: float | None


class Adjustment(NamedTuple):
    """What the office sets for a member in one system from a day on; without a value, what it lifts."""

    member: str
    system: System
    value: float | None
    effective: date


def known_member(connection: Connection, member: str) -> Row[tuple[object, ...]]:
    """Return a member.

    Raises:
        BookError: there is none of this id, or it was merged into another.
    """
    row = connection.execute(select(members).where(members.c.id == member)).first()
    if row is None:
        raise refused(
            "member-unknown",
            f"member {member}",
            "The book has no member of this id.",
            "Look for the name with ratebook book member NAME.",
        )
    if row.merged_into is not None:
        raise refused(
            "member-merged-already",
            f"member {member}",
            f"This id was merged into {row.merged_into}.",
            f"Use {row.merged_into}.",
        )
    return row


def first_place(connection: Connection, member: str) -> str | None:
    """Return the place of the first section in which a member has a seat; None where there is none."""
    entries, sections = schema.entries, schema.sections
    return connection.execute(
        select(func.min(sections.c.place))
        .join_from(entries, sections)
        .where(
            (entries.c.member_id == member)
            | entries.c.member_id.in_(select(members.c.id).where(members.c.merged_into == member))
        )
    ).scalar()


def mark_member(connection: Connection, member: str, reason: str, since: date | None = None) -> bool:
    """Note that a member's sections from *since* on (or all) must be looked at again; False where there are none."""
    first = first_place(connection, member)
    raise_revision(connection)
    if first is None:
        return False
    place = first if since is None else max(first, since.isoformat())
    mark(connection, [Mark(place, reason, member=member)])
    return True


def correct_facts(book: Book, member: str, facts: ChangedFacts, because: Because) -> Decided:
    """Change facts of a member from which initial ratings follow (RULINGS section 2).

    Birth dates are private: the decision names what was changed, not to what.

    Raises:
        BookError: there is no such member, or nothing changes.
    """
    with book.writing() as connection:
        row = known_member(connection, member)
        values = {
            name: value
            for name, value in facts._asdict().items()
            if value is not None and value != getattr(row, name)
        }
        if not values:
            raise refused(
                "nothing-changes",
                f"member {member}",
                "The book says this already.",
                "Check the id and the value.",
            )
        connection.execute(update(members).where(members.c.id == member).values(values))
        decision = Decision(
            "correct-facts",
            f"member {member}",
            because.reason,
            member=member,
            details={"changed": sorted(values)},
        )
        number = decide(connection, because.actor, decision)
        waits = mark_member(connection, member, f"facts of {member} corrected")
        return Decided(number, waits=waits)


def correct_foreign_rating(book: Book, member: str, listed: ListedForeign, because: Because) -> Decided:
    """Enter, change or (where there is no rating) remove a member's FIDE or CFC rating of one list.

    Raises:
        BookError: there is no such member or source.
    """
    if listed.source not in {"fide", "cfc"}:
        raise refused(
            "source-unknown", f"source {listed.source}", "Ratings come from FIDE or CFC.", "Give fide or cfc."
        )
    table = schema.external_ratings
    with book.writing() as connection:
        known_member(connection, member)
        connection.execute(
            delete(table).where(
                table.c.member_id == member,
                table.c.source == listed.source,
                table.c.list_date == listed.list_date,
            )
        )
        if listed.rating is not None:
            connection.execute(insert(table).values({"member_id": member, **listed._asdict()}))
        decision = Decision(
            "correct-foreign-rating",
            f"member {member}",
            because.reason,
            effective=listed.list_date,
            member=member,
            value=listed.rating,
            details={"source": listed.source},
        )
        number = decide(connection, because.actor, decision)
        waits = mark_member(
            connection, member, f"{listed.source} rating of {member} corrected", listed.list_date
        )
        return Decided(number, waits=waits)


def adjust_floor(
    book: Book, adjustment: Adjustment, because: Because, *, kind: FloorKind = FloorKind.OFFICE
) -> Decided:
    """Enter a floor for a member in a system from a day on, or (where it has no value) lift those of its kind.

    Raises:
        BookError: there is no such member, or the floor is no rating.
    """
    word = FLOOR if adjustment.value is not None else FLOOR_LIFTED
    return _adjust(book, adjustment, word, because, {"floor_kind": kind.value})


def adjust_ceiling(book: Book, adjustment: Adjustment, because: Because) -> Decided:
    """Set a ceiling for a member in a system from a day on, or (where it has no value) lift it.

    Raises:
        BookError: there is no such member, or the ceiling is no rating.
    """
    word = CEILING if adjustment.value is not None else CEILING_LIFTED
    return _adjust(book, adjustment, word, because, {})


def decide_initial(book: Book, adjustment: Adjustment, games: float, because: Because) -> Decided:
    """Decide from which rating an unrated member starts in a system, on how many *games*, in the place of Step 1.

    Raises:
        BookError: there is no such member, or the rating is none.
    """
    return _adjust(book, adjustment, INITIAL, because, {"games": games})


def _adjust(
    book: Book, adjustment: Adjustment, kind: str, because: Because, details: Mapping[str, object]
) -> Decided:
    member, value = adjustment.member, adjustment.value
    if (value is None and kind == INITIAL) or (value is not None and not LOWEST <= value <= HIGHEST):
        raise refused(
            "rating-out-of-range",
            f"member {member}, {kind}",
            f"{value} is no rating.",
            f"Give a rating from {LOWEST} to {HIGHEST}.",
        )
    with book.writing() as connection:
        known_member(connection, member)
        decision = Decision(
            kind,
            f"member {member}",
            because.reason,
            effective=adjustment.effective,
            member=member,
            system=adjustment.system,
            value=value,
            details=details,
        )
        number = decide(connection, because.actor, decision)
        waits = mark_member(connection, member, f"{kind} of {member}", adjustment.effective)
        return Decided(number, waits=waits)


def merge(book: Book, old: str, new: str, because: Because) -> Decided:
    """Say that two ids are one person: what *old* played counts for *new*, and the id of *old* leads to *new*.

    Raises:
        BookError: one of the two does not exist or was merged already, or both are the same.
    """
    with book.writing() as connection:
        known_member(connection, old)
        known_member(connection, new)
        if old == new:
            raise refused(
                "merge-with-itself", f"member {old}", "Both ids are the same.", "Give the id that is to hold."
            )
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
            mark(connection, [Mark(min(places), f"{old} merged into {new}", member=new)])
        raise_revision(connection)
        return Decided(number, waits=bool(places))


def adopt_rules(book: Book, overlay: str | None, because: Because) -> Decided:
    """Adopt the timeline of this program, with an *overlay* (None: the one that holds), for the whole book.

    Raises:
        BookError: the overlay is wrong, or nothing would change.
    """
    with book.writing() as connection:
        federation = read_federation(connection)
        wanted = federation.profile.overlay if overlay is None else overlay
        try:
            rulebook = store_rulebook(connection, timeline_text(), wanted, because.actor.at)
        except RulebookError as failure:
            raise refused(
                "rules-wrong", "overlay", str(failure), "Correct the overlay; nothing was changed."
            ) from failure
        if rulebook == federation.rulebook_id:
            raise refused(
                "nothing-changes",
                "rules",
                "The book rates by these rules already.",
                "Give another overlay, or update ratebook first.",
            )
        adopt(connection, rulebook)
        number = decide(
            connection,
            because.actor,
            Decision("adopt-rules", "book", because.reason, details={"rulebook": rulebook}),
        )
        mark(connection, [Mark("", "rules adopted")])
        raise_revision(connection)
        return Decided(number, waits=True)


def adjust_profile(book: Book, profile: Profile, because: Because) -> Decided:
    """Change the profile of the federation (not its overlay, which `adopt_rules` changes)."""
    with book.writing() as connection:
        before = read_federation(connection).profile
        change_profile(connection, profile)
        changed = [
            name
            for name in profile._fields
            if name != "overlay" and getattr(profile, name) != getattr(before, name)
        ]
        number = decide(
            connection,
            because.actor,
            Decision("change-profile", "book", because.reason, details={"changed": changed}),
        )
        if "systems" in changed:
            mark(connection, [Mark("", "systems changed")])
        raise_revision(connection)
        return Decided(number, waits="systems" in changed)


def erase(book: Book, member: str, because: Because) -> Decided:
    """Remove a member's personal data: name, birth date, home. The ledger keeps its numbers under the id.

    Initial ratings that followed from the birth date are kept as decisions, so that the ledger can still be computed.

    Raises:
        BookError: there is no such member.
    """
    with book.writing() as connection:
        row = known_member(connection, member)
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
        return Decided(number, waits=waits)


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
                INITIAL,
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

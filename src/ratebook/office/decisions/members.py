"""Decisions about members: facts that Step 1 reads, ratings of other federations, and what foreign FIDE events read.

The latter are the opt-in, the opt-out, and the US flag by FIDE list; each counts from its day on and never before: an
opt-in or opt-out for events that begin after it, a flag from the day of its list on
(docs/rules/readings.md#foreign-fide-events). A decision raises a `BookError` if there is no such member, or if nothing
would change.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from ratebook import __version__
from ratebook.book.audit import AuditSubject
from ratebook.book.columns import day_of_place
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.decisions import NO_DETAILS, UNDO, Decision, decide
from ratebook.book.facts.foreign_ratings import ListedForeign, replace_foreign_rating
from ratebook.book.facts.member_files import MemberFile, load_member_files
from ratebook.book.facts.members import StoredMember, load_members, merged_ids, write_members
from ratebook.book.facts.seats import first_place, foreign_event_after
from ratebook.book.failures import refused
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.ledger.runs import begin_run
from ratebook.book.profile import raise_revision, read_federation
from ratebook.findings import ALL, Place
from ratebook.model import System
from ratebook.office.decisions.changes import changes_of_member
from ratebook.office.decisions.revision import (
    DecisionResult,
    Reason,
    decided,
    nothing_changes,
    possible_duplicates,
)
from ratebook.office.rating.moved_ratings import refresh_moves
from ratebook.rating.decisions import KINDS, NUMBERS, OPT_IN

FACTS_OF_STEP_1 = ("birth_date", "adult", "canadian_resident")
"""Initial ratings follow from them; no rating from any other fact of a person."""


class ChangedFacts(NamedTuple):
    """Facts of a member to be changed; None leaves a fact as it is, an empty text removes it."""

    birth_date: date | None = None
    adult: bool | None = None
    canadian_resident: bool | None = None
    name: str | None = None
    state: str | None = None
    fide_id: str | None = None
    sex: str | None = None
    title: str | None = None
    federation: str | None = None
    club: str | None = None


def known_member(connection: Connection, member: str) -> StoredMember:
    """Return a member, who has not been merged into another."""
    stored = load_members(connection, [member]).get(member)
    if stored is None:
        raise refused("member-unknown.id", Place(members=(member,)))
    if stored.merged_into is not None:
        raise refused("member-merged-already", Place(members=(member,)), merged_into=stored.merged_into)
    return stored


def decide_about(  # noqa: PLR0913 - a decision has all of it
    connection: Connection,
    because: Reason,
    kind: str,
    member: str,
    *,
    effective: date | None = None,
    system: System | None = None,
    value: float | None = None,
    details: Mapping[str, object] = NO_DETAILS,
    undoes: int | None = None,
) -> int:
    """Record a decision about a member, and return its number."""
    decision = Decision(
        kind=kind,
        subject=AuditSubject("member", member),
        reason=because.reason,
        effective=effective,
        member=member,
        system=system,
        value=value,
        details=details,
        undoes=undoes,
    )
    return decide(connection, because.actor, decision)


def undo_about(connection: Connection, because: Reason, member: str, undone: int) -> int:
    """Record that the decision *undone*, about a member, is undone, and return the number of this decision."""
    return decide_about(connection, because, UNDO, member, details={"decision": undone}, undoes=undone)


def mark_member(
    connection: Connection, member: str, reason: str, since: date | None = None, decision: int | None = None
) -> bool:
    """Note that a member's sections from *since* on (or all) must be looked at again; False where there are none.

    The *reason*, in words, follows the number of the *decision*.
    """
    first = first_place(connection, member)
    raise_revision(connection)
    if first is None:
        return False
    place = first if since is None else max(first, since.isoformat())
    numbered = reason if decision is None else f"decision {decision}, {reason}"
    note_pending(connection, [Pending(place, numbered, member=member, decision=decision)])
    return True


def correct_facts(book: Book, member: str, facts: ChangedFacts, because: Reason) -> DecisionResult:
    """Change facts of a member; from some of them initial ratings follow (docs/rules/readings.md#2-dated-values).

    The decision names what was changed, not to what: it outlives an erasure.
    """

    def work(connection: Connection) -> DecisionResult:
        old = known_member(connection, member).facts
        values = {
            name: value
            for name, value in facts._asdict().items()
            if value is not None and value != getattr(old, name)
        }
        if not values:
            raise nothing_changes(Place(members=(member,)))
        _check_birth_date(connection, member, facts.birth_date, because)
        new = old._replace(**values)
        same = [new] if "fide_id" in values else []
        duplicates = tuple(possible_duplicates(connection, same, [ALL]))
        write_members(connection, [new])
        details = {"changed": sorted(values)}
        number = decide_about(connection, because, "correct-facts", member, details=details)
        raise_revision(connection)
        waits = not values.keys().isdisjoint(FACTS_OF_STEP_1) and mark_member(
            connection, member, f"facts of {member} corrected", decision=number
        )
        changes = tuple(f"{member} {old.name}, {change}" for change in changes_of_member(old, new))
        return DecisionResult(number, duplicates, waits=waits, changes=changes)

    return decided(book, because, work)


def _check_birth_date(connection: Connection, member: str, birth_date: date | None, because: Reason) -> None:
    """Refuse a birth date after the member's first section, or after today; the date itself is private."""
    if birth_date is None:
        return
    first = first_place(connection, member)
    latest = because.actor.at[:10] if first is None else day_of_place(first)
    if birth_date.isoformat() > latest:
        raise refused(
            "birth-date-after-event.after-first-game",
            Place(members=(member,), field="birth date"),
            latest=latest,
        )


def correct_foreign_rating(book: Book, member: str, listed: ListedForeign, because: Reason) -> DecisionResult:
    """Enter, change or (where there is no rating) remove a member's FIDE or CFC rating of one list."""
    if listed.source not in {"fide", "cfc"}:
        raise refused("source-unknown", Place(subject=listed.source))
    with book.writing() as connection:
        known_member(connection, member)
        was_listed = replace_foreign_rating(connection, member, listed)
        now = "none" if listed.rating is None else f"{listed.rating:g}"
        change = f"{member}, {listed.source} rating on {listed.list_date}: {now}"
        if listed.rating is None and not was_listed:
            raise nothing_changes(Place(members=(member,), field=listed.source))
        number = decide_about(
            connection,
            because,
            "correct-foreign-rating",
            member,
            effective=listed.list_date,
            value=listed.rating,
            details={"source": listed.source},
        )
        reason = f"{listed.source} rating of {member} corrected"
        waits = mark_member(connection, member, reason, listed.list_date, number)
        return DecisionResult(number, waits=waits, changes=(change,))


def move_ratings(connection: Connection, actor: Actor, members: Sequence[str]) -> None:
    """Write the entries of *members* whose ratings decisions moved; sections that read them may wait."""
    federation = read_federation(connection)
    refresh_moves(
        connection,
        federation,
        lambda: begin_run(connection, "decide", actor, federation.rulebook_id, __version__),
        members,
    )


OPT_IN_WORD = "opt-in"
FLAG_WORD = "usa-flag"
_NEXT = timedelta(days=1)


class Mark(NamedTuple):
    """A mark of a member that holds from a day on, or (where it does not *hold*) no more.

    Attributes:
        word: the kind in `rating.decisions.KINDS`.
        approved_by: who allowed an opt-out.
    """

    member: str
    word: str
    day: date
    holds: bool = True
    approved_by: str = ""


class ListedFlag(NamedTuple):
    """Whether a member has the US flag in the FIDE list of a day."""

    member: str
    list_date: date
    flag: bool


def decide_mark(book: Book, mark: Mark, because: Reason) -> DecisionResult:
    """Decide that a mark holds from its day on, or no more.

    Raises:
        BookError: there is no such member, the day is still to come, nothing would change, or an opt-out would touch an
            event that has begun since.
    """
    place = Place(members=(mark.member,), field=mark.word)
    with book.writing() as connection:
        known_member(connection, mark.member)
        if mark.day.isoformat() > because.actor.at[:10]:
            raise refused("mark-in-future", place, day=mark.day)
        opts_out = KINDS[mark.word].number == OPT_IN and not mark.holds
        event = foreign_event_after(connection, mark.member, mark.day) if opts_out else ""
        if event:
            raise refused("opt-out-too-early", place, event=event, day=mark.day)
        number = write_mark(connection, mark, because)
        if number is None:
            raise nothing_changes(place)
        waits = mark_member(connection, mark.member, f"{mark.word} of {mark.member}", mark.day, number)
        return DecisionResult(number, waits=waits)


def write_mark(connection: Connection, mark: Mark, because: Reason) -> int | None:
    """Record a mark as a decision, and return its number; None where it says what holds already."""
    member_file = load_member_files(connection, [mark.member])[mark.member]
    if holds_after(member_file, mark.word, mark.day) == mark.holds:
        return None
    return decide_about(
        connection,
        because,
        mark.word if mark.holds else f"{mark.word}-lifted",
        mark.member,
        effective=mark.day,
        system=System.REGULAR,
        details={"approved_by": mark.approved_by} if mark.approved_by else NO_DETAILS,
    )


def holds_after(member_file: MemberFile, word: str, day: date) -> bool:
    """Return whether a mark holds after the decisions up to *day*."""
    return member_file.opted_in_before(day + _NEXT) if word == OPT_IN_WORD else member_file.flag_on(day)


def take_flags(connection: Connection, listed: Sequence[ListedFlag], because: Reason) -> Iterator[ListedFlag]:
    """Record the flags of FIDE lists where they say something new, and yield those that do.

    A list may come after newer ones: what these said stays as it was.
    """
    owner = merged_ids(connection, sorted({flag.member for flag in listed}))
    for flag in sorted(listed, key=lambda each: each.list_date):
        member = owner[flag.member]
        member_file = load_member_files(connection, [member])[member]
        flag_before = member_file.flag_on(flag.list_date)
        if flag_before == flag.flag:
            continue
        write_mark(connection, Mark(member, FLAG_WORD, flag.list_date, flag.flag), because)
        decision_days = (
            decision.effective
            for decision in member_file.decisions
            if NUMBERS[decision.kind] in {KINDS[FLAG_WORD].number, KINDS[FLAG_WORD].lifted}
            and decision.effective > flag.list_date
        )
        until = min(decision_days, default=date.max)
        lists = (rating.as_of for rating in member_file.foreign.get("fide", ()) if rating.as_of is not None)
        newer = min((day for day in lists if flag.list_date < day < until), default=None)
        if newer is not None:
            write_mark(connection, Mark(member, FLAG_WORD, newer, flag_before), because)
        yield flag

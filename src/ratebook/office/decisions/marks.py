"""Decisions about what foreign FIDE events read of a member: the opt-in, the opt-out, and the US flag by FIDE list.

Each counts from its day on and never before: an opt-in or opt-out for events that begin after it, a flag from the day
of its list on (docs/rules/readings.md#foreign-fide-events).
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from ratebook.book.connection import Book, Connection
from ratebook.book.decisions import NO_DETAILS
from ratebook.book.facts.member_files import MemberFile, load_member_files
from ratebook.book.facts.members import merged_ids
from ratebook.book.facts.seats import foreign_event_after
from ratebook.book.failures import refused
from ratebook.findings import Place
from ratebook.model import System
from ratebook.office.decisions.members import decide_about, known_member, mark_member
from ratebook.office.decisions.revision import DecisionResult, Reason, nothing_changes
from ratebook.rating.decisions import KINDS, NUMBERS, OPT_IN

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

"""Decisions about a member's rating taken back, as if they had never been made."""

from ratebook.book.connection import Connection
from ratebook.book.decisions import UNDO, RecordedDecision
from ratebook.book.facts.member_files import load_member_files
from ratebook.book.facts.members import load_members, merged_ids
from ratebook.book.failures import refused
from ratebook.findings import Place
from ratebook.model import System
from ratebook.office.decisions.members import check_later_decisions, decide_about, mark_member, move_ratings
from ratebook.office.decisions.revision import DecisionResult, Reason
from ratebook.rating.decisions import KINDS, NUMBERS

_MARKS = frozenset(number for kind in KINDS.values() if kind.mark for number in (kind.number, kind.lifted))


def undo_adjustment(connection: Connection, decision: RecordedDecision, because: Reason) -> DecisionResult:
    """Undo a decision about how a member is rated; what followed from it waits for a re-rating.

    Raises:
        BookError: it is about foreign events, it no longer holds, or a later one would not fit what holds then.
    """
    place = Place(decision=decision.id)
    if NUMBERS[decision.kind] in _MARKS:
        raise refused("decision-not-undone.kind", place, kind=decision.kind)
    by = str(decision.member_id)
    member = merged_ids(connection, [by])[by]
    if not any(one.id == decision.id for one in load_member_files(connection, [member])[member].decisions):
        raise refused("decision-no-longer-held", place)
    assert decision.effective is not None, "every adjustment has a day"  # noqa: S101 - tells the type checker
    system = System(str(decision.system))
    number = decide_about(
        connection, because, UNDO, by, details={"decision": decision.id}, undoes=decision.id
    )
    check_later_decisions(connection, member, system)
    move_ratings(connection, because.actor, [member])
    waits = mark_member(
        connection,
        member,
        f"decision {number}, undo of decision {decision.id}",
        decision.effective,
        decision=number,
    )
    name = load_members(connection, [member])[member].facts.name
    change = f"{member} {name}, {system} {decision.kind} from {decision.effective} on: undone"
    return DecisionResult(number, waits=waits, changes=(change,))

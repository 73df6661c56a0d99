"""Prizes that reports bring: decisions of the office about floors, made when their section is first rated.

They follow the report: where a correction changes who won, in which system or on which day, so does the floor.
"""

from datetime import date
from typing import NamedTuple

from ratebook.book.connection import Actor, Connection
from ratebook.book.decisions import read_decision
from ratebook.book.events import StoredSection, read_sections
from ratebook.book.facts.member_files import load_member_files
from ratebook.book.profile import read_federation
from ratebook.book.reports import stored_report, with_members
from ratebook.findings import Finding
from ratebook.model import FloorKind, PlayerFacts, Report
from ratebook.office.decisions.adjustments import decided_state, undo_adjustment
from ratebook.office.decisions.members import decide_about, mark_member, move_ratings
from ratebook.office.decisions.revision import DecisionResult, Reason, rated_event
from ratebook.office.rating.standings import MemberStandings
from ratebook.reports.prizes import PrizeFloor, prize_floors, refused_because


class WonFloor(NamedTuple):
    """A floor that a prize of a report sets, from the last day of its section on."""

    of_prize: PrizeFloor
    day: date


def decide_prizes(
    connection: Connection, standings: MemberStandings, report: Report, stored: StoredSection, actor: Actor
) -> list[Finding]:
    """Record the floors that the prizes of a section set, and return what is to be said of them.

    *standings* are those before the section; what they know of a member with a new floor is read again.
    """
    plan = standings.plan(stored)
    findings: list[Finding] = []
    if plan is None:
        return findings
    day = stored.section.end
    for prize_floor in prize_floors(report, plan, standings.federation.rulebook):
        prize = prize_floor.prize
        held = standings.states[prize.player].facts_after(prize_floor.system, day)
        player = PlayerFacts(prize.player, floors=held.floors, ceilings=held.ceilings)
        refused = refused_because(prize_floor, player)
        if refused == "kept":
            continue
        findings.append(prize_floor.finding(refused or "prize-sets-floor"))
        if refused:
            continue
        _decide(connection, stored.event_id, WonFloor(prize_floor, day), actor)
        standings.forget_member(connection, prize.player, stored.place)
    return findings


def _decide(connection: Connection, event_id: str, won: WonFloor, actor: Actor) -> int:
    """Record the floor that a prize sets as a decision, and return its number."""
    prize = won.of_prize.prize
    return decide_about(
        connection,
        Reason(actor, f"prize in event {event_id}, section {prize.section}"),
        "floor",
        prize.player,
        effective=won.day,
        system=won.of_prize.system,
        value=won.of_prize.floor,
        details={
            "floor_kind": FloorKind.MONEY,
            "prize": prize.amount,
            "limit": prize.limit,
            "event": event_id,
            "section": prize.section,
        },
    )


def prizes_of_event(connection: Connection, event_id: str) -> set[WonFloor]:
    """Return the floors that the prizes of a rated event set as its report is now; withdrawn sections have none."""
    report, _ = with_members(connection, stored_report(rated_event(connection, event_id))[0])
    if not report.prizes:
        return set()
    standings = MemberStandings(read_federation(connection))
    won = set()
    for stored in read_sections(connection, event_id=event_id):
        plan = standings.plan(stored)
        if plan is not None:
            won |= {
                WonFloor(prize_floor, stored.section.end)
                for prize_floor in prize_floors(report, plan, standings.federation.rulebook)
            }
    return won


def follow_prizes(
    connection: Connection, event_id: str, before: set[WonFloor], result: DecisionResult, because: Reason
) -> DecisionResult:
    """Undo the floors of prizes that a decision about a report took away, and record those that it brought.

    *before* are the floors as they followed from the report before it, *result* is what it did so far.
    """
    after = prizes_of_event(connection, event_id)
    changes = [*result.changes]
    findings = [*result.findings]
    for won in sorted(before - after, key=_order):
        number = _decision_of(connection, event_id, won)
        if number is not None:
            recorded = read_decision(connection, number)
            assert recorded is not None, "it was found"  # noqa: S101 - tells the type checker
            changes += undo_adjustment(connection, recorded, because).changes
    for won in sorted(after - before, key=_order):
        prize_floor, day = won
        player = prize_floor.prize.player
        facts = decided_state(connection, player).facts_after(prize_floor.system, day)
        refused = refused_because(
            prize_floor, PlayerFacts(player, floors=facts.floors, ceilings=facts.ceilings)
        )
        if refused == "kept":
            continue
        findings.append(prize_floor.finding(refused or "prize-sets-floor"))
        if not refused:
            number = _decide(connection, event_id, won, because.actor)
            move_ratings(connection, because.actor, [player])
            mark_member(connection, player, f"floor of {player}", day, number)
    return result._replace(findings=tuple(findings), changes=tuple(changes))


def _order(won: WonFloor) -> tuple[int, str]:
    return won.of_prize.prize.section, won.of_prize.prize.player


def _decision_of(connection: Connection, event_id: str, won: WonFloor) -> int | None:
    """Return the number of the decision that holds and that the prize of a report made."""
    prize_floor = won.of_prize
    member_file = load_member_files(connection, [prize_floor.prize.player]).get(prize_floor.prize.player)
    numbers = [
        decision.id
        for decision in (() if member_file is None else member_file.decisions)
        if (decision.kind, decision.system, decision.value, decision.effective)
        == ("floor", prize_floor.system, prize_floor.floor, won.day)
    ]
    for number in numbers:
        recorded = read_decision(connection, number)
        if recorded is not None and recorded.details.get("event") == event_id:
            return number
    return None

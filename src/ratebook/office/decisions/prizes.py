"""Prizes that reports bring: decisions of the office about floors, made when their section is first rated."""

from ratebook.book.connection import Actor, Connection
from ratebook.book.events import StoredSection
from ratebook.findings import Finding
from ratebook.model import FloorKind, PlayerFacts, Report
from ratebook.office.decisions.members import decide_about
from ratebook.office.decisions.revision import Reason
from ratebook.office.rating.standings import MemberStandings
from ratebook.reports.prizes import prize_floors, refused_because


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
    for one in prize_floors(report, plan, standings.federation.rulebook):
        prize = one.prize
        held = standings.states[prize.player].facts_after(one.system, day)
        known = PlayerFacts(prize.player, floors=held.floors, ceilings=held.ceilings)
        refused = refused_because(one, known)
        if refused == "kept":
            continue
        findings.append(one.finding(refused or "prize-sets-floor"))
        if refused:
            continue
        decide_about(
            connection,
            Reason(actor, f"prize in event {stored.event_id}, section {prize.section}"),
            "floor",
            prize.player,
            effective=day,
            system=one.system,
            value=one.floor,
            details={"floor_kind": FloorKind.MONEY, "prize": prize.amount, "limit": prize.limit},
        )
        standings.forget_member(connection, prize.player, stored.place)
    return findings

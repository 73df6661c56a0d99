"""Prizes that a report brings, and the floors that the rules of their day make of them."""

from collections.abc import Iterator
from typing import NamedTuple

from ratebook.findings import Finding, Place, finding
from ratebook.model import EnteredFloor, FloorKind, PlayerFacts, Report, SectionPrize, System
from ratebook.rating.floors import money_floor
from ratebook.reports.plan import PlannedSection
from ratebook.rules.rulebook import Rulebook


class PrizeFloor(NamedTuple):
    """A prize, and the floor that it sets in the first system of its section: in OTB Regular where dual-rated."""

    prize: SectionPrize
    system: System
    floor: float

    def finding(self, name: str) -> Finding:
        """Return the finding *name* about it."""
        prize = self.prize
        place = Place(section=prize.section, players=(prize.player,))
        return finding(
            name, place, amount=prize.amount, limit=prize.limit, system=self.system, floor=self.floor
        )


def prize_floors(report: Report, plan: PlannedSection, rulebook: Rulebook) -> Iterator[PrizeFloor]:
    """Yield the floors that the prizes of a section set, by the rules of its last day.

    Source: D25 section 5; docs/rules/readings.md#money-floors.
    """
    if not plan.systems:
        return
    system = plan.systems[0][0]
    rules = rulebook.in_force(system, plan.section.end)
    for prize in report.prizes:
        if prize.section == plan.section.number:
            floor = money_floor(rules, prize.amount, prize.limit)
            if floor is not None:
                yield PrizeFloor(prize, system, floor)


def refused_because(floor: PrizeFloor, facts: PlayerFacts) -> str:
    """Return the finding that says why the floor is not entered beside *facts*, or ``kept`` where one holds already."""
    if any(
        held.system is floor.system and held.kind is FloorKind.MONEY and held.floor >= floor.floor
        for held in facts.floors
    ):
        return "kept"
    if any(held.system is floor.system and held.ceiling < floor.floor for held in facts.ceilings):
        return "prize-floor-above-ceiling"
    return ""


def with_prize_floors(
    report: Report, plan: PlannedSection, facts: dict[str, PlayerFacts], rulebook: Rulebook
) -> list[Finding]:
    """Enter the floors that the prizes of a section set into *facts*, and return what is to be said of them."""
    findings = []
    for floor in prize_floors(report, plan, rulebook):
        player = facts[floor.prize.player]
        refused = refused_because(floor, player)
        if refused == "kept":
            continue
        findings.append(floor.finding(refused or "prize-sets-floor"))
        if not refused:
            others = tuple(
                other
                for other in player.floors
                if other.system is not floor.system or other.kind is not FloorKind.MONEY
            )
            entered = EnteredFloor(floor.system, FloorKind.MONEY, floor.floor)
            facts[floor.prize.player] = player._replace(floors=(*others, entered))
    return findings

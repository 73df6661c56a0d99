"""Which systems rate the sections of a report, by which rules, in which order; and what prevents it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from ratebook.checks.eligibility import check_ceilings, check_match, check_match_coding
from ratebook.findings import Finding, Place, finding
from ratebook.model import PlayerFacts, Rating, Report, Section, SectionType, System
from ratebook.rules import timecontrol
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import Rulebook, RuleNotKnown
from ratebook.rules.timecontrol import TimeControl


class PlannedSection(NamedTuple):
    """A section with the systems it is rated in and their rules."""

    section: Section
    rules_date: date
    systems: tuple[tuple[System, RulesInForce], ...]

    @property
    def dual_rated(self) -> bool:
        """Whether the section is rated in OTB Regular and OTB Quick (reduced K of masters)."""
        systems = [system for system, _ in self.systems]
        return System.REGULAR in systems and System.QUICK in systems


def plan_section(
    section: Section, rulebook: Rulebook, rules_date: date
) -> tuple[PlannedSection, list[Finding]]:
    """Decide in which systems *section* is rated, by its time control and date, and with which rules."""
    place = Place(section=section.number)
    findings: list[Finding] = []
    systems: tuple[System, ...] = ()
    if section.type is SectionType.FIDE:
        systems = (System.REGULAR,)
        if section.online or section.half_k:
            findings.append(finding("foreign-event-flags", place))
    elif section.time_control is None:
        findings.append(finding("time-control-missing.of-section", place))
    else:
        time_control = timecontrol.parse_time_control(section.time_control)
        if isinstance(time_control, Finding):
            findings.append(time_control._replace(place=Place(section=section.number)))
        else:
            systems, more = classify(section, time_control, rulebook, rules_date)
            findings += more
    rules = tuple((system, rulebook.in_force(system, rules_date)) for system in systems)
    planned = PlannedSection(section, rules_date, rules)
    is_half_k = section.half_k and section.type is not SectionType.FIDE
    if is_half_k and any(in_force.half_k_numerator < 0 for _, in_force in rules):
        findings.append(finding("half-k-not-allowed.in-section", place, rules_date=rules_date))
    return planned, findings


def classify(
    section: Section, time_control: TimeControl, rulebook: Rulebook, rules_date: date
) -> tuple[tuple[System, ...], list[Finding]]:
    """Return the systems that rate *time_control* on that day, with findings about the control."""
    place = Place(section=section.number)
    systems = timecontrol.systems_for(rulebook, time_control, rules_date, online=section.online)
    if systems:
        found = timecontrol.check_main_time(rulebook, time_control, rules_date, systems, place)
        return systems, found + timecontrol.check_reading(time_control, place)
    if differ := timecontrol.check_schedule(rulebook, time_control, rules_date, place, online=section.online):
        return (), differ
    kind, control = "online" if section.online else "over the board", section.time_control
    total, day = time_control.total, rules_date
    return (), [
        finding(
            "time-control-not-ratable", place, kind=kind, time_control=control, total=total, rules_date=day
        )
    ]


def plan_report(
    report: Report, rulebook: Rulebook, rules_on: date | None = None
) -> tuple[list[PlannedSection], list[Finding]]:
    """Return the sections in the order in which they are rated, and what prevents their rating.

    Order: section end date, event id, section number (docs/rules/readings.md#a11).
    """
    planned = []
    findings: list[Finding] = []
    for section in sorted(report.sections, key=lambda each: (each.end, report.event.id, each.number)):
        try:
            plan, of_section = plan_section(section, rulebook, rules_on or section.rules_date)
        except RuleNotKnown as unknown:
            place = Place(section=section.number)
            findings.append(finding("rules-not-known.of-report", place, unknown=str(unknown)))
            continue
        findings += of_section
        planned.append(plan)
    return planned, findings


def check_planned(
    planned: Sequence[PlannedSection], facts: Mapping[str, PlayerFacts], systems: Sequence[System]
) -> Iterator[Finding]:
    """Yield what the rules of the day say against sections: ceilings below floors, matches.

    *systems* are those asked for; where there are none, all.
    """
    for plan in planned:
        section = plan.section
        for system, rules in plan.systems:
            if systems and system not in systems:
                continue
            yield from check_ceilings(section, facts, system, rules)
            if section.type is SectionType.MATCH:
                yield from check_match(section, facts, system, rules)
        if plan.systems:
            yield from check_match_coding(section, plan.systems[0][1])


def with_pairing_ratings(
    planned: Sequence[PlannedSection], facts: Mapping[str, PlayerFacts]
) -> tuple[dict[str, PlayerFacts], list[Finding]]:
    """Return *facts* with pairing ratings for players who would be unrated otherwise, and a note that says so.

    A pairing rating is an integer without its number of games; it is taken as established in the section's systems.
    """
    completed = dict(facts)
    used: dict[str, None] = {}
    systems: set[System] = set()
    for plan in planned:
        for entry in plan.section.entries:
            player = completed.get(entry.player)
            # A player with a rating in another system has a better start by Step 1; the checks name unknown players.
            if player is None or player.pairing_rating is None or facts[entry.player].ratings:
                continue
            fresh = {
                system: Rating(player.pairing_rating)
                for system, _ in plan.systems
                if system not in player.ratings and system not in player.initial
            }
            if fresh:
                completed[entry.player] = player._replace(ratings={**player.ratings, **fresh})
                used[entry.player] = None
                systems |= fresh.keys()
    if not used:
        return completed, []
    named = " and ".join(system for system in System if system in systems)
    return completed, [finding("pairing-rating-used", Place(players=tuple(used)), systems=named)]

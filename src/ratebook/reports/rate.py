"""The use cases of a rating office: rate a report, section by section, each system on its own."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ratebook.checks import ReportedFacts, check_report
from ratebook.checks.eligibility import check_ceilings, check_match, check_match_coding
from ratebook.findings import Finding, finding, has_errors
from ratebook.model import PlayerFacts, Rating, Report, Section, SectionType, System
from ratebook.rating.rate import facts_after, merged, rate_section
from ratebook.rules.rulebook import Rulebook, RuleNotKnown
from ratebook.rules.timecontrol import (
    TimeControl,
    check_main_time,
    parse_time_control,
    systems_for,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from ratebook.rating.results import After, RatedSection
    from ratebook.rules.in_force import RulesInForce


NO_PAIRING: Mapping[str, float] = MappingProxyType({})

MOST_NAMED = 12


class RatingOptions(NamedTuple):
    """How a report is to be rated.

    Attributes:
        systems: rate in these systems only; empty: in all that the time control names.
        rules_on: rate as if every section had started on this day (a what-if).
        pairing: ratings by which players were paired, by player; used only where nothing better is known.
        reported: what the checks need beside the report (rounds and systems that the file states, day received).
    """

    systems: Sequence[System] = ()
    rules_on: date | None = None
    pairing: Mapping[str, float] = NO_PAIRING
    reported: ReportedFacts = ReportedFacts()


DEFAULT_OPTIONS = RatingOptions()


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


class RatedReport(NamedTuple):
    """A report, its rated sections (none where the report has errors) and all findings.

    Attributes:
        accepted: codes of the warnings that were acknowledged; they stand among the findings as notes.
    """

    report: Report | None
    sections: tuple[RatedSection, ...]
    findings: tuple[Finding, ...]
    accepted: tuple[str, ...] = ()


def plan_section(
    section: Section, rulebook: Rulebook, rules_date: date
) -> tuple[PlannedSection, list[Finding]]:
    """Decide in which systems *section* is rated, by its time control and date, and with which rules."""
    where = f"section {section.number}"
    findings: list[Finding] = []
    systems: tuple[System, ...] = ()
    if section.type is SectionType.FIDE:
        systems = (System.REGULAR,)
        if section.online or section.half_k:
            findings.append(finding("foreign-event-flags", where))
    elif section.time_control is None:
        findings.append(finding("time-control-missing.plan-section", where))
    else:
        time_control = parse_time_control(section.time_control)
        if isinstance(time_control, Finding):
            findings.append(time_control._replace(where=where))
        else:
            systems, more = classify(section, time_control, rulebook, rules_date)
            findings += more
    planned = PlannedSection(
        section, rules_date, tuple((system, rulebook.in_force(system, rules_date)) for system in systems)
    )
    if (
        section.half_k
        and section.type is not SectionType.FIDE
        and any(rules.half_k_numerator < 0 for _, rules in planned.systems)
    ):
        findings.append(finding("half-k-not-allowed.plan-section", where, rules_date=rules_date))
    return planned, findings


def classify(
    section: Section, time_control: TimeControl, rulebook: Rulebook, rules_date: date
) -> tuple[tuple[System, ...], list[Finding]]:
    """Return the systems that rate *time_control* on that day, with findings about the control."""
    where = f"section {section.number}"
    systems = systems_for(rulebook, time_control, rules_date, online=section.online)
    if systems:
        found = check_main_time(rulebook, time_control, rules_date, systems)
        return systems, [finding._replace(where=where) for finding in found]
    kind = "online" if section.online else "over the board"
    return (), [
        finding(
            "time-control-not-ratable",
            where,
            kind=kind,
            time_control=section.time_control,
            total=time_control.total,
            rules_date=rules_date,
        )
    ]


def plan_report(
    report: Report, rulebook: Rulebook, rules_on: date | None = None
) -> tuple[list[PlannedSection], list[Finding]]:
    """Return the sections in the order in which they are rated, and what stands against rating them.

    Order: section end date, event id, section number (docs/rules/readings.md#a11).
    """
    planned = []
    findings: list[Finding] = []
    for section in sorted(
        report.sections, key=lambda section: (section.end, report.event.id, section.number)
    ):
        try:
            plan, found = plan_section(section, rulebook, rules_on or section.rules_date)
        except RuleNotKnown as unknown:
            findings.append(
                finding("rules-not-known.plan-report", f"section {section.number}", unknown=str(unknown))
            )
            continue
        findings += found
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


def prepared(
    report: Report, rulebook: Rulebook, options: RatingOptions
) -> tuple[list[PlannedSection], dict[str, PlayerFacts], list[Finding]]:
    """Check *report* and return what rating it starts from: the planned sections, the facts, all findings so far."""
    planned, found = plan_report(report, rulebook, options.rules_on)
    facts, noted = with_pairing_ratings(planned, report.players, options.pairing)
    findings = check_report(report._replace(players=facts), options.reported, rulebook)
    if has_errors(findings):
        return [], {}, findings
    findings += found
    findings += noted
    findings += check_planned(planned, facts, options.systems)
    return planned, facts, findings


def check(
    report: Report, rulebook: Rulebook, options: RatingOptions = DEFAULT_OPTIONS
) -> tuple[Finding, ...]:
    """Return every finding that rating *report* would meet, assumptions included.

    Sections are rated one after the other and not kept, so that a large report takes little memory.
    """
    planned, facts, findings = prepared(report, rulebook, options)
    if not has_errors(findings):
        for _ in _rate_each(planned, facts, rulebook, options, findings):
            pass
    return tuple(findings)


def after_ratings(sections: Iterable[RatedSection]) -> dict[tuple[int, int, System], After]:
    """Return the ratings after, by section number, seat and system; players who are still unrated have none."""
    return {
        (rated.section.number, entry.seat, rated.system): entry.after
        for rated in sections
        for entry in rated.entries
        if entry.after is not None
    }


def rate_report(report: Report, rulebook: Rulebook, options: RatingOptions = DEFAULT_OPTIONS) -> RatedReport:
    """Rate all sections of *report*, or none where a finding is an error.

    Args:
        report: what was played, and what is known of the players.
        rulebook: the dated rules, perhaps with an overlay.
        options: which systems, what-ifs, pairing ratings, what the file states.

    A dual-rated section is rated in each system from the state before it (docs/rules/readings.md#a12); the result of
    one section is the pre-event rating of the next.
    """
    planned, facts, findings = prepared(report, rulebook, options)
    if has_errors(findings):
        return RatedReport(report, (), tuple(findings))
    rated = tuple(_rate_each(planned, facts, rulebook, options, findings))
    return RatedReport(report, () if has_errors(findings) else rated, tuple(findings))


def _rate_each(
    planned: Sequence[PlannedSection],
    facts: dict[str, PlayerFacts],
    rulebook: Rulebook,
    options: RatingOptions,
    findings: list[Finding],
) -> Iterator[RatedSection]:
    """Yield each section rated in each system, carry *facts* on, and add what is found to *findings*."""
    nothing = True
    for number, plan in enumerate(planned, start=1):
        try:
            results = list(rate_planned(plan, facts, options.systems))
        except (ArithmeticError, ValueError) as failure:
            if not rulebook.overlaid:
                raise
            findings.append(finding("what-if-unusable", f"section {plan.section.number}", failure=failure))
            return
        nothing = nothing and not results
        findings += [finding for result in results for finding in result.findings]
        yield from results
        if number < len(planned):
            for result in results:
                for player, after in facts_after(result).items():
                    facts[player] = merged(facts[player], after, result.system)
    if options.systems and nothing:
        wanted = ", ".join(options.systems)
        findings.append(finding("system-not-rated.rate-each", "report", wanted=wanted))


def with_pairing_ratings(
    planned: Sequence[PlannedSection], facts: Mapping[str, PlayerFacts], pairing: Mapping[str, float]
) -> tuple[dict[str, PlayerFacts], list[Finding]]:
    """Return *facts* with pairing ratings for players who would be unrated otherwise, and a note that says so.

    A pairing rating is an integer without its number of games; it is taken as established in the section's systems.
    """
    known = dict(facts)
    used: dict[str, None] = {}
    for plan in planned:
        for entry in plan.section.entries:
            player = known.get(entry.player)
            # Somebody with a rating in another system has a better start by Step 1; the checks name unknown players.
            if player is None or entry.player not in pairing or facts[entry.player].ratings:
                continue
            fresh = {
                system: Rating(pairing[entry.player])
                for system, _ in plan.systems
                if system not in player.ratings and system not in player.initial
            }
            if fresh:
                known[entry.player] = player._replace(ratings={**player.ratings, **fresh})
                used[entry.player] = None
    if not used:
        return known, []
    names = list(used)
    shown = ", ".join(names[:MOST_NAMED]) + (
        f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    )
    return known, [finding("pairing-rating-used", f"players {shown}")]


def rate_planned(
    plan: PlannedSection, facts: dict[str, PlayerFacts], systems: Sequence[System]
) -> Iterator[RatedSection]:
    """Yield *plan*'s section rated in each of its systems, all from the same state before it."""
    for system, rules in plan.systems:
        if not systems or system in systems:
            yield rate_section(
                plan.section, facts, system, rules, dual_rated=plan.dual_rated, rules_date=plan.rules_date
            )

"""A report is rated: planned, checked, then rated section by section, each system on its own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from ratebook.checks import ReportedFacts, check_report
from ratebook.findings import Finding, Place, finding, has_errors
from ratebook.model import PlayerFacts, Report, System
from ratebook.rating.rate import facts_after, merged, rate_section
from ratebook.rating.results import After, RatedSection
from ratebook.reports.plan import PlannedSection, check_planned, plan_report, with_pairing_ratings
from ratebook.reports.printed import compare_printed
from ratebook.reports.prizes import with_prize_floors
from ratebook.rules.rulebook import Rulebook


class RatingOptions(NamedTuple):
    """How a report is to be rated.

    Attributes:
        systems: rate in these systems only; empty: in all that the time control names.
        rules_on: rate as if every section had started on this day (a what-if).
        reported: what the checks need beside the report (rounds and systems that the file states, day received).
        printed: ratings after that the file prints, by section number, seat and system, to be compared with.
    """

    systems: Sequence[System] = ()
    rules_on: date | None = None
    reported: ReportedFacts = ReportedFacts()
    printed: Mapping[tuple[int, int, System], float] = MappingProxyType({})


DEFAULT_OPTIONS = RatingOptions()


class RatedReport(NamedTuple):
    """A report, its rated sections (none where the report has errors) and all findings.

    *accepted* are codes of the warnings that were acknowledged; these are notes among the findings.
    """

    report: Report | None
    sections: tuple[RatedSection, ...]
    findings: tuple[Finding, ...]
    accepted: tuple[str, ...] = ()


def rate_report(report: Report, rulebook: Rulebook, options: RatingOptions = DEFAULT_OPTIONS) -> RatedReport:
    """Rate all sections of *report*, or none where a finding is an error."""
    findings: list[Finding] = []
    rated = tuple(_rated_sections(report, rulebook, options, findings))
    return RatedReport(report, () if has_errors(findings) else rated, tuple(findings))


def check(
    report: Report, rulebook: Rulebook, options: RatingOptions = DEFAULT_OPTIONS
) -> tuple[Finding, ...]:
    """Return every finding that rating *report* would meet, assumptions included.

    Sections are rated one after the other and not kept, so that a large report takes little memory.
    """
    findings: list[Finding] = []
    for _ in _rated_sections(report, rulebook, options, findings):
        pass
    return tuple(findings)


def planned_and_checked(
    report: Report, rulebook: Rulebook, options: RatingOptions, findings: list[Finding]
) -> tuple[list[PlannedSection], dict[str, PlayerFacts]]:
    """Return the planned sections and the facts that rating starts from; add what is found to *findings*."""
    planned, of_plan = plan_report(report, rulebook, options.rules_on)
    facts, noted = with_pairing_ratings(planned, report.players)
    findings += check_report(report._replace(players=facts), options.reported, rulebook)
    if not has_errors(findings):
        findings += [*of_plan, *noted, *check_planned(planned, facts, options.systems)]
    return planned, facts


def _rated_sections(
    report: Report, rulebook: Rulebook, options: RatingOptions, findings: list[Finding]
) -> Iterator[RatedSection]:
    """Plan and check *report*, then yield each section rated in each system; add what is found to *findings*.

    A dual-rated section is rated in each system from the state before it (docs/rules/readings.md#a12); the result of
    one section is the pre-event rating of the next.
    """
    planned, facts = planned_and_checked(report, rulebook, options, findings)
    if has_errors(findings):
        return
    nothing = True
    last = {entry.player: number for number, plan in enumerate(planned) for entry in plan.section.entries}
    for number, plan in enumerate(planned):
        findings += with_prize_floors(report, plan, facts, rulebook)
        try:
            before = {entry.player: facts[entry.player] for entry in plan.section.entries}
            results = list(rate_planned(plan, before, options.systems))
        except (ArithmeticError, ValueError) as failure:
            if not rulebook.overlaid:
                raise
            findings.append(finding("what-if-unusable", Place(section=plan.section.number), failure=failure))
            return
        nothing = nothing and not results
        findings += [one for result in results for one in result.findings]
        findings += [one for result in results for one in compare_printed(result, options.printed)]
        yield from results
        again = {entry.player for entry in plan.section.entries if last[entry.player] > number}
        for result in results:
            for player, after in facts_after(result, again).items():
                facts[player] = merged(facts[player], after, result.system)
    if options.systems and nothing:
        findings.append(
            finding("system-not-rated.no-section", Place(subject="report"), wanted=tuple(options.systems))
        )


def rate_planned(
    plan: PlannedSection, facts: dict[str, PlayerFacts], systems: Sequence[System]
) -> Iterator[RatedSection]:
    """Yield *plan*'s section rated in each of its systems, all from the same state before it."""
    for system, rules in plan.systems:
        if not systems or system in systems:
            yield rate_section(
                plan.section, facts, system, rules, dual_rated=plan.dual_rated, rules_date=plan.rules_date
            )


def after_ratings(sections: Iterable[RatedSection]) -> dict[tuple[int, int, System], After]:
    """Return the ratings after, by section number, seat and system; players who are still unrated have none."""
    return {
        (rated.section.number, entry.seat, rated.system): entry.after
        for rated in sections
        for entry in rated.entries
        if entry.after is not None
    }

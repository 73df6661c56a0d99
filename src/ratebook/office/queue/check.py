"""Checking a report against the book: its players, their ratings, the rules of the day."""

from collections.abc import Iterator, Mapping
from datetime import date

from ratebook.book.columns import place_of
from ratebook.book.connection import Connection
from ratebook.book.profile import Profile, read_federation
from ratebook.checks import ReportedFacts, check_report
from ratebook.findings import Finding, Place, Severity, finding
from ratebook.model import PlayerFacts, Report, SectionType
from ratebook.office.queue.identity import fide_ids_that_differ, names_that_differ, ratings_that_differ
from ratebook.office.rating.inputs import MemberState
from ratebook.office.rating.standings import MemberStandings
from ratebook.reports.plan import PlannedSection, check_planned, plan_report


def check_against_book(
    connection: Connection, report: Report, reported: ReportedFacts, standings: MemberStandings | None = None
) -> list[Finding]:
    """Return the problems with *report*, and what should be looked at, by what the book knows today.

    The report has canonical ids (`with_members`, which says who is unknown). The member files that are read here are
    kept in *standings*, for callers that check many reports.
    """
    if not report.sections:
        return []
    standings = standings or MemberStandings(read_federation(connection))
    standings = standings.at(first_place(report), connection, report.players)
    return check_from(connection, report, reported, standings)


def first_place(report: Report) -> str:
    """Return the place in history of the first section of a report that has some."""
    return min(place_of(section.end, report.event.id, section.number) for section in report.sections)


def check_from(
    connection: Connection,
    report: Report,
    reported: ReportedFacts,
    standings: MemberStandings,
    *,
    errors_alone: bool = False,
) -> list[Finding]:
    """Return what `check_against_book` does, where *standings* are those before the first section of *report*.

    For *errors alone*, what can only be a warning is not looked for.
    """
    federation = standings.federation
    rulebook = federation.rulebook
    findings = []
    states = {
        player: standings.states[player]
        for player in report.players
        if standings.states[player].member_file is not None
    }
    planned, plan_findings = plan_report(report, rulebook)
    findings += plan_findings
    for plan in planned:
        findings += _not_kept(plan, federation.profile)
    findings += _before_opening(report, states)
    if not errors_alone:
        findings += names_that_differ(connection, report)
        findings += fide_ids_that_differ(connection, report)
    last = max(section.end for section in report.sections)
    begins = min(section.rules_date for section in report.sections)
    foreign = any(section.type is SectionType.FIDE for section in report.sections)
    facts = {}
    for player, reported_facts in report.players.items():
        state = states.get(player)
        facts[player] = (
            reported_facts
            if state is None
            else facts_on(state, last, begins)._replace(name=reported_facts.name)
        )
        if foreign and reported_facts.fide is not None:
            facts[player] = facts[player]._replace(fide=reported_facts.fide)
    if not errors_alone:
        findings += ratings_that_differ(connection, report, reported, facts, states)
    order = {section.number: at for at, section in enumerate(report.sections)}
    for plan in sorted(planned, key=lambda plan: order[plan.section.number]):
        if plan.section.type is SectionType.MATCH:
            findings += _with_official(connection, standings, plan, facts)
    expires = {
        player: until
        for player, state in states.items()
        if state.member_file is not None and (until := state.member_file.expires(last)) is not None
    }
    thresholds = federation.profile.checks
    facts_reported = reported._replace(expires=expires, member_id_pattern="", thresholds=thresholds)
    findings += check_report(report._replace(players=facts), facts_reported, rulebook)
    if not any(finding.severity == "error" for finding in findings):
        findings += check_planned(planned, facts, ())
    return [
        finding
        for finding in findings
        if finding.severity is not Severity.WARNING or finding.code not in thresholds.off
    ]


def _not_kept(plan: PlannedSection, profile: Profile) -> Iterator[Finding]:
    systems = [system for system, _ in plan.systems]
    if systems and not set(systems) & set(profile.systems):
        yield finding(
            "system-not-kept",
            Place(section=plan.section.number),
            systems=", ".join(systems),
            systems_2=", ".join(profile.systems),
        )


def _before_opening(report: Report, states: Mapping[str, MemberState]) -> Iterator[Finding]:
    for section in report.sections:
        for entry in section.entries:
            state = states.get(entry.player)
            if state is None or state.member_file is None:
                continue
            opened = max((balance.as_of for balance in state.member_file.balances.values()), default=None)
            if opened is not None and section.end <= opened:
                yield finding(
                    "before-opening",
                    Place(section=section.number, seats=(entry.seat,)),
                    end=section.end,
                    opened=opened,
                )
                break


def facts_on(state: MemberState, day: date, begins: date) -> PlayerFacts:
    """Return what the book knows of a member on *day*, as the checks of an event that *begins* then want it."""
    member_file = state.member_file
    assert member_file is not None, "members have one"  # noqa: S101 - tells the type checker
    facts = {system: state.facts(system, day) for system in state.systems}
    return PlayerFacts(
        member_file.id,
        member_file.name,
        birth_date=member_file.birth_date,
        adult=member_file.adult,
        canadian_resident=member_file.canadian_resident,
        ratings={system: known.rating for system, known in facts.items() if known.rating is not None},
        fide=member_file.foreign_on("fide", day),
        cfc=member_file.foreign_on("cfc", day),
        floors=tuple(floor for known in facts.values() for floor in known.floors),
        ceilings=tuple(ceiling for known in facts.values() for ceiling in known.ceilings),
        us_member=member_file.member_on(day),
        usa_flag=member_file.flag_on(day),
        fide_opt_in=member_file.opted_in_before(begins),
        initial={system: rating for known in facts.values() for system, rating in known.initial.items()},
    )


def _with_official(
    connection: Connection, standings: MemberStandings, plan: PlannedSection, facts: dict[str, PlayerFacts]
) -> Iterator[Finding]:
    """Put ratings of the list of the day into the facts of the players of a match; warn of a player who has none."""
    from ratebook.book.ledger.official import list_in_effect, rating_for_matches  # noqa: PLC0415 - matches are rare

    section = plan.section
    in_effect = list_in_effect(connection, standings.federation, section.rules_date)
    for entry in section.entries:
        player = facts[entry.player]
        for system, _ in plan.systems:
            rating = player.ratings.get(system)
            if rating is None:
                continue
            official = rating_for_matches(connection, standings.federation, entry.player, system, in_effect)
            if official is None:
                yield finding(
                    "match-not-published",
                    Place(section=section.number, seats=(entry.seat,)),
                    system=system,
                    rules_date=section.rules_date,
                )
                continue
            published = rating._replace(published=official.rating, published_games=official.provisional_games)
            player = player._replace(ratings={**player.ratings, system: published})
        facts[entry.player] = player

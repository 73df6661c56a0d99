"""Checking a report against the book: who its players are, what they stand at, what the rules of the day say."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from ratebook.book.members import merged_ids, similar_members
from ratebook.book.profile import read_federation
from ratebook.book.schema import place_of
from ratebook.book.submissions import stored_findings
from ratebook.checks import ReportedFacts, check_report
from ratebook.checks.players import foreign_opponents
from ratebook.findings import Finding, finding
from ratebook.formats.registry import read_report
from ratebook.model import Event, PlayerFacts, Report, SectionType, System
from ratebook.office.rating.standings import Standings
from ratebook.reports.plan import check_planned, plan_report
from ratebook.rules.timecontrol import parse_time_control

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from sqlalchemy import Connection, Row

    from ratebook.book.profile import Profile
    from ratebook.model import Entry, Section
    from ratebook.office.rating.inputs import MemberState

NO_REPORT = Report(Event(), {}, ())


def stored_report(submission: Row[tuple[object, ...]]) -> tuple[Report, ReportedFacts]:
    """Return the report of a submission and what its file stated beside it."""
    stated = json.loads(submission.stated)
    reported = ReportedFacts(
        stated_rounds={int(number): rounds for number, rounds in stated["rounds"].items()},
        stated_systems={int(number): letter for number, letter in stated["systems"].items()},
        received=submission.received,
    )
    if not submission.report:
        return NO_REPORT, reported
    report = read_report(submission.report.encode(), "report.json").report
    assert report is not None, "only reports that can be read are stored"  # noqa: S101 - tells the type checker
    return report._replace(event=report.event._replace(id=submission.event_id)), reported


def stated_text(reported: ReportedFacts, read: int = 0) -> str:
    """Return what a file states beside its report, as `stored_report` reads it.

    Args:
        reported: what it states.
        read: how many findings were made when it was read; they are stored before all others.
    """
    return json.dumps(
        {"rounds": dict(reported.stated_rounds), "systems": dict(reported.stated_systems), "read": read},
        sort_keys=True,
    )


def found_in_reading(connection: Connection, submission: Row[tuple[object, ...]]) -> list[Finding]:
    """Return the findings that were made when a submission's file was read: no later check makes them again."""
    return stored_findings(connection, submission.id)[: json.loads(submission.stated).get("read", 0)]


def content_hash(report: Report) -> str:
    """Return a hash of what was played by whom: the same for a report that is sent twice in two formats."""
    played = sorted(
        [
            section.end.isoformat(),
            section.type.value,
            section.online,
            pace_of(section),
            [
                [entry.seat, entry.player, [f"{cell.letter}{cell.opponent or ''}" for cell in entry.rounds]]
                for entry in sorted(section.entries, key=_seat)
            ],
        ]
        for section in report.sections
    )
    return hashlib.sha256(json.dumps(played).encode()).hexdigest()[:32]


def pace_of(section: Section) -> str:
    """Return how fast a section was played, the same for every way to write a time control."""
    time_control = parse_time_control(section.time_control or "")
    return section.time_control or "" if isinstance(time_control, Finding) else str(time_control.total)


def roster_hash(report: Report) -> str:
    """Return a hash of affiliate, dates and players: the same for a report that was sent again with changes."""
    ends = sorted(section.end.isoformat() for section in report.sections)
    players = sorted({entry.player for section in report.sections for entry in section.entries})
    return hashlib.sha256(json.dumps([report.event.affiliate, ends, players]).encode()).hexdigest()[:32]


def with_members(connection: Connection, report: Report) -> tuple[Report, list[Finding]]:
    """Return *report* with its players as the book knows them, and findings about those that it does not know.

    Merged ids lead to the id that holds. Names stay as reported; ratings, birth dates and other facts of members are
    the book's and are left out here. Opponents in foreign FIDE events need not be members.
    """
    known = merged_ids(connection, report.players)
    opponents = foreign_opponents(report)
    findings = []
    for player, facts in report.players.items():
        if player in known:
            if known[player] != player:
                findings.append(
                    finding("member-merged.with-members", f"player {player}", known=known[player])
                )
        elif player not in opponents:
            findings.append(_unknown(connection, player, facts.name))
    canonical = {player: known.get(player, player) for player in report.players}
    players = {
        canonical[player]: PlayerFacts(
            canonical[player], facts.name, fide=facts.fide if player in opponents else None
        )
        for player, facts in report.players.items()
    }
    sections = tuple(
        section._replace(
            entries=tuple(
                entry._replace(player=canonical.get(entry.player, entry.player))
                for entry in sorted(section.entries, key=_seat)
            )
        )
        for section in report.sections
    )
    return Report(report.event, players, sections), findings


def _seat(entry: Entry) -> int:
    return entry.seat


def _unknown(connection: Connection, player: str, name: str) -> Finding:
    offered = ", ".join(f"{one} ({known})" for one, known in similar_members(connection, player, name))
    return finding(
        "member-unknown.unknown",
        f"player {player}{f' ({name})' if name else ''}",
        word=f"Perhaps {offered} is meant; correct the id" if offered else "Correct the id",
    )


def check_against_book(
    connection: Connection, report: Report, reported: ReportedFacts, standings: Standings | None = None
) -> list[Finding]:
    """Return everything that stands against rating *report*, or should be looked at, by what the book knows today.

    Args:
        connection: a reader's or writer's.
        report: with canonical ids (`with_members`, which says who is unknown).
        reported: what the file states beside the report.
        standings: of a caller who checks many reports; the member files read here are left in it.
    """
    if not report.sections:
        return []
    standings = standings or Standings(read_federation(connection))
    federation = standings.federation
    rulebook = federation.rulebook
    findings = []
    first = min(place_of(section.end, report.event.id, section.number) for section in report.sections)
    standings = standings.at(first, connection, report.players)
    known = {player: state for player, state in standings.states.items() if state.member_file is not None}
    planned, found = plan_report(report, rulebook)
    findings += found
    for plan in planned:
        findings += _unkept(plan.section.number, [system for system, _ in plan.systems], federation.profile)
    findings += _before_opening(report, known)
    last = max(section.end for section in report.sections)
    facts = {}
    for player, reported_facts in report.players.items():
        state = known.get(player)
        facts[player] = (
            reported_facts if state is None else facts_on(state, last)._replace(name=reported_facts.name)
        )
    for section in report.sections:
        if section.type is SectionType.MATCH:
            systems = [system for plan in planned if plan.section is section for system, _ in plan.systems]
            findings += _with_official(connection, standings, report, section.number, systems, facts)
    expires = {}
    for player, state in known.items():
        assert state.member_file is not None, "known members have one"  # noqa: S101 - tells the type checker
        until = state.member_file.expires(last)
        if until is not None:
            expires[player] = until
    facts_reported = reported._replace(expires=expires, member_id_pattern="")
    findings += check_report(report._replace(players=facts), facts_reported, rulebook)
    if not any(finding.severity == "error" for finding in findings):
        findings += check_planned(planned, facts, ())
    return findings


def _unkept(number: int, systems: list[System], profile: Profile) -> Iterator[Finding]:
    if systems and not set(systems) & set(profile.systems):
        yield finding(
            "system-not-kept",
            f"section {number}",
            systems=", ".join(systems),
            systems_2=", ".join(profile.systems),
        )


def _before_opening(report: Report, known: Mapping[str, MemberState]) -> Iterator[Finding]:
    for section in report.sections:
        for entry in section.entries:
            state = known.get(entry.player)
            if state is None or state.member_file is None:
                continue
            opened = max((one.as_of for one in state.member_file.balances.values()), default=None)
            if opened is not None and section.end <= opened:
                yield finding(
                    "before-opening",
                    f"section {section.number}, seat {entry.seat}",
                    end=section.end,
                    opened=opened,
                )
                break


def facts_on(state: MemberState, day: date) -> PlayerFacts:
    """Return everything that the book knows of a member on *day*, as the checks want it."""
    member_file = state.member_file
    assert member_file is not None, "members have one"  # noqa: S101 - tells the type checker
    known = {system: state.facts(system, day) for system in System}
    return PlayerFacts(
        member_file.id,
        member_file.name,
        birth_date=member_file.birth_date,
        adult=member_file.adult,
        canadian_resident=member_file.canadian_resident,
        ratings={system: one.rating for system, one in known.items() if one.rating is not None},
        fide=member_file.foreign_on("fide", day),
        cfc=member_file.foreign_on("cfc", day),
        floors=tuple(floor for one in known.values() for floor in one.floors),
        ceilings=tuple(ceiling for one in known.values() for ceiling in one.ceilings),
        us_member=member_file.member_on(day),
        usa_flag=member_file.usa_flag,
        fide_opt_in=member_file.fide_opt_in,
        initial={system: rating for one in known.values() for system, rating in one.initial.items()},
    )


def _with_official(  # noqa: PLR0913, PLR0917 - a match is judged by all of it
    connection: Connection,
    standings: Standings,
    report: Report,
    number: int,
    systems: list[System],
    facts: dict[str, PlayerFacts],
) -> Iterator[Finding]:
    """Put official ratings into the facts of the players of a match; yield an error where one has none."""
    from ratebook.book.ledger.official import official_rating  # noqa: PLC0415 - matches are rare

    section = next(one for one in report.sections if one.number == number)
    for entry in section.entries:
        known = facts[entry.player]
        for system in systems:
            rating = known.ratings.get(system)
            if rating is None:
                continue
            official = official_rating(
                connection, standings.federation, entry.player, system, section.rules_date
            )
            if official is None:
                yield finding(
                    "match-not-published",
                    f"section {section.number}, seat {entry.seat}",
                    system=system,
                    rules_date=section.rules_date,
                )
                continue
            published = rating._replace(published=official.rating, published_games=official.games)
            known = known._replace(ratings={**known.ratings, system: published})
        facts[entry.player] = known

"""The report of a submission: as it is stored, by which hashes it is known again, and with members as its players."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from math import fsum
from operator import attrgetter
from typing import Any, NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.facts.members import members_by_fide_id, merged_ids
from ratebook.book.facts.similar_members import Suggestions, offering
from ratebook.book.failures import refused
from ratebook.book.profile import read_federation
from ratebook.book.submissions import StoredReport, read_findings
from ratebook.checks import ReportedFacts
from ratebook.checks.member_ids import corrected_id, foreign_opponents
from ratebook.checks.repeated import identity_of, played_in
from ratebook.findings import OF_READABLE, Finding, Place, Severity, finding
from ratebook.formats.hints import is_placeholder, is_seat_id
from ratebook.formats.native.write import read_stored
from ratebook.formats.reading.sheets.figures import parse_points
from ratebook.formats.trf.figures import PrintedPoints, points_that_differ
from ratebook.model import Event, PlayerFacts, Report, Section
from ratebook.rules.timecontrol import parse_time_control

OF_STRANGERS = "birth_date", "adult", "canadian_resident", "sex", "title", "federation", "club", "state"
"""What a report says of a player whom the book does not know: the office adds the member with these facts."""
NO_REPORT = Report(Event(), {}, ())


def stored_report(submission: StoredReport) -> tuple[Report, ReportedFacts]:
    """Return the report of a submission and what its file stated beside it.

    Raises:
        BookError: what is stored cannot be read.
    """
    try:
        stated = json.loads(submission.stated)
        reported = ReportedFacts(
            stated_rounds={int(number): rounds for number, rounds in stated["rounds"].items()},
            stated_systems={int(number): letter for number, letter in stated["systems"].items()},
            received=submission.received,
            stated_ratings=stated.get("ratings", {}),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as failure:
        message = "What its file stated beside the report cannot be read."
        raise refused("submission-damaged", Place(submission=submission.id), message=message) from failure
    if not submission.report:
        return NO_REPORT, reported
    parsed = read_stored(submission.report.encode(), "report.json")
    report = parsed.report
    if report is None:
        # By an older version, or by damage: `submit` stores what it has read again.
        error = next(error for error in parsed.findings if error.severity is Severity.ERROR)
        raise refused("submission-damaged", Place(submission=submission.id), message=error.message)
    return report._replace(event=report.event._replace(id=submission.event_id)), reported


def ends_of_sections(text: str) -> list[tuple[int, date]]:
    """Return number and last day of each section of a stored report, without reading the rest of it."""
    report = json.loads(text)
    of_event = report.get("event", {}).get("end")
    return [
        (section["number"], date.fromisoformat(section.get("end", of_event)))
        for section in report["sections"]
    ]


def stated_text(reported: ReportedFacts, read: int = 0) -> str:
    """Return what a file states beside its report, as `stored_report` reads it.

    *read* is how many findings were made when the file was read; they are stored before all others.
    """
    return json.dumps(
        {
            "rounds": dict(reported.stated_rounds),
            "systems": dict(reported.stated_systems),
            "ratings": {player: dict(ratings) for player, ratings in reported.stated_ratings.items()},
            "read": read,
        },
        sort_keys=True,
    )


def found_in_reading(connection: Connection, submission: StoredReport) -> list[Finding]:
    """Return the findings that were made when a submission's file was read: no later check makes them again."""
    read = json.loads(submission.stated).get("read", 0)
    return [stored.finding for stored in read_findings(connection, submission.id)[:read]]


def still_found(findings: Iterable[Finding], report: Report) -> Iterator[Finding]:
    """Yield what was found in reading a report and still holds after it was changed to *report*."""
    entries = {
        (section.number, entry.seat): entry for section in report.sections for entry in section.entries
    }
    are_apart = not any(
        len({entry.player for entry in section.entries}) < len(section.entries) for section in report.sections
    )
    only = report.sections[0].number if len(report.sections) == 1 else None
    for noted in findings:
        if are_apart and f"{noted.code}.{noted.case}" in OF_READABLE:
            # The two people who had one id have been told apart.
            continue
        section = noted.place.section or only or 0
        at = {seat: entries[section, seat] for seat in noted.place.seats if (section, seat) in entries}
        if noted.code in {"id-missing", "member-id-missing"} and at:
            without = tuple(seat for seat, entry in at.items() if is_seat_id(entry.player))
            if without:
                yield noted.at(seats=without)
        elif noted.code == "total-differs" and len(at) == 1:
            values, (entry,) = dict(noted.values), at.values()
            points = fsum(cell.points for cell in entry.rounds)
            if points != parse_points(str(values["text"]).strip("'")):
                yield noted._replace(values=tuple((values | {"points": points}).items()))
        elif noted.code == "points-differ" and at:
            printed = dict(noted.values)["printed"]
            assert isinstance(printed, tuple)  # noqa: S101 - tells the type checker
            rows = [
                PrintedPoints(seat, report.players[at[seat].player].name, float(text), at[seat].rounds)
                for seat, text in zip(noted.place.seats, printed, strict=True)
                if seat in at
            ]
            yield from points_that_differ(noted.place, rows)
        else:
            yield noted


class ReportHashes(NamedTuple):
    """The hashes by which a report is known again.

    Attributes:
        content_hash: of what was played by whom: the same for a report that is sent twice in two formats.
        roster_hash: of dates and players: the same for a report that was sent again with changes.
    """

    content_hash: str
    roster_hash: str


def report_hashes(report: Report, form: str) -> ReportHashes:
    """Return the hashes of *report* in a book whose member ids have a *form* (a pattern; empty: any text).

    A player is who the member id says, else who the FIDE number says, else who the name says, as far as every format
    holds it. Colours do not count: some formats have none (docs/decisions/0048-two-reports-are-the-same.md).
    """
    players = {key: identity_of(facts, form) or key for key, facts in report.players.items()}
    played = sorted(
        [
            section.end.isoformat(),
            section.type.value,
            section.online,
            pace_of(section),
            [
                [
                    entry.seat,
                    players[entry.player],
                    [f"{cell.letter}{cell.opponent or ''}" for cell in entry.rounds],
                ]
                for entry in sorted(section.entries, key=attrgetter("seat"))
            ],
        ]
        for section in report.sections
    )
    ends = sorted(section.end.isoformat() for section in report.sections)
    seated = sorted({players[entry.player] for section in report.sections for entry in section.entries})
    return ReportHashes(_hash(played), _hash([ends, seated]))


def section_hashes(report: Report, form: str) -> dict[int, str]:
    """Return the hashes of what was played in the sections of *report*, by number, where all players are known.

    The *form* is that of `report_hashes`.
    """
    played = {section.number: played_in(section, report.players, form) for section in report.sections}
    return {number: _hash(content) for number, content in played.items() if content}


def _hash(content: list[Any]) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


def reseated(old: Report, new: Report) -> set[tuple[int, int]]:
    """Return the seats, by section and number, on which not the same players sit in two versions of a report."""
    players = [
        {
            (section.number, entry.seat, entry.player)
            for section in report.sections
            for entry in section.entries
        }
        for report in (old, new)
    ]
    return {(section, seat) for section, seat, _ in players[0] ^ players[1]}


def pace_of(section: Section) -> str:
    """Return how fast a section was played, the same for every way to write a time control."""
    time_control = parse_time_control(section.time_control or "")
    if isinstance(time_control, Finding):
        return section.time_control or ""
    return " ".join(str(control.total) for control in time_control.of_rounds)


def with_members(
    connection: Connection, report: Report, known: Mapping[str, str] | None = None
) -> tuple[Report, list[Finding]]:
    """Return *report* with its players as the book knows them, and findings about those that it does not know.

    A merged id becomes the id that it was merged into. A player without a member id, or under an id that the book does
    not know, is found by the FIDE id. Names and FIDE ids stay as reported; ratings, birth dates and other facts of
    members are the book's and are left out here; those of a player whom it does not know are kept until it does.
    Opponents in foreign FIDE events need not be members.

    *known* are the `merged_ids` of many reports, if they were asked for together.
    """
    opponents = foreign_opponents(report)
    everyone = merged_ids(connection, report.players) if known is None else known
    member_of = {player: everyone[player] for player in report.players if player in everyone}
    by_fide_id = _found_by_fide_id(connection, report, member_of)
    findings = (
        [finding("member-by-fide-id", Place(subject="players"), count=len(by_fide_id))] if by_fide_id else []
    )
    member_of = {**member_of, **by_fide_id}
    suggestions = Suggestions(connection)
    strangers = report.players.keys() - member_of.keys() - opponents
    form = read_federation(connection).profile.member_id_pattern if strangers else ""
    for player, facts in report.players.items():
        if player in member_of:
            if member_of[player] != player and player not in by_fide_id:
                findings.append(
                    finding("member-merged.rated-under", Place(players=(player,)), known=member_of[player])
                )
        elif player not in opponents:
            findings.append(_unknown(player, facts.name, form, suggestions))
    canonical = {player: member_of.get(player, player) for player in report.players}
    players = {
        canonical[player]: PlayerFacts(
            canonical[player],
            facts.name,
            fide=facts.fide if player in opponents else None,
            fide_id=facts.fide_id,
            **{name: getattr(facts, name) for name in OF_STRANGERS if player in strangers},
        )
        for player, facts in report.players.items()
    }
    prizes = tuple(
        prize._replace(player=canonical.get(prize.player, prize.player)) for prize in report.prizes
    )
    return Report(report.event, players, canonical_sections(report, member_of), prizes), findings


def _found_by_fide_id(connection: Connection, report: Report, member_of: Mapping[str, str]) -> dict[str, str]:
    """Return the members who are meant by players whom the book does not know by their ids, by those ids.

    A FIDE id that two members or two players have leads to no one.
    """
    player_of = {facts.fide_id: player for player, facts in report.players.items() if facts.fide_id}
    times = Counter(facts.fide_id for facts in report.players.values())
    unknown = [
        fide_id for fide_id, player in player_of.items() if times[fide_id] == 1 and player not in member_of
    ]
    return {
        player_of[fide_id]: member
        for fide_id, (member, *others) in members_by_fide_id(connection, unknown).items()
        if not others and member not in member_of.values()
    }


def canonical_sections(report: Report, canonical: Mapping[str, str]) -> tuple[Section, ...]:
    """Return the sections of *report* in the order of seats, with each id as *canonical* has it, if at all."""
    return tuple(
        section._replace(
            entries=tuple(
                entry if player == entry.player else entry._replace(player=player)
                for entry in sorted(section.entries, key=attrgetter("seat"))
                for player in (canonical.get(entry.player, entry.player),)
            )
        )
        for section in report.sections
    )


def _unknown(player: str, name: str, form: str, suggestions: Suggestions) -> Finding:
    corrected = corrected_id(player, re.compile(form)) if form else ""
    nearest = suggestions.of(player, name, corrected)
    offered = " or ".join(f"{member} ({known})" for member, known in nearest)
    text, remedy = "member-unknown.in-report", "correct the id"
    if is_seat_id(player) or (is_placeholder(player) and not player.isdecimal()):
        text, remedy = "member-unknown.without-id", "write the id"
    elif form and not re.fullmatch(form, player):
        text = "member-unknown.wrong-form"
    word = f"Perhaps {offered} is meant; {remedy}" if offered else remedy.capitalize()
    return offering(finding(text, Place(players=(player,)), word=word), nearest)

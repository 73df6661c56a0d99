"""Correcting events: results, ids, dates, names, time controls, sections withdrawn, floor requests, and undoing it.

A correction raises a `BookError` if there is no such event, section, seat, round or letter. A report that waits can be
corrected, too, but not withdrawn; its event is named by its id or by the submission's number.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from ratebook.book.connection import Book, Connection
from ratebook.book.decisions import UNDO, Decision, decide, read_decision
from ratebook.book.events import StoredSection, read_sections, set_withdrawn
from ratebook.book.failures import refused
from ratebook.book.profile import raise_revision, read_federation
from ratebook.book.reports import stored_report
from ratebook.book.submissions import StoredReport, read_submission
from ratebook.findings import Finding, Place, finding
from ratebook.model import MIRROR, POINTS, Cell, Entry, FloorRequest, Report, Section, SectionType
from ratebook.office.decisions.adjustments import follow_prizes, prizes_of_event, undo_adjustment
from ratebook.office.decisions.persons import undo_merge
from ratebook.office.decisions.revision import (
    DecisionResult,
    Reason,
    SectionRef,
    amend,
    decided,
    decision_about,
    mark_section,
    nothing_changes,
    rated_event,
    revise,
    section_of,
    waiting_report,
    with_member,
    with_section,
)
from ratebook.office.queue.submit import waiting_submission
from ratebook.office.rating.standings import MemberStandings, rate_from
from ratebook.rating.decisions import NUMBERS

WITHDRAWALS = ("withdraw-event", "withdraw-section")
_FORFEITS = {"X": "F", "F": "X", "Z": "Z"}


class GameResult(NamedTuple):
    """What a game ended with for a *seat*, in letters of the native report; the opponent's where it does not follow."""

    seat: int
    round: int
    result: str
    opponent_result: str = ""


def correct_result(book: Book, at: SectionRef, game: GameResult, because: Reason) -> DecisionResult:
    """Change the result of a game, from both sides."""
    result = game.result
    for letter in (result, game.opponent_result):
        if letter not in POINTS:
            raise refused(
                "result-unknown",
                Place(subject=f"result {letter}"),
                points=", ".join(letter for letter in POINTS if letter),
            )

    def change(section: Section) -> Section:
        entry = _entry(section, game.seat, at)
        old = _cell(entry, game.round, at)
        changed = {entry.seat: _with_cell(entry, game.round, old._replace(letter=result))}
        if old.opponent is not None and old.opponent != entry.seat:
            opponent = _entry(section, old.opponent, at)
            theirs = _cell(opponent, game.round, at)
            mirrored = game.opponent_result or MIRROR.get(result) or _FORFEITS.get(result)
            if mirrored and theirs.opponent == entry.seat:
                changed[opponent.seat] = _with_cell(opponent, game.round, theirs._replace(letter=mirrored))
        return _with_entries(section, changed)

    return _revised(book, at, _in_section(at, change), because, "correct-result", game._asdict())


def correct_member(book: Book, at: SectionRef, seat: int, member: str, because: Reason) -> DecisionResult:
    """Put another member on a seat: the report had a wrong id."""

    def change(report: Report) -> Report:
        section = section_of(report, at.number)
        _entry(section, seat, at)
        return with_member(report, section, seat, member)

    return _revised(book, at, change, because, "correct-member", {"seat": seat, "member": member})


def correct_dates(
    book: Book, at: SectionRef, start: date | None, end: date, because: Reason
) -> DecisionResult:
    """Change the days of a section, or of the event and all its sections; *start* None keeps the first day.

    The only section of an event has its days.
    """

    def change(section: Section) -> Section:
        return section._replace(start=start or section.start, end=end)

    def change_report(report: Report) -> Report:
        if at.number is not None:
            report = with_section(report, change(section_of(report, at.number)))
            if len(report.sections) > 1:
                return report
        event = report.event._replace(start=start or report.event.start, end=end)
        return report._replace(event=event, sections=tuple(map(change, report.sections)))

    if end.isoformat() > because.actor.at[:10]:
        raise refused("event-not-over.in-future", at.place, end=end)
    details = {"start": None if start is None else start.isoformat(), "end": end.isoformat()}
    return _revised(book, at, change_report, because, "correct-dates", details)


class EventFacts(NamedTuple):
    """What a report says of its event beside the days; what is None stays as it is."""

    name: str | None = None
    city: str | None = None
    state: str | None = None


def correct_event(book: Book, event_id: str, facts: EventFacts, because: Reason) -> DecisionResult:
    """Change the name of an event, or where it was held; no rating follows from them."""
    changed = {name: value for name, value in facts._asdict().items() if value is not None}

    def change(report: Report) -> Report:
        return report._replace(event=report.event._replace(**changed))

    return _revised(book, SectionRef(event_id, None), change, because, "correct-event", changed)


def correct_time_control(book: Book, at: SectionRef, time_control: str, because: Reason) -> DecisionResult:
    """Change the time control of a section, and with it perhaps the systems that rate it."""
    change = _in_section(at, lambda section: section._replace(time_control=time_control))
    return _revised(book, at, change, because, "correct-time-control", {"time_control": time_control})


class SectionFacts(NamedTuple):
    """What a report says of one section beside its results; *start* is None where only the last day is known."""

    name: str
    start: date | None
    end: date
    time_control: str | None
    type: SectionType
    online: bool


def correct_section(book: Book, at: SectionRef, facts: SectionFacts, because: Reason) -> DecisionResult:
    """Change what a report says of a section, and with it perhaps its place in history and the systems that rate it."""
    if facts.end.isoformat() > because.actor.at[:10]:
        raise refused("event-not-over.in-future", at.place, end=facts.end)
    values = facts._asdict()
    details = {
        name: value.isoformat() if isinstance(value, date) else value for name, value in values.items()
    }
    change = _in_section(at, lambda section: section._replace(**values))
    return _revised(book, at, change, because, "correct-section", details)


def answer_floor_request(
    book: Book, at: SectionRef, seat: int, answer: FloorRequest, because: Reason
) -> DecisionResult:
    """Grant or deny the request to lower a floor, which the result of a match must have opened for that player."""

    def change(section: Section) -> Section:
        if section.type is not SectionType.MATCH:
            raise refused("no-match", at.place)
        return _with_entries(section, {seat: _entry(section, seat, at)._replace(floor_request=answer)})

    kind = "grant-floor-request" if answer is FloorRequest.GRANTED else "deny-floor-request"

    def work(connection: Connection) -> DecisionResult:
        decision = decision_about(at, kind, because, {"seat": seat})
        result = revise(connection, at.event_id, _in_section(at, change), decision, because)
        if result.decision is not None and not _opens_request(connection, at, seat):
            raise refused("no-floor-request", at.place.but(seats=(seat,)))
        return result

    return decided(book, because, work)


def _opens_request(connection: Connection, at: SectionRef, seat: int) -> bool:
    """Return whether the result of a match opens a floor request of the player at *seat*, were it not answered."""
    (stored,) = _stored_sections(connection, at)
    entry = _entry(stored.section, seat, at)
    unanswered = stored._replace(
        section=_with_entries(stored.section, {seat: entry._replace(floor_request=None)})
    )
    standings = MemberStandings(read_federation(connection))
    standings.load(connection, stored.members, stored.place)
    return any(
        rated.settlement.request_open[rated.places[entry.player]]
        for inputs in standings.inputs(connection, unanswered)
        if entry.player in (rated := rate_from(unanswered, inputs)).places
    )


def _in_section(at: SectionRef, change: Callable[[Section], Section]) -> Callable[[Report], Report]:
    return lambda report: with_section(report, change(section_of(report, at.number)))


def _revised(  # noqa: PLR0913, PLR0917 - a decision has all of it
    book: Book,
    at: SectionRef,
    change: Callable[[Report], Report],
    because: Reason,
    kind: str,
    details: Mapping[str, object],
) -> DecisionResult:
    def work(connection: Connection) -> DecisionResult:
        waiting = (
            waiting_report(connection, at.event_id)
            if at.submission is None
            else waiting_submission(connection, at.submission)
        )
        if waiting is not None:
            of_event = decision_about(at._replace(event_id=waiting.event_id), kind, because, details)
            amended = amend(connection, waiting, change, of_event, because)
            return amended._replace(findings=(*_replaced(at, waiting), *amended.findings))
        return _revise(connection, at.event_id, change, decision_about(at, kind, because, details), because)

    return decided(book, because, work)


def _replaced(at: SectionRef, waiting: StoredReport) -> Iterator[Finding]:
    """Yield a note where an older version of a report was named than the one that waits."""
    if at.submission is None and at.event_id not in {waiting.event_id, str(waiting.id)}:
        yield finding("report-replaced", Place(submission=int(at.event_id)), newest=waiting.id)


def _revise(
    connection: Connection,
    event_id: str,
    change: Callable[[Report], Report],
    decision: Decision,
    because: Reason,
) -> DecisionResult:
    """Revise a report; floors that its prizes set follow it."""
    before = prizes_of_event(connection, event_id)
    revised = revise(connection, event_id, change, decision, because)
    if revised.decision is None:
        return revised
    return follow_prizes(connection, event_id, before, revised, because)


def withdraw(book: Book, at: SectionRef, because: Reason) -> DecisionResult:
    """Withdraw a section, or an event with all its sections: it stays in the book and is no longer rated."""

    def work(connection: Connection) -> DecisionResult:
        rated_event(connection, at.event_id)
        sections = _stored_sections(connection, at)
        if not sections:
            raise refused("section-unknown.in-book", at.place, event=at.event_id)
        standing = [stored for stored in sections if not stored.withdrawn]
        if not standing:
            raise nothing_changes(at.place)
        kind = "withdraw-event" if at.number is None else "withdraw-section"
        details = {} if at.number else {"sections": [stored.section.number for stored in standing]}
        decision = decision_about(at, kind, because, details)
        return _set_withdrawn(connection, standing, decision, because, withdrawn=True)

    return decided(book, because, work)


def _stored_sections(connection: Connection, at: SectionRef) -> list[StoredSection]:
    """Return the section that is meant, or all of the event; none where there is no such section."""
    sections = read_sections(connection, event_id=at.event_id)
    meant = (stored for stored in sections if at.number in {None, stored.section.number})
    return sorted(meant, key=lambda stored: stored.section.number)


def _set_withdrawn(
    connection: Connection,
    sections: Sequence[StoredSection],
    decision: Decision,
    because: Reason,
    *,
    withdrawn: bool,
) -> DecisionResult:
    event_id = sections[0].event_id
    before = prizes_of_event(connection, event_id)
    number = decide(connection, because.actor, decision)
    for stored in sections:
        set_withdrawn(connection, stored.id, withdrawn=withdrawn)
        mark_section(connection, stored.id, stored.event_id, number, decision.kind, stored.section)
    raise_revision(connection)
    words = ("rated", "withdrawn") if withdrawn else ("withdrawn", "rated")
    changes = [
        f"section {stored.section.number} {stored.section.name}".rstrip() + f": {words[0]} -> {words[1]}"
        for stored in sections
    ]
    result = DecisionResult(number, waits=True, changes=tuple(changes))
    return follow_prizes(connection, event_id, before, result, because)


def undo(book: Book, decision: int, because: Reason) -> DecisionResult:
    """Undo the correction of a report that has no later one, a merge, or a decision about a rating."""

    def work(connection: Connection) -> DecisionResult:
        row = read_decision(connection, decision)
        if row is None:
            raise refused("decision-unknown", Place(decision=decision))
        if row.kind == "merge-members":
            return undo_merge(connection, row, because)
        if row.kind in NUMBERS:
            return undo_adjustment(connection, row, because)
        if row.event_id is None or row.kind in {"accept-warning", "reject-report"}:
            raise refused("decision-not-undone.kind", Place(decision=decision), kind=row.kind)
        if "submission" in row.details:
            raise refused("decision-not-undone.waiting", Place(decision=decision))
        at = SectionRef(row.event_id, row.section_number)
        undone = decision_about(at, UNDO, because, {"decision": decision}, undoes=decision)
        if row.kind in WITHDRAWALS:
            of_decision = row.details.get("sections", [row.section_number])
            assert isinstance(of_decision, list), "as it was written"  # noqa: S101 - tells the type checker
            withdrawn = [
                stored
                for stored in _stored_sections(connection, at)
                if stored.withdrawn and stored.section.number in of_decision
            ]
            if not withdrawn:
                raise refused("decision-undone-already", Place(decision=decision))
            return _set_withdrawn(connection, withdrawn, undone, because, withdrawn=False)
        holds = rated_event(connection, row.event_id)
        if holds.decision_id != decision or holds.revises is None:
            last = holds.decision_id
            later = "no correction of it holds" if last is None else f"its last correction is decision {last}"
            raise refused(
                "decision-not-last.report", Place(decision=decision), later=later, event=row.event_id
            )
        earlier = read_submission(connection, holds.revises)
        assert earlier is not None, "the store keeps the reference"  # noqa: S101 - tells the type checker
        before, _ = stored_report(earlier)
        return _revise(connection, row.event_id, lambda _: before, undone, because)

    return decided(book, because, work)


def _entry(section: Section, seat: int, at: SectionRef) -> Entry:
    for entry in section.entries:
        if entry.seat == seat:
            return entry
    raise refused("seat-unknown.not-in-section", at.place.but(seats=(seat,)), count=len(section.entries))


def _cell(entry: Entry, number: int, at: SectionRef) -> Cell:
    if 1 <= number <= len(entry.rounds):
        return entry.rounds[number - 1]
    raise refused(
        "round-unknown", at.place.but(seats=(entry.seat,), round=number), round_count=len(entry.rounds)
    )


def _with_cell(entry: Entry, number: int, cell: Cell) -> Entry:
    rounds = (*entry.rounds[: number - 1], cell, *entry.rounds[number:])
    return entry._replace(rounds=rounds)


def _with_entries(section: Section, changed: dict[int, Entry]) -> Section:
    return section._replace(entries=tuple(changed.get(entry.seat, entry) for entry in section.entries))

"""What was changed after it was rated, and why: of a member for the office, and of members and events for anyone.

Anyone may read the kind of a decision, never its reason nor who made it: reasons are the office's words and may name
people (WEB section 8).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from ratebook.book.columns import day_of_place
from ratebook.book.connection import Connection
from ratebook.book.decisions import (
    UNDO,
    RecordedDecision,
    decisions_about_event,
    read_decision,
    read_decisions,
    undone_by,
)
from ratebook.book.facts.members import holding_id
from ratebook.book.ledger.changes import (
    RatedAgain,
    ReplacedRow,
    newest_replaced,
    rated_again,
    read_replaced,
    replaced_in,
)
from ratebook.book.ledger.pending import Cause, causes_of, causes_waiting
from ratebook.book.profile import Federation
from ratebook.model import Shown, System
from ratebook.official_lists.contents import shown_rating
from ratebook.pages.columns import Column, Columns, counted, event_title
from ratebook.pages.ratings import current_rating
from ratebook.rating.decisions import NUMBERS
from ratebook.records.events import EventChanges, EventDecision, EventRerating
from ratebook.records.players import PlayerChange, PublicCause
from ratebook.records.system_titles import SYSTEM_TITLES


def _since_then(change: PlayerChange) -> str:
    return shown_rating(change.then) or ("not rated" if change.event else "taken away")


CHANGES: Columns[PlayerChange] = (
    Column("End", "end"),
    Column("Event", "event"),
    Column("Section", "section", "right"),
    Column("System", "system"),
    Column("Was", "was", "right"),
    Column("Until", "until"),
    Column("Since then", _since_then, "right"),
    Column("Because of", lambda change: "; ".join(change.reasons)),
)

MOST_REASONS = 3
MOST_CAUSES = 2
MOST_WAITING = 1_000


def history_changes(
    connection: Connection, federation: Federation, member: str, systems: Sequence[System] = tuple(System)
) -> list[PlayerChange]:
    """Return the ratings of a member that re-ratings or decisions changed, in the order of history, for the office.

    Raises:
        BookError: there is no such member.
    """
    holding = holding_id(connection, member)
    return _changes(
        connection, federation, holding, read_replaced(connection, holding, systems), for_office=True
    )


def _ratings(federation: Federation, row: ReplacedRow) -> tuple[Shown, Shown | None]:
    """Return the ratings before and after a change as they are published."""

    def published(rating: float, games: float | None) -> Shown:
        return current_rating(federation, System(row.system), rating, games, row.end)

    return published(row.was, row.games), None if row.now is None else published(row.now, row.games_now)


def _followed(row: ReplacedRow, member: str, causes: Mapping[int, Sequence[Cause]]) -> list[Cause]:
    """Return what a change followed: what the run settled of its section or the member, else all before its place."""
    before = [cause for cause in causes.get(row.run, ()) if cause.pending.place <= row.place]
    direct = [
        cause
        for cause in before
        if cause.pending.member == member
        or (row.section_id is not None and cause.pending.section == row.section_id)
    ]
    return direct or before


def _moved_by(connection: Connection, row: ReplacedRow) -> RecordedDecision | None:
    """Return the decision because of which a moved rating gave way: the one that gave the next, or undid its own."""
    decision = None if row.decision is None else read_decision(connection, row.decision)
    return decision and (undone_by(connection, decision.id) or decision)


def _decided_by(connection: Connection, causes: Iterable[Cause]) -> dict[int, RecordedDecision]:
    """Return the decisions that *causes* follow from, by their numbers."""
    numbers = (one.pending.decision for one in causes)
    return read_decisions(connection, (one for one in numbers if one is not None))


RATING_DECIDED = "the office decided about a rating"
KIND_WORDS = {
    "correct-result": "a result was corrected",
    "correct-member": "a player was corrected",
    "correct-dates": "the dates were corrected",
    "correct-event": "the name or place of the event was corrected",
    "grant-floor-request": "a request to lower a floor was granted",
    "deny-floor-request": "a request to lower a floor was denied",
    "withdraw-event": "the event was withdrawn",
    "withdraw-section": "a section was withdrawn",
    "correct-facts": "facts about a player were corrected",
    "correct-foreign-rating": "a rating of another federation was corrected",
    "merge-members": "two ids of one player were merged",
    "erase-member": "a player was erased",
    "adopt-rules": "other rules were adopted",
    "change-profile": "the federation changed how it rates",
    "opening-balance": "an opening rating was changed",
    UNDO: "a correction was undone",
    **dict.fromkeys(NUMBERS, RATING_DECIDED),
}
"""What anyone may know of a decision, by its kind, where the kind does not say it: ``correct-time-control`` does."""
_CORRECT = "correct-"
OTHERWISE = "records of the federation were corrected"
ALL_AGAIN = "all ratings were computed again"
_NOT_OF_EVENTS = frozenset({"accept-warning", "reject-report"})
"""Decisions about the report of an event, before it was rated."""


def because_text(change: PlayerChange | EventRerating) -> str:
    """Return why a rating moved, for anyone."""
    return "; ".join(cause.text for cause in change.because)


PUBLIC_CHANGES: Columns[PlayerChange] = (
    Column("Changed", "until"),
    Column("Event", lambda one: "The office" if one.event is None else event_title(one.event_name, one.end)),
    Column("Section", "section", "right"),
    Column("End", "end"),
    Column("System", "system", format=SYSTEM_TITLES.__getitem__),
    Column("Was", "was", "right"),
    Column("Is", lambda one: shown_rating(one.then) or "not rated", "right"),
    Column("Because", because_text),
)


class ChangesPart(NamedTuple):
    """Some changes, the newest first, and the number before which older ones are; None: there are none."""

    lines: tuple[PlayerChange, ...]
    older: int | None


def changes_page(
    connection: Connection, federation: Federation, member: str, *, before: int | None = None, most: int
) -> ChangesPart:
    """Return the ratings of a member that were changed after they were first given, the newest changes first.

    Changes that whole numbers do not show are left out.
    """
    part = newest_replaced(connection, member, before=before, most=most)
    return ChangesPart(_in_public(connection, federation, member, part.rows), part.older)


def changes_of_section(
    connection: Connection, federation: Federation, member: str, event_id: str, number: int
) -> tuple[PlayerChange, ...]:
    """Return the former ratings of a member after a section, in the order in which they held."""
    rows = replaced_in(connection, member, event_id, number)
    return _in_public(connection, federation, member, rows)


def _in_public(
    connection: Connection, federation: Federation, member: str, rows: Sequence[ReplacedRow]
) -> tuple[PlayerChange, ...]:
    changes = _changes(connection, federation, member, rows, for_office=False)
    return tuple(change for change in changes if change.was != change.then)


def _changes(
    connection: Connection,
    federation: Federation,
    member: str,
    rows: Sequence[ReplacedRow],
    *,
    for_office: bool,
) -> list[PlayerChange]:
    """Return what became of the ratings of a member, and why; reasons, which may name people, are for the office."""
    causes = causes_of(connection, {row.run for row in rows}, member=member)
    decisions = _decided_by(connection, (cause for of_run in causes.values() for cause in of_run))
    changes = []
    for row in rows:
        was, then = _ratings(federation, row)
        followed = _followed(row, member, causes)
        moved = None if followed else _moved_by(connection, row)
        all_again = PublicCause(words=ALL_AGAIN if moved is None else kind_words(moved.kind))
        changes.append(
            PlayerChange(
                event=row.event_id,
                event_name=row.event_name,
                section=row.section,
                end=row.end,
                system=System(row.system),
                was=was,
                then=then,
                until=day_of(row.run_at),
                run_at=row.run_at,
                run=row.run,
                because=_public_causes(followed, decisions, row.event_id) or (all_again,),
                reasons=tuple(_reasons(row, followed, moved, decisions)) if for_office else (),
            )
        )
    return changes


def _reasons(
    row: ReplacedRow,
    followed: Iterable[Cause],
    moved: RecordedDecision | None,
    decisions: Mapping[int, RecordedDecision],
) -> Iterator[str]:
    """Yield why a run replaced a rating, for the office."""
    pending = (cause.pending for cause in followed)
    reasons = list({mark.reason: mark.decision for mark in pending}.items())
    for reason, number in reasons[:MOST_REASONS]:
        decision = decisions.get(number or 0)
        yield f"{reason} ({decision.reason})" if decision else reason
    if len(reasons) > MOST_REASONS:
        yield f"and {len(reasons) - MOST_REASONS} more"
    if reasons:
        return
    if moved is None:
        yield f"run {row.run}, which rated all again"
    else:
        yield f"decision {moved.id} ({moved.reason})"


def _public_causes(
    causes: Iterable[Cause], decisions: Mapping[int, RecordedDecision], page_event: str | None
) -> tuple[PublicCause, ...]:
    """Return causes for anyone, a few at most; an event is named where it is not *page_event*, whose page it is."""
    public: dict[PublicCause, None] = {}
    for cause in causes:
        event, name = (cause.event_id, cause.event_name) if cause.event_id != page_event else (None, None)
        decision = decisions.get(cause.pending.decision or 0)
        if decision is not None:
            words = kind_words(decision.kind)
        elif cause.pending.late_event is not None:
            words = "games were rated late"
        else:
            words = OTHERWISE
        public[PublicCause(words=words, event=event, event_name=name)] = None
        if len(public) > MOST_CAUSES:
            return (*list(public)[:MOST_CAUSES], PublicCause(words="and more"))
    return tuple(public)


def kind_words(kind: str) -> str:
    """Return what anyone may know of a decision of a kind.

    >>> kind_words("correct-time-control"), kind_words("of a later version") == OTHERWISE
    ('the time control was corrected', True)
    """
    if kind in KIND_WORDS:
        return KIND_WORDS[kind]
    if kind.startswith(_CORRECT):
        return f"the {kind.removeprefix(_CORRECT).replace('-', ' ')} was corrected"
    return OTHERWISE


def day_of(moment: str) -> str:
    """Return the day of a moment.

    >>> day_of("2026-11-20T12:00:00Z")
    '2026-11-20'
    """
    return moment.partition("T")[0]


class Waiting(NamedTuple):
    """What waits for a re-rating: whether it is about the player, and what was decided."""

    direct: bool
    because: tuple[PublicCause, ...]


def what_waits(connection: Connection, member: str, last: date | None) -> Waiting | None:
    """Return what waits and may change the ratings of a member, whose *last* section ended on a day; None: nothing."""
    causes = causes_waiting(connection, member)
    direct = [cause for cause in causes if cause.direct]
    waiting = direct or [
        cause
        for cause in causes
        if last is not None and day_of_place(cause.pending.place) <= last.isoformat()
    ]
    if not waiting:
        return None
    decisions = _decided_by(connection, waiting)
    return Waiting(bool(direct), _public_causes(waiting, decisions, None))


EVENT_DECISIONS: Columns[EventDecision] = (
    Column("Day", "day"),
    Column("Section", lambda one: "all" if one.section is None else str(one.section), "right"),
    Column("Decision", "words"),
)


def _moved_words(rerating: EventRerating) -> str:
    words = []
    if rerating.moved:
        most = "by up to" if rerating.moved > 1 else "by"
        words.append(f"{counted(rerating.moved, 'rating')} {most} {counted(rerating.largest, 'point')}")
    if rerating.gone:
        words.append(f"{counted(rerating.gone, 'rating')} taken away")
    return ", ".join(words)


EVENT_RERATINGS: Columns[EventRerating] = (
    Column("Day", "day"),
    Column("Section", "section", "right"),
    Column("System", "system", format=SYSTEM_TITLES.__getitem__),
    Column("What moved", _moved_words),
    Column("Because", because_text),
)


def event_changes(connection: Connection, event_id: str, *, most: int) -> EventChanges:
    """Return the decisions about an event and what re-ratings changed in it; changes below a point are left out."""
    about = [
        one
        for one in decisions_about_event(connection, event_id, most=most)
        if one.kind not in _NOT_OF_EVENTS and "submission" not in one.details
    ]
    reratings = rated_again(connection, event_id, most=most)
    causes = causes_of(connection, {one.run for one in reratings})
    decisions = _decided_by(connection, (cause for of_run in causes.values() for cause in of_run))
    return EventChanges(
        decisions=tuple(
            EventDecision(day=day_of(one.decided_at), words=kind_words(one.kind), section=one.section_number)
            for one in about
        ),
        reratings=tuple(
            _rerating(one, event_id, causes.get(one.run, ()), decisions)
            for one in reratings
            if one.moved or one.gone
        ),
        waits=any(
            cause.event_id == event_id and cause.pending.late_event is None
            for cause in causes_waiting(connection, most=MOST_WAITING)
        ),
    )


def _rerating(
    rated: RatedAgain, event_id: str, causes: Sequence[Cause], decisions: Mapping[int, RecordedDecision]
) -> EventRerating:
    before = [each for each in causes if each.pending.place <= rated.place]
    own = [each for each in before if each.pending.section == rated.section_id]
    return EventRerating(
        day=day_of(rated.run_at),
        section=rated.section,
        system=rated.system,
        moved=rated.moved,
        largest=int(rated.largest),
        gone=rated.gone,
        because=_public_causes(own or before, decisions, event_id) or (PublicCause(words=ALL_AGAIN),),
    )

"""Trying decisions, ratings and re-ratings: what each would do, computed as if it were kept, and taken back."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from ratebook.book.columns import END_OF_HISTORY
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.events import count_sections
from ratebook.book.facts.members import names_of
from ratebook.book.ledger.careers import all_titles
from ratebook.book.ledger.pending import Pending, read_pending
from ratebook.book.ledger.read import load_standings
from ratebook.book.profile import read_federation, revision
from ratebook.book.submissions import Status, accept_findings, open_findings, status_of
from ratebook.findings import ALL
from ratebook.model import System
from ratebook.office import Progress, no_progress
from ratebook.office.decisions.revision import DecisionResult
from ratebook.office.queue.submit import settle_status
from ratebook.office.rating.difference import LARGEST_SHOWN, NOTHING, Difference
from ratebook.office.rating.rate_queue import RatedQueue, rate_ready
from ratebook.office.rating.rerate import KeptRerating, rerate
from ratebook.pages.event import section_tables
from ratebook.pages.ratings import floor_in_force
from ratebook.records.events import Crosstable


class DecisionTrial(NamedTuple):
    """What a decision would do from one revision of the book to another, and what would wait because of it.

    *rerated* is what a re-rating would change; None where too much follows, or something else waits already.
    """

    revision: int
    decided: int
    result: DecisionResult
    marked: tuple[Pending, ...]
    rerated: "Rerated | None" = None


SECTIONS_TRIED = 20
"""With more sections from the first one that waits to the end of history, a re-rating is no matter of a moment."""


def try_decision(
    book: Book, actor: Actor, decide: Callable[[Book], DecisionResult], most: int = SECTIONS_TRIED
) -> DecisionTrial:
    """Return what a decision would do, and what the re-rating after it would, where that is quick.

    It is where history has no more than *most* sections from there on, and nothing else waits.
    """
    trial = book.sibling()
    with trial.trying():
        with trial.reading() as connection:
            seen, before = revision(connection), Counter(read_pending(connection))
        result = decide(trial)
        with trial.reading() as connection:
            decided = revision(connection)
            new = tuple((Counter(read_pending(connection)) - before).elements())
            first = min((mark.place for mark in new), default=END_OF_HISTORY)
            is_quick = bool(new) and not before and count_sections(connection, first) <= most
        if not is_quick:
            return DecisionTrial(seen, decided, result, new)
        difference = rerate(trial, actor)
        with trial.reading() as connection:
            return DecisionTrial(seen, decided, result, new, rerated(connection, seen, difference))


class RatingTrial(NamedTuple):
    """What rating some reports would do, from a revision of the book on, with the crosstables to be shown."""

    revision: int
    rated: RatedQueue
    tables: tuple[Crosstable, ...]


def try_rating(book: Book, numbers: Iterable[int], actor: Actor, before: str = END_OF_HISTORY) -> RatingTrial:
    """Return what rating these submissions *before* a place would do, as if warnings that hold them were accepted."""
    trial, only = book.sibling(), frozenset(numbers)
    with trial.trying():
        with trial.writing() as connection:
            seen = revision(connection)
            for number in only:
                errors, warnings = open_findings(connection, number)
                if status_of(connection, number) is Status.HELD and warnings and not errors:
                    accept_findings(connection, number, [ALL], actor)
                    settle_status(connection, number)
        rated = rate_ready(trial, actor, only=only, before=before)
        with trial.reading() as connection:
            federation = read_federation(connection)
            tables = [
                table
                for section in rated.posted
                for table in section_tables(connection, federation, section.event_id, section.number)
            ]
    return RatingTrial(seen, rated, tuple(tables))


class TitleChange(NamedTuple):
    """A title that a member gains or loses."""

    member: str
    title: str
    gained: bool


class FloorChange(NamedTuple):
    """A floor that differs, in rating points."""

    member: str
    system: System
    before: float
    after: float


class Rerated(NamedTuple):
    """What a re-rating changed, or would, from a revision of the book; the difference has the largest changes alone.

    *names* are those of all members that are named here, by id; so many *ratings* of *members* changed in all.
    """

    revision: int
    difference: Difference
    ratings: int
    members: int
    titles: tuple[TitleChange, ...] = ()
    floors: tuple[FloorChange, ...] = ()
    names: dict[str, str] = {}  # noqa: RUF012 - never changed


def try_rerating(
    book: Book, actor: Actor, on: date, progress: Progress = no_progress, preview: KeptRerating | None = None
) -> Rerated:
    """Return what rating again whatever waits would change, kept in *preview*; floors are by the rules of a day."""
    trial = book.sibling()
    with trial.trying():
        with trial.reading() as connection:
            seen = revision(connection)
            titles = all_titles(connection)
            waits = bool(read_pending(connection))
        # With nothing to do, the re-rating would end the transaction of the trial.
        difference = rerate(trial, actor, progress=progress, preview=preview) if waits else NOTHING
        moved = sorted({change.member for change in difference.changes})
        # No one else can write meanwhile, so that this sees the book from which the trial started.
        with book.reading() as connection:
            before = _floors(connection, moved, on)
        with trial.reading() as connection:
            floors = tuple(
                FloorChange(member, system, before[member, system], after)
                for (member, system), after in _floors(connection, moved, on).items()
                if before.get((member, system), after) != after
            )
            gained = tuple(_title_changes(titles, all_titles(connection)))
            result = rerated(connection, seen, difference)
            named = {
                *result.names,
                *(change.member for change in gained),
                *(change.member for change in floors),
            }
            return result._replace(titles=gained, floors=floors, names=names_of(connection, sorted(named)))


def rerated(connection: Connection, seen: int, difference: Difference) -> Rerated:
    """Return what is kept of the difference that a re-rating made."""
    largest = difference.changes[:LARGEST_SHOWN]
    return Rerated(
        revision=seen,
        difference=difference._replace(changes=largest),
        ratings=len(difference.changes),
        members=len({change.member for change in difference.changes}),
        names=names_of(connection, sorted({change.member for change in largest})),
    )


def _floors(connection: Connection, members: list[str], on: date) -> dict[tuple[str, System], float]:
    federation = read_federation(connection)
    return {
        (member, system): floor_in_force(federation, system, standing, on)
        for member, systems in load_standings(connection, members, END_OF_HISTORY).items()
        for system, standing in systems.items()
    }


def _title_changes(
    before: Mapping[str, Mapping[str, date]], after: Mapping[str, Mapping[str, date]]
) -> Iterator[TitleChange]:
    for member in sorted(before.keys() | after.keys()):
        had, has = before.get(member, {}), after.get(member, {})
        for title in sorted(had.keys() ^ has.keys()):
            yield TitleChange(member, title, title in has)

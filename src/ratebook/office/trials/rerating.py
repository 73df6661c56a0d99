"""Trying a re-rating: what it would change in ratings, titles and floors, while the book stays as it is."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.facts.members import names_of
from ratebook.book.ledger.careers import all_titles
from ratebook.book.ledger.pending import read_pending
from ratebook.book.ledger.read import load_standings
from ratebook.book.profile import read_federation, revision
from ratebook.model import System
from ratebook.office.progress import Progress, no_progress
from ratebook.office.rating.difference import LARGEST_SHOWN, NOTHING, Difference
from ratebook.office.rating.rerate import rerate
from ratebook.pages.member import END_OF_HISTORY
from ratebook.pages.ratings import floor_in_force


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
    """What a re-rating changed, or would change.

    Attributes:
        revision: of the book from which it started.
        difference: with the largest changes alone; *ratings* of *members* changed in all.
        names: of all members that are named here, by id.
    """

    revision: int
    difference: Difference
    ratings: int
    members: int
    titles: tuple[TitleChange, ...] = ()
    floors: tuple[FloorChange, ...] = ()
    names: dict[str, str] = {}  # noqa: RUF012 - never changed


def try_rerating(book: Book, actor: Actor, on: date, progress: Progress = no_progress) -> Rerated:
    """Return what rating again whatever waits would change; floors are by the rules of the day *on*."""
    trial = book.sibling()
    with trial.trying():
        with trial.reading() as connection:
            seen = revision(connection)
            titles = all_titles(connection)
            waits = bool(read_pending(connection))
        # With nothing to do, the re-rating would end the transaction of the trial.
        difference = rerate(trial, actor, progress=progress) if waits else NOTHING
        moved = sorted({change.member for change in difference.changes})
        # No one else can write meanwhile, so that this sees the book from which the trial started.
        with book.reading() as connection:
            before = _floors(connection, moved, on)
        with trial.reading() as connection:
            floors = tuple(_floor_changes(before, _floors(connection, moved, on)))
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
        seen,
        difference._replace(changes=largest),
        len(difference.changes),
        len({one.member for one in difference.changes}),
        names=names_of(connection, sorted({one.member for one in largest})),
    )


def _floors(connection: Connection, members: list[str], on: date) -> dict[tuple[str, System], float]:
    federation = read_federation(connection)
    return {
        (member, system): floor_in_force(federation, system, standing, on)
        for member, systems in load_standings(connection, members, END_OF_HISTORY).items()
        for system, standing in systems.items()
    }


def _floor_changes(
    before: Mapping[tuple[str, System], float], after: Mapping[tuple[str, System], float]
) -> Iterator[FloorChange]:
    for (member, system), floor in after.items():
        was = before.get((member, system), floor)
        if was != floor:
            yield FloorChange(member, system, was, floor)


def _title_changes(
    before: Mapping[str, Mapping[str, date]], after: Mapping[str, Mapping[str, date]]
) -> Iterator[TitleChange]:
    for member in sorted(before.keys() | after.keys()):
        had, has = before.get(member, {}), after.get(member, {})
        for title in sorted(had.keys() ^ has.keys()):
            yield TitleChange(member, title, title in has)

"""A member: the page with the current ratings, titles and norms, and the history of rated sections."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.decisions import read_decision, undone_by
from ratebook.book.facts.member_files import read_balances
from ratebook.book.facts.members import FoundMember, MemberQuestion, earlier_ids, find_members, holding_id
from ratebook.book.ledger.careers import EarnedNorm, EarnedTitle, earned_norms, earned_titles
from ratebook.book.ledger.history import (
    HistoryRow,
    ReplacedRow,
    read_history,
    read_newest,
    read_replaced,
    sections_played,
)
from ratebook.book.ledger.moved_ratings import ADJUSTED, RAISED
from ratebook.book.ledger.official import official_rating
from ratebook.book.ledger.pending import Pending, settled_by
from ratebook.book.ledger.read import load_standings
from ratebook.book.profile import Federation
from ratebook.model import System
from ratebook.official_lists.contents import shown_rating
from ratebook.pages.columns import Column, Columns
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.pages.ratings import UNRATED, current_text
from ratebook.titles.classes import rating_class
from ratebook.titles.title_rules import title_rules

END_OF_HISTORY = "\uffff"
"""Sorts after every place."""


FOUND: Columns[FoundMember] = (
    Column("ID", "id"),
    Column("Title", "title"),
    Column("Name", "name"),
    Column("State", "state"),
    Column("Federation", "federation"),
    Column("Club", "club"),
    Column("FIDE ID", "fide_id"),
)

TITLES: Columns[EarnedTitle] = (
    Column(
        "Title",
        lambda one: next((kind.name for kind in title_rules().titles if kind.code == one.title), one.title),
    ),
    Column("Earned", "earned"),
)

NORMS: Columns[EarnedNorm] = (
    Column("Level", "level", "right"),
    Column("Event", "event_id"),
    Column("Section", "section", "right"),
    Column("End", "end", "right"),
    Column("Score", "score", "right"),
    Column("Expected", lambda one: f"{one.expected:.2f}", "right"),
)


class CurrentRating(NamedTuple):
    """A member's rating in one system, in full precision and as people write it, with its official rating.

    Attributes:
        rating_class: name of the rating's class.
        official: as the official list in effect shows it; empty where it is not in it.
        as_of: end of the last section rated, or day of the opening balance.
    """

    system: System
    rating: float
    shown: str
    rating_class: str
    official: str
    as_of: date


RATINGS: Columns[CurrentRating] = (
    Column("System", lambda one: SYSTEM_TITLES[one.system]),
    Column("Rating", "shown", "right"),
    Column("Class", "rating_class"),
    Column("Official", lambda one: one.official or "-", "right"),
    Column("As of", "as_of", "right"),
)


class MemberPage(NamedTuple):
    """What anyone may know of a member."""

    id: str
    name: str
    state: str
    club: str
    federation: str
    title: str
    fide_id: str
    earlier_ids: tuple[str, ...]
    ratings: tuple[CurrentRating, ...]
    titles: tuple[EarnedTitle, ...]
    norms: tuple[EarnedNorm, ...]
    sections_played: int


class HistoryLine(NamedTuple):
    """One rated section of a member in one system, or a rating that a decision *moved*: adjusted or raised.

    *change* is None where there was no rating before.
    """

    end: date
    event_id: str | None
    event_name: str | None
    section: int | None
    section_name: str | None
    system: System
    before: str
    after: str
    rating: float
    rating_class: str
    change: float | None
    score: float
    games: int
    at_floor: bool
    moved: str


MOVED_WORDS = {ADJUSTED: "adjusted", RAISED: "raised to the floor"}

HISTORY: Columns[HistoryLine] = (
    Column("End", "end"),
    Column("Event", "event_id"),
    Column("Section", "section", "right"),
    Column("Name", "event_name"),
    Column("System", "system"),
    Column("Before", "before", "right"),
    Column("After", "after", "right"),
    Column("Change", lambda one: "" if one.change is None else f"{one.change:+.2f}", "right"),
    Column("Class", "rating_class"),
    Column("Score", "score", "right"),
    Column("Games", "games", "right"),
    Column("Note", lambda one: MOVED_WORDS.get(one.moved, "floor" if one.at_floor else "")),
)


def member_page(connection: Connection, federation: Federation, member: str, on: date) -> MemberPage:
    """Return what anyone may know of a member; *on* chooses the official list.

    Raises:
        BookError: there is no such member.
    """
    holding = holding_id(connection, member)
    (person,), _ = find_members(connection, MemberQuestion(holding))
    return MemberPage(
        **person._asdict(),
        earlier_ids=earlier_ids(connection, holding),
        ratings=tuple(current_ratings(connection, federation, holding, on)),
        titles=earned_titles(connection, holding),
        norms=earned_norms(connection, holding),
        sections_played=sections_played(connection, holding),
    )


def current_ratings(
    connection: Connection, federation: Federation, member: str, on: date
) -> list[CurrentRating]:
    """Return a member's ratings after everything that is rated, by system; *on* chooses the official list."""
    standings = load_standings(connection, [member], END_OF_HISTORY)[member]
    balances = read_balances(connection, member)
    found = []
    for system in System:
        standing, balance = standings.get(system), balances.get(system)
        if standing is not None:
            rating, as_of = standing.rating, standing.end
        elif balance is not None:
            rating, as_of = balance.rating, balance.as_of
        else:
            continue
        official = official_rating(connection, federation, member, system, on)
        shown = current_text(federation, system, rating.rating, rating.games, as_of)
        found.append(
            CurrentRating(
                system, rating.rating, shown, rating_class(rating.rating).name, shown_rating(official), as_of
            )
        )
    return found


class HistoryChange(NamedTuple):
    """A rating as it was *until* a moment, and as a re-rating or a decision left it; None: it is no more.

    Attributes:
        event_id: the event after which it was the rating; None where a decision moved it.
        run: the number of the re-rating.
        because: what it followed, in words: decisions with their reasons, late reports.
    """

    event_id: str | None
    event_name: str | None
    section: int | None
    end: date
    system: System
    was: str
    until: str
    then: str | None
    run: int
    because: tuple[str, ...]


CHANGES: Columns[HistoryChange] = (
    Column("End", "end"),
    Column("Event", "event_id"),
    Column("Section", "section", "right"),
    Column("System", "system"),
    Column("Was", "was", "right"),
    Column("Until", lambda one: one.until[: len("2026-11-20")]),
    Column("Since then", lambda one: one.then or ("not rated" if one.event_id else "taken away"), "right"),
    Column("Because of", lambda one: "; ".join(one.because)),
)

_DECISION = re.compile(r"decision ([0-9]+)")
MOST_REASONS = 3


def history_changes(
    connection: Connection, federation: Federation, member: str, systems: Sequence[System] = tuple(System)
) -> list[HistoryChange]:
    """Return the ratings of a member that re-ratings or decisions changed, in the order of history, and why.

    Raises:
        BookError: there is no such member.
    """
    holding = holding_id(connection, member)
    rows = read_replaced(connection, holding, systems)
    settled = settled_by(connection, {row.run for row in rows})
    changes = []
    for row in rows:
        system = System(row.system)
        then = None if row.now is None else current_text(federation, system, row.now, row.games_now, row.end)
        changes.append(
            HistoryChange(
                row.event_id,
                row.event_name,
                row.section,
                row.end,
                system,
                was=current_text(federation, system, row.was, row.games, row.end),
                until=row.run_at,
                then=then,
                run=row.run,
                because=tuple(_reasons(connection, row, holding, settled.get(row.run, []))),
            )
        )
    return changes


def _reasons(
    connection: Connection, row: ReplacedRow, member: str, settled: Sequence[Pending]
) -> Iterator[str]:
    """Yield why a run replaced a rating: what it settled of the section or the member, else all before the section."""
    before = [one for one in settled if one.place <= row.place]
    direct = [one for one in before if one.section == row.section_id or one.member == member]
    reasons = list(dict.fromkeys(one.reason for one in direct or before))
    for reason in reasons[:MOST_REASONS]:
        named = _DECISION.match(reason)
        decision = read_decision(connection, int(named[1])) if named else None
        yield f"{reason} ({decision.reason})" if decision else reason
    if len(reasons) > MOST_REASONS:
        yield f"and {len(reasons) - MOST_REASONS} more"
    if reasons:
        return
    decision = None if row.decision is None else read_decision(connection, row.decision)
    if decision is not None:
        decision = undone_by(connection, decision.id) or decision
        yield f"decision {decision.id} ({decision.reason})"
    else:
        yield f"run {row.run}, which rated all again"


def history(
    connection: Connection, federation: Federation, member: str, systems: Sequence[System] = tuple(System)
) -> list[HistoryLine]:
    """Return the rated sections and moved ratings of a member, in the order of history.

    Raises:
        BookError: there is no such member.
    """
    rows = read_history(connection, holding_id(connection, member), systems)
    return [_line(federation, row) for row in rows]


class HistoryPage(NamedTuple):
    """Some rated sections of a member, the newest first, and the place before which older ones are; empty: none are."""

    lines: tuple[HistoryLine, ...]
    older: str


def history_page(  # noqa: PLR0913 - which part of whose history
    connection: Connection,
    federation: Federation,
    member: str,
    systems: Sequence[System] = tuple(System),
    *,
    before: str = END_OF_HISTORY,
    most: int,
) -> HistoryPage:
    """Return the newest rated sections of a member before a place."""
    found = read_newest(connection, member, systems, before=before, most=most)
    return HistoryPage(tuple(_line(federation, row) for row in found.rows), found.older)


def _line(federation: Federation, row: HistoryRow) -> HistoryLine:
    system = System(row.system)
    was_rated = row.source == "rated"
    before = current_text(federation, system, row.rating_before, row.games_before, row.end)
    return HistoryLine(
        *row[:5],
        system=system,
        before=before if was_rated else UNRATED,
        after=current_text(federation, system, row.rating, row.games, row.end),
        rating=row.rating,
        rating_class=rating_class(row.rating).name,
        change=row.rating - row.rating_before if was_rated else None,
        score=row.score,
        games=row.played,
        at_floor=row.floor_applied is not None,
        moved=row.formula if row.formula in MOVED_WORDS else "",
    )

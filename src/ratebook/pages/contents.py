"""Typed contents of the pages that a book shows to everybody: members, histories, events, crosstables, rankings.

None of these has a field for a birth date, nor for an initial rating, from which an age could be read (ARCHITECTURE,
invariant 6): where a rating before the section is none of a list, there is a word instead of a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ratebook.pages.columns import Column, Columns, rounds_of
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.titles.title_rules import title_rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from ratebook.model import System

UNRATED = "unrated"
"""Stands where a player had no rating before a section, or still has none after it."""


class CurrentRating(NamedTuple):
    """A member's rating in one system.

    Attributes:
        system: the system.
        rating: full precision.
        shown: as people write it, with its games while it is provisional.
        official: as the official list in effect shows it; empty where it is not in it.
        as_of: end of the last section rated, or day of the opening balance.
    """

    system: System
    rating: float
    shown: str
    official: str
    as_of: date


RATINGS: Columns[CurrentRating] = (
    Column("System", lambda one: SYSTEM_TITLES[one.system]),
    Column("Rating", "shown", "right"),
    Column("Official", lambda one: one.official or "-", "right"),
    Column("As of", "as_of", "right"),
)


class TitleLine(NamedTuple):
    """A title and the day on which it was earned."""

    title: str
    earned: date


TITLES: Columns[TitleLine] = (
    Column(
        "Title",
        lambda one: next((kind.name for kind in title_rules().titles if kind.code == one.title), one.title),
    ),
    Column("Earned", "earned"),
)


class NormLine(NamedTuple):
    """A norm: level, section, score and what was expected."""

    level: int
    event_id: str
    section: int
    end: date
    score: float
    expected: float


NORMS: Columns[NormLine] = (
    Column("Level", "level", "right"),
    Column("Event", "event_id"),
    Column("Section", "section", "right"),
    Column("End", "end", "right"),
    Column("Score", "score", "right"),
    Column("Expected", lambda one: f"{one.expected:.2f}", "right"),
)


class MemberPage(NamedTuple):
    """What everybody may know of a member."""

    id: str
    name: str
    state: str
    earlier_ids: tuple[str, ...]
    ratings: tuple[CurrentRating, ...]
    titles: tuple[TitleLine, ...]
    norms: tuple[NormLine, ...]
    sections_played: int


class HistoryLine(NamedTuple):
    """One rated section of a member in one system; *change* is None where there was no rating before."""

    event_id: str
    event_name: str
    section: int
    section_name: str
    end: date
    system: System
    before: str
    after: str
    rating: float
    change: float | None
    score: float
    games: int
    at_floor: bool


HISTORY: Columns[HistoryLine] = (
    Column("End", "end"),
    Column("Event", "event_id"),
    Column("Section", "section", "right"),
    Column("Name", "event_name"),
    Column("System", "system"),
    Column("Before", "before", "right"),
    Column("After", "after", "right"),
    Column("Change", lambda one: "" if one.change is None else f"{one.change:+.2f}", "right"),
    Column("Score", "score", "right"),
    Column("Games", "games", "right"),
    Column("Note", lambda one: "floor" if one.at_floor else ""),
)


class SectionLine(NamedTuple):
    """A section in the list of its event."""

    number: int
    name: str
    end: date
    time_control: str
    type: str
    systems: tuple[System, ...]
    players: int
    withdrawn: bool


SECTIONS: Columns[SectionLine] = (
    Column("Section", "number", "right"),
    Column("Name", "name"),
    Column("End", "end"),
    Column("Time control", "time_control"),
    Column("Type", "type"),
    Column("Systems", "systems"),
    Column("Players", "players", "right"),
    Column("Note", lambda one: "withdrawn" if one.withdrawn else ""),
)


class EventPage(NamedTuple):
    """An event with its sections."""

    id: str
    name: str
    start: date | None
    end: date | None
    place: str
    affiliate: str
    chief_td: str
    sections: tuple[SectionLine, ...]


class ResultLine(NamedTuple):
    """One seat of a crosstable."""

    seat: int
    member: str
    name: str
    before: str
    after: str
    points: float
    rounds: tuple[str, ...]


class SectionTable(NamedTuple):
    """The crosstable of a section in one system, in order of points, then of the rating after, then of seats."""

    event_id: str
    event_name: str
    section: int
    section_name: str
    end: date
    system: System
    lines: tuple[ResultLine, ...]


def result_columns(lines: Sequence[ResultLine]) -> Columns[ResultLine]:
    """Return the columns of a crosstable, with one for each round."""
    return (
        Column("Seat", "seat", "right"),
        Column("ID", "member"),
        Column("Name", "name"),
        Column("Before", "before", "right"),
        Column("After", "after", "right"),
        Column("Pts", "points", "right"),
        *rounds_of(lines, lambda line: line.rounds),
    )


class RankingLine(NamedTuple):
    """One place of a ranking; equal ratings share a rank."""

    rank: int
    member: str
    name: str
    state: str
    rating: float
    shown: str


RANKING: Columns[RankingLine] = (
    Column("Rank", "rank", "right"),
    Column("ID", "member"),
    Column("Name", "name"),
    Column("State", "state"),
    Column("Rating", "shown", "right"),
)


class FoundMember(NamedTuple):
    """A member found by a part of the name."""

    id: str
    name: str
    state: str


FOUND: Columns[FoundMember] = (Column("ID", "id"), Column("Name", "name"), Column("State", "state"))

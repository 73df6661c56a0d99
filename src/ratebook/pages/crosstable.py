"""The crosstable of a rated section: what a page or a terminal shows, as typed text cells."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ratebook.model import Cell, Entry, Event, InitialRating, Report, Section, Shown
from ratebook.official_lists.contents import as_shown, shown_rating
from ratebook.pages.columns import Column, Columns, rounds_of
from ratebook.rating.explanation.notes import depends_on_age
from ratebook.rating.formulas import rounded
from ratebook.rating.results import After, Before, RatedEntry, RatedSection

SYSTEM_TITLES = {
    "regular": "OTB Regular",
    "quick": "OTB Quick",
    "blitz": "OTB Blitz",
    "online-regular": "Online Regular",
    "online-quick": "Online Quick",
    "online-blitz": "Online Blitz",
}


UNRATED = "unrated"
"""Shown for a player who had no rating before a section, or still has none after it."""
NOT_SHOWN = "not shown"
"""Shown for a rating that would tell an age."""


class CrosstableFigures(Protocol):
    """What the lines of all crosstables have, a report's and a book's."""

    @property
    def seat(self) -> int:
        """Pairing number."""

    @property
    def before(self) -> Shown | InitialRating | None:
        """Rating before; None where there was none, or none may be shown."""

    @property
    def after(self) -> Shown | None:
        """Rating after; None where there is none, or it may not be shown."""

    @property
    def rounds(self) -> tuple[str, ...]:
        """Results, as letter and opponent's seat."""


class CrosstableRow(NamedTuple):
    """One line; the rating after is *withheld* where it would tell an age."""

    seat: int
    name: str
    before: Shown | InitialRating | None
    after: Shown | None
    points: float
    rounds: tuple[str, ...]
    withheld: bool = False


class OfficeCrosstable(NamedTuple):
    """One section in one system, in order of points, then of the rating after.

    The office's and the director's own view, never part of a public page: it may show initial ratings from which an age
    could be read (`crosstable`).
    """

    event: str
    section: int
    section_name: str
    system: str
    rows: tuple[CrosstableRow, ...]


def crosstable_columns(rows: Sequence[CrosstableRow]) -> Columns[CrosstableRow]:
    """Return the columns of a crosstable, with one for each round."""
    return (
        Column("Seat", "seat", "right"),
        Column("Name", "name"),
        Column("Before", before_text, "right"),
        Column("After", lambda row: NOT_SHOWN if row.withheld else after_text(row), "right"),
        Column("Pts", "points", "right"),
        *rounds_of(rows, lambda row: row.rounds),
    )


def reported_columns(report: Report, section: Section) -> Columns[Entry]:
    """Return the columns of a section as it was reported, with one for each round."""
    return (
        Column("Seat", "seat", "right"),
        Column("ID", "player"),
        Column("Name", lambda entry: report.players[entry.player].name),
        Column("Pts", lambda entry: f"{points_of(entry):g}", "right"),
        *rounds_of(section.entries, lambda entry: tuple(map(cell_text, entry.rounds))),
    )


def before_text(row: CrosstableFigures) -> str:
    """Return the rating before; an initial rating is marked, since no list shows it."""
    before = row.before
    return initial_text(before) if isinstance(before, InitialRating) else rating_text(before)


def after_text(row: CrosstableFigures) -> str:
    """Return the rating after; players who are still unrated have none."""
    return rating_text(row.after)


def rating_text(rating: Shown | None) -> str:
    """Return a rating as people write it.

    >>> rating_text(Shown(1657, 24)), rating_text(Shown(1817)), rating_text(None)
    ('1657P24', '1817', 'unrated')
    """
    return shown_rating(rating) or UNRATED


def initial_text(initial: InitialRating) -> str:
    """Return the rating with which a newcomer starts.

    >>> initial_text(InitialRating(1299.6, 4.5))
    'unrated (1300/4.5)'
    """
    return f"unrated ({rounded(initial.rating):.0f}/{initial.games:g})"


def _before(before: Before, established_above: float, *, hidden: bool) -> Shown | InitialRating | None:
    if hidden:
        return None
    if before.source != "rated":
        return InitialRating(before.rating, before.games)
    return as_shown(before.rating, before.games, established=before.games > established_above)


def _after(after: After | None) -> Shown | None:
    return None if after is None else as_shown(after.rating, after.games, established=after.established)


def points_of(entry: Entry) -> float:
    """Return the points of a seat."""
    return math.fsum(cell.points for cell in entry.rounds)


def cell_text(cell: Cell) -> str:
    """Return a round as the letter and the opponent's seat.

    >>> from ratebook.model import Cell
    >>> cell_text(Cell("W", 39, "w")), cell_text(Cell("B"))
    ('W39', 'B')
    """
    return f"{cell.letter}{cell.opponent or ''}"


def crosstable(event: Event, rated: RatedSection, *, step1_shown: bool) -> OfficeCrosstable:
    """Return the crosstable of *rated*; initial ratings that depend on an age are shown where *step1_shown*.

    Source: docs/rules/readings.md#initial-ratings-and-ages.
    """
    seats = {entry.seat: entry for entry in rated.section.entries}

    def row(entry: RatedEntry) -> CrosstableRow:
        seat = seats[entry.seat]
        return CrosstableRow(
            seat=entry.seat,
            name=rated.facts[entry.player].name or entry.player,
            before=_before(
                entry.before,
                rated.rules.established_above_games,
                hidden=not step1_shown and depends_on_age(rated, rated.places[entry.player]),
            ),
            after=_after(entry.after),
            points=points_of(seat),
            rounds=tuple(map(cell_text, seat.rounds)),
        )

    def standing(entry: RatedEntry) -> tuple[float, float, int]:
        return (
            -points_of(seats[entry.seat]),
            -(entry.after.rating if entry.after is not None else 0.0),
            entry.seat,
        )

    return OfficeCrosstable(
        event=event.name,
        section=rated.section.number,
        section_name=rated.section.name,
        system=SYSTEM_TITLES[rated.system.value],
        rows=tuple(row(entry) for entry in sorted(rated.entries, key=standing)),
    )

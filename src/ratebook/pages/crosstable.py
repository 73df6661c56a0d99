"""The crosstable of a rated section: what a page or a terminal shows, as typed text cells."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ratebook.model import Cell, Entry, Event, Report, Section
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


class CrosstableFigures(Protocol):
    """What the lines of all crosstables have, a report's and a book's."""

    @property
    def seat(self) -> int:
        """Pairing number."""

    @property
    def before(self) -> str:
        """Rating before, as shown."""

    @property
    def after(self) -> str:
        """Rating after, as shown."""

    @property
    def rounds(self) -> tuple[str, ...]:
        """Results, as letter and opponent's seat."""


class CrosstableRow(NamedTuple):
    """One line: seat, name, rating before and after with ``P`` game counts, points and rounds."""

    seat: int
    name: str
    before: str
    after: str
    points: float
    rounds: tuple[str, ...]


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
        Column("Before", "before", "right"),
        Column("After", "after", "right"),
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


def rating_text(rating: float, games: float, *, established: bool) -> str:
    """Return a displayed rating with its provisional count.

    >>> rating_text(1656.6, 24, established=False), rating_text(1816.5, math.inf, established=True)
    ('1657P24', '1817')
    """
    text = f"{rounded(rating):.0f}"
    return text if established else f"{text}P{games:g}"


def before_text(before: Before, established_above: float, *, hidden: bool) -> str:
    """Return the rating before; an initial rating is marked, since no list shows it, or *hidden*."""
    if hidden:
        return "unrated"
    if before.source != "rated":
        return f"unrated ({rounded(before.rating):.0f}/{before.games:g})"
    return rating_text(before.rating, before.games, established=before.games > established_above)


def after_text(after: After | None) -> str:
    """Return the rating after; players who are still unrated have none."""
    if after is None:
        return "unrated"
    return rating_text(after.rating, after.games, established=after.established)


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
            before=before_text(
                entry.before,
                rated.rules.established_above_games,
                hidden=not step1_shown and depends_on_age(rated, rated.places[entry.player]),
            ),
            after=after_text(entry.after),
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

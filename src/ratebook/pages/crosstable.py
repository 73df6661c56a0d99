"""The crosstable of a rated section: what a page or a terminal shows, as typed text cells."""

import math
from collections.abc import Sequence

from ratebook.formats.hints import is_seat_id
from ratebook.model import Cell, Entry, Event, InitialRating, Report, Section, Shown
from ratebook.official_lists.contents import as_shown, shown_rating
from ratebook.pages.columns import Column, Columns, rounds_of
from ratebook.rating.explanation.notes import depends_on_age
from ratebook.rating.formulas import rounded
from ratebook.rating.results import After, RatedEntry, RatedSection
from ratebook.records.events import Crosstable, CrosstableLine

RESULT_WORDS = {
    "W": "win",
    "L": "loss",
    "D": "draw",
    "N": "win (reported by one side)",
    "S": "loss (reported by one side)",
    "R": "draw (reported by one side)",
    "X": "win by forfeit",
    "F": "loss by forfeit",
    "Z": "draw by forfeit",
    "B": "full-point bye",
    "H": "half-point bye",
    "U": "unpaired",
    "": "no game",
}
"""What the letters of results mean."""


UNRATED = "unrated"
"""Shown for a player who had no rating before a section, or still has none after it."""
NOT_SHOWN = "not shown"
"""Shown for a rating that would tell an age."""


def crosstable_columns(rows: Sequence[CrosstableLine]) -> Columns[CrosstableLine]:
    """Return the columns of a crosstable, with one for each round."""
    return (
        Column("Seat", "seat", "right"),
        Column("Name", "name"),
        Column("Before", before_text, "right"),
        Column("After", lambda row: NOT_SHOWN if row.withheld else after_text(row), "right"),
        Column("Change", change_text, "right"),
        Column("Pts", "points", "right"),
        *rounds_of(rows, lambda row: row.rounds),
    )


def reported_columns(report: Report, section: Section) -> Columns[Entry]:
    """Return the columns of a section as it was reported, with one for each round."""
    return (
        Column("Seat", "seat", "right"),
        Column("ID", lambda entry: "" if is_seat_id(entry.player) else entry.player),
        Column("Name", lambda entry: report.players[entry.player].name),
        Column("Pts", lambda entry: f"{points_of(entry):g}", "right"),
        *rounds_of(section.entries, lambda entry: tuple(map(cell_text, entry.rounds))),
    )


def before_text(row: CrosstableLine) -> str:
    """Return the rating before; an initial rating is marked, since no list shows it."""
    return rating_text(row.before) if row.initial is None else initial_text(row.initial)


def after_text(row: CrosstableLine) -> str:
    """Return the rating after; players who are still unrated have none."""
    return rating_text(row.after)


def change_text(row: CrosstableLine) -> str:
    """Return the points won or lost; nothing where there was no rating before, or none is shown after.

    >>> line = CrosstableLine(
    ...     system="regular",
    ...     seat=1,
    ...     player="P1",
    ...     name="",
    ...     before=Shown(1600),
    ...     initial=None,
    ...     after=Shown(1575),
    ...     points=0.0,
    ...     rounds=(),
    ... )
    >>> change_text(line)
    '-25'
    """
    if row.before is None or row.after is None or row.withheld:
        return ""
    change = row.after.rating - row.before.rating
    return f"{change:+d}" if change else "0"


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


def crosstable(event: Event, rated: RatedSection, *, step1_shown: bool) -> Crosstable:
    """Return the crosstable of *rated*; initial ratings that depend on an age are shown where *step1_shown*.

    It is the office's and the sender's own view, never part of a public page.

    Source: docs/rules/readings.md#initial-ratings-and-ages.
    """
    seats = {entry.seat: entry for entry in rated.section.entries}

    def line(entry: RatedEntry) -> CrosstableLine:
        seat, before = seats[entry.seat], entry.before
        was_rated = before.source == "rated"
        hidden = not step1_shown and depends_on_age(rated, rated.places[entry.player])
        established = before.games > rated.rules.established_above_games
        return CrosstableLine(
            system=rated.system,
            seat=entry.seat,
            player=entry.player,
            name=rated.facts[entry.player].name or entry.player,
            before=as_shown(before.rating, before.games, established=established) if was_rated else None,
            initial=None if was_rated or hidden else InitialRating(before.rating, before.games),
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

    return Crosstable(
        event=event.id,
        event_name=event.name,
        section=rated.section.number,
        section_name=rated.section.name,
        end=rated.section.end,
        system=rated.system,
        lines=tuple(line(entry) for entry in sorted(rated.entries, key=standing)),
    )

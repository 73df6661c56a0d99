"""The ratings that a report would give, as its sender sees them: in the preview, and as they were when it was sent."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ratebook.office.queue.preview import Preview
from ratebook.pages.columns import Column, Columns, rounds_of
from ratebook.pages.crosstable import NOT_SHOWN, after_text, before_text
from ratebook.records.events import Crosstable, CrosstableLine
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.findings import Seat, SeatProblem, seat_anchor
from ratebook.web.layout.tables import HtmlTable, Line, crosstable_looks, html_table
from ratebook.web.layout.words import in_title_case, person_name
from ratebook.web.public.links import PLAYER_PAGE
from ratebook.web.site import Site
from ratebook.web.trial.task import plain

NEW_RATING = "New rating"
NO_PROBLEMS: Mapping[Seat, SeatProblem] = MappingProxyType({})


class SeatLinks(NamedTuple):
    """How the seats of a section lead to their problems and to each other, in a table of *lines*."""

    section: int
    problems: Mapping[Seat, SeatProblem]
    seats: frozenset[int]

    def anchor(self, seat: int) -> str:
        """Return by what links lead to a seat."""
        return seat_anchor(self.section, seat)

    def problem(self, seat: int) -> str:
        """Return the address of the problem of a seat."""
        problem = self.problems.get((self.section, seat))
        return f"#{problem.anchor}" if problem else ""

    def words(self, seat: int, first: str = "") -> str:
        """Return what stands below a name: *first*, and what is wrong."""
        problem = self.problems.get((self.section, seat))
        return " · ".join(filter(None, (first, problem.words if problem else "")))

    def is_marked(self, seat: int) -> bool:
        """Return whether something is wrong with a seat."""
        return (self.section, seat) in self.problems

    def opponent(self, result: str) -> str:
        """Return the address of the row of an opponent, from a result such as ``W12``."""
        seat = result[1:].rstrip("wb")
        return f"#{self.anchor(int(seat))}" if seat.isdecimal() and int(seat) in self.seats else ""

    def opponents(self, rounds: Sequence[Column[Line]]) -> dict[str, Callable[[Line], str]]:
        """Return where the results of *rounds* lead."""
        return {
            column.title: (lambda line, column=column: self.opponent(column.text(line)))  # type: ignore[misc]
            for column in rounds
        }


class ShownRatings(NamedTuple):
    """What a preview shows at a *revision* of the book; *newcomers* are players whom the book does not know."""

    revision: int
    tables: tuple[Crosstable, ...]
    newcomers: tuple[str, ...]

    @property
    def withheld(self) -> bool:
        """Whether a rating is not shown."""
        return any(line.withheld for table in self.tables for line in table.lines)


def ratings_of(preview: Preview) -> ShownRatings:
    """Return the ratings of a preview, as they are kept when it is sent."""
    return ShownRatings(preview.revision, tuple(preview.tables()), tuple(sorted(preview.newcomers)))


def packed(ratings: ShownRatings) -> bytes:
    """Return ratings as they are kept with what was sent."""
    return msgspec.msgpack.encode(ratings, enc_hook=plain)


def unpacked(content: bytes) -> ShownRatings | None:
    """Return ratings that were kept; None where an older version kept them in another form."""
    try:
        return msgspec.msgpack.decode(content, type=ShownRatings)
    except msgspec.MsgspecError:
        return None


def change_text(line: CrosstableLine) -> str:
    """Return how far a rating would move.

    >>> from ratebook.model import Shown
    >>> line = CrosstableLine(
    ...     system="quick",
    ...     seat=1,
    ...     player="P1",
    ...     name="Ann",
    ...     before=Shown(1500),
    ...     after=Shown(1488),
    ...     points=0.0,
    ...     rounds=(),
    ... )
    >>> change_text(line)
    '-12'
    """
    if line.withheld or line.after is None:
        return ""
    if line.before is None:
        return "new"
    change = line.after.rating - line.before.rating
    return f"{change:+d}" if change else "0"


def columns_of(table: Crosstable) -> Columns[CrosstableLine]:
    """Return the columns of a section: what its sender came for first."""
    return (
        Column("Seat", "seat", "right"),
        Column("Name", lambda line: person_name(line.name)),
        Column(NEW_RATING, lambda line: NOT_SHOWN if line.withheld else after_text(line), "right"),
        Column("Change", change_text, "right"),
        Column("Before", before_text, "right"),
        Column("Pts", "points", "right"),
        *rounds_of(table.lines, lambda line: line.rounds),
    )


def ratings_tables(
    site: Site,
    ratings: ShownRatings,
    why: Callable[[Crosstable, CrosstableLine], str] | None = None,
    problems: Mapping[Seat, SeatProblem] = NO_PROBLEMS,
) -> list[HtmlTable]:
    """Return a table for each section and system; players lead to their pages, and new ratings to *why*.

    Seats lead to their *problems*, results to the rows of opponents.
    """
    newcomers = set(ratings.newcomers)

    def player(line: CrosstableLine) -> str:
        return PLAYER_PAGE(line.player) if site.has_public and line.player not in newcomers else ""

    tables: list[HtmlTable] = []
    sections: set[int] = set()
    for table in ratings.tables:
        at = SeatLinks(table.section, problems, frozenset(line.seat for line in table.lines))
        rounds = rounds_of(table.lines, lambda line: line.rounds)
        links = {
            "Seat": lambda line, at=at: at.problem(line.seat),  # type: ignore[misc]
            "Name": player,
            **at.opponents(rounds),
        }
        if why is not None:
            links[NEW_RATING] = lambda line, table=table: "" if line.withheld else why(table, line)  # type: ignore[misc]
        words = (f"Section {table.section}", in_title_case(table.section_name), SYSTEM_TITLES[table.system])
        tables.append(
            html_table(
                ", ".join(filter(None, words)),
                columns_of(table),
                table.lines,
                links,
                heads="Name",
                under={
                    "Name": lambda line, at=at: at.words(  # type: ignore[misc]
                        line.seat, "" if line.player in newcomers else line.player
                    )
                },
                looks=crosstable_looks(rounds),
                narrow={NEW_RATING: change_text},
                wide=("Before", "Change"),
                marked=lambda line, at=at: at.is_marked(line.seat),  # type: ignore[misc]
                # A section that two systems rate has two tables; links lead to the first.
                anchors=None if table.section in sections else lambda line, at=at: at.anchor(line.seat),  # type: ignore[misc]
            )
        )
        sections.add(table.section)
    return tables

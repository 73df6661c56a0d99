"""The ratings that a report would give, as its sender sees them: in the preview, and as they were when it was sent."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from ratebook.office.queue.preview import Preview
from ratebook.pages.columns import Column, Columns, rounds_of
from ratebook.pages.crosstable import NOT_SHOWN, SYSTEM_TITLES, after_text, before_text
from ratebook.records.events import Crosstable, CrosstableLine
from ratebook.web.layout.tables import HtmlTable, change_look, html_table, result_look
from ratebook.web.layout.words import person_name
from ratebook.web.public.links import PLAYER_PAGE
from ratebook.web.site import Site
from ratebook.web.trial.task import plain

NEW_RATING = "New rating"


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
    site: Site, ratings: ShownRatings, why: Callable[[Crosstable, CrosstableLine], str] | None = None
) -> list[HtmlTable]:
    """Return a table for each section and system; players lead to their pages, and new ratings to *why*."""
    newcomers = set(ratings.newcomers)

    def player(line: CrosstableLine) -> str:
        return PLAYER_PAGE(line.player) if site.has_public and line.player not in newcomers else ""

    tables = []
    for table in ratings.tables:
        links = {"Name": player}
        if why is not None:
            links[NEW_RATING] = lambda line, table=table: "" if line.withheld else why(table, line)  # type: ignore[misc]
        words = (f"Section {table.section}", table.section_name, SYSTEM_TITLES[table.system])
        caption = f"{', '.join(filter(None, words))}: not official"
        rounds = [column.title for column in rounds_of(table.lines, lambda line: line.rounds)]
        tables.append(
            html_table(
                caption,
                columns_of(table),
                table.lines,
                links,
                heads="Name",
                under={"Name": lambda line: "" if line.player in newcomers else line.player},
                looks={"Change": change_look, **dict.fromkeys(rounds, result_look)},
            )
        )
    return tables

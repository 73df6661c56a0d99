"""How the tables of a book are declared (schema.py), and the places that its columns hold.

Days are dates; moments are text in UTC (``2026-11-20T21:15:34Z``); ratings are rating points in full precision, so that
what is read is bit for bit what was written. A *place* is the position of a section in history: end date, event id and
section number in one text that sorts as docs/rules/readings.md#a11 orders (see `place_of`).
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Date,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
)
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Key = BigInteger().with_variant(Integer, "sqlite")
"""A number that the store gives; SQLite counts only its own INTEGER."""

_KINDS: Mapping[str, TypeEngine[Any]] = {
    "text": Text(),
    # Sorts by its bytes in every store, whatever the language of the server.
    "bytewise": Text().with_variant(Text(collation="C"), "postgresql"),
    "flag": Boolean(),
    "day": Date(),
    "count": Integer(),
    "number": Key,
    "points": Double(),
}

_MEANINGS: Mapping[str, str] = {
    "id": "number given by the store",
    "member_id": "the member",
    "section_id": "the section",
    "event_id": "the event",
    "system": "rating system: regular, quick, blitz, online-regular, online-quick or online-blitz",
    "place": "position of the section in history: end date, event id and number, as one text that sorts"
    " as sections are rated",
    "name": "as written",
    "reason": "why, in the office's words",
    "details": "anything else that was recorded",
    "start": "first day",
    "end": "last day",
    "state": "state of residence or of the event",
    "decision_id": "the decision that led to this",
    "superseded_by": "the later posting that replaced this row; empty while the row is current",
    "games": "games that the rating is based on; empty in a row with a rating: established, number unknown",
    "wins": "total number of wins",
    "draws": "total number of draws",
    "losses": "total number of losses",
    "record": "whether all rated games were wins or losses, if the counts do not tell; empty: they do",
    "long_events": "sections with three or more rated games, as the personal floor counts them",
    "peak": "highest established rating after a section",
    "life_master_games": "games played from an established rating of 2200 or more, for the original Life Master title",
    "at_least": "which of peak, counts and life_master_games are only lower bounds, in words; empty: none",
    "floors": "floors that the office entered, as JSON",
    "seat": "number of the player in the section",
    "rulebook_id": "the dated rules",
    "fide_rating": "FIDE rating that the report gives",
}
"""What columns mean that mean the same in every table."""


def table(name: str, about: str, columns: str, *parts: SchemaItem) -> Table:
    """Declare a table: what it is for, and its columns with what they mean.

    A line has one column, ``name kind: meaning``, or several whose meanings all tables share; a further line of a
    meaning is indented. A kind is one of those above, or for a reference the column that it refers to; ``key`` is a
    number that the store counts. A question mark says that a column may be empty, an asterisk that it is the key or
    part of it.
    """
    lines = re.sub(r"\n {5,}", " ", columns).strip().splitlines()
    declared = [column for line in lines for column in _columns(line.strip())]
    return Table(name, metadata, *declared, *parts, info={"about": about})


def _columns(line: str) -> Iterator[Column[Any]]:
    declared, _, meaning = line.partition(": ")
    for name, kind in (column.split() for column in declared.split(", ")):
        yield _column(name, kind, meaning or _MEANINGS[name])


def _column(name: str, declared: str, meaning: str) -> Column[Any]:
    kind = declared.rstrip("?*")
    if kind == "key":
        return Column(name, Key, primary_key=True, autoincrement=True, doc=meaning)
    holds = ForeignKey(kind) if "." in kind else _KINDS[kind]
    if declared.endswith("*"):
        return Column(name, holds, primary_key=True, autoincrement=False, doc=meaning)
    return Column(name, holds, nullable=declared.endswith("?"), doc=meaning)


def index(
    name: str, of: Table, columns: str, *, unique: bool = False, where: ColumnElement[bool] | None = None
) -> Index:
    """Declare an index by columns, ``desc`` behind those that sort down; *where* says of which rows, if not of all."""
    parts = [part.partition(" ") for part in columns.split(", ")]
    sorted_by = [of.c[column].desc() if down else of.c[column] for column, _, down in parts]
    # The migrations make the indexes. As options of the dialects, conditions would load both at every start.
    return Index(name, *sorted_by, unique=unique, info={} if where is None else {"where": where})


_SEPARATOR = "\t"
"""Sorts before every printable character, so that an id sorts before the ids that it begins."""


END_OF_HISTORY = "\uffff"
"""Sorts after every place."""


def place_of(end: date, event: str, number: int) -> str:
    r"""Return the place of a section in history: end date, event id, section number (docs/rules/readings.md#a11).

    >>> from datetime import date
    >>> place_of(date(2026, 11, 14), "202611140001", 2)
    '2026-11-14\t202611140001\t00002'
    """
    return f"{end.isoformat()}{_SEPARATOR}{event}{_SEPARATOR}{number:05d}"


def section_at(place: str) -> tuple[str, int]:
    r"""Return the event id and the number of the section at a *place*.

    >>> section_at("2026-11-14\t202611140001\t00002")
    ('202611140001', 2)
    """
    _, event, number = place.split(_SEPARATOR)
    return event, int(number)


def place_at_begin(day: date) -> str:
    """Return the place in history before all sections that end on *day*."""
    return f"{day.isoformat()}{_SEPARATOR}"


def place_at_end(day: date) -> str:
    """Return the place in history after all sections that end on *day*."""
    return f"{day.isoformat()}{_SEPARATOR}\uffff"


def day_of_place(place: str) -> str:
    """Return the end date of the section at *place*, as text.

    >>> from datetime import date
    >>> day_of_place(place_of(date(2026, 11, 14), "202611140001", 2))
    '2026-11-14'
    """
    return place.partition(_SEPARATOR)[0]

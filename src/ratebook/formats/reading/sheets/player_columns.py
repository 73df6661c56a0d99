"""The columns of a player in every table, and how the text of a cell becomes a value and a value a text."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ratebook.formats.reading.kinds import FLAG, GAMES, ID, TEXT, Bounded, Choice
from ratebook.formats.reading.record import BySystem, Field, Listed, Nested, RecordTable
from ratebook.formats.reading.sheets.figures import with_point
from ratebook.formats.reading.spreadsheet import guarded, unguarded
from ratebook.formats.reading.tables import PLAYER
from ratebook.model import PlayerFacts, System

ESTABLISHED = "established"

_EXACT = 1e15
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?", re.ASCII)
_FLAGS = dict.fromkeys(("true", "yes", "y", "1", "x"), True) | dict.fromkeys(("false", "no", "n", "0"), False)


_TEXTS = frozenset(field.name for field in PLAYER.fields if field.kind in {TEXT, ID})


class UnreadableCellError(ValueError):
    """A cell that cannot be read; the text says what belongs there."""


class MembersColumn(NamedTuple):
    """A known column: the place of its value in a player of the native report, and what reads the text of a cell."""

    path: tuple[str, ...]
    read: Callable[[str], object]


def read_number(text: str) -> int | float:
    """Return the number that *text* is.

    >>> read_number("38"), read_number("612.4")
    (38, 612.4)
    """
    text = with_point(text)
    if not _NUMBER.fullmatch(text):
        raise UnreadableCellError("a number such as 38 or 612.4")
    return float(text) if "." in text or "e" in text.lower() else int(text)


def read_games(text: str) -> int | float | None:
    """Return a number of games, None for an established rating on an unknown number."""
    return None if text.casefold() == ESTABLISHED else read_number(text)


def read_flag(text: str) -> bool:
    """Return true or false."""
    if text.casefold() not in _FLAGS:
        raise UnreadableCellError("true or false")
    return _FLAGS[text.casefold()]


def read_items(table: RecordTable[Any]) -> Callable[[str], object]:
    """Return the reader of a list of records of *table*, whose last field is a number."""
    *words, number = (field.name for field in table.fields)

    def read(text: str) -> list[dict[str, object]]:
        items: list[dict[str, object]] = []
        for item in text.split(";"):
            parts = [part.strip() for part in item.split(":")]
            if parts == [""]:
                continue
            if len(parts) != len(table.fields):
                raise UnreadableCellError(f"{':'.join((*words, number))}, items separated by semicolons")
            items.append({**dict(zip(words, parts, strict=False)), number: read_number(parts[-1])})
        return items

    return read


def prefix_of(system: System) -> str:
    """Return how the columns of *system* begin.

    >>> prefix_of(System.ONLINE_QUICK)
    'online_quick'
    """
    return system.value.replace("-", "_")


def plain_cell(text: str) -> str:
    """Return a text without the apostrophe that keeps a spreadsheet from computing it.

    >>> plain_cell("'=EXAMPLE"), plain_cell("'s Example")
    ('=EXAMPLE', "'s Example")
    """
    return unguarded(text.strip())


def _columns() -> Iterator[tuple[str, MembersColumn]]:
    """Yield all columns and their names, in the order in which they are written."""
    kinds = {field.name: field.kind for field in PLAYER.fields}
    for field in PLAYER.fields:
        if not isinstance(field.kind, Nested | BySystem | Listed):
            yield field.name, MembersColumn((field.name,), reader_of(field))
    yield "expires", MembersColumn((), str)
    for name, kind in kinds.items():
        if isinstance(kind, Nested):
            yield from _record_columns(name, (name,), kind.table)
    for system in System:
        for name, kind in kinds.items():
            if isinstance(kind, BySystem):
                prefix = prefix_of(system) if name == "ratings" else f"{prefix_of(system)}_{name}"
                yield from _record_columns(prefix, (name, system.value), kind.table)
    for name, kind in kinds.items():
        if isinstance(kind, Listed):
            yield name, MembersColumn((name,), read_items(kind.table))


def _record_columns(
    prefix: str, path: tuple[str, ...], table: RecordTable[Any]
) -> Iterator[tuple[str, MembersColumn]]:
    """Yield the columns of a rating: the rating itself under *prefix*, its other fields with it before their names."""
    for field in table.fields:
        title = prefix if field.name == "rating" else f"{prefix}_{field.name}"
        yield title, MembersColumn((*path, field.name), reader_of(field))


def reader_of(field: Field) -> Callable[[str], object]:
    """Return what makes the value of *field*, as the native report has it, of the text of a cell."""
    if field.kind is GAMES and field.unknown is None:
        return read_games
    if isinstance(field.kind, Bounded):
        return read_number
    if field.kind is FLAG:
        return read_flag
    if isinstance(field.kind, Choice):
        return _read_word
    return plain_cell if field.kind is TEXT else str


_SEXES = {
    **dict.fromkeys(("male", "man", "boy", "m\u00e4nnlich", "homme", "hombre", "uomo"), "m"),
    **dict.fromkeys(("female", "woman", "girl", "w", "weiblich", "femme", "mujer", "donna"), "f"),
}


def _read_word(text: str) -> str:
    word = text.strip().lower()
    return _SEXES.get(word, word)


COLUMNS = dict(_columns())

TITLE_OF_PATH = {".".join(column.path): title for title, column in COLUMNS.items() if column.path}
"""Columns by the place of their value in a player of the native report, its keys joined by dots."""


def cells_of(player: PlayerFacts) -> dict[str, str]:
    """Return the cells of *player* that are not empty, by column."""
    cells = dict(_said_cells(PLAYER.plain(player), ""))
    for system, rating in player.ratings.items():
        if rating.published is not None and rating.published_games is None:
            cells[f"{prefix_of(system)}_published_games"] = ESTABLISHED
    return {title: text for title, text in cells.items() if text}


def _said_cells(values: dict[str, object], path: str) -> Iterator[tuple[str, str]]:
    """Yield the cells of *values*, an object at *path* in a player of the native report, by column."""
    for key, value in values.items():
        place = f"{path}{key}"
        if isinstance(value, dict):
            yield from _said_cells(value, f"{place}.")
        elif isinstance(value, list):
            yield place, ";".join(":".join(map(cell_text, item.values())) for item in value)
        elif value is None:
            yield TITLE_OF_PATH[place], ESTABLISHED
        else:
            yield TITLE_OF_PATH[place], guarded(str(value)) if key in _TEXTS else cell_text(value)


def cell_text(value: object) -> str:
    """Return a value as a cell holds it: exactly, and as short as possible.

    >>> cell_text(612.4), cell_text(1800.0), cell_text(None), cell_text(True)
    ('612.4', '1800', '', 'true')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < _EXACT else repr(value)
    return str(value)

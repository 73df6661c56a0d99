"""The columns of the members CSV, and how the text of a cell becomes a value and a value a text."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from ratebook.formats.reading.fields import parse_day
from ratebook.formats.reading.spreadsheet import unguarded
from ratebook.model import Rating, System

if TYPE_CHECKING:
    from collections.abc import Callable

ESTABLISHED = "established"
LIFE = date.max
"""The last day of a life membership."""

_EXACT = 1e15
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?", re.ASCII)
_FLAGS = {
    "true": True,
    "yes": True,
    "y": True,
    "1": True,
    "x": True,
    "false": False,
    "no": False,
    "n": False,
    "0": False,
}


class UnreadableCellError(ValueError):
    """A cell that cannot be read; the text says what belongs there."""


class Column(NamedTuple):
    """A known column.

    Attributes:
        path: where its value stands in a player of the native report.
        read: from the text of a cell to the value.
    """

    path: tuple[str, ...]
    read: Callable[[str], object]


def read_text(text: str) -> str:
    """Return a text as it stands; the reader of the native report looks at it."""
    return text


def read_number(text: str) -> int | float:
    """Return the number that *text* is.

    >>> read_number("38"), read_number("612.4")
    (38, 612.4)
    """
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


def read_items(keys: tuple[str, ...]) -> Callable[[str], object]:
    """Return the reader of a list whose items have the parts *keys*, the last of them a number."""

    def read(text: str) -> list[dict[str, object]]:
        items: list[dict[str, object]] = []
        for item in text.split(";"):
            parts = [part.strip() for part in item.split(":")]
            if len(parts) == 1 and not parts[0]:
                continue
            if len(parts) != len(keys):
                raise UnreadableCellError(f"{':'.join(keys)}, items separated by semicolons")
            *texts, number = parts
            items.append({**dict(zip(keys, texts, strict=False)), keys[-1]: read_number(number)})
        return items

    return read


def _known_columns() -> dict[str, Column]:
    """Return all columns by name, in the order in which they are written."""
    columns = {
        "id": Column(("id",), read_text),
        "name": Column(("name",), read_text),
        "birth_date": Column(("birth_date",), read_text),
        "adult": Column(("adult",), read_flag),
        "canadian_resident": Column(("canadian_resident",), read_flag),
        "us_member": Column(("us_member",), read_flag),
        "usa_flag": Column(("usa_flag",), read_flag),
        "fide_opt_in": Column(("fide_opt_in",), read_flag),
        "expires": Column((), read_text),
        "state": Column((), read_text),
        "fide": Column(("fide", "rating"), read_number),
        "fide_as_of": Column(("fide", "as_of"), read_text),
        "cfc": Column(("cfc", "rating"), read_number),
        "cfc_as_of": Column(("cfc", "as_of"), read_text),
    }
    texts = {"record", "as_of"}
    games = {"games", "published_games"}
    for system in System:
        prefix = prefix_of(system)
        for field in Rating._fields:
            read = read_text if field in texts else read_games if field in games else read_number
            title = prefix if field == "rating" else f"{prefix}_{field}"
            columns[title] = Column(("ratings", system.value, field), read)
        columns[f"{prefix}_initial"] = Column(("initial", system.value, "rating"), read_number)
        columns[f"{prefix}_initial_games"] = Column(("initial", system.value, "games"), read_number)
    columns["floors"] = Column(("floors",), read_items(("system", "kind", "floor")))
    columns["ceilings"] = Column(("ceilings",), read_items(("system", "ceiling")))
    columns["matches"] = Column(("matches",), read_items(("system", "end", "change")))
    return columns


def prefix_of(system: System) -> str:
    """Return how the columns of *system* begin.

    >>> prefix_of(System.ONLINE_QUICK)
    'online_quick'
    """
    return system.value.replace("-", "_")


COLUMNS = _known_columns()

TITLE_OF_PATH = {".".join(column.path): title for title, column in COLUMNS.items() if column.path}
"""Columns by the place of their value in a player of the native report, its keys joined by dots."""


def read_expiry(text: str) -> date:
    """Return the last day of a membership."""
    day = LIFE if text.casefold() == "life" else parse_day(text)
    if day is None:
        raise UnreadableCellError("the date as YYYY-MM-DD, or life,")
    return day


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


def plain_cell(text: str) -> str:
    """Return a text without the apostrophe that keeps a spreadsheet from computing it.

    >>> plain_cell("'=EXAMPLE"), plain_cell("'s Example")
    ('=EXAMPLE', "'s Example")
    """
    return unguarded(text.strip())

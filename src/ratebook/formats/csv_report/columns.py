"""The CSV report's outside: encodings, separators, header line, and cells that no spreadsheet takes for formulas."""

import csv
import io
from collections.abc import Iterator, Mapping

from ratebook.findings import Findings, Place
from ratebook.formats.reading.record import Field
from ratebook.formats.reading.sheets.encodings import utf16_of
from ratebook.formats.reading.sheets.header import MOST_ROWS_ABOVE, TableKind
from ratebook.formats.reading.sheets.player_columns import COLUMNS
from ratebook.formats.reading.sheets.sheet import first_rows, separator_of
from ratebook.formats.reading.spreadsheet import MOST_COLUMNS, MOST_ROWS
from ratebook.formats.reading.tables import EVENT, SECTION
from ratebook.formats.reading.text import decoded_text, is_binary, with_line_feeds
from ratebook.model import Section, System

EVENT_COLUMNS: Mapping[str, Field] = {
    column: EVENT.field(name)
    for column, name in (("event_id", "id"), ("event_name", "name"), ("start", "start"), ("end", "end"))
}
SECTION_COLUMNS: Mapping[str, Field] = {
    f"section_{field.name}" if field.name in EVENT.keys else field.name: field
    for field in SECTION.fields[: Section._fields.index("entries")]
    if not field.basic
}
SYSTEM_COLUMNS: Mapping[System, str] = {system: system.value.replace("-", "_") for system in System}
RATING_COLUMNS = tuple(column for name in SYSTEM_COLUMNS.values() for column in (name, f"{name}_games"))
_OF_SEATS = ("section", "seat", "player", "name", "rating", "total", "update", "floor_request")
KNOWN_COLUMNS = frozenset({*EVENT_COLUMNS, *SECTION_COLUMNS, *_OF_SEATS, *RATING_COLUMNS})
"""All columns but the rounds, and those of `FACT_COLUMNS`."""
FACT_COLUMNS = COLUMNS.keys() - KNOWN_COLUMNS - {"id", "expires", "state"}
"""The other facts of a player, as in a members CSV."""
KIND = TableKind("report", KNOWN_COLUMNS | FACT_COLUMNS, ("seat",), rounds=True, by_order="seat")

UTF8 = "utf-8-sig"

_BEGINNING = 1 << 14
_LONG_LINE = 4 * MOST_COLUMNS


class TooMuchError(ValueError):
    """A file with more lines or columns than any report; the text says which."""


def text_of(findings: Findings, data: bytes, name: str) -> str | None:
    """Return the text of a CSV file, or None with a finding: UTF-8, UTF-16, else the usual Windows letters."""
    encoding = utf16_of(data)
    if encoding is None:
        text, _ = decoded_text(data)
    else:
        try:
            text = with_line_feeds(data.decode(encoding))
        except UnicodeDecodeError:
            findings.add("encoding-unreadable", Place(file=name))
            return None
    return None if is_binary(findings, name, zeros="\0" in text) else text


def beginning_of(data: bytes) -> list[list[str]]:
    """Return the first rows of a file, told cheaply from its beginning; none where it is no text."""
    return first_rows(first_lines(data))


def first_lines(data: bytes, most: int = MOST_ROWS_ABOVE) -> list[str]:
    """Return the first lines of a file, at most so many."""
    text = data[:_BEGINNING].decode(utf16_of(data) or UTF8, "ignore")
    return with_line_feeds(text).split("\n")[:most]


def rows_of(text: str) -> tuple[str, Iterator[list[str]]]:
    """Return the separator and the rows of *text*, blank ones too; the rows raise `TooMuchError` or `csv.Error`."""
    separator = separator_of(text[:_BEGINNING].split("\n")[:MOST_ROWS_ABOVE])
    return separator, _rows(text, separator)


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    stream = io.StringIO(text)
    rows = csv.reader(_bounded_lines(stream, separator), delimiter=separator)
    for lines, row in enumerate(rows, start=1):
        if lines > MOST_ROWS:
            raise TooMuchError(f"more than {MOST_ROWS:,} lines")
        # Quoted line breaks can hide columns from the look at single lines.
        if len(row) > MOST_COLUMNS:
            raise TooMuchError(f"more than {MOST_COLUMNS:,} columns")
        yield row


def _bounded_lines(stream: io.StringIO, separator: str) -> Iterator[str]:
    for line in stream:
        if len(line) > _LONG_LINE and line.count(separator) > MOST_COLUMNS:
            raise TooMuchError(f"more than {MOST_COLUMNS:,} columns")
        # With strokes between the cells, the file is Markdown, where # begins a heading and not a comment.
        yield line.lstrip("#").lstrip(" ") if separator == "|" and line[:1] == "#" else line

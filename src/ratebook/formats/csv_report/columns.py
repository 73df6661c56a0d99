"""The CSV report's outside: encodings, separators, header line, and cells that no spreadsheet takes for formulas."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ratebook.formats.contract import ROUNDS_AT_MOST, Findings
from ratebook.formats.reading.fields import close_match, shown
from ratebook.formats.reading.record import Field
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
_OF_SEATS = ("section", "seat", "player", "name", "rating", "update", "floor_request")
KNOWN_COLUMNS = frozenset({*EVENT_COLUMNS, *SECTION_COLUMNS, *_OF_SEATS, *RATING_COLUMNS})
"""All columns but the rounds."""

UTF8 = "utf-8-sig"
SEPARATORS = ",;\t"
COLUMNS_AT_MOST = 500
LINES_AT_MOST = 200_000

_BEGINNING = 4_096
_LONG_LINE = 4 * COLUMNS_AT_MOST
_ROUND = re.compile(r"(?:round|rnd|rd|r)_?([1-9][0-9]{0,2})", re.ASCII)
_SEPARATOR_LINE = re.compile(r"sep=([,;\t])", re.IGNORECASE)


class Header(NamedTuple):
    """The places of the known columns and of the rounds (in order), and the number of columns in all."""

    places: Mapping[str, int]
    rounds: tuple[int, ...]
    width: int


class TooMuchError(ValueError):
    """A file with more lines or columns than any report; the text says which."""


def text_of(findings: Findings, data: bytes, name: str) -> str | None:
    """Return the text of a CSV file, or None with a finding: UTF-8, UTF-16, else the usual Windows letters."""
    encoding = _encoding_of(data)
    if encoding == UTF8:
        text, _ = decoded_text(data)
    else:
        try:
            text = with_line_feeds(data.decode(encoding))
        except UnicodeDecodeError:
            findings.add("encoding-unreadable", name)
            return None
    return None if is_binary(findings, name, zeros="\0" in text) else text


def _encoding_of(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    # Spreadsheets save "Unicode text" without a mark, too: then every other byte of the header is zero.
    if data[1:8:2] == b"\0\0\0\0":
        return "utf-16-le"
    return "utf-16-be" if data[:8:2] == b"\0\0\0\0" else UTF8


def beginning_of(data: bytes) -> list[str]:
    """Return the names in the header line, told cheaply from the beginning of a file; none where it is no text."""
    beginning = data[:_BEGINNING]
    text = beginning.decode(_encoding_of(data), "ignore").replace("\r", "\n").lstrip("\n")
    separator, at = _separator_of(text)
    return [
        column_name(cell.strip(' "')) for cell in text[at:].lstrip("\n").partition("\n")[0].split(separator)
    ]


def _separator_of(text: str) -> tuple[str, int]:
    """Return the separator, and where the header line begins (behind a line such as ``sep=;``, or blank ones)."""
    start = len(text) - len(text.lstrip("\n"))
    if told := _SEPARATOR_LINE.match(text, start):
        return told[1], told.end()
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)]
    return max(SEPARATORS, key=line.count), start


def rows_of(text: str) -> tuple[str, Iterator[list[str]]]:
    """Return the separator and the rows of *text*, blank ones too; the rows raise `TooMuchError` or `csv.Error`."""
    separator, at = _separator_of(text)
    skipped = text.count("\n", 0, at)
    return separator, _rows(text, separator, at, skipped)


def _rows(text: str, separator: str, at: int, skipped: int) -> Iterator[list[str]]:
    # Rows keep the numbers that a spreadsheet shows.
    for _ in range(skipped):
        yield []
    stream = io.StringIO(text)
    stream.seek(at)
    lines = skipped
    for row in csv.reader(_bounded_lines(stream, separator), delimiter=separator):
        lines += 1
        if lines > LINES_AT_MOST:
            raise TooMuchError(f"more than {LINES_AT_MOST:,} lines")
        # Quoted line breaks can hide columns from the look at single lines.
        if len(row) > COLUMNS_AT_MOST:
            raise TooMuchError(f"more than {COLUMNS_AT_MOST:,} columns")
        yield row


def _bounded_lines(stream: io.StringIO, separator: str) -> Iterator[str]:
    for line in stream:
        if len(line) > _LONG_LINE and line.count(separator) > COLUMNS_AT_MOST:
            raise TooMuchError(f"more than {COLUMNS_AT_MOST:,} columns")
        yield line


def column_name(text: str) -> str:
    """Return a column's name in the spelling of this format.

    >>> column_name(" Section Name "), column_name("online-regular"), column_name("Rd 3")
    ('section_name', 'online_regular', 'round3')
    """
    name = "_".join(text.replace("-", " ").replace("_", " ").split()).lower()
    found = _ROUND.fullmatch(name)
    return f"round{int(found[1])}" if found else name


def round_of(name: str) -> int:
    """Return the round of a column's name, 0 where it is none."""
    return int(name[5:]) if name.startswith("round") and name[5:].isdecimal() else 0


def read_header(findings: Findings, name: str, row: Sequence[str]) -> Header | None:
    """Return where the columns are, or None with findings where some are missing."""
    places: dict[str, int] = {}
    rounds: dict[int, int] = {}
    unknown: list[str] = []
    for at, cell in enumerate(row):
        column = column_name(cell)
        number = round_of(column)
        if not column:
            continue
        if column in places or number in rounds:
            findings.add("column-twice", name, column=shown(column))
        elif number:
            rounds[number] = at
        elif column in KNOWN_COLUMNS:
            places[column] = at
        else:
            unknown.append(column)
    last = max(rounds, default=1)
    if last > ROUNDS_AT_MOST:
        findings.add("too-many-rounds.header", name, last=last, rounds_at_most=ROUNDS_AT_MOST)
        return None
    missing = [] if "seat" in places else ["seat"]
    missing += [f"round{number}" for number in range(1, last + 1) if number not in rounds]
    for column in missing:
        _report_missing(findings, name, column, unknown)
    for column in unknown:
        findings.add(
            "column-unknown", name, column=shown(column), column_2=close_match(column, KNOWN_COLUMNS)
        )
    if findings.has_errors:
        return None
    return Header(places, tuple(rounds[number] for number in range(1, last + 1)), len(row))


def _report_missing(findings: Findings, name: str, column: str, unknown: Sequence[str]) -> None:
    import difflib  # noqa: PLC0415 - start-up loads it only when needed

    similar = difflib.get_close_matches(column, unknown, 1)
    findings.add(
        "column-missing.report-missing",
        name,
        column=column,
        word=f"Rename {shown(similar[0])} to {column!r}." if similar else f"Add the column {column!r}.",
    )

"""One table, streamed: rows by the columns that its header line names, in whatever words."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import BinaryIO, NamedTuple

from ratebook.findings import Findings, Place
from ratebook.formats.archive import SourceError, refused
from ratebook.formats.contract import DayOrder
from ratebook.formats.reading.dates import Days
from ratebook.formats.reading.sheets.encodings import orders_in
from ratebook.formats.reading.sheets.header import (
    COMMENT,
    MOST_ROWS_ABOVE,
    PARTS_OF_NAMES,
    TableKind,
    find_header,
    is_comment,
)
from ratebook.formats.reading.sheets.lines import RowCount, lines_of

SEPARATORS = ",;\t|"
_SEPARATOR_LINE = re.compile(r"sep=([,;\t])\s*", re.IGNORECASE)
_HEAD = 1 << 14


_TOTAL = re.compile(
    r"(?:(?:grand|sub)[ -]?)?totals?\b.*|(?:sum|count|average|mean|number of \w+)\s*:?", re.IGNORECASE
)
_FIGURE = re.compile(r"[-+]?[0-9][0-9.,\s]*%?", re.ASCII)


class SheetLine(NamedTuple):
    """A row below the header: where it is, and its cells that are not empty, by column."""

    where: Place
    cells: Mapping[str, str]


def separator_of(lines: Sequence[str]) -> str:
    """Return what separates the cells: the sign of which one line has the most, or else more lines have any.

    Comments do not count.

    >>> separator_of(["Spring Open, 2026", "id;name;regular"]), separator_of(["id;name", "2;Baker, Example"])
    (';', ';')
    """
    told = next((match for line in lines if (match := _SEPARATOR_LINE.fullmatch(line))), None)
    if told:
        return told[1]
    counted = [line for line in lines if line[:1] != COMMENT or line[1:2] != " "]

    def found(sign: str) -> tuple[int, int]:
        counts = [line.count(sign) for line in counted]
        return max(counts, default=0), sum(map(bool, counts))

    return max(SEPARATORS, key=found)


def first_rows(lines: Sequence[str]) -> list[list[str]]:
    """Return the rows at the beginning of a table, as far as single lines show them."""
    lines = [line.removeprefix("\ufeff") for line in lines]
    try:
        return list(csv.reader(lines, delimiter=separator_of(lines)))
    except csv.Error:
        return []


def is_total(row: Sequence[str]) -> bool:
    """Return whether *row* has totals: a word that says so, and beside it at most figures.

    >>> is_total(["", "Total", "", "300"]), is_total(["Total: 300"]), is_total(["90000001", "Total, Ann"])
    (True, True, False)
    """
    word, *others = [cell.strip() for cell in row if cell.strip()] or [""]
    return bool(_TOTAL.fullmatch(word)) and all(map(_FIGURE.fullmatch, others))


class Sheet:
    """The rows of a table in a stream, with findings of what is wrong with it as a whole.

    Attributes:
        header: where the columns are.
        days: reads its dates.

    Raises:
        SourceError: it cannot be read any further (from reading, too).
    """

    def __init__(
        self, stream: BinaryIO, name: str, findings: Findings, kind: TableKind, order: DayOrder | None = None
    ) -> None:
        self.name = name
        self._findings = findings
        self._count = RowCount()
        self.days = Days(findings, order, lambda: orders_in(stream))
        lines = lines_of(stream, name, self._count)
        head = list(_head_of(lines))
        # Strict: a quotation mark that never closes would quietly swallow the rest of the list.
        self._reader = csv.reader(chain(head, lines), delimiter=separator_of(head), strict=True)
        inner = Findings()
        try:
            header, self._rows = find_header(inner, Place(file=f"{name}"), self._counted(), kind)
        except csv.Error as failure:
            raise self._broken(failure) from failure
        notes = inner.of_file(name)
        for one in notes:
            if header is not None or one is not notes[-1]:
                findings.append(one)
        if header is None:
            raise SourceError(notes[-1])
        self.header = header
        self._count.width = header.width

    def _counted(self) -> Iterator[list[str]]:
        for row in self._reader:
            self._count.rows += 1
            yield row

    def _broken(self, failure: csv.Error) -> SourceError:
        return refused("list-unreadable.broken", self.name, self._reader.line_num, failure=failure)

    @property
    def where(self) -> Place:
        """The row that was read last, for findings."""
        return Place(file=self.name, line=self._reader.line_num)

    def __iter__(self) -> Iterator[Sequence[str]]:
        """Yield the rows below the header, without comments; rows of totals are noted and left out."""
        row: Sequence[str] = []
        totals: list[int] = []
        try:
            for row in self._rows:
                if is_total(row):
                    totals.append(self._reader.line_num)
                    row = [""] * self.header.width  # noqa: PLW2901 - however short, it is whole
                elif not is_comment(row):
                    yield row
        except csv.Error as failure:
            raise self._broken(failure) from failure
        self._count.report(self._findings, row, self.where)
        if totals:
            place = Place(file=self.name, line=totals[0])
            self._findings.add("list-totals-left", place, number=len(totals))
        self.days.note(self.name)

    def line(self, row: Sequence[str]) -> SheetLine:
        """Return the cells of the row that was read last; a row that is too long is reported."""
        where, width = self.where, self.header.width
        self._count.look_at(row, where)
        if any(cell.strip() for cell in row[width:]):
            self._findings.add("list-row-too-long", where, title_count=width)
        cells = {
            title: cell
            for title, at in self.header.places.items()
            if at < len(row) and title not in PARTS_OF_NAMES and (cell := row[at].strip())
        }
        if name := self.header.name_of(row):
            cells["name"] = name
        return SheetLine(where, cells)


def _head_of(lines: Iterator[str]) -> Iterator[str]:
    """Yield the first lines, in which the header must be."""
    size = 0
    for number, line in enumerate(lines, start=1):
        yield line.removeprefix("\ufeff") if number == 1 else line
        size += len(line)
        if number >= MOST_ROWS_ABOVE or size > _HEAD:
            return

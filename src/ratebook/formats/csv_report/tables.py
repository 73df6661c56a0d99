"""The tables of one sheet or file: each begins with a header, below the name of its section."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from ratebook.findings import Findings, Place
from ratebook.formats.csv_report.columns import KIND
from ratebook.formats.reading.cells import cell_in, small_number
from ratebook.formats.reading.sheets.header import Header, find_header, is_comment, titles_of

_TITLES_OF_SECOND = 2


class CountedRows(Iterator[list[str]]):
    """Rows of a file with the *number* of the last one that was read."""

    def __init__(self, rows: Iterable[list[str]]) -> None:
        self._rows = iter(rows)
        self.number = 0

    def __next__(self) -> list[str]:
        row = next(self._rows)
        self.number += 1
        return row


class TablePart(NamedTuple):
    """A table as it stands: its header, and the rows below it with their numbers."""

    header: Header
    lines: list[tuple[int, list[str]]]

    def goes_on(self, following: "TablePart") -> bool:
        """Return whether *following* is the same table, whose header was printed again on another page."""
        last, first = self.seat_of(-1), following.seat_of(0)
        return bool(
            not following.header.above
            and titles_of(self.header.titles) == titles_of(following.header.titles)
            and last
            and first
            and last < first
        )

    def seat_of(self, at: int) -> int | None:
        """Return the number of the player in a row; None where the table does not say it."""
        cells = self.lines[at][1] if self.lines else []
        return small_number(cell_in(cells, self.header.places.get("seat")).rstrip("."))


def parts_of(
    findings: Findings, place: Place, rows: Iterator[list[str]], meant: Mapping[str, str]
) -> list[TablePart]:
    """Return the tables in the *rows* of a file; none with findings.

    Rows of a single cell above a header say something of its table, not of the one before.

    Raises:
        csv.Error: a row cannot be read.
        TooMuchError: there are more rows than any report has.
    """
    parts: list[TablePart] = []
    above: list[list[str]] = []
    before: int | None = None
    while True:
        header, below = find_header(findings, place.but(line=before), chain(above, rows), KIND, meant)
        if header is None:
            return []
        part, above = TablePart(header, []), []
        for number, row in enumerate(below, start=header.row + 1):
            if not any(map(str.strip, row)) or is_comment(row):
                continue
            if _is_second_header(header, row):
                above = [row]
                while part.lines and sum(bool(cell.strip()) for cell in part.lines[-1][1]) == 1:
                    above.insert(0, part.lines.pop()[1])
                before = number - len(above)
                break
            part.lines.append((number, row))
        if parts and parts[-1].goes_on(part):
            parts[-1].lines.extend(part.lines)
        else:
            if parts and not header.above and "seat" not in header.places:
                findings.add("second-table", place.but(rows=(header.row,)), number=header.row)
            parts.append(part)
        if not above:
            return parts


def _is_second_header(header: Header, row: list[str]) -> bool:
    """Return whether *row*, below *header*, names columns too, at least two of them in the same words."""
    same = {*titles_of(row)} & {*titles_of(header.titles)} - {""}
    return len(same) >= _TITLES_OF_SECOND and KIND.is_header(row)

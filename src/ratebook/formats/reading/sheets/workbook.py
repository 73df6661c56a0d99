"""What workbooks of all kinds become: each sheet a CSV file, within bounds, so that one reader reads all."""

from collections.abc import Sequence

from ratebook.findings import Finding, Place, finding
from ratebook.formats.archive import Room, SourceFile
from ratebook.formats.reading.spreadsheet import csv_text

MOST_ROWS = 200_000
MOST_COLUMNS = 500
_MOST_LOOKED_AT = 20_000_000
"""Cells of a sheet, blank ones too: formats of whole columns make millions of them."""


class SheetText:
    """A sheet that becomes CSV, row by row; there must be *room* for it.

    Blank rows and cells after the last ones with a text are no part of it. A sheet that is too large has a fault, and
    the rows before that.

    Attributes:
        fault: why not all rows were taken.
    """

    def __init__(self, name: str, room: Room) -> None:
        self._name = name
        self._room = room
        self._lines: list[str] = []
        self._looked_at = 0
        self.fault: Finding | None = None

    def add(self, number: int, row: Sequence[str]) -> None:
        """Add the *row* with this number, unless there is a fault.

        Raises:
            SourceError: there is no room for it.
        """
        cells = _without_last_blanks(row)
        self._looked_at += len(row)
        if self.fault is not None or not (cells or self._looked_at > _MOST_LOOKED_AT):
            return
        if number > MOST_ROWS or len(cells) > MOST_COLUMNS or self._looked_at > _MOST_LOOKED_AT:
            self.fault = finding(
                "sheet-too-large",
                Place(file=self._name),
                row=number,
                column=len(row),
                most_rows=MOST_ROWS,
                most_columns=MOST_COLUMNS,
            )
            return
        line = csv_text([cells])
        self._room.take(len(line) + number - len(self._lines))
        self._lines += ["\n"] * (number - 1 - len(self._lines))
        self._lines.append(line)

    def file(self) -> SourceFile | None:
        """Return the sheet as a file, None where it holds nothing."""
        if not (self._lines or self.fault):
            return None
        return SourceFile(self._name, "".join(self._lines).encode(), self.fault)


def _without_last_blanks(row: Sequence[str]) -> Sequence[str]:
    width = len(row)
    while width and not row[width - 1]:
        width -= 1
    return row[:width]


def whole_number(text: str, most: int) -> int:
    """Return the whole number from 1 to *most* that *text* is; 1 where it is none."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(most)) else 1
    return max(1, min(number, most))

"""CSV as spreadsheets take it, and sheets of workbooks as CSV.

A text that would be taken for a formula is guarded by a quote in every CSV that is written, and reading takes the guard
away.
"""

import csv
import io
from collections.abc import Iterable, Sequence

from ratebook.findings import Finding, Place, finding
from ratebook.formats.archive import Room, SourceFile

_FORMULA_STARTS = "=+-@\t\r"

MOST_ROWS = 200_000
MOST_COLUMNS = 500
_MOST_LOOKED_AT = 20_000_000
"""Cells of a sheet, blank ones too: formats of whole columns make millions of them."""


def guarded(text: str) -> str:
    """Return *text* with a quote before it where a spreadsheet would take it for a formula.

    >>> guarded("=SUM(A1)"), guarded("'-5"), guarded("O'HARA"), guarded("'TIS")
    ("'=SUM(A1)", "''-5", "O'HARA", "'TIS")
    """
    return f"'{text}" if text.lstrip("'")[:1] in _FORMULA_STARTS and text.strip("'") else text


def unguarded(text: str) -> str:
    """Return *text* as it was before it was `guarded`.

    >>> unguarded("'=SUM(A1)"), unguarded("''-5"), unguarded("'TIS")
    ('=SUM(A1)', "'-5", "'TIS")
    """
    return text[1:] if text[:1] == "'" and guarded(text) != text else text


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    r"""Return *rows* as CSV.

    >>> csv_text([["id", "name"], [1, "ADAMS, EXAMPLE"]])
    'id,name\n1,"ADAMS, EXAMPLE"\n'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


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

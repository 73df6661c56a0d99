"""The lines of a list, streamed: however long the list is, a piece of it at a time is in memory."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ratebook.findings import Findings, Place
from ratebook.formats.archive import refused

LONGEST_LINE = 1 << 16
"""Bytes; no list has lines of this length, and an archive could unpack to one without end."""

_PIECE = 1 << 16
_UNDEFINED = frozenset(b"\x81\x8d\x8f\x90\x9d")
"""Bytes that cp1252 does not know."""


class RowCount:
    """Counts the rows of a list whose rows may take several lines, and those with fewer cells than its header.

    Spreadsheets leave the last cells out, and a file that was cut ends so.

    Attributes:
        rows: how many are completed.
        width: cells of the header.
        ended: whether the list ends with a line feed, once it was read to its end.
    """

    def __init__(self) -> None:
        self.rows = 0
        self.width = 0
        self.ended = True
        self._short = 0
        self._first_short: Place | None = None

    def look_at(self, row: Sequence[str], where: Place) -> None:
        """Count *row* if it is short and not blank."""
        if len(row) < self.width and any(row):
            self._short += 1
            self._first_short = self._first_short or where

    def report(self, findings: Findings, last: Sequence[str], where: Place) -> None:
        """Report the short rows, and as an error a list that ends within its *last* row."""
        if not self.ended and len(last) < self.width:
            findings.add("list-cut-short", where, last_count=len(last), width=self.width)
        elif self._first_short is not None:
            findings.add("list-row-too-short", self._first_short, width=self.width, number=self._short)


def lines_of(stream: BinaryIO, name: str, count: RowCount | None = None) -> Iterator[str]:
    """Yield the lines of a text list without their line feeds: each is UTF-8 where valid, else in Windows letters.

    *count* is of the rows made of the lines. Where none is completed from one piece of the list to the next, the
    reading ends, since the row would grow without end.

    Raises:
        SourceError: a line or row is longer than any of a list.
    """
    number = 0
    rest = b""
    rows = -1
    while piece := stream.read(_PIECE):
        piece = rest + piece
        end = piece.rfind(b"\n") + 1
        rest = piece[end:]
        if len(rest) > LONGEST_LINE or (count is not None and count.rows == rows):
            raise refused("list-line-too-long", name, number + 1, longest_line=LONGEST_LINE)
        rows = count.rows if count is not None else rows
        lines = decoded_lines(piece[:end])
        number += len(lines)
        yield from lines
    if rest:
        if count is not None:
            count.ended = False
        yield from decoded_lines(rest + b"\n")


def decoded_lines(data: bytes) -> list[str]:
    """Return the lines of *data*, which ends with a line feed; each may be in another encoding."""
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError:
        lines = []
        for line in data.split(b"\n"):
            try:
                lines.append(line.decode())
            except UnicodeDecodeError:
                # The usual Windows letters, each byte of which is a letter only here.
                lines.append(line.decode("cp1252" if _UNDEFINED.isdisjoint(line) else "latin-1"))
    lines.pop()
    return lines

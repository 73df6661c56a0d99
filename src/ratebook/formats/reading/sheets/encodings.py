"""The letters of a table: whatever encoding and line ends a spreadsheet saved, as UTF-8 with line feeds."""

import io
from collections import Counter
from typing import Any, BinaryIO, TypeAlias

from ratebook.bounded_files import MOST_BYTES
from ratebook.formats.archive import too_large
from ratebook.formats.contract import DayOrder
from ratebook.formats.reading.dates import told_orders
from ratebook.formats.source import UTF16_MARKS

Peekable: TypeAlias = "io.BufferedReader[Any]"

HEAD = 1 << 16
_PIECE = 1 << 16
_LONGEST_DATE = len("13/12/2026")


def utf16_of(data: bytes) -> str | None:
    """Return which UTF-16 the text that begins with *data* is in, None where it is in none.

    Spreadsheets save "Unicode text" without a mark, too: then every other byte of the header is zero.

    >>> utf16_of("id,name".encode("utf-16-le")), utf16_of(b"id,name")
    ('utf-16-le', None)
    """
    if data.startswith(UTF16_MARKS):
        return "utf-16"
    if data[1:8:2] == b"\0\0\0\0":
        return None if data[:1] == b"\0" else "utf-16-le"
    return "utf-16-be" if data[:8:2] == b"\0\0\0\0" else None


def as_plain_text(stream: Peekable, name: str) -> Peekable:
    """Return *stream* as UTF-8 where it is UTF-16, and with line feeds where its lines end with carriage returns.

    Such files come from spreadsheets, so that they are small: they are read whole, within the bounds of a source.

    Raises:
        SourceError: it is too large.
    """
    head = stream.peek(HEAD)
    encoding = utf16_of(head)
    if encoding is None and (b"\0" in head or b"\r" not in head or b"\n" in head):
        return stream
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise too_large(name)
    text = data if encoding is None else data.decode(encoding, "replace").encode()
    plain = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return io.BufferedReader(io.BytesIO(plain), HEAD)


def orders_in(stream: BinaryIO) -> Counter[DayOrder]:
    """Return how many dates in the whole of *stream* tell each order of day and month; its place is kept."""
    place = stream.tell()
    stream.seek(0)
    orders: Counter[DayOrder] = Counter()
    rest = ""
    while piece := stream.read(_PIECE):
        text = rest + piece.decode("latin-1")
        orders += told_orders(text)
        rest = text[-_LONGEST_DATE:]
    stream.seek(place)
    return orders

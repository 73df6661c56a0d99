"""OpenDocument spreadsheets (.ods): the sheets of LibreOffice and of many servers, streamed by the XML parser.

Source: OpenDocument 1.3, part 3, sections 9.1 (tables) and 19.387 ff. (values). A document type is refused. Rows and
cells that are repeated a million times, as LibreOffice writes blank ones, are counted and not made.
"""

from collections.abc import Callable
from typing import Protocol

from ratebook.formats.archive import Room, SourceError, SourceFile, refused
from ratebook.formats.reading.spreadsheet import MOST_COLUMNS, SheetText

CONTENT = "content.xml"
MIMETYPE = b"application/vnd.oasis.opendocument.spreadsheet"

_CELLS = frozenset(("table-cell", "covered-table-cell"))
_BLANKS = frozenset(("s", "tab", "line-break"))
_MOST_REPEATED = 1 << 20


def sheets_of_content(content: bytes, name: str, room: Room) -> list[SourceFile]:
    """Return the sheets in *content*, the text of the OpenDocument file *name*, that hold anything, as CSV.

    Raises:
        SourceError: it is broken, or there is no *room* for it.
    """
    reader = _Content(name, room)
    read_xml(content, reader, lambda reason: refused("excel-unreadable.opendocument", name, reason=reason))
    files = [sheet.file() for sheet in reader.sheets]
    return [file for file in files if file is not None]


class XmlListener(Protocol):
    """What takes the elements of an XML text in their order; names are a namespace, a blank and the name."""

    def start(self, tag: str, attributes: dict[str, str], /) -> None:
        """An element begins."""

    def text(self, text: str, /) -> None:
        """It has a text, in pieces."""

    def end(self, tag: str, /) -> None:
        """It ends."""


def read_xml(content: bytes, listener: XmlListener, refusal: Callable[[str], SourceError]) -> None:
    """Tell *listener* what is in an XML text, streamed.

    Raises:
        SourceError: the *refusal* of a text that is broken or declares a document type, for this reason.
    """
    from xml.parsers.expat import ExpatError, ParserCreate  # noqa: PLC0415 - start-up: only workbooks need it

    def refuse(*_: object) -> None:
        raise refusal("it declares a document type")

    parser = ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = listener.start
    parser.EndElementHandler = listener.end
    parser.CharacterDataHandler = listener.text
    try:
        parser.Parse(content, True)
    except SourceError:
        raise
    except (ExpatError, LookupError, ValueError) as failure:
        # Encodings that Python does not know, or that the parser cannot take.
        raise refusal(str(failure)) from failure


class _Content:
    """Takes the rows of one table after the other.

    Attributes:
        sheets: those that were begun.
    """

    def __init__(self, name: str, room: Room) -> None:
        self.sheets: list[SheetText] = []
        self._name = name
        self._room = room
        self._open: list[str] = []
        self._number = 0
        self._row: list[str] = []
        self._words: list[str] = []
        self._value = ""
        self._repeated = 1
        self._row_repeated = 1

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin a table, a row or a cell."""
        name = tag.rpartition(" ")[2]
        values = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        if name == "table" and "table-cell" not in self._open:
            self.sheets.append(SheetText(f"{self._name}/{values.get('name', '')}", self._room))
            self._number = 0
        elif name == "table-row":
            self._row = []
            self._row_repeated = _whole_number(values.get("number-rows-repeated", "1"), _MOST_REPEATED)
        elif name in _CELLS:
            self._words = []
            self._repeated = _whole_number(values.get("number-columns-repeated", "1"), _MOST_REPEATED)
            self._value = _value(values)
        elif name in _BLANKS and self._is_in_cell():
            self._words.append(" ")
        self._open.append(name)

    def _is_in_cell(self) -> bool:
        """Return whether a paragraph of a cell is open, and no comment in it."""
        return "p" in self._open and self._open[self._open.index("p") - 1] in _CELLS

    def text(self, text: str) -> None:
        """Take a piece of the text of a cell."""
        if self._is_in_cell():
            self._words.append(text)

    def end(self, _tag: str) -> None:
        """Take the cell or the row that ends."""
        name = self._open.pop()
        if name == "p" and self._open and self._open[-1] in _CELLS:
            self._words.append(" ")
        elif name in _CELLS:
            cell = self._value or " ".join("".join(self._words).split())
            # Blank cells that end a row are dropped later; one more than the bound shows that it is passed.
            room = MOST_COLUMNS + 1 - len(self._row)
            self._row += [cell] * min(self._repeated, max(room, 1 if cell else 0))
        elif name == "table-row" and self.sheets:
            sheet, first = self.sheets[-1], self._number + 1
            self._number += self._row_repeated
            for number in range(first, first + self._row_repeated) if any(self._row) else ():
                sheet.add(number, self._row)
                if sheet.fault is not None:
                    break


def _value(values: dict[str, str]) -> str:
    """Return the value of a cell as it would be typed, empty where its text says it."""
    kind = values.get("value-type", "")
    if kind == "date":
        return values.get("date-value", "").removesuffix("T00:00:00")
    if kind == "boolean":
        return "yes" if values.get("boolean-value") == "true" else "no"
    if kind in {"float", "currency", "percentage"}:
        return values.get("value", "")
    return ""


def _whole_number(text: str, most: int) -> int:
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(most)) else 1
    return max(1, min(number, most))

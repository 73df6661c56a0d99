"""Workbooks: Excel (.xlsx, .xlsm, .xls) and OpenDocument (.ods); each sheet becomes CSV, so that one reader reads all.

An archive is unpacked within the bounds of a source before its XML is looked at, a document type is refused, and the
text of the cells is bounded, since many cells can share one long text. Source: ECMA-376, part 1, sections 18.2
(workbook), 18.3 (sheets), 18.4 (shared texts), 18.8 (styles) and 18.17.4 (days). Old files (.xls) are read by xlrd,
where the extra ``excel`` is installed.
"""

import io
import posixpath
import re
from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from importlib.util import find_spec
from typing import IO, NamedTuple

from ratebook.bounded_files import MOST_BYTES
from ratebook.formats.archive import (
    COMPOUND_SIGNATURE,
    UNREADABLE_ZIP,
    ZIP_SIGNATURE,
    Room,
    SourceError,
    SourceFile,
    refused,
    unpacked_members,
)
from ratebook.formats.reading.sheets.opendocument import CONTENT, MIMETYPE, read_xml, sheets_of_content
from ratebook.formats.reading.spreadsheet import MOST_COLUMNS, SheetText

OLD_EXCEL = ("Workbook", "Book")
"""Names of what is in an old Excel file."""

_WORKBOOK = "xl/workbook.xml"
_RELATIONS = "xl/_rels/workbook.xml.rels"
_BEGINNING = 200
_MOST_ROWS = 1 << 20
_TRUE = frozenset({"1", "true", "on"})
_FIRST_DAY = datetime(1899, 12, 30)  # noqa: DTZ001 - a cell has no time zone
_FIRST_DAY_1904 = datetime(1904, 1, 1)  # noqa: DTZ001 - as above
_NO_LEAP_DAY = 60
"""Excel counts a 29 February 1900, which there was not; the days before it are counted one less."""
_SECONDS_OF_A_DAY = 86_400
_DAY_FORMATS = frozenset(map(str, (*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59))))
"""Numbers of the built-in formats of days and times."""
_NOT_A_FORMAT = re.compile(r'"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]|;.*', re.IGNORECASE | re.DOTALL)
_ELAPSED = re.compile(r"\[[hms]+\]", re.IGNORECASE)
_OF_DAYS = re.compile(r"[dmyhs]", re.IGNORECASE)
_ESCAPED = re.compile(r"_x(0009|000[aAdD]|005[fF])_")


def is_workbook(stream: IO[bytes]) -> bool:
    """Return whether *stream* is an Excel or OpenDocument file that can be read here."""
    beginning = stream.read(len(COMPOUND_SIGNATURE))
    if beginning == COMPOUND_SIGNATURE:
        data = stream.read(MOST_BYTES)
        return any(has_stream(data, name) for name in OLD_EXCEL) and find_spec("xlrd") is not None
    if not beginning.startswith(ZIP_SIGNATURE):
        return False
    import zipfile  # noqa: PLC0415 - start-up: only archives need it

    try:
        with zipfile.ZipFile(stream) as archive:
            names = archive.namelist()
        stream.seek(0)
        # An OpenDocument file begins with its kind, which is not packed.
        return _WORKBOOK in names or (CONTENT in names and MIMETYPE in stream.read(_BEGINNING))
    except (*UNREADABLE_ZIP, zipfile.BadZipFile):
        return False


def sheets_of(data: bytes, name: str, room: Room | None = None) -> tuple[SourceFile, ...]:
    """Return each sheet of the workbook in *data* that holds anything, as CSV.

    Args:
        data: the bytes of the workbook.
        name: the path of the file.
        room: for what is packed in an archive with others.

    Raises:
        SourceError: it is broken or too large.
    """
    text_room = Room(name, MOST_BYTES) if room is None else room
    title = name.rsplit("/", 1)[-1]
    if data.startswith(COMPOUND_SIGNATURE):
        return _sheets_of_old_excel(data, title, text_room)
    members = dict(unpacked_members(data, name, room))
    if _WORKBOOK not in members:
        return tuple(sheets_of_content(members[CONTENT], title, text_room))
    return _ExcelFile(members, title).sheets(text_room)


def has_stream(data: bytes, name: str) -> bool:
    """Return whether a file that keeps several streams, in *data*, has one of this *name*."""
    return f"{name}\0".encode("utf-16-le") in data


def _sheets_of_old_excel(data: bytes, name: str, room: Room) -> tuple[SourceFile, ...]:
    import xlrd  # noqa: PLC0415 - an extra, which old files alone need

    def cell_text(cell: xlrd.sheet.Cell) -> str:
        if cell.ctype == xlrd.XL_CELL_NUMBER:
            return _typed_number(cell.value)
        if cell.ctype == xlrd.XL_CELL_DATE:
            return _typed_day(cell.value, "day", _FIRST_DAY_1904 if book.datemode else _FIRST_DAY)
        if cell.ctype == xlrd.XL_CELL_BOOLEAN:
            return "yes" if cell.value else "no"
        if cell.ctype == xlrd.XL_CELL_ERROR:
            return str(xlrd.error_text_from_code.get(cell.value, ""))
        return _in_one_line(cell.value)

    files = []
    try:
        # Rows end with their last cell, and one sheet is in memory at a time; what it complains of is not printed.
        book = xlrd.open_workbook(file_contents=data, logfile=io.StringIO(), on_demand=True, ragged_rows=True)
        for number, title in enumerate(book.sheet_names()):
            sheet, text = book.sheet_by_index(number), SheetText(f"{name}/{title}", room)
            for row in range(sheet.nrows):
                text.add(row + 1, [cell_text(cell) for cell in sheet.row(row)])
            book.unload_sheet(number)
            files.append(text.file())
    except SourceError:
        raise
    except Exception as failure:
        reason = str(failure) or type(failure).__name__
        raise refused("excel-unreadable.excel", name, reason=reason) from failure
    return tuple(file for file in files if file is not None)


class _Element(NamedTuple):
    """An element: its name and its attributes, both without namespaces."""

    name: str
    attributes: Mapping[str, str]


class _Listener:
    """Passes on each element that begins, and each that ends with the text in it."""

    def __init__(self, begin: Callable[[_Element], None], take: Callable[[_Element, str], None]) -> None:
        self._begin = begin
        self._take = take
        self._open: list[_Element] = []
        self._words: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        plain = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        self._open.append(_Element(tag.rpartition(" ")[2], plain))
        self._words.clear()
        self._begin(self._open[-1])

    def text(self, text: str) -> None:
        """Keep a piece of its text."""
        self._words.append(text)

    def end(self, _tag: str) -> None:
        """Pass on the element that ends."""
        self._take(self._open.pop(), "".join(self._words))
        self._words.clear()


class _ExcelFile:
    """The parts of an Excel file, by their paths in its archive; *name* is the file's."""

    def __init__(self, members: Mapping[str, bytes], name: str) -> None:
        self._members = members
        self._name = name
        self._first_day = _FIRST_DAY
        self._texts: list[str] = []
        self._formats: list[str] = []

    def sheets(self, room: Room) -> tuple[SourceFile, ...]:
        """Return the sheets that hold anything, in their order."""
        parts, titles = self._relations(), self._titles()
        for path, kind in parts.values():
            if kind == "sharedStrings":
                self._texts = self._shared_texts(path)
            elif kind == "styles":
                self._formats = self._styles(path)
        files = [
            self._sheet(parts[key][0], f"{self._name}/{title}", room).file()
            for title, key in titles
            if parts.get(key, ("", ""))[1] == "worksheet"
        ]
        return tuple(file for file in files if file is not None)

    def _refusal(self, reason: str) -> SourceError:
        return refused("excel-unreadable.excel", self._name, reason=reason)

    def _read(
        self,
        path: str,
        take: Callable[[_Element, str], None] = lambda _element, _text: None,
        begin: Callable[[_Element], None] = lambda _element: None,
    ) -> None:
        """Read a part."""
        if path not in self._members:
            raise self._refusal(f"it has no {path}")
        read_xml(self._members[path], _Listener(begin, take), self._refusal)

    def _relations(self) -> dict[str, tuple[str, str]]:
        """Return path and kind of the parts that the workbook names, by their keys."""
        related: dict[str, tuple[str, str]] = {}

        def begin(element: _Element) -> None:
            if element.name == "Relationship":
                target, kind, key = (element.attributes.get(name, "") for name in ("Target", "Type", "Id"))
                path = posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")
                related[key] = (path, kind.rpartition("/")[2])

        self._read(_RELATIONS, begin=begin)
        return related

    def _titles(self) -> list[tuple[str, str]]:
        """Return title and key of each sheet."""
        titles: list[tuple[str, str]] = []

        def begin(element: _Element) -> None:
            if element.name == "sheet":
                titles.append((element.attributes.get("name", ""), element.attributes.get("id", "")))
            elif element.name == "workbookPr" and element.attributes.get("date1904") in _TRUE:
                self._first_day = _FIRST_DAY_1904

        self._read(_WORKBOOK, begin=begin)
        return titles

    def _shared_texts(self, path: str) -> list[str]:
        texts: list[str] = []
        words = _Words()

        def take(element: _Element, text: str) -> None:
            words.take(element, text)
            if element.name == "si":
                texts.append(words.taken())

        self._read(path, take)
        return texts

    def _styles(self, path: str) -> list[str]:
        """Return the format of each style of cells: ``day``, ``elapsed``, or nothing for numbers."""
        own: dict[str, str] = {}
        formats: list[str] = []
        within: list[str] = []

        def begin(element: _Element) -> None:
            within.append(element.name)
            number = element.attributes.get("numFmtId", "0")
            if element.name == "numFmt":
                own[number] = _kind_of_format(element.attributes.get("formatCode", ""))
            elif element.name == "xf" and "cellXfs" in within:
                formats.append(own.get(number, "day" if number in _DAY_FORMATS else ""))

        def take(_element: _Element, _text: str) -> None:
            within.pop()

        self._read(path, take, begin)
        return formats

    def _sheet(self, path: str, title: str, room: Room) -> SheetText:
        sheet, words = SheetText(title, room), _Words()
        row: list[str] = []
        number, value = 0, ""

        def begin(element: _Element) -> None:
            nonlocal number
            if element.name == "row":
                row.clear()
                number = min(max(int(element.attributes.get("r", "0")), number + 1), _MOST_ROWS)

        def take(element: _Element, text: str) -> None:
            nonlocal value
            words.take(element, text)
            if element.name == "v":
                value = text
            elif element.name == "c":
                cell = self._cell(element.attributes, value, words.taken())
                # One cell more than the bound shows that it is passed.
                column = min(_column(element.attributes.get("r", ""), len(row)), MOST_COLUMNS)
                if cell or column == len(row):
                    row.extend([""] * (column - len(row)))
                    row[column:] = [cell]
                value = ""
            elif element.name == "row":
                sheet.add(number, row)

        self._read(path, take, begin)
        return sheet

    def _cell(self, attributes: Mapping[str, str], value: str, words: str) -> str:
        """Return the *value* of a cell, or the *words* in it, as they would be typed."""
        kind = attributes.get("t", "n")
        if kind == "n" and value:
            return self._number(value, int(attributes.get("s", "0")))
        if kind == "b" and value:
            return "yes" if value in _TRUE else "no"
        if kind == "d":
            return value.removesuffix("T00:00:00")
        text = self._texts[int(value)] if kind == "s" and value else value or words
        return _in_one_line(text)

    def _number(self, value: str, style: int) -> str:
        """Return a number: days as YYYY-MM-DD, whole numbers without a point."""
        kind = self._formats[style] if 0 <= style < len(self._formats) else ""
        number = float(value)
        if kind:
            try:
                return _typed_day(number, kind, self._first_day)
            except OverflowError:
                pass  # a number that is no day is shown as it is
        return str(int(value)) if value.isdecimal() else _typed_number(number)


class _Words:
    """Gathers the text of a cell or of a shared text: its pieces, but not how they are pronounced."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def take(self, element: _Element, text: str) -> None:
        """Take an element that has ended."""
        if element.name == "t":
            self._pieces.append(_ESCAPED.sub(lambda found: chr(int(found[1], 16)), text))
        elif element.name == "rPh":
            del self._pieces[-1:]

    def taken(self) -> str:
        """Return the text, and begin another."""
        text = "".join(self._pieces)
        self._pieces.clear()
        return text


def _in_one_line(text: str) -> str:
    """Return the text of a cell without line breaks, which would shift the numbers of rows."""
    return " ".join(text.splitlines())


def _typed_number(number: float) -> str:
    return repr(int(number)) if number.is_integer() else repr(number)


def _column(cell: str, following: int) -> int:
    """Return the column of a *cell* such as ``B7``, from 0; the *following* one where it is not said.

    >>> _column("A1", 0), _column("BA12", 0), _column("", 3)
    (0, 52, 3)
    """
    column = 0
    for letter in cell.strip("0123456789"):
        column = 26 * column + ord(letter) - ord("A") + 1
    return column - 1 if column > 0 else following


def _kind_of_format(code: str) -> str:
    """Return ``elapsed``, ``day`` or nothing, for what a format of numbers shows.

    >>> [_kind_of_format(code) for code in ("[h]:mm", "[$-409]d/m/yy;@", '0.0 "days"', "[Red]0")]
    ['elapsed', 'day', '', '']
    """
    shown = _NOT_A_FORMAT.sub("", code)
    if _ELAPSED.search(shown):
        return "elapsed"
    return "day" if _OF_DAYS.search(shown) else ""


def _typed_day(number: float, kind: str, first_day: datetime) -> str:
    """Return a day, a time or a span, from the *number* of days."""
    span = timedelta(seconds=round(number * _SECONDS_OF_A_DAY))
    if kind == "elapsed":
        return str(span)
    if 0 <= number < 1:
        return (first_day + span).time().isoformat()
    day = first_day + span
    if first_day == _FIRST_DAY and 0 < number < _NO_LEAP_DAY:
        day += timedelta(days=1)
    return (day.date() if day.time() == time() else day).isoformat()

"""Excel files (.xlsx): each sheet becomes a CSV file, so that one reader reads both.

An archive is unpacked within the bounds of a source before its XML is looked at, a document type is refused, and the
text of the cells is bounded, since many cells can share one long text.
"""

import io
import warnings
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from typing import IO

from ratebook.bounded_files import MOST_BYTES
from ratebook.findings import Place, finding
from ratebook.formats.archive import UNREADABLE_ZIP, SourceError, SourceFile, too_large, unpacked_members
from ratebook.formats.reading.spreadsheet import csv_text

_WORKBOOK = "xl/workbook.xml"
_DOCTYPE = "<!DOCTYPE"
_MOST_ROWS = 200_000
_MOST_COLUMNS = 500


def is_workbook(stream: IO[bytes]) -> bool:
    """Return whether the zip archive in *stream* is an Excel file."""
    import zipfile  # noqa: PLC0415 - start-up: only archives need it

    try:
        with zipfile.ZipFile(stream) as archive:
            return _WORKBOOK in archive.namelist()
    except (*UNREADABLE_ZIP, zipfile.BadZipFile):
        return False


def sheets_of(data: bytes, name: str) -> tuple[SourceFile, ...]:
    """Return each sheet of the Excel file in *data* that holds anything, as CSV.

    Raises:
        SourceError: it is broken or too large.
    """
    members = dict(unpacked_members(data, name))
    import zipfile  # noqa: PLC0415 - start-up: only archives need it

    from openpyxl import load_workbook  # noqa: PLC0415 - start-up: only Excel files need it

    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w") as archive:
        for member, content in members.items():
            if any(_DOCTYPE.encode(encoding) in content for encoding in ("utf-8", "utf-16-le", "utf-16-be")):
                raise SourceError(
                    finding("excel-unreadable", Place(file=name), reason="it declares a document type")
                )
            archive.writestr(member, content)
    room = MOST_BYTES
    sheets: list[SourceFile] = []
    try:
        with warnings.catch_warnings():
            # It warns of styles and extensions, which are no part of a table.
            warnings.simplefilter("ignore")
            workbook = load_workbook(plain, read_only=True, data_only=True)
            for sheet in workbook.worksheets:
                # What a file says of its own size may be wrong.
                sheet.reset_dimensions()
                text = _text_of(sheet.iter_rows(values_only=True), name, room)
                room -= len(text)
                if text.strip("\n"):
                    sheets.append(SourceFile(f"{name.rsplit('/', 1)[-1]}/{sheet.title}", text.encode()))
    except SourceError:
        raise
    except Exception as failure:
        raise SourceError(
            finding("excel-unreadable", Place(file=name), reason=str(failure) or type(failure).__name__)
        ) from failure
    return tuple(sheets)


def _text_of(rows: Iterable[tuple[object, ...]], name: str, room: int) -> str:
    lines: list[str] = []
    for number, row in enumerate(_without_last_blanks(rows), start=1):
        line = csv_text([row])
        room -= len(line)
        if number > _MOST_ROWS or len(row) > _MOST_COLUMNS or room < 0:
            raise too_large(name)
        lines.append(line)
    while lines and not lines[-1].strip("\n,"):
        lines.pop()
    return "".join(lines)


def _without_last_blanks(rows: Iterable[tuple[object, ...]]) -> Iterator[list[str]]:
    for row in rows:
        cells = [_cell(value) for value in row]
        while cells and not cells[-1]:
            cells.pop()
        yield cells


def _cell(value: object) -> str:
    """Return a value as it would be typed: days as YYYY-MM-DD, whole numbers without a point."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return (value.date() if value.time() == time() else value).isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() else repr(value)
    # A line break within a cell would shift the numbers of rows.
    return " ".join(str(value).splitlines())

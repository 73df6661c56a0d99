"""Workbooks: Excel (.xlsx, .xlsm) and OpenDocument (.ods); each sheet becomes a CSV file, so that one reader reads all.

An archive is unpacked within the bounds of a source before its XML is looked at, a document type is refused, and the
text of the cells is bounded, since many cells can share one long text.
"""

import io
import warnings
from datetime import date, datetime, time
from typing import IO

from ratebook.bounded_files import MOST_BYTES
from ratebook.findings import Place, finding
from ratebook.formats.archive import UNREADABLE_ZIP, Room, SourceError, SourceFile, unpacked_members
from ratebook.formats.reading.sheets.opendocument import CONTENT, MIMETYPE, sheets_of_content
from ratebook.formats.reading.spreadsheet import SheetText

_WORKBOOK = "xl/workbook.xml"
_DOCTYPE = "<!DOCTYPE"
_BEGINNING = 200


def is_workbook(stream: IO[bytes]) -> bool:
    """Return whether the zip archive in *stream* is an Excel or OpenDocument file."""
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
    members = dict(unpacked_members(data, name, room))
    text_room = Room(name, MOST_BYTES) if room is None else room
    title = name.rsplit("/", 1)[-1]
    if _WORKBOOK not in members:
        return tuple(sheets_of_content(members[CONTENT], title, text_room))
    try:
        return tuple(_sheets_of_excel(members, name, text_room))
    except SourceError:
        raise
    except Exception as failure:
        raise SourceError(
            finding("excel-unreadable.excel", Place(file=name), reason=str(failure) or type(failure).__name__)
        ) from failure


def _sheets_of_excel(members: dict[str, bytes], name: str, room: Room) -> list[SourceFile]:
    import zipfile  # noqa: PLC0415 - start-up: only archives need it

    from openpyxl import load_workbook  # noqa: PLC0415 - start-up: only Excel files need it

    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w") as archive:
        for member, content in members.items():
            if any(_DOCTYPE.encode(encoding) in content for encoding in ("utf-8", "utf-16-le", "utf-16-be")):
                raise SourceError(
                    finding("excel-unreadable.excel", Place(file=name), reason="it declares a document type")
                )
            archive.writestr(member, content)
    files = []
    with warnings.catch_warnings():
        # It warns of styles and extensions, which are no part of a table.
        warnings.simplefilter("ignore")
        workbook = load_workbook(plain, read_only=True, data_only=True)
        for sheet in workbook.worksheets:
            # What a file says of its own size may be wrong.
            sheet.reset_dimensions()
            text = SheetText(f"{name.rsplit('/', 1)[-1]}/{sheet.title}", room)
            for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
                text.add(number, [_cell(value) for value in row])
                if text.fault is not None:
                    break
            files.append(text.file())
    return [file for file in files if file is not None]


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

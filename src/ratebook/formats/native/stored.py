"""Native reports as a book keeps them."""

from ratebook.formats.contract import ParsedReport
from ratebook.formats.native.read import parse_native_json
from ratebook.formats.native.write import FILE_NAME, write
from ratebook.formats.reading.report_texts import printable
from ratebook.model import Report


def stored_bytes(report: Report) -> bytes:
    """Return a report as a book keeps it.

    Raises:
        UnicodeEncodeError: a text has half of a surrogate pair.
    """
    return write(report).files[FILE_NAME]


def read_stored(data: bytes, name: str) -> ParsedReport:
    """Return the report that a book keeps; what is wrong with it names the file *name*."""
    return printable(parse_native_json(data, name))

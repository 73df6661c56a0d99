"""A table opened from a file: plain text whatever its encoding, or the first sheet of a workbook."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ratebook.bounded_files import MOST_BYTES, opened_stream
from ratebook.findings import Findings, Place
from ratebook.formats.archive import WORKBOOK_SIGNATURES, SourceError, bounded_bytes, refused
from ratebook.formats.reading.sheets.encodings import HEAD, Peekable, as_plain_text
from ratebook.formats.reading.sheets.excel import is_workbook, sheets_of


@contextmanager
def opened_sheet(path: Path, findings: Findings) -> Iterator[Peekable]:
    """Open the table at *path*; of a workbook with several sheets the first one, with a note.

    Raises:
        SourceError: a workbook that is broken, empty or too large.
    """
    with opened_stream(path, HEAD) as stream:
        if not (stream.peek(HEAD).startswith(WORKBOOK_SIGNATURES) and is_workbook(stream)):
            stream.seek(0)
            yield as_plain_text(stream, path.name)
            return
    sheets = sheets_of(bounded_bytes(str(path), MOST_BYTES), path.name)
    if not sheets:
        raise refused("file-empty.report", path.name)
    if sheets[0].fault is not None:
        raise SourceError(sheets[0].fault)
    if len(sheets) > 1:
        findings.add("sheets-left", Place(file=path.name), sheet=sheets[0].name, others=len(sheets) - 1)
    yield io.BufferedReader(io.BytesIO(sheets[0].data), HEAD)

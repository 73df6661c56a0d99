"""Files of other kinds that people give for a report or a list, told by their first bytes: what to do instead."""

import re
from itertools import chain
from typing import NamedTuple

from ratebook.findings import Findings
from ratebook.formats.archive import COMPOUND_SIGNATURE
from ratebook.formats.contract import RESULT_OF_RATING
from ratebook.formats.reading.json import load_json
from ratebook.formats.reading.sheets.excel import OLD_EXCEL, has_stream
from ratebook.formats.reading.text import first_character


class ForeignKind(NamedTuple):
    """What a file is, as the end of a sentence, and what to do with it."""

    kind: str
    remedy: str


_SAVE_AS_TEXT = (
    "Open it in its program and save it as a web page (.htm), or as plain text if it has no table."
)
_SAVE_AS_SHEET = "Open it in its program and save it as .xlsx or CSV."
_GIVE_UPLOAD = "Give the folder with the DBF files of the upload."
_GIVE_EVENT = "Give the .sjson file of an event, or the folder with the DBF files of the upload."
_GIVE_STANDINGS = "Give the standings of a section."
_OLD_EXCEL = ForeignKind(
    "an old Excel file (.xls)",
    f"{_SAVE_AS_SHEET[:-1]}, or install what reads it, from the program's folder: pip install '.[excel]'.",
)
_STREAMS = (
    *((stream, _OLD_EXCEL) for stream in OLD_EXCEL),
    ("WordDocument", ForeignKind("an old Word document (.doc)", _SAVE_AS_TEXT)),
    ("PowerPoint Document", ForeignKind("a presentation (.ppt)", _SAVE_AS_TEXT)),
)
"""Names of what is in such a file, by which Office's are told."""
_SECTION_OF_SWISSSYS = ForeignKind(
    "a section of SwissSys (.S0C)",
    "In SwissSys, make the files of the rating report, and give the folder with the DBF files;"
    " or give the .sjson file of SwissSys 11.",
)
_NAME_OF_A_SECTION = re.compile(r"\.s[0-9]{1,2}c$", re.IGNORECASE | re.ASCII)
_OTHER_COMPOUND = ForeignKind(
    "a file of an old Windows program without a workbook or a document in it",
    "Open it in its program, and export a table as .xlsx or CSV, or a report as TRF or DBF files.",
)
_SIGNATURES = (
    (
        b"\x93\xff\x89\x44",
        ForeignKind(
            "a tournament of Swiss-Manager (.TUNx)",
            "In Swiss-Manager, choose “Other”, “FIDE data export TRF16”, and give the file that it writes.",
        ),
    ),
    (b"{\\rtf", ForeignKind("a Rich Text file (RTF)", _SAVE_AS_TEXT)),
    (b"%PDF-", ForeignKind("a PDF", "Export the report or list from the program that made the PDF.")),
    (b"\x89PNG\r\n", ForeignKind("a picture", "Export the report or list as a file of text.")),
    (b"\xff\xd8\xff", ForeignKind("a picture", "Export the report or list as a file of text.")),
    (b"SQLite format 3\0", ForeignKind("a database (SQLite)", "Export the report or list from its program.")),
)
_RESULT_OF_RATING = ForeignKind("the result of rating a report", "Give the report that it was made from.")
_PATTERNS = (
    (RESULT_OF_RATING, _RESULT_OF_RATING),
    (re.compile(rb"[^|]{0,500}^Seat +Name +Before +After +Change ", re.MULTILINE), _RESULT_OF_RATING),
    (
        re.compile(rb".{4}Standard (?:Jet|ACE) DB", re.DOTALL),
        ForeignKind(
            "a tournament of Papi (.papi), or another database of Access",
            "In Papi, export the tournament as a FIDE report (TRF), and give that file.",
        ),
    ),
    (
        re.compile(rb'\s*\[[A-Z][A-Za-z]* "[^\r\n]*"\]\s'),
        ForeignKind(
            "a file of games (PGN)",
            "PGN has games, but neither pairing numbers nor byes. Export the tournament report (TRF16)"
            " from the pairing program. Without one, write the games line by line, as ratebook template pairings"
            " shows, or type the results with ratebook enter.",
        ),
    ),
    (
        re.compile(rb"\s*\[Setup\][\r\n].{0,2000}?^Version=", re.DOTALL | re.MULTILINE),
        ForeignKind("a tournament of SwissSys (.tmt)", _GIVE_EVENT),
    ),
)
_OFFICE = (
    (b"word/document.xml", ForeignKind("a Word document (.docx)", _SAVE_AS_TEXT)),
    (b"wordprocessingml", ForeignKind("a Word document (.docx)", _SAVE_AS_TEXT)),
    (b"application/vnd.oasis.opendocument.", ForeignKind("an OpenDocument text or drawing", _SAVE_AS_TEXT)),
    (b"Index/Document.iwa", ForeignKind("a Numbers or Pages file", _SAVE_AS_SHEET)),
)
_PAGE = ForeignKind("a web page", "Copy the crosstable into a text file.")
_PAGE_OF_VEGA = ForeignKind(
    "a page of Vega", "In Vega, save the FIDE report of the tournament (TRF), and give that file."
)
_JSON = (
    ("Overview", ForeignKind("data of SwissSys", _GIVE_EVENT)),
    ("NACHEventID", ForeignKind("a report of NAChess", _GIVE_UPLOAD)),
    ("swagger", ForeignKind("the description of an API", _GIVE_STANDINGS)),
    ("openapi", ForeignKind("the description of an API", _GIVE_STANDINGS)),
    ("items", ForeignKind("an answer of the ratings API that has no standings", _GIVE_STANDINGS)),
)
_OTHER_JSON = ForeignKind(
    "JSON without the keys of a native report", "A native report has format, event, players and sections."
)
_HEAD = 1 << 12


def kind_of_file(data: bytes, name: str = "") -> ForeignKind | None:
    r"""Return what kind of foreign file begins with *data*, None where it is of none that is known; *name* may tell.

    >>> kind_of_file(b"{\\rtf1 Example").kind
    'a Rich Text file (RTF)'
    """
    if data.startswith(COMPOUND_SIGNATURE):
        streams = (kind for stream, kind in _STREAMS if has_stream(data, stream))
        return next(streams, _SECTION_OF_SWISSSYS if _NAME_OF_A_SECTION.search(name) else _OTHER_COMPOUND)
    head = data[:_HEAD]
    page = _PAGE_OF_VEGA if b"vegachess.com" in data else _PAGE
    kinds = chain(
        (kind for signature, kind in _SIGNATURES if data.startswith(signature)),
        (kind for pattern, kind in _PATTERNS if pattern.match(data)),
        (kind for mark, kind in _OFFICE if mark in head),
        [page] if b"<html" in head.lower() else [],
    )
    return next(kinds, None)


def kind_of_json(data: bytes) -> ForeignKind | None:
    """Return what JSON that is no report *data* is, None where it is none.

    >>> kind_of_json(b'{"Overview": {}}').kind
    'data of SwissSys'
    """
    if first_character(data) != b"{":
        return None
    values = load_json(Findings(), data, "")
    if not isinstance(values, dict):
        return None
    return next((kind for key, kind in _JSON if key in values), _OTHER_JSON)

"""Reports in every format, by recognition and by each reader alone, and the containers that they come in."""

from __future__ import annotations

import csv
import io
import zipfile
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import openpyxl

from fuzz.readers import Fuzzed, bytes_of
from ratebook.checks import check_report
from ratebook.findings import has_errors
from ratebook.formats import registry
from ratebook.formats.archive import SourceError, SourceFile
from ratebook.formats.crosstable import rating_report
from ratebook.formats.crosstable import read as crosstable
from ratebook.formats.csv_report import read as csv_report
from ratebook.formats.native import read as native
from ratebook.formats.native.write import write as write_native
from ratebook.formats.ratings_api import read as ratings_api
from ratebook.formats.source import Source, source_of_bytes
from ratebook.formats.trf import read as trf
from ratebook.formats.uschess import read as uschess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ratebook.formats.contract import ParsedReport

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
FESTIVAL = EXAMPLES / "festival"
DBF_NAMES = ("THEXPORT.DBF", "TSEXPORT.DBF", "TDEXPORT.DBF")
CUT = b"\n--8<--\n"
"""Between the files of one input."""


def check(parsed: ParsedReport) -> None:
    """Check what was read, and that it is read again from the native report, as a book stores it."""
    if parsed.report is None:
        assert has_errors(parsed.findings), "no report and no error"
        return
    check_report(parsed.report)
    stored = write_native(parsed.report).files["report.json"]
    again = registry.read_report(stored, "again.json")
    assert again.report == parsed.report, [str(one) for one in again.findings[:3]]


def recognised(data: bytes) -> None:
    """Read *data* as whatever it looks like."""
    check(registry.read_report(data, "fuzzed"))


def read_by(parse: Callable[..., ParsedReport], data: bytes) -> None:
    """Read *data* by one reader, whatever it looks like."""
    source = source_of_bytes(data, "fuzzed") if not data.startswith(b"PK") else None
    if source is not None:
        parsed = parse(source, registry.NO_HINTS)
        assert parsed.report is not None or has_errors(parsed.findings), "no report and no error"


def read_dbf(data: bytes) -> None:
    """Read the three files of a US Chess upload, between which *data* is cut."""
    files = (SourceFile(*one) for one in zip(DBF_NAMES, data.split(CUT), strict=False))
    check(registry.parse_source(Source("fuzzed", tuple(files))))


def read_opendocument(data: bytes) -> None:
    """Read an OpenDocument workbook of which *data* is the content."""
    check(registry.read_report(_opendocument(data), "fuzzed.ods"))


def read_archive(data: bytes) -> None:
    """Read *data* as a zip archive."""
    try:
        source = source_of_bytes(b"PK\3\4" + data[4:], "fuzzed.zip")
    except SourceError:
        return
    check(registry.parse_source(source))


def read_excel(data: bytes) -> None:
    """Read a workbook of which one part is *data*, named by its first line, and the rest as a program wrote it."""
    name, _, part = data.partition(b"\n")
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(WORKBOOK)) as old, zipfile.ZipFile(packed, "w") as new:
        for member in old.namelist():
            new.writestr(member, part if member.encode() == name else old.read(member))
    check(registry.read_report(packed.getvalue(), "fuzzed.xlsx"))


def _zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def _workbook(table: str) -> bytes:
    made = openpyxl.Workbook()
    assert made.active is not None
    for row in csv.reader(table.splitlines()):
        made.active.append(row)
    packed = io.BytesIO()
    made.save(packed)
    return packed.getvalue()


def _opendocument(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
    return packed.getvalue()


def _content(table: str) -> bytes:
    """Return *table* as the content of an OpenDocument workbook of one sheet."""
    rows = "".join(
        f"<table:table-row>{cells}</table:table-row>"
        for row in csv.reader(table.splitlines())
        if (
            cells := "".join(
                f"<table:table-cell><text:p>{escape(cell)}</text:p></table:table-cell>" for cell in row
            )
        )
    )
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    return (
        f"<office:document-content {names}><office:body><office:spreadsheet>"
        f'<table:table table:name="Open">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    ).encode()


def _letter() -> bytes:
    letter = EmailMessage()
    letter["Subject"] = "Festival"
    letter.set_content("The results are attached.")
    letter.add_attachment(WORKBOOK, maintype="application", subtype="octet-stream", filename="festival.xlsx")
    return letter.as_bytes()


def _uploads() -> Iterator[Path]:
    yield from (path.parent for path in FESTIVAL.rglob(DBF_NAMES[0]))


def _parts() -> Iterator[bytes]:
    with zipfile.ZipFile(io.BytesIO(WORKBOOK)) as archive:
        for name in archive.namelist():
            yield name.encode() + b"\n" + archive.read(name)


WORKBOOK = _workbook((FESTIVAL / "festival.csv").read_text())
_TEXTS = bytes_of(
    path
    for path in (*EXAMPLES.glob("*.*"), *FESTIVAL.rglob("*.*"), *(EXAMPLES / "club-night").glob("*.csv"))
    if path.suffix != ".DBF"
)
_ALONE = {
    "native": (native, "*.json"),
    "ratings API": (ratings_api, "standings-*.json"),
    "crosstable": (crosstable, "crosstable/*.txt"),
    "rating report": (rating_report, "rating-report-*.txt"),
    "CSV": (csv_report, "*.csv"),
    "TRF": (trf, "trf*/*.trf"),
    "DBF alone": (uschess, "uschess-*/**/*.DBF"),
}
READERS = (
    Fuzzed("reports as recognised", recognised, _TEXTS),
    *(
        Fuzzed(f"reports: {name}", partial(read_by, module.parse), bytes_of(FESTIVAL.glob(where)))
        for name, (module, where) in _ALONE.items()
    ),
    Fuzzed(
        "reports: 2C and 1991",
        read_dbf,
        tuple(CUT.join((folder / name).read_bytes() for name in DBF_NAMES) for folder in _uploads()),
    ),
    Fuzzed("reports: Excel", read_excel, tuple(_parts())),
    Fuzzed("reports: OpenDocument", read_opendocument, (_content((FESTIVAL / "festival.csv").read_text()),)),
    Fuzzed("reports: saved messages", recognised, (_letter(),)),
    Fuzzed(
        "archives",
        read_archive,
        (
            _zipped({"report.json": (EXAMPLES / "quad.json").read_bytes()}),
            *(_zipped({name: (folder / name).read_bytes() for name in DBF_NAMES}) for folder in _uploads()),
        ),
    ),
)

"""OpenDocument spreadsheets, typed by hand as LibreOffice writes them, and what would grow without end in them."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from datetime import date

import pytest

from ratebook.formats.archive import SourceError
from ratebook.formats.contract import Hints
from ratebook.formats.reading import spreadsheet
from ratebook.formats.reading.sheets import excel
from ratebook.formats.registry import parse_source
from ratebook.formats.source import source_of_bytes

NAMES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)
HEAD = f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {NAMES}><office:body><office:spreadsheet>'
FOOT = "</office:spreadsheet></office:body></office:document-content>"
TABLE = """\
<table:table table:name="Open"><table:table-column table:number-columns-repeated="5"/>
<table:table-row><table:table-cell office:value-type="string" table:number-columns-spanned="3">
<text:p>Dates<text:s text:c="2"/></text:p></table:table-cell>
<table:covered-table-cell table:number-columns-repeated="2"/>
<table:table-cell office:value-type="date" office:date-value="2026-10-03"><text:p>03.10.26</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>to</text:p></table:table-cell>
<table:table-cell office:value-type="date" office:date-value="2026-10-04T00:00:00"><text:p>x</text:p></table:table-cell>
</table:table-row>
<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="1024"/>
</table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>#</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>Name</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>Rating</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>R1</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value-type="float" office:value="1"><text:p>1</text:p></table:table-cell>
<table:table-cell office:value-type="string"><office:annotation><text:p>a comment</text:p></office:annotation>
<text:p>Heron, <text:span>Alice</text:span></text:p></table:table-cell>
<table:table-cell office:value-type="float" office:value="1500.5"><text:p>1500,5</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>W2w</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value-type="float" office:value="2"><text:p>2</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>Alder, Bruno</text:p></table:table-cell>
<table:table-cell/><table:table-cell office:value-type="string"><text:p>L1b</text:p></table:table-cell>
<table:table-cell table:number-columns-repeated="1020"/></table:table-row>
<table:table-row table:number-rows-repeated="1048560"><table:table-cell table:number-columns-repeated="16384"/>
</table:table-row></table:table>
<table:table table:name="Empty"><table:table-row><table:table-cell/></table:table-row></table:table>
"""
TEXT = '<table:table-cell office:value-type="string"{}><text:p>{}</text:p></table:table-cell>'


def packed(content: str, *, mimetype: str = "application/vnd.oasis.opendocument.spreadsheet") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", mimetype, zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)
    return out.getvalue()


def table(rows: str) -> bytes:
    return packed(f'{HEAD}<table:table table:name="S">{rows}</table:table>{FOOT}')


def test_a_sheet_has_its_values_and_not_what_is_shown_of_them() -> None:
    source = source_of_bytes(packed(HEAD + TABLE + FOOT), "open.ods")
    assert [(file.name, file.fault) for file in source.files] == [("open.ods/Open", None)]
    assert source.files[0].data.decode().splitlines() == [
        "Dates,,,2026-10-03,to,2026-10-04",
        "",
        "",
        "#,Name,Rating,R1",
        '1,"Heron, Alice",1500.5,W2w',
        '2,"Alder, Bruno",,L1b',
    ]
    report = parse_source(source, Hints(time_control="G/90;d5")).report
    assert report is not None
    assert report.sections[0].end == date(2026, 10, 4)
    assert report.players["seat-1"].pairing_rating == 1500.5


ROW = '<table:table-row table:number-rows-repeated="{}">{}</table:table-row>'
LIMITLESS = {
    "rows": ROW.format(1_048_574, TEXT.format("", "x")),
    "columns": ROW.format(9, TEXT.format(' table:number-columns-repeated="16384"', "x")),
    "far": ROW.format(1_048_574, "<table:table-cell/>") + ROW.format(1, TEXT.format("", "x")),
}


@pytest.mark.parametrize("rows", LIMITLESS.values(), ids=LIMITLESS)
def test_what_is_repeated_without_end_is_bounded_and_a_fault_of_its_sheet(
    rows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spreadsheet, "MOST_ROWS", 10_000)
    tracemalloc.start()
    (file,) = source_of_bytes(table(rows), "bomb.ods").files
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert file.fault is not None
    assert file.fault.code == "sheet-too-large"
    assert most < 8_000_000


def test_a_long_text_that_is_repeated_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel, "MOST_BYTES", 1_000_000)
    rows = ROW.format(1000, TEXT.format("", "x" * 30_000))
    with pytest.raises(SourceError) as caught:
        source_of_bytes(table(rows), "bomb.ods")
    assert caught.value.finding.code == "source-too-large"


@pytest.mark.parametrize(
    "content",
    ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', "<a>", "\x00", '<?xml version="1.0" encoding="UF-8"?><a/>'],
)
def test_a_broken_file_and_a_document_type_are_findings(content: str) -> None:
    with pytest.raises(SourceError) as caught:
        source_of_bytes(packed(content), "broken.ods")
    assert caught.value.finding.code == "excel-unreadable"


def test_a_text_document_is_no_spreadsheet() -> None:
    data = packed(HEAD + FOOT, mimetype="application/vnd.oasis.opendocument.text")
    assert [found.code for found in parse_source(source_of_bytes(data, "a.odt")).findings] == [
        "format-unknown"
    ]

"""Excel files typed by hand, part by part, and what openpyxl writes."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime, time, timedelta
from pathlib import Path

import openpyxl
import pytest

from ratebook.formats.archive import SourceError
from ratebook.formats.reading.sheets import excel
from ratebook.formats.registry import read_report
from ratebook.formats.source import source_of_bytes

OLD = Path(__file__).with_name("old.xls")
"""Typed by hand into xlwt 1.3.0, which wrote it."""
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = f"""<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="a" Type="{TYPE}/worksheet" Target="worksheets/one.xml"/>
<Relationship Id="b" Type="{TYPE}/sharedStrings" Target="/xl/texts.xml"/>
<Relationship Id="c" Type="{TYPE}/styles" Target="styles.xml"/>
<Relationship Id="d" Type="{TYPE}/chartsheet" Target="chartsheets/two.xml"/></Relationships>"""
TEXTS = f"""<sst {MAIN}><si><t>Adams, Ann</t></si><si>
<r><t>Clark</t></r><r><t xml:space="preserve">, Cy_x000D_</t></r><rPh sb="0" eb="1"><t>kurāku</t></rPh></si></sst>"""
STYLES = f"""<styleSheet {MAIN}><numFmts><numFmt numFmtId="164" formatCode="[$-409]d\\-mmm;@"/>
<numFmt numFmtId="165" formatCode="[h]:mm"/><numFmt numFmtId="166" formatCode='0 "days"'/></numFmts>
<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
<cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>"""


def excel_file(rows: str, settings: str = "", **parts: str) -> bytes:
    """Return an Excel file whose sheet has these *rows*; *parts* take the place of those above."""
    book = f"""<workbook {MAIN} xmlns:r="{TYPE}">{settings}<sheets><sheet name="Open" sheetId="1" r:id="a"/>
    <sheet name="Chart" sheetId="2" r:id="d"/></sheets></workbook>"""
    sheet = f"<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>"
    contents = {"workbook": book, "worksheets/one": sheet, "texts": TEXTS, "styles": STYLES, **parts}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/_rels/workbook.xml.rels", RELATIONS)
        for name, text in contents.items():
            archive.writestr(f"xl/{name}.xml", text)
    return out.getvalue()


def lines(data: bytes) -> list[str]:
    (file,) = source_of_bytes(data, "open.xlsx").files
    assert (file.name, file.fault) == ("open.xlsx/Open", None)
    return file.data.decode().splitlines()


def test_texts_are_those_that_are_shown_wherever_they_are_kept() -> None:
    rows = """<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c></row>
    <row><c t="inlineStr"><is><t>Baker,
    Bob</t></is></c><c/><c t="str"><f>A1</f><v>W2</v></c><c t="e"><v>#N/A</v></c><c t="b"><v>1</v></c></row>"""
    assert lines(excel_file(rows)) == ["", '"Adams, Ann",,"Clark, Cy"', '"Baker,     Bob",,W2,#N/A,yes']


@pytest.mark.parametrize(
    ("settings", "days"),
    [
        ("", "2012-05-13,2012-05-13T12:00:00,18:00:00,1900-01-01,1900-03-01"),
        ('<workbookPr date1904="1"/>', "2016-05-14,2016-05-14T12:00:00,18:00:00,1904-01-02,1904-03-02"),
    ],
)
def test_a_number_is_a_day_where_its_format_shows_one(settings: str, days: str) -> None:
    numbers = (41042, 41042.5, 0.75, 1, 61)
    cells = "".join(f'<c s="{1 + number % 2:.0f}"><v>{number}</v></c>' for number in numbers)
    plain = (
        '<c s="3"><v>1.0625</v></c><c s="4"><v>3.50</v></c><c><v>1.2345671E7</v></c><c s="1"><v>1E300</v></c>'
    )
    day, other = lines(excel_file(f"<row>{cells}</row><row>{plain}</row>", settings))
    assert day == days
    assert other.startswith('"1 day, 1:30:00",3.5,12345671,1000000')


def test_an_old_file_is_read_where_its_library_is() -> None:
    pytest.importorskip("xlrd", reason="the extra excel is not installed")
    kinds, report = OLD.read_bytes(), "open.xls"
    files = source_of_bytes(kinds, report).files
    assert [file.name for file in files] == ["open.xls/Open", "open.xls/Kinds"]
    assert files[0].data.decode().splitlines() == [
        "Spring Open",
        "",
        "No,Name,ID,Rd 1,DOB",
        '1,"Ünal, Ann",12345671,W2,2012-05-13',
        '2,"Baker, Bob",12345672,L1',
    ]
    assert files[1].data.decode() == "1.5,,yes,2012-05-13T19:30:00,09:15:00\n"
    with pytest.raises(SourceError) as caught:
        source_of_bytes(kinds[:1024] + bytes(64) + kinds[1088:], report)
    assert caught.value.finding.code == "excel-unreadable"


def test_without_its_library_an_old_file_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel, "find_spec", lambda _name: None)
    (found,) = read_report(OLD).findings
    assert found.code == "format-unknown"
    assert ".[excel]" in found.remedy


def test_what_another_writer_wrote_is_read_as_it_was_meant() -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Open"
    sheet.append([1, 1.5, "Ünal", date(2012, 5, 13), datetime(2012, 5, 13, 19, 30), time(9, 15), None, True])  # noqa: DTZ001 - a cell has no time zone
    sheet["J3"] = timedelta(hours=30)
    out = io.BytesIO()
    book.save(out)
    assert lines(out.getvalue()) == [
        "1,1.5,Ünal,2012-05-13,2012-05-13T19:30:00,09:15:00,,yes",
        "",
        ',,,,,,,,,"1 day, 6:00:00"',
    ]


@pytest.mark.parametrize("cell", ["SAA1", "XFD1048576"])
def test_a_cell_far_away_is_a_fault_of_its_sheet(cell: str) -> None:
    row = f'<row r="{cell.lstrip("SAXFD")}"><c r="{cell}"><v>1</v></c></row>'
    (file,) = source_of_bytes(excel_file(f"<row><c><v>7</v></c></row>{row}"), "open.xlsx").files
    assert file.data == b"7\n"
    assert file.fault is not None
    assert file.fault.code == "sheet-too-large"


def test_rows_out_of_order_make_no_room() -> None:
    rows = '<row r="150000"><c><v>1</v></c></row>' + '<row r="-9"><c><v>2</v></c></row>' * 2
    assert lines(excel_file(rows))[149_999:] == ["1", "2", "2"]


@pytest.mark.parametrize(
    ("rows", "parts", "reason"),
    [
        ("<row>", {}, "mismatched tag"),
        ('<row><c t="s"><v>9</v></c></row>', {}, "index out of range"),
        ('<row r="x"/>', {}, "invalid literal"),
        ("", {"texts": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}, "document type"),
        ("", {"styles": '<?xml version="1.0" encoding="none-such"?><a/>'}, "unknown encoding"),
    ],
)
def test_a_broken_part_is_a_finding(rows: str, parts: dict[str, str], reason: str) -> None:
    with pytest.raises(SourceError, match=reason) as caught:
        source_of_bytes(excel_file(rows, **parts), "open.xlsx")
    assert caught.value.finding.code == "excel-unreadable"


def test_a_part_that_is_not_there_is_a_finding() -> None:
    sheets = f'<workbook {MAIN}><sheets><sheet name="Open" xmlns:r="{TYPE}" r:id="a"/></sheets></workbook>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("xl/workbook.xml", sheets)
    with pytest.raises(SourceError, match=r"it has no xl/_rels/workbook\.xml\.rels"):
        source_of_bytes(out.getvalue(), "open.xlsx")

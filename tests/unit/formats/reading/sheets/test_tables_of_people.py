"""Reports and lists as people keep them in spreadsheets, typed by hand."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date
from typing import TYPE_CHECKING

import openpyxl
import pytest

from ratebook.findings import NOWHERE, Severity, finding
from ratebook.formats.archive import SourceError
from ratebook.formats.contract import DayOrder, Hints, ParsedReport
from ratebook.formats.csv_report.columns import FACT_COLUMNS
from ratebook.formats.reading.sheets import excel
from ratebook.formats.reading.sheets.player_columns import COLUMNS
from ratebook.formats.registry import parse_source
from ratebook.formats.source import source_of_bytes
from ratebook.model import System
from ratebook.player_lists.read import read_players

if TYPE_CHECKING:
    from pathlib import Path

SHEET = """Spring Open 2026

#\tName\tUSCF ID\tRtng\tSt\tRd 1\tRd 2\tTotal\tDOB
1\tAdams, Ann\t12345671\t1500P12\tNY\tw2\t-H-\t1.5\t5/13/2012
2\tBaker, Bob\tnew\tUNR\tNY\tL-1\tBYE\t1\t4/5/2011
3\tClark, Cy\tNEW\t1400\tNY\t½\tBYE\t2\t
"""
HINTS = Hints(start=date(2026, 5, 1), end=date(2026, 5, 1), time_control="G/60;d5")


def read(data: bytes, hints: Hints = HINTS, name: str = "report.csv") -> ParsedReport:
    return parse_source(source_of_bytes(data, name), hints)


def workbook(*rows: tuple[object, ...]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r"])
def test_a_sheet_of_a_pairing_program_is_read_whatever_its_encoding(encoding: str, end: str) -> None:
    result = read(SHEET.replace("\n", end).encode(encoding))
    assert result.report is not None
    (section,) = result.report.sections
    assert [(entry.seat, entry.player) for entry in section.entries] == [
        (1, "12345671"),
        (2, "seat-2"),
        (3, "seat-3"),
    ]
    assert ["".join(cell.letter for cell in entry.rounds) for entry in section.entries] == ["WH", "LB", "HB"]
    players = result.report.players
    assert [players[key].pairing_rating for key in ("12345671", "seat-2", "seat-3")] == [1500, None, 1400]
    assert players["12345671"].birth_date == date(2012, 5, 13)
    assert players["seat-2"].birth_date == date(2011, 4, 5)
    assert [one.code for one in result.findings if one.severity is not Severity.NOTE] == [
        "total-differs",
        "id-placeholder",
    ]


@pytest.mark.parametrize(
    "word",
    [
        *(
            "applied for",
            "Applied  For",
            "pending",
            "new",
            "none",
            "n/a",
            "N/A",
            "unknown",
            "tba",
            "TBD",
            "tbc",
        ),
        *("to follow", "no id yet", "none yet", "not a member", "will join", "newcomer", "beantragt"),
    ],
)
def test_who_waits_for_an_id_has_none_yet(word: str) -> None:
    result = read(f"seat,id,name,round1\n1,12345671,A,W2\n2,{word},B,L1\n".encode())
    assert result.report is not None
    assert [entry.player for entry in result.report.sections[0].entries] == ["12345671", "seat-2"]
    assert "id-placeholder" in [finding.code for finding in result.findings]


def test_a_date_that_no_other_settles_needs_the_option() -> None:
    data = b"seat,name,birth_date,round1\n1,A,5/6/2012,W2\n2,B,,L1\n"
    assert [one.code for one in read(data).findings] == ["date-order-unclear"]
    for order, day in ((DayOrder.DAY_FIRST, date(2012, 6, 5)), (DayOrder.MONTH_FIRST, date(2012, 5, 6))):
        report = read(data, HINTS._replace(day_order=order)).report
        assert report is not None
        assert report.players["seat-1"].birth_date == day


def test_an_excel_file_is_a_report() -> None:
    data = workbook(
        ("My event",),
        ("No", "Name", "ID", "Rd 1", "DOB"),
        (1, "A", 12345671, "W2", date(2012, 5, 13)),
        (2, "B", 12345672, "L1"),
    )
    report = read(data, name="event.xlsx").report
    assert report is not None
    assert report.players["12345671"].birth_date == date(2012, 5, 13)


def test_an_excel_file_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    data = workbook(*(("x" * 30_000,) for _ in range(40)))
    assert len(data) < 100_000
    monkeypatch.setattr(excel, "MOST_BYTES", 1_000_000)
    with pytest.raises(SourceError) as caught:
        source_of_bytes(data, "bomb.xlsx")
    assert caught.value.finding.code == "source-too-large"


def test_an_excel_file_with_a_document_type_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("xl/workbook.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a/>')
    with pytest.raises(SourceError) as caught:
        source_of_bytes(out.getvalue(), "event.xlsx")
    assert caught.value.finding.code == "excel-unreadable"


def test_a_list_of_a_spreadsheet_brings_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "league.csv"
    text = "League list\nID;First;Last;Rating;Exp;DOB\n12345671;Ann;Adams;1654,35;31/12/2026;13/5/2012\n"
    path.write_bytes(text.encode("utf-16"))
    report = read(SHEET.encode()).report
    assert report is not None
    row = read_players(path, report).players["12345671"]
    assert (row.facts.name, row.facts.birth_date, row.expires) == (
        "Adams, Ann",
        date(2012, 5, 13),
        date(2026, 12, 31),
    )
    assert row.facts.ratings[System.REGULAR].rating == 1654.35


@pytest.mark.parametrize(("data", "kind"), [(b"{\\rtf1 Example}", "RTF"), (b"%PDF-1.7", "PDF")])
def test_a_file_of_another_kind_is_named_for_what_it_is(data: bytes, kind: str) -> None:
    (finding,) = read(data).findings
    assert finding.code == "format-unknown"
    assert kind in finding.message


@pytest.mark.parametrize(
    "code",
    [
        *("birth-date-missing", "unrated-without-birth-date", "cfc-not-used", "rating-date-missing"),
        *("peak-missing", "counts-missing", "record-missing", "record-needed", "life-master-games-missing"),
    ],
)
def test_a_fact_that_is_missing_is_asked_for_by_a_column_of_lists_and_of_csv_reports(code: str) -> None:
    numbers = dict.fromkeys(("games", "assumed", "winner", "loser"), 1.0)
    remedy = finding(code, NOWHERE, system="regular", column="regular_record", player="P1", **numbers).remedy
    columns = set(re.findall(r"[a-z]+(?:_[a-z]+)+", remedy))
    assert columns
    assert columns <= COLUMNS.keys() & FACT_COLUMNS
    assert "--players" in remedy

"""Several files or sheets are sections of one event only where nothing says that they are different events."""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import date
from typing import TYPE_CHECKING

import openpyxl
import pytest

from ratebook.formats.contract import Hints
from ratebook.reports.load import LoadedReport, load_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TABLE = "#,Name,Rating,R1\n1,Ann Lowe,1700,W2\n2,Bo Reyes,1650,L1\n"
OTHERS = TABLE.replace("Ann", "Cy").replace("Bo", "Di")
PACE = Hints(time_control="G/60;d5")


def archive(files: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return buffer.getvalue()


def workbook(sheets: Mapping[str, str]) -> bytes:
    book = openpyxl.Workbook()
    for name, text in sheets.items():
        sheet = book.create_sheet(name)
        for row in csv.reader(text.splitlines()):
            sheet.append(row)
    del book["Sheet"]
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def told(loaded: LoadedReport) -> list[str]:
    return [f"{one.code}.{one.case}" for one in loaded.findings if one.code == "different-events"]


def tables(first: str, second: str) -> dict[str, str]:
    return {"a.csv": f"{first}\n{TABLE}", "b.csv": f"{second}\n{OTHERS}"}


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ("Maple Quads - 7 November 2026", "Oak Open - 21 November 2026", ["different-events.by-days"]),
        ("Maple Quads - 7 November 2026", "Oak Open - 7 November 2026", ["different-events.possible"]),
        ("Maple Quads - 7 November 2026", "Maple Quads - 21 November 2026", ["different-events.possible"]),
        ("Maple Quads - 7 November 2026", "Maple Reserve - 8 November 2026", []),
        ("Open - 6-8 November 2026", "Under 1400 - 8 November 2026", []),
        ("Open - 7 November 2026", "Reserve", []),
    ],
)
@pytest.mark.parametrize("pack", [archive, workbook])
def test_titles_and_days_tell_events_apart(
    first: str, second: str, code: list[str], pack: Callable[[Mapping[str, str]], bytes]
) -> None:
    loaded = load_bytes(pack(tables(first, second)), "club", PACE)
    assert told(loaded) == code
    assert (loaded.report is None) is (code == ["different-events.by-days"])


def test_one_of_them_is_chosen_or_the_name_says_that_they_are_one() -> None:
    data = archive(tables("Maple Quads - 7 November 2026", "Oak Open - 21 November 2026"))
    assert load_bytes(data, "club.zip", PACE).sheets == ("a", "b")
    chosen = load_bytes(data, "club.zip", PACE._replace(sheet="b")).report
    assert chosen is not None
    assert (chosen.event.name, len(chosen.sections)) == ("Oak Open", 1)
    named = load_bytes(data, "club.zip", PACE._replace(name="Autumn Games"))
    assert (told(named), named.report is None) == ([], False)


@pytest.mark.parametrize(
    ("titles", "event"),
    [
        ({"Open": "Fall Swiss — Open", "Reserve": "Fall Swiss — Reserve"}, "Fall Swiss"),
        ({"Open": "Fall Swiss: Open", "Reserve": "Fall Swiss: Reserve"}, "Fall Swiss"),
        ({"Open": "Fall Swiss Open", "U1400": "Fall Swiss U1400"}, "Fall Swiss"),
        ({"Sheet1": "Fall Swiss - Open", "Sheet2": "Fall Swiss - Reserve"}, "Fall Swiss"),
        ({"Open": "Fall Swiss", "Reserve": "Fall Swiss"}, "Fall Swiss"),
        ({"Open": "Fall Swiss - Open"}, "Fall Swiss"),
        ({"Open": "Open", "Reserve": "Reserve"}, ""),
    ],
)
def test_the_event_is_what_the_titles_of_sheets_have_in_common(titles: dict[str, str], event: str) -> None:
    book = {name: f"{title}\n7 November 2026\n{TABLE}" for name, title in titles.items()}
    report = load_bytes(workbook(book), "club.xlsx", PACE).report
    assert report is not None
    assert report.event.name == event
    assert [section.name for section in report.sections] == list(titles)


def test_a_table_that_is_a_file_of_its_own_keeps_its_title() -> None:
    report = load_bytes(f"Spring Open\n7 November 2026\n{TABLE}".encode(), "open.csv", PACE).report
    assert report is not None
    assert (report.event.name, report.sections[0].name) == ("Spring Open", "")


def test_events_that_are_named_in_a_column_differ() -> None:
    rows = "event_name,end,seat,name,round1\nMaple,2026-11-07,1,Ann Lowe,W2\nMaple,2026-11-07,2,Bo Reyes,L1\n"
    loaded = load_bytes(archive({"a.csv": rows, "b.csv": rows.replace("Maple", "Oak")}), "club.zip", PACE)
    assert told(loaded) == ["different-events.stated"]


TRF = """\
012 {name}
042 2026/11/{day}
052 2026/11/{day}
122 G/60;d5
001    1      Lowe, Ann                         1700                             1.0    1     2 w 1
001    2      Reyes, Bo                         1650                             0.0    2     1 b 0
"""
CROSSTABLE = """\
{name}
Event Date(s) 2026-11-{day} thru 2026-11-{day}
-------------------------------------------------
 Pair | Player Name                     |Total|Round|
 Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |
-------------------------------------------------
    1 | ANN LOWE                        |1.0  |W   2|
   NY | 90000001 / R: 1794   ->1803     |     |W    |
-------------------------------------------------
    2 | BO REYES                        |0.0  |L   1|
   NJ | 90000002 / R: 1655   ->1655     |     |B    |
-------------------------------------------------
"""


@pytest.mark.parametrize("text", [TRF, CROSSTABLE])
def test_other_formats_tell_events_apart_likewise(text: str) -> None:
    files = {
        "a.txt": text.format(name="Maple Quads", day="07"),
        "b.txt": text.format(name="Oak Open", day=21),
    }
    loaded = load_bytes(archive(files), "club.zip", PACE)
    assert (told(loaded), loaded.report, loaded.sheets) == (["different-events.by-days"], None, ("a", "b"))
    chosen = load_bytes(archive(files), "club.zip", PACE._replace(sheet="b")).report
    assert chosen is not None
    (section,) = chosen.sections
    assert {chosen.event.name, section.name} == {"", "Oak Open"}


def test_one_of_several_reports_that_cannot_be_sections_is_chosen() -> None:
    report = """{"format": "ratebook-report/1", "event": {"name": "%s"}, "players": [{"id": "A"}],
  "sections": [{"number": 1, "start": "2026-11-14", "time_control": "G/90;d5", "end": "2026-11-14",
    "entries": [{"seat": 1, "player": "A", "rounds": []}]}]}"""
    data = archive({"maple.json": report % "Maple", "oak.json": report % "Oak"})
    asked = load_bytes(data, "club.zip")
    assert [one.code for one in asked.findings] == ["several-files"]
    assert asked.sheets == ("maple", "oak")
    chosen = load_bytes(data, "club.zip", Hints(sheet="oak")).report
    assert chosen is not None
    assert chosen.event.name == "Oak"


ROUNDS = {
    "Round 1": "White,Black,Result\nAnn Lowe,Bo Reyes,1-0\nCy Ward,Di Marsh,0-1",
    "Round 2": "White,Black,Result\nDi Marsh,Ann Lowe,0-1\nBo Reyes,Cy Ward,1/2",
}
WHEN = PACE._replace(end=date(2026, 11, 14))


def test_a_sheet_of_one_round_is_read_alone() -> None:
    both = load_bytes(workbook(ROUNDS), "rounds.xlsx", WHEN).report
    assert both is not None
    assert [len(entry.rounds) for entry in both.sections[0].entries] == [2] * 4
    chosen = load_bytes(workbook(ROUNDS), "rounds.xlsx", WHEN._replace(sheet="round 1"))
    assert chosen.report is not None
    assert [len(entry.rounds) for entry in chosen.report.sections[0].entries] == [1] * 4
    assert "option-unused" not in [finding.code for finding in chosen.findings]


def test_a_sheet_that_no_report_has_is_an_error() -> None:
    result = load_bytes(workbook(ROUNDS), "rounds.xlsx", WHEN._replace(sheet="Rnd1"))
    assert result.report is None
    (only,) = result.findings
    assert only.code == "sheet-unknown"
    assert "'Round 1', 'Round 2'" in only.message

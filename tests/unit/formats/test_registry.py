"""The content decides how a report is read."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import Severity
from ratebook.formats.contract import is_unreadable
from ratebook.formats.registry import read_report
from ratebook.formats.results.rated import explanations_as_json, rated_as_csv, rated_as_json

END = date(2026, 11, 14)
ROOT = Path(__file__).parents[3]
CROSSTABLE = (ROOT / "examples" / "quad-crosstable.txt").read_bytes()
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504
NATIVE = b"""{"format": "ratebook-report/1", "players": [{"id": "A"}],
  "sections": [{"number": 1, "start": "2026-11-14", "time_control": "G/90;d5", "end": "2026-11-14",
    "entries": [{"seat": 1, "player": "A", "rounds": []}]}]}"""


@pytest.mark.parametrize("data", [NATIVE, b"\n  " + NATIVE, b"\xef\xbb\xbf\r\n" + NATIVE])
def test_a_native_report_is_known_by_its_brace(data: bytes) -> None:
    result = read_report(data, "whatever.txt")
    assert result.findings == ()
    assert result.report is not None


def test_a_crosstable_is_known_by_its_lines() -> None:
    result = read_report(CROSSTABLE, "whatever.json", start=END, end=END, time_control="G/45;d5")
    assert result.findings == ()
    assert result.report is not None
    assert result.report.sections[0].time_control == "G/45;d5"


def test_an_option_that_a_native_report_does_not_need_is_noted() -> None:
    result = read_report(NATIVE, "quad.json", end=END, time_control="G/5")
    (only,) = result.findings
    assert (only.code, only.severity) == ("option-unused", Severity.NOTE)
    assert "--end, --time-control" in only.message


def test_what_a_native_report_leaves_open_is_filled_by_the_options() -> None:
    """A remedy that names an option must work."""
    open_report = NATIVE.replace(b'"start": "2026-11-14", "time_control": "G/90;d5", ', b"")
    bare = read_report(open_report, "quad.json")
    assert [finding.code for finding in bare.findings] == ["start-missing"]
    filled = read_report(open_report, "quad.json", start=date(2026, 11, 13), time_control="G/60;d5")
    assert filled.findings == ()
    assert filled.report is not None
    (section,) = filled.report.sections
    assert (section.start, section.time_control) == (date(2026, 11, 13), "G/60;d5")


def test_a_time_control_that_cannot_be_read_is_replaced_by_the_option() -> None:
    slow = NATIVE.replace(b"G/90;d5", b"slow")
    replaced = read_report(slow, "quad.json", time_control="G/60;d5")
    assert [finding.code for finding in replaced.findings] == ["record-replaced"]
    assert replaced.report is not None
    assert replaced.report.sections[0].time_control == "G/60;d5"


def test_a_time_control_in_words_is_kept_in_notation() -> None:
    result = read_report(NATIVE.replace(b"G/90;d5", b"1 hour + 10 sec"), "quad.json")
    assert [finding.code for finding in result.findings] == ["time-control-assumed"]
    assert result.report is not None
    assert result.report.sections[0].time_control == "G/60;+10"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_text_in_utf_16_is_read(encoding: str) -> None:
    mark = {"utf-16": b"", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}[encoding]
    result = read_report(mark + NATIVE.decode().encode(encoding), "quad.json")
    assert result.report is not None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file-empty"),
        (b"\n\n", "file-empty"),
        (b"1. e4 e5 2. Nf3", "format-unknown"),
        (b"\x03\x7e\x01\x01" + b"\0" * 40, "format-unknown"),
        (b"a|b|c\nd|e|f", "format-unknown"),
        (b"[1, 2]", "format-unknown"),
    ],
)
def test_anything_else_is_an_error_that_says_what_is_accepted(data: bytes, code: str) -> None:
    result = read_report(data, "game.pgn")
    assert result.report is None
    (only,) = result.findings
    assert (only.code, only.where) == (code, "game.pgn")
    assert code == "file-empty" or "native report" in only.remedy or "docs/formats" in only.remedy


@pytest.mark.parametrize(
    ("text", "where", "case", "words"),
    [
        (
            "Board,Name,ID\n1,Alice Heron,90000001\n",
            "report.txt, line 1",
            "columns",
            ("'Board', 'Name', 'ID'", "a number (#)", "rounds (Rd 1"),
        ),
        (
            "Heron Open\n\n#    Rating   Total\n1    1500     2.5\n",
            "report.txt, line 3",
            "columns",
            ("'#', 'Rating', 'Total'", "a name", "rounds (Rd 1"),
        ),
        (
            "1. Heron 1-0 Alder\n2. Beck 0-1 Heron\n",
            "report.txt, line 1",
            "without-rounds",
            ("'1. Heron 1-0",),
        ),
        (
            "Dear office,\nhere it comes.\n",
            "report.txt",
            "text",
            ("'Dear office,'", "a number, a name and rounds"),
        ),
    ],
)
def test_a_text_that_is_no_report_is_told_what_it_lacks(
    text: str, where: str, case: str, words: tuple[str, ...]
) -> None:
    (only,) = read_report(text.encode(), "report.txt").findings
    assert (only.code, only.where, only.case) == ("format-unknown", where, case)
    assert all(word in only.message for word in words), only.message
    assert "ratebook template report" in only.remedy or case == "without-rounds"


def test_a_word_document_is_named() -> None:
    """It is a zip archive of XML."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(
            "[Content_Types].xml", "<Types><Override ContentType='x.wordprocessingml.document'/></Types>"
        )
        archive.writestr("word/document.xml", "<w:document>1. Heron 1-0 Alder</w:document>")
    (only,) = read_report(buffer.getvalue(), "results.docx").findings
    assert (only.code, "a Word document (.docx)" in only.message) == ("format-unknown", True)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b'{"Overview": {"Players": 4}}', "data of SwissSys"),
        (b'{"NACHEventID": "1", "Sections": []}', "a report of NAChess"),
        (b'{"items": [{"id": "1"}], "pageSize": 50}', "an answer of the ratings API that has no standings"),
        (b'{"memo": 1}', "JSON without the keys of a native report"),
        (b"{\\rtf1\\ansi -----", "a Rich Text file (RTF)"),
        (b'{"swagger": "2.0", "paths": {}}', "the description of an API"),
        (b'[Event "Quad"]\n[Site "?"]\n\n1. e4 e5 1-0\n', "a file of games (PGN)"),
        (
            b"\0\1\0\0Standard Jet DB\0" + b"\0" * 40,
            "a tournament of Papi (.papi), or another database of Access",
        ),
        (b"\x93\xff\x89\x44\0\0\0\0", "a tournament of Swiss-Manager (.TUNx)"),
        (b"[Setup]\r\nName=Open\r\nVersion=8\r\n", "a tournament of SwissSys (.tmt)"),
        (OLE + "WordDocument\0".encode("utf-16-le"), "an old Word document (.doc)"),
        (OLE + b"\0" * 600, "a file of an old Windows program without a workbook or a document in it"),
        (b"<!doctype html>\n<html><body>none", "a web page"),
    ],
)
def test_a_file_that_is_known_but_no_report_is_named(data: bytes, what: str) -> None:
    (only,) = read_report(data, "file").findings
    assert only.code == "format-unknown"
    assert only.message == f"The report is in no known format; the file looks like {what}."


@pytest.mark.parametrize(
    "result",
    [
        json.dumps(rated_as_json((), ()), indent=2),
        json.dumps(explanations_as_json((), ()), indent=2),
        rated_as_csv(()),
        (
            "Quad - Section 1 - OTB Regular and Quick\n"
            "Seat  Name       Before  After  Change  Quick before  Quick after  Quick change  Pts  R1\n"
            "   1  Ash, Tom     1800   1810     +10          1700         1712           +12    1  W2\n"
            "   2  Bay, Una     1750   1740     -10          1650         1638           -12    0  L1\n"
        ),
    ],
)
def test_what_rating_wrote_is_refused_for_the_report_that_it_was_made_from(result: str) -> None:
    (only,) = read_report(result.encode(), "file").findings
    assert only.message.endswith("looks like the result of rating a report.")
    assert only.remedy == "Give the report that it was made from."


def test_a_printed_crosstable_of_one_system_is_a_report() -> None:
    printed = (
        "Quad - Section 1 - OTB Regular\n"
        "Seat  Name      Before   After  Change  Pts  R1\n"
        "   2  Bay, Una  1750P9  1760P10    +10    1  W1\n"
        "   1  Ash, Tom    1800     1790    -10    0  L2\n"
    )
    result = read_report(printed.encode(), "rated.txt", end=END, time_control="G/90;d5")
    assert result.report is not None, result.findings
    ratings = {player.name: player.pairing_rating for player in result.report.players.values()}
    assert ratings == {"Bay, Una": 1750, "Ash, Tom": 1800}


def test_a_section_of_swisssys_is_told_by_its_name_too() -> None:
    (only,) = read_report(OLE, "Open.S1C").findings
    assert "looks like a section of SwissSys (.S0C)." in only.message


@pytest.mark.parametrize(
    ("name", "data", "code", "words"),
    [
        (
            "club.xls",
            bytes(range(128, 256)) * 9 + b"\0",
            "format-unknown",
            "it is neither a workbook nor text",
        ),
        (
            "club.xls",
            b"see you on Friday\n",
            "format-unknown",
            "it is text that begins with 'see you on Friday'",
        ),
        (
            "club.xlsx",
            b"PK\3\4" + b"\0" * 300,
            "zip-unreadable",
            "The workbook is damaged, cut off or protected",
        ),
    ],
)
def test_a_file_that_is_called_a_workbook_is_said_to_be_none(
    name: str, data: bytes, code: str, words: str
) -> None:
    (only,) = read_report(data, name).findings
    assert (only.code, words in only.message) == (code, True)
    assert "SwissSys" not in only.message + only.remedy


SWISSSYS_FILES = {
    "event.sjson": b'{"Overview": {"Name": "Autumn Quad"}, "Sections": [{"players": []}]}',
    "settings.json": b'{"x": 1}',
    "Event Report.json": b'{"NACHEventID": "", "Players": [{"Name": "EXAMPLE"}]}',
    "standings.html": b"<html><body>EXAMPLE</body></html>",
    "players.txt": b"1 EXAMPLE\n",
}
"""What lies beside the upload in five folders of pairing programs (invented)."""


@pytest.mark.parametrize("beside", SWISSSYS_FILES)
@pytest.mark.parametrize("zipped", [False, True])
def test_the_folder_of_a_pairing_program_is_read_for_the_upload_in_it(
    beside: str, tmp_path: Path, *, zipped: bool
) -> None:
    uploads = (ROOT / "examples" / "festival" / "uschess-2c").iterdir()
    files = {path.name: path.read_bytes() for path in uploads} | {beside: SWISSSYS_FILES[beside]}
    where = tmp_path / "upload.zip" if zipped else tmp_path
    if zipped:
        with zipfile.ZipFile(where, "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
    else:
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
    result = read_report(where)
    assert result.report is not None
    assert len(result.report.sections) == 4
    assert [one.code for one in result.findings].count("file-not-read") == 1


def test_other_reports_of_a_folder_are_named_in_a_warning_and_errors_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "quad.txt").write_text("Round 1\nAlder 1-0 Beck\nRound 2\nBeck 0-1 Alder\n")
    (tmp_path / "open.csv").write_text("#,Name,Rd 1\n1,Alder,W2\n2,Beck,L1\n")
    (tmp_path / "notes.md").write_text("Bring clocks.\n")
    findings = read_report(tmp_path).findings
    (left,) = [finding for finding in findings if finding.code == "reports-not-read"]
    assert left.severity is Severity.WARNING
    assert "'open.csv'" in left.message
    assert "notes.md" not in left.message
    assert {each.place.file for each in findings if each.severity is Severity.ERROR} == {"quad.txt"}


@given(data=st.binary(max_size=300))
def test_any_bytes_yield_findings_and_never_an_exception(data: bytes) -> None:
    result = read_report(data, "file")
    assert (result.report is None) == is_unreadable(result.findings)

"""Reports are read in a child with little memory and time: what is too much for it is a finding, never a failure."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from datetime import date
from pathlib import Path
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

import pytest
from openpyxl import Workbook

from ratebook.book.failures import BookError
from ratebook.formats.contract import DayOrder, Hints
from ratebook.reports.load import load_bytes
from ratebook.web.trial import reading
from ratebook.web.trial.child import MEGABYTE, Limits
from ratebook.web.trial.reading import read_in_child
from ratebook.web.trial.task import ReportBounds

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = Path(__file__).parents[4] / "examples"
HINTS = Hints(date(2026, 8, 29), date(2026, 8, 30), "G/60;d5", day_order=DayOrder.DAY_FIRST)


def zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def workbook_with_much(content: bytes) -> bytes:
    """Return an Excel file whose one sheet is *content*."""
    plain, out = io.BytesIO(), io.BytesIO()
    Workbook().save(plain)
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for one in old.namelist():
            new.writestr(one, content if one.endswith("sheet1.xml") else old.read(one))
    return out.getvalue()


@pytest.mark.parametrize("name", ["festival/festival.json", "quad-crosstable.txt"])
def test_the_child_reads_what_the_program_reads(name: str) -> None:
    data = (EXAMPLES / name).read_bytes()
    assert read_in_child(data, name, HINTS) == load_bytes(data, name, HINTS)


@pytest.mark.parametrize(
    "make",
    [
        lambda: zipped("report.json", bytes(65 * MEGABYTE)),
        lambda: workbook_with_much(
            b"<worksheet><sheetData>" + b"<row><c><v>1</v></c></row>" * (4 * MEGABYTE)
        ),
        lambda: b"[" * (8 * MEGABYTE),
        lambda: b'{"format": "ratebook-report/1", "players": [' + b"{}," * (2 * MEGABYTE),
    ],
    ids=["zip bomb", "Excel bomb", "nested", "8 MB"],
)
def test_what_is_too_much_is_a_finding(make: Callable[[], bytes]) -> None:
    loaded = read_in_child(make(), "sent", limits=Limits(memory=300 * MEGABYTE))
    assert loaded.report is None
    assert [one.severity for one in loaded.findings] == ["error"]


@pytest.mark.parametrize("bounds", [{"sections": 2}, {"players": 10}, {"results": 10}])
def test_a_report_of_more_than_a_server_takes_is_a_finding(bounds: dict[str, int]) -> None:
    name = "festival/festival.json"
    loaded = read_in_child((EXAMPLES / name).read_bytes(), name, bounds=ReportBounds()._replace(**bounds))
    assert (loaded.report, [one.code for one in loaded.findings]) == (None, ["report-not-read"])
    assert "a server takes at most" in loaded.findings[0].message


@pytest.mark.parametrize("limits", [Limits(memory=MEGABYTE), Limits(deadline=0.0)])
def test_a_child_that_is_stopped_is_a_finding(limits: Limits) -> None:
    loaded = read_in_child(b"[" * MEGABYTE, "report.json", limits=limits)
    assert loaded.report is None
    assert [(one.code, one.where) for one in loaded.findings] == [("report-not-read", "report.json")]
    assert "more memory or time" in loaded.findings[0].message


def test_a_child_that_breaks_off_is_a_finding_and_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(reading, "FileToRead", lambda *_: "not what it is told")
    loaded = read_in_child(b"{}", "report.json")
    assert "an error in the program" in loaded.findings[0].message
    assert "ValidationError" in caplog.text


def test_an_answer_that_is_no_report_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "read", os.fsencode)
    loaded = read_in_child(b"{}", "report.json")
    assert (loaded.report, [finding.code for finding in loaded.findings]) == (None, ["report-not-read"])


def test_the_child_writes_no_file_and_starts_no_program(tmp_path: Path) -> None:
    script = (
        "from ratebook.web.trial.child import Limits, take_limits\n"
        "take_limits(Limits())\n"
        "try: open('left', 'wb', buffering=0).write(b'x')\n"
        "except OSError as failure: print(failure.strerror)\n"
        "try: print(*[open('/dev/null') for _ in range(99)])\n"
        "except OSError as failure: print(failure.strerror)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == ["File too large", "Too many open files"]


def test_who_finds_all_turns_taken_is_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "WAIT_SECONDS", 0.0)
    turns = BoundedSemaphore(1)
    turns.acquire()
    with pytest.raises(BookError) as caught:
        read_in_child(b"{}", "report.json", turns=turns)
    assert caught.value.finding.code == "reading-busy"

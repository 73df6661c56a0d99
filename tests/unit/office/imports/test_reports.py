"""A folder or zip archive of reports comes in, each report for itself; an import can be started again."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from ratebook.book import schema
from ratebook.book.connection import Actor
from ratebook.book.submissions import Status, read_findings, read_submission
from ratebook.findings import Severity
from ratebook.formats.registry import built_in, write_report
from ratebook.office.imports import reports as importing_reports
from ratebook.office.imports.reports import ImportedReports, import_reports
from ratebook.office.queue.submit import Incoming, fix, reject, submit_within
from ratebook.reports import folders
from ratebook.reports.load import load_bytes
from support.book_reports import add_members, member_id, report

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ratebook.book.connection import Book, Connection
    from ratebook.model import Report
    from unit.templates import BookAfter

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
TODAY = date(2026, 11, 20)
ROUNDS = ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]


def native(one: Report) -> bytes:
    target = built_in("native")
    return next(iter(write_report(one, target).files.values()))


def reports_of(count: int) -> dict[str, bytes]:
    """Return files of reports, a day after the other."""
    return {
        f"{number:03}.json": native(
            report(f"2025-03-{number:02}", [1, 2, 3, 4], ROUNDS, event_id=f"202503{number:02}0001")
        )
        for number in range(1, count + 1)
    }


def folder_of(place: Path, files: Mapping[str, bytes]) -> Path:
    for name, data in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return place


def zip_of(place: Path, files: Mapping[str, bytes]) -> Path:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    path = place / "reports.zip"
    path.write_bytes(out.getvalue())
    return path


def imported(book: Book, place: Path, *accepted: str) -> ImportedReports:
    return import_reports(book, place, TODAY, ACTOR, accepted=accepted or ("all",))


def counts(result: ImportedReports) -> tuple[int, int, int, int]:
    return result.files, result.ready, result.held, result.already


def submissions(book: Book) -> int:
    with book.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(schema.submissions)).scalar_one())


@pytest.fixture
def four(file_after: BookAfter) -> Book:
    """Give a SQLite book with four members."""
    return file_after(add_four)


def add_four(book: Book) -> None:
    add_members(book, 4)


def test_a_folder_without_a_table_comes_in_by_name(book: Book, tmp_path: Path) -> None:
    add_members(book, 4)
    steps: list[tuple[int, int]] = []
    place = folder_of(tmp_path / "in", reports_of(3))
    result = import_reports(
        book, place, TODAY, ACTOR, accepted=["all"], progress=lambda done, total: steps.append((done, total))
    )
    assert counts(result) == (3, 3, 0, 0)
    assert [one.file for one in result.reports] == ["001.json", "002.json", "003.json"]
    assert [one.event_id for one in result.reports] == [f"202503{day:02}0001" for day in (1, 2, 3)]
    assert (steps[0], steps[-1]) == ((0, 3), (3, 3))


def test_a_table_says_when_a_report_came_and_what_its_format_cannot_say(four: Book, tmp_path: Path) -> None:
    target = built_in("crosstable")
    one = report("2025-03-01", [1, 2, 3, 4], ROUNDS, event_id="202503010007")
    text = next(iter(write_report(one, target).files.values()))
    table = (
        b"file,received,event_id,start,end,time_control,type,online,event_name\n"
        b"a.txt,2025-03-03,202503010007,2025-03-01,2025-03-01,G/90;d5,swiss,,Spring Open\n"
    )
    place = folder_of(tmp_path / "in", {"reports.csv": table, "reports/a.txt": text, "reports/b.txt": text})
    result = imported(four, place)
    assert counts(result) == (1, 1, 0, 0)
    assert [finding.code for finding in result.findings] == ["import-files-left"]
    with four.reading() as connection:
        stored = read_submission(connection, 1)
    assert stored is not None
    assert (stored.received, stored.event_id, stored.source_name) == (
        date(2025, 3, 3),
        "202503010007",
        "a.txt",
    )
    assert '"G/90;d5"' in stored.report
    assert '"Spring Open"' in stored.report


def test_bad_rows_of_the_table_are_findings_and_the_other_reports_come_in(four: Book, tmp_path: Path) -> None:
    table = (
        b"file,received,type,online\n"
        b"001.json,2025-03-05,,\n"
        b"002.json,yesterday,,\n"
        b"../003.json,2025-03-05,,\n"
        b"001.json,2025-03-05,,\n"
        b"003.json,2025-03-05,festival,\n"
        b",2025-03-05,,\n"
        b"003.json,2025-03-05,,perhaps\n"
    )
    place = folder_of(tmp_path / "in", {**reports_of(3), "reports.csv": table})
    result = imported(four, place)
    assert counts(result) == (1, 1, 0, 0)
    assert [(finding.code, finding.where) for finding in result.findings] == [
        ("date-unreadable", "reports.csv, line 3, received"),
        ("import-file-missing", "reports.csv, line 4, file"),
        ("import-row-twice", "reports.csv, line 5"),
        ("section-type-unknown", "reports.csv, line 6, type"),
        ("list-value-missing", "reports.csv, line 7, file"),
        ("list-value-unreadable", "reports.csv, line 8, online"),
    ]


@pytest.mark.parametrize("prefix", ["", "demo/"])
def test_an_archive_is_as_good_as_a_folder(four: Book, tmp_path: Path, prefix: str) -> None:
    files = {f"{prefix}reports/{name}": data for name, data in reports_of(3).items()}
    table = "file,received\n" + "".join(f"{number:03}.json,2025-04-01\n" for number in (3, 1))
    result = imported(four, zip_of(tmp_path, {f"{prefix}reports.csv": table.encode(), **files}))
    assert counts(result) == (2, 2, 0, 0)
    assert [one.file for one in result.reports] == ["003.json", "001.json"]


def test_the_files_of_a_folder_in_the_folder_are_one_report(four: Book, tmp_path: Path) -> None:
    target = built_in("uschess-2c")
    one = report("2025-03-01", [1, 2, 3, 4], ROUNDS, event_id="202503010001")
    tables = write_report(one, target).files
    assert len(tables) == 3
    files = {f"upload/{name}": data for name, data in tables.items()}
    assert counts(imported(four, folder_of(tmp_path / "in", files))) == (1, 1, 0, 0)
    assert counts(imported(four, zip_of(tmp_path, {**files, **reports_of(2)}))) == (3, 1, 0, 2)


def test_what_came_in_is_left_out_whatever_became_of_it(four: Book, tmp_path: Path) -> None:
    files = reports_of(3)
    files["004.json"] = b"{"
    files["005.json"] = native(report("2025-03-05", [1, 2, 3, 9], ROUNDS, event_id="202503050001"))
    place = folder_of(tmp_path / "in", files)
    assert counts(imported(four, place)) == (5, 3, 2, 0)
    reject(four, [2], "it was not played", ACTOR)
    mended = report("2025-03-05", [1, 2, 3, 4], ROUNDS, event_id="202503050001")
    assert fix(four, 5, load_bytes(native(mended), "005.json"), "005.json", ACTOR).status is Status.READY
    assert counts(imported(four, place)) == (5, 0, 0, 5)
    assert submissions(four) == 6


def test_an_import_that_was_interrupted_goes_on_where_it_stopped(
    four: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = folder_of(tmp_path / "in", reports_of(9))
    monkeypatch.setattr(importing_reports, "REPORTS_AT_ONCE", 2)

    class Stopped(Exception):  # noqa: N818 - it is no error
        pass

    def stop(done: int, total: int) -> None:
        assert total == 9
        if done >= 4:
            raise Stopped

    with pytest.raises(Stopped):
        import_reports(four, place, TODAY, ACTOR, accepted=["all"], progress=stop)
    assert submissions(four) == 4
    assert counts(imported(four, place)) == (9, 5, 0, 4)
    assert submissions(four) == 9


def test_a_transaction_that_does_not_end_leaves_nothing_of_its_reports(
    four: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = folder_of(tmp_path / "in", reports_of(5))
    monkeypatch.setattr(importing_reports, "REPORTS_AT_ONCE", 3)

    def killed(connection: Connection, incoming: Incoming, *given: object, **named: object) -> object:
        if incoming.name == "005.json":
            raise KeyboardInterrupt
        return submit_within(connection, incoming, *given, **named)  # type: ignore[arg-type] # handed on as it came

    monkeypatch.setattr(importing_reports, "submit_within", killed)
    with pytest.raises(KeyboardInterrupt):
        imported(four, place)
    assert submissions(four) == 3
    monkeypatch.setattr(importing_reports, "submit_within", submit_within)
    assert counts(imported(four, place)) == (5, 2, 0, 3)


def test_warnings_hold_a_report_back_until_they_are_accepted(four: Book, tmp_path: Path) -> None:
    place = folder_of(tmp_path / "in", reports_of(1))
    result = imported(four, place, "no-such-code")
    assert counts(result) == (1, 0, 1, 0)
    number = result.reports[0].number
    assert number is not None
    with four.reading() as connection:
        codes = {
            one.finding.code
            for one in read_findings(connection, number)
            if one.finding.severity is Severity.WARNING
        }
    assert "report-late" in codes
    assert "membership-expired" not in codes


def test_a_report_that_came_under_an_id_that_was_merged_since_is_known_again(
    four: Book, tmp_path: Path
) -> None:
    place = folder_of(tmp_path / "in", reports_of(2))
    imported(four, place)
    with four.writing() as connection:
        connection.execute(
            schema.members.insert().values(
                id=member_id(8),
                name="",
                folded_name="",
                state="",
                canadian_resident=False,
                usa_flag=False,
                fide_opt_in=False,
            )
        )
        connection.execute(
            schema.members.update()
            .where(schema.members.c.id == member_id(4))
            .values(merged_into=member_id(8))
        )
    assert counts(imported(four, place)) == (2, 0, 0, 2)


@pytest.mark.parametrize(
    ("files", "code"), [({"../a.json": b"{}"}, "zip-path-outside"), ({"/a.json": b"{}"}, "zip-path-outside")]
)
def test_paths_outside_the_archive_are_refused(
    four: Book, tmp_path: Path, files: dict[str, bytes], code: str
) -> None:
    result = imported(four, zip_of(tmp_path, files))
    assert [finding.code for finding in result.findings] == [code]
    assert submissions(four) == 0


def test_an_archive_that_grows_beyond_its_bounds_is_refused(
    four: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "MOST_BYTES", 100_000)
    bomb = zip_of(tmp_path, {"a.json": b" " * 1_000_000, **reports_of(1)})
    result = imported(four, bomb)
    assert counts(result) == (2, 1, 1, 0)
    with four.reading() as connection:
        found = {one.finding.code for number in (1, 2) for one in read_findings(connection, number)}
    assert "source-too-large" in found
    monkeypatch.setattr(folders, "MOST_REPORTS", 1)
    assert [finding.code for finding in imported(four, bomb).findings] == ["import-too-many-files"]


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"no archive", "import-no-folder"), (b"PK\x03\x04 and nothing more", "zip-unreadable")],
)
def test_a_file_that_is_no_archive_is_a_finding(four: Book, tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    assert [finding.code for finding in imported(four, path).findings] == [code]


def test_a_place_that_is_not_there_is_a_finding(four: Book, tmp_path: Path) -> None:
    assert [finding.code for finding in imported(four, tmp_path / "none").findings] == ["file-unreadable"]


def test_a_table_without_its_column_imports_nothing(four: Book, tmp_path: Path) -> None:
    place = folder_of(tmp_path / "in", {**reports_of(1), "reports.csv": b"name,received\n001.json,\n"})
    result = imported(four, place)
    assert [finding.code for finding in result.findings if finding.severity == "error"] == ["column-missing"]
    assert submissions(four) == 0


@pytest.mark.parametrize(("name", "code"), [("reports", ""), ("spring", "reports-table-above")])
def test_a_table_beside_the_folder_is_that_of_a_folder_called_reports_and_never_unsaid(
    four: Book, tmp_path: Path, name: str, code: str
) -> None:
    folder_of(tmp_path / name, reports_of(2))
    folder_of(tmp_path, {"reports.csv": b"file,received\n001.json,2025-03-20\n"})
    done = imported(four, tmp_path / name)
    assert done.files == (2 if code else 1)
    assert [each.code for each in done.findings if each.code == "reports-table-above"] == [code] * bool(code)

"""Files of a federation are told by what is in them, whatever they are called and wherever they lie."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from typing import TYPE_CHECKING

import openpyxl
import pytest
from scripts.pages.places import ROOT

from ratebook.office.founding.contents import Archive, Content, FoundFile, Wanted, opened_archive
from ratebook.office.founding.found import lacks, understood_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LEAGUE, FESTIVAL = ROOT / "examples" / "league", ROOT / "examples" / "festival"
MEMBERS = "Member ID;Last Name;First Name;DOB\nNL-1;Adams;Ann;1980-01-02\nNL-2;Baker;Ben;1991-02-03\n;;;\n"
BALANCES = "member_id,system,as_of,rating\nNL-1,regular,2025-12-31,1500\n"
FIDE_LIST = (
    "<playerslist>\n<player><fideid>79000001</fideid><name>Example, Ann</name></player>\n</playerslist>\n"
)


def looked_at(place: Path) -> tuple[Archive, dict[str, tuple[Content, int | None]]]:
    """Return what *place* holds, by names."""
    with opened_archive(place) as archive:
        return archive, {file.name: (file.content, file.rows) for file in archive.files}


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def codes(archive: Archive, wanted: Wanted = Wanted(), *, has_members: bool = False) -> list[str]:  # noqa: B008 - it never changes
    found = [*archive.findings, *lacks(archive, wanted, has_members=has_members)]
    return [f"{finding.code}.{finding.case}" if finding.case else finding.code for finding in found]


def test_the_folder_of_a_league_is_understood() -> None:
    archive, found = looked_at(LEAGUE)
    assert found == {
        "profile.toml": (Content.PROFILE, None),
        "members.csv": (Content.MEMBERS, 6),
        "memberships.csv": (Content.MEMBERSHIPS, 3),
        "numbers.csv": (Content.NUMBERS, 2),
        "foreign-ratings.csv": (Content.FOREIGN_RATINGS, 3),
        "opening-balances.csv": (Content.BALANCES, 4),
        "reports/reports.csv": (Content.REPORTS_TABLE, 2),
        "reports/quick-night.csv": (Content.REPORT, None),
        "reports/winter-open.csv": (Content.REPORT, None),
        "mistyped.csv": (Content.REPORT, None),
        "corrections.csv": (Content.CORRECTIONS, 2),
        "rules.toml": (Content.SETTINGS, None),
        "rules-2026.toml": (Content.SETTINGS, None),
    }
    assert codes(archive) == ["found-left"]


def test_every_report_of_the_festival_is_one_in_its_format() -> None:
    archive, _ = looked_at(FESTIVAL)
    uploads = [file.name for file in archive.of(Content.REPORT) if "DBF" in file.told_by]
    assert uploads == [*(f"uschess-1991/section-{number}" for number in (1, 2, 3, 4)), "uschess-2c"]
    assert {file.content for file in archive.files} == {Content.MEMBERS, Content.REPORT}
    grouped = {(file.name, file.number) for file in understood_files(archive)}
    assert {("uschess-1991", 4), ("trf16", 4), ("trf26", 4), ("crosstable", 4)} <= grouped


def test_names_and_places_do_not_matter_and_archives_are_folders(tmp_path: Path) -> None:
    inner = zipped({"2025/Mitglieder.txt": MEMBERS, "__MACOSX/._x": b"\0", ".hidden": b"x"})
    (tmp_path / "club").mkdir()
    (tmp_path / "club" / "all.zip").write_bytes(zipped({"inner.zip": inner, "start.csv": BALANCES}))
    (tmp_path / "fide.zip").write_bytes(zipped({"standard_nov25frl_xml.xml": FIDE_LIST}))
    (tmp_path / "upload.zip").write_bytes(
        zipped({file.name: file.read_bytes() for file in (FESTIVAL / "uschess-2c").iterdir()})
    )
    archive, found = looked_at(tmp_path)
    assert found == {
        "club/all.zip/inner.zip/2025/Mitglieder.txt": (Content.MEMBERS, 2),
        "club/all.zip/start.csv": (Content.BALANCES, 1),
        "fide.zip": (Content.FOREIGN_LIST, None),
        "upload.zip": (Content.REPORT, None),
    }
    assert codes(archive) == ["found-lacks.numbers"]
    assert not any(file.path.exists() for file in archive.files if file.name.startswith("club"))


def test_the_whole_may_be_a_zip_archive(tmp_path: Path) -> None:
    shutil.make_archive(str(tmp_path / "league"), "zip", LEAGUE)
    in_archive, in_folder = looked_at(tmp_path / "league.zip")[1], looked_at(LEAGUE)[1]
    assert in_archive == in_folder


def test_the_sheets_of_a_workbook_are_tables(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Members"
    for row in MEMBERS.splitlines()[:3]:
        book.worksheets[0].append(row.split(";"))
    sheet = book.create_sheet("Ratings of 2025")
    for row in BALANCES.splitlines():
        sheet.append(row.split(","))
    book.save(tmp_path / "league.xlsx")
    assert looked_at(tmp_path)[1] == {
        "league.xlsx/Members": (Content.MEMBERS, 2),
        "league.xlsx/Ratings of 2025": (Content.BALANCES, 1),
    }


@pytest.mark.parametrize(
    ("titles", "reports"),
    [
        (("Maple Open", "Maple Open"), ["club.xlsx"]),
        (("Maple Open", "Birch Quads"), ["club.xlsx/Open", "club.xlsx/U1400"]),
    ],
)
@pytest.mark.parametrize("with_members", [True, False])
def test_the_sheets_of_a_workbook_are_one_report_unless_they_say_that_they_are_two_events(
    tmp_path: Path, titles: tuple[str, str], reports: list[str], *, with_members: bool
) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Members"
    for line in MEMBERS.splitlines()[: 3 * with_members]:
        book.worksheets[0].append(line.split(";"))
    for title, name, day in zip(titles, ("Open", "U1400"), ("2026-10-03", "2026-11-07"), strict=True):
        sheet = book.create_sheet(name)
        for row in (
            (f"Event: {title}",),
            (f"Date: {day}",),
            ("No", "Name", "Rd 1"),
            (1, "A", "W2"),
            (2, "B", "L1"),
        ):
            sheet.append(row)
    book.save(tmp_path / "club.xlsx")
    archive, found = looked_at(tmp_path)
    assert [file.name for file in archive.of(Content.REPORT)] == reports
    assert ("club.xlsx/Members" in found) is with_members


def test_what_is_not_understood_is_said_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "statutes.pdf").write_bytes(b"%PDF-1.4 statutes")
    (tmp_path / "notes.txt").write_text("Remember the milk.\n")
    (tmp_path / "match.txt").write_text("Round 1\nAbt to Cord 5:7\n")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    archive, found = looked_at(tmp_path)
    assert found == dict.fromkeys(("match.txt", "notes.txt", "statutes.pdf"), (Content.UNKNOWN, None))
    assert codes(archive)[:3] == ["found-unknown.nearly", "found-unknown.other", "found-unknown.foreign"]


def test_a_folder_without_a_file_and_a_broken_archive_are_errors(tmp_path: Path) -> None:
    assert codes(looked_at(tmp_path)[0])[0] == "found-nothing"
    (tmp_path / "broken.zip").write_bytes(zipped({"a.csv": MEMBERS})[:60])
    assert codes(looked_at(tmp_path)[0])[0].startswith("zip-unreadable")
    (tmp_path / "broken.zip").write_bytes(zipped({"../outside.csv": MEMBERS}))
    assert codes(looked_at(tmp_path)[0])[0] == "zip-path-outside"


@pytest.mark.parametrize(
    ("files", "wanted", "lacking"),
    [
        ({"m.csv": "id,name\n1,A\n"}, Wanted(), ["birth-dates", "balances", "reports"]),
        ({"b.csv": BALANCES}, Wanted(), ["members", "reports"]),
        ({"m.csv": "id,name,dob,rating\n1,A,,1500\n"}, Wanted(), ["found-as-of-missing", "reports"]),
        ({"m.csv": "id,name,dob,fide\n1,A,,1500\n"}, Wanted(), ["list-day", "balances", "reports"]),
        ({"m.csv": "id,name,dob,rating\n1,A,,1500\n", "b.csv": BALANCES}, Wanted(), ["reports"]),
    ],
)
def test_what_is_missing_is_said_before_anything_is_done(
    tmp_path: Path, files: dict[str, str], wanted: Wanted, lacking: list[str]
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert [code.removeprefix("found-lacks.") for code in codes(looked_at(tmp_path)[0], wanted)] == lacking


def test_a_report_that_a_table_lists_is_one_whatever_it_is_made_of(tmp_path: Path) -> None:
    parts = {file.name: file.read_bytes() for file in (FESTIVAL / "trf16").iterdir()}
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "festival.zip").write_bytes(zipped(parts))
    (tmp_path / "reports.csv").write_text("file,received\nfestival.zip,2026-01-02\nmissing.trf,\n")
    archive, _ = looked_at(tmp_path)
    (report,) = archive.of(Content.REPORT)
    assert (report.name, report.listed_in) == ("reports/festival.zip", tmp_path / "reports.csv")
    (tmp_path / "reports.csv").unlink()
    assert [file.name for file in looked_at(tmp_path)[0].of(Content.REPORT)] == [
        f"reports/festival.zip/section-{number}.trf" for number in (1, 2, 3, 4)
    ]


def test_found_files_say_by_what_they_are_told() -> None:
    members: list[FoundFile] = looked_at(LEAGUE)[0].of(Content.MEMBERS)
    assert members[0].told_by == "id, name, birth_date, fide_id, federation, sex and 2 more"

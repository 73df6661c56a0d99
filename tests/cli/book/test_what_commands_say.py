"""Words and numbers that the office's commands print: of held reports, of histories, of titles."""

from __future__ import annotations

import csv
import json
from datetime import date
from typing import TYPE_CHECKING

import dbfread
import pytest
from sqlalchemy import insert

from cli.book.office_commands import codes_in, write_report
from ratebook.book import schema
from ratebook.book.connection import open_book
from ratebook.formats.native.write import write
from ratebook.model import SectionType
from support.book_reports import member_id, report

if TYPE_CHECKING:
    from pathlib import Path

    from cli.book.office_commands import OfficeCommands

REPORT = """event_id,section,end,time_control,seat,player,name,round1,favourite_opening
202601100009,1,2026-01-10,G/60;d5,1,90000001,"EXAMPLE, PLAYER 1",W2,x
202601100009,1,2026-01-10,G/60;d5,2,90000099,"EXAMPLE, PLAYER 99",L1,y
"""
"""A column that no CSV report has, and a player whom the book does not know."""


def test_rate_says_how_many_reports_are_held_back_and_what_looks_at_them_again(
    office: OfficeCommands, tmp_path: Path
) -> None:
    assert "held back" not in office.done("rate")
    (tmp_path / "r.csv").write_text(REPORT, encoding="utf-8")
    assert "member-unknown" in office.refused("submit", str(tmp_path / "r.csv"), "--received", "2026-01-11")
    (tmp_path / "late.csv").write_text('id,name\n90000099,"EXAMPLE, PLAYER 99"\n', encoding="utf-8")
    office.done("import", "members", str(tmp_path / "late.csv"))
    said = office.done("rate")
    assert "1 report is held back; ratebook book queue says why.\n" in said
    assert office.asked("rate")["held_back"] == 1


def test_a_dual_rated_game_of_two_members_is_one_game(office: OfficeCommands, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(REPORT.replace("90000099", "90000002"), encoding="utf-8")
    office.run("submit", str(tmp_path / "r.csv"), "--received", "2026-01-11")
    office.run("accept", "1", "all", "--yes", "--reason", "looked at")
    office.done("rate")
    met = ("head-to-head", member_id(1), member_id(2))
    assert len(office.asked(*met)["games"]) == 2
    assert "1 game, the newest first; a dual-rated one has two lines" in office.done(*met)


def test_a_report_that_is_checked_again_keeps_what_was_found_when_it_was_read(
    office: OfficeCommands, tmp_path: Path
) -> None:
    (tmp_path / "r.csv").write_text(REPORT, encoding="utf-8")
    first = office.refused("submit", str(tmp_path / "r.csv"), "--received", "2026-01-11")
    assert "column-unknown" in first
    again = office.run("recheck")
    assert sorted(codes_in(again.stderr)) == sorted(first)
    (tmp_path / "late.csv").write_text('id,name\n90000099,"EXAMPLE, PLAYER 99"\n', encoding="utf-8")
    office.done("import", "members", str(tmp_path / "late.csv"))
    for _ in range(2):
        rest = codes_in(office.run("recheck", "1").stderr)
        assert "column-unknown" in rest
        assert "member-unknown" not in rest
    office.done("accept", "1", "all", "--yes", "--reason", "looked at")
    assert "column-unknown" in office.asked("show", "1")["accepted"]
    # What was accepted stays so, and what holds a ready report back does not drop it either.
    office.done("recheck", "1")
    assert "column-unknown" in office.asked("show", "1")["accepted"]
    late = "member_id,system,as_of,rating,games\n" + f"{member_id(1)},regular,2026-01-31,1500,100\n"
    (tmp_path / "balances.csv").write_text(late, encoding="utf-8")
    office.done("import", "opening-balances", str(tmp_path / "balances.csv"), "--replace")
    assert office.refused("rate") == ["report-held-back"]
    found = office.asked("show", "1")
    assert "column-unknown" in found["accepted"]
    assert "before-opening" in [finding["code"] for finding in found["problems"]]


def test_a_report_that_could_not_be_read_still_says_why_when_it_is_checked_again(
    office: OfficeCommands, tmp_path: Path
) -> None:
    (tmp_path / "r.json").write_text("no report", encoding="utf-8")
    first = office.refused("submit", str(tmp_path / "r.json"))
    assert first
    assert office.refused("recheck", "1") == first


def test_a_history_counts_ratings_and_the_sections_that_they_are_from(
    rated: OfficeCommands, tmp_path: Path
) -> None:
    assert (
        rated.done("history", member_id(1)).splitlines()[0]
        == f"{member_id(1)}: 1 rating from 1 rated section"
    )
    dual = report("2026-02-10", [1, 2], ["W2", "L1"], time_control="G/45;d5")
    (tmp_path / "dual.json").write_bytes(write(dual).files["report.json"])
    rated.done("submit", str(tmp_path / "dual.json"), "--received", "2026-02-11", "--accept", "all")
    rated.done("rate")
    first = rated.done("history", member_id(1)).splitlines()[0]
    assert first == f"{member_id(1)}: 3 ratings from 2 rated sections"


def test_titles_are_printed_by_their_names_and_answered_by_their_codes(rated: OfficeCommands) -> None:
    book = open_book(rated.place)
    with book.writing() as connection:
        connection.execute(
            insert(schema.titles),
            [
                {"member_id": member_id(1), "title": code, "earned": date(2026, 1, 10)}
                for code in ("3", "OLM")
            ],
        )
    book.close()
    said = rated.done("titles", member_id(1))
    assert "3rd Category" in said
    assert "Original Life Master" in said
    assert "3rd Category" in rated.done("member", member_id(1))
    answer = json.loads(rated.done("titles", member_id(1), "--json"))
    assert [one["code"] for one in answer["titles"]] == ["3", "OLM"]


@pytest.mark.statement("M6")
def test_sections_and_matches_are_read_rated_kept_and_printed_as_crosstables(
    office: OfficeCommands, tmp_path: Path
) -> None:
    """Equals at 1500 have N' = 16.5685; K is 800 / (N' + 1) = 45.536.

    Step 4 is 1500 +- 45.536 / 2, and Step 5 expects 0.5327 of the winner against 1477.23: 1500 + 45.536 x 0.4673.
    Eight wins are worth 130 points, of which a match allows 50.
    """
    swiss = write_report(tmp_path / "s.json", "2026-01-10", [1, 2], ["W2", "L1"], event_id="202601100001")
    games = [" ".join(["W2"] * 8), " ".join(["L1"] * 8)]
    match = write_report(tmp_path / "m.json", "2026-01-11", [3, 4], games, kind=SectionType.MATCH)
    for path in (swiss, match):
        office.done("submit", path, "--accept", "all")
    office.done("rate")
    places = office.asked("top", "--system", "regular")["places"]
    assert {place["player"]: place["rating"] for place in places} == {
        member_id(1): pytest.approx(1521.28, abs=5e-3),
        member_id(2): pytest.approx(1478.72, abs=5e-3),
        member_id(3): 1550,
        member_id(4): 1450,
    }
    shown = office.done("crosstable", "202601100001", "1")
    assert "1521" in shown
    assert "1479" in shown


@pytest.mark.statement("M6", "M9")
def test_a_list_has_the_titles_earned_by_its_cut_off(rated: OfficeCommands, tmp_path: Path) -> None:
    """The cut-off of 2026-02 is the third Wednesday of January, the 21st."""
    book = open_book(rated.place)
    earned = {"NM": date(2026, 1, 21), "C": date(2025, 5, 5), "OLM": date(2026, 1, 22)}
    with book.writing() as connection:
        connection.execute(
            insert(schema.titles),
            [{"member_id": member_id(1), "title": code, "earned": day} for code, day in earned.items()],
        )
    book.close()
    rated.done("publish", "--for", "2026-02", "--out", str(tmp_path), "--format", "titles-dbf")
    records = {one["MEM_ID"]: one["TITLES"] for one in dbfread.DBF(str(tmp_path / "TITLES.DBF"))}
    assert records[member_id(1)] == "C NM"
    assert set(records.values()) == {"C NM", ""}
    rows = csv.DictReader(rated.done("list", "2026-02", "--format", "csv").splitlines())
    assert {row["id"]: row["titles"] for row in rows}[member_id(1)] == "C NM"


def test_a_member_s_page_names_the_class_of_each_rating(rated: OfficeCommands) -> None:
    page = rated.asked("member", member_id(1))
    for rating in page["member"]["ratings"]:
        assert rating["rating_class"] in rated.done("member", member_id(1))
        lowest = {"Class A": 1800, "Class B": 1600, "Class C": 1400, "Class D": 1200, "Class E": 1000}
        assert (
            lowest[rating["rating_class"]] <= round(rating["rating"]) < lowest[rating["rating_class"]] + 200
        )


def test_a_member_is_added_and_a_wrong_id_of_a_waiting_report_corrected_by_its_number(
    office: OfficeCommands, tmp_path: Path
) -> None:
    (tmp_path / "r.csv").write_text(REPORT.replace("favourite_opening", "name2"), encoding="utf-8")
    office.refused("submit", str(tmp_path / "r.csv"), "--received", "2026-01-11")
    add = ("add-member", "90000099", "EXAMPLE, PLAYER 99", "--fide-id", "99900099", "--club", "LINCOLN")
    assert office.done(*add, "--dry-run") == "Dry run: member 90000099, EXAMPLE, PLAYER 99, would be added.\n"
    assert office.done(*add) == "Member 90000099, EXAMPLE, PLAYER 99, is added.\n"
    assert office.refused(*add) == ["member-exists"]
    assert "90000099" in office.done("members", "--club", "lincoln")
    correct = ("correct", "member", "1", "1", "2", "90000099", "--reason", "letter")
    assert office.refused(*correct) == ["nothing-changes"]
    again = ("correct", "result", "1", "1", "1", "1", "D", "--reason", "score sheet")
    said = office.run(*again).stdout
    assert "seat 1 EXAMPLE, PLAYER 1, round 1: win -> draw against seat 2\n" in said
    assert "report 1 -> report 2, held\n" in said
    table = tmp_path / "c.csv"
    row = "2026-01-12,CLERK,result,202601100009,1,1,1,W,L,letter\n"
    table.write_text(f"on,by,kind,event_id,section,seat,round,value,opponent_value,reason\n{row}{row}")
    for dry in (("--dry-run",), ()):
        said = office.done("import", "corrections", str(table), *dry)
        assert "2 corrections, 0 made, 1 made in waiting reports, 1 already made, 0 refused." in said
    facts = ("correct", "facts", "90000099", "--title", "CM", "--club", "", "--reason", "letter")
    assert office.done(*facts).splitlines() == [
        "90000099 EXAMPLE, PLAYER 99, title: none -> CM",
        "90000099 EXAMPLE, PLAYER 99, club: LINCOLN -> none",
        "Decision 7 is recorded.",
    ]


@pytest.mark.parametrize("ages", ["13-", "-20", "8-12", "12", "u13", "U12"])
def test_no_ranking_of_ages_of_ones_own_narrows_a_birth_date_down(rated: OfficeCommands, ages: str) -> None:
    refused = rated.run("top", "--ages", ages)
    assert refused.exit_code == 1
    assert f"--ages: '{ages}' is not an age group" in refused.stderr
    assert "u8 (under 8)" in refused.stderr
    assert rated.run("top", "--ages", "u12", "--on", "2026-03-01").exit_code == 2

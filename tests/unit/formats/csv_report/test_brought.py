"""Tables as directors bring them: the same event in many forms, and what people forget, leave out or write below."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import openpyxl
import pytest

from ratebook.checks import check_report
from ratebook.findings import Severity
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import DayOrder, Hints
from ratebook.formats.registry import parse_source
from ratebook.formats.source import Source, read_source, source_of_bytes
from ratebook.model import Rating, System
from ratebook.reports.load import load_bytes

if TYPE_CHECKING:
    from ratebook.formats.contract import ParsedReport
    from ratebook.model import Report, Section

BROUGHT = Path(__file__).parent / "brought"
DAYS = (date(2026, 10, 3), date(2026, 10, 4))
SAID = Hints(*DAYS, "G/90;d5")
NOTHING = Hints()

FALL_SWISS = """\
12745193 2045 W2 W3 W8 L4
13390274 1987 L1 L6 W11 W7
12988410 1921 W5 L1 D7 W9
14022518 1877 H W12 W6 W1
15102943 1804 L3 D7 W12 W6
12614477 1755 D7 W2 L4 L5
13077821 1698 D6 D5 D3 L2
15588032 1640 W9 W10 L1 U
16201177 1522 L8 W11 X10 L3
31245598 1411 W11 L8 F9 W12
seat-11 - L10 L9 L2 U
32011764 - B L4 L5 L10
"""
"""Ids, ratings and results as they were played."""


def read(name: str, hints: Hints = NOTHING) -> ParsedReport:
    return parse_source(read_source(BROUGHT / name), hints)


def report_of(parsed: ParsedReport) -> Report:
    assert parsed.report is not None, [str(found) for found in parsed.findings if found.severity == "error"]
    return parsed.report


def errors(parsed: ParsedReport) -> list[str]:
    return [found.code for found in parsed.findings if found.severity is Severity.ERROR]


def codes(parsed: ParsedReport) -> set[str]:
    return {found.code for found in parsed.findings}


def rows_of(report: Report, section: Section) -> str:
    """Write the seats as `FALL_SWISS` has them; a round that no one explains is the same as one unpaired."""
    lines = []
    for entry in section.entries:
        rating = report.players[entry.player].pairing_rating
        cells = [f"{cell.letter or 'U'}{cell.opponent or ''}" for cell in entry.rounds]
        lines.append(" ".join([entry.player, "-" if rating is None else f"{rating:g}", *cells]))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("name", "hints"),
    [
        ("Fall Swiss.xlsx", NOTHING._replace(sheet="Open")),
        ("excel2.xlsx", NOTHING),
        ("one-xlsx.zip", NOTHING),
        ("titled.csv", NOTHING),
        ("liste.csv", SAID),
        ("liste2.csv", SAID),
        ("two", SAID._replace(sheet="open")),
    ],
)
def test_an_event_is_the_same_in_all_its_forms(name: str, hints: Hints) -> None:
    report = report_of(read(name, hints))
    (section,) = report.sections
    assert rows_of(report, section) == FALL_SWISS
    assert (section.start, section.end) == DAYS
    assert section.time_control in {"G/90;d5", "G/90 d5"}
    assert report.players["12745193"].name == "Anderson, Mark"


@pytest.mark.parametrize(
    ("name", "event", "hints", "section_names"),
    [
        (
            "Fall Swiss.xlsx",
            "Riverside Chess Club \N{EN DASH} Fall Swiss 2026",
            NOTHING,
            ["Open", "Reserve U1400"],
        ),
        ("two", "", SAID, ["open", "reserve"]),
    ],
)
def test_sheets_and_files_are_sections(name: str, event: str, hints: Hints, section_names: list[str]) -> None:
    parsed = read(name, hints)
    report = report_of(parsed)
    assert report.event.name == event
    assert [section.name for section in report.sections] == section_names
    assert [section.number for section in report.sections] == [1, 2]
    assert rows_of(report, report.sections[0]) == FALL_SWISS
    assert rows_of(report, report.sections[1]) == (
        "32990011 1377 W4 W2 D3\n32990128 1210 W3 L1 W4\n32990235 1105 L2 W4 D1\nsection-2-seat-4 - L1 L3 L2\n"
    )
    assert report.sections[1].end == DAYS[1]
    assert "files-as-sections" in codes(parsed)
    assert ("file-not-read" in codes(parsed)) == (name == "Fall Swiss.xlsx")
    assert ("rows-left" in codes(parsed)) == (name == "Fall Swiss.xlsx")


def test_what_can_be_chosen_are_the_tables_with_results() -> None:
    assert read("Fall Swiss.xlsx").sheets == ("Open", "Reserve U1400")
    assert read("two").sheets == ("open", "reserve")
    assert read("excel2.xlsx").sheets == ()


def test_sheets_of_the_same_name_are_told_apart_by_their_files() -> None:
    rows = b"ID,Rd 1\n90000012,B---\n"
    files = tuple(SourceFile(name, rows) for name in ("fall.xlsx/Open", "spring.xlsx/open", "Reserve.csv"))
    assert parse_source(Source("club.zip", files)).sheets == tuple(file.name for file in files)


def test_a_sheet_that_is_not_there_is_named_with_those_that_are() -> None:
    parsed = read("Fall Swiss.xlsx", NOTHING._replace(sheet="Opne"))
    (found,) = [found for found in parsed.findings if found.severity is Severity.ERROR]
    assert (found.code, "'Reserve U1400'" in found.message) == ("sheet-unknown", True)


def test_birth_dates_of_which_nothing_tells_the_order_need_the_option_and_nothing_else() -> None:
    assert {*errors(read("dates.csv"))} == {"date-order-unclear"}
    report = report_of(read("dates.csv", NOTHING._replace(day_order=DayOrder.MONTH_FIRST)))
    assert report.event.end == date(2026, 3, 4)
    assert report.players["32011764"].birth_date == date(1981, 12, 3)
    assert rows_of(report, report.sections[0]) == FALL_SWISS


@pytest.mark.parametrize("name", ["after2rounds.csv", "half.csv"])
def test_last_rounds_that_no_one_played_are_a_warning(name: str) -> None:
    parsed = read(name, SAID)
    assert [
        (found.place.round, found.severity) for found in parsed.findings if found.code == "round-empty"
    ] == [(3, Severity.WARNING), (4, Severity.WARNING)]
    assert {len(entry.rounds) for entry in report_of(parsed).sections[0].entries} == {2}


def test_what_is_missing_hides_no_other_problem() -> None:
    text = (BROUGHT / "mistakes.csv").read_text("utf-8-sig").replace('"October 3-4 2026, G/90 d5"', "Fall")
    loaded = load_bytes(text.encode(), "mistakes.csv", stand_in=DAYS[1])
    assert [found.code for found in loaded.findings if found.severity is Severity.ERROR] == [
        "name-differs",
        "end-missing",
        "time-control-missing",
    ]
    assert loaded.report is None
    assert loaded.tentative is not None
    found = {(found.code, found.where) for found in check_report(loaded.tentative)}
    assert {
        ("member-id-wrong", "player 1339027"),
        ("member-id-wrong", "player 1307782l"),
        ("results-disagree", "section 1, seat 1, round 2"),
    } <= found
    assert {code for code, _ in found} >= {"self-pairing", "player-two-seats"}


def test_the_mistakes_of_a_director_are_found_at_once() -> None:
    parsed = read("mistakes.csv")
    report = report_of(parsed)
    assert report.event.name == "Riverside Fall Swiss"
    assert (report.sections[0].end, report.sections[0].time_control) == (DAYS[1], "G/90 d5")
    assert {"name-differs", "id-missing", "total-differs"} <= codes(parsed)
    assert [found.code for found in parsed.findings if found.severity is Severity.ERROR] == ["name-differs"]


def test_two_games_in_a_round_are_two_rounds() -> None:
    report = report_of(read("dbl.csv", SAID))
    assert rows_of(report, report.sections[0]) == ("12745193 2045 W2 L2 D2 D2\n13390274 1987 L1 W1 D1 D1\n")


def test_a_day_in_a_title_of_which_nothing_tells_the_order_is_one_error() -> None:
    text = "Fall Swiss, 3/4/2026, G/90;d5\n#,Name,R1\n1,A,W2\n2,B,L1\n"
    source = source_of_bytes(text.encode(), "list.csv")
    assert errors(parse_source(source)) == ["date-order-unclear"]
    for hints, day in (
        (NOTHING._replace(day_order=DayOrder.DAY_FIRST), date(2026, 4, 3)),
        (NOTHING._replace(end=date(2026, 3, 4)), date(2026, 3, 4)),
    ):
        report = report_of(parse_source(source, hints))
        assert (report.event.name, report.sections[0].end) == ("Fall Swiss", day)


def test_a_match_has_games_for_rounds_and_a_title() -> None:
    report = report_of(read("match.csv", SAID))
    assert report.event.name == "Club championship match"
    assert rows_of(report, report.sections[0]) == ("12745193 2045 W2 D2 L2 D2\n13390274 1987 L1 D1 W1 D1\n")


def test_a_column_of_players_beside_ids_has_names() -> None:
    assert report_of(read("h.csv", SAID)).players["12345678"].name == "Tom Adams"
    for title in ("ID", "USCF ID", "Member ID"):
        text = f'#,Player,{title},Rating,Rd1\n1,"Heron, Alice",90000001,1500,W2w\n2,"Alder, Bruno",90000002,1600,L1b\n'
        report = report_of(parse_source(source_of_bytes(text.encode(), "h.csv"), SAID))
        assert report.players["90000001"].name == "Heron, Alice"


def test_a_column_of_players_without_ids_has_names_and_the_rows_are_in_order() -> None:
    text = (
        'Player,Rating,G1,G2\n"Heron, Alice",1500,W2,D3\n"Alder, Bruno",1600,L1,B\n"Cole, Carla",1400,,D1\n'
    )
    parsed = parse_source(source_of_bytes(text.encode(), "h.csv"), SAID)
    report = report_of(parsed)
    assert [player.name for player in report.players.values()] == [
        "Heron, Alice",
        "Alder, Bruno",
        "Cole, Carla",
    ]
    assert rows_of(report, report.sections[0]) == "seat-1 1500 W2 D3\nseat-2 1600 L1 B\nseat-3 1400 U D1\n"
    assert "seats-by-order" in codes(parsed)


CHESS_RESULTS = """\
From the Tournament-Database of Chess-Results http://chess-results.com
Harbour Open
Last update 01.05.2024 10:11:12
Rk.;SNo;{name};{elo};FideID;1.Rd;2.Rd;Pts.
1;3;Heron, Alice;2100;99000001;2{b}1;3{w}1;2
2;1;Alder, Bruno;2000;99000002;1{w}0;4{b}1;1
;4;Cole, Carla;1900;99000003;4{b}1;1{b}0;1
4;2;Dahl, Dora;1800;99000004;3{w}0;2{w}0;0

You find all details to this tournament under  http://chess-results.com/tnr1.aspx?lan=1
Chess-Tournament-Results-Server: Chess-Results
"""
"""Results name opponents by rank; of two tied players one has none. The letters of colours are those of a language."""


@pytest.mark.parametrize(
    ("name", "elo", "white", "black"),
    [
        ("Name", "Rtg", "w", "b"),
        ("Nombre", "Elo", "b", "n"),
        ("Nom", "Elo", "b", "n"),
        ("Spieler", "Elo", "w", "s"),
        ("Naam", "Rating", "w", "z"),
        ("Nimi", "Elo", "w", "b"),
    ],
)
def test_a_table_of_a_server_is_read_as_it_was_downloaded(
    name: str, elo: str, white: str, black: str
) -> None:
    text = CHESS_RESULTS.format(name=name, elo=elo, w=white, b=black)
    parsed = parse_source(source_of_bytes(text.encode(), "list.csv"), SAID)
    report = report_of(parsed)
    assert rows_of(report, report.sections[0]) == (
        "seat-1 2100 W2 W3\nseat-2 2000 L1 W4\nseat-3 1900 W4 L1\nseat-4 1800 L3 L2\n"
    )
    assert [cell.colour for cell in report.sections[0].entries[0].rounds] == ["b", "w"]
    assert report.players["seat-1"].name == "Heron, Alice"
    assert report.players["seat-1"].fide_id == "99000001"
    assert report.event.name == "Harbour Open"
    assert {"rows-left", "ranks-filled"} - codes(parsed) == set()


@pytest.mark.parametrize("title", ["Rating", "Rtng"])
@pytest.mark.parametrize("rating", ["1633P5", "1633/5"])
@pytest.mark.parametrize("form", ["csv", "xlsx", "columns", "single blanks"])
def test_a_provisional_rating_in_no_system_is_the_regular_rating_on_its_games(
    title: str, rating: str, form: str
) -> None:
    table = [
        ["No.", "Name", title, "Rd1"],
        ["1", "Heron Alice", rating, "W2"],
        ["2", "Alder Bruno", "1700", "L1"],
    ]
    out = io.BytesIO()
    if form == "xlsx":
        book = openpyxl.Workbook()
        for row in table:
            book.worksheets[0].append(row)
        book.save(out)
    else:
        width = 14 if form == "columns" else 0
        blank = "," if form == "csv" else " "
        out.write("".join(blank.join(cell.ljust(width) for cell in row) + "\n" for row in table).encode())
    name = {"csv": "list.csv", "xlsx": "list.xlsx"}.get(form, "list.txt")
    parsed = parse_source(source_of_bytes(out.getvalue(), name), SAID)
    players = report_of(parsed).players
    assert players["seat-1"].ratings == {System.REGULAR: Rating(1633.0, 5.0)}
    assert (players["seat-2"].ratings, players["seat-2"].pairing_rating) == ({}, 1700.0)
    (found,) = [found for found in parsed.findings if found.code == "rating-provisional"]
    assert (found.place.players, f"'{rating}'" in found.message) == (("seat-1",), True)


def test_a_rating_in_a_system_counts_before_a_provisional_one_in_none() -> None:
    text = "#,Name,Rating,Regular,R1\n1,A,1633P5,1640P8,W2\n2,B,1600,,L1\n"
    parsed = parse_source(source_of_bytes(text.encode(), "list.csv"), SAID)
    assert report_of(parsed).players["seat-1"].ratings == {System.REGULAR: Rating(1640.0, 8.0)}
    assert "rating-provisional" not in codes(parsed)


def test_each_sheet_keeps_its_own_days_and_the_event_has_the_days_of_all() -> None:
    book = openpyxl.Workbook()
    days_of = {"Open": "November 7-8, 2026", "Reserve": "Nov. 14, 2026", "Novice": "Novice"}
    for number, (name, days) in enumerate(days_of.items()):
        sheet = book.create_sheet(name)
        for row in (["Fall Swiss"], [days], ["G/90;d5"], ["#", "Name", "R1"]):
            sheet.append(row)
        sheet.append([1, f"Heron, Alice {number}", "W2"])
        sheet.append([2, f"Alder, Bruno {number}", "L1"])
    out = io.BytesIO()
    book.save(out)
    report = report_of(parse_source(source_of_bytes(out.getvalue(), "fall.xlsx")))
    weekend, saturday = (date(2026, 11, 7), date(2026, 11, 8)), (date(2026, 11, 14), date(2026, 11, 14))
    assert [(section.name, section.start, section.end) for section in report.sections] == [
        ("Open", *weekend),
        ("Reserve", *saturday),
        ("Novice", *weekend),
    ]
    assert (report.event.start, report.event.end) == (weekend[0], saturday[1])


def test_below_a_table_sums_and_thanks_are_no_players() -> None:
    text = "#,Name,Rating,R1,Total\n1,A,1500,W2,1\n2,B,1600,L1,0\n,Total,,,1\n,,,,\nThanks to the library!\n"
    parsed = parse_source(source_of_bytes(text.encode(), "list.csv"), SAID)
    assert rows_of(report_of(parsed), report_of(parsed).sections[0]) == "seat-1 1500 W2\nseat-2 1600 L1\n"
    (found,) = [found for found in parsed.findings if found.code == "rows-left"]
    assert found.place.rows == (4, 6)


def test_a_summary_without_a_number_below_numbered_players_is_no_player() -> None:
    table = "#,Name,ID,Rating,R1\n1,A,90000001,1500,W2\n2,B,90000002,1581,L1\n"
    parsed = parse_source(source_of_bytes(f"{table},8 players,,1540.5\n".encode(), "list.csv"), SAID)
    assert rows_of(report_of(parsed), report_of(parsed).sections[0]) == (
        "90000001 1500 W2\n90000002 1581 L1\n"
    )
    (found,) = [found for found in parsed.findings if found.code == "rows-left"]
    assert (found.place.rows, "'8 players'" in found.message) == ((4,), True)


@pytest.mark.parametrize("row", [",C,90000003,1400,", ",C,,1400,U"])
def test_a_player_below_numbered_ones_whose_number_was_forgotten_is_no_summary(row: str) -> None:
    table = "#,Name,ID,Rating,R1\n1,A,90000001,1500,W3\n3,B,90000002,1581,L1\n"
    parsed = parse_source(source_of_bytes(f"{table}{row}\n".encode(), "list.csv"), SAID)
    assert errors(parsed) == ["seat-unreadable"]


@pytest.mark.parametrize(
    ("title", "name"), [("Reserve\n", "Reserve"), ("\nReserve,,,\n\n", "Reserve"), ("", "")]
)
def test_a_second_table_in_one_sheet_is_another_section(title: str, name: str) -> None:
    table = "#,Name,Rating,R1\n1,A,1500,W2\n2,B,1581,L1\n"
    text = f"Open\n{table}{title}{table.replace('Rating', 'Rtng').replace('1500', '1300')}"
    parsed = parse_source(source_of_bytes(text.encode(), "list.csv"), SAID)
    assert errors(parsed) == []
    assert parsed.report is not None
    assert [section.name for section in parsed.report.sections] == ["Open" if name else "", name]
    ratings = [
        parsed.report.players[section.entries[0].player].pairing_rating for section in parsed.report.sections
    ]
    assert ratings == [1500.0, 1300.0]
    lines = [found.place.line for found in parsed.findings if found.code == "columns-renamed"]
    assert lines == [2, 5 + title.count("\n")]


def test_a_header_that_is_printed_again_on_the_next_page_begins_no_section() -> None:
    pages = "#,Name,R1\n1,A,W2\n2,B,L1\n", "#,Name,R1\n3,C,W4\n4,D,L3\n"
    parsed = parse_source(source_of_bytes("".join(pages).encode(), "list.csv"), SAID)
    assert errors(parsed) == []
    assert parsed.report is not None
    (section,) = parsed.report.sections
    assert [entry.seat for entry in section.entries] == [1, 2, 3, 4]


def test_a_second_table_whose_players_have_no_numbers_needs_a_title() -> None:
    table = "Name,Rating,R1\nAnn Alder,1500,W2\nBo Beck,1581,L1\n"
    parsed = parse_source(source_of_bytes((table * 2).encode(), "list.csv"), SAID)
    assert errors(parsed) == ["second-table"]
    (found,) = [found for found in parsed.findings if found.severity is Severity.ERROR]
    assert (found.place.rows, "row 4" in found.message) == ((4,), True)


@pytest.mark.parametrize("far", [(1_048_576, 60), (5, 16_384)])
def test_a_far_cell_that_is_formatted_only_is_no_part_of_a_table(far: tuple[int, int]) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (("#", "Name", "R1"), (1, "A", "W2"), (2, "B", "L1")):
        sheet.append(row)
    sheet.cell(*far).number_format = "0.00"
    notes = book.create_sheet("Notes")
    notes.cell(*far).value = "x"
    out = io.BytesIO()
    book.save(out)
    parsed = parse_source(source_of_bytes(out.getvalue(), "far.xlsx"), SAID)
    assert len(report_of(parsed).sections[0].entries) == 2
    assert "file-not-read" in codes(parsed)


def test_a_far_cell_beside_the_table_is_named() -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (("#", "Name", "R1"), (1, "A", "W2"), (2, "B", "L1")):
        sheet.append(row)
    sheet.cell(1_048_576, 4).value = "x"
    out = io.BytesIO()
    book.save(out)
    (found,) = parse_source(source_of_bytes(out.getvalue(), "far.xlsx"), SAID).findings
    assert (found.code, "1,048,576" in found.message) == ("sheet-too-large", True)


def test_sections_have_the_names_that_the_user_gives() -> None:
    data = b"section,section_name,ID,Rd 1\n1,Opne,90000012,B---\n2,Reserve,90000013,B---\n"
    named = SAID._replace(section_names=(" Open ", "", "Of no section"))
    report = load_bytes(data, "fall.csv", named).report
    assert report is not None
    assert [section.name for section in report.sections] == ["Open", "Reserve"]


@pytest.mark.parametrize(
    ("name", "is_packed", "place"),
    [
        ("club.csv", False, "row 2, column Rd 1"),
        ("club.csv", True, "club.csv, row 2, column Rd 1"),
        ("club.xlsx", False, "club.xlsx/Open, row 2, column Rd 1"),
        ("club.xlsx", True, "club.xlsx/Open, row 2, column Rd 1"),
    ],
)
def test_a_finding_names_the_sheet_or_the_member_of_an_archive(
    name: str, *, is_packed: bool, place: str
) -> None:
    lines = ["#,Name,Rd 1", "1,Ann Lowe,Q2", "2,Bo Reyes,L1"]
    data = "\n".join(lines).encode()
    if name.endswith(".xlsx"):
        book = openpyxl.Workbook()
        book.worksheets[0].title = "Open"
        for line in lines:
            book.worksheets[0].append(line.split(","))
        workbook = io.BytesIO()
        book.save(workbook)
        data = workbook.getvalue()
    if is_packed:
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as packed:
            packed.writestr(f"results/{name}", data)
        name, data = "results.zip", archive.getvalue()
    parsed = parse_source(source_of_bytes(data, f"folder/{name}"), SAID)
    assert [str(each.place) for each in parsed.findings if each.code == "cell-unreadable"] == [place]

"""Round-robin grids: tables whose columns are opponents; what each cell means is written by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import Severity
from ratebook.formats.contract import ParsedReport
from ratebook.formats.csv_report.grid import games_in, grid_of
from ratebook.formats.csv_report.read import parse
from ratebook.formats.source import source_of_bytes
from ratebook.model import Cell, SectionType
from unit.formats.csv_report.reports import HINTS, read, report_of

MATRIX = """\
No.\tName\tRtg\t1\t2\t3\t4\t5\tPts.
1\tHeron, Alice\t2000\t*\t1\t½\t1\t0\t2,5
2\tAlder, Bruno\t1900\t0\t*\t1\t½\t1\t2,5
3\tBeck, Ida\t1800\t½\t0\t*\t+\t½\t2
4\tCrane, Emil\t1700\t0\t½\t-\t*\t1\t1,5
5\tDale, Dora\t1600\t1\t0\t½\t0\t*\t1,5
"""
"""Five players, so that each has a round without a game; Beck won by forfeit against Crane."""

QUAD = """\
#,Name,ID,Rating,1,2,3,4,Total
1,Heron Alice,90000001,2000,{a},1,½,1,2½
2,Alder Bruno,90000002,1900,0,{a},1,½,1½
3,Beck Ida,90000003,1800,½,0,{a},1,1½
4,Crane Emil,90000004,1700,0,½,0,{a},½
"""


def results(parsed: ParsedReport) -> dict[int, dict[int, str]]:
    """Return the letter of each seat against each other one."""
    assert parsed.report is not None, parsed.findings
    return {
        entry.seat: {cell.opponent: cell.letter for cell in entry.rounds if cell.opponent}
        for entry in parsed.report.sections[0].entries
    }


def test_a_matrix_of_a_result_server_is_read_as_games_against_the_players_of_its_columns() -> None:
    parsed = read(MATRIX)
    assert results(parsed) == {
        1: {2: "W", 3: "D", 4: "W", 5: "L"},
        2: {1: "L", 3: "W", 4: "D", 5: "W"},
        3: {1: "D", 2: "L", 4: "X", 5: "D"},
        4: {1: "L", 2: "D", 3: "F", 5: "W"},
        5: {1: "W", 2: "L", 3: "D", 4: "L"},
    }
    assert parsed.report is not None
    assert parsed.report.sections[0].type is SectionType.ROUND_ROBIN
    assert [finding.code for finding in parsed.findings if finding.severity is Severity.ERROR] == []


def test_each_player_has_one_game_a_round_and_meets_the_same_opponent_as_the_other_side() -> None:
    """Five players need five rounds, each without one of them."""
    report = read(MATRIX).report
    assert report is not None
    rounds = {entry.seat: entry.rounds for entry in report.sections[0].entries}
    assert {len(cells) for cells in rounds.values()} == {5}
    for number in range(5):
        idle = [seat for seat, cells in rounds.items() if cells[number] == Cell()]
        assert len(idle) == 1
        for seat, cells in rounds.items():
            if seat not in idle:
                opponent = cells[number].opponent
                assert opponent is not None
                assert rounds[opponent][number].opponent == seat


@pytest.mark.parametrize("own", ["x", "X", "xx", "*", "**", "-", "", "#", "\u2014"])
def test_the_diagonal_may_be_marked_or_empty(own: str) -> None:
    assert results(read(QUAD.replace("{a}", own)))[1] == {2: "W", 3: "D", 4: "W"}


def test_two_games_in_a_cell_are_two_rounds_against_one_opponent() -> None:
    text = """\
,Name,ID,Rating,1,2,3,Total
1,Heron Alice,90000001,2000,xx,1½,11,3½
2,Alder Bruno,90000002,1900,0½,xx,1 0,1½
3,Beck Ida,90000003,1800,00,0-1,xx,1
"""
    section = report_of(text).sections[0]
    games = {
        entry.seat: sorted((cell.opponent, cell.letter) for cell in entry.rounds if cell.opponent)
        for entry in section.entries
    }
    assert games == {
        1: [(2, "D"), (2, "W"), (3, "W"), (3, "W")],
        2: [(1, "D"), (1, "L"), (3, "L"), (3, "W")],
        3: [(1, "L"), (1, "L"), (2, "L"), (2, "W")],
    }
    assert {len(entry.rounds) for entry in section.entries} == {6}


def test_colours_are_read_where_they_are_given() -> None:
    text = QUAD.replace("2000,{a},1,½", "2000,x,w1,½b").replace("{a}", "x")
    rounds = report_of(text).sections[0].entries[0].rounds
    assert {(cell.opponent, cell.colour) for cell in rounds} == {(2, "w"), (3, "b"), (4, "")}
    others = report_of(text).sections[0].entries[1].rounds
    assert {(cell.opponent, cell.colour) for cell in others} == {(1, "b"), (3, ""), (4, "")}


def test_an_empty_half_is_filled_from_the_other_one() -> None:
    text = """\
#,Name,Rating,1,2,3
1,Heron Alice,2000,x,1,½
2,Alder Bruno,1900,,x,0
3,Beck Ida,1800,,,x
"""
    assert results(read(text)) == {1: {2: "W", 3: "D"}, 2: {1: "L", 3: "L"}, 3: {1: "D", 2: "W"}}


def test_halves_that_disagree_are_an_error_at_both_players() -> None:
    parsed = read(QUAD.replace("{a}", "x").replace("900,0,x", "900,½,x"))
    errors = [finding for finding in parsed.findings if finding.code == "grid-halves-differ"]
    assert [(finding.severity, finding.place.rows) for finding in errors] == [(Severity.ERROR, (2, 3))]
    assert "number 1 has '1' against number 2, who has '½'" in errors[0].message


def test_a_cell_that_cannot_be_read_is_named_as_one_of_a_grid() -> None:
    parsed = read(QUAD.replace("{a}", "x").replace("x,1,½,1", "x,1,½,q"))
    (error,) = [finding for finding in parsed.findings if finding.code == "cell-unreadable"]
    assert (error.case, error.place.rows, error.place.field) == ("grid", (2,), "4")


def test_opponents_may_be_named_above_the_columns_and_the_names_be_below_player() -> None:
    rows = ["Player,vs Hale,vs Penn,Dunn", "Ann Hale,-,1,0.5", "Bo Penn,0,-,1", "Cy Dunn,0.5,0,-"]
    named = results(read("\n".join(rows)))
    assert named == {1: {2: "W", 3: "D"}, 2: {1: "L", 3: "W"}, 3: {1: "D", 2: "L"}}


def test_quads_below_each_other_are_sections() -> None:
    quad = """\
Quad {n}
#  Name           ID        Rtg   1   2   3   4   Tot
1  Heron, Alice   9000{n}001  2045  x   1   ½   1   2½
2  Alder, Bruno   9000{n}002  1987  0   x   1   ½   1½
3  Beck, Ida      9000{n}003  1921  ½   0   x   1   1½
4  Crane, Emil    9000{n}004  1877  0   ½   0   x   ½

"""
    report = report_of(quad.replace("{n}", "1") + quad.replace("{n}", "2"))
    assert [(section.name, section.type) for section in report.sections] == [
        ("Quad 1", SectionType.ROUND_ROBIN),
        ("Quad 2", SectionType.ROUND_ROBIN),
    ]
    for section in report.sections:
        assert [len(entry.rounds) for entry in section.entries] == [3, 3, 3, 3]


def test_a_table_of_rounds_is_no_grid() -> None:
    text = "#,Name,Rating,1,2\n1,Heron Alice,2000,W2,D2\n2,Alder Bruno,1900,L1,D1\n"
    assert "grid-in-rounds" not in {finding.code for finding in read(text).findings}


@given(size=st.integers(2, 14))
def test_all_pairs_meet_once_in_rounds_without_double_bookings(size: int) -> None:
    """The circle method: as many rounds as opponents, one more where the number of players is odd."""
    table = [
        ["x" if row == column else "1" if row < column else "0" for column in range(size)]
        for row in range(size)
    ]
    grid = grid_of(table, [str(seat + 1) for seat in range(size)])
    assert grid is not None
    assert {len(row) for row in grid.rows} == {size - 1 + size % 2}
    for row in grid.rows:
        assert sum(cell != "" for cell in row) == size - 1
    for number in range(size - 1):
        opponents = [row[number][1:] for row in grid.rows if row[number]]
        assert all(first < second for first, second in pairwise(sorted(map(int, opponents))))


@given(st.text("01½=+-WLDFXwb .,/*x2", max_size=20))
def test_any_cell_is_games_or_unreadable(text: str) -> None:
    games = games_in(text)
    assert games is None or all(game.letter in "WLDXF" for game in games)


def test_grids_without_header_lines_are_read() -> None:
    """As in an e-mail: two quads, the id behind the rating in one, no total in the other."""
    text = """\
Quad A
1 Heron Alice 2000 90000001  X  1  .5 1   2.5
2 Alder Bruno 1900 90000002  0  X  1  0   1
3 Beck Ida 1800 90000003     .5 0  X  1   1.5
4 Crane Emil 1700 90000004   0  1  0  X   1

Quad B
1 Dale Dora 1600  * 1 ½
2 Ekman Finn 1500 0 * 1
3 Fry Gus unr.    ½ 0 *
"""
    source = source_of_bytes(text.encode(), "quads.txt")
    report = parse(source, HINTS).report
    assert report is not None
    first, second = report.sections
    assert (first.name, second.name) == ("Quad A", "Quad B")
    assert [entry.player for entry in first.entries] == ["90000001", "90000002", "90000003", "90000004"]
    letters = [
        {cell.opponent: cell.letter for cell in entry.rounds if cell.opponent} for entry in second.entries
    ]
    assert letters == [{2: "W", 3: "D"}, {1: "L", 3: "W"}, {1: "D", 2: "L"}]

"""Rounds whose opponent, colour and result have columns of their own, and grids under the names of the players."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.formats.contract import Hints
from ratebook.formats.registry import parse_source
from ratebook.formats.source import source_of_bytes
from unit.formats.csv_report.test_brought import errors, report_of, rows_of

SAID = Hints(date(2026, 10, 3), date(2026, 10, 4), "G/90;d5")
PLAYED = "seat-1 1950 W4 D2\nseat-2 1822 W3 D1\nseat-3 1744 L2 W4\nseat-4 1633 L1 L3\n"
COLOURED = [["w", "b"], ["w", "w"], ["b", "w"], ["b", "b"]]

ONE_LINE = """\
No,Name,Rating,{0},Total
1,Acker Jo,1950,4,W,1,2,B,0.5,1.5
2,Boyd Al,1822,3,W,1,1,W,0.5,1.5
3,Crane Vi,1744,2,B,0,4,W,1,1
4,Drew Pat,1633,1,B,0,3,B,0,0
"""
TWO_LINES = ONE_LINE.replace(
    "No,Name,Rating,{0},Total", ",,,Round 1,,,Round 2,,,\nNo,Name,Rtg,Opp,Col,Res,Opp,Col,Res,Total"
)


@pytest.mark.parametrize(
    "text",
    [
        ONE_LINE.format("R1 Opp,R1 Col,R1 Res,R2 Opp,R2 Col,R2 Res"),
        ONE_LINE.format("Opp 1,Color 1,Result 1,Opp 2,Color 2,Result 2"),
        ONE_LINE.format(
            "Round 1 Opponent,Round 1 Colour,Round 1 Score,Round 2 Opponent,Round 2 Colour,Round 2 Score"
        ),
        TWO_LINES,
        f"Harbour Open\n\n{TWO_LINES}",
    ],
)
def test_a_round_may_have_several_columns(text: str) -> None:
    report = report_of(parse_source(source_of_bytes(text.encode(), "parts.csv"), SAID))
    (section,) = report.sections
    assert rows_of(report, section) == PLAYED
    assert [[cell.colour for cell in entry.rounds] for entry in section.entries] == COLOURED


def test_byes_and_what_cannot_be_read_in_parts_of_a_round() -> None:
    text = "No,Name,R1 Opp,R1 Res\n1,Acker Jo,{0},{1}\n2,Boyd Al,,0.5\n3,Crane Vi,,1\n4,Drew Pat,bye,\n5,Elm Ty,,\n"
    parsed = parse_source(source_of_bytes(text.format("0", "0").encode(), "parts.csv"), SAID)
    report = report_of(parsed)
    assert [entry.rounds[0].letter for entry in report.sections[0].entries] == ["U", "H", "B", "B", ""]
    wrong = parse_source(source_of_bytes(text.format("2", "lots").encode(), "parts.csv"), SAID)
    assert errors(wrong) == ["cell-unreadable"]


@pytest.mark.parametrize("first", ["#", ""])
@pytest.mark.parametrize(
    "heads", ["Able,Bond,Cole,Dean", "ANN,BOB,CAT,DAN", "Able Ann,Bond Bob,Cole Cat,Dean Dan"]
)
def test_the_columns_of_a_grid_may_have_the_names_of_the_players(first: str, heads: str) -> None:
    grid = f"""\
{first},Name,Rating,{heads},Total
1,Able Ann,1700,x,½,1,1,2.5
2,Bond Bob,1650,,x,1,1,2.5
3,Cole Cat,1600,,,x,1,1
4,Dean Dan,1500,,,,x,0
"""
    report = report_of(parse_source(source_of_bytes(grid.encode(), "grid.csv"), SAID))
    numbered = grid.replace(heads, "1,2,3,4").replace(",Name", "#,Name", not first)
    expected = report_of(parse_source(source_of_bytes(numbered.encode(), "grid.csv"), SAID))
    assert report == expected
    assert [cell.letter for cell in report.sections[0].entries[0].rounds] == ["W", "D", "W"]

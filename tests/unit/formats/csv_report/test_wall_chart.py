"""Wall charts as other programs print them, and tables of result servers as pasted: invented players, known results."""

from __future__ import annotations

import pytest

from ratebook.formats.csv_report.read import looks_like, parse
from unit.formats.csv_report.reports import HINTS, source_of

PLAYED = [
    ("Adams, Example", 1794.0, ["W2", "W4", "D3"]),
    ("Baker, Example", 1655.0, ["L1", "W3", "D4"]),
    ("Davis, Example", 1588.0, ["W4", "L2", "D1"]),
    ("Clark, Example", None, ["L3", "L1", "D2"]),
]

CHARTS = {
    "single blanks between headings": """\
Club Championship - Open Section

No. Name            ID        Rate  Rnd1  Rnd2  Rnd3  Total
1.  Adams, Example  12345671  1794  W2    W4    D3    2.5
2.  Baker, Example  12345672  1655  L1    W3    D4    1.5
3.  Davis, Example  12345673  1588  W4    L2    D1    1.5
4.  Clark, Example  12345674  unr.  L3    L1    D2    0.5
""",
    "a second line for each player": """\
#   Name                        Rtng   Rd 1    Rd 2    Rd 3    Tot
------------------------------------------------------------------
1   Adams, Example              1794   W   2   W   4   D   3   2.5
    12345671                           1.0     2.0     2.5

2   Baker, Example              1655   L   1   W   3   D   4   1.5
3   Davis, Example              1588   W   4   L   2   D   1   1.5
4   Clark, Example              unr.   L   3   L   1   D   2   0.5
""",
    "a table of a result server, by tabs": """\
No.\t\tName\tRtg\tFED\t1.Rd\t2.Rd\t3.Rd\tPts.\tRk.
1\t\tAdams, Example\t1794\tUSA\t2w1\t4b1\t3w½\t2,5\t1
2\t\tBaker, Example\t1655\tUSA\t1b0\t3w1\t4b½\t1,5\t2
3\tFM\tDavis, Example\t1588\tUSA\t4w1\t2b0\t1b½\t1,5\t3
4\t\tClark, Example\t0\tUSA\t3b0\t1w0\t2w½\t0,5\t4
""",
}


@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS.keys())
def test_a_chart_has_the_players_ratings_and_results_that_it_prints(chart: str) -> None:
    for text in (chart, chart.replace("\n", "\r\n")):
        source = source_of(text)
        assert looks_like(source)
        parsed = parse(source, HINTS)
        assert parsed.report is not None, parsed.findings
        section = parsed.report.sections[0]
        players = parsed.report.players
        assert [
            (
                players[entry.player].name,
                players[entry.player].pairing_rating,
                [f"{cell.letter}{cell.opponent}" for cell in entry.rounds],
            )
            for entry in section.entries
        ] == PLAYED


def test_lines_that_are_left_out_are_counted() -> None:
    parsed = parse(source_of(CHARTS["a second line for each player"]), HINTS)
    left = next(one for one in parsed.findings if one.code == "chart-lines-left")
    assert left.where == "1.csv, line 4"
    assert left.message.startswith("1 line below the header of the wall chart begins with no pairing number")


def test_a_table_by_rank_names_opponents_by_rank_and_has_byes_and_forfeits() -> None:
    text = "Rk.\tName\t1.Rd\t2.Rd\tPts.\n1\tAdams\t2w1\t3b+\t2,0\n2\tBaker\t1b0\t-1\t1,0\n3\tDavis\t-½\t1w-\t0,5\n"
    parsed = parse(source_of(text), HINTS)
    assert parsed.report is not None, parsed.findings
    cells = [entry.rounds for entry in parsed.report.sections[0].entries]
    assert [[cell.letter for cell in row] for row in cells] == [["W", "X"], ["L", "B"], ["H", "F"]]


def test_a_minus_before_a_number_is_a_bye_only_in_a_table_of_such_results() -> None:
    parsed = parse(source_of("seat,name,round1\n1,Adams,-1\n2,Baker,+1\n"), HINTS)
    assert [one.code for one in parsed.findings if one.severity == "error"] == ["cell-unreadable"] * 2

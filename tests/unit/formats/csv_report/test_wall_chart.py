"""Wall charts as other programs print them, and tables of result servers as pasted: invented players, known results."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import Findings
from ratebook.formats.contract import Hints, is_unreadable
from ratebook.formats.csv_report.read import looks_like, parse
from ratebook.formats.csv_report.wall_chart import header_of
from ratebook.formats.reading.cells import cell_text
from ratebook.formats.registry import detect_format, parse_source
from ratebook.formats.source import source_of_bytes
from ratebook.model import Cell
from ratebook.reports.load import load_bytes
from unit.formats.csv_report.reports import HINTS, source_of

ROOT = Path(__file__).parents[4]
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
    "rating and id below each name": """\
#  Name/Rating/ID           Rd 1  Rd 2  Rd 3  Total
1  Adams, Example           W2    W4    D3    2.5
   1794   12345671
2  Baker, Example           L1    W3    D4    1.5
   1655   12345672
3  Davis, Example           W4    L2    D1    1.5
   1588   12345673
4  Clark, Example           L3    L1    D2    0.5
   unr.   NEW
""",
    "ratings in brackets behind the names": """\
#  Name (Rating)           Rd 1  Rd 2  Rd 3  Total
1  Adams, Example (1794)   W2    W4    D3    2.5
2  Baker, Example (1655)   L1    W3    D4    1.5
3  Davis, Example (1588)   W4    L2    D1    1.5
4  Clark, Example (unr)    L3    L1    D2    0.5
""",
    "headings that are numbers, over the opponents": """\
No.  Name              Rate     1      2      3   Tot
  1  Adams, Example    1794  W  2   W  4   D  3   2.5
  2  Baker, Example    1655  L  1   W  3   D  4   1.5
  3  Davis, Example  1588P5  W  4   L  2   D  1   1.5
  4  Clark, Example    unr.  L  3   L  1   D  2   0.5
""",
    "a table of a result server, by single blanks": """\
No. Name FED Rtg Club/City 1.Rd 2.Rd 3.Rd Pts. TB1
1 Adams, Example USA 1794 Club of Exampleville 2w1 4b1 3w½ 2½ 5
2 Baker, Example USA 1655 1b0 3w1 4b½ 1½ 4
3 FM Davis, Example USA 1588 Exampleville 4w1 2b0 1b½ 1½ 4
4 Clark, Example USA 0 3b0 1w0 2w½ ½ 3
""",
    "tabs that became blanks, out of line": """\
#   Name   ID   Rtng   St   1   2   3   Tot
1   Adams, Example   12345671   1794   NY   W2   W4   D 3   2.5
2   Baker, Example   12345672   1655   NJ   L1   W3   D 4   1.5
3   Davis, Example   12345673   1588   NY   W4   L2   D 1   1.5
4   Clark, Example   12345674   UNR   NY   L3   L1   D 2   0.5
""",
    "bars, and below each name the state, the id and the points so far": """\
  # | Name            | Rtg  | Rd1  | Rd2  | Rd3  | Tot
----+-----------------+------+------+------+------+-----
  1 | Adams, Example  | 1794 | W 2b | W 4w | D 3b | 2.5
    | IA / 12345671   |      | 1.0  | 2.0  | 2.5  |
  2 | Baker, Example  | 1655 | L 1w | W 3b | D 4w | 1.5
    | IA / 12345672   |      | 0.0  | 1.0  | 1.5  |
  3 | Davis, Example  | 1588 | W 4b | L 2w | D 1w | 1.5
    | IA / 12345673       |      | 1.0  | 1.0  | 1.5  |
  4 | Clark, Example  | unr. | L 3w | L 1b | D 2b | 0.5
    | IA / NEW        |      | 0.0  | 0.0  | 0.5  |
""",
    "columns out of line, and two titles above names with ratings": """\
No  Name  (rating)          1     2     3    total
1   Adams, Example (1794)   w/2   w/4   d/3   2.5
2   Baker, Example (1655)   l/1   w/3   d/4   1.5
3   Davis, Example (1588)   w/4   l/2   d/1   1.5
4   Clark, Example (unr)   l/3   l/1   d/2   0.5
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


def test_a_second_line_brings_the_id_and_the_colours() -> None:
    text = CHARTS["headings that are numbers, over the opponents"].replace(
        "2.5\n", "2.5\n     12345671                W      B      W\n"
    )
    report = parse(source_of(text), HINTS).report
    assert report is not None
    entry = report.sections[0].entries[0]
    assert (entry.player, [cell.colour for cell in entry.rounds]) == ("12345671", ["w", "b", "w"])


def test_a_second_line_between_bars_brings_the_id() -> None:
    report = parse(
        source_of(next(chart for name, chart in CHARTS.items() if name.startswith("bars"))), HINTS
    ).report
    assert report is not None
    ids = [entry.player for entry in report.sections[0].entries]
    assert ids[:3] == ["12345671", "12345672", "12345673"]


def test_several_charts_are_sections_and_say_when_they_were_played() -> None:
    chart = CHARTS["single blanks between headings"].split("\n\n")[1]
    text = (
        f"Autumn Open\nEvent Date(s) 2026-08-29 thru 2026-08-30\n\nSection 1 - Open\nTime Control: G/60;d5\n{chart}"
        f"\nSection 2 - Reserve\nTime Control: G/45;d5\n{chart.replace('1234567', '9234567')}\nMade by hand\n"
    )
    parsed = parse(source_of(text), Hints())
    assert parsed.report is not None, parsed.findings
    assert parsed.report.event.name == "Autumn Open"
    assert [
        (one.number, one.name, one.start, one.end, one.time_control, len(one.entries))
        for one in parsed.report.sections
    ] == [
        (1, "Open", date(2026, 8, 29), date(2026, 8, 30), "G/60;d5", 4),
        (2, "Reserve", date(2026, 8, 29), date(2026, 8, 30), "G/45;d5", 4),
    ]
    (left,) = [one for one in parsed.findings if one.code == "chart-lines-left"]
    assert left.where == f"1.csv, line {text[: text.index('Made')].count(chr(10)) + 1}"


LINES = [line for chart in CHARTS.values() for line in chart.splitlines()]


@given(lines=st.lists(st.sampled_from(LINES) | st.text("\t W12-|#.", max_size=30), max_size=12))
def test_lines_of_charts_in_any_order_yield_findings_and_never_an_exception(lines: list[str]) -> None:
    source = source_of("\n".join(lines))
    if looks_like(source):
        parsed = parse(source, HINTS)
        assert (parsed.report is None) == is_unreadable(parsed.findings)


@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS.keys())
def test_a_chart_is_of_no_other_format_and_no_other_report_is_a_chart(chart: str) -> None:
    found = detect_format(source_of(chart), Findings())
    assert found is not None
    assert found.name == "csv"
    for path in (ROOT / "examples").rglob("*"):
        if path.is_file() and path.suffix in {".txt", ".trf", ".json"}:
            assert header_of(path.read_text("utf-8", "replace").splitlines()) is None, path


def test_a_pairing_without_a_result_counts_as_not_played() -> None:
    """As in the table of an event that goes on."""
    text = "Rk.\tName\t1.Rd\t2.Rd\tPts.\n1\tAdams\t2w1\t3b\t1\n2\tBaker\t1b0\t\t0\n3\tDavis\t-1\t1w\t1\n"
    parsed = parse(source_of(text), HINTS)
    assert parsed.report is not None, parsed.findings
    rounds = {entry.seat: entry.rounds for entry in parsed.report.sections[0].entries}
    assert rounds[1] == (Cell("W", 2, "w"),)
    missing = [(one.place.rows, one.case) for one in parsed.findings if one.code == "result-missing"]
    assert missing == [((2,), "in-table"), ((4,), "in-table")]


def test_a_table_by_rank_names_opponents_by_rank_and_has_byes_and_forfeits() -> None:
    text = "Rk.\tName\t1.Rd\t2.Rd\tPts.\n1\tAdams\t2w1\t3b+\t2,0\n2\tBaker\t1b0\t-1\t1,0\n3\tDavis\t-½\t1w-\t0,5\n"
    parsed = parse(source_of(text), HINTS)
    assert parsed.report is not None, parsed.findings
    cells = [entry.rounds for entry in parsed.report.sections[0].entries]
    assert [[cell.letter for cell in row] for row in cells] == [["W", "X"], ["L", "B"], ["H", "F"]]


def test_a_minus_before_a_number_is_a_bye_only_in_a_table_of_such_results() -> None:
    parsed = parse(source_of("seat,name,round1\n1,Adams,-1\n2,Baker,+1\n"), HINTS)
    assert [one.code for one in parsed.findings if one.severity == "error"] == ["cell-unreadable"] * 2


UNTITLED = """\
Match Alder - Beck, 2 games
21 and 22 November 2026, G/90 +30

1 \u00c5lder, Bruno   90000011  1876   W2  D2  1.5
2 Beck, Ida       90000012  1902   L1  D1   0.5
"""


@pytest.mark.parametrize("text", [UNTITLED, UNTITLED.replace("+30\n\n", "+30\n"), UNTITLED.split("\n\n")[1]])
def test_a_chart_without_a_header_line_is_read_where_each_line_has_a_number_a_name_and_rounds(
    text: str,
) -> None:
    source = source_of_bytes(text.encode(), "match.txt")
    parsed = parse_source(source, Hints(date(2026, 11, 21), date(2026, 11, 22), "G/90;+30"))
    assert parsed.report is not None, parsed.findings
    (section,) = parsed.report.sections
    assert [(entry.player, [cell.letter for cell in entry.rounds]) for entry in section.entries] == [
        ("90000011", ["W", "D"]),
        ("90000012", ["L", "D"]),
    ]
    assert [player.name for player in parsed.report.players.values()] == ["\u00c5lder, Bruno", "Beck, Ida"]
    assert [player.pairing_rating for player in parsed.report.players.values()] == [1876, 1902]


def test_a_line_of_a_chart_without_a_header_line_that_cannot_be_read_keeps_it_from_being_one() -> None:
    text = UNTITLED.replace("2 Beck, Ida", "2 Crane W1 ?\n3 Beck, Ida")
    assert parse_source(source_of_bytes(text.encode(), "match.txt")).report is None


PLAYERS = [
    "Ann Lowe 1700 W4 W3 D2 2.5",
    "Bo Reyes 1650 W3 L4 D1 1.5",
    "Cy Ward 1600 L2 L1 W4 1",
    "Di Marsh L1 W2 L3 1",
]
OTHERS = ["Ed Adams 1500 W2 1", "Fay Brown 1450 L1 0"]
ABOVE = ["Club Night, 14 November 2026, G/25;d5", ""]


def numbered(lines: list[str]) -> list[str]:
    return [f"{number}. {line}" for number, line in enumerate(lines, start=1)]


@pytest.mark.parametrize(
    ("lines", "sections"),
    [
        ([*ABOVE, *PLAYERS], {"": 4}),
        ([*ABOVE, "Name       Rtng R1 R2 R3 Tot", *PLAYERS], {"": 4}),
        ([*ABOVE, "Open", *numbered(PLAYERS), "", "Reserve", *numbered(OTHERS)], {"Open": 4, "Reserve": 2}),
        ([*ABOVE, "Open", *PLAYERS, "", "Reserve", *OTHERS], {"Open": 4, "Reserve": 2}),
        ([*ABOVE, *PLAYERS, "", *OTHERS], {"Section 1": 4, "Section 2": 2}),
        ([*ABOVE, *numbered(PLAYERS), *numbered(OTHERS)], {"Section 1": 4, "Section 2": 2}),
        ([*ABOVE, *reversed(numbered(PLAYERS))], {"": 4}),
    ],
)
def test_charts_without_numbers_or_headers_are_read_where_they_are_unambiguous(
    lines: list[str], sections: dict[str, int]
) -> None:
    report = load_bytes("\n".join(lines).encode(), "club.txt").report
    assert report is not None
    assert report.event.name == "Club Night"
    assert {section.name: len(section.entries) for section in report.sections} == sections
    first = report.sections[0]
    by_name = {report.players[entry.player].name: entry for entry in first.entries}
    ann = by_name["Ann Lowe"]
    assert ["".join(map(str, cell[:2])) for cell in ann.rounds] == ["W4", "W3", "D2"]
    assert by_name["Di Marsh"].seat == 4


def test_a_long_chart_without_numbers_is_read() -> None:
    lines = [
        f"Person {chr(65 + at // 26)}{chr(97 + at % 26)} {'WL'[at % 2]}{at + 2 if at % 2 == 0 else at}"
        for at in range(60)
    ]
    report = load_bytes("\n".join([*ABOVE, *lines]).encode(), "club.txt").report
    assert report is not None
    assert len(report.sections[0].entries) == 60


def test_a_chart_without_numbers_whose_games_do_not_agree_is_not_guessed() -> None:
    loaded = load_bytes("\n".join([*ABOVE, *PLAYERS[1:], PLAYERS[0]]).encode(), "club.txt")
    assert [each.code for each in loaded.findings] == ["format-unknown"]
    assert "template" in loaded.findings[0].remedy


def test_a_player_without_a_number_is_an_error_that_names_the_line() -> None:
    chart = (
        CHARTS["single blanks between headings"]
        + "    Epps, Example               1400  B     H     U     1.5\n"
    )
    parsed = parse(source_of(chart), HINTS)
    assert [
        (finding.code, finding.place.line) for finding in parsed.findings if finding.code.startswith("chart")
    ] == [("chart-number-missing", 8)]


SPANISH = """\
#  Nombre       Elo   R1  R2
1  Haya, Ana    1500  +2  =3
2  Pino, Blas   1450  -1  +4
3  Musgo, Caro  1400  -4  =1
4  Junco, Dora  1350  +3  -2
"""
PLACED = """\
Place Name            Rtg  Rd.1 Rd.2
 1-2  1. Hale, Ann    1500 W2   D3
      2. Penn, Bo     1450 L1   W4
  3   3. Moss, Cy     1400 L4   D1
  4   4. Reed, Di     1350 W3   L2
"""


@pytest.mark.parametrize("text", [SPANISH, PLACED])
def test_a_chart_may_have_titles_of_other_languages_signs_and_shared_places(text: str) -> None:
    parsed = parse(source_of(text), HINTS)
    assert [one for one in parsed.findings if one.severity == "error"] == []
    assert parsed.report is not None
    (section,) = parsed.report.sections
    rounds = [" ".join(map(cell_text, entry.rounds)) for entry in section.entries]
    assert rounds == ["W2 D3", "L1 W4", "L4 D1", "W3 L2"]
    assert all("," in player.name for player in parsed.report.players.values())


QUADS = """\
Heron Quads

QUAD 1
 1. Hale, Ann     1820  1.5   W2   D3
 2. Penn, Bo      1750  1.0   L1   W4
 3. Moss, Cy      1690  1.5   W4   D1
 4. Reed, Di      1600  0.0   L3   L2

QUAD 2
 1. Sand, Ed      1420  1.0   W2   L3
 2. Tarn, Fay     1350  0.0   L1   L4
 3. Vale, Gus     1290  1.5   D4   W1
 4. Wold, Hal     1200  1.5   D3   W2
"""


@pytest.mark.parametrize(
    "text", [QUADS, QUADS.replace("1.5", "1\u00bd"), re.sub(r"(?m)^ ([1-4])\.", r" \1:", QUADS)]
)
def test_a_chart_without_titles_may_have_the_points_before_the_rounds(text: str) -> None:
    parsed = parse(source_of(text), HINTS)
    assert parsed.report is not None
    assert parsed.report.event.name == "Heron Quads"
    assert [section.name for section in parsed.report.sections] == ["QUAD 1", "QUAD 2"]
    assert [cell_text(entry.rounds[1]) for entry in parsed.report.sections[1].entries] == [
        "L3",
        "L4",
        "W1",
        "W2",
    ]
    assert parsed.report.players["seat-1"].pairing_rating == 1820.0


def test_numbers_above_a_grid_name_no_event() -> None:
    grid = "     1   2   Tot\n1 Hale 1650  X  1  1\n2 Penn 1600  0  X  0\n"
    parsed = parse(source_of(grid), HINTS)
    assert parsed.report is not None
    assert "Tot" not in parsed.report.event.name


def test_two_titles_of_what_is_in_two_lines_are_no_obstacle() -> None:
    chart = (
        "#  Name/Rtg  Player/ID  Rd 1  Rd 2\n"
        "1  Hale Ann  90000001   W2    D3\n"
        "2  Penn Bo   90000002   L1    B\n"
        "3  Dunn Cy   90000003   B     D1\n"
    )
    parsed = parse(source_of(chart), HINTS)
    assert parsed.report is not None
    assert [player.name for player in parsed.report.players.values()] == ["Hale Ann", "Penn Bo", "Dunn Cy"]


def test_a_result_that_cannot_be_read_beside_a_player_called_bye_is_named() -> None:
    table = "#,Name,Rating,R1,R2\n1,Hale,1800,W2,one\n2,Penn,1750,L1,W3\n3,BYE,,,L2\n"
    assert "cell-unreadable" in [finding.code for finding in parse(source_of(table), HINTS).findings]

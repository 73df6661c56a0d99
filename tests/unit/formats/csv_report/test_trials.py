"""Tables that newcomers to the program brought: what each says is written by hand."""

import re
from datetime import date

import pytest

from ratebook.formats.contract import Hints
from ratebook.formats.registry import parse_source
from ratebook.formats.source import source_of_bytes
from ratebook.model import Section, System

HINTS = Hints(date(2026, 11, 7), date(2026, 11, 8), "G/90")
GAMES = {1: "W2 W3 D4", 2: "L1 D4 W3", 3: "W4 L1 L2", 4: "L3 D2 D1"}


def section_of(text: str) -> Section:
    parsed = parse_source(source_of_bytes(text.encode(), "chart.txt"), HINTS)
    assert parsed.report is not None, parsed.findings
    return parsed.report.sections[0]


def games_of(section: Section) -> dict[int, str]:
    return {
        entry.seat: " ".join(f"{cell.letter}{cell.opponent or ''}" for cell in entry.rounds)
        for entry in section.entries
    }


@pytest.mark.parametrize(
    "chart",
    [
        # A last title in brackets.
        (
            "#  Name        Rating  Rd 1  Rd 2  Rd 3  Tot  TBrk[M]\n"
            "1  Ash, Tom    1800    W2    W3    D4    2.5  4\n"
            "2  Bay, Una    1750    L1    D4    W3    1.5  4\n"
            "3  Cox, Vic    1600    W4    L1    L2    1    5\n"
            "4  Day, Wes    1500    L3    D2    D1    1    5\n"
        ),
        # Letters of results apart from the opponents, titles between them.
        (
            "  No. Name            Rate    1     2     3   Tot\n"
            "   1. Ash, Tom        1800 W   2 W   3 D   4 2.5\n"
            "   2. Bay, Una        1750 L   1 D   4 W   3 1.5\n"
            "   3. Cox, Vic        1600 W   4 L   1 L   2 1.0\n"
            "   4. Day, Wes        1500 L   3 D   2 D   1 1.0\n"
        ),
        # Colour, opponent and result apart by one blank.
        (
            "Rank Name        Rating  Rd1    Rd2    Rd3    Pts\n"
            "1    Ash, Tom    1800    w2 1   b3 1   w4 =   2.5\n"
            "2    Bay, Una    1750    b1 0   w4 =   b3 1   1.5\n"
            "3    Cox, Vic    1600    w4 1   w1 0   w2 0   1.0\n"
            "4    Day, Wes    1500    b3 0   b2 =   b1 =   1.0\n"
        ),
        # The id before the name, and no titles.
        (
            "1  26000011 Ash, Tom      1800   W2 W3 D4   2.5\n"
            "2  26000012 Bay, Una      1750   L1 D4 W3   1.5\n"
            "3  26000013 Cox, Vic      1600   W4 L1 L2   1\n"
            "4  26000014 Day, Wes      1500   L3 D2 D1   1\n"
        ),
    ],
)
def test_charts_whose_columns_are_not_below_their_titles(chart: str) -> None:
    assert games_of(section_of(chart)) == GAMES


def test_a_cell_without_a_game_keeps_its_row_in_columns() -> None:
    chart = (
        "Rank Name        Rating  Rd1    Rd2    Rd3    Pts\n"
        "1    Ash, Tom    1800    w2 1   b3 1   bye    3.0\n"
        "2    Bay, Una    1750    b1 0   --     w3 1   1.0\n"
        "3    Cox, Vic    1600    bye    w1 0   b2 0   1.0\n"
    )
    assert games_of(section_of(chart)) == {1: "W2 W3 B", 2: "L1  W3", 3: "B L1 L2"}


@pytest.mark.parametrize(
    "text",
    [
        (
            "Ash (2.5): beat Bay, Cox, drew Day\nBay (1.5): lost to Ash; drew Day; beat Cox\n"
            "Cox (1): beat Day, lost to Ash, lost to Bay\nDay (1): lost to Cox, drew Bay and Ash\n"
        ),
        (
            "No;Name;Rating;Rd 1;Rd 2;Rd 3\n1;Ash;1800;w-2 1;b-3 1;w-4 \u00bd\n2;Bay;1750;b-1 0;w-4 \u00bd;b-3 1\n"
            "3;Cox;1600;w-4 1;w-1 0;w-2 0\n4;Day;1500;b-3 0;b-2 \u00bd;b-1 \u00bd\n"
        ),
        "R1 Ash-Bay 1-0, Cox-Day 1-0\nR2 Ash-Cox 1-0, Bay-Day draw\nR3 Ash-Day 1/2, Bay-Cox 1-0\n",
    ],
)
def test_results_in_words_and_with_hyphens(text: str) -> None:
    assert games_of(section_of(text)) == GAMES


def test_signs_of_programs_are_results_byes_and_forfeits() -> None:
    """As Papi and Vega print them; + and - are forfeits in a table whose games have figures."""
    papi = "Pl\tNom\tRapide\tRd 1\tRd 2\n"
    papi += "1\tASH\t1676 F\t+ 2B\t= EXE\n2\tBAY\t1633 F\t- 1N\t> 3\n3\tCOX\t1528 N\t+ EXE\t< 2\n"
    assert games_of(section_of(papi)) == {1: "W2 H", 2: "L1 X3", 3: "B F2"}
    vega = (
        "Elm Open - Crosstable at round 2\n\n ID  NAME    Rtg  Pts   |   1       2\n"
        "-----------------------------------\n  1  Ash     1869  1.5  |  -W2     =BYE\n"
        "  2  Bay     1672  2    |  +B1     -B3F\n  3  Cox     1524  1    |  +BYE    +W2F\n"
    )
    assert games_of(section_of(vega)) == {1: "L2 H", 2: "W1 F3", 3: "B X2"}
    figures = "#;Name;Elo;R1;R2\n1;Ash;1800;1 Bay;+ Cox\n2;Bay;1700;0 Ash;\n3;Cox;1600;;- Ash\n"
    assert games_of(section_of(figures)) == {1: "W2 X3", 2: "L1 ", 3: " F1"}


@pytest.mark.parametrize(
    "table",
    [
        # Italian: bianco and nero behind the sign; Dutch: wit and zwart before the number, the sign behind it.
        "#,Nome,Elo,T1,T2\n1,Ash,1800,+B2,-N3\n2,Bay,1750,-N1,=B3\n3,Cox,1600,+B1,=N2\n",
        "#,Naam,Rating,R1,R2\n1,Ash,1800,w2+,z3-\n2,Bay,1750,z1-,w3=\n3,Cox,1600,w1+,z2=\n",
        "Start #,Name,Rating,R1,R2\n1,Ash,1800,1 W 2,0 B 3\n2,Bay,1750,0 B 1,= W 3\n3,Cox,1600,1 W 1,= B 2\n",
        "#,Name,Rating,R1,Op,R2,Op\n1,Ash,1800,W,2,L,3\n2,Bay,1750,L,1,D,3\n3,Cox,1600,W,1,D,2\n",
    ],
)
def test_colours_signs_and_opponents_in_any_order(table: str) -> None:
    section = section_of(table)
    assert games_of(section) == {1: "W2 L3", 2: "L1 D3", 3: "W1 D2"}
    colours = ["".join(cell.colour for cell in entry.rounds) for entry in section.entries]
    assert colours in (["wb", "bw", "wb"], ["", "", ""])


@pytest.mark.parametrize(
    ("table", "finding"),
    [
        # Grades are ratings where they look so; the score of a table without games is no game.
        ("#,Name,Grade,R1\n1,Ash,1812,W2\n2,Bay,1790,L1\n", ("column-unclear", "ratings")),
        ("#,Zzz,Rating,R1\n1,Ash,1812,W2\n2,Bay,1790,L1\n", ("column-unclear", "names")),
        (
            "Place,Name,Rating,Score\n" + "".join(f"{at},P{at},1{at}00,1.5\n" for at in range(1, 9)),
            ("format-unknown", "columns"),
        ),
    ],
)
def test_what_a_column_may_be_is_asked(table: str, finding: tuple[str, str]) -> None:
    parsed = parse_source(source_of_bytes(table.encode(), "a.csv"), HINTS)
    assert [(one.code, one.case) for one in parsed.findings if one.severity == "error"] == [finding]


@pytest.mark.parametrize(
    ("names", "ratings"),
    [
        (["Ash 1700", "Bay 1660P8", "Cox unr", "Day 998"], [1700, 1660, None, 998]),
        (
            ["Ash, Tom, 1700, 26000011", "Bay 1660 26000012", "Cox (26000013)", "Day"],
            [1700, 1660, None, None],
        ),
        (["Ash (1700)", "Bay (1660)", "Cox (0)", "Day (unr)"], [1700, 1660, None, None]),
        # Years of birth, names with numbers, and numbers of a few.
        (["Ash 2011", "Bay 2013", "Cox 2009", "Day 2010"], None),
        (["Team 101", "Team 102", "Team 103", "Team 104"], None),
        (["Ash 1700", "Bay 1660", "Cox", "Day"], None),
    ],
)
def test_ratings_beside_names(names: list[str], ratings: list[float | None] | None) -> None:
    cells = ("W4,D2,L3", "L3,D1,W4", "W2,W4,W1", "L1,L3,L2")
    rows = [
        f'{number},"{name}",{row}' for number, (name, row) in enumerate(zip(names, cells, strict=True), 1)
    ]
    parsed = parse_source(source_of_bytes("\n".join(["#,Name,R1,R2,R3", *rows]).encode(), "a.csv"), HINTS)
    assert parsed.report is not None, parsed.findings
    players = parsed.report.players.values()
    assert [player.pairing_rating for player in players] == (ratings or [None] * len(rows))
    if ratings is None:
        assert [player.name for player in players] == names
    else:
        assert [player.name.partition(",")[0] for player in players] == ["Ash", "Bay", "Cox", "Day"]
    assert [f.code for f in parsed.findings if f.severity == "warning" and f.code != "id-missing"] == (
        [] if ratings else ["name-with-number"]
    )


def test_a_row_of_wins_in_spanish_is_no_header() -> None:
    rows = ["1;Ash;1700;G4;T2;P3", "2;Bay;1660;P3;T1;G4", "3;Cox;1620;G2;G4;G1", "4;Day;1580;P1;P3;P2"]
    table = "\n".join(["No;Jugador;Elo;Ronda 1;Ronda 2;Ronda 3", *rows])
    assert games_of(section_of(table)) == {1: "W4 D2 L3", 2: "L3 D1 W4", 3: "W2 W4 W1", 4: "L1 L3 L2"}


def test_two_tables_beside_each_other_are_one_error() -> None:
    titles = "#,Name,Rating,R1,,#,Name,Rating,R1"
    parsed = parse_source(
        source_of_bytes(f"{titles}\n1,Ash,1800,W2,,1,Elm,1300,W2\n".encode(), "a.csv"), HINTS
    )
    assert [(finding.code, finding.case) for finding in parsed.findings if finding.severity == "error"] == [
        ("column-twice", "beside")
    ]


def test_players_of_a_grid_may_have_letters_and_no_title_for_them() -> None:
    rows = [
        "   Name  Rtg   A  B  C",
        "A  Ash   1800  X  1  0",
        "B  Bay   1750  0  X  1",
        "C  Cox   1700  1  0  X",
    ]
    grid = "\n".join(rows)
    wins = {frozenset((1, 2)): 1, frozenset((2, 3)): 2, frozenset((1, 3)): 3}
    section = section_of(grid)
    won = {
        frozenset((entry.seat, cell.opponent)): entry.seat
        for entry in section.entries
        for cell in entry.rounds
        if cell.letter == "W"
    }
    assert won == wins


def test_a_bye_with_a_row_of_its_own_is_no_player() -> None:
    table = "#,Name,Rating,R1,R2,R3\n1,Ash,1800,W2,W3,W4\n2,Bay,1750,L1,D4,W3\n3,Cox,1600,L4,L1,L2\n4,BYE,,W3,D2,L1\n"
    assert games_of(section_of(table)) == {1: "W2 W3 B", 2: "L1 H W3", 3: "U L1 L2"}


def test_an_id_before_a_name_in_one_cell_is_an_id() -> None:
    table = "#,Name,Rating,R1\n1,26000011: ASH TOM,1800,W2\n2,26000012: BAY UNA,1750 (P12),L1\n"
    assert [entry.player for entry in section_of(table).entries] == ["26000011", "26000012"]


def test_a_second_line_with_new_for_an_id_is_no_player() -> None:
    chart = (
        "  No  Name           Rate    Rd 1   Rd 2   Rd 3   Tot\n"
        "   1. ASH TOM        1800    W  2   W  3   D  4   2.5\n"
        "      26000011               1.0    2.0    2.5\n"
        "   2. BAY UNA        1750    L  1   D  4   W  3   1.5\n"
        "      26000012               0.0    0.5    1.5\n"
        "   3. COX VIC        1600    W  4   L  1   L  2   1.0\n"
        "      26000013               1.0    1.0    1.0\n"
        "   4. DAY WES        Unr.    L  3   D  2   D  1   1.0\n"
        "      NEW                    0.0    0.5    1.0\n"
    )
    section = section_of(chart)
    assert games_of(section) == GAMES
    assert [entry.player[:2] for entry in section.entries][:3] == ["26"] * 3


@pytest.mark.parametrize(("written", "codes"), [("1600/P8", set()), ("1600-P8", {"rating-unreadable"})])
def test_a_rating_that_runs_into_the_next_column_is_never_lost(written: str, codes: set[str]) -> None:
    chart = (
        "#  Name           ID        Rating  Rd 1  Rd 2  Total\n"
        "1  Ash, Tom       26000011  1800    W2    D3    1.5\n"
        "2  Bay, Una       26000012  1750    L1    B---  1.0\n"
        f"3  Cox, Vic       26000013  {written} B---  D1    1.5\n"
    )
    parsed = parse_source(source_of_bytes(chart.encode(), "chart.txt"), HINTS)
    assert {finding.code for finding in parsed.findings if finding.severity == "error"} == codes
    if parsed.report is not None:
        rating = parsed.report.players["26000013"].ratings[System.REGULAR]
        assert (rating.rating, rating.games) == (1600, 8)


def test_letters_of_results_may_stand_beside_names_of_opponents() -> None:
    table = "Name,Rating,Opp 1,W/L/D 1,Opp 2,W/L/D 2\nTom Ash,1800,Bay,W,Cox,D\nUna Bay,,Ash,L,,\nVic Cox,,,,Ash,D\n"
    assert games_of(section_of(table)) == {1: "W2 D3", 2: "L1 ", 3: " D1"}


def test_a_column_with_which_the_numbers_begin_anew_divides_the_players() -> None:
    games = "{0},1,Ash,1800,W2\n{0},2,Bay,1750,L1\n"
    table = "Division,Rank,Name,Rating,R1\n" + games.format("K-5") + games.format("K-8")
    parsed = parse_source(source_of_bytes(table.encode(), "chart.csv"), HINTS)
    assert parsed.report is not None
    assert [(section.name, games_of(section)) for section in parsed.report.sections] == [
        ("K-5", {1: "W2", 2: "L1"}),
        ("K-8", {1: "W2", 2: "L1"}),
    ]
    whole = section_of("Class,Rank,Name,Rating,R1\nB,1,Ash,1800,W2\nC,2,Bay,1750,L1\n")
    assert games_of(whole) == {1: "W2", 2: "L1"}


@pytest.mark.parametrize("gap", [",", "     "])
def test_players_of_a_shared_place_are_numbered_in_order(gap: str) -> None:
    places = ("Pl   Name", "1    Ash", "2-3  Bay", "2-3  Cox", "4    Day")
    rows = ("R1 R2 R3", "W2 W3 D4", "L1 D4 W3", "W4 L1 L2", "L3 D2 D1")
    chart = "\n".join(
        [re.sub(r"\s+", gap, f"{place} {row}") for place, row in zip(places, rows, strict=True)]
    )
    parsed = parse_source(source_of_bytes(chart.encode(), "chart.txt"), HINTS)
    assert parsed.report is not None, parsed.findings
    assert games_of(parsed.report.sections[0]) == GAMES
    assert "ranks-filled" in {finding.code for finding in parsed.findings}


def test_a_row_whose_number_cannot_be_read_is_an_error() -> None:
    chart = "#   Name      R1  R2\n1   Ash, Tom  W2  D3\n2=  Bay, Una  L1  B\n2=  Cox, Vic  B   D1\n"
    parsed = parse_source(source_of_bytes(chart.encode(), "chart.txt"), HINTS)
    assert [each.place.line for each in parsed.findings if each.code == "chart-number-missing"] == [3, 4]


def test_what_is_above_a_chart_is_no_name_of_a_section() -> None:
    chart = (
        " #  Player            Rtg   1    2    Tot\n"
        " 1. TOM ASH          1571  W2   D2   1.5\n"
        " 2. UNA BAY          1578  L1   D1   0.5\n"
    )
    section = section_of(f"Maple Open\n{chart}")
    assert (section.name, games_of(section)) == ("", {1: "W2 D2", 2: "L1 D1"})
    for last in ("Final date", "Fecha final", "Date de fin", "Slutdatum"):
        table = f"Event;Open\n{last};20/11/2026\nNo;Name;R1\n1;Tom Ash;W2\n2;Una Bay;L1\n"
        assert section_of(table).name == ""


def test_sieg_remis_and_niederlage_are_no_results_of_one_side() -> None:
    table = (
        "TNr;Teilnehmer;Elo;1. Runde;2. Runde;3. Runde\n1;Ash, Tom;1800;S2;S3;R4\n2;Bay, Una;1750;N1;R4;S3\n"
        "3;Cox, Vic;1600;S4;N1;N2\n4;Day, Wes;1500;N3;R2;R1\n"
    )
    assert games_of(section_of(table)) == GAMES

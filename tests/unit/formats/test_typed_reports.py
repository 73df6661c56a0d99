"""Reports as directors, coaches and secretaries type and paste them: invented players, results written by hand."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.findings import Severity
from ratebook.formats.contract import DayOrder, Hints, ParsedReport
from ratebook.formats.reading.cells import cell_text
from ratebook.formats.registry import parse_source
from ratebook.formats.source import source_of_bytes
from ratebook.model import Section

PLAYED = Hints(date(2026, 10, 3), date(2026, 10, 3), "G/60;d5")


def read(text: str, hints: Hints = PLAYED, name: str = "report.txt") -> ParsedReport:
    return parse_source(source_of_bytes(text.encode(), name), hints)


def sections(parsed: ParsedReport) -> tuple[Section, ...]:
    assert parsed.report is not None, parsed.findings
    return parsed.report.sections


def games(parsed: ParsedReport) -> list[dict[str, str]]:
    """Return the rounds of the players of each section by name."""
    assert parsed.report is not None, parsed.findings
    return [
        {
            parsed.report.players[entry.player].name: " ".join(
                cell_text(cell) or "." for cell in entry.rounds
            )
            for entry in section.entries
        }
        for section in parsed.report.sections
    ]


ABOVE_CHART = "Maple Open\n{day}\n\n1 Hale, Ann 1700 W2\n2 Penn, Bob 1600 L1\n"
ABOVE_PAIRINGS = "Maple Open\n{day}\n\nRound 1\nHale 1-0 Penn\n"
ABOVE_CHARTS = """\
Maple Open
Open
Date: {day}
No  Name       Rating  Rd 1
1   Hale, Ann  1700    W2
2   Penn, Bob  1600    L1

Reserve
No  Name       Rating  Rd 1
1   Dunn, Cat  1300    W2
2   Cole, Dan  1200    L1
"""
ABOVE_CROSSTABLE = """\
Maple Open
{day}
--------------------------------
Pair | Player Name |Total|Round|
Num  | USCF ID / Rtg (Pre->Post) | Pts | 1 |
--------------------------------
    1 | ANN HALE |1.0 |W 2|
   CA | 90000001 / R: 1700 ->1710 | | |
    2 | BOB PENN |0.0 |L 1|
   CA | 90000002 / R: 1600 ->1590 | | |
"""


@pytest.mark.parametrize("text", [ABOVE_CHART, ABOVE_PAIRINGS, ABOVE_CHARTS, ABOVE_CROSSTABLE])
@pytest.mark.parametrize(
    ("order", "days"),
    [
        (DayOrder.MONTH_FIRST, (date(2026, 10, 4), date(2026, 10, 4))),
        (DayOrder.DAY_FIRST, (date(2026, 4, 10), date(2026, 4, 10))),
        (None, None),
    ],
)
def test_a_day_that_can_be_read_in_two_ways_asks_for_the_order(
    text: str, order: DayOrder | None, days: tuple[date, date] | None
) -> None:
    parsed = read(text.format(day="10/4/2026"), Hints(time_control="G/60;d5", day_order=order))
    if days is None:
        assert {finding.code for finding in parsed.findings if finding.severity == "error"} == {
            "date-order-unclear"
        }
    else:
        assert {(section.start, section.end) for section in sections(parsed)} == {days}


def test_each_chart_has_the_days_above_it() -> None:
    """The second one has only a line of its own; the first one has those of the event."""
    charts = "Maple Open\nOctober 4, 2026\nOpen\n1 Hale 1700 W2\n2 Penn 1600 L1\n\n"
    charts += "Reserve\nDate: October 5, 2026\n1 Dunn 1300 W2\n2 Cole 1200 L1\n"
    days = [(section.name, section.end) for section in sections(read(charts, Hints(time_control="G/60")))]
    assert days == [("Open", date(2026, 10, 4)), ("Reserve", date(2026, 10, 5))]


TWO_ROUNDS = [{"Hale": "W2w W3w", "Cole": "L1b L4w", "Penn": "L4w L1b", "Dunn": "W3b W2b"}]


@pytest.mark.parametrize(
    "text",
    [
        "Round 1\nHale (W) 1-0 Cole (B)\nDunn (B) 1-0 Penn (W)\nRound 2\nCole 0-1 Dunn\nPenn (B) 0-1 Hale (W)",
        "Round 1\nW: Hale B: Cole 1-0\nB: Dunn W: Penn 1-0\nRound 2\nCole 0-1 Dunn\nHale 1-0 Penn",
        "R1: Hale-Cole 1-0, Penn-Dunn 0-1\nR 2: Cole-Dunn 0-1, Hale-Penn 1-0",
        "Round 1 Board 1: Hale 1-0 Cole\nRound 1 Board 2: Penn 0-1 Dunn\nRd 2 Bd 1: Cole 0-1 Dunn; Hale 1-0 Penn",
        "ROUND ONE\nHale 1-0 Cole\nPenn 0-1 Dunn\nSecond Round\nCole - Dunn: 0-1\nHale def. Penn",
        "*Round 1*\nHale 1-0 Cole \u2705\nPenn 0-1 Dunn\n*Round 2*\nCole 0-1 Dunn\nHale 1-0 Penn",
        (
            "[10/3/26, 1:14:03 PM] Ann: Round 1\n[10/3/26, 1:15:03 PM] Ann: Hale 1-0 Cole\nPenn 0-1 Dunn\n"
            "[10/4/26, 1:14:03 PM] Ann: R2\n[10/4/26, 1:15:03 PM] Ann: Cole 0-1 Dunn\nHale 1-0 Penn"
        ),
        (
            "13/10/2026, 11:14 - Messages are encrypted.\n13/10/2026, 11:15 - Ann: R1\nHale 1-0 Cole\n"
            "Penn 0-1 Dunn\nR2\nCole 0-1 Dunn\nHale 1-0 Penn"
        ),
    ],
)
def test_games_are_read_as_they_are_typed(text: str) -> None:
    parsed = read(text)
    assert games(parsed) == TWO_ROUNDS
    assert [section.end for section in sections(parsed)] == [PLAYED.end]


def test_players_with_ratings_and_nothing_else_between_them() -> None:
    parsed = read("Round 1\nBd 1 Hale 1700 Cole 1400 1-0\n2. Penn (1600) Dunn (1500) 0-1")
    assert games(parsed) == [{"Hale": "W4w", "Penn": "L3w", "Dunn": "W2b", "Cole": "L1b"}]


def test_players_named_by_their_numbers_alone() -> None:
    parsed = read("Round 1\n1  3 - 7  1-0\n2  4 - 8  0-1")
    assert [(entry.seat, cell_text(entry.rounds[0])) for entry in sections(parsed)[0].entries] == [
        *((3, "W7w"), (4, "L8w"), (7, "L3b"), (8, "W4b"))
    ]


def test_a_list_of_games_that_cannot_be_read_is_told_what_a_game_looks_like() -> None:
    (only,) = read("Maple Quad\nRound 1\nHale / Penn: White won").findings
    assert (only.code, only.case, only.place.line) == ("format-unknown", "games-unread", 3)
    assert "'Hale / Penn: White won'" in only.message
    assert "A 1-0 B" in only.remedy


@pytest.mark.parametrize(
    "cells",
    [
        ("4W1,2B½", "3w0,1W½", "2b1,4b1", "1b0,3W0"),
        ("4 W 1,2 B ½", "3 W 0,1 W ½", "2 B 1,4 B 1", "1 B 0,3 W 0"),
        ("W4w,D 2b", "3wL,D 1w", "2bW,w4b", "l1b,3Lw"),
        ("W w 4,D b 2", "L-w-3,D/w/1", "W b 2,Wb4", "L b 1,lost to 3 (w)"),
        ("w4 1,b2 ½", "w3 0,w1 ½", "b2 1,b4 1", "b1 0,w3 0"),
        ("w4w,b2 d", "w3l,w1 D", "b2W,b4 w", "b1l,w3:L"),
        ("4W w,2D b", "#3 L w,1D w", "2w b,4W b", "1L b,3l w"),
    ],
)
def test_opponent_colour_and_result_are_in_any_order(cells: tuple[str, ...]) -> None:
    rows = [f"{seat},Player {seat},{played}" for seat, played in enumerate(cells, start=1)]
    (section,) = games(read("\n".join(["No,Name,Rd 1,Rd 2", *rows])))
    assert [*section.values()] == ["W4w D2b", "L3w D1w", "W2b W4b", "L1b L3w"]


def test_a_letter_behind_a_number_is_a_result_where_no_cell_has_a_colour_there() -> None:
    (section,) = games(read("No,Name,Rd 1\n1,Hale,2W\n2,Penn,1L\n3,Cole,4D\n4,Dunn,3D\n"))
    assert section == {"Hale": "W2", "Penn": "L1", "Cole": "D4", "Dunn": "D3"}
    unplayed = read("No,Name,Rd 1\n1,Hale,2W\n2,Penn,1B\n3,Cole,W4w\n4,Dunn,L3b\n")
    assert [finding.case for finding in unplayed.findings if finding.code == "result-missing"] == [
        "in-table"
    ] * 2


@pytest.mark.parametrize("title", ["Section", "Section Name", "Quad"])
@pytest.mark.parametrize("seats", ["1234", "1212", "    "])
def test_a_column_of_names_of_sections_divides_the_report(title: str, seats: str) -> None:
    numbers = seats if seats.strip() else "1212"
    opponents = [numbers[1], numbers[0], numbers[3], numbers[2]]
    players = [("Hale", "Open", "W"), ("Penn", "Open", "L"), ("Dunn", "U1400", "W"), ("Cole", "U1400", "L")]
    rows = [
        f"{seat},{name},{section},{letter}{opponent}".lstrip(" ,")
        for seat, opponent, (name, section, letter) in zip(seats, opponents, players, strict=True)
    ]
    header = f"No,Name,{title},Rd 1" if seats.strip() else f"Name,{title},Rd 1"
    parsed = read("\n".join([header, *rows]))
    assert [(section.number, section.name) for section in sections(parsed)] == [(1, "Open"), (2, "U1400")]
    assert games(parsed) == [
        {"Hale": f"W{numbers[1]}", "Penn": f"L{numbers[0]}"},
        {"Dunn": f"W{numbers[3]}", "Cole": f"L{numbers[2]}"},
    ]


@pytest.mark.parametrize(
    "titles",
    [
        "Nov 3,Nov 10",
        "11/3/2026,11/10/2026",
        "First,Second",
        "Sat AM,Sat PM",
        "R1a,R1b",
        "Rd 1 G1,Rd 1 G2",
        "Week 2,Week 5",
        "I,II",
    ],
)
def test_columns_of_games_are_rounds_in_order_whatever_they_are_called(titles: str) -> None:
    (section,) = games(read(f"No,Name,Rtg,{titles},Pts\n1,Hale,1700,W2w,L2b,1\n2,Penn,1600,L1b,W1w,1\n"))
    assert section == {"Hale": "W2w L2b", "Penn": "L1b W1w"}


@pytest.mark.parametrize(
    "titles", ["Opp1,Res1,Opp2,Res2", "Opponent,Result,Opponent,Result", "Opp,Score,Opp,Score"]
)
def test_opponents_and_results_in_columns_of_their_own(titles: str) -> None:
    (section,) = games(read(f"No,Name,{titles}\n1,Hale,2,1,2,0\n2,Penn,1,0,1,1\n"))
    assert section == {"Hale": "W2 L2", "Penn": "L1 W1"}


def test_a_table_without_rounds_names_its_columns_and_says_how_rounds_are_called() -> None:
    errors = [
        finding
        for finding in read("No,Name,Sat,Sun\n1,Hale,won,lost\n2,Penn,lost,won\n").findings
        if finding.severity == "error"
    ]
    assert [(finding.code, finding.place.line) for finding in errors] == [("column-missing", 1)]
    assert "R1, R2, …, if they are among 'Sat', 'Sun'" in errors[0].remedy


def test_a_chart_with_titles_whose_columns_are_not_in_line() -> None:
    parsed = read(
        "No  Name   ID   Rating  Rd1  Rd2  Total\n1 Ann Hale  90000001 1700 W4  W2  2\n"
        "2  Bob van Penn 90000002 1600 L3 L1 0.0\n3 Cat New 90000003 new   W2 W4  2\n"
        "4 Daniel Cole-Martinez  90000004  unr. L1   L3 0\n"
    )
    assert games(parsed) == [
        {"Ann Hale": "W4 W2", "Bob van Penn": "L3 L1", "Cat New": "W2 W4", "Daniel Cole-Martinez": "L1 L3"}
    ]
    assert parsed.report is not None
    assert [player.pairing_rating for player in parsed.report.players.values()] == [1700, 1600, None, None]


@pytest.mark.parametrize("word", ["unrated", "NR", "nr.", "UNR", "new", "----", "new NR"])
@pytest.mark.parametrize("results", [("W2w", "L1b"), ("+2w", "-1b"), ("2w1", "1b0"), ("x 1 1", "0 x 0")])
def test_words_for_no_rating_are_in_no_name(word: str, results: tuple[str, str]) -> None:
    parsed = read(f"1 Hale, Ann 1700 {results[0]}\n2 Penn, Bob {word} {results[1]}\n")
    assert parsed.report is not None, parsed.findings
    assert [(player.name, player.pairing_rating) for player in parsed.report.players.values()] == [
        *(("Hale, Ann", 1700), ("Penn, Bob", None))
    ]


@pytest.mark.parametrize(
    "greeting",
    [
        "Hello Bob, here are the results",
        "Dear Rating Office",
        "Hi all,",
        "Results from last night",
        "Please rate this event",
        "Attached is the quad",
        "Good evening Ann",
    ],
)
def test_a_greeting_names_neither_event_nor_section(greeting: str) -> None:
    above = f"{greeting}\nMaple Open\n\n"
    for games_below in ("Round 1\nHale 1-0 Penn\n", "No,Name,Rd 1\n1,Hale,W2\n2,Penn,L1\n"):
        parsed = read(above + games_below)
        assert parsed.report is not None, parsed.findings
        assert {parsed.report.event.name, parsed.report.sections[0].name} == {"Maple Open", ""}


@pytest.mark.parametrize(
    "words",
    [
        "3.-4. Oktober 2026",
        "3 et 4 octobre 2026",
        "del 3 al 4 de octubre de 2026",
        "3 e 4 ottobre 2026",
        "3 e 4 de outubro de 2026",
        "3\u20134 oktober 2026",
        "3. ja 4. lokakuuta 2026",
    ],
)
def test_months_are_read_in_the_languages_of_the_titles(words: str) -> None:
    text = f"Maple Open\n{words}\nG/60;d5\n\n1 Hale, Ann W2\n2 Penn, Bob L1\n"
    (section,) = sections(read(text, Hints()))
    assert (section.start, section.end) == (date(2026, 10, 3), date(2026, 10, 4))


ONE_QUAD = [{"Hale": "W4 W2", "Penn": "L3 L1", "Dunn": "W2 W4", "Cole": "L1 L3"}]


@pytest.mark.parametrize(
    "text",
    [
        "1,Hale,90000001,1700,W4,W2,2\n2,Penn,90000002,1600,L3,L1,0\n3,Dunn,,unr,W2,W4,2\n4,Cole,90000004,1400,L1,L3,0",
        "1;Hale;1700;W4;W2\n2;Penn;1600;L3;L1\n3;Dunn;NR;W2;W4\n4;Cole;1400;L1;L3",
        "1. Hale (1700) - W4, W2 - 2\n2. Penn (1600) - L3, L1\n3. Dunn (unr) - W2, W4 - 2\n4. Cole (1400) - L1, L3",
        "Name,Rd 1,Rd 2\nHale,beat Cole,def. Penn\nPenn,lost to Dunn,L Hale\nDunn,W vs Penn,won 4\nCole,L Hale,L dunn",
        "Name,Opp 1,Res 1,Opp 2,Res 2\nHale,Cole,1,Penn,1\nPenn,Dunn,0,Hale,0\nDunn,Penn,1,Cole,1\nCole,Hale,0,Dunn,0",
    ],
)
def test_a_quad_is_read_as_it_is_kept(text: str) -> None:
    assert (
        games(read(f"Maple Quad, October 3, 2026, G/60;d5\n\n{text}\n", Hints(time_control="G/60;d5")))
        == ONE_QUAD
    )


@pytest.mark.parametrize(
    "text",
    [
        "Round 1\nTisch 1: Hale - Cole 1:0\nTisch 2: Penn - Dunn remis",
        "Round 1\nBd  Res  White   Res  Black\n1   1    1 Hale  0    4 Cole\n2   \u00bd    2 Penn  \u00bd    3 Dunn",
        "Date,White,Black,Winner\n2026-10-03,Hale,Cole,Hale\n2026-10-03,Penn,Dunn,draw",
        "Date,White,Black,Winner\n2026-10-03,Hale,Cole,White\n2026-10-03,Penn,Dunn,draw",
    ],
)
def test_games_in_tables_say_who_has_won_in_several_ways(text: str) -> None:
    (section,) = games(read(text))
    assert {name: cell[0] + cell[-1] for name, cell in section.items()} == {
        "Hale": "Ww",
        "Cole": "Lb",
        "Penn": "Dw",
        "Dunn": "Db",
    }


def test_ids_and_ratings_behind_names_are_columns_of_their_own() -> None:
    parsed = read("#,Name,Rd 1\n1,Ann Hale (90000001) 1700,W2\n2,Bob Penn (90000002) unr,L1\n")
    assert parsed.report is not None, parsed.findings
    assert [(*player[:2], player.pairing_rating) for player in parsed.report.players.values()] == [
        *(("90000001", "Ann Hale", 1700), ("90000002", "Bob Penn", None))
    ]


def test_a_cross_table_needs_no_title_above_its_names() -> None:
    (section,) = games(read(",Hale,Penn,Dunn,Total\nHale,x,1,0.5,1.5\nPenn,0,x,1,1\nDunn,0.5,0,x,0.5\n"))
    assert {name: sorted(cells.split()) for name, cells in section.items()} == {
        "Hale": [".", "D3", "W2"],
        "Penn": [".", "L1", "W3"],
        "Dunn": [".", "D1", "L2"],
    }


@pytest.mark.parametrize(
    ("text", "case", "words"),
    [
        ("Name,Grade,School,Wins,Losses\nHale,5,Oak,3,0\nPenn,4,Elm,2,1\n", "columns", "rounds (Rd 1"),
        ("Game 1: Hale-Penn 1-0\nGame 2: Penn-Dean 0-1\n", "without-rounds", "Game 1: Hale-Penn 1-0"),
        ("Board 1: Hale (Oak) 1-0 Cole (Elm)\n", "without-rounds", "Board 1: Hale (Oak) 1-0"),
    ],
)
def test_what_is_not_read_is_told_what_it_lacks(text: str, case: str, words: str) -> None:
    (only,) = read(text).findings
    assert (only.code, only.case) == ("format-unknown", case)
    assert words in only.message


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        *(("half-point bye", "H"), ("BYE (1/2)", "H"), ("half pt", "H"), ("full point bye", "B")),
        *(("0 point bye", "U"), ("W(F)2", "X2"), ("WF2", "X2"), ("W2F", "X2"), ("win 2 (forfeit)", "X2")),
        *(("2.5 (W2)", "W2"), ("1 (W2b)", "W2b")),
    ],
)
def test_words_of_byes_and_forfeits_and_points_beside_results(text: str, cell: str) -> None:
    (section,) = games(read(f"No,Name,Rd 1\n1,Hale,{text}\n2,Penn,B\n"))
    assert section["Hale"] == cell


def test_scores_of_both_players_in_a_cross_table_are_one_game_of_each_pair() -> None:
    (section,) = games(
        read("#,Name,1,2,3\n1,Hale,X,1-0,\u00bd-\u00bd\n2,Penn,0-1,X,1-0\n3,Dunn,\u00bd-\u00bd,0-1,X\n")
    )
    assert {name: sorted(cells.split()) for name, cells in section.items()} == {
        "Hale": [".", "D3", "W2"],
        "Penn": [".", "L1", "W3"],
        "Dunn": [".", "D1", "L2"],
    }


def test_ratings_below_the_name_of_a_federation_are_no_ids() -> None:
    parsed = read("Pair #,Name,USCF,FIDE,R1\n1,Hale,1700,1650,W2\n2,Penn,1600,,L1\n")
    assert parsed.report is not None, parsed.findings
    assert [(player.id, player.pairing_rating) for player in parsed.report.players.values()] == [
        *(("seat-1", 1700), ("seat-2", 1600))
    ]


def test_games_that_are_told_in_words() -> None:
    (section,) = games(
        read("Round 1: Hale beat Cole, Penn and Dunn drew\nRound 2\nCole vs Penn - Black wins\nBye: none\n")
    )
    assert section == {"Hale": "W2w .", "Cole": "L1b L3w", "Penn": "D4w W2b", "Dunn": "D3b ."}


def test_a_first_name_may_be_a_word_of_results_or_that_of_two() -> None:
    (section,) = games(
        read(
            "#,Name,R1,R2\n1,Drew Hale,beat Penn,drew Cole\n2,Bob Penn,lost to Hale,W Cat\n"
            "3,Cat Dunn,D Bob C,L Bob P\n4,Bob Cole,D Dunn,drew Drew\n"
        )
    )
    assert section == {"Drew Hale": "W2 D4", "Bob Penn": "L1 W3", "Cat Dunn": "D4 L2", "Bob Cole": "D3 D1"}


def test_a_bye_beside_its_points_is_worth_them() -> None:
    (section,) = games(read("#,Name,R1 Opp,R1 Res\n1,Hale,bye,0.5\n2,Penn,Bye,1\n3,Dunn,4,1\n4,Cole,3,0\n"))
    assert section == {"Hale": "H", "Penn": "B", "Dunn": "W4", "Cole": "L3"}


def test_titles_of_columns_stand_above_games_whose_players_are_not_apart() -> None:
    parsed = read(
        "Maple Open\n\nRonde 1\nWit   Zwart   Uitslag\n"
        "De Vries, Jan (1780) - Bakker, Piet (1690)   1 - 0\nHale, Ann (1500) - Cole, Bob (1400)   ½ - ½\n"
    )
    (played,) = games(parsed)
    assert played == {"De Vries, Jan": "W2w", "Bakker, Piet": "L1b", "Hale, Ann": "D4w", "Cole, Bob": "D3b"}


def test_days_and_time_controls_below_a_table_are_read_where_they_have_a_label() -> None:
    rows = "No Name          Rtg   Rd1\n 1 Hale, Ann     1500  W 2\n 2 Penn, Bob     1400  L 1\n\n"
    footer = "Director: P. Moss    Date: 11/14/2026    Time control: G/60;d5\nNext quad on December 5, 2026\n"
    parsed = read(rows + footer, Hints())
    assert parsed.report is not None, parsed.findings
    (section,) = parsed.report.sections
    assert (section.end, section.time_control) == (date(2026, 11, 14), "G/60;d5")
    assert "chart-lines-left" in {finding.code for finding in parsed.findings}


def test_a_round_between_others_is_one_though_its_results_cannot_be_read() -> None:
    parsed = read("Name,1,2,3\nHale,W2,W2*,W2\nPenn,L1,L1*,L1\nDunn,W4,D4,H\nCole,L3,D3,\n")
    assert [finding.code for finding in parsed.findings if finding.severity is Severity.ERROR] == [
        *("cell-unreadable", "cell-unreadable")
    ]


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("Hale was late, so Penn has the point", "'Hale 1-0 Penn'"),
        ("Dunn, as always, asleep", "'Dunn full point bye'"),
    ],
)
def test_a_line_that_cannot_be_read_is_shown_as_it_may_be_written(line: str, remedy: str) -> None:
    parsed = read(f"Round 1\nHale 1-0 Penn\nDunn 1-0 Cole\nRound 2\nCole 1-0 Hale\n{line}\n")
    (unreadable,) = (finding for finding in parsed.findings if finding.code == "pairing-unreadable")
    assert remedy in unreadable.remedy


@pytest.mark.parametrize("word", ["vrij", "spielfrei", "descansa", "libre"])
def test_byes_in_other_languages(word: str) -> None:
    (played,) = games(read(f"Round 1\nHale 1-0 Penn\nDunn {word}\n"))
    (table,) = games(read(f"#,Name,R1\n1,Hale,W2\n2,Penn,L1\n3,Dunn,{word}\n"))
    assert (played["Dunn"], table["Dunn"]) == ("B", "B")


def test_the_round_of_a_bye_is_in_no_name() -> None:
    (played,) = games(read("Round 1\nHale 1-0 Penn\nRound 2\nDunn 1-0 Penn\nHale R2 bye\n"))
    assert played["Hale"] == "W2w B"


def test_chats_may_leave_the_year_out() -> None:
    (played,) = games(
        read("[14/11, 18:03] Ann: Round 1: Hale 1-0 Penn\n[14/11, 18:04] Ann: Round 2: Penn 1-0 Hale\n")
    )
    assert played == {"Hale": "W2w L2b", "Penn": "L1b W1w"}

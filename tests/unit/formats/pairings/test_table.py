"""Games in tables: boards and ladders of invented players; what each row means is written by hand."""

import io
from datetime import date

import pytest
from openpyxl import Workbook

from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.registry import parse_source
from ratebook.formats.source import source_of_bytes
from unit.formats.pairings.test_read import cells

HINTS = Hints(date(2026, 10, 3), date(2026, 10, 4), "G/90;d5")
TITLES = ["Bd", "White", "Rtg", "Result", "Black", "Rtg"]
ROUNDS = [
    [
        ["1", "Alder, Bruno", "1800", "1-0", "Dale, Dora", "1500"],
        ["2", "Beck, Ida", "1700", "\u00bd-\u00bd", "Crane, Emil", "1600"],
    ],
    [
        ["1", "Dale, Dora", "1500", "0-1", "Crane, Emil", "1600"],
        ["2", "Alder, Bruno", "1800", "1-0", "Beck, Ida", "1700"],
    ],
]
GAMES = {"Alder, Bruno": "W4w W2w", "Beck, Ida": "D3w L1b", "Crane, Emil": "D2b W4b", "Dale, Dora": "L1b L3w"}


def read(text: str, hints: Hints = HINTS) -> ParsedReport:
    return parse_source(source_of_bytes(text.encode(), "games.csv"), hints)


def workbook(sheets: dict[str, list[list[str]]]) -> ParsedReport:
    book, data = Workbook(), io.BytesIO()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(data)
    return parse_source(source_of_bytes(data.getvalue(), "games.xlsx"), HINTS)


def codes(parsed: ParsedReport) -> set[str]:
    return {finding.code for finding in parsed.findings}


def test_a_column_of_rounds_says_which_round_each_board_is_of() -> None:
    rows = [
        f'{number},{board},"{white}",{white_rating},{result},"{black}",{black_rating}'
        for number, boards in enumerate(ROUNDS, start=1)
        for board, white, white_rating, result, black, black_rating in boards
    ]
    by_board = sorted(rows, key=lambda row: row.split(",")[1])
    for listed in (rows, by_board):
        text = "\n".join(["Heron Quad", "Round,Board,White,White Rtg,Result,Black,Black Rtg", *listed])
        parsed = read(text)
        assert cells(parsed) == GAMES
        assert parsed.report is not None
        assert parsed.report.event.name == "Heron Quad"
        assert parsed.report.players["seat-3"].pairing_rating == 1600


def test_a_sheet_for_each_round_is_one_section() -> None:
    sheets = {
        f"Round {at}": [["Heron Quad"], [f"Pairings Round {at}"], TITLES, *rows]
        for at, rows in enumerate(ROUNDS, start=1)
    }
    parsed = workbook(sheets)
    assert cells(parsed) == GAMES
    assert parsed.report is not None
    assert (parsed.report.event.name, len(parsed.report.sections)) == ("Heron Quad", 1)


def test_rows_that_name_rounds_stand_above_the_tables_of_one_sheet() -> None:
    rows = [row for at, boards in enumerate(ROUNDS, start=1) for row in ([f"Round {at}"], TITLES, *boards)]
    assert cells(workbook({"Sheet": [["Heron Quad"], ["14 November 2026"], *rows]})) == GAMES


@pytest.mark.parametrize(
    ("result", "black", "first_round"),
    [
        ("1-0", "Beck", "W2w"),
        ("1", "Beck", "W2w"),
        ("0,5", "Beck", "D2w"),
        ("1-0F", "Beck", "X2w"),
        ("", "bye", "B"),
        ("1/2", "", "H"),
        ("", "half point bye", "H"),
    ],
)
def test_results_and_byes_in_cells(result: str, black: str, first_round: str) -> None:
    text = f"Round;White;Result;Black\n1;Alder;{result};{black}\n2;Beck;0-1;Alder\n"
    assert cells(read(text))["Alder"].split()[0] == first_round


def test_a_result_that_cannot_be_read_and_a_row_with_one_player_are_errors() -> None:
    text = "Round;White;Result;Black\n1;Alder;2-0;Beck\n1;Crane;;\n2;Beck;0-1;Alder\n"
    places = [finding.place.line for finding in read(text).findings if finding.code == "pairing-unreadable"]
    assert places == [2, 3]


def test_a_ladder_tells_who_has_won_and_when_but_no_colours() -> None:
    parsed = read(
        "Club ladder\nDate;Winner;Loser;Draw?\n02/10/2026;Alder;Beck;\n05/10/2026;Beck;Crane;no\n"
        "13/10/2026;Alder;Crane;yes\n27/10/2026;Dale;Alder;\n",
        Hints(time_control="G/60;d5"),
    )
    assert cells(parsed) == {
        "Alder": "W2 - D3 L4",
        "Beck": "L1 W3 - -",
        "Crane": "- L2 D1 -",
        "Dale": "- - - W1",
    }
    assert parsed.report is not None
    section = parsed.report.sections[0]
    assert (section.start, section.end) == (date(2026, 10, 2), date(2026, 10, 27))


def test_days_of_games_that_cannot_be_read_are_errors() -> None:
    text = "Date;Winner;Loser\nsoon;Alder;Beck\n"
    assert read(text, Hints(time_control="G/60;d5")).report is None


def test_games_of_no_round_are_reported_with_what_to_add() -> None:
    parsed = read("White;Result;Black\nAlder;1-0;Beck\n")
    assert [(finding.code, finding.place.line) for finding in parsed.findings] == [("format-unknown", 1)]
    assert "column Round" in parsed.findings[0].remedy


def test_games_of_an_evening_in_which_nobody_plays_twice_are_one_round() -> None:
    evening = "White;Result;Black;TC\nAlder;1-0;Beck;G/45;\nCrane;0-1;Dale;G/45\nNov 12, 2026;G/45\n"
    for text in (
        evening,
        "Club night, November 12, 2026, G/45\nAlder beat Beck\nCrane 0-1 Dale\nStone bye\n",
    ):
        parsed = read(text, Hints())
        assert parsed.report is not None
        (section,) = parsed.report.sections
        assert (section.end, section.time_control) == (date(2026, 11, 12), "G/45")
        assert "pairing-rounds-untold" in codes(parsed)
        assert [entry.rounds[0].letter for entry in section.entries][:4] == [*"WLLW"]
    assert len(section.entries) == len(("Alder", "Beck", "Crane", "Dale", "Stone"))


def test_between_two_tabs_is_a_cell() -> None:
    """As tables of result servers are pasted: titles of players have a column without a title."""
    titles = "Bo.\tNo.\t\tName\tRtg\tResult\t\tName\tRtg\tNo."
    first = "1\t1\tFM\tAlder, Bruno\t1800\t1 - 0\t\tDale, Dora\t1500\t4"
    second = "2\t2\t\tBeck, Ida\t1700\t\u00bd - \u00bd\tCM\tCrane, Emil\t1600\t3"
    assert cells(read(f"Round 1\n{titles}\n{first}\n{second}\n")) == {
        "Alder, Bruno": "W4w",
        "Beck, Ida": "D3w",
        "Crane, Emil": "D2b",
        "Dale, Dora": "L1b",
    }


def test_games_in_words_are_reported_with_the_form_that_is_read() -> None:
    parsed = read("Ladder games\nOct 2 2026: Alder (1500) beat Beck (1420)\n")
    assert "A 1-0 B" in parsed.findings[0].remedy
    assert codes(parsed) == {"format-unknown"}


def test_a_round_beyond_any_event_is_an_error() -> None:
    assert "too-many-rounds" in codes(read("Round;White;Result;Black\n500;Alder;1-0;Beck\n"))


def test_a_cell_without_an_end_is_an_error() -> None:
    assert "csv-unreadable" in codes(read(f'Round;White;Result;Black\n1;Alder;1-0;"{"Beck" * 50_000}\n'))


def test_two_columns_of_names_beside_a_result_are_white_and_black() -> None:
    """As chess-results.com shows pairings; the numbers are those of the players, the points are passed over."""
    titles = ["Bo.", "No.", "Name", "Rtg", "Pts.", "Result", "Pts.", "Name", "Rtg", "No."]
    text = "\n".join(
        [
            "Heron Quad",
            "1. Round on 2026/10/03 at 10:00",
            "\t".join(titles),
            "1\t1\tAlder, Bruno\t1800\t0\t1 - 0\t0\tDale, Dora\t1500\t4",
            "2\t2\tBeck, Ida\t1700\t0\t½ - ½\t0\tCrane, Emil\t1600\t3",
            "2. Round on 2026/10/04 at 10:00",
            "\t".join(titles),
            "1\t4\tDale, Dora\t1500\t0\t0 - 1\t½\tCrane, Emil\t1600\t3",
            "2\t1\tAlder, Bruno\t1800\t1\t1 - 0\t½\tBeck, Ida\t1700\t2",
        ]
    )
    parsed = read(text, Hints(time_control="G/90;d5"))
    assert cells(parsed) == GAMES
    assert parsed.report is not None
    section = parsed.report.sections[0]
    assert (section.start, section.end) == (date(2026, 10, 3), date(2026, 10, 4))
    assert [player.pairing_rating for player in parsed.report.players.values()] == [1800, 1700, 1600, 1500]


def test_rows_that_name_rounds_may_stand_below_the_titles() -> None:
    rows = [
        "Board,White,Black,Result",
        "Round 1,,,",
        '1,"Alder, Bruno (1800)","Dale, Dora (1500)",1-0',
        '2,"Beck, Ida (1700)","Crane, Emil (1600)",½-½',
        "Round 2,,,",
        '1,"Dale, Dora","Crane, Emil",0-1',
        '2,"Alder, Bruno","Beck, Ida",1-0',
    ]
    assert cells(read("\n".join(rows))) == GAMES


@pytest.mark.parametrize(
    "titles", ["WRtg,BRtg", "WhiteElo,BlackElo", "W Rating,B Rating", "Rating White,Rating Black"]
)
def test_ratings_of_both_sides_are_told_by_their_titles(titles: str) -> None:
    rows = [
        f"Round,White,Black,Result,{titles}",
        '1,"Alder, Bruno","Dale, Dora",1-0,1800,1500',
        '1,"Beck, Ida","Crane, Emil",½-½,1700,1600',
    ]
    report = read("\n".join(rows)).report
    assert report is not None
    assert [player.pairing_rating for player in report.players.values()] == [1800, 1700, 1600, 1500]


def test_a_table_of_games_without_games_is_an_error() -> None:
    text = b"Round 1\nRound,White,Score,Black,Score\nReserve\n"
    parsed = parse_source(
        source_of_bytes(text, "games.csv"), Hints(date(2026, 10, 3), date(2026, 10, 3), "G/60")
    )
    assert [finding.code for finding in parsed.findings if finding.severity == "error"] == ["entries-empty"]


SCORES = {"1-0": ("1", "0"), "0-1": ("0", "1"), "\u00bd-\u00bd": ("\u00bd", ".5")}


@pytest.mark.parametrize(
    "titles", ["White,W Score,Black,B Score", "White,Pts,Black,Pts", "Player 1,Score 1,Player 2,Score 2"]
)
def test_two_columns_of_scores_are_a_result(titles: str) -> None:
    rows = [
        f'{number},"{white} ({own})",{SCORES[result][0]},"{black} ({other})",{SCORES[result][1]}'
        for number, boards in enumerate(ROUNDS, start=1)
        for _, white, own, result, black, other in boards
    ]
    parsed = read("\n".join([f"Round,{titles}", *rows]))
    colours = titles.startswith("White")
    assert cells(parsed) == {
        name: text if colours else text.replace("w", "").replace("b", "") for name, text in GAMES.items()
    }


@pytest.mark.parametrize("bye", ["      Eder, Fay (1400)   BYE", "      Eder, Fay (1400)   half point bye"])
def test_who_has_no_opponent_is_read_between_the_rows_of_games(bye: str) -> None:
    text = "".join(
        f"Round {number}\nBd    White               Result   Black\n"
        + "".join(
            f"{board}     {white} ({own})   {result}   {black} ({other})\n"
            for board, white, own, result, black, other in boards
        )
        + f"{bye}\n"
        for number, boards in enumerate(ROUNDS, start=1)
    )
    letter = "H" if "half" in bye else "B"
    assert cells(read(text)) == {**GAMES, "Eder, Fay": f"{letter} {letter}"}


OF_FIRST = """Player,Opponent,Result,Color,Round
"Alder, Bruno","Dale, Dora",Win,White,1
"Beck, Ida","Crane, Emil",Draw,White,1
"Crane, Emil","Dale, Dora",W,Black,2
"Beck, Ida","Alder, Bruno",Loss,Black,2
"""


def test_a_row_may_tell_a_game_as_one_player_saw_it_and_the_opponent_tell_it_again() -> None:
    again = '"Dale, Dora","Alder, Bruno",Loss,Black,1\n"Alder, Bruno","Beck, Ida",Win,White,2\n'
    parsed = read(OF_FIRST)
    assert parsed.report is not None
    by_name = {parsed.report.players[entry.player].name: entry for entry in parsed.report.sections[0].entries}
    seats = {entry.seat: name for name, entry in by_name.items()}
    games = {
        (name, number, cell.letter, cell.colour, seats[cell.opponent or 0])
        for name, entry in by_name.items()
        for number, cell in enumerate(entry.rounds, start=1)
    }
    assert ("Alder, Bruno", 1, "W", "w", "Dale, Dora") in games
    assert ("Alder, Bruno", 2, "W", "w", "Beck, Ida") in games
    assert ("Crane, Emil", 2, "W", "b", "Dale, Dora") in games
    assert len(games) == 2 * 4
    assert cells(read(OF_FIRST + again)) == cells(parsed)
    titled = OF_FIRST.replace("Player,Opponent", "player_name,opponent_name")
    assert cells(read(titled)) == cells(parsed)


def test_a_column_of_sections_divides_the_games() -> None:
    rows = [
        f'{name},{board},"{white}",{own},{result},"{black}",{other},{number}'
        for number, boards in enumerate(ROUNDS, start=1)
        for name in ("Open", "Reserve")
        for board, white, own, result, black, other in boards
    ]
    parsed = read("\n".join(["Section,Bd,White,Rtg,Result,Black,Rtg,Round", *rows]))
    assert parsed.report is not None
    assert [section.name for section in parsed.report.sections] == ["Open", "Reserve"]
    assert len({section.entries[0].rounds for section in parsed.report.sections}) == 1
    assert [len(section.entries) for section in parsed.report.sections] == [4, 4]


def test_the_answers_of_a_form_are_read() -> None:
    words = {"1-0": "White", "0-1": "Black won", "\u00bd-\u00bd": "Draw"}
    rows = [
        f'{board},"{white} ({own})","{black} ({other})",{words[result]},{number}'
        for number, boards in enumerate(ROUNDS, start=1)
        for board, white, own, result, black, other in boards
    ]
    assert cells(read("\n".join(["Board,White player,Black player,Who won?,Round", *rows]))) == GAMES


@pytest.mark.parametrize(
    "table",
    [
        "Rd,White,W,B,Black\n1,Alder,1,0,Beck\n2,Beck,.5,.5,Alder\n",
        "Round,White player,Black player,Winner\n1,Alder,Beck,Alder\n2,Beck,Alder,Draw\n",
    ],
)
def test_titles_of_sides_and_of_what_each_has_made(table: str) -> None:
    assert cells(read(table)) == {"Alder": "W2w D2b", "Beck": "L1b D1w"}


def test_two_players_and_their_scores_are_a_game_without_colours() -> None:
    titles = "Player 1,Player 2,Player 1 Score,Player 2 Score,Round"
    assert cells(read(f"{titles}\nAlder,Beck,1,0,1\nBeck,Alder,.5,.5,2\n")) == {
        "Alder": "W2 D2",
        "Beck": "L1 D1",
    }


def test_a_line_below_a_table_whose_cells_run_together_is_a_game() -> None:
    table = "Round 1\nBd  White         Result   Black\n1   Alder (1800)    1-0   Dale (1500)\n"
    line = "2   Beck (1700)     1 - 0 F Crane (1600)\n"
    assert cells(read(table + line)) == {"Alder": "W4w", "Beck": "X3w", "Crane": "F2b", "Dale": "L1b"}


def test_a_bye_may_stand_where_the_result_would() -> None:
    game = '1,1,"Alder, Bruno (1800)",1-0,"Dale, Dora (1500)"'
    byes = '1,,"Beck, Ida (1700)",bye,', '1,,"Crane, Emil (1600)",half bye,'
    read_cells = cells(read("\n".join(["Round,Board,White,Result,Black", game, *byes])))
    assert read_cells == {"Alder, Bruno": "W4w", "Dale, Dora": "L1b", "Beck, Ida": "B", "Crane, Emil": "H"}


PLAYERS = [
    ["Club list"],
    ["Last name", "First name", "USCF ID", "Rating"],
    ["Alder", "Bruno", "90000011", "1800"],
    ["Beck", "Ida", "90000012", "17OO"],
    ["Crane", "Emil", "", "unr"],
    ["Dale", "Dora", "90000014", "1500"],
    ["Eder", "Fay", "90000015", "1400"],
]
UNRATED_ROUNDS = [
    [["White", "Result", "Black"], *([row[1].partition(",")[0], row[3], row[4]] for row in boards)]
    for boards in ROUNDS
]


def test_a_list_of_players_beside_the_rounds_says_ids_and_ratings() -> None:
    parsed = workbook({"Rd 2": UNRATED_ROUNDS[1], "Players": PLAYERS, "Rd 1": UNRATED_ROUNDS[0]})
    assert parsed.report is not None, parsed.findings
    ratings = [(player.id, player.pairing_rating) for player in parsed.report.players.values()]
    assert ratings == [("90000011", 1800), ("90000014", 1500), ("90000012", None), ("seat-4", None)]
    assert cells(parsed).keys() == GAMES.keys()
    assert codes(parsed) == {"players-from-file", "pairing-rating-unreadable"}


def test_a_player_of_the_rounds_who_is_not_in_the_list_beside_them_is_an_error() -> None:
    parsed = workbook({"Rd 1": UNRATED_ROUNDS[0], "Players": PLAYERS[:5]})
    assert [(finding.code, finding.case) for finding in parsed.findings if finding.severity == "error"] == [
        ("pairing-name-unknown", "like-none")
    ]


@pytest.mark.parametrize("title", ["#", "No.", "ID"])
def test_two_columns_of_numbers_or_ids_are_players_of_the_list_beside_them(title: str) -> None:
    players = "Seed,Player,ID,Rating\n1,Alder,90000011,1800\n2,Beck,90000012,1700\n"
    first, second = ("90000011", "90000012") if title == "ID" else ("1", "2")
    games = f"Rd,White {title},Black {title},Result\n1,{first},{second},1-0\n2,{second},{first},1/2-1/2\n"
    sheets = {
        name: [line.split(",") for line in text.splitlines()]
        for name, text in (("Players", players), ("Games", games))
    }
    parsed = workbook(sheets)
    assert cells(parsed) == {"Alder": "W2w D2b", "Beck": "L1b D1w"}
    assert parsed.report is not None
    assert [*parsed.report.players] == ["90000011", "90000012"]

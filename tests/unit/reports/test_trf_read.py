"""Reading FIDE tournament report files; the lines are put together column by column as FORMATS section 2 gives them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratebook.model import Cell, Event, ForeignRating, SectionType
from ratebook.problems import Severity
from ratebook.reports import trf16, trf26
from ratebook.reports.parsed import FINDINGS_SHOWN, Hints, ParsedReport
from ratebook.reports.source import Source, SourceFile, source_of_bytes

NO_HINTS = Hints()


def in_columns(*fields: tuple[int, str]) -> str:
    """Return a line with texts at columns, counted from 1."""
    line: list[str] = []
    for column, text in fields:
        line += " " * (column - 1 + len(text) - len(line))
        line[column - 1 : column - 1 + len(text)] = text
    return "".join(line)


def player(  # noqa: PLR0913 - one argument for each column
    seat: int,
    name: str,
    rounds: str = "",
    *,
    sex_and_title: str = "",
    rating: str = "",
    federation: str = "",
    number: str = "",
    born: str = "",
    tag: str = "001",
) -> str:
    """Return a player record; *rounds* are the eight columns of each, with a bar between them."""
    cells = rounds.split("|") if rounds else []
    return in_columns(
        (1, tag),
        (5, f"{seat:>4}"),
        (10, sex_and_title),
        (15, name),
        (49, rating),
        (54, federation),
        (58, number),
        (70, born),
        (81, " 1.0"),
        (86, f"{seat:>4}"),
        *[(92 + 10 * place, cell) for place, cell in enumerate(cells)],
    )


TOURNAMENT = (
    "012 Autumn Quad",
    "022 Exampleville",
    "032 USA",
    "042 2026/11/14",
    "052 2026/11/15",
    "062 4",
    "072 2 (rated)",
    "082 0",
    "092 Individual: Round-Robin",
    "102 IA EXAMPLE, ARBITER",
    "112 FA EXAMPLE, DEPUTY",
    "122 G/90;d5",
    in_columns((1, "132"), (92, "26/11/14"), (102, "26/11/14"), (112, "26/11/15")),
)
PLAYERS = (
    player(
        1,
        "Adams, Example",
        "   2 w 1|   3 b 1|   4 w =",
        sex_and_title="m  g",
        rating="2105",
        federation="USA",
        number="   90000001",
        born="1980/02/29",
    ),
    player(
        2,
        "Bäker, Example",
        "   1 b 0|   4 w 1|   3 b =",
        sex_and_title="wWGM",
        rating="1480",
        federation="CAN",
    ),
    player(3, "Clark, Example", "   4 b 0|   1 w 0|   2 w =", born="1990/00/00", rating="   0"),
    player(4, "Davis, Example", "   3 w 1|   2 b 0|   1 b =", federation="USA", number="0"),
)
QUAD = (*TOURNAMENT, *PLAYERS)


def parse(*lines: str, hints: Hints = NO_HINTS, end_of_line: str = "\r\n") -> ParsedReport:
    data = end_of_line.join((*lines, "")).encode()
    return trf16.parse(source_of_bytes(data, "quad.trf"), hints)


def without(tag: str) -> list[str]:
    return [line for line in QUAD if not line.startswith(tag)]


def with_rounds(
    *rounds: str, tournament: tuple[str, ...] = TOURNAMENT, more: tuple[str, ...] = ()
) -> ParsedReport:
    """Parse a tournament whose seat 1 has these rounds; a finding about counts is expected and left out."""
    kept = [line for line in tournament if line[:3] not in {"062", "072", "082"}]
    lines = (player(1, "ADAMS EXAMPLE", "|".join(rounds)), player(2, "BAKER EXAMPLE"))
    return parse(*kept, *lines, *more)


def codes(result: ParsedReport) -> list[str]:
    return [problem.code for problem in result.problems]


def cells_of(result: ParsedReport, seat: int = 1) -> tuple[Cell, ...]:
    assert result.report is not None, result.problems
    return next(entry.rounds for entry in result.report.sections[0].entries if entry.seat == seat)


def time_control(*records: str, hints: Hints = NO_HINTS) -> tuple[str | None, list[str]]:
    result = parse(*without("122"), *records, hints=hints)
    shown = [code for code in codes(result) if code != "birth-year-only"]
    return (None if result.report is None else result.report.sections[0].time_control), shown


# A whole file


def test_a_tournament_becomes_one_section() -> None:
    result = parse(*QUAD)
    assert [(problem.code, problem.severity) for problem in result.problems] == [
        ("birth-year-only", Severity.NOTE)
    ]
    assert result.report is not None
    assert result.report.event == Event(
        name="Autumn Quad",
        start=date(2026, 11, 14),
        end=date(2026, 11, 15),
        city="Exampleville",
        country="USA",
        chief_td="IA EXAMPLE, ARBITER",
    )
    (section,) = result.report.sections
    assert section[:5] == (1, "", date(2026, 11, 14), date(2026, 11, 15), "G/90;d5")
    assert section[5:9] == (SectionType.ROUND_ROBIN, False, False, False)
    assert [(entry.seat, entry.player) for entry in section.entries] == [
        (1, "90000001"),
        (2, "seat-2"),
        (3, "seat-3"),
        (4, "seat-4"),
    ]
    assert [entry.rounds for entry in section.entries] == [
        (Cell("W", 2, "w"), Cell("W", 3, "b"), Cell("D", 4, "w")),
        (Cell("L", 1, "b"), Cell("W", 4, "w"), Cell("D", 3, "b")),
        (Cell("L", 4, "b"), Cell("L", 1, "w"), Cell("D", 2, "w")),
        (Cell("W", 3, "w"), Cell("L", 2, "b"), Cell("D", 1, "b")),
    ]


def test_players_bring_name_birth_date_fide_rating_and_flag() -> None:
    report = parse(*QUAD).report
    assert report is not None
    assert {
        key: (one.name, one.birth_date, one.fide, one.usa_flag) for key, one in report.players.items()
    } == {
        "90000001": ("Adams, Example", date(1980, 2, 29), ForeignRating(2105.0, None), True),
        "seat-2": ("Bäker, Example", None, ForeignRating(1480.0, None), False),
        "seat-3": ("Clark, Example", None, None, False),
        "seat-4": ("Davis, Example", None, None, True),
    }


@pytest.mark.parametrize("end_of_line", ["\r", "\n", "\r\n"])
def test_all_ends_of_lines_are_read(end_of_line: str) -> None:
    assert parse(*QUAD, end_of_line=end_of_line) == parse(*QUAD)


@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf"])
def test_utf8_is_read_with_and_without_a_mark(prefix: bytes) -> None:
    data = prefix + "\n".join(QUAD).encode()
    assert trf26.parse(source_of_bytes(data, "quad.trf"), NO_HINTS) == parse(*QUAD)


def test_latin_1_is_read_and_named() -> None:
    data = "\n".join(QUAD).encode("latin-1")
    result = trf16.parse(source_of_bytes(data, "quad.trf"), NO_HINTS)
    assert result.report == parse(*QUAD).report
    assert codes(result) == ["encoding-assumed", "birth-year-only"]


def test_names_that_windows_added_to_latin_1_are_read() -> None:
    data = "\n".join(QUAD).replace("Bäker", "Šáker").encode("cp1252")
    report = trf16.parse(source_of_bytes(data, "quad.trf"), NO_HINTS).report
    assert report is not None
    assert report.players["seat-2"].name == "Šáker, Example"


def test_columns_counted_in_bytes_are_recognised() -> None:
    """The name with an umlaut is one character too short, so that all behind it stands one column too early."""
    lines = [line.replace("Bäker, Example  ", "Bäker, Example ") for line in QUAD]
    result = parse(*lines)
    assert codes(result) == ["columns-of-bytes", "birth-year-only"]
    assert result.report == parse(*QUAD).report


def test_columns_that_are_shifted_are_reported() -> None:
    lines = [line.replace("Clark, Example   ", "Clark, Example    ") for line in QUAD]
    assert "columns-shifted" in codes(parse(*lines))


def test_comments_and_blank_lines_are_passed_over() -> None:
    assert parse("### a comment", "", *QUAD, "   ", "###", "\x1a").report == parse(*QUAD).report


def test_a_line_that_is_cut_before_its_rounds_is_an_entry_without_results() -> None:
    result = parse(*TOURNAMENT, *PLAYERS[:3], "001    4      Davis, Example")
    assert cells_of(result, 4) == (Cell(), Cell(), Cell())


# Results


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("   2 w 1", Cell("W", 2, "w")),
        ("   2 B =", Cell("D", 2, "b")),
        ("   2 b 0", Cell("L", 2, "b")),
        ("0002 - 1", Cell("W", 2)),
        ("   2   1", Cell("W", 2)),
        ("   2 w +", Cell("X", 2, "w")),
        ("   2 b -", Cell("F", 2, "b")),
        ("0000 - +", Cell("X")),
        ("0000 - -", Cell("F")),
        ("   2 w W", Cell("X", 2, "w")),
        ("   2 w D", Cell("Z", 2, "w")),
        ("   2 w L", Cell("F", 2, "w")),
        ("   2 w d", Cell("Z", 2, "w")),
        ("0000 - H", Cell("H")),
        ("0000 - h", Cell("H")),
        ("0000 - F", Cell("B")),
        ("0000 - f", Cell("B")),
        ("0000 - U", Cell("B")),
        ("0000 - u", Cell("B")),
        ("0000 - Z", Cell("U")),
        ("     - z", Cell("U")),
        ("       Z", Cell("U")),
        ("0000 -  ", Cell("U")),
        ("        ", Cell()),
    ],
)
def test_a_result_code_becomes_a_cell(text: str, cell: Cell) -> None:
    result = with_rounds(text, "0000 - H")
    assert codes(result) == []
    assert cells_of(result)[0] == cell


@pytest.mark.parametrize(
    "text", ["   2 w ?", "   2 x 1", "  x2 w 1", "   2ww 1", " \u0661\u0662\u0663 w 1", "   2 w1 "]
)
def test_a_result_that_cannot_be_read_is_an_error_with_line_seat_and_round(text: str) -> None:
    result = with_rounds("0000 - H", text)
    assert [(problem.code, problem.where) for problem in result.problems] == [
        ("cell-unreadable", "quad.trf, line 11, seat 1, round 2")
    ]


def test_an_opponent_without_a_result_is_a_round_not_played() -> None:
    result = with_rounds("   2 w  ", "0000 - H")
    assert codes(result) == ["result-missing"]
    assert cells_of(result) == (Cell(), Cell("H"))


def test_bye_records_fill_rounds_that_are_open() -> None:
    more = ("240 H   1    1    2", "240 F 003    1", "240 Z   2    2", "142 3")
    result = with_rounds("", "0000 - H", more=more)
    assert codes(result) == []
    assert cells_of(result, 1) == (Cell("H"), Cell("H"), Cell("B"))
    assert cells_of(result, 2) == (Cell("H"), Cell("U"), Cell())


@pytest.mark.parametrize("record", ["240 Z   1    1", "240 H   3    1", "240 H   1    9"])
def test_a_bye_record_that_contradicts_is_a_warning_and_the_line_holds(record: str) -> None:
    result = with_rounds("   2 w 1", "0000 - H", more=(record,))
    assert codes(result) == ["bye-differs"]
    assert cells_of(result) == (Cell("W", 2, "w"), Cell("H"))


@pytest.mark.parametrize("record", ["240", "240 X   1    1", "240 H", "240 H one", "240 H   1 99999"])
def test_a_bye_record_that_cannot_be_read_is_a_warning(record: str) -> None:
    assert codes(with_rounds("0000 - H", more=(record,))) == ["bye-unreadable"]


def test_bye_records_of_team_tournaments_speak_of_teams() -> None:
    result = with_rounds("", "0000 - H", more=("310   1 Example Team", "240 H   1    1"))
    assert codes(result) == ["team-records-ignored"]
    assert cells_of(result)[0] == Cell()


# Ids and ratings


def national(seat: int, *, tag: str = "USA", rating: str = "", number: str = "", **more: str) -> str:
    line = player(
        seat, more.get("name", ""), tag=tag, rating=rating, number=number, born=more.get("born", "")
    )
    return line[:79].rstrip()


def test_a_us_record_brings_the_id_and_the_rating_for_pairing() -> None:
    result = parse(*QUAD, national(2, rating="1650", number="   90000002"), national(1, number="90000009"))
    assert result.report is not None
    assert [entry.player for entry in result.report.sections[0].entries] == [
        "90000009",
        "90000002",
        "seat-3",
        "seat-4",
    ]
    assert dict(result.pairing) == {"90000002": 1650.0}
    assert result.report.players["90000002"].fide == ForeignRating(1480.0)
    assert result.report.players["90000002"].ratings == {}


def test_a_us_record_may_stand_before_the_player_and_give_name_and_birth_date() -> None:
    lines = (*TOURNAMENT, national(5, number="90000005", name="EVANS EXAMPLE", born="1999/12/31"), *PLAYERS)
    result = parse(*lines, player(5, ""))
    assert result.report is not None
    evans = result.report.players["90000005"]
    assert (evans.name, evans.birth_date) == ("EVANS EXAMPLE", date(1999, 12, 31))


def test_a_canadian_record_brings_the_cfc_rating() -> None:
    report = parse(*QUAD, national(2, tag="CAN", rating="1500")).report
    assert report is not None
    assert report.players["seat-2"].cfc == ForeignRating(1500.0)


def test_other_national_records_are_named_once() -> None:
    result = parse(*QUAD, national(1, tag="GER", rating="1500"), national(2, tag="FRA", rating="1500"))
    (found,) = [problem for problem in result.problems if problem.code == "national-ratings-ignored"]
    assert "FRA, GER" in found.message


def test_a_national_record_without_a_player_is_a_warning() -> None:
    assert "national-record-alone" in codes(parse(*QUAD, national(9, rating="1500")))


def test_a_second_national_record_of_a_seat_is_a_warning_and_the_first_holds() -> None:
    result = parse(*QUAD, national(2, rating="1500"), national(2, rating="1600"))
    assert "record-twice" in codes(result)
    assert dict(result.pairing) == {"seat-2": 1500.0}


@pytest.mark.parametrize(
    ("line", "name", "pairing"),
    [
        ("USA    5", "", {}),
        ("USA    5 w", "", {}),
        ("USA    5      EVANS", "EVANS", {}),
        ("USA 5         EVANS", "EVANS", {}),
        (in_columns((1, "USA"), (5, "0005"), (49, "980")), "", {"seat-5": 980.0}),
        (in_columns((1, "USA"), (5, "   5"), (49, " 980"), (58, "90000005   ")), "", {"90000005": 980.0}),
    ],
)
def test_a_national_record_may_end_behind_any_field(line: str, name: str, pairing: dict[str, float]) -> None:
    result = parse(*QUAD, player(5, ""), line)
    assert result.report is not None
    assert result.report.players[next(iter(pairing), "seat-5")].name == name
    assert dict(result.pairing) == pairing


@pytest.mark.parametrize("seat", ["1   ", "01  ", "  1 ", "0001"])
def test_a_starting_rank_may_stand_anywhere_in_its_columns(seat: str) -> None:
    line = in_columns((1, "001"), (5, seat), (15, "ADAMS EXAMPLE"), (49, "1500"), (92, "0000 - H"))
    report = parse(*TOURNAMENT, line).report
    assert report is not None
    (entry,) = report.sections[0].entries
    assert (entry.seat, report.players[entry.player].name, entry.rounds) == (1, "ADAMS EXAMPLE", (Cell("H"),))
    assert report.players[entry.player].fide == ForeignRating(1500.0)


def test_ids_of_zeros_are_none() -> None:
    report = parse(*QUAD, national(2, number="00000000")).report
    assert report is not None
    assert report.sections[0].entries[1].player == "seat-2"


def test_tornelo_lines_bring_us_chess_ids() -> None:
    report = parse(*QUAD, "DAT    2 ID:USCF 90000002", "DAT    3 ID:FOO 7").report
    assert report is not None
    assert [entry.player for entry in report.sections[0].entries][1:3] == ["90000002", "seat-3"]


def test_a_fide_number_that_is_the_us_chess_id_of_another_is_not_used() -> None:
    result = parse(*QUAD, national(2, number="90000001"))
    assert "id-taken" in codes(result)
    assert result.report is not None
    assert [entry.player for entry in result.report.sections[0].entries][:2] == ["seat-1", "90000001"]


def test_an_id_made_of_the_seat_is_nobody_elses() -> None:
    report = parse(*QUAD, national(2, number="seat-3")).report
    assert report is not None
    assert len({entry.player for entry in report.sections[0].entries}) == 4


@pytest.mark.parametrize(
    ("rating", "code"), [("12", "rating-not-used"), ("9999", "rating-not-used"), ("16x0", "rating-not-used")]
)
def test_what_is_no_rating_is_a_warning_and_not_used(rating: str, code: str) -> None:
    result = parse(*QUAD, player(5, "EVANS EXAMPLE", rating=rating), national(1, rating=rating))
    assert codes(result).count(code) == 2
    assert result.report is not None
    assert result.report.players["seat-5"].fide is None
    assert result.pairing == {}


def test_a_fide_number_with_letters_is_a_warning() -> None:
    result = parse(*QUAD, player(5, "EVANS EXAMPLE", number="12x4"))
    assert "fide-number-unreadable" in codes(result)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1980/02/29", date(1980, 2, 29)),
        ("1980-02-29", date(1980, 2, 29)),
        ("29.02.1980", date(1980, 2, 29)),
        ("0000/00/00", None),
        ("    /  /  ", None),
    ],
)
def test_birth_dates(text: str, day: date | None) -> None:
    lines = [line for line in QUAD if "Clark" not in line]
    result = parse(*lines, player(3, "EVANS EXAMPLE", born=text))
    assert set(codes(result)) <= {"opponent-missing"}
    assert result.report is not None
    assert result.report.players["seat-3"].birth_date == day


@pytest.mark.parametrize("text", ["1990/00/00", "1990", "1990/  /  ", "1990-00-00"])
def test_a_birth_year_alone_is_a_note_and_not_used(text: str) -> None:
    result = parse(*QUAD, player(5, "EVANS EXAMPLE", born=text))
    (found,) = [problem for problem in result.problems if problem.code == "birth-year-only"]
    assert "2 (seats 3, 5)" in found.message


@pytest.mark.parametrize(
    "text", ["1990/02/30", "80/02/01", "02/29/1980", "unknown", "2026-W46-6", "1066/10/14"]
)
def test_a_birth_date_that_cannot_be_is_a_warning_that_does_not_show_it(text: str) -> None:
    result = parse(*QUAD, player(5, "EVANS EXAMPLE", born=text))
    (found,) = [problem for problem in result.problems if problem.code == "birth-date-unreadable"]
    assert text not in found.message
    assert result.report is not None


def test_a_birth_date_after_the_event_is_an_error() -> None:
    assert "birth-date-after-event" in codes(parse(*QUAD, player(5, "EVANS EXAMPLE", born="2026/11/16")))


# Dates


@pytest.mark.parametrize(
    "text", ["2026/11/14", "26/11/14", "2026-11-14", "2026.11.14", "14.11.2026", "20261114"]
)
def test_dates_are_read_however_they_are_parted(text: str) -> None:
    report = parse(*without("042"), f"042 {text}").report
    assert report is not None
    assert report.sections[0].start == date(2026, 11, 14)


def test_two_digits_from_70_on_are_of_the_last_century() -> None:
    report = parse(*without("042"), "042 99/11/14").report
    assert report is not None
    assert report.sections[0].start == date(1999, 11, 14)


@pytest.mark.parametrize(
    "text", ["2026/02/30", "11/14/2026", "soon", "\u0662\u0660\u0662\u0666/11/14", "2026/11/14 to 15"]
)
def test_a_date_that_cannot_be_read_is_an_error_unless_an_option_says_it(text: str) -> None:
    lines = (*without("052"), f"052 {text}")
    assert "date-unreadable" in codes(parse(*lines))
    result = parse(*lines, hints=Hints(end=date(2026, 11, 15)))
    assert "record-replaced" in codes(result)
    assert result.report is not None
    assert result.report.sections[0].end == date(2026, 11, 15)


def test_a_year_beyond_all_events_is_an_error() -> None:
    assert "date-out-of-range" in codes(parse(*without("042"), "042 1066/10/14"))


def test_dates_reversed_are_an_error() -> None:
    assert "dates-reversed" in codes(parse(*without("042"), "042 2026/11/16"))


def test_without_dates_those_of_the_rounds_are_taken() -> None:
    result = parse(*[line for line in QUAD if line[:3] not in {"042", "052"}])
    assert codes(result).count("dates-from-rounds") == 2
    assert result.report is not None
    assert result.report.sections[0][2:4] == (date(2026, 11, 14), date(2026, 11, 15))


def test_without_any_date_the_end_must_be_given_and_the_start_should_be() -> None:
    lines = [line for line in QUAD if line[:3] not in {"042", "052", "132"}]
    result = parse(*lines)
    (missing,) = [problem for problem in result.problems if problem.severity is Severity.ERROR]
    assert (missing.code, missing.remedy) == ("end-missing", "Give the last day with --end YYYY-MM-DD.")
    result = parse(*lines, hints=Hints(end=date(2026, 11, 15)))
    assert codes(result)[:1] == ["start-missing"]
    assert result.report is not None
    assert result.report.sections[0][2:4] == (None, date(2026, 11, 15))


def test_a_round_outside_the_days_of_the_event_is_a_warning() -> None:
    assert "round-date-outside" in codes(parse(*QUAD, "132 26/11/16"))


# Time controls


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("5400+30", "G/90;+30"),
        ("40/6000+30:900+30", "40/100,SD/15;+30"),
        ("3600", "G/60"),
        ("60", "G/1"),
        ("300+0", "G/5"),
        ("40/7200:20/3600:1800", "40/120,20/60,SD/30"),
        ("40/6000:20/3000", "40/100,20/50"),
    ],
)
def test_the_coded_time_control_is_read(code: str, text: str) -> None:
    assert time_control(f"222 {code}") == (text, [])


@pytest.mark.parametrize(
    "code",
    [
        "W300-B240",
        "90",
        "5400+30:900+15",
        "40/6000:60",
        "5400:900",
        "0",
        "abc",
        "5400+",
        "9" * 90,
        "9" * 200,
        "1/60:" * 40,
    ],
)
def test_a_code_that_cannot_be_written_in_our_notation_is_an_error_unless_an_option_says_it(
    code: str,
) -> None:
    assert time_control(f"222 {code}") == (None, ["time-control-unreadable"])
    hints = Hints(time_control="G/90;d5")
    assert time_control(f"222 {code}", hints=hints) == ("G/90;d5", ["record-replaced"])


def test_a_code_that_cannot_be_used_leaves_the_words() -> None:
    assert time_control("222 W300-B240", "122 G/5") == ("G/5", ["time-control-not-decoded"])


def test_words_that_say_the_same_as_the_code_are_kept() -> None:
    assert time_control("222 40/5400+30:1800+30", "122 40/90, SD/30; +30") == ("40/90, SD/30; +30", [])


@pytest.mark.parametrize("words", ["G/60;d5", "ninety minutes"])
def test_words_that_say_something_else_than_the_code_are_a_warning(words: str) -> None:
    assert time_control("222 5400+30", f"122 {words}") == ("G/90;+30", ["time-control-differs"])


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("90+30", "G/90;+30"),
        ("90 min + 30 sec", "G/90;+30"),
        ("90 minutes + 30 seconds per move", "G/90;+30"),
        ("90'+30''", "G/90;+30"),
        ("60 min.", "G/60"),
        ("5400+30", "G/90;+30"),
        ("40/6000+30:900+30", "40/100,SD/15;+30"),
    ],
)
def test_common_words_are_read_with_a_note(words: str, text: str) -> None:
    assert time_control(f"122 {words}") == (text, ["time-control-assumed"])


@pytest.mark.parametrize("words", ["by arrangement", "90 min/40 moves + 30 min", "0", "200+30", "x" * 500])
def test_words_that_are_not_read_are_an_error(words: str) -> None:
    assert time_control(f"122 {words}") == (None, ["time-control-unreadable"])


def test_without_a_time_control_the_remedy_is_that_of_crosstables() -> None:
    (found,) = [problem for problem in parse(*without("122")).problems if problem.severity is Severity.ERROR]
    assert found.code == "time-control-missing"
    assert found.remedy == "Give it with --time-control, for example --time-control 'G/90;d5'."


def test_what_the_file_says_holds_and_an_option_that_is_not_needed_is_named() -> None:
    hints = Hints(
        date(2026, 11, 13), date(2026, 11, 16), "G/60", online=True, type=SectionType.OTHER, event="1"
    )
    result = parse(*QUAD, hints=hints)
    (found,) = [problem for problem in result.problems if problem.code == "option-unused"]
    assert "not used: --start, --end, --time-control." in found.message
    assert result.report is not None
    assert result.report.sections[0][2:5] == (date(2026, 11, 14), date(2026, 11, 15), "G/90;d5")


def test_an_option_holds_before_words_that_must_be_guessed() -> None:
    assert time_control("122 90+30", hints=Hints(time_control="G/90;+30")) == ("G/90;+30", [])
    assert time_control("122 90+30", hints=Hints(time_control="G/90;d30")) == (
        "G/90;d30",
        ["record-replaced"],
    )


# Types, counts and other records


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        ("092 Individual: Swiss-System", SectionType.SWISS),
        ("092 Round Robin", SectionType.ROUND_ROBIN),
        ("092 Match", SectionType.MATCH),
        ("092 Team match", SectionType.OTHER),
        ("092 Scheveningen", SectionType.OTHER),
        ("192 FIDE_DUTCH_2026_BAKU", SectionType.SWISS),
        ("192 FIDE_DOUBLEROUNDROBIN", SectionType.ROUND_ROBIN),
        ("192 BERGER_ROUNDROBIN_G2", SectionType.ROUND_ROBIN),
    ],
)
def test_the_type_is_read_from_the_code_or_the_words(record: str, kind: SectionType) -> None:
    report = parse(*without("092"), record).report
    assert report is not None
    assert report.sections[0].type is kind


def test_hints_say_what_the_file_cannot() -> None:
    report = parse(
        *without("122"), hints=Hints(online=True, type=SectionType.OTHER, time_control="G/10")
    ).report
    assert report is not None
    assert report.sections[0][4:7] == ("G/10", SectionType.OTHER, True)


def test_in_a_foreign_event_the_entries_of_the_usa_are_updated_and_no_time_control_is_needed() -> None:
    report = parse(*without("122"), hints=Hints(type=SectionType.FIDE)).report
    assert report is not None
    assert [entry.update for entry in report.sections[0].entries] == [True, False, False, True]
    assert report.sections[0].time_control is None


@pytest.mark.parametrize(("tag", "text"), [("062", "5"), ("072", "3"), ("082", "2"), ("062", "many")])
def test_a_count_that_is_not_what_is_there_is_a_warning(tag: str, text: str) -> None:
    result = parse(*without(tag), f"{tag} {text}")
    assert [problem.code for problem in result.problems if problem.severity is Severity.WARNING] == [
        "count-differs"
    ]


@pytest.mark.parametrize("record", ["142 many", "142 100", "XXR 1000000000"])
def test_a_number_of_rounds_that_cannot_be_is_a_warning(record: str) -> None:
    result = parse(*QUAD, record)
    assert "count-differs" in codes(result)
    assert len(cells_of(result)) == 3
    assert result.stated_rounds == {}


@pytest.mark.parametrize(("record", "rounds"), [("142 2", 3), ("XXR 3", 3), ("142 5", 5)])
def test_the_stated_rounds_are_kept_for_the_checks_and_rounds_not_played_are_empty(
    record: str, rounds: int
) -> None:
    result = parse(*QUAD, record)
    assert codes(result) == ["birth-year-only"]
    assert result.stated_rounds == {1: int(record[4:])}
    assert cells_of(result)[3:] == (Cell(),) * (rounds - 3)
    assert {len(cells_of(result, seat)) for seat in (1, 2, 3, 4)} == {rounds}


def test_team_records_are_named_in_one_note() -> None:
    more = ("013 EXAMPLE TEAM                       1    2", "310   1 EXAMPLE TEAM", "801   1 ABC", "082 2")
    result = parse(*without("082"), *more)
    (found,) = [problem for problem in result.problems if problem.code == "team-records-ignored"]
    assert "013, 310, 801" in found.message
    assert "count-differs" not in codes(result)


def test_abnormal_points_and_forfeited_matches_are_notes() -> None:
    result = parse(*QUAD, "299 W       0.0          1", "330 +- 001 001 002")
    assert {"abnormal-points", "forfeited-match"} <= set(codes(result))


def test_records_of_pairing_programs_and_of_the_new_edition_are_known() -> None:
    more = (
        *("152 W", "162 W 1.0", "172 USA FIDE", "182 EXAMPLE", "202 BH", "212 PTS,BH", "XXZ 1", "XXS W=1"),
        *(
            "XXC rank white1",
            "XXA    1 1.0",
            "XXP 1 2",
            "250      02.0 001 001 0001 0002",
            "260 001 002    1    2",
        ),
    )
    assert codes(parse(*QUAD, *more)) == ["birth-year-only"]


@pytest.mark.parametrize(
    "line", ["999 what", "XX", "0012 Autumn", "Hello", "é12", "01", "The end", "USA x", "usa    1"]
)
def test_an_unknown_record_is_a_warning_with_its_line(line: str) -> None:
    result = parse(line, *QUAD)
    assert (result.problems[0].code, result.problems[0].where) == ("trf-record-unknown", "quad.trf, line 1")


def test_a_record_that_says_two_things_is_a_warning_and_the_first_holds() -> None:
    result = parse(*QUAD, "022 Elsewhere", "032 USA")
    assert [code for code in codes(result) if code == "record-twice"] == ["record-twice"]
    assert result.report is not None
    assert result.report.event.city == "Exampleville"


def test_several_tournaments_in_one_file_are_an_error_at_the_second() -> None:
    result = parse(*QUAD, *QUAD)
    (found,) = [problem for problem in result.problems if problem.severity is Severity.ERROR]
    assert (found.code, found.where) == ("several-tournaments", f"quad.trf, line {len(QUAD) + 1}")


@pytest.mark.parametrize("seat", ["    ", "   0", "  x1", " 1 2", "\u0661   "])
def test_a_starting_rank_that_cannot_be_read_is_an_error(seat: str) -> None:
    line = in_columns((1, "001"), (5, seat), (15, "ADAMS EXAMPLE"))
    assert "seat-unreadable" in codes(parse(*TOURNAMENT, line))


def test_a_starting_rank_twice_is_an_error() -> None:
    assert "seat-twice" in codes(parse(*QUAD, player(4, "EVANS EXAMPLE")))


def test_names_and_texts_with_control_characters_are_errors() -> None:
    assert "text-unreadable" in codes(parse(*QUAD, player(5, "EVANS\x1bEXAMPLE")))
    assert "text-unreadable" in codes(parse(*without("022"), "022 A\x07"))
    assert "text-unreadable" in codes(parse(*QUAD, national(1, number="9\x07")))


def test_a_line_separator_of_unicode_ends_no_line() -> None:
    report = parse(*without("022"), "022 A\u2028B").report
    assert report is not None
    assert report.event.city == "A\u2028B"


def test_more_rounds_than_any_event_are_an_error() -> None:
    assert "too-many-rounds" in codes(with_rounds(*["0000 - H"] * 100))
    assert "too-many-rounds" not in codes(with_rounds(*["0000 - H"] * 99))


# Files


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file-empty"),
        (b"\r\n  \n", "file-empty"),
        (b"001\0", "file-binary"),
        (b"012 Autumn Quad\n", "players-missing"),
        (b"x\n" * 100_001, "too-many-lines"),
    ],
)
def test_what_is_no_tournament_is_an_error(data: bytes, code: str) -> None:
    result = trf16.parse(source_of_bytes(data, "quad.trf"), NO_HINTS)
    assert result.report is None
    assert code in codes(result)


def test_no_more_findings_are_shown_than_anybody_reads() -> None:
    lines = [player(seat, "A", "   1 w ?") for seat in range(1, 3000)]
    assert len(parse(*TOURNAMENT, *lines).problems) == FINDINGS_SHOWN + 1


def files(**contents: str) -> Source:
    return Source(
        "folder",
        tuple(SourceFile(name.replace("_", "-") + ".trf", text.encode()) for name, text in contents.items()),
    )


def test_several_files_are_the_sections_of_one_event() -> None:
    one = "\n".join(QUAD).replace("Autumn Quad", "Autumn Open - Open")
    two = (
        "\n".join(QUAD).replace("Autumn Quad", "Autumn Open - Under 1800").replace("2026/11/15", "2026/11/16")
    )
    result = trf16.parse(files(section_10=two, section_2=one), NO_HINTS)
    assert result.report is not None
    assert result.report.event.name == "Autumn Open"
    assert result.report.event.end == date(2026, 11, 16)
    assert [(section.number, section.name) for section in result.report.sections] == [
        (2, "Open"),
        (10, "Under 1800"),
    ]
    assert set(result.report.players) == {
        "90000001",
        *(f"section-{section}-seat-{seat}" for section in (2, 10) for seat in (2, 3, 4)),
    }


def test_files_of_other_names_are_numbered_in_their_order() -> None:
    one, two = "\n".join(QUAD).replace("Autumn Quad", "A"), "\n".join(QUAD).replace("Autumn Quad", "B")
    result = trf16.parse(
        files(open=one, u1800=two.replace("Exampleville", "Elsewhere"), notes="hello"), NO_HINTS
    )
    assert codes(result) == ["file-not-read", "birth-year-only", "birth-year-only", "tournaments-differ"]
    assert result.report is not None
    assert result.report.event.name == ""
    assert [(section.number, section.name) for section in result.report.sections] == [(1, "A"), (2, "B")]


def test_a_folder_without_a_tournament_is_an_error() -> None:
    assert codes(trf16.parse(files(a="hello", b="world"), NO_HINTS)) == ["file-missing"]
    assert codes(trf16.parse(Source("folder", ()), NO_HINTS)) == ["file-missing"]


@pytest.mark.parametrize(
    ("lines", "edition"),
    [
        (QUAD, 16),
        (PLAYERS, 16),
        (TOURNAMENT, 16),
        ((*QUAD, "XXR 3", "XXC white1", "DAT    1 ID:USCF 90000001"), 16),
        ((*QUAD, "142 3"), 26),
        ((*QUAD, "222 5400+30"), 26),
        ((*QUAD, "240 H   1    1"), 26),
        ((*QUAD, "USA    1"), 16),
        ((*QUAD, national(1, rating="1500")), 26),
        (("hello", "world"), 0),
        (("012 Autumn", ""), 0),
        (('{"format": "ratebook-report/1"}',), 0),
        (("001,ADAMS EXAMPLE",), 0),
        (("001    1\0",), 0),
    ],
)
@pytest.mark.parametrize("end_of_line", ["\r", "\n", "\r\n"])
def test_the_content_tells_the_edition(lines: tuple[str, ...], edition: int, end_of_line: str) -> None:
    source = source_of_bytes(end_of_line.join((*lines, "")).encode(), "anything")
    assert (trf16.looks_like(source), trf26.looks_like(source)) == (edition == 16, edition == 26)


# Robustness

WHOLE = "\r\n".join(
    (
        *QUAD,
        national(2, rating="1650", number="90000002"),
        *(
            "142 4",
            "222 5400+30",
            "240 H   4    1    2",
            "XXR 4",
            "DAT    3 ID:USCF 90000003",
            "192 CUSTOM_SWISS",
            "",
        ),
    )
).encode()


def test_the_file_that_is_mutated_is_whole() -> None:
    assert codes(trf26.parse(source_of_bytes(WHOLE, "quad.trf"), NO_HINTS)) == [
        "time-control-differs",
        "birth-year-only",
    ]


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_no_mutation_of_a_file_raises(data: st.DataObject) -> None:
    content = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, max(0, len(content) - 1)))
        length = data.draw(st.integers(1, 200))
        match data.draw(st.sampled_from(("flip", "cut", "insert", "repeat", "end"))):
            case "flip" if content:
                content[at] = data.draw(st.integers(0, 255))
            case "cut":
                del content[at : at + length]
            case "insert":
                content[at:at] = data.draw(
                    st.binary(max_size=8) | st.sampled_from((b"\n", b"001 ", b"9" * 20))
                )
            case "repeat":
                content[at:at] = content[at : at + length]
            case _:
                del content[at:]
    source = source_of_bytes(bytes(content), "quad.trf") if content[:2] != b"PK" else Source("x", ())
    result = trf26.parse(source, NO_HINTS)
    assert (result.report is None) == any(problem.severity is Severity.ERROR for problem in result.problems)
    assert all(problem.where and problem.message and problem.remedy for problem in result.problems)
    assert trf16.looks_like(source) in {True, False}


@settings(max_examples=400, deadline=None)
@given(st.text(alphabet="0123456789+-=WDLHFUZwb/:. \n\tUSAXRé\u0663", max_size=300), st.sampled_from(QUAD))
def test_no_text_raises(text: str, line: str) -> None:
    for content in (text, line + text, f"{line}\n001 {text}", f"222 {text}\n122 {text}\n{line}"):
        trf16.parse(source_of_bytes(content.encode(), "x.trf"), Hints(end=date(2026, 11, 15)))

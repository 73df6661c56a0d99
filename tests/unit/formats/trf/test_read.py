"""Reading FIDE tournament report files: a whole file, its columns and its results."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.findings import Severity
from ratebook.formats.source import source_of_bytes
from ratebook.formats.trf import read
from ratebook.model import Cell, Event, ForeignRating, SectionType
from unit.formats.trf.files import NO_HINTS, PLAYERS, QUAD, TOURNAMENT, cells_of, codes, parse, with_rounds

# A whole file


def test_a_tournament_becomes_one_section() -> None:
    result = parse(*QUAD)
    assert [(finding.code, finding.severity) for finding in result.findings] == [
        ("birth-year-only", Severity.NOTE),
        ("fide-ratings-taken", Severity.NOTE),
    ]
    assert result.report is not None
    assert result.report.event == Event(
        name="Autumn Quad",
        start=date(2026, 11, 14),
        end=date(2026, 11, 15),
        city="Exampleville",
        country="USA",
        chief_td="IA EXAMPLE, ARBITER",
        assistant_td="FA EXAMPLE, DEPUTY",
    )
    (section,) = result.report.sections
    assert section[:5] == (1, "", date(2026, 11, 14), date(2026, 11, 15), "G/90;d5")
    assert section[5:9] == (SectionType.ROUND_ROBIN, False, False, False)
    assert [(entry.seat, entry.player) for entry in section.entries] == [
        (1, "seat-1"),
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
        key: (one.name, one.birth_date, one.fide, one.usa_flag, one.fide_id)
        for key, one in report.players.items()
    } == {
        "seat-1": ("Adams, Example", date(1980, 2, 29), ForeignRating(2105.0, None), True, "90000001"),
        "seat-2": ("Bäker, Example", None, ForeignRating(1480.0, None), False, "2600002"),
        "seat-3": ("Clark, Example", None, None, False, ""),
        "seat-4": ("Davis, Example", None, None, True, ""),
    }


@pytest.mark.parametrize("end_of_line", ["\r", "\n", "\r\n"])
def test_all_ends_of_lines_are_read(end_of_line: str) -> None:
    assert parse(*QUAD, end_of_line=end_of_line) == parse(*QUAD)


@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf"])
def test_utf8_is_read_with_and_without_a_mark(prefix: bytes) -> None:
    data = prefix + "\n".join(QUAD).encode()
    assert read.parse(source_of_bytes(data, "quad.trf"), NO_HINTS) == parse(*QUAD)


def test_latin_1_is_read_and_named() -> None:
    data = "\n".join(QUAD).encode("latin-1")
    result = read.parse(source_of_bytes(data, "quad.trf"), NO_HINTS)
    assert result.report == parse(*QUAD).report
    assert codes(result) == ["encoding-assumed", "birth-year-only"]


def test_names_that_windows_added_to_latin_1_are_read() -> None:
    data = "\n".join(QUAD).replace("Bäker", "Šáker").encode("cp1252")
    report = read.parse(source_of_bytes(data, "quad.trf"), NO_HINTS).report
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
        ("0000 - -", Cell("U")),
        ("0000 - 0", Cell("U")),
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
    assert [(finding.code, finding.where) for finding in result.findings] == [
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

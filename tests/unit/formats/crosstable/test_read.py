"""The text crosstable, in the published layout, with invented players."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import Severity
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints, is_unreadable
from ratebook.formats.crosstable import read as crosstable
from ratebook.formats.source import Source
from ratebook.model import Cell, Rating, SectionType, System

if TYPE_CHECKING:
    from ratebook.formats.contract import ParsedReport

START = date(2026, 8, 29)
END = date(2026, 8, 30)
EXAMPLES = Path(__file__).parents[4] / "examples"

SINGLE = """\
-----------------------------------------------------------------
 Pair | Player Name                     |Total|Round|Round|Round|\x20
 Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |  2  |  3  |\x20
-----------------------------------------------------------------
    1 | ADAMS EXAMPLE                   |2.5  |W   3|W   2|H    |
   NY | 90000001 / R: 1794   ->1817     |N:2  |W    |B    |     |
-----------------------------------------------------------------
    2 | BAKER EXAMPLE                   |2.0  |W   5|L   1|X    |
   NJ | 90000002 / R: 1641P17->1657P19  |     |B    |W    |     |
-----------------------------------------------------------------
    3 | CLARK EXAMPLE                   |1.5  |L   1|D   4|B    |
   ON | 90000003 / R:  377P3 ->1076P10  |     |B    |W    |     |
-----------------------------------------------------------------
    4 | DAVIS EXAMPLE                   |0.5  |U    |D   3|F    |
      | 90000004 / R: Unrated->1200P1   |     |     |B    |     |
-----------------------------------------------------------------
    5 | EVANS EXAMPLE                   |0.0  |L   2|U    |U    |
   TX |            R: 1602P6 ->1508P7   |     |W    |     |     |
-----------------------------------------------------------------
"""

DUAL = """\
-----------------------------------------------------------
 Pair | Player Name                     |Total|Round|Round|
 Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |  2  |
-----------------------------------------------------------
    1 | ADAMS EXAMPLE                   |2.0  |W   2|W   3|
   NY | 90000001 / R: 1794   ->1801     |     |W    |B    |
      |            Q: 1733P24->1741P26  |     |     |     |
-----------------------------------------------------------
    2 | BAKER EXAMPLE                   |1.0  |L   1|W   4|
   NJ | 90000002 / R: 1655.25->1655.75  |     |B    |W    |
      |            Q: Unrated->1650P2   |     |     |     |
-----------------------------------------------------------
    3 | CLARK EXAMPLE                   |1.0  |W   4|L   1|
   CT | 90000003 / R: Unrated->1544P2   |     |W    |W    |
      |            Q: 1500P8 ->1510P10  |     |     |     |
-----------------------------------------------------------
    4 | DAVIS EXAMPLE                   |0.0  |L   3|L   2|
   NY | 90000004 / R: 1588   ->1570     |     |B    |B    |
      |            Q: 1542   ->1520     |     |     |     |
-----------------------------------------------------------
"""

ONLINE = """\
-----------------------------------------------------
 Pair | Player Name                     |Total|Round|
 Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |
-----------------------------------------------------
    1 | ADAMS EXAMPLE                   |1.0  |W   2|
   NY | 90000001 / OQ: 1794   ->1801    |     |W    |
-----------------------------------------------------
    2 | BAKER EXAMPLE                   |0.0  |L   1|
   NJ | 90000002 / OQ: 1655   ->1650    |     |B    |
-----------------------------------------------------
"""


def parse(text: str | bytes, hints: Hints = Hints(START, END, "G/60;d5")) -> ParsedReport:  # noqa: B008 - immutable
    data = text if isinstance(text, bytes) else text.encode()
    return crosstable.parse(Source("table.txt", (SourceFile("table.txt", data),)), hints)


def codes(text: str | bytes) -> list[str]:
    return [finding.code for finding in parse(text).findings]


def places(text: str) -> list[tuple[str, str]]:
    return [(finding.code, finding.where) for finding in parse(text).findings]


def test_a_single_system_becomes_a_report_without_problems() -> None:
    result = parse(SINGLE)
    assert result.findings == ()
    assert result.report is not None
    (section,) = result.report.sections
    assert section[:5] == (1, "", START, END, "G/60;d5")
    assert (section.type, section.online) == (SectionType.OTHER, False)
    assert [entry.seat for entry in section.entries] == [1, 2, 3, 4, 5]
    assert [entry.player for entry in section.entries] == [
        "90000001",
        "90000002",
        "90000003",
        "90000004",
        "seat-5",
    ]
    assert section.entries[0].rounds == (Cell("W", 3, "w"), Cell("W", 2, "b"), Cell("H"))
    assert section.entries[1].rounds == (Cell("W", 5, "b"), Cell("L", 1, "w"), Cell("X"))
    assert section.entries[2].rounds == (Cell("L", 1, "b"), Cell("D", 4, "w"), Cell("B"))
    assert section.entries[3].rounds == (Cell("U"), Cell("D", 3, "b"), Cell("F"))


def test_the_ratings_before_are_kept_with_their_provisional_games() -> None:
    report = parse(SINGLE).report
    assert report is not None
    assert {key: (player.name, dict(player.ratings)) for key, player in report.players.items()} == {
        "90000001": ("ADAMS EXAMPLE", {System.REGULAR: Rating(1794, None)}),
        "90000002": ("BAKER EXAMPLE", {System.REGULAR: Rating(1641, 17)}),
        "90000003": ("CLARK EXAMPLE", {System.REGULAR: Rating(377, 3)}),
        "90000004": ("DAVIS EXAMPLE", {}),
        "seat-5": ("EVANS EXAMPLE", {System.REGULAR: Rating(1602, 6)}),
    }


def test_the_published_ratings_are_kept_to_compare_with() -> None:
    assert parse(SINGLE).published == {
        (1, 1, System.REGULAR): 1817,
        (1, 2, System.REGULAR): 1657,
        (1, 3, System.REGULAR): 1076,
        (1, 4, System.REGULAR): 1200,
        (1, 5, System.REGULAR): 1508,
    }


def test_a_dual_section_has_both_systems_and_decimals() -> None:
    result = parse(DUAL)
    assert result.findings == ()
    assert result.report is not None
    ratings = {key: dict(player.ratings) for key, player in result.report.players.items()}
    assert ratings == {
        "90000001": {System.REGULAR: Rating(1794), System.QUICK: Rating(1733, 24)},
        "90000002": {System.REGULAR: Rating(1655.25)},
        "90000003": {System.QUICK: Rating(1500, 8)},
        "90000004": {System.REGULAR: Rating(1588), System.QUICK: Rating(1542)},
    }
    assert result.published[1, 2, System.REGULAR] == 1655.75
    assert result.published[1, 2, System.QUICK] == 1650
    assert result.published[1, 3, System.REGULAR] == 1544
    assert len(result.published) == 8


def test_both_ratings_on_one_line_are_read_too() -> None:
    text = DUAL.replace("R: 1794   ->1801     |", "R: 1794->1801 Q: 1733P24->1741P26|").replace(
        "      |            Q: 1733P24->1741P26  |     |     |     |\n", ""
    )
    assert parse(text) == parse(DUAL)


def test_online_labels_make_an_online_section() -> None:
    result = parse(ONLINE)
    assert result.findings == ()
    assert result.report is not None
    assert result.report.sections[0].online
    assert result.published[1, 1, System.ONLINE_QUICK] == 1801


def test_the_online_option_reads_plain_labels_as_online_systems() -> None:
    text = ONLINE.replace("OQ: ", "B: ")
    result = parse(text, Hints(START, END, "G/5", online=True))
    assert result.report is not None
    assert result.report.sections[0].online
    assert dict(result.report.players["90000001"].ratings) == {System.ONLINE_BLITZ: Rating(1794)}
    offline = parse(text)
    assert offline.report is not None
    assert dict(offline.report.players["90000001"].ratings) == {System.BLITZ: Rating(1794)}


@pytest.mark.parametrize(
    "data",
    [
        SINGLE.replace("\n", "\r\n").encode(),
        SINGLE.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + SINGLE.encode(),
        f"\n\n<pre>\n{SINGLE}</pre>\n\n".encode(),
        f"<html><PRE>\n{SINGLE.replace('->', '-&gt;')}</PRE>".encode(),
        "\n".join(line.strip() for line in SINGLE.splitlines()).encode(),
        SINGLE.replace("->", "=>").encode(),
        "\n".join(line for line in SINGLE.splitlines() if "Pair" not in line and "Num" not in line).encode(),
    ],
    ids=["DOS", "old Mac", "byte order mark", "pre", "page source", "no blanks", "web arrows", "no header"],
)
def test_the_way_the_text_was_copied_changes_nothing(data: bytes) -> None:
    assert parse(data) == parse(SINGLE)


def test_latin_1_and_utf_8_names_are_read_alike() -> None:
    text = SINGLE.replace("CLARK EXAMPLE", "PEÑA EXAMPLE ")
    assert parse(text.encode("latin-1")) == parse(text.encode())
    report = parse(text).report
    assert report is not None
    assert report.players["90000003"].name == "PEÑA EXAMPLE"


def test_several_tables_are_sections_in_order_named_by_the_text_above() -> None:
    second = ONLINE.replace("OQ", "R").replace("9000000", "9000001")
    text = f"Autumn Festival\nSection 1 - OPEN\nplayed in August\n{SINGLE}\n\nSection 2 - RESERVE\n{second}"
    result = parse(text)
    assert result.report is not None
    assert [(one.number, one.name, len(one.entries)) for one in result.report.sections] == [
        (1, "OPEN", 5),
        (2, "RESERVE", 2),
    ]
    assert result.report.event.name == "Autumn Festival"
    assert (2, 1, System.REGULAR) in result.published


def test_players_without_ids_are_kept_apart_in_several_sections() -> None:
    text = SINGLE.replace("90000001 /", "        ") + ONLINE.replace("90000001 /", "00000000 /")
    report = parse(text).report
    assert report is not None
    assert [section.entries[0].player for section in report.sections] == ["seat-1", "section-2-seat-1"]


def test_a_player_of_two_sections_keeps_the_rating_before_the_first() -> None:
    second = ONLINE.replace("OQ: 1794   ->1801", "R: 1817   ->1830").replace("OQ", "R")
    result = parse(SINGLE + second)
    assert result.report is not None
    assert dict(result.report.players["90000001"].ratings) == {System.REGULAR: Rating(1794)}
    # Player 2 was published at 1657 after the first section, and cannot enter the second at 1655.
    assert places(SINGLE + second) == [("rating-before-differs", "section 2, seat 2, regular")]


def test_somebody_unrated_before_the_first_section_stays_so() -> None:
    second = ONLINE.replace("90000001 / OQ: 1794   ->1801", "90000004 / R: 1200P1 ->1230P2").replace(
        "OQ", "R"
    )
    report = parse(SINGLE + second.replace("90000002", "90000009")).report
    assert report is not None
    assert dict(report.players["90000004"].ratings) == {}


def test_what_a_crosstable_cannot_say_names_the_options() -> None:
    result = parse(SINGLE, Hints(None, None, None))
    assert result.report is None
    found = {finding.code: finding for finding in result.findings}
    assert set(found) == {"end-missing", "time-control-missing"}
    assert "--end" in found["end-missing"].remedy
    assert "--time-control" in found["time-control-missing"].remedy


def test_without_a_start_the_end_date_selects_the_rules_and_a_note_says_so() -> None:
    result = parse(SINGLE, Hints(None, END, "G/60;d5"))
    (only,) = result.findings
    assert (only.code, only.severity) == ("start-missing", Severity.NOTE)
    assert "--start" in only.remedy
    assert result.report is not None
    assert result.report.sections[0].rules_date == END


def test_reversed_dates_are_an_error() -> None:
    result = parse(SINGLE, Hints(END, START, "G/60;d5"))
    assert [finding.code for finding in result.findings] == ["dates-reversed"]


def test_a_total_that_is_not_the_sum_of_the_cells_is_a_warning() -> None:
    (only,) = parse(SINGLE.replace("|2.5  |", "|3.5  |")).findings
    assert (only.code, only.where, only.severity) == ("total-differs", "section 1, seat 1", Severity.WARNING)


@pytest.mark.parametrize(
    ("old", "new", "code", "where"),
    [
        ("|D   4|", "|Q   4|", "cell-unreadable", "section 1, seat 3, round 2"),
        ("|D   4|", "|D 4 4 4 4|", "cell-unreadable", "section 1, seat 3, round 2"),
        ("|D   4|", "|", "row-incomplete", "section 1, seat 3"),
        ("|D   4|B    |", "|D   4|B    ", "row-incomplete", "section 1, seat 3"),
        ("->1076P10  |     |B    |W    |     |", "->10", "row-incomplete", "section 1, seat 3"),
        (
            "|     |W    |     |     |",
            "|     |Q    |     |     |",
            "colour-unreadable",
            "section 1, seat 5, round 1",
        ),
        ("R:  377P3 ->1076P10", "R:  377P3 -  1076P10", "rating-unreadable", "section 1, seat 3"),
        ("R:  377P3 ->1076P10", "R:  377P3 ->1076P10 ?", "rating-unreadable", "section 1, seat 3"),
        ("90000003 / R", "NOBODY / R", "rating-unreadable", "section 1, seat 3"),
        ("R:  377P3 ->1076P10", "                   ", "ratings-missing", "section 1, seat 3"),
        ("R:  377P3 ->1076P10", "R:   37P3 ->1076P10", "rating-out-of-range", "section 1, seat 3, regular"),
        ("->1076P10", "->99999P10", "rating-out-of-range", "section 1, seat 3, regular"),
        (" 377P3 ->", " 377P999999 ->", "games-out-of-range", "section 1, seat 3, regular"),
        ("R:  377P3 ->1076P10", "R: 377->1076 R: 377->1076", "rating-twice", "section 1, seat 3, regular"),
        ("    3 | CLARK", "    2 | CLARK", "seat-twice", "section 1, seat 2"),
        ("CLARK EXAMPLE", "CLARK\x1b[1m   ", "text-unreadable", "section 1, seat 3"),
    ],
)
def test_a_damaged_row_says_what_is_wrong_and_where(old: str, new: str, code: str, where: str) -> None:
    assert old in SINGLE
    text = SINGLE.replace(old, new, 1)
    assert (code, where) in places(text)
    result = parse(text)
    assert result.report is None
    assert all(finding.remedy for finding in result.findings)


def test_a_rating_line_that_others_have_is_missed() -> None:
    text = DUAL.replace("      |            Q: 1542   ->1520     |     |     |     |\n", "")
    (only,) = parse(text).findings
    assert (only.code, only.where) == ("rating-line-missing", "section 1, seat 4, quick")
    assert only.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "crosstable-empty"),
        (b"------------\n Pair | Name | Total |\n------------\n", "crosstable-empty"),
        (b"\x00|\x00|", "file-binary"),
        (("   1 | A |0.0 |" + "U|" * 100 + "\n").encode(), "table-too-large"),
    ],
)
def test_a_file_without_players_is_an_error(data: bytes, code: str) -> None:
    assert codes(data) == [code]


@pytest.mark.statement("A8")
def test_the_same_member_under_two_seats_is_one_player() -> None:
    report = parse(SINGLE.replace("90000003", "90000001")).report
    assert report is not None
    assert [entry.player for entry in report.sections[0].entries].count("90000001") == 2
    assert len(report.players) == 4


def test_the_example_for_the_documents_is_a_dual_rated_quad_without_problems() -> None:
    result = parse((EXAMPLES / "quad-crosstable.txt").read_bytes())
    assert result.findings == ()
    assert result.report is not None
    assert len(result.report.players) == 4
    assert len(result.published) == 8


@given(
    text=st.sampled_from([SINGLE, DUAL, ONLINE]),
    cuts=st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 40), st.binary(max_size=3)), max_size=5),
    end=st.integers(0, 2_500),
)
def test_damaged_crosstables_yield_findings_and_never_an_exception(
    text: str, cuts: list[tuple[int, int, bytes]], end: int
) -> None:
    data = bytearray(text.encode())
    for position, length, replacement in cuts:
        data[position : position + length] = replacement
    result = parse(bytes(data[:end]))
    assert (result.report is None) == is_unreadable(result.findings)
    assert all(
        part.isprintable()
        for finding in result.findings
        for part in (finding.where, finding.message, finding.remedy)
    )


@given(text=st.text(alphabet="WLD0123456789 |-RQ:>P\n/.Unrated", max_size=300))
def test_any_text_of_the_right_letters_yields_findings_and_never_an_exception(text: str) -> None:
    result = parse(text)
    assert (result.report is None) == is_unreadable(result.findings)

"""Layouts of published crosstables beside the plain one, and event pages that were pasted whole; all players invented.

The layouts are those of the entries in the tests of krishnakg/uschess (docs/formats/crosstable.md).
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.checks import check_report
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints
from ratebook.formats.registry import parse_source
from ratebook.formats.source import Source
from ratebook.model import Cell, Rating, SectionType, System
from ratebook.reports.rate import rate_report
from ratebook.rules.rulebook import load_rulebook
from support.command_line import invoke

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.formats.contract import ParsedReport

END = date(2026, 8, 30)
ROUND_ROBIN = """\
-----------------------------------------------------------------
 Pair | Player Name                     |Total|Round|Round|Round|
 Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |  2  |  3  |
-----------------------------------------------------------------
   1 | ADAMS EXAMPLE                   |1.5  |*    |W   2|D   3|
NY | 90000001 / R: 1794   ->1810     |     |     |B    |W    |
\t |            Q: 1409   ->1425     |     |     |     |     |
-----------------------------------------------------------------
    2 | BAKER EXAMPLE                   |1.0  |L   1|*    |W   3|
   NJ | 90000002 / R: 1778   ->1780     |W    |     |B    |
      |            Q: 1601   ->1602     |     |     |     |
-----------------------------------------------------------------
    3 |                                 |0.5  |D   1|L   2|*    |
   NJ |          / R:  109P7 -> 110P12  |B    |W    |     |
   |            Q:  109P7 -> 101P12  |     |     |     |
-----------------------------------------------------------------
"""
NO_SHOW = """\
-----------------------------------------------------------
    1 | ADAMS EXAMPLE                   |1.0  |W   2|U    |
   NY | 90000001 / OB: 1572   ->1578    |     |W    |     |
-----------------------------------------------------------
    2 | BAKER EXAMPLE                   |0.0  |L   1|F    |
   NJ | 90000002 / OB: 1502   ->1496    |     |B    |     |
-----------------------------------------------------------
    3 | CLARK EXAMPLE                   |0.0  |U    |U    |
   NJ | 90000003 /                      |     |     |     |
-----------------------------------------------------------
"""
PAGE = f"""\
Event\tAUTUMN FESTIVAL (202608300123)
Location\tEXAMPLEVILLE, NY
Event Date(s) 2026-08-29 thru 2026-08-30
Chief TD\tDIRECTOR EXAMPLE

Section 1 - QUAD A
Stats\t3 Rounds, 3 Players; K Factor: F Rating Sys: D Tnmt Type: R
Time Control G/60;d5
{ROUND_ROBIN}
Section 2 - BLITZ
Section Date(s) 2026-08-30
Time Control: G/5;d0
{NO_SHOW}
"""


def parse(text: str, hints: Hints = Hints()) -> ParsedReport:  # noqa: B008 - immutable
    return parse_source(Source("table.txt", (SourceFile("table.txt", text.encode()),)), hints)


def test_a_round_robin_has_stars_where_a_player_has_no_game() -> None:
    parsed = parse(ROUND_ROBIN, Hints(END, END, "G/60;d5"))
    assert parsed.findings == ()
    assert parsed.report is not None
    assert parsed.report.sections[0].entries[0].rounds == (Cell(), Cell("W", 2, "b"), Cell("D", 3, "w"))
    third = parsed.report.players["seat-3"]
    assert (third.name, dict(third.ratings)) == (
        "",
        {System.REGULAR: Rating(109, 7), System.QUICK: Rating(109, 7)},
    )
    assert parsed.published[1, 1, System.QUICK] == 1425


def test_somebody_who_never_played_needs_no_rating() -> None:
    parsed = parse(NO_SHOW, Hints(END, END, "G/5"))
    assert parsed.findings == ()
    assert parsed.report is not None
    assert dict(parsed.report.players["90000003"].ratings) == {}
    assert rate_report(parsed.report, load_rulebook()).sections
    played = parse(NO_SHOW.replace("OB: 1502   ->1496 ", " " * 18), Hints(END, END, "G/5"))
    assert [one.code for one in played.findings] == ["ratings-missing"]


def test_an_event_page_says_what_the_table_does_not() -> None:
    parsed = parse(PAGE)
    assert parsed.findings == ()
    assert parsed.report is not None
    event, (first, second) = parsed.report.event, parsed.report.sections
    assert event[:4] == ("202608300123", "AUTUMN FESTIVAL", date(2026, 8, 29), END)
    assert (first.name, first.start, first.end, first.type) == (
        "QUAD A",
        date(2026, 8, 29),
        END,
        SectionType.ROUND_ROBIN,
    )
    assert (second.name, second.start, second.time_control) == ("BLITZ", END, "G/5;d0")


def test_what_the_page_says_holds_and_an_option_for_it_is_named() -> None:
    parsed = parse(PAGE, Hints(time_control="G/90", name="Other"))
    assert parsed.report is not None
    assert parsed.report.sections[0].time_control == "G/60;d5"
    assert [one.code for one in parsed.findings] == ["option-unused", "option-unused"]


@pytest.mark.parametrize(
    ("text", "name"), [(NO_SHOW, "Autumn Blitz"), (f"Summer Blitz\nSection 1 - A\n{NO_SHOW}", "Summer Blitz")]
)
def test_the_user_names_an_event_that_has_no_name(text: str, name: str) -> None:
    report = parse(text, Hints(END, END, "G/5", name="  Autumn   Blitz ")).report
    assert report is not None
    assert report.event.name == name


def test_two_names_of_one_id_in_a_section_are_an_error_and_printed_ratings_after_are_named_as_lost(
    tmp_path: Path,
) -> None:
    text = ROUND_ROBIN.replace("90000002", "90000001")
    parsed = parse(text, Hints(END, END, "G/60;d5"))
    assert ("member-names-differ", "section 1, seat 2") in [(one.code, one.where) for one in parsed.findings]
    path = tmp_path / "table.txt"
    path.write_text(ROUND_ROBIN, encoding="utf-8")
    given = ("--end", END.isoformat(), "--time-control", "G/60;d5")
    result = invoke("convert", str(path), str(tmp_path / "report.json"), *given)
    assert result.exit_code == 0
    assert "The ratings after the event were left out (6 ratings)." in result.stderr


def test_four_digits_behind_the_letter_are_a_seat_and_one_that_is_not_there_is_an_error() -> None:
    """A table of a foreign event can have cells such as W2048, which fill the column; they are never a rating."""
    parsed = parse(NO_SHOW.replace("W   2", "W2048"), Hints(END, END, "G/5"))
    assert parsed.report is not None
    assert parsed.report.sections[0].entries[0].rounds[0] == Cell("W", 2048, "w")
    assert {"opponent-missing"} <= {one.code for one in check_report(parsed.report)}

"""Reports as directors, coaches and secretaries type and paste them: invented players, what they mean written by hand."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.formats.contract import DayOrder, Hints, ParsedReport, is_unreadable
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

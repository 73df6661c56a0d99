"""Lines above a table, as clubs write them: days and time controls in words, several of them, hours, fees."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.formats.contract import Hints
from ratebook.reports.load import load_bytes

TABLE = """\
#,Name,ID,Rating,R1,R2,R3,Pts
1,Ann Lowe,15520001,1700,W4,W3,D2,2.5
2,Bo Reyes,15520002,1650,W3,L4,D1,1.5
3,Cy Ward,15520003,1600,L2,L1,W4,1
4,Di Marsh,15520004,1550,L1,W2,L3,1
"""


@pytest.mark.parametrize(
    ("lines", "first", "last", "control"),
    [
        ("Start date: 2026-11-13\nEnd date: 2026-11-14\nTime control: G/60;d5", 13, 14, "G/60;d5"),
        ("14 November 2026\nCadence : 1 h 30 + 30 s/coup", 14, 14, "G/90;+30"),
        ("14 November 2026\n1:30 + 30", 14, 14, "G/90;+30"),
        ("14 November 2026\n2 h 15 + 5", 14, 14, "G/135;+5"),
        ("14 November 2026\n1 hour 15 + 15 seconds", 14, 14, "G/75;+15"),
        ("14 November 2026\n25 minutes each", 14, 14, "G/25"),
        ("14 November 2026\n3 rounds, 25 minutes each\nBreak 60 minutes", 14, 14, "G/25"),
        ("14 November 2026\n90 minuti + 30 secondi", 14, 14, "G/90;+30"),
        ("14 November 2026\nBetänketid: 90 min + 30 sek, 7 ronder", 14, 14, "G/90;+30"),
        ("14 November 2026\n60 min. + 30 s Zuschlag", 14, 14, "G/60;+30"),
        ("14 November 2026\n1 hour + 10 sec", 14, 14, "G/60;+10"),
        ("14 November 2026\nG/60;d5\nEntry fee 20+5", 14, 14, "G/60;d5"),
        ("Rd 1: 3 Nov 2026, Rd 2: 10 Nov 2026, Rd 3: 17 Nov 2026\nG/90;+30", 3, 17, "G/90;+30"),
        ("Started 3 November 2026, finished 17 November 2026\nG/90;+30", 3, 17, "G/90;+30"),
        ("13-15.11.2026\nG/60;d5", 13, 15, "G/60;d5"),
    ],
)
def test_days_and_time_controls_are_those_that_the_lines_say(
    lines: str, first: int, last: int, control: str
) -> None:
    report = load_bytes(f"Club Night\n{lines}\n{TABLE}".encode(), "club.csv").report
    assert report is not None
    (section,) = report.sections
    assert (report.event.name, section.name) == ("Club Night", "")
    assert (section.start, section.end) == (date(2026, 11, first), date(2026, 11, last))
    assert section.time_control == control


def test_a_schedule_of_several_controls_is_asked_for() -> None:
    result = load_bytes(
        f"Club Night\n14 November 2026\nRounds 1-2 G/45;d5, rounds 3-5 G/90;d5\n{TABLE}".encode(), "club.csv"
    )
    assert result.report is None
    assert {"time-control-missing"} <= {finding.code for finding in result.findings}


@pytest.mark.parametrize("line", ["60 minutes by arrangement", "Club Night - 60 minutes by arrangement"])
def test_a_time_control_that_cannot_be_read_is_asked_for_and_names_nothing(line: str) -> None:
    data = f"{line}\n14 November 2026\n{TABLE}".encode()
    asked = load_bytes(data, "club.csv")
    assert "time-control-missing" in {finding.code for finding in asked.findings}
    report = load_bytes(data, "club.csv", Hints(time_control="G/60;d5")).report
    assert report is not None
    assert (report.event.name, report.sections[0].name) == (line.partition("60")[0].strip(" -"), "")


def test_a_game_of_few_minutes_may_be_part_of_a_name() -> None:
    data = f"5 Minute Blitz\n14 November 2026\n{TABLE}".encode()
    report = load_bytes(data, "club.csv", Hints(time_control="G/5")).report
    assert report is not None
    assert report.event.name == "5 Minute Blitz"

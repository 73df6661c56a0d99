"""Lines above a table, as clubs write them: days and time controls in words, several of them, hours, fees."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.formats.contract import DayOrder, Hints
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
        ("ended 11/14/2026; G/45;+10", 14, 14, "G/45;+10"),
        ("Ended 14 November 2026\tG/90;+30", 14, 14, "G/90;+30"),
        ("13-15.11.2026\nG/60;d5", 13, 15, "G/60;d5"),
        ("Nov 13 2026 - 14\nG/60;d5", 13, 14, "G/60;d5"),
        ("Sat 14 Nov & Sun 15 Nov 2026\nG/60;d5", 14, 15, "G/60;d5"),
        ("11/13 - 11/14/2026\nG/60;d5", 13, 14, "G/60;d5"),
        ("Fecha\t13/11/2026\nRitmo\t60 min + 5 s", 13, 13, "60 min + 5 s"),
        ("Date: 14-Nov-26\nTime limit\tG/60;d5", 14, 14, "G/60;d5"),
        ("Du 13/11/2026 au 14/11/2026\nG/60;d5", 13, 14, "G/60;d5"),
        ("2026-11-14\nG/60;d5\nPlayed in the public library every Saturday\nHere you go:", 14, 14, "G/60;d5"),
        ("Date: 2026-11-14   Time control: G/60;d5   Rounds: 3", 14, 14, "G/60;d5"),
        ("2026-11-14\nTC;G/60;d5", 14, 14, "G/60;d5"),
        ("2026-11-14\nTime: 10:00 am\nG/60;d5\nTD: Dee Moore\nMotto: Play well", 14, 14, "G/60;d5"),
        (
            "2026-11-14\nG/60;d5\nNext tournament: December 12 2026\nEntries close November 1 2026",
            14,
            14,
            "G/60;d5",
        ),
        (
            "2026-11-14\nG/60;d5\nLetzte Aktualisierung 20.11.2026 18:22:11\nRangliste nach der 3. Runde",
            14,
            14,
            "G/60;d5",
        ),
        ("Letzter Tag: 14.11.2026\n- 5+0", 14, 14, "5+0"),
        ("Sat Nov 14 2026, 3|2", 14, 14, "3|2"),
        ("Nov 14, 2026\nOne hour per player with a five second delay", 14, 14, "G/60;d5"),
        ("Nov 14, 2026\tTC: 60 min each", 14, 14, "G/60"),
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


def test_a_line_that_ends_with_an_abbreviated_time_is_no_sentence() -> None:
    data = f"Schnellschach im Vereinsheim, 14.11.2026, 15 Min. + 5 Sek.\n{TABLE}".encode()
    report = load_bytes(data, "club.csv").report
    assert report is not None
    assert (report.event.name, report.sections[0].time_control) == ("Schnellschach im Vereinsheim", "G/15;+5")


def test_a_game_of_few_minutes_may_be_part_of_a_name() -> None:
    data = f"5 Minute Blitz\n14 November 2026\n{TABLE}".encode()
    report = load_bytes(data, "club.csv", Hints(time_control="G/5")).report
    assert report is not None
    assert report.event.name == "5 Minute Blitz"


@pytest.mark.parametrize(
    "lines",
    [
        "Tournament\tHarbour Swiss\nSection\tBooster",
        "Event: Harbour Swiss   Section: Booster",
        "Harbour Swiss\nHarbour Swiss: Booster",
        "Turnier: Harbour Swiss\nGruppe: Booster\nOrt: Harbour",
        "Harbour Swiss\nSection - 1: Booster",
        "Harbour Swiss\nBooster          Round:",
    ],
)
def test_a_label_is_no_name(lines: str) -> None:
    data = f"{lines}\n2026-11-14\nG/60;d5\n{TABLE}".replace(",", "\t").encode()
    report = load_bytes(data, "club.csv").report
    assert report is not None
    assert (report.event.name, report.sections[0].name) == ("Harbour Swiss", "Booster")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_time_control_above_a_table_is_whole_whatever_separates_the_cells(separator: str) -> None:
    for label in ("TC", "Time control", "Cadence"):
        data = f"{label}{separator}G/60;d5\n2026-11-14\n{TABLE.replace(',', separator)}".encode()
        report = load_bytes(data, "club.csv").report
        assert report is not None
        assert report.sections[0].time_control == "G/60;d5"


def test_lines_with_labels_that_no_one_knows_are_listed() -> None:
    result = load_bytes(f"Club Night\n2026-11-14\nG/60;d5\nMotto: Play well\n{TABLE}".encode(), "club.csv")
    (note,) = [finding for finding in result.findings if finding.code == "titles-unread"]
    assert "'Motto: Play well'" in note.message


def test_a_day_in_words_that_no_month_has_is_an_error() -> None:
    result = load_bytes(f"Club Night - Nov 31, 2026\nG/60;d5\n{TABLE}".encode(), "club.csv")
    assert [(finding.code, finding.case) for finding in result.findings if finding.severity == "error"] == [
        ("end-missing", "unread")
    ]


def test_the_result_of_teams_is_no_part_of_their_names() -> None:
    data = f"League\nRooks A vs Bishops 2.5 - 1.5\n2026-11-14\nG/60;d5\n{TABLE}".encode()
    report = load_bytes(data, "club.csv").report
    assert report is not None
    assert report.sections[0].name == "Rooks A vs Bishops"


@pytest.mark.parametrize(
    "day", ["31/11/2026", "2026-11-31", "Nov 14", "Nov 14 & Dec, 2026", "2026-11-14 - 13", "every Tuesday"]
)
def test_a_day_that_is_none_is_asked_for(day: str) -> None:
    data = f"Club Night\nDate: {day}\nG/60;d5\n{TABLE}".encode()
    for order in (None, *DayOrder):
        errors = [
            finding
            for finding in load_bytes(data, "club.csv", Hints(day_order=order)).findings
            if finding.severity == "error"
        ]
        assert [finding.code for finding in errors] == ["end-missing"]
        assert "calendar date" in errors[0].message
    report = load_bytes(data, "club.csv", Hints(end=date(2026, 11, 14))).report
    assert report is not None
    assert report.sections[0].end == date(2026, 11, 14)

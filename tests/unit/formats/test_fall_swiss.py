"""One event in the forms in which directors have it: the same players, ratings and results, typed here by hand."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from ratebook.findings import Severity
from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.registry import parse_source
from ratebook.formats.source import read_source, source_of_bytes

FILES = Path(__file__).parent / "fall_swiss"
HINTS = Hints(date(2026, 10, 3), date(2026, 10, 4), "G/90;d5")


class Played(NamedTuple):
    """A player: number, name, id (empty for the newcomer without one), rating, and what the four rounds brought."""

    seat: int
    name: str
    member: str
    rating: float | None
    cells: str


PLAYED = (
    Played(1, "Anderson, Mark", "90000001", 2045, "W2 W3 W8 L4"),
    Played(2, "Okafor, Chidi", "90000002", 1987, "L1 L6 W11 W7"),
    Played(3, "Lindqvist, Sara", "90000003", 1921, "W5 L1 D7 W9"),
    Played(4, "Petrov, Alexei", "90000004", 1877, "H W12 W6 W1"),
    Played(5, "Nguyen, Thu Ha", "90000005", 1804, "L3 D7 W12 W6"),
    Played(6, "Washington, Jerome", "90000006", 1755, "D7 W2 L4 L5"),
    Played(7, "O'Brien, Patrick", "90000007", 1698, "D6 D5 D3 L2"),
    Played(8, "Ramírez, José Luis", "90000008", 1640, "W9 W10 L1 U"),
    Played(9, "Müller, Anke", "90000009", 1522, "L8 W11 X10 L3"),
    Played(10, "Chen, Grace", "90000010", 1411, "W11 L8 F9 W12"),
    Played(11, "Dubois, René", "", None, "L10 L9 L2 U"),
    Played(12, "Smith, Tyler", "90000012", None, "B L4 L5 L10"),
)


def read(name: str, hints: Hints = HINTS) -> ParsedReport:
    parsed = parse_source(read_source(FILES / name), hints)
    assert not [finding for finding in parsed.findings if finding.severity is Severity.ERROR], parsed.findings
    return parsed


def played_in(parsed: ParsedReport) -> tuple[Played, ...]:
    """Return what the only section says, in the order of the numbers."""
    assert parsed.report is not None
    (section,) = parsed.report.sections
    players = parsed.report.players
    return tuple(
        Played(
            entry.seat,
            players[entry.player].name,
            "" if entry.player.startswith("seat-") else entry.player,
            players[entry.player].pairing_rating,
            " ".join(f"{cell.letter}{cell.opponent or ''}" for cell in entry.rounds),
        )
        for entry in sorted(section.entries, key=lambda entry: entry.seat)
    )


@pytest.mark.parametrize(
    "name", ["wallchart.txt", "wc-player.txt", "wintd.txt", "email.txt", "email-noquote.txt"]
)
def test_a_wall_chart_has_the_players_and_their_results(name: str) -> None:
    assert played_in(read(name)) == PLAYED


def test_the_program_that_printed_a_chart_is_no_part_of_its_names() -> None:
    for name in ("wallchart.txt", "wc-player.txt"):
        report = read(name).report
        assert report is not None
        assert (report.event.name, report.sections[0].name) == ("Fall Swiss 2026", "Open")


def test_the_second_line_of_a_wall_chart_tells_the_colours() -> None:
    report = read("wintd.txt").report
    assert report is not None
    colours = {entry.seat: [cell.colour for cell in entry.rounds] for entry in report.sections[0].entries}
    assert colours[1] == ["w", "w", "w", "b"]
    assert colours[12] == ["", "w", "b", "b"]


@pytest.mark.parametrize("name", ["titled.txt", "titled2.txt", "titled3.txt"])
def test_titles_above_a_chart_say_what_and_when_and_how_fast(name: str) -> None:
    parsed = read(name, Hints())
    assert parsed.report is not None
    (section,) = parsed.report.sections
    assert played_in(parsed) == PLAYED
    assert (parsed.report.event.name, section.name) == ("Fall Swiss", "")
    assert (section.start, section.end) == (date(2026, 10, 3), date(2026, 10, 4))
    assert (section.time_control or "").replace(" ", ";") == "G/90;d5"


@pytest.mark.parametrize("name", ["email.txt", "email-noquote.txt"])
def test_a_letter_above_a_chart_says_how_fast_and_names_no_section(name: str) -> None:
    report = read(name, Hints(end=date(2026, 10, 4))).report
    assert report is not None
    assert (report.sections[0].name, report.sections[0].time_control) == ("", "G/90 d5")


@pytest.mark.parametrize("name", ["email.txt", "email-noquote.txt"])
def test_the_subject_of_an_e_mail_names_the_event_and_no_address_is_kept(name: str) -> None:
    parsed = read(name)
    assert parsed.report is not None
    assert parsed.report.event.name == "results from Saturday"
    assert "riverside.example" not in repr(parsed)


def test_pairings_by_board_have_the_players_and_their_results() -> None:
    """The list says no ids; it says days and time control in its first line."""
    parsed = read("pairings.txt", Hints())
    assert played_in(parsed) == tuple(player._replace(member="") for player in PLAYED)
    assert parsed.report is not None
    (section,) = parsed.report.sections
    assert (section.start, section.end) == (date(2026, 10, 3), date(2026, 10, 4))
    assert section.time_control == "G/90 d5"
    assert (parsed.report.event.name, section.name) == ("Fall Swiss", "")


def test_a_crosstable_that_was_cut_names_the_opponents_that_are_missing() -> None:
    """Two players of twelve are left of it: their opponents are 12, 6 (of 1) and 3, 4, 8 (of 2)."""
    report = read("uscf.txt").report
    assert report is not None
    (section,) = report.sections
    seats = {entry.seat for entry in section.entries}
    missing = [
        (entry.seat, cell.opponent)
        for entry in section.entries
        for cell in entry.rounds
        if cell.opponent and cell.opponent not in seats
    ]
    assert missing == [(1, 12), (1, 6), (2, 3), (2, 4), (2, 8)]


def test_a_pasted_table_of_a_result_server_has_the_players_and_their_results() -> None:
    """It says no ids; its results name the starting numbers (SNo), not the ranks."""
    assert played_in(read("chessresults.txt")) == tuple(player._replace(member="") for player in PLAYED)


def test_grids_of_quads_have_their_games() -> None:
    """Quad A of four players: once, and as a double round robin."""
    report = read("quad.txt").report
    assert report is not None
    games = {
        entry.seat: {cell.opponent: cell.letter for cell in entry.rounds}
        for entry in report.sections[0].entries
    }
    assert games == {
        1: {2: "W", 3: "D", 4: "W"},
        2: {1: "L", 3: "W", 4: "D"},
        3: {1: "D", 2: "L", 4: "W"},
        4: {1: "L", 2: "D", 3: "L"},
    }
    assert "round-empty" not in {finding.code for finding in read("quad.txt").findings}
    double = read("drr.csv").report
    assert double is not None
    letters = {
        entry.seat: sorted(f"{cell.letter}{cell.opponent}" for cell in entry.rounds)
        for entry in double.sections[0].entries
    }
    assert letters[1] == ["D2", "D4", "W2", "W3", "W3", "W4"]
    assert letters[2] == ["D1", "D3", "D4", "L1", "W3", "W4"]
    assert letters[3] == ["D2", "L1", "L1", "L2", "W4", "W4"]
    assert letters[4] == ["D1", "D2", "L1", "L2", "L3", "L3"]


def test_a_tournament_report_has_those_who_did_not_play_as_not_paired() -> None:
    report = read("swissmanager.trf", Hints(ratings="pairing")).report
    assert report is not None
    cells = {
        entry.seat: " ".join(f"{cell.letter}{cell.opponent or ''}" for cell in entry.rounds)
        for entry in report.sections[0].entries
    }
    assert cells == {player.seat: player.cells for player in PLAYED}


TABLE = "No,Name,ID,Rating,Rd 1\n1,Ash Heron,90000011,1500,W2w\n2,Bo Reed,90000012,1600,L1b\n"


@pytest.mark.parametrize(
    ("titles", "event", "section"),
    [
        ("Maple Open, Lakeside, October 3-4, 2026\n", "Maple Open, Lakeside", ""),
        ("Event: Maple Open, Lakeside\nDates,October 3,2026\n", "Maple Open, Lakeside", ""),
        ('Maple Open\nReserve Section\n"October 3-4, 2026"\n', "Maple Open", "Reserve Section"),
        ("Maple Open\nOctober 3-4, 2026\n", "Maple Open", ""),
        ("Maple Open\nDates,2026-10-03,2026-10-04\n", "Maple Open", ""),
        ("Maple Open\nStart date,10/3/2026\nEnd date,10/4/2026\n", "Maple Open", ""),
        ('"Maple Open, Saturday, October 3, 2026"\n', "Maple Open", ""),
        ('Tuesday Ladder\n"Played Tuesday, October 6, 2026"\n', "Tuesday Ladder", ""),
    ],
)
def test_a_title_line_is_read_whole_and_a_second_one_names_the_section(
    titles: str, event: str, section: str
) -> None:
    parsed = parse_source(
        source_of_bytes(f"{titles}{TABLE}".encode(), "a.csv"), Hints(time_control="G/60;d5")
    )
    assert parsed.report is not None, parsed.findings
    assert (parsed.report.event.name, parsed.report.sections[0].name) == (event, section)
    assert parsed.report.event.start is not None
    assert ("4" in titles) == (parsed.report.event.end == date(2026, 10, 4))


CHART = "No Name ID Rating Rd 1 Tot\n1 Ash Heron 90000011 1500 W2 1\n2 Bo Reed 90000012 1600 L1 0\n"


@pytest.mark.parametrize(
    "heading",
    [
        "WinTD Wall Chart\n",
        "From the Tournament-Results-Server of Chess-Results http://chess-results.example\n",
        "SwissSys Standings.\n",
    ],
)
def test_the_heading_of_a_program_names_neither_event_nor_section(heading: str) -> None:
    text = f"{heading}Autumn Rapid\nOctober 3, 2026 G/25;d5\n\n{CHART}"
    parsed = parse_source(source_of_bytes(text.encode(), "chart.txt"), Hints())
    assert parsed.report is not None, parsed.findings
    assert (parsed.report.event.name, parsed.report.sections[0].name) == ("Autumn Rapid", "")

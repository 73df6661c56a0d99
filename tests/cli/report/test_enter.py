"""Reports typed in line by line: complete ones, mistakes, interruptions."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from typing import TYPE_CHECKING

import pytest

from support.command_line import COMMAND, invoke

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

EVENT = ["Club Night", "202611140001", "2025-11-14", "", "", ""]
SECTION = ["Quad", "n", "G/25;d5", "round-robin", "3"]
PLAYERS = [
    *("90000001", "ADAMS, EXAMPLE", "1500", "1480P12"),
    *("90000002", "BAKER, EXAMPLE", "1600", "1600"),
    *("90000003", "CLARK, EXAMPLE", "", "1400.5", "2010-03-04"),
    *("90000004", "DAVIS, EXAMPLE", "1700", "1700"),
    "",
]
RESULTS = ["W2 D3 L4", "L1 W4 D3", "W4 D1 D2", "L3 L2 W1"]
ANSWERS = [*EVENT, *SECTION, *PLAYERS, *RESULTS, "n"]


def entered(path: Path, *answers: str) -> Result:
    return invoke("enter", str(path), data="".join(f"{answer}\n" for answer in answers).encode())


@pytest.mark.statement("M8")
def test_a_report_is_typed_in_and_can_be_rated(tmp_path: Path) -> None:
    path = tmp_path / "quad.json"
    shown = entered(path, *ANSWERS)
    assert shown.exit_code == 0, shown.output
    report = json.loads(path.read_text(encoding="utf-8"))
    assert report["event"] == {
        "id": "202611140001",
        "name": "Club Night",
        "start": "2025-11-14",
        "end": "2025-11-14",
    }
    assert [player["id"] for player in report["players"]] == [f"9000000{seat}" for seat in range(1, 5)]
    assert report["players"][0]["ratings"] == {
        "regular": {"rating": 1500, "games": None},
        "quick": {"rating": 1480, "games": 12},
    }
    assert report["players"][2]["birth_date"] == "2010-03-04"
    (section,) = report["sections"]
    assert (section["time_control"], section["type"]) == ("G/25;d5", "round-robin")
    assert [entry["rounds"] for entry in section["entries"]] == [line.split() for line in RESULTS]
    assert list(tmp_path.iterdir()) == [path]
    rated = json.loads(invoke("rate", str(path), "--json").stdout)
    assert [section["system"] for section in rated["sections"]] == ["regular", "quick"]


def test_a_dot_or_an_empty_line_takes_what_earlier_seats_told(tmp_path: Path) -> None:
    path = tmp_path / "quad.json"
    shown = entered(path, *EVENT, *SECTION, *PLAYERS, "w2w D3b L4", ". W4 D3", "W4 . .", "", "n")
    assert shown.exit_code == 0, shown.output
    assert "[L1b . .]" in shown.stderr
    entries = json.loads(path.read_text(encoding="utf-8"))["sections"][0]["entries"]
    assert entries[1]["rounds"] == ["L1b", "W4", "D3"]
    assert entries[3]["rounds"] == ["L3", "L2", "W1"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("W2 D3", "results of 2 rounds; write 3"),
        ("W2", "results of 1 round; write 3"),
        ("Q2 D3 L4", "'Q2' is not a result"),
        ("W1 D3 L4", "seat 1 is the player's own"),
        ("W5 D3 L4", "no opponent at seat 5"),
        ("W D3 L4", "opponent's seat is missing"),
        ("B2 D3 L4", "B has no opponent"),
        (". D3 L4", "no earlier seat gives"),
    ],
)
def test_a_mistake_in_results_is_said_and_asked_again(tmp_path: Path, line: str, words: str) -> None:
    shown = entered(tmp_path / "quad.json", *EVENT, *SECTION, *PLAYERS, line, *RESULTS, "n")
    assert shown.exit_code == 0, shown.output
    assert words in shown.stderr


def test_two_seats_cannot_tell_a_game_differently(tmp_path: Path) -> None:
    wrong = ("W1 W4 D3", "L3 W4 D1", "H W4 D3")
    shown = entered(tmp_path / "quad.json", *EVENT, *SECTION, *PLAYERS, RESULTS[0], *wrong, *RESULTS[1:], "n")
    assert shown.exit_code == 0, shown.output
    assert shown.stderr.count("seat 1 says L1") == 3
    other = entered(
        tmp_path / "b.json",
        *EVENT,
        *SECTION,
        *PLAYERS,
        *RESULTS[:2],
        "W4 D1 D4",
        "W2 D1 D2",
        *RESULTS[2:],
        "n",
    )
    assert "seat 2 says D2, not D4" in other.stderr
    assert "Round 1: seat 2 has L1 in this round" in other.stderr
    rival = entered(
        tmp_path / "c.json", *EVENT, *SECTION, *PLAYERS, RESULTS[0], "L1 W3 D3", *RESULTS[1:], "n"
    )
    assert "Round 2: seat 3 plays seat 1 in this round" in rival.stderr


@pytest.mark.parametrize(
    ("at", "answer", "words"),
    [
        (0, "", "cannot be empty"),
        (0, "\a", "cannot be printed"),
        (2, "last Friday", "write it as 2026-11-14"),
        (2, "11/8/2025", "'11/8/2025' can be read in two ways; write 2025-11-08 or 2025-08-11."),
        (2, "2199-11-14", "2199-11-14 is in the future"),
        (3, "2025-11-13", "started on 2025-11-14"),
        (7, "perhaps", "Write y or n"),
        (8, "blitzy", "Fill it in, or write it, in one of these forms"),
        (8, "G/2", "No system rates"),
        (9, "fide", "Write one of"),
        (10, "0", "from 1 to 99"),
        (10, "\u0663", "from 1 to 99"),
        (11, "9000 0001", "Two words have digits"),
        (11, "W4", "That is no id"),
        (11, "3 Adams, Example", "That is no id"),
        (15, "90000001", "is already at seat 1"),
        (15, "", "at least two seats"),
        (13, "99", "Write a rating"),
        (13, "1500P", "Write a rating"),
    ],
)
def test_a_mistake_anywhere_is_said_and_asked_again(tmp_path: Path, at: int, answer: str, words: str) -> None:
    path = tmp_path / "quad.json"
    shown = entered(path, *ANSWERS[:at], answer, *ANSWERS[at:])
    assert shown.exit_code == 0, shown.output
    assert words in shown.stderr
    assert path.exists()


def test_a_day_before_the_timeline_has_no_system(tmp_path: Path) -> None:
    early = [*EVENT[:2], "1999-05-05", *EVENT[3:]]
    shown = entered(tmp_path / "quad.json", *early, *SECTION[:3])
    assert shown.exit_code == 1
    assert "2001-01-01" in shown.stderr


@pytest.mark.parametrize("kept", range(0, len(ANSWERS), 4))
def test_an_interrupted_report_goes_on_where_it_was(tmp_path: Path, kept: int) -> None:
    whole, path = tmp_path / "whole.json", tmp_path / "quad.json"
    assert entered(whole, *ANSWERS).exit_code == 0
    first = entered(path, *ANSWERS[:kept])
    assert first.exit_code == 1
    assert "entry-unfinished" in first.stderr
    assert ("quad.json.draft" in first.stderr) == (kept > 0)
    assert not path.exists()
    second = entered(path, *ANSWERS[kept:])
    assert second.exit_code == 0, second.output
    assert path.read_bytes() == whole.read_bytes()


def test_one_can_go_back(tmp_path: Path) -> None:
    path = tmp_path / "quad.json"
    shown = entered(path, "<", "Wrong", "202611140001", "<", "<", *ANSWERS)
    assert shown.exit_code == 0, shown.output
    assert json.loads(path.read_text(encoding="utf-8"))["event"]["name"] == "Club Night"


def test_enter_keeps_the_answers_that_one_goes_back_over(tmp_path: Path) -> None:
    path, straight = tmp_path / "quad.json", tmp_path / "straight.json"
    back = ["<"] * 3
    shown = entered(path, *EVENT[:3], *back, "", "", "", *ANSWERS[3:])
    assert shown.exit_code == 0, shown.output
    assert "Name of the event [Club Night]" in shown.stderr
    assert "[202611140001]" in shown.stderr
    assert "First day (YYYY-MM-DD) [2025-11-14]" in shown.stderr
    entered(straight, *ANSWERS)
    assert path.read_bytes() == straight.read_bytes()


def test_an_answer_that_one_goes_back_to_can_be_emptied(tmp_path: Path) -> None:
    path = tmp_path / "quad.json"
    shown = entered(path, *EVENT[:2], "<", "-", *ANSWERS[2:])
    assert shown.exit_code == 0, shown.output
    assert "Event id, or an empty line (- for an empty line) [202611140001]" in shown.stderr
    assert "id" not in json.loads(path.read_text(encoding="utf-8"))["event"]


def test_a_player_of_two_sections_is_asked_for_once(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    second = ["Blitz", "", "G/5", "", "1", "90000001", "1400", "90000002", "1300", "", "D2", "", ""]
    shown = entered(path, *ANSWERS[:-1], "y", *second)
    assert shown.exit_code == 0, shown.output
    report = json.loads(path.read_text(encoding="utf-8"))
    assert len(report["players"]) == 4
    assert list(report["players"][0]["ratings"]) == ["regular", "quick", "blitz"]
    assert [len(section["entries"]) for section in report["sections"]] == [4, 2]


def test_ratings_need_not_be_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "quad.json"
    names = [*("90000001", "ADAMS"), *("90000002", "BAKER"), ""]
    answers = [*EVENT, *SECTION[:4], "1", *names, "W2", "L1", "n"]
    data = "".join(f"{answer}\n" for answer in answers).encode()
    assert invoke("enter", str(path), "--no-ratings", data=data).exit_code == 0
    assert "ratings" not in json.loads(path.read_text(encoding="utf-8"))["players"][0]


def test_what_is_there_is_not_replaced_unasked(tmp_path: Path) -> None:
    path = tmp_path / "quad.json"
    path.write_text("mine", encoding="utf-8")
    shown = entered(path, *ANSWERS)
    assert shown.exit_code == 1
    assert "output-exists" in shown.stderr
    assert path.read_text(encoding="utf-8") == "mine"
    nowhere = entered(tmp_path / "none" / "quad.json")  # before the first question
    assert nowhere.exit_code == 1
    assert "output-unwritable" in nowhere.stderr


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"format": "x", "answers": {}}', '{"format": "ratebook-entry/1", "answers": {"a": 1}}'],
)
def test_a_draft_that_something_else_wrote_is_a_finding(tmp_path: Path, text: str) -> None:
    (tmp_path / "quad.json.draft").write_text(text, encoding="utf-8")
    shown = entered(tmp_path / "quad.json", *ANSWERS)
    assert shown.exit_code == 1
    assert "entry-draft-unreadable" in shown.stderr


def test_an_interruption_on_a_terminal_keeps_what_was_typed(tmp_path: Path) -> None:
    path = tmp_path / "quad.json"
    main_end, terminal = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "enter", str(path)],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    ) as process:
        os.close(terminal)
        seen = b""
        for prompt, typed in ((b"Name of the event", b"Club Night\n"), (b"Event id", b"\x04")):
            while prompt not in seen:
                seen += os.read(main_end, 65536)
            os.write(main_end, typed)
        while b"kept in" not in seen:
            seen += os.read(main_end, 65536)
        assert process.wait() == 130
    os.close(main_end)
    draft = json.loads((tmp_path / "quad.json.draft").read_text(encoding="utf-8"))
    assert draft["answers"] == {"event name": "Club Night"}
    assert b"Traceback" not in seen

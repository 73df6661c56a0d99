"""What a file does not say: a terminal is asked, a script is told the option, and no other problem is hidden."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from support.command_line import COMMAND, invoke

if TYPE_CHECKING:
    from pathlib import Path

TABLE = '#,Name,ID,Rating,Rd 1\n1,"Heron, Alice",90000012,1500,W2w\n2,"Alder, Bruno",90000021,1400,L1b\n'
WRONG = TABLE.replace("90000021", "9000002")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Give a spreadsheet that does not say when and how fast it was played."""
    path = tmp_path / "night.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def answered(*arguments: str, answers: dict[str, str]) -> tuple[int, str]:
    """Run a command at a pseudo-terminal and answer each question when it is there; return status and what is seen."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": "200"}
    with subprocess.Popen(
        [*COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        seen, waiting = "", dict(answers)
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux says so when the other end has closed
                break
            if not part:
                break
            seen += part.decode()
            for question in [asked for asked in waiting if asked in seen]:
                os.write(ours, f"{waiting.pop(question)}\n".encode())
        status = process.wait()
    os.close(ours)
    return status, seen


def test_a_terminal_is_asked_and_told_the_options_for_the_next_time(table: Path) -> None:
    answers = {"Last day": "2026-10-04", "Time control": "G/60;d5"}
    status, seen = answered("rate", str(table), answers=answers)
    assert status == 0
    assert "Next time, give --end 2026-10-04 --time-control 'G/60;d5'." in seen
    assert "Heron" in seen.partition("Next time")[2]


def test_an_answer_that_cannot_be_read_is_asked_for_again(table: Path) -> None:
    answers = {"Last day": "last Sunday", "is not a date": "2026-10-04", "Time control": "G/60;d5"}
    status, seen = answered("check", str(table), answers=answers)
    assert status == 0
    assert seen.count("Last day of the event") == 2


def test_a_time_control_of_the_file_that_cannot_be_read_is_asked_for(table: Path) -> None:
    table.write_text(f"Time control: slow\n{TABLE}", encoding="utf-8")
    status, seen = answered(
        "rate", str(table), "--end", "2026-10-04", answers={"Time control, such": "G/60;d5"}
    )
    assert (status, "Next time, give --time-control 'G/60;d5'." in seen) == (0, True)


@pytest.mark.parametrize("flag", ["--no-input", "--json"])
def test_a_script_at_a_terminal_is_not_asked(table: Path, flag: str) -> None:
    status, seen = answered("check", str(table), flag, answers={})
    assert status == 1
    assert "--end" in seen
    assert "Last day of the event" not in seen


def test_a_pipe_is_told_the_options_and_every_other_problem(table: Path) -> None:
    table.write_text(WRONG, encoding="utf-8")
    outcome = invoke("check", str(table))
    assert outcome.exit_code == 1
    assert set(re.findall(r"\[([a-z-]+)\]", outcome.stderr)) >= {
        "end-missing",
        "time-control-missing",
        "member-id-wrong",
    }
    assert "--end YYYY-MM-DD" in outcome.stderr
    assert "[rules-not-known]" not in outcome.stderr


def test_a_last_day_far_in_the_future_is_a_warning(table: Path) -> None:
    outcome = invoke("check", str(table), "--end", "2100-01-02", "--time-control", "G/60;d5")
    assert outcome.exit_code == 0
    assert "The event ends on 2100-01-02, but today is" in outcome.stderr


def test_reversed_days_hide_no_other_problem(table: Path) -> None:
    table.write_text(WRONG, encoding="utf-8")
    shown = invoke(
        "check", str(table), "--start", "2026-10-05", "--end", "2026-10-04", "--time-control", "G/60;d5"
    )
    assert "[dates-reversed]" in shown.stderr + shown.stdout
    assert "[member-id-wrong]" in shown.stderr + shown.stdout


def test_an_unreadable_time_control_makes_nobody_unrated(table: Path) -> None:
    shown = invoke("check", str(table), "--end", "2026-10-04", "--time-control", "G/sixty")
    assert "[time-control-unreadable]" in shown.stderr + shown.stdout
    assert "unrated-without-birth-date" not in shown.stderr + shown.stdout


def test_a_conversion_says_how_one_sheet_is_chosen(table: Path) -> None:
    shown = invoke("convert", str(table), "out.json", "--section", "Open")
    assert shown.exit_code == 2
    assert "--sheet NAME chooses one sheet" in shown.stderr


def test_a_conversion_says_which_birth_dates_it_leaves_out(tmp_path: Path) -> None:
    lines = [
        "001    1      Lowe, Ann                         1700                             1.0    1     2 w 1",
        "001    2      Reyes, Bo                         1650                             0.0    2     1 b 0",
    ]
    players = "".join(f"{line[:69]}1982/00/00{line[79:]}\n" for line in lines)
    report = tmp_path / "night.trf"
    report.write_text(f"012 Night\n042 2026/11/07\n052 2026/11/07\n122 G/60;d5\n{players}", encoding="utf-8")
    shown = invoke("convert", str(report), str(tmp_path / "out.trf"), "--to", "trf16")
    assert (shown.exit_code, "give only the year" in shown.stderr) == (0, True)


REVERSED = {
    "night.csv": "start,end,time_control,seat,name,id,round1\n"
    "2026-11-09,2026-11-07,G/60;d5,1,Ann Lowe,90000012,W2\n"
    "2026-11-09,2026-11-07,G/60;d5,2,Bo Reyes,90000021,W1\n",
    "night.txt": "Club Night, 9 November 2026 - 7 November 2026\nG/60;d5\n"
    "#  Name      ID        R1\n1  Ann Lowe  90000012  W2\n2  Bo Reyes  90000021  W1\n",
    "night.trf": "012 Club Night\n042 2026/11/09\n052 2026/11/07\n122 G/60;d5\n"
    "001    1      Lowe, Ann                         1700                             1.0    1     2 w 1\n"
    "001    2      Reyes, Bo                         1650                             1.0    2     1 b 1\n",
    "night.json": '{"format": "ratebook-report/1", "event": {"start": "2026-11-09", "end": "2026-11-07"},'
    ' "players": [{"id": "A"}, {"id": "B"}], "sections": [{"number": 1, "time_control": "G/60;d5", "entries":'
    ' [{"seat": 1, "player": "A", "rounds": ["W2"]}, {"seat": 2, "player": "B", "rounds": ["W1"]}]}]}',
}


@pytest.mark.parametrize("name", REVERSED)
def test_reversed_days_in_a_file_hide_no_other_problem(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(REVERSED[name], encoding="utf-8")
    shown = invoke("check", str(path))
    assert shown.exit_code == 1
    assert "[dates-reversed]" in shown.stderr
    assert "[results-disagree]" in shown.stderr
    assert "[rules-not-known]" not in shown.stderr

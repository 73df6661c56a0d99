"""What a terminal would obey never gets there: not from arguments, and not from what is printed."""

from __future__ import annotations

import subprocess

import pytest

from ratebook.cli.finding_lines import finding_lines
from ratebook.cli.output import TextTable, print_table
from ratebook.findings import Place, finding
from support.command_line import COMMAND, invoke


@pytest.mark.parametrize("argument", ["\udcff", "E\x1b[31m", "A\nB", "A\tB"])
@pytest.mark.parametrize(
    "before", [["book", "member"], ["book", "submit", "r.json", "--event-id"], ["check"], ["rate", "--set"]]
)
def test_arguments_that_cannot_be_printed_are_refused(before: list[str], argument: str) -> None:
    result = invoke(*before, argument)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: argument: ")
    assert "[text-unreadable]" in result.stderr
    assert ascii(argument) in result.stderr


def test_bytes_that_are_not_utf_8_are_a_finding() -> None:
    ended = subprocess.run([*COMMAND, "book", "member", b"\xff"], capture_output=True, check=False)
    assert ended.returncode == 1
    assert b"[text-unreadable]" in ended.stderr


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_days_at_the_edge_of_the_calendar_are_wrong_usage(day: str) -> None:
    result = invoke("book", "--book", "x.book", "official", "90000001", "--on", day)
    assert result.exit_code == 2
    assert "is not within the years 1850 to 2199" in result.stderr


def test_what_is_printed_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    raw = "E\x1b]0;pwned\x07\x1b[2J\u202e\n"
    escaped = r"E\x1b]0;pwned\x07\x1b[2J\u202e\n"
    print_table(TextTable("Queue", ("Event",), [(raw,)]))
    assert escaped in capsys.readouterr().out
    lines = list(finding_lines([finding("book-failed", Place(file=raw), text=raw)], str, folded=False))
    assert lines[0].startswith(f"error: '{escaped}': ")
    assert all(line.isprintable() for line in lines)
    assert sum(line.count(escaped) for line in lines) > 1

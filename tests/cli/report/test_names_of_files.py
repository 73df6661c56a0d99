"""Findings name files as the user did."""

from __future__ import annotations

from pathlib import Path

from support.command_line import invoke

QUAD = str(Path(__file__).parents[3] / "examples" / "quad.json")


def test_what_a_format_cannot_hold_is_said_of_the_file_that_was_asked_for(tmp_path: Path) -> None:
    shown = invoke("convert", QUAD, str(tmp_path / "wall.txt"))
    assert "note: wall.txt: " in shown.stderr
    assert "crosstable.txt" not in shown.stderr


def test_standard_input_is_called_so() -> None:
    assert "error: standard input: " in invoke("check", "-", data=b"1. e4 e5").stderr

"""Pages that are typed along from the top to the end: their commands run in order, in one empty folder."""

from __future__ import annotations

import re
import shlex
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from scripts.pages.places import DOCS

from ratebook.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


OFFICE = DOCS / "book" / "office.md"
ELISION = "…"


def console_blocks(page: Path) -> list[str]:
    found = re.findall(
        r"^( *)```console\n(.*?)^\1```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    return [dedent(block) for _, block in found]


def steps(page: Path) -> Iterator[tuple[str, list[str], int]]:
    """Yield each command with the output and the exit status that the page shows."""
    for block in console_blocks(page):
        first, *parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
        assert not first, "a console block begins with a command"
        shown = [part.splitlines() for part in parts]
        for (command, *output), following in zip(shown, [*shown[1:], [""]], strict=True):
            if command != "echo $?":
                yield command, output, int(following[1]) if following[0] == "echo $?" else 0


@pytest.mark.long
def test_an_offices_week_can_be_typed_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each shown line is a line of the real output, in the same order; … stands for lines left out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RATEBOOK_BOOK", "league.book")
    runner = CliRunner()
    number = 0
    for command, output, status in steps(OFFICE):
        words = shlex.split(command)
        assert words[0] == "ratebook", command
        result = runner.invoke(run, words[1:], prog_name="ratebook")
        assert result.exit_code == status, f"{command}\n{result.output}"
        real = iter(line.rstrip() for line in result.output.splitlines())
        for line in output:
            assert line == ELISION or line in real, f"{command}: {line!r} is not there, or not in this place"
        number += 1
    assert number > 30


def test_an_offices_week_shows_what_an_office_does() -> None:
    commands = {shlex.split(command)[2] for command, _, _ in steps(OFFICE) if " book " in command}
    assert {
        "init",
        "import",
        "submit",
        "accept",
        "rate",
        "correct",
        "rerate",
        "verify",
        "publish",
    } <= commands

"""Pages that are typed along from the top to the end: commands and Python run in order, in one folder of their own."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from scripts.pages.places import DOCS, ROOT

from ratebook.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


OFFICE = "book/office.md"
NOTEBOOK, LABORATORY = "notebook.md", "laboratory-notebook.md"
IN_ORDER = {
    "first-hour.md": 14,
    OFFICE: 30,
    "book/federation.md": 12,
    "book/founding.md": 7,
    "book/own-rules.md": 8,
    "rules/other-federations.md": 10,
    "director.md": 6,
    NOTEBOOK: 10,
    LABORATORY: 5,
}
"""The pages by their paths in docs, and how many commands and blocks of Python each has at least."""
WITH_A_SERVER = "client.md"
"""A page that tests/web/api/test_client.py types along."""
ELISION = "…"
BLANKS = re.compile("(?<=\\S) {2,}")
FENCE = re.compile(r"^( *)```(console|python)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)


def blocks_of(name: str) -> Iterator[tuple[str, str]]:
    """Yield the language and the text of each block that is run."""
    for found in FENCE.finditer((DOCS / name).read_text(encoding="utf-8")):
        yield found[2], dedent(found[3])


def steps(block: str) -> Iterator[tuple[str, list[str], int]]:
    """Yield each command of a block with the output and the exit status that it shows."""
    first, *parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert not first, "a console block begins with a command"
    shown = [part.splitlines() for part in parts]
    for (command, *output), following in zip(shown, [*shown[1:], [""]], strict=True):
        if command != "echo $?":
            yield command, output, int(following[1]) if following[0] == "echo $?" else 0


def type_along(command: str, output: list[str], status: int) -> None:
    """Run a command; each shown line is one of the real output, in the same order; … stands for lines left out.

    How wide a column is may differ: another line of the table decides it.
    """
    words = shlex.split(command)
    assert words[0] == "ratebook", command
    result = CliRunner().invoke(run, words[1:], prog_name="ratebook")
    assert result.exit_code == status, f"{command}\n{result.output}"
    real = iter(BLANKS.sub("  ", line.rstrip()) for line in result.output.splitlines())
    for line in output:
        assert line == ELISION or BLANKS.sub("  ", line) in real, (
            f"{command}: {line!r} is not there, or not in this place"
        )


@pytest.mark.long
@pytest.mark.parametrize("name", IN_ORDER)
def test_a_page_can_be_typed_along(
    request: pytest.FixtureRequest, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in {NOTEBOOK, LABORATORY}:
        request.getfixturevalue("compiled_engine")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RATEBOOK_BOOK", "league.book")
    if name != OFFICE:
        shutil.copytree(ROOT / "examples", "examples")
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    known: dict[str, object] = {}
    number = 0
    for language, block in blocks_of(name):
        if language == "console":
            for step in steps(block):
                type_along(*step)
                number += 1
        else:
            example = doctest.DocTestParser().get_doctest(block, known, name, name, 0)
            runner.run(example, clear_globs=False)
            known = example.globs
            number += len(example.examples)
    assert runner.failures == 0
    assert number >= IN_ORDER[name]


def test_an_offices_week_shows_what_an_office_does() -> None:
    commands = {
        shlex.split(command)[2]
        for _, block in blocks_of(OFFICE)
        for command, _, _ in steps(block)
        if " book " in command
    }
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

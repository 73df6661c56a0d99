"""What linters know of the house holds wherever the tests run, not only where someone types `make check`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


TARGETS = re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


MAKE = shutil.which("make")


@pytest.mark.skipif(MAKE is None, reason="there is no make here")
@pytest.mark.parametrize("target", TARGETS)
def test_a_target_can_be_made(target: str) -> None:
    """The Makefile is read as make reads it; nothing is run."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    run = subprocess.run(
        [str(MAKE), "-n", target], cwd=ROOT, env=outside, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout


@pytest.mark.parametrize(
    "words",
    [("lint-imports", "--no-cache"), ("ruff", "check", "--quiet"), ("ruff", "format", "--check", "--quiet")],
    ids=" ".join,
)
def test_a_linter_finds_nothing(words: tuple[str, ...]) -> None:
    program, *arguments = words
    run = subprocess.run(
        [Path(sys.executable).parent / program, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr

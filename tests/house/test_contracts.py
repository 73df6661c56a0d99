"""What linters know of the house holds wherever the tests run, not only where someone types `make check`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


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

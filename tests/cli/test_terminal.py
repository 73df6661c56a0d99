"""What a terminal sees and a pipe does not: headings in bold and colours, unless NO_COLOR is set."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.command_line import seen_on_terminal

ROOT = Path(__file__).resolve().parents[2]


def test_a_terminal_sees_headings_set_off() -> None:
    seen = seen_on_terminal("rate", str(ROOT / "examples" / "open-64-players.json"))
    assert "\x1b[1m\x1b[4mSeat" in seen


def test_no_color_is_respected() -> None:
    seen = seen_on_terminal("rate", str(ROOT / "examples" / "open-64-players.json"), no_colour=True)
    assert "\x1b" not in seen
    assert "W39" in seen


def test_the_shell_gets_its_completion() -> None:
    for shell in ("bash", "zsh", "fish"):
        environment = {**os.environ, "_RATEBOOK_COMPLETE": f"{shell}_source"}
        script = "from ratebook.cli.main import main; main()"
        shown = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
        )
        if shell == "bash" and "Bash version" in shown.stderr + shown.stdout:
            continue  # the machine's bash is too old for completion, which click reports
        assert "_RATEBOOK_COMPLETE" in shown.stdout

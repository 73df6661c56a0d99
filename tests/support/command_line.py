"""The commands as the tests call them."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner, Result

from ratebook.cli.main import run

COMMAND = [sys.executable, "-c", "from ratebook.cli.main import main; main()"]
MORE_THAN_A_PIPE_HOLDS = 1 << 21


def invoke(*arguments: str, data: bytes | None = None) -> Result:
    return CliRunner().invoke(run, arguments, input=data)


def values_taken(group: click.Group, *arguments: str) -> dict[str, Any]:
    """Return the values that a group takes from what is typed, set and written, without running it."""
    above = click.Context(run, info_name="ratebook", **run.context_settings)
    with group.make_context(str(group.name), list(arguments), parent=above) as context:
        return {name: value for name, value in context.params.items() if value is not None}


def children(process: subprocess.Popen[str]) -> set[str]:
    """Return the numbers of the processes that a process has started, on Linux."""
    return set(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii").split())


def wait_until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """Wait until *process* is reading its input: only then can more be written than a pipe holds."""
    assert process.stdin is not None
    process.stdin.write(b" " * MORE_THAN_A_PIPE_HOLDS)
    process.stdin.flush()


def seen_on_terminal(*arguments: str, no_colour: bool = False) -> str:
    """Return what the command writes to a real pseudo-terminal."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "120"} | ({"NO_COLOR": "1"} if no_colour else {})
    main_end, terminal = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=terminal, stderr=terminal, env=environment
    ) as process:
        os.close(terminal)
        seen = b""
        while True:
            try:
                part = os.read(main_end, 65536)
            except OSError:  # Linux says so when the other end has closed
                break
            if not part:
                break
            seen += part
        assert process.wait() == 0
    os.close(main_end)
    return seen.decode()

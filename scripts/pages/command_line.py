"""The page with the help text of every command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from scripts.pages.places import MADE_BY

from ratebook.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH = 80
"""Columns of the help texts, whatever the terminal has."""


def commands() -> Iterator[tuple[str, click.Command, click.Context]]:
    """Yield every command with its full name and its context, parents before children."""

    def visit(
        command: click.Command, name: str, parent: click.Context | None
    ) -> Iterator[tuple[str, click.Command, click.Context]]:
        settings: dict[str, Any] = {**command.context_settings, "max_content_width": WIDTH}
        context = click.Context(command, parent, name, terminal_width=WIDTH, **settings)
        yield context.command_path, command, context
        if isinstance(command, click.Group):
            for inner_name in command.list_commands(context):
                inner = command.get_command(context, inner_name)
                if inner is not None:
                    yield from visit(inner, inner_name, context)

    yield from visit(run, "ratebook", None)


def cli_page() -> str:
    """Return the page with the help text of every command."""
    lines = [
        "# The command line",
        "",
        f"{MADE_BY} from the commands' own help; change `src/ratebook/cli`, not this page.",
        "",
        "Exit status: 0 done, 1 the input has errors and nothing was rated, 2 wrong usage.",
        "Results go to standard output, findings to standard error.",
    ]
    for name, command, context in commands():
        text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
        lines += ["", f"## {name}", "", "```text", text, "```"]
    return "\n".join(lines) + "\n"

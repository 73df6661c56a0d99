"""A group of commands whose modules are loaded only when one of them runs, so that start-up stays short."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click


class LazyCommand(NamedTuple):
    """Where a command is found, and the line about it in the list of commands."""

    module: str
    name: str
    summary: str


class LazyGroup(click.Group):
    """A group that knows its commands by name and loads one when it is asked for.

    Args:
        lazy: the commands by name, in the order in which they are listed.
        arguments: as for every group of click.
    """

    def __init__(self, *, lazy: Mapping[str, LazyCommand], **arguments: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(**arguments)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Load and return one command."""
        if cmd_name not in self.lazy:
            return None
        module, name, _ = self.lazy[cmd_name]
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)  # noqa: S101 - states what the line before has made sure, for the type checker
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands with one line each, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.summary) for name, one in self.lazy.items()])

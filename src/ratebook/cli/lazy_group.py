"""A group of commands whose modules are loaded only when one of them runs, so that start-up stays short."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group that knows its commands by name and loads one when it is asked for.

    Args:
        package: where their modules are.
        lazy: module and line about it of each command by name, in the order in which they are listed.
        arguments: as for every group of click.
    """

    def __init__(self, *, package: str, lazy: Mapping[str, tuple[str, str]], **arguments: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(**arguments)
        self.package = package
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Load and return one command."""
        if cmd_name not in self.lazy:
            return None
        module, _ = self.lazy[cmd_name]
        declared = vars(import_module(f"{self.package}.{module}")).values()
        return next(one for one in declared if isinstance(one, click.Command) and one.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands with one line each, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in self.lazy.items()])

"""A group of commands whose modules are loaded only when one of them runs, so that start-up stays short."""

import gc
import re
import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

import click


class LazyGroup(click.Group):
    """A group that knows the modules and summaries of its commands by name, and loads one when it is asked for.

    The libraries of *extras* are what all of them need.
    """

    def __init__(
        self,
        *,
        package: str,
        lazy: Mapping[str, tuple[str, str]],
        extras: tuple[str, ...] = (),
        **arguments: Any,  # noqa: ANN401 - click's own
    ) -> None:
        super().__init__(**arguments)
        self.package = package
        self.lazy = lazy
        self.extras = extras

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse arguments of any command that are not UTF-8, or that a terminal would obey where they are printed."""
        for argument in args:
            if argument.isprintable():
                continue
            # Start-up loads these only when needed.
            from ratebook.cli.show import fail_with  # noqa: PLC0415 - as above
            from ratebook.findings import Place  # noqa: PLC0415 - as above
            from ratebook.formats.reading.fields import readable  # noqa: PLC0415 - as above

            if not readable(argument):
                fail_with("text-unreadable.argument", Place(subject="argument"), text=ascii(argument))
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Load and return one command; a finding where a library is missing."""
        if cmd_name not in self.lazy:
            return None
        if self.extras:
            from ratebook.cli.show import need  # noqa: PLC0415 - start-up

            need(*self.extras)
        module, _ = self.lazy[cmd_name]
        declared = vars(_loaded(f"{self.package}.{module}")).values()
        return next(
            value for value in declared if isinstance(value, click.Command) and value.name == cmd_name
        )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is asked for, or say which one is meant: here or in a group of this one."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as unknown:
            groups = [
                command
                for name in self.lazy
                if isinstance(command := self.get_command(ctx, name), click.Group)
            ]
            for group in groups:
                if args[0] in group.list_commands(ctx):
                    meant = f"Did you mean '{ctx.command_path} {group.name} {args[0]}'?"
                    raise click.UsageError(f"{unknown.message} {meant}", ctx) from unknown
            for name, (_, summary) in self.lazy.items():
                if args[0].casefold() in re.findall(r"[a-z]{4,}", summary.casefold()):
                    meant = f"Did you mean '{ctx.command_path} {name}'?"
                    raise click.UsageError(f"{unknown.message} {meant}", ctx) from unknown
            raise click.NoSuchCommand(args[0], possibilities=self.list_commands(ctx), ctx=ctx) from unknown

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands with one line each, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in self.lazy.items()])


def _loaded(name: str) -> ModuleType:
    """Return a module, loaded without looking for cycles among what is kept anyway: that took a sixth of the time."""
    if name in sys.modules:
        return sys.modules[name]
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()

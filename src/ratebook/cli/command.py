"""How a command is declared: its name, the arguments and options that it shares with others, its examples."""

from collections.abc import Callable
from functools import wraps
from inspect import cleandoc
from typing import Any, TypeVar

import click

Option = Callable[[click.Command], click.Command]
Declared = TypeVar("Declared", bound=Callable[..., Any] | click.Command)


def option(
    shown: str,
    about: str,
    type_: Any = None,  # noqa: ANN401 - whatever click takes as a type
    *,
    name: str = "",
    **more: Any,  # noqa: ANN401 - what click takes beside
) -> Callable[[Declared], Declared]:
    """Return an option as its help shows it: the flag, what stands for its value behind a blank, and what it is for.

    The function is given its value under a *name* of its own if the flag has another one.
    """
    flag, _, metavar = shown.partition(" ")
    names = (flag, name) if name else (flag,)
    return click.option(*names, type=type_, metavar=metavar or None, help=about, **more)


def command(
    name: str, *shared: Option, within: click.Group | None = None
) -> Callable[[Callable[..., Any]], click.Command]:
    """Declare a command, perhaps *within* a group; what it shares with others follows the options of its own."""

    def declared(run: Callable[..., Any]) -> click.Command:
        declared_command = click.command(name, help=with_examples(run.__doc__ or ""))(run)
        for option in shared:
            option(declared_command)
        if within is not None:
            within.add_command(declared_command)
        return declared_command

    return declared


class NotedFlag:
    """A flag that the running command keeps to itself: what prints asks for it, and the function is not given it."""

    def __init__(self, flag: str, about: str) -> None:
        self.flag = flag
        self.option = click.option(flag, is_flag=True, expose_value=False, callback=self._note, help=about)

    def _note(self, context: click.Context, _option: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's signature
        context.meta[self.flag] = value

    def is_given(self) -> bool | None:
        """Return whether the running command was given the flag; None where it has no such flag."""
        context = click.get_current_context(silent=True)
        given: bool | None = None if context is None else context.meta.get(self.flag)
        return given


def with_examples(text: str) -> str:
    """Return a docstring as help whose examples keep their lines: click asks for a backspace character there."""
    return cleandoc(text).replace("\n\nExamples:\n", "\n\n\b\nExamples:\n")


def bundled(name: str, record: type[Any], *options: Callable[..., Any]) -> Callable[..., Any]:
    """Return *options* as one, whose values a command is given as the argument *name*.

    That argument is a *record*, a named tuple with a field for each option; other fields keep their defaults.
    """

    def added(run: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(run)
        def with_record(**given: Any) -> Any:  # noqa: ANN401 - what the options give
            values = {field: given.pop(field) for field in record._fields if field in given}
            return run(**{name: record(**values)}, **given)

        decorated: Callable[..., Any] = with_record
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return added

"""Commands of actions: their arguments, options and help follow from what the office declares."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

import click

from ratebook.cli.command import Option, command
from ratebook.cli.options import DAY, PATH, FiniteRange, WholeRange, WordOf
from ratebook.office.action import Action, Condition, Kind, Parameter, Together
from ratebook.official_lists.calendar import EVERY_MONTH
from ratebook.player_lists.row import clean_name

METAVARS = {
    Kind.TEXT: "TEXT",
    Kind.LINE: "TEXT",
    Kind.NAMES: "NAME",
    Kind.DAY: "DATE",
    Kind.COUNT: "N",
    Kind.LETTER: "TEXT",
    Kind.MONTHS: "N,N,...",
    Kind.CODES: "CODE",
    Kind.DOCUMENT: "FILE",
}


def line_type(refusal: str, *, removable: bool) -> Callable[[str], str]:
    """Return what takes a text on one line that a terminal can print; it is empty only where it is *removable*."""

    def line(value: str) -> str:
        text = clean_name(value)
        if not text and not removable:
            raise click.BadParameter(refusal or "It is empty.")
        return text

    return line


class NumberOf(WholeRange):
    """A whole number within bounds, which people may take for something else."""

    def __init__(self, bounds: tuple[float, float], refusal: str) -> None:
        super().__init__(int(bounds[0]), int(bounds[1]))
        self.refusal = refusal

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401 - click's signature
        """Return the number, or end with a usage error."""
        if self.refusal and not str(value).isdecimal():
            self.fail(f"'{value}' {self.refusal}", param, ctx)
        return super().convert(value, param, ctx)


def months_of(text: str) -> tuple[int, ...]:
    """Return months of the year, as ``1,4,7,10`` or ``every``, or end with a usage error."""
    words = text.replace(",", " ").split()
    if words == ["every"]:
        return EVERY_MONTH
    if not words or not all(word.isascii() and word.isdecimal() and len(word) < len("100") for word in words):
        raise click.BadParameter(f'{text!r} are not months; write 1,4,7,10, or "every".')
    return tuple(map(int, words))


def option_of(parameter: Parameter) -> Option:
    """Return the option or argument that takes a parameter."""
    typed = TYPES.get(parameter.kind)
    type_ = None if typed is None else typed(parameter)
    needed = parameter.needed and not parameter.today
    if parameter.argument and parameter.kind is Kind.WORDS:
        return click.argument(parameter.name, nargs=-1, metavar=parameter.metavar, required=needed)
    if parameter.argument:
        named = parameter.metavar or parameter.name.upper()
        shown = None if parameter.kind is Kind.CHOICE else named if needed else f"[{named}]"
        return click.argument(parameter.name, type=type_, metavar=shown, required=needed)
    more: dict[str, Any] = {"help": parameter.about}
    if parameter.kind is Kind.FLAG:
        more |= {"is_flag": True, "default": None}
    elif parameter.kind in {Kind.ANSWER, Kind.SWITCH}:
        more["default"] = None
    elif parameter.kind in {Kind.SEVERAL, Kind.WORDS, Kind.NAMES, Kind.CODES}:
        unsaid: Callable[..., Any] = lambda _context, _option, values: values or None  # noqa: E731 - named for what it is
        more |= {"multiple": True, "type": type_, "required": needed, "callback": unsaid}
        more["metavar"] = parameter.metavar or METAVARS.get(parameter.kind)
    else:
        metavar = parameter.metavar or METAVARS.get(parameter.kind)
        more |= {"type": type_, "metavar": metavar, "required": needed and parameter.default is None}
        if parameter.default:
            more |= {"default": str(parameter.default), "show_default": True}
    return click.option(parameter.flag, parameter.name, **more)


def _choice(parameter: Parameter) -> click.ParamType[Any]:
    values = [value for value, _ in parameter.choices]
    words = [value for value in values if isinstance(value, StrEnum)]
    return WordOf(words) if words else click.Choice(values)


TYPES: Mapping[Kind, Callable[[Parameter], click.ParamType[Any] | Callable[[str], Any]]] = {
    Kind.LINE: lambda parameter: line_type(parameter.refusal, removable=parameter.removable),
    Kind.NAMES: lambda parameter: line_type(parameter.refusal, removable=False),
    Kind.LETTER: lambda _: str.upper,
    Kind.NUMBER: lambda parameter: FiniteRange(*(parameter.bounds or (None, None))),
    Kind.COUNT: lambda parameter: NumberOf(parameter.bounds or (0, 10**9), parameter.refusal),
    Kind.DAY: lambda _: DAY,
    Kind.CHOICE: _choice,
    Kind.FILE: lambda _: PATH,
    Kind.DOCUMENT: lambda _: PATH,
    Kind.SEVERAL: _choice,
    Kind.MONTHS: lambda _: months_of,
}
"""How texts become values, of the kinds that are more than a text or a flag."""


def require(action: Action[Any, Any], values: Mapping[str, object]) -> None:
    """End with a usage error where *values* break a condition of the action."""
    for condition in action.conditions:
        if condition.is_broken(values):
            raise click.UsageError(_words(action, condition))


def _words(action: Action[Any, Any], condition: Condition) -> str:
    first, *others = (action.parameter(name).flag.partition("/")[0] for name in condition.names)
    match condition.how:
        case Together.EITHER:
            return f"Give either {first} or {others[0]}."
        case Together.BOTH:
            return f"{condition.why}: {first} and {others[0]} are needed together."
        case Together.SOME:
            return f"{condition.why} is missing; give at least one of the options."
        case Together.ALONE:
            return f"{first} cannot be used with other options: {condition.why}."
        case Together.WITH:
            return f"{' and '.join(others)} {'are' if len(others) > 1 else 'is'} for {first}."


def help_of(action: Action[Any, Any]) -> str:
    """Return the help of the command of an action, with examples."""
    examples = "\n".join(
        f"  {action.program} {action.command} {example}".rstrip() for example in action.examples
    )
    return "\n\n".join(filter(None, (action.about, action.more, f"Examples:\n{examples}")))


def command_of(
    action: Action[Any, Any], *shared: Option, within: click.Group | None = None
) -> Callable[[Callable[..., Any]], click.Command]:
    """Declare the command of an action: what it takes and its help are the action's, and *shared* options follow."""

    def declared(run: Callable[..., Any]) -> click.Command:
        run.__doc__ = help_of(action)
        with_options: Any = run
        for parameter in reversed(action.parameters):
            with_options = option_of(parameter)(with_options)
        return command(action.word, *shared, within=within)(with_options)

    return declared

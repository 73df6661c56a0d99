"""Settings of ``ratebook web`` and ``ratebook book``: each option has a variable and a key in a file.

What is typed comes before a variable, a variable before the file, and the file before the default.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

from ratebook.bounded_files import bounded_text
from ratebook.cli.lazy_group import LazyGroup
from ratebook.cli.options import PlaceOfFile
from ratebook.cli.show import fail, fail_with
from ratebook.findings import Finding, Place, finding
from ratebook.formats.reading.fields import close_match

PREFIX = "RATEBOOK"
BOOK_VARIABLE = "RATEBOOK_BOOK"
SETTINGS_VARIABLE = "RATEBOOK_SETTINGS"
BOOK = "book"
"""The table of a file, and its key, that names the book for both groups."""
UNSETTABLE = frozenset({"--settings", "--help"})


class SettledGroup(LazyGroup):
    """A group whose options, and those of all its commands, may be set in the environment and in a file."""

    def __init__(self, **arguments: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(**arguments)
        _name_variables(self, f"{PREFIX}_{_in_variable(self.name or '')}")

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load and return one command, whose options have names of variables."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _name_variables(command, f"{PREFIX}_{_in_variable(self.name or '')}_{_in_variable(cmd_name)}")
        return command


def _name_variables(command: click.Command, prefix: str) -> None:
    """Give each option that has no variable yet the one of its own flag, such as RATEBOOK_WEB_PORT."""
    for key, option in settable(command):
        option.envvar = option.envvar or f"{prefix}_{_in_variable(key)}"
    # Commands that are loaded one by one are named when they are loaded.
    for name, inner in getattr(command, "commands", {}).items():
        _name_variables(inner, f"{prefix}_{_in_variable(name)}")


def _in_variable(word: str) -> str:
    return word.replace("-", "_").upper()


def settable(command: click.Command) -> Iterator[tuple[str, click.Option]]:
    """Yield the options of a command by their keys: the flags without dashes."""
    for option in command.params:
        flag = max(option.opts, key=len)
        if isinstance(option, click.Option) and flag not in UNSETTABLE:
            yield flag.removeprefix("--"), option


def _read(context: click.Context, _option: click.Parameter, path: str | None) -> None:
    """Take the file's values as defaults of this group and its commands."""
    if path is None:
        return
    try:
        tables = tomllib.loads(bounded_text(path))
    except OSError as failure:
        fail_with("file-unreadable.text", Place(file=path), reason=failure.strerror or str(failure))
    except (ValueError, RecursionError) as failure:
        fail_with("settings-unreadable", Place(file=path), failure=failure)
    findings: list[Finding] = []
    groups = ("book", "web")
    for name, table in tables.items():
        if name not in groups or not isinstance(table, dict):
            findings.append(_unknown(Place(file=path, field=name), name, groups))
    if not findings:
        name = str(context.command.name)
        shared = {BOOK: tables[BOOK][BOOK]} if BOOK in tables.get(BOOK, {}) else {}
        table = {**shared, **tables.get(name, {})}
        context.default_map = _defaults(
            context, context.command, table, Place(file=path, field=name), findings
        )
    if findings:
        fail(findings)


def _defaults(
    context: click.Context,
    command: click.Command,
    table: Mapping[str, Any],
    place: Place,
    findings: list[Finding],
) -> dict[str, Any]:
    """Return the values of a table by the names of parameters, as click takes them; add what is wrong with it."""
    options = dict(settable(command))
    commands = command.list_commands(context) if isinstance(command, click.Group) else []
    values: dict[str, Any] = {}
    for key, value in table.items():
        option = options.get(key)
        inner = (
            command.get_command(context, key)
            if isinstance(command, click.Group) and key in commands
            else None
        )
        if option is not None:
            try:
                values[str(option.name)] = _value(context, option, value)
            except click.BadParameter as wrong:
                findings.append(finding("setting-wrong", place.inner(key), reason=wrong.message.rstrip(".")))
        elif inner is not None and isinstance(value, dict):
            values[key] = _defaults(context, inner, value, place.inner(key), findings)
        else:
            findings.append(_unknown(place.inner(key), key, [*options, *commands]))
    return values


def _unknown(place: Place, key: str, known: Iterable[str]) -> Finding:
    return finding("setting-unknown", place, remedy=close_match(key, frozenset(known)))


def _value(context: click.Context, option: click.Option, value: object) -> object:
    """Return a value as the option takes it."""
    if option.is_flag:
        if not isinstance(value, bool):
            raise click.BadParameter("it is true or false, without quotes")
        return value
    parts = value if option.multiple and isinstance(value, list) else [value]
    if any(isinstance(part, bool | list | dict) for part in parts):
        raise click.BadParameter("it is a list of texts" if option.multiple else "it is one text or number")
    texts = [str(part) for part in parts]
    text = texts if option.multiple else texts[0]
    option.type_cast_value(context, text)
    return text


settings_option = click.option(
    "--settings",
    type=PlaceOfFile(),
    metavar="FILE.toml",
    envvar=SETTINGS_VARIABLE,
    show_envvar=True,
    is_eager=True,
    expose_value=False,
    callback=_read,
    help="Take options that are not given from this file.",
)

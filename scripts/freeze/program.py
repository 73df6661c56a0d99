"""The program as the freeze calls it: in this process, by its commands alone, on a day that never changes.

What it imports of the program stands here and nowhere else.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
from contextlib import chdir, contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.testing import CliRunner

from ratebook.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
NOW = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)
BOOK = "league.book"
ENVIRONMENT = {
    "COLUMNS": "100",
    "LINES": "40",
    "NO_COLOR": "1",
    "TZ": "UTC",
    "RATEBOOK_BOOK": BOOK,
    "TERM": "dumb",
}
FINDING = {"code", "severity", "where", "message", "remedy"}


def stop_clock() -> None:
    """Let it be `NOW` for good, for whoever has imported the types of the standard library already, too."""
    for kind, name, value in ((date, "today", NOW.date()), (datetime, "now", NOW)):
        (attributes,) = gc.get_referents(kind.__dict__)
        attributes[name] = staticmethod(lambda *_args, value=value, **_named: value)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))
    if date.today() != NOW.date():  # noqa: DTZ011 - this is what was set
        raise RuntimeError("The clock cannot be stopped.")


@contextmanager
def empty_folder() -> Iterator[Path]:
    """Work in a new folder, so that every path given to the program is relative and always the same."""
    with TemporaryDirectory(prefix="freeze-") as name, chdir(name):
        yield Path(name)


class Answer(NamedTuple):
    """What a command answered.

    Attributes:
        status: exit status, or the type of the exception that it let through.
        data: standard output as JSON without its findings and rules; None where it is no JSON.
        findings: the findings in it.
        rules: the rules in force that it tells.
        out: standard output.
        err: standard error.
    """

    status: str
    data: Any
    findings: list[dict[str, str]]
    rules: list[object]
    out: str
    err: str


def call(*arguments: str, data: bytes | None = None) -> Answer:
    """Run ``ratebook`` with *arguments* and *data* as standard input."""
    result = CliRunner(env=ENVIRONMENT).invoke(run, list(arguments), input=data, prog_name="ratebook")
    raised = result.exception
    status = (
        str(result.exit_code) if raised is None or isinstance(raised, SystemExit) else type(raised).__name__
    )
    findings: list[dict[str, str]] = []
    rules: list[object] = []
    try:
        value = _rest(json.loads(result.stdout), findings, rules)
    except ValueError:
        value = None
    return Answer(status, value, findings, rules, result.stdout, result.stderr)


def called_with_json(arguments: Sequence[str], data: bytes | None = None) -> Answer:
    """Run ``ratebook`` with *arguments* and ``--json``."""
    return call(*arguments, "--json", data=data)


def _rest(value: Any, findings: list[dict[str, str]], rules: list[object]) -> Any:  # noqa: ANN401 - any JSON
    """Return *value* without the findings and the rules in force in it, which are put into *findings* and *rules*."""
    if isinstance(value, dict):
        if value.keys() >= FINDING:
            findings.append(value)
            return "finding"
        if isinstance(value.get("rules"), dict):
            rules.append(value.pop("rules"))
        return {key: _rest(one, findings, rules) for key, one in value.items()}
    if isinstance(value, list):
        kept = [_rest(one, findings, rules) for one in value]
        return [one for one in kept if one != "finding"]
    return value


def leaves(
    command: click.Command = run, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command that does something, with its words."""
    if not isinstance(command, click.Group):
        yield words, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        if inner is not None:
            yield from leaves(inner, (*words, name))


def sorted_files(folder: Path) -> list[tuple[str, Path]]:
    """Return the files in *folder* with their paths inside it, in the order of these."""
    found = [(path.relative_to(folder).as_posix(), path) for path in folder.rglob("*") if path.is_file()]
    return sorted(found)


os.environ.update(ENVIRONMENT)

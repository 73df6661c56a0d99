"""Whatever is typed as an argument or an option, no command ends in a traceback."""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from ratebook.cli.main import run
from support.command_line import invoke

if TYPE_CHECKING:
    from collections.abc import Iterator

    from click.testing import Result

pytestmark = pytest.mark.long

REPORT = str(Path(__file__).parents[2] / "examples" / "quad.json")
NEVER_ENDS = {
    ("web", "serve"): "serves",
    ("web", "demo"): "serves",
    ("demo-federation",): "takes seconds each time",
    ("lab", "check"): "takes minutes",
}
"""Commands that are left out, and why."""
BEYOND = ("9223372036854775807", "9223372036854775808", "99999999999999999999", "-1", "0", "1e9", "")
NAMES = (
    "a" * 300,
    "postgresql://office:SECRET@h/x",
    "sqlite:///q.book",
    ".",
    "..",
    "no/such/folder/file",
    "",
    "~",
)
WORDS = (
    "x" * 300,
    "",
    " ",
    "a/b",
    "..",
    "%2e",
    "0",
    "99999999999999999999",
    "é",
    "1:" + "F" * 64,
    "book decision makers",
)
IN_TEST = 1
"""Of the odd values, how many each argument is given in `make test`; with --soak it is all of them."""


def commands(
    group: click.Group, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield all commands with the words that call them."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        elif command is not None and (*path, name) not in NEVER_ENDS:
            yield (*path, name), command


def odd_values(parameter: click.Parameter) -> tuple[str, ...]:
    """Return what nobody should type, by the kind of a parameter."""
    kind = parameter.type
    if isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        return BEYOND
    if isinstance(kind, click.Path) or "PATH" in (parameter.metavar or ""):
        return NAMES
    return WORDS


def usual(parameter: click.Parameter) -> str:
    """Return a value with which a command gets further."""
    kind = parameter.type
    if isinstance(kind, click.Choice):
        return str(next(iter(kind.choices)))
    if isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        return "1"
    if kind.name == "date":
        return "2026-01-01"
    if (parameter.metavar or "").startswith("REPORT"):
        return REPORT
    return {"event": "202601030001", "member": "90000001"}.get(parameter.name or "", "new")


def typed(parameter: click.Parameter, value: str) -> list[str]:
    return [value] if isinstance(parameter, click.Argument) else [parameter.opts[-1], value]


def odd_calls(soak: bool) -> Iterator[tuple[str, ...]]:  # noqa: FBT001 - whether the long list is asked for
    """Yield calls of each command with one odd value, and usual ones for what else it needs."""
    for number, (path, command) in enumerate(commands(run)):
        parameters = [
            one
            for one in command.params
            if not (isinstance(one, click.Option) and (one.is_flag or one.count))
        ]
        for at, parameter in enumerate(parameters):
            values = odd_values(parameter)
            first = 0 if soak else (number + at) % len(values)
            for value in islice((*values, *values), first, first + (len(values) if soak else IN_TEST)):
                others = [one for one in parameters if one.required and one is not parameter]
                needed = [word for one in others for word in typed(one, usual(one))]
                yield (
                    (*path, *needed, *typed(parameter, value))
                    if isinstance(parameter, click.Option)
                    else (*path, *_in_order(parameters, parameter, value))
                )


def _in_order(parameters: list[click.Parameter], odd: click.Parameter, value: str) -> list[str]:
    return [
        word
        for one in parameters
        if one is odd or one.required
        for word in typed(one, value if one is odd else usual(one))
    ]


def test_no_argument_leads_to_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    book, kept = tmp_path / "league.book", tmp_path / "kept.book"
    monkeypatch.setenv("RATEBOOK_BOOK", str(book))
    assert invoke("book", "init").exit_code == 0
    shutil.copy(book, kept)
    failed, calls = [], 0
    for call in odd_calls(request.config.getoption("--soak")):
        calls += 1
        said = invoke(*call)
        if not isinstance(said.exception, SystemExit | None):
            failed.append((call, repr(said.exception)))
        if "SECRET" in said.output:
            failed.append((call, "tells the password"))
        if not book.exists():
            shutil.copy(kept, book)
    assert calls > 200
    assert failed == []
    assert not [one for one in work.rglob("*") if "SECRET" in str(one) or one.name.startswith("postgresql:")]


def ended(*arguments: str) -> Result:
    said = invoke(*arguments)
    assert isinstance(said.exception, SystemExit), said.exception
    assert said.exit_code != 0
    return said


@pytest.mark.parametrize(
    "call",
    ["recheck N", "reject N --reason x", "show N", "undo N --reason x", f"fix N {REPORT}", "crosstable E N"],
)
def test_numbers_that_no_store_holds_are_refused(call: str, tmp_path: Path) -> None:
    book = ("book", "--book", str(tmp_path / "league.book"))
    assert invoke(*book, "init").exit_code == 0
    said = ended(*book, *call.replace("N", str(2**63)).split())
    assert "9223372036854775808" in said.stderr


def test_a_file_whose_name_is_not_utf_8_is_named_and_the_others_are_imported(tmp_path: Path) -> None:
    book = ("book", "--book", str(tmp_path / "league.book"))
    assert invoke(*book, "init").exit_code == 0
    reports = tmp_path / "reports"
    reports.mkdir()
    shutil.copy(REPORT, reports / "quad.json")
    (reports / "\udcff.csv").write_bytes(b"x")
    said = ended(*book, "import", "reports", str(reports))
    assert r"'\udcff.csv'" in said.stderr
    assert "Autumn Quad" in invoke(*book, "queue").stdout


def test_names_that_no_file_can_have_are_named_themselves(tmp_path: Path) -> None:
    book = ("book", "--book", str(tmp_path / "league.book"))
    assert invoke(*book, "init").exit_code == 0
    long = "a" * 300
    for call in (["restore", long, "--yes"], ["export", long], ["verify", "--seal", long], ["backup", long]):
        said = ended(*book, *call)
        assert "standard output" not in said.stderr
        assert "aaaa" in said.stderr


@pytest.mark.parametrize("place", [".", "/", ".."])
def test_a_key_is_not_written_over_a_folder(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "[output-" in ended("book", "seal-key", place).stderr
    assert not list(tmp_path.iterdir())

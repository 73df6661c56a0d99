"""What all commands of the book have in common: help, JSON, a short start, a bar on terminals only."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from ratebook.cli.book.group import COMMANDS, book_group
from ratebook.cli.main import run
from support.book_reports import member_id
from support.command_line import seen_on_terminal
from support.hang_guard import HANG_GUARD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cli.book.office_commands import OfficeCommands

EVENT = "202601100001"
LOADED = """
import sys
from ratebook.cli.main import main
try:
    main()
except SystemExit:
    pass
other = "sqlalchemy.dialects.postgresql"
heavy = {"sqlalchemy", other, "alembic", "psycopg", "rich", "numpy", "numba"} & set(sys.modules)
print("loaded:", *sorted(heavy), file=sys.stderr)
"""


def leaves() -> Iterator[tuple[str, click.Command]]:
    """Yield every command of the group and of its groups that does something, with its name."""
    context = click.Context(book_group)
    for name in book_group.list_commands(context):
        command = book_group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                leaf = command.get_command(context, inner)
                assert leaf is not None
                yield f"{name} {inner}", leaf
        else:
            yield name, command


LEAVES = dict(leaves())


def test_a_command_is_loaded_under_the_name_that_the_list_shows() -> None:
    context = click.Context(book_group)
    for name in COMMANDS:
        command = book_group.get_command(context, name)
        assert command is not None
        assert command.name == name
    assert book_group.get_command(context, "nothing") is None


@pytest.mark.parametrize("name", LEAVES)
def test_a_command_shows_examples_that_call_it_and_knows_json(name: str) -> None:
    command = LEAVES[name]
    help_text = CliRunner().invoke(run, ["book", *name.split(), "--help"]).output
    examples = help_text.partition("Examples:")[2]
    assert re.search(rf"ratebook book .*\b{name}( |$)", examples, re.MULTILINE)
    options = {option for parameter in command.params for option in parameter.opts}
    assert "--json" in options or "--format" in options


def test_a_command_of_a_book_loads_neither_migrations_nor_the_other_store(tmp_path: Path) -> None:
    place = str(tmp_path / "a.book")
    for arguments, loaded in ((["init", "--name", "A"], True), (["queue"], False)):
        done = subprocess.run(
            [sys.executable, "-c", LOADED, "book", "--book", place, "--as", "office", *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=HANG_GUARD,
        )
        found = done.stderr.splitlines()[-1].split()
        assert "sqlalchemy" in found
        assert ("alembic" in found) is loaded
        assert ("sqlalchemy.dialects.postgresql" in found) <= loaded


@pytest.mark.parametrize("arguments", [["--help"], ["book", "--help"], ["book"]])
def test_no_library_for_databases_or_terminals_loads_for_help(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_GUARD,
    )
    assert done.stderr.splitlines()[-1] == "loaded:"


@pytest.mark.parametrize(
    "arguments",
    [
        ["profile"],
        ["queue"],
        ["show", "1"],
        ["recheck"],
        ["rate"],
        ["rerate", "--all"],
        ["waits"],
        ["verify"],
        ["decisions"],
        ["audit"],
        ["lists"],
        ["publish", "--for", "2026-02"],
        ["official", member_id(1)],
        ["member", member_id(1)],
        ["member", "example"],
        ["members", "example"],
        ["events", "--since", "2026-01-01"],
        ["event", EVENT],
        ["crosstable", EVENT],
        ["history", member_id(1)],
        ["explain", member_id(1), EVENT],
        ["top"],
        ["head-to-head", member_id(1), member_id(2)],
        ["compare", member_id(1), member_id(2)],
        ["norms", member_id(1)],
        ["titles", member_id(1)],
        ["correct", "withdraw", EVENT, "1", "--reason", "x"],
        ["add-member", "90000112", "Adams, Ann", "--sex", "f", "--dry-run"],
        ["upgrade"],
    ],
    ids=" ".join,
)
def test_json_names_its_format_and_holds_the_findings(rated: OfficeCommands, arguments: list[str]) -> None:
    answer = rated.asked(*arguments)
    assert answer["format"].startswith("ratebook-book-")
    assert answer["format"].endswith("/1")
    assert isinstance(answer["problems"], list)
    assert len(answer) > 2


def test_an_event_or_a_member_whose_name_is_misspelt_is_asked_for_by_the_nearest_word(
    rated: OfficeCommands,
) -> None:
    assert 'Perhaps "open" is meant.' in rated.run("events", "opne").output
    assert f"Perhaps {member_id(1)} (" in rated.run("members", "exampel").output
    # Not even nearly a word of a name, though of about the same letters as a whole one.
    assert "Perhaps" not in rated.run("members", "playexam").output


def test_an_event_and_a_member_are_named_instead_of_their_ids(rated: OfficeCommands) -> None:
    name = rated.asked("event", EVENT)["event"]["name"]
    for arguments in (["event"], ["crosstable"], ["explain", member_id(1)]):
        assert rated.done(*arguments, name.lower()) == rated.done(*arguments, EVENT)
        refused = rated.run(*arguments, "opne")
        assert (refused.exit_code, 'Perhaps "open" is meant.' in refused.stderr) == (1, True)
    rated.done("publish", "--for", "2026-02")
    official = rated.asked("official", '"example player 1"', "--on", "2026-02-05", "--system", "regular")
    assert (official["member"], [*official["ratings"]]) == (member_id(1), ["regular"])
    assert not rated.asked("official", member_id(1), "--on", "2026-02-05", "--system", "blitz")["ratings"]
    assert re.search(r"Rank\n.* of 4\n", rated.done("member", member_id(1), "--on", "2026-02-05"))


def test_long_work_shows_a_bar_on_a_terminal_only(rated: OfficeCommands) -> None:
    seen = seen_on_terminal("book", "--book", rated.place, "verify")
    assert "Verifying" in seen
    assert "nothing differs" in seen
    piped = rated.run("verify")
    assert "Verifying" not in piped.output

"""Options of ``ratebook web`` and ``ratebook book`` from the environment and from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest

from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.cli.book.group import book_group
from ratebook.cli.settings import settable
from ratebook.cli.web.group import web_group
from ratebook.office.creation import create_book
from support.command_line import invoke, values_taken

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHARED = {
    ("web", "book"): "RATEBOOK_BOOK",
    ("book", "book"): "RATEBOOK_BOOK",
    ("book upgrade", "store"): "RATEBOOK_WEB_STORE",
}
"""Variables that are named for what they hold, for whatever command asks."""
FILE = """
[book]
book = "federation.book"
as = "office"

[book.verify]
deep = true

[web]
port = 8001
name = ["a.example.org", "b.example.org"]
https-by-proxy = true

[web.account.add]
role = "office"
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Give a file of settings."""
    path = tmp_path / "settings.toml"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


def options_below(command: click.Command, path: str) -> Iterator[tuple[str, str, object]]:
    """Yield every option of a command and those below it: its path, its key, its variable."""
    for key, option in settable(command):
        yield path, key, option.envvar
    if isinstance(command, click.Group):
        for name in command.list_commands(context := click.Context(command)):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from options_below(inner, f"{path} {name}")


def test_every_option_of_both_groups_has_a_variable_of_its_own() -> None:
    options = [*options_below(web_group, "web"), *options_below(book_group, "book")]
    assert len(options) > 200
    variables: dict[object, str] = {}
    for path, key, variable in options:
        expected = f"RATEBOOK {path} {key}".replace(" ", "_").replace("-", "_").upper()
        expected = SHARED.get((path, key), expected)
        assert variable == expected
        assert variables.setdefault(variable, key) == key
    assert len(variables) == len(options) - 2
    assert "RATEBOOK_WEB_KEY" not in variables


def test_the_command_line_comes_before_the_environment_before_the_file_before_the_default(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def port(*arguments: str) -> int:
        number: int = values_taken(web_group, *arguments)["port"]
        return number

    assert port() == 8000
    assert port("--settings", file) == 8001
    monkeypatch.setenv("RATEBOOK_SETTINGS", file)
    assert port() == 8001
    monkeypatch.setenv("RATEBOOK_WEB_PORT", "8002")
    assert port() == 8002
    assert port("--port", "8003", "--settings", file) == 8003


def test_a_file_gives_lists_flags_and_the_book_for_both_groups(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = values_taken(web_group, "--settings", file)
    assert values["names"] == ("a.example.org", "b.example.org")
    assert values["https_by_proxy"] is True
    assert values["book"] == "federation.book"
    assert values_taken(book_group, "--settings", file, "queue") == {
        "place": "federation.book",
        "name": "office",
    }
    monkeypatch.setenv("RATEBOOK_BOOK", "other.book")
    monkeypatch.setenv("RATEBOOK_WEB_NAME", "c.example.org d.example.org")
    monkeypatch.setenv("RATEBOOK_WEB_HTTPS_BY_PROXY", "0")
    values = values_taken(web_group, "--settings", file)
    assert values["names"] == ("c.example.org", "d.example.org")
    assert values["https_by_proxy"] is False
    assert values["book"] == "other.book"


def test_commands_take_their_own_tables(file: str, tmp_path: Path) -> None:
    """A role is needed to add an account, and the file has it."""
    place = str(tmp_path / "league.book")
    create_book(place, Profile(name="Example League"), Actor("office", "2026-11-20T12:00:00Z")).close()
    done = invoke("web", "--settings", file, "--book", place, "account", "add", "Ann Lee")
    assert done.exit_code == 0, done.output
    done = invoke("web", "--settings", file, "--book", place, "account", "list")
    assert "office" in done.output


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "[web]\nprot = 1",
            "web.prot: There is no such setting. [setting-unknown]\n    Did you mean 'port'?",
        ),
        ("[wep]", "wep: There is no such setting. [setting-unknown]\n    Did you mean 'web'?"),
        ("[web.acount.add]\nrole = 'office'", "web.acount: There is no such setting."),
        ("[web.account.add]\nrolle = 'office'", "web.account.add.rolle: There is no such setting."),
        ("[web]\nport = 70000", "'70000' is not a whole number from 0 to 65535. [setting-wrong]"),
        ("[web]\nserve = 'pubic'", "'pubic' is not one of 'public', 'office', 'all'. [setting-wrong]"),
        (
            "[web]\nhttps-by-proxy = 'yes'",
            "web.https-by-proxy: The setting cannot be used: it is true or false",
        ),
        ("[web]\nport = [8000]", "it is one text or number"),
        ("[web]\nname = [['a']]", "it is a list of texts"),
        ("[web", "[settings-unreadable]"),
        ("web = 1", "web: There is no such setting."),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    done = invoke("web", "--settings", str(path))
    assert done.exit_code == 1
    assert words in done.output


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    done = invoke("book", "--settings", str(tmp_path / "none.toml"), "queue")
    assert done.exit_code == 1
    assert "[file-unreadable]" in done.output

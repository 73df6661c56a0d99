"""The office writes complete tables, a server has them, and a mirror follows: by commands."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.cli.main import run
from ratebook.office.creation import create_book
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.web.site import Served, Site
from support.book_reports import add_members, report, send
from support.web.served import app_of, served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result

    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
ROUNDS = ("W2 D3", "L1 W4", "W4 D1", "L3 L2")


def play(book: Book, day: str) -> None:
    send(book, report(day, [1, 2, 3, 4], ROUNDS), ACTOR)
    rate_ready(book, ACTOR)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with closing(create_book(str(tmp_path / "league.book"), Profile(), ACTOR)) as book:
        add_members(book, 4)
        play(book, "2025-12-20")
        yield book


def ask(*arguments: str) -> Result:
    return CliRunner().invoke(run, arguments)


def content(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def test_a_mirror_follows_what_the_office_writes(book: Book, tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    writes = ("book", "--book", book.url, "data", str(data), "--json")
    assert content(ask(*writes))["new"] == 6
    with served(app_of(Site(book, Served.PUBLIC, lambda: date(2026, 11, 20), data=data))) as address:
        assert content(ask("mirror", address, str(copy), "--json"))["fetched"] == 6
        play(book, "2026-01-03")
        written = content(ask(*writes))
        # Players and titles are as they were, and so is the year before.
        assert (written["new"], len(written["files"])) == (4, 9)
        followed = content(ask("mirror", address, str(copy), "--json"))
        assert (followed["fetched"], followed["files"]) == (4, written["files"])
        assert ", 0 fetched" in ask("mirror", address, str(copy)).output
        refused = ask("mirror", address, str(copy), "--format", "parquet")
    assert (refused.exit_code, "It has csv." in refused.output) == (1, True)
    for file in written["files"]:
        assert (copy / file["name"]).read_bytes() == (data / file["name"]).read_bytes()
    away = ask("mirror", address, str(copy))
    assert (away.exit_code, "mirror-failed" in away.output) == (1, True)


def test_a_folder_that_cannot_be_written_and_a_missing_library_are_findings(
    book: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    place = str(tmp_path / "file" / "data")
    answers = [ask("book", "--book", book.url, "data", place)]
    write = ("book", "--book", book.url, "data", str(tmp_path / "data"))
    assert ask(*write).exit_code == 0
    site = Site(book, Served.PUBLIC, lambda: date(2026, 11, 20), data=tmp_path / "data")
    with served(app_of(site)) as address:
        answers.append(ask("mirror", address, place))
    for answer in answers:
        assert (answer.exit_code, "output-unwritable" in answer.output) == (1, True)
    monkeypatch.setattr("ratebook.extras.find_spec", lambda name: None if name == "httpx" else name)
    missing = ask("mirror", "http://127.0.0.1:9", str(tmp_path))
    assert (missing.exit_code, "client-library-missing" in missing.output) == (1, True)

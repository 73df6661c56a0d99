"""Who may read what the commands write, which files hold birth dates, and what erasing cleans: docs/privacy.md."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from cli.book.office_commands import BIRTH_DATES, codes_in
from ratebook.book.connection import open_book
from ratebook.office.copies import backup
from ratebook.office.rating.verify import verify
from ratebook.web.store.accounts import Role, add_account
from ratebook.web.store.jobs import JobState, add_job, end_job, read_job
from ratebook.web.store.opening import open_store
from ratebook.web.store.reports.previews import keep_preview, read_preview
from support.book_reports import member_id
from support.command_line import invoke

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.book.office_commands import OfficeCommands
    from ratebook.book.connection import Book
    from ratebook.office import Progress
    from ratebook.office.rating.verify import Verified

QUAD = "examples/quad.json"


@pytest.fixture(autouse=True)
def _for_everybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let new files be readable by all, and work in an empty folder."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "examples").symlink_to(Path.cwd() / "examples")
    monkeypatch.chdir(tmp_path / "here")
    before = os.umask(0o022)
    yield
    os.umask(before)


def rights(path: str | Path) -> str:
    return stat.filemode(Path(path).stat().st_mode)[1:]


def rights_below(folder: str) -> dict[str, str]:
    return {path.name: rights(path) for path in Path(folder).iterdir()}


def run(*arguments: str) -> None:
    done = invoke(*arguments)
    assert done.exit_code == 0, done.output


def test_what_may_hold_birth_dates_is_its_owners_and_the_rest_follows_the_umask(
    rated: OfficeCommands,
) -> None:
    rated.done("publish", "--for", "2026-02")
    Path(rated.place).chmod(0o600)
    with_book = ("book", "--book", rated.place)
    commands = (
        ("rw-------", ("book", "--book", "new", "init", "--name", "League")),
        ("rw-------", (*with_book, "backup", "backup")),
        ("rw-------", ("book", "--book", "restored", "restore", "backup", "--yes")),
        ("rwx------", (*with_book, "export", "above/export")),
        ("rw-------", ("book", "--book", "imported", "import-book", "above/export")),
        ("rwx------", (*with_book, "export", "--parquet", "history")),
        ("rw-------", ("replay", "history", "--out", "ledger", "--standings", "standings")),
        ("rw-------", ("convert", QUAD, "native.json")),
        ("rw-------", ("convert", QUAD, "table.csv")),
        ("rw-------", ("convert", QUAD, "quad.trf")),
        ("rw-------", ("convert", QUAD, "members", "--to", "members-csv")),
        ("rw-------", (*with_book, "rerate", "--all", "--out", "changes")),
        ("rw-r--r--", ("convert", QUAD, "crosstable.txt")),
        ("rw-r--r--", ("convert", QUAD, "upload.zip")),
        ("rw-r--r--", ("template", "members", "template")),
        ("rw-r--r--", (*with_book, "list", "2026-02", "--out", "list.txt")),
    )
    made: dict[str, tuple[str, str]] = {}
    for expected, command in commands:
        there = set(Path().iterdir())
        run(*command)
        new = {path.name for path in set(Path().iterdir()) - there}
        assert new
        made |= {name: (rights(name), expected) for name in new}
    assert [name for name, (found, expected) in made.items() if found != expected] == []
    inside = rights_below("above/export") | rights_below("history")
    assert set(inside.values()) == {"rw-------"}
    assert {"members.jsonl", "members.parquet"} <= set(inside)


def test_files_beside_an_open_book_have_its_rights(tmp_path: Path) -> None:
    run("book", "--book", str(tmp_path / "new"), "init", "--name", "League")
    book = open_book(str(tmp_path / "new"))
    with book.writing() as connection:
        connection.exec_driver_sql("UPDATE book SET revision = revision + 1")
    beside = {path.name: rights(path) for path in tmp_path.glob("new*")}
    book.close()
    assert beside == dict.fromkeys(("new", "new-wal", "new-shm"), "rw-------")


def test_a_copy_of_a_book_has_its_rights(rated: OfficeCommands, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(rated.place).chmod(0o640)
    rated.done("backup", "backup")
    rated._replace(place="restored").done("restore", "backup", "--yes")
    assert (rights("backup"), rights("restored")) == ("rw-r-----", "rw-r-----")
    Path("restored").write_bytes(b"no database")
    Path("restored").chmod(0o660)
    Path("backup").chmod(0o644)
    staged: dict[str, str] = {}

    def looking(book: Book, progress: Progress) -> Verified:
        staged.update({path.name.rpartition(".")[2]: rights(path) for path in Path().glob("restored.*")})
        return verify(book, progress)

    monkeypatch.setattr(backup, "verify", looking)
    rated._replace(place="restored").done("restore", "backup", "--yes")
    assert rights("restored") == "rw-rw----"
    assert set(staged.values()) == {"rw-------"}
    assert "restoring" in staged


def test_a_file_that_is_replaced_keeps_its_rights(rated: OfficeCommands) -> None:
    rated.done("export", "--parquet", "history")
    for command in (
        ("convert", QUAD, "out", "--to", "native", "--force"),
        ("convert", QUAD, "out", "--to", "crosstable", "--force"),
        ("replay", "history", "--out", "out", "--force"),
    ):
        Path("out").write_bytes(b"")
        Path("out").chmod(0o640)
        run(*command)
        assert rights("out") == "rw-r-----"


def test_what_is_typed_is_its_owners_while_it_is_kept_and_when_it_is_written() -> None:
    assert invoke("enter", "night.json", data=b"Friday Night\n").exit_code == 1
    assert rights("night.json.draft") == "rw-------"


def test_a_history_has_birth_dates_only_where_they_are_asked_for(
    rated: OfficeCommands, tmp_path: Path
) -> None:
    def born(folder: str, *options: str) -> set[str]:
        rated.done("export", "--parquet", *options, str(tmp_path / folder))
        column = pq.read_table(tmp_path / folder / "members.parquet")["birth_date"]
        return {str(one) for one in column.to_pylist() if one is not None}

    assert born("without") == set()
    assert born("with", "--with-birth-dates") == set(BIRTH_DATES)
    assert rated.run("export", "--with-birth-dates", str(tmp_path / "all")).exit_code == 2
    rated.done("correct", "withdraw", "202601100001", "1", "--reason", "a try")
    waits = rated.run("export", "--parquet", str(tmp_path / "waiting"))
    assert codes_in(waits.stderr) == ["rerate-waits"]


def test_whoever_is_erased_at_a_prompt_is_gone_from_the_web_store_beside_the_book(
    rated: OfficeCommands,
) -> None:
    place, now = f"{rated.place}.web", datetime.now(UTC)
    tried = {
        "by name": "a report of Player 1 Example",
        "by id": f"a report of {member_id(1)}",
        "other": "a report of EXAMPLE, PLAYER 2",
    }
    with closing(open_store(place)) as store, store.writing() as connection:
        account = add_account(connection, "office", Role.OFFICE, member_id(1), (), now)
        assert account is not None
        for name, content in tried.items():
            keep_preview(connection, name, account.id, content.encode(), now, "A REPORT")
        keep_preview(connection, "import-1", account.id, b"PK packed", now)
        failed = add_job(connection, "import", {}, account.id, 1, now)
        end_job(connection, failed, JobState.FAILED, '[{"where":"EXAMPLE, PLAYER 1"}]', now)
    said = rated.run("erase", member_id(1), "--reason", "asked for by letter", "--yes")
    assert said.exit_code == 0, said.stderr
    assert "reports and files that were tried: 3" in said.stdout
    assert (
        "An account of the web server belongs to the person or has the person's name: office." in said.stderr
    )
    with closing(open_store(place)) as store, store.reading() as connection:
        assert [one for one in tried if read_preview(connection, one, account.id, now)] == ["other"]
        job = read_job(connection, failed)
    assert job is not None
    assert job.result is None
    for file in Path(rated.place).parent.glob(f"{Path(rated.place).name}*"):
        data = file.read_bytes()
        assert not [one for one in (b"Player 1 Example", b"PLAYER 1", b"packed") if one in data], file
    nothing = rated.run("erase", member_id(1), "--reason", "asked for again", "--yes")
    assert "belongs to the person or has the person's name" in nothing.stderr
    assert "Nothing was changed." in nothing.stdout

"""Book and accounts backed up together, restored together while they are served, and tried as a drill."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import Actor, open_book
from ratebook.book.failures import BookError
from ratebook.book.profile import Profile
from ratebook.office.copies.backup import restore
from ratebook.office.copies.export import export_book
from ratebook.office.creation import create_book
from ratebook.web.gate.vault import KEY_BYTES, Vault
from ratebook.web.gate.visitors import COOKIE
from ratebook.web.running.copies import (
    BOOK,
    LAST_BACKUP,
    LAST_DRILL,
    LAST_FAILED,
    LAST_VERIFIED,
    STORE,
    back_up,
    backup_at,
    kept_moments,
    name_at,
    remove_older,
    restore_all,
    try_restoring,
)
from ratebook.web.store.accounts import all_accounts, disable_account, find_account
from ratebook.web.store.log import newest_entries
from ratebook.web.store.opening import open_store
from support.book_federation import ACTOR
from support.command_line import invoke
from support.postgresql import new_database
from support.web.accounts import AT, FROM_THIS_SITE, office_in, vault_for_tests
from support.web.served import asked

if TYPE_CHECKING:
    from ratebook.book.connection import Book
    from ratebook.web.site import Site
    from support.web.accounts import Office


def other_vault() -> Vault:
    return Vault(lambda size: b"x" * size, key="eHh4" * (KEY_BYTES // 3) + "eHg=")


def test_book_and_accounts_are_restored_while_they_are_served(
    own_site: Site, office: Office, tmp_path: Path
) -> None:
    target = tmp_path / "backups" / name_at(AT)
    tried = back_up(own_site.book, office.gate.store, target, ACTOR)
    assert tried.rows > 200
    assert tried.accounts == 5
    assert sorted(path.name for path in target.iterdir()) == [BOOK, STORE]
    assert all(path.stat().st_mode & 0o077 == 0 for path in (target, *target.iterdir()))
    with asked(own_site._replace(gate=office.gate)) as client:
        headers = {**FROM_THIS_SITE, "cookie": f"{COOKIE}={office.signed_in('office').token}"}
        assert client.get("/office", headers=headers).status_code == 200
        revision = own_site.revision()
        with office.gate.store.writing() as connection:
            account = find_account(connection, "director")
            assert account is not None
            disable_account(connection, account.id, office.clock.now)
        restored = restore_all(target, own_site.book.url, office.gate.store, ACTOR)
        assert (restored.rows, restored.findings) == (tried.rows, ())
        assert own_site.revision() > revision
        # Sessions have ended; the account is as it was.
        assert client.get("/office", headers=headers).headers["location"].startswith("/sign-in")
        director = {**FROM_THIS_SITE, "cookie": f"{COOKIE}={office.signed_in('director').token}"}
        assert client.get("/director", headers=director).status_code == 200
        assert client.get("/ready").status_code == 200


def test_a_server_is_backed_up_and_restored_as_a_file_is(
    federation: Book, server: str, tmp_path: Path
) -> None:
    export_book(federation, str(tmp_path / "files"))
    restore(str(tmp_path / "files"), place := new_database(server), ACTOR)
    target = tmp_path / name_at(AT)
    with closing(open_book(place)) as book, closing(office_in(place).gate.store) as store:
        tried = back_up(book, store, target, ACTOR)
        assert tried == try_restoring(target, ACTOR, vault=vault_for_tests(), scratch=tmp_path)
        restored = restore_all(target, place, store, ACTOR)
        assert (restored.rows, tried.accounts) == (tried.rows, 5)
        with store.reading() as connection:
            assert len(all_accounts(connection)) == 5


def test_a_drill_needs_the_right_key_and_whole_files(own_site: Site, office: Office, tmp_path: Path) -> None:
    target = tmp_path / name_at(AT)
    back_up(own_site.book, office.gate.store, target, ACTOR)
    assert try_restoring(target, ACTOR, vault=vault_for_tests(), scratch=tmp_path).accounts == 5
    assert [path.name for path in tmp_path.glob("drill*")] == []
    with pytest.raises(BookError) as refused:
        try_restoring(target, ACTOR, vault=other_vault(), scratch=tmp_path)
    assert refused.value.finding.code == "web-key-wrong"
    with (target / STORE).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 8192)
    with pytest.raises(BookError) as refused:
        try_restoring(target, ACTOR, scratch=tmp_path)
    assert refused.value.finding.code in {"book-unreadable", "backup-damaged"}


def test_the_newest_backups_stay_and_nothing_else_is_touched(tmp_path: Path) -> None:
    names = [name_at(AT - timedelta(days=day)) for day in range(4)]
    for name in (*names, "notes", "2026-11-22"):
        (tmp_path / name).mkdir()
        (tmp_path / name / BOOK).touch()
    assert backup_at(tmp_path).name == names[0]
    assert backup_at(tmp_path / names[2]).name == names[2]
    assert remove_older(tmp_path, 2) == names[2:]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*names[:2], "notes", "2026-11-22"])
    (tmp_path / "empty").mkdir()
    for place in (tmp_path / "empty", tmp_path / "none"):
        with pytest.raises(BookError) as refused:
            backup_at(place)
        assert refused.value.finding.code == "backup-missing"


@pytest.fixture
def book(tmp_path: Path) -> str:
    """Give the place of a new book that has accounts."""
    place = str(tmp_path / "league.book")
    create_book(place, Profile(name="Example League"), Actor("office", "2026-11-20T12:00:00Z")).close()
    assert web(place, "account", "add", "Ann Lee", "--role", "office")[0] == 0
    return place


def web(book: str, *arguments: str) -> tuple[int, str]:
    done = invoke("web", "--book", book, *arguments)
    return done.exit_code, done.output


def test_commands_back_up_drill_and_restore_and_the_log_says_so(book: str, tmp_path: Path) -> None:
    backups = str(tmp_path / "backups")
    status, output = web(book, "backup", backups, "--json")
    assert status == 0, output
    content = json.loads(output)
    assert (content["accounts"], content["removed"]) == (1, [])
    status, output = web(book, "drill", backups)
    assert status == 0, output
    assert web(book, "account", "disable", "Ann Lee")[0] == 0
    status, output = web(book, "restore", backups, "--yes", "--json")
    assert (status, json.loads(output)["backup"]) == (0, content["backup"])
    assert "disabled" not in web(book, "account", "list")[1]
    with closing(open_store(f"{book}.web")) as store, store.reading() as connection:
        kinds = [entry.kind for entry in newest_entries(connection, 20)][::-1]
        moments = kept_moments(connection)
    assert kinds == [
        "account added",
        "copy taken",
        "book verified",
        "book verified",
        "drill done",
        "account disabled",
        "accounts restored",
    ]
    assert {name for name, at in moments.items() if at} == {LAST_BACKUP, LAST_VERIFIED, LAST_DRILL}


def test_a_drill_fails_where_there_is_no_backup_an_old_one_or_a_damaged_one(
    book: str, tmp_path: Path
) -> None:
    backups = tmp_path / "backups"
    assert "[backup-missing]" in failed_drill(book, backups)
    assert web(book, "backup", str(backups))[0] == 0
    (newest,) = backups.iterdir()
    old = newest.rename(backups / "2020-01-02T03-04-05Z")
    assert "The newest backup, 2020-01-02T03-04-05Z, is" in failed_drill(book, backups)
    shutil.move(old, newest)
    tamper_with(str(newest / BOOK))
    assert "[backup-not-clean]" in failed_drill(book, backups)
    with closing(open_store(f"{book}.web")) as store, store.reading() as connection:
        moments = kept_moments(connection)
        failures = [entry.details for entry in newest_entries(connection, 3) if entry.kind == "drill failed"]
    assert moments[LAST_DRILL] is None
    assert moments[LAST_FAILED] is not None
    assert failures[0] == f"backup {newest.name}: backup-not-clean"


def tamper_with(book: str) -> None:
    """Change what no program changes."""
    with closing(sqlite3.connect(book)) as connection, connection:
        connection.execute("DROP TRIGGER audit_never_changes")
        connection.execute("UPDATE audit SET \"by\" = 'eve'")


def failed_drill(book: str, backups: Path) -> str:
    status, output = web(book, "drill", str(backups))
    assert status == 1
    return output


def test_a_backup_of_a_book_that_was_tampered_with_fails_and_all_old_ones_stay(
    book: str, tmp_path: Path
) -> None:
    backups = tmp_path / "backups"
    for day in ("01", "02", "03"):
        (backups / f"2020-01-{day}T00-00-00Z").mkdir(parents=True)
    tamper_with(book)
    status, output = web(book, "backup", str(backups), "--keep", "1")
    assert status == 1
    assert "[backup-not-clean]" in output
    assert len([*backups.iterdir()]) == 3


def test_a_book_and_its_accounts_are_upgraded_by_one_command(book: str) -> None:
    done = invoke("book", "--book", book, "upgrade", "--json")
    assert done.exit_code == 0
    upgraded = json.loads(done.output)
    assert upgraded["accounts"] == {"before": "1001", "after": "1001"}
    Path(f"{book}.web").unlink()
    assert json.loads(invoke("book", "--book", book, "upgrade", "--json").output)["accounts"] is None

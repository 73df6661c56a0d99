"""A web store copied and restored: from and into either kind of store, while it is in use."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from ratebook.web.store import schema
from ratebook.web.store.accounts import Role, add_account, disable_account, find_account
from ratebook.web.store.copies import copy_store, restore_store
from ratebook.web.store.jobs import add_job
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.opening import Store, open_store
from ratebook.web.store.reports.previews import keep_preview
from ratebook.web.store.sessions import all_sessions, start_session
from ratebook.web.store.tokens import Scope, add_token

if TYPE_CHECKING:
    from pathlib import Path

AT = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def filled(place: str) -> Store:
    """Return a new store that has something of most kinds, bytes and empty columns too."""
    store = open_store(place)
    with store.writing() as connection:
        account = add_account(connection, "Ann Lee", Role.OFFICE, "", ("A1",), AT)
        assert account is not None
        start_session(connection, "digest", account.id, "a browser", AT)
        add_token(connection, "digest", account.id, "tests", (Scope.SUBMIT,), AT, 90)
        keep_preview(connection, "name", account.id, b"\x00\xff content", AT)
        add_job(connection, "verify", {"a": "ü"}, account.id, 3, AT)
        note(connection, LogKind.ACCOUNT_ADDED, "Ann Lee", AT)
    return store


def contents(store: Store, *without: str) -> dict[str, list[tuple[Any, ...]]]:
    with store.reading() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in schema.metadata.sorted_tables
            if table.name not in without
        }


def test_a_copy_has_every_row_and_can_be_restored_into_an_empty_store(
    empty_place: str, tmp_path: Path
) -> None:
    copy, elsewhere = str(tmp_path / "copy"), str(tmp_path / "elsewhere")
    with closing(filled(empty_place)) as store:
        copy_store(store, copy)
        assert [path.name for path in tmp_path.glob("copy*")] == ["copy"]
        with closing(open_store(copy)) as copied, closing(open_store(elsewhere)) as restored:
            assert contents(copied) == contents(store)
            restore_store(copied, restored)
            ended = ("sessions", "links", "sendings")
            assert contents(restored, *ended) == contents(store, *ended)
            with restored.reading() as connection:
                assert all_sessions(connection, AT) == []


def test_a_restored_store_goes_on_and_keeps_its_log(empty_place: str, tmp_path: Path) -> None:
    """What was done since the copy is undone, but for the log; new rows get new numbers."""
    copy = str(tmp_path / "copy")
    with closing(filled(empty_place)) as store:
        copy_store(store, copy)
        with store.writing() as connection:
            disable_account(connection, 1, AT)
            later = add_account(connection, "Eve", Role.OFFICE, "", (), AT)
            assert later is not None
            note(connection, LogKind.ACCOUNT_DISABLED, "Ann Lee", AT + timedelta(minutes=1))
        logged = contents(store)["log"]
        with closing(open_store(copy)) as copied:
            restore_store(copied, store)
        assert contents(store)["log"] == logged
        with store.writing() as connection:
            ann = find_account(connection, "Ann Lee")
            assert ann is not None
            assert ann.disabled_at is None
            assert find_account(connection, "Eve") is None
            added = add_account(connection, "Bob", Role.OFFICE, "", (), AT)
            assert added is not None
            assert added.id > ann.id


def test_a_log_takes_what_only_the_copy_has(tmp_path: Path) -> None:
    """As when a server was started before its accounts were restored."""
    with closing(filled(str(tmp_path / "old"))) as old, closing(open_store(str(tmp_path / "new"))) as new:
        copy_store(old, str(tmp_path / "copy"))
        with new.writing() as connection:
            note(connection, LogKind.REFUSED, "nobody", AT)
        with closing(open_store(str(tmp_path / "copy"))) as copied:
            restore_store(copied, new)
            restore_store(copied, new)
        assert sorted(row[3] for row in contents(new)["log"]) == ["account added", "refused"]

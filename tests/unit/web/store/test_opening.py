"""The web store: its tables, once in each store, and what they hold to."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import delete, text, update

from ratebook.book.connection import Actor, open_book
from ratebook.book.failures import BookError
from ratebook.book.migrations import versions
from ratebook.book.profile import Profile
from ratebook.office.creation import create_book
from ratebook.web.store import schema
from ratebook.web.store.accounts import Role, add_account, disable_account, find_account
from ratebook.web.store.log import LogKind, newest_entries, note
from ratebook.web.store.opening import STEPS, VERSION, open_store, store_beside
from ratebook.web.store.reports.previews import keep_preview, previews_of_day, read_preview
from ratebook.web.store.throttle import begin_attempt, end_attempt, throttled
from ratebook.web.store.tokens import Scope, add_token, find_token, revoke_token

if TYPE_CHECKING:
    from pathlib import Path

AT = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def test_a_store_beside_its_book_has_the_tables_that_the_program_expects(empty_place: str) -> None:
    """On a server both are in one database, and neither sees the other's tables."""
    book = create_book(empty_place, Profile(), Actor("office", "2026-11-20T12:00:00Z"))
    with closing(book), closing(open_store(store_beside(empty_place))) as store:
        with store.reading() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, schema.metadata) == []
        with store.writing() as connection:
            assert add_account(connection, "Ann Lee", Role.OFFICE, "", (), AT) is not None
            assert add_account(connection, " ANN  lee ", Role.DIRECTOR, "", (), AT) is None
            note(connection, LogKind.ACCOUNT_ADDED, "Ann Lee", AT)
        for change in (delete(schema.log), update(schema.log).values(account="nobody")):
            with pytest.raises(BookError, match="append-only"), store.writing() as connection:
                connection.execute(change)
        with store.reading() as connection:
            assert [one.account for one in newest_entries(connection, 5)] == ["Ann Lee"]
        with closing(open_store(store_beside(empty_place))) as again, again.reading() as connection:
            assert find_account(connection, "ann lee") is not None
    with closing(open_book(empty_place, read_only=True)) as book:
        with book.reading() as connection:
            assert connection.execute(text("SELECT name FROM book")).scalar() == "Federation"
        with pytest.raises(BookError) as refused, book.writing() as connection:
            connection.execute(text("UPDATE book SET name = 'another'"))
        assert refused.value.finding.code == "book-read-only"


@pytest.mark.parametrize(
    ("version", "code"), [("9999", "web-store-newer"), ("0004", "web-store-before-release")]
)
def test_a_store_of_another_version_is_not_opened(tmp_path: Path, version: str, code: str) -> None:
    assert versions(STEPS)[-1] == VERSION
    place = str(tmp_path / "web")
    with closing(open_store(place)) as store, store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :v"), {"v": version})
    with pytest.raises(BookError) as refused:
        open_store(place)
    assert refused.value.finding.code == code


def test_a_token_holds_until_it_expires_is_revoked_or_its_account_disabled(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "web"))) as store, store.writing() as connection:
        account = add_account(connection, "dora", Role.DIRECTOR, "", (), AT)
        assert account is not None
        first, second = (
            add_token(connection, digest, account.id, "club", (Scope.SUBMIT,), AT, days=30)
            for digest in ("first", "second")
        )
        found = find_token(connection, "first", AT + timedelta(days=29))
        assert found is not None
        assert (found[0].id, found[0].scopes, found[1].name) == (first, (Scope.SUBMIT,), "dora")
        assert find_token(connection, "first", AT + timedelta(days=30)) is None
        assert revoke_token(connection, first, AT) == "dora"
        assert find_token(connection, "first", AT) is None
        assert find_token(connection, "second", AT) is not None
        disable_account(connection, account.id, AT)
        assert find_token(connection, "second", AT) is None
        assert revoke_token(connection, second + 1, AT) is None


def test_a_preview_is_its_owners_for_a_day(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "web"))) as store, store.writing() as connection:
        mine, others = (add_account(connection, name, Role.DIRECTOR, "", (), AT) for name in ("a", "b"))
        assert mine is not None
        assert others is not None
        keep_preview(connection, "name", mine.id, b"a report", AT)
        almost, late = AT + timedelta(hours=23), AT + timedelta(hours=24)
        assert read_preview(connection, "name", mine.id, almost) == b"a report"
        assert read_preview(connection, "name", others.id, AT) is None
        assert read_preview(connection, "name", mine.id, late) is None
        assert (previews_of_day(connection, mine.id, almost), previews_of_day(connection, mine.id, late)) == (
            1,
            0,
        )


def test_the_throttle_forgets_after_a_day(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "web"))) as store, store.writing() as connection:
        for _ in range(5):
            assert begin_attempt(connection, "dora", "192.0.2.1", AT) is None
        assert begin_attempt(connection, "dora", "192.0.2.2", AT) == AT + timedelta(seconds=10)
        assert [subject for subject, _ in throttled(connection, AT)] == ["account dora"]
        later = AT + timedelta(days=1, seconds=1)
        assert begin_attempt(connection, "dora", "192.0.2.1", later) is None
        assert begin_attempt(connection, "dora", "192.0.2.1", later) is None
        end_attempt(connection, "dora", "192.0.2.1", later)
        assert throttled(connection, later) == []

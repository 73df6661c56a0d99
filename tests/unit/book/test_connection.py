"""What every connection to a book in a file must be: durable, checked, one writer at a time, readers undisturbed."""

from __future__ import annotations

import sqlite3
import threading
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Engine, event, func, select, text

from ratebook.book import schema
from ratebook.book.audit import BOOK, note_audit
from ratebook.book.connection import WAIT_SECONDS, Book, open_book
from ratebook.book.facts.members import MemberFacts, load_members, write_members
from ratebook.book.failures import BookError
from ratebook.book.profile import Profile
from ratebook.office.creation import create_book
from support.book_reports import add_members
from support.book_rounds import ACTOR
from support.hang_guard import HANG_GUARD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def file_book(tmp_path: Path) -> Iterator[Book]:
    """Give a book in a file."""
    made = create_book(str(tmp_path / "federation.book"), Profile(), ACTOR)
    yield made
    made.close()


def pragma(book: Book, name: str) -> object:
    with book.reading() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def place_of(book: Book) -> str:
    return book.engine.url.render_as_string(hide_password=False) if book.on_server else book.url


@pytest.fixture
def file_in_use(
    unsynchronized_files: Callable[[sqlite3.Connection, object], None], file_book: Book
) -> Iterator[Book]:
    """Give a book whose connections the tests do not change."""
    event.remove(Engine, "connect", unsynchronized_files)
    book = open_book(file_book.url)
    yield book
    book.close()
    event.listen(Engine, "connect", unsynchronized_files)


def test_a_file_keeps_a_log_and_every_commit_reaches_the_disk(file_in_use: Book) -> None:
    # https://www.sqlite.org/pragma.html: 2 is FULL.
    assert pragma(file_in_use, "journal_mode") == "wal"
    assert pragma(file_in_use, "synchronous") == 2
    assert pragma(file_in_use, "foreign_keys") == 1
    assert pragma(file_in_use, "busy_timeout") == WAIT_SECONDS * 1000


def test_every_connection_of_the_pool_is_the_same(file_in_use: Book) -> None:
    with file_in_use.reading() as one, file_in_use.reading() as other, file_in_use.writing() as third:
        assert len({id(connection.connection.driver_connection) for connection in (one, other, third)}) == 3
        for connection in (one, other, third):
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_the_log_is_copied_into_the_file_and_goes_with_the_last_connection(file_book: Book) -> None:
    add_members(file_book, 5)
    assert pragma(file_book, "wal_autocheckpoint") == 1000
    path = file_book.url
    file_book.close()
    raw = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    assert raw.execute("SELECT count(*) FROM members").fetchone() == (5,)
    raw.close()


def test_a_row_that_refers_to_nothing_is_refused(book: Book) -> None:
    with pytest.raises(BookError) as refused, book.writing() as connection:
        connection.execute(
            schema.memberships.insert().values(
                member_id="90000001", starts=func.current_date(), expires=func.current_date()
            )
        )
    assert refused.value.finding.code == "book-contradicted"


def test_a_writer_has_the_file_from_the_beginning(file_book: Book) -> None:
    raw = sqlite3.connect(file_book.url, timeout=0, isolation_level=None)
    with file_book.writing():
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            raw.execute("BEGIN IMMEDIATE")
        assert raw.execute("SELECT count(*) FROM book").fetchone() == (1,)
    raw.execute("BEGIN IMMEDIATE")
    raw.close()


def test_a_reader_sees_one_state_however_long_it_reads(book: Book) -> None:
    with book.reading() as reader:
        before = reader.execute(select(func.count()).select_from(schema.members)).scalar()
        add_members(book, 3)
        assert reader.execute(select(func.count()).select_from(schema.members)).scalar() == before == 0
    with book.reading() as reader:
        assert reader.execute(select(func.count()).select_from(schema.members)).scalar() == 3


def test_a_second_writer_waits_and_sees_what_the_first_one_wrote(book: Book) -> None:
    begun, seen = threading.Event(), []

    def second() -> None:
        other = open_book(place_of(book), wait_seconds=HANG_GUARD)
        begun.set()
        with other.writing() as connection:
            seen.append(connection.execute(text("SELECT count(*) FROM audit WHERE action = 'look'")).scalar())
        other.close()

    thread = threading.Thread(target=second)
    with book.writing() as connection:
        thread.start()
        assert begun.wait(HANG_GUARD)
        note_audit(connection, ACTOR, "look", BOOK)
    thread.join(HANG_GUARD)
    assert seen == [1]


def test_what_raises_leaves_nothing(book: Book) -> None:
    def write() -> None:
        with book.writing() as connection:
            note_audit(connection, ACTOR, "look", BOOK)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write()
    with book.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM audit WHERE action = 'look'")).scalar() == 0


@pytest.mark.parametrize("name", ["with space.book", "50%.book", "why?.book", "#1.book", "Föderation.book"])
def test_a_path_may_hold_any_character(tmp_path: Path, name: str) -> None:
    create_book(str(tmp_path / name), Profile(), ACTOR).close()
    open_book(str(tmp_path / name)).close()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_address_of_a_file_is_taken_too(file_book: Book) -> None:
    again = open_book(f"sqlite:///{file_book.url}")
    assert pragma(again, "journal_mode") == "wal"
    again.close()


def test_what_is_tried_is_seen_by_what_follows_and_then_gone(book: Book) -> None:
    def names() -> list[str]:
        with book.reading() as connection:
            found = load_members(connection, ["90000001", "90000002", "90000003"])
        return sorted(found)

    def add(member: str) -> None:
        with book.writing() as connection:
            write_members(connection, [MemberFacts(member)])
            if member == "90000002":
                raise LookupError

    with book.trying():
        add("90000001")
        with pytest.raises(LookupError):
            add("90000002")
        add("90000003")
        assert names() == ["90000001", "90000003"]
    assert names() == []
    add("90000003")
    assert names() == ["90000003"]

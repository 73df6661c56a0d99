"""Values that a store should not hold are findings of `verify`, never a traceback: one in each column of each table."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import Column, event, text
from sqlalchemy.exc import DBAPIError

from ratebook.book import schema
from ratebook.book.connection import open_book
from ratebook.book.failures import BookError
from ratebook.findings import Severity
from ratebook.office.copies.backup import restore
from ratebook.office.decisions.events import withdraw
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from support.book_reports import report, send
from support.book_rounds import ACTOR, work_a_round
from support.postgresql import drop_database, new_database
from unit.templates import nothing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ratebook.book.connection import Book
    from ratebook.findings import Finding
    from unit.templates import Templates

GARBAGE: dict[str, Any] = {"word": "garbage", "bytes": b"\xff\xfe", "number": 103, "nothing": None}
COLUMNS = [column for table in schema.metadata.sorted_tables for column in table.columns]
EVERY = [8, pytest.param(1, marks=pytest.mark.soak)]
"""Every other column gets a value of one wrong kind; all get all of them in the soak."""
NOT_VOUCHED_FOR = {
    *(
        (table, column.name)
        for table in ("changed", "name_words")
        for column in schema.metadata.tables[table].c
    ),
    ("book", "revision"),
    ("findings", "id"),
    ("ledger", "id"),
    ("memberships", "id"),
}
"""What docs/book/chain.md says that nobody notices, as long as it is of the right kind."""

TEAM_OF_FIVE = (
    "W2 W3 W4 W5 W6",
    "L1 D4 D3 D6 D5",
    "D5 L1 D2 D4 H",
    "D6 D2 L1 D3 H",
    "D3 D6 H L1 D2",
    "D4 D5 H D2 L1",
)
"""The winner earns a norm."""


def fill(book: Book) -> None:
    """Give a book rows in all tables, a withdrawn section among them."""
    work_a_round(book)
    send(book, report("2026-03-07", (8, 1, 2, 3, 4, 5), TEAM_OF_FIVE), ACTOR)
    rate_ready(book, ACTOR)
    with book.reading() as connection:
        events = connection.execute(text("SELECT id FROM events ORDER BY id")).scalars().all()
    withdraw(book, SectionRef(events[1], 1), Reason(ACTOR, "sent twice"))
    rerate(book, ACTOR)
    withdraw(book, SectionRef(events[2], 1), Reason(ACTOR, "sent twice"))


@pytest.fixture
def unguarded(tmp_path: Path, template_files: Templates) -> Iterator[Book]:
    """A rich book in a file that takes anything: without triggers, references and required values."""
    path = shutil.copy(template_files.place_of(fill), tmp_path / "rich.book")
    with closing(sqlite3.connect(path)) as raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute("PRAGMA writable_schema = ON")
        made = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        for name, sql in made:
            open_to_all = re.sub(r" NOT NULL|(CONSTRAINT \w+ )?CHECK \([^)]*\),?", "", sql or "")
            raw.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (open_to_all, name))
        raw.commit()
    with closing(open_book(str(path))) as book:
        event.listen(book.engine, "connect", lambda raw, _: raw.execute("PRAGMA foreign_keys = OFF"))
        book.engine.dispose()
        yield book


@pytest.fixture
def on_server(server: str, template_databases: Templates) -> Iterator[Book]:
    """The same book on a server, whose types and required values hold."""
    place = new_database(server, template_databases.place_of(fill))
    with closing(open_book(place)) as book:
        yield book
    drop_database(server, place)


@pytest.mark.long
@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("kind", GARBAGE)
def test_a_value_of_a_wrong_kind_anywhere_is_a_finding(unguarded: Book, kind: str, every: int) -> None:
    columns = COLUMNS[2 * list(GARBAGE).index(kind) % every :: every]
    noticed, unnoticed = noticed_changes(unguarded, dict.fromkeys(columns, GARBAGE[kind]))
    assert len(noticed) > 12
    assert unnoticed <= NOT_VOUCHED_FOR


@pytest.mark.parametrize("every", EVERY)
def test_a_value_that_makes_no_sense_is_a_finding_on_postgresql(on_server: Book, every: int) -> None:
    garbage = {str: "garbage", date: "infinity", float: "NaN", int: 103, bool: None}
    noticed, unnoticed = noticed_changes(
        on_server, {column: garbage[column.type.python_type] for column in COLUMNS[1 % every :: every]}
    )
    assert len(noticed) > 12
    assert unnoticed <= NOT_VOUCHED_FOR


def noticed_changes(
    book: Book, changes: Mapping[Column[Any], object]
) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Change one value of a table after the other; return which verify notices, and which it does not."""
    whole = errors(book)
    noticed: set[tuple[str, str]] = set()
    unnoticed: set[tuple[str, str]] = set()
    for column, value in changes.items():
        with book.trying():
            if is_changed(book, column, value):
                (noticed if errors(book) - whole else unnoticed).add((column.table.name, column.name))
    return noticed, unnoticed


def errors(book: Book) -> set[Finding]:
    return {one for one in verify(book).findings if one.severity is Severity.ERROR}


def is_changed(book: Book, column: Column[Any], value: object) -> bool:
    """Change one value; return whether it is another one then, which the store may refuse."""
    row = f"({', '.join(key.name for key in column.table.primary_key)})"
    name, table = f'"{column.name}"', f'"{column.table.name}"'
    shown = f"CAST({name} AS TEXT)" if book.on_server else f"typeof({name}) || hex({name})"
    first = f"{row} = (SELECT {row[1:-1]} FROM {table} ORDER BY {row[1:-1]} LIMIT 1)"  # noqa: S608 - names of the schema
    reading = text(f"SELECT {shown} FROM {table} WHERE {first}")  # noqa: S608 - as above
    changing = text(f"UPDATE {table} SET {name} = :value WHERE {first} RETURNING {shown}")  # noqa: S608 - as above
    try:
        with book.writing() as connection:
            if book.on_server:
                connection.execute(text("SET LOCAL session_replication_role = replica"))
            before = connection.execute(reading).scalars().all()
            after = connection.execute(changing, {"value": value}).scalars().all()
            if book.on_server:
                connection.execute(text("SET LOCAL session_replication_role = origin"))
    except DBAPIError:
        return False
    return before != after


def test_words_of_sqlite_that_are_no_text_are_a_finding(tmp_path: Path, template_files: Templates) -> None:
    fresh = template_files.place_of(nothing)
    damaged = str(shutil.copy(fresh, tmp_path / "damaged.book"))
    with closing(sqlite3.connect(damaged)) as raw:
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("UPDATE sqlite_master SET name = CAST(x'ff' AS TEXT), sql = '' WHERE name = 'games'")
        raw.commit()
    with pytest.raises(BookError) as opened:
        open_book(damaged)
    with pytest.raises(BookError) as restored:
        restore(damaged, str(tmp_path / "league.book"), ACTOR)
    assert {opened.value.finding.code, restored.value.finding.code} == {"book-unreadable"}
    # A book that cannot be read is replaced as a whole.
    restore(fresh, damaged, ACTOR)
    with closing(open_book(damaged)) as book:
        assert not errors(book)


def test_a_backup_with_a_seat_that_is_not_there_is_refused(unguarded: Book, tmp_path: Path) -> None:
    with unguarded.writing() as connection:
        connection.execute(
            text("UPDATE games SET opponent = 103 WHERE (section_id, seat, round) = (1, 1, 1)")
        )
    sections = [one.where for one in errors(unguarded) if one.code == "section-differs"]
    assert sections == ["event 202601030001, section 1"]
    assert not [one for one in errors(unguarded) if one.code == "verify-stopped"]
    with pytest.raises(BookError) as refused:
        restore(unguarded.url, str(tmp_path / "league.book"), ACTOR)
    assert refused.value.finding.code == "backup-not-clean"

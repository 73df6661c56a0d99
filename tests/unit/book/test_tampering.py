"""What somebody changes past this program is noticed, in either store: docs/book/tampering.toml, one by one."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, text

from ratebook.book import schema
from ratebook.book.chain.checking import is_intact
from ratebook.book.chain.contents import Linked, subjects_of
from ratebook.book.chain.links import link_noted, note_linked, read_links
from ratebook.book.chain.rights import ADDED_TO
from ratebook.book.connection import Actor
from ratebook.book.failures import BookError
from ratebook.findings import Severity
from ratebook.office.decisions.events import GameResult, correct_result, withdraw
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.erasure.erase import erase
from ratebook.office.publish.seals import seal
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.verify import verify
from support.book_reports import member_id, report, send
from support.book_rounds import work_a_round

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ratebook.book.connection import Book, Connection
    from unit.templates import BookAfter

CHANGES = tomllib.loads(
    (Path(__file__).parents[3] / "docs" / "book" / "tampering.toml").read_text(encoding="utf-8")
)["change"]
ACTOR = Actor("office", "2026-11-20T12:00:00Z")


@pytest.fixture
def busy(book_after: BookAfter) -> Book:
    """A book with a list, superseded rows, norms, decisions, accepted warnings and something that waits."""
    return book_after(work_long)


def work_long(book: Book) -> None:
    work_a_round(book)
    winner = (
        "W2 W3 W4 W5 W6",
        "L1 D4 D3 D6 D5",
        "D5 L1 D2 D4 H",
        "D6 D2 L1 D3 H",
        "D3 D6 H L1 D2",
        "D4 D5 H D2 L1",
    )
    send(book, report("2026-03-07", (8, 1, 2, 3, 4, 5), winner), ACTOR)
    rate_ready(book, ACTOR)
    with book.reading() as connection:
        event = connection.execute(select(schema.events.c.id).order_by(schema.events.c.id)).scalars().first()
    assert event is not None
    correct_result(book, SectionRef(event, 1), GameResult(1, 1, "L", "W"), Reason(ACTOR, "a slip", ["all"]))
    sent_twice = send(book, report("2026-03-08", (1, 2), ("W2", "L1")), ACTOR)
    rate_ready(book, ACTOR)
    withdraw(book, SectionRef(sent_twice.event_id, 1), Reason(ACTOR, "sent twice"))


def past_the_program(book: Book, statements: Sequence[str]) -> int:
    """Change a book as somebody would who knows its triggers, and puts them back; return how many rows."""
    with book.writing() as connection:
        kept = _triggers(connection)
        if book.on_server:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        else:
            connection.execute(text("PRAGMA defer_foreign_keys = ON"))
            for name in kept:
                connection.execute(text(f"DROP TRIGGER {name}"))
        rows = sum(connection.exec_driver_sql(one).rowcount for one in statements)
        if book.on_server:
            connection.execute(text("SET LOCAL session_replication_role = origin"))
        else:
            for created in kept.values():
                connection.exec_driver_sql(created)
        return rows


def _triggers(connection: Connection) -> dict[str, str]:
    if connection.dialect.name != "sqlite":
        return {}
    rows = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
    return {row.name: row.sql for row in rows}


def test_every_change_is_noticed(busy: Book) -> None:
    assert [one for one in verify(busy).findings if one.severity is Severity.ERROR] == []
    unnoticed = []
    for change in CHANGES:
        with busy.trying():
            assert past_the_program(busy, change["sql"]) > 0, change["what"]
            with busy.reading() as connection:
                # What verify begins with; it need not compute the ledger where that finds something.
                found = not is_intact(connection)
            if not found and not any(one.severity is Severity.ERROR for one in verify(busy).findings):
                unnoticed.append(change["what"])
    assert unnoticed == []


def test_the_store_refuses_what_is_not_done_past_its_triggers(busy: Book) -> None:
    """On a file REPLACE deletes rows without a word to the triggers for deleting."""
    copies = {
        name: ", ".join(f'"{one.name}"' for one in table.c) for name, table in schema.metadata.tables.items()
    }
    replaced = [
        f"INSERT OR REPLACE INTO {name} SELECT {columns} FROM {name}"  # noqa: S608 - names of the schema
        for name, columns in copies.items()
    ]
    refused = []
    for name, statement in zip(copies, replaced, strict=True):
        if name in ADDED_TO:
            attempts = [f"DELETE FROM {name}", *([] if busy.on_server else [statement])]  # noqa: S608 - as above
            for attempt in attempts:
                with pytest.raises(BookError) as failed, busy.writing() as connection:
                    connection.exec_driver_sql(attempt)
                assert f"rows of {name}" in failed.value.finding.message
                refused.append(failed.value.finding.code)
    assert set(refused) == {"book-contradicted"}
    with busy.reading() as connection:
        assert is_intact(connection)


def test_a_row_is_not_replaced_under_another_number(new_book: Callable[[], Book]) -> None:
    book = new_book()
    work_a_round(book)
    columns = ", ".join(f'"{one.name}"' for one in schema.ledger.c if one.name != "id")
    again = (
        f"INSERT OR REPLACE INTO ledger ({columns}) SELECT {columns} FROM ledger WHERE superseded_by IS NULL"  # noqa: S608 - names of the schema
    )
    with pytest.raises(BookError, match="not replaced"), book.writing() as connection:
        connection.exec_driver_sql(again)


def test_triggers_that_are_gone_are_named(busy: Book) -> None:
    with busy.reading() as connection:
        assert is_intact(connection)
    with busy.trying():
        with busy.writing() as connection:
            on_server = " ON ledger" if busy.on_server else ""
            connection.exec_driver_sql(f"DROP TRIGGER ledger_never_changes{on_server}")
        found = [(one.code, one.where) for one in verify(busy).findings if one.severity is Severity.ERROR]
        assert found == [("guard-missing", "trigger ledger_never_changes")]


def test_a_seal_outlives_the_book(busy: Book) -> None:
    """Whoever rewrites the whole past, links and all, cannot make the hash that was noted outside."""
    sealed = seal(busy, ACTOR.at)
    assert sealed.head.number > len(CHANGES)
    rate_ready(busy, ACTOR)
    send(busy, report("2026-03-14", (1, 2), ("W2", "L1")), ACTOR)
    assert not [one for one in verify(busy, sealed=sealed.head).findings if one.severity is Severity.ERROR]
    with busy.trying():
        past_the_program(busy, ["UPDATE members SET name = 'X' WHERE id = '90000001'", "DELETE FROM chain"])
        with busy.writing() as connection:
            for kind in Linked:
                note_linked(connection, kind, subjects_of(connection, kind))
            link_noted(connection)
        with busy.reading() as connection:
            assert is_intact(connection)
        errors = [
            one.code for one in verify(busy, sealed=sealed.head).findings if one.severity is Severity.ERROR
        ]
        assert errors == ["seal-not-found"]


def test_what_is_erased_cannot_be_guessed_from_the_chain(busy: Book) -> None:
    """Without its salt, a digest of the past is compared with nothing."""
    with busy.reading() as connection:
        before = [
            one for one in read_links(connection) if (one.kind, one.subject) == ("member", member_id(6))
        ]
        assert all(one.salt for one in before)
    erase(busy, member_id(6), Reason(ACTOR, "asked for", ["all"]))
    with busy.reading() as connection:
        links = list(read_links(connection))
        of_member = [one for one in links if (one.kind, one.subject) == ("member", member_id(6))]
        assert [one.salt for one in of_member[:-1]] == [""] * len(before)
        assert [one.head for one in of_member[:-1]] == [one.head for one in before]
        assert of_member[-1].salt
        reports = {one.subject for one in links if one.kind == "submission" and not one.salt}
        assert reports
    assert not [one for one in verify(busy).findings if one.severity is Severity.ERROR]


def test_the_hashes_are_those_of_the_page(busy: Book) -> None:
    """By docs/book/chain.md, with nothing but a hash and JSON, for an entry of the audit log."""
    with busy.reading() as connection:
        links = list(read_links(connection))
        row = connection.execute(select(schema.audit).order_by(schema.audit.c.id)).first()
    assert row is not None
    said = {name: value for name, value in row._asdict().items() if name != "id" and value is not None}
    assert said.keys() == {"at", "by", "action", "subject", "details", "subject_kind", "subject_id"}
    content = json.dumps([said], separators=(",", ":"), sort_keys=True)
    head = ""
    for number, link in enumerate(links, start=1):
        assert link.number == number
        if (link.kind, link.subject) == ("audit", str(row.id)):
            assert link.digest == hashlib.sha256((link.salt + content).encode()).hexdigest()
        line = "\n".join((head, str(number), link.kind, link.subject, link.digest))
        head = hashlib.sha256(line.encode()).hexdigest()
        assert link.head == head

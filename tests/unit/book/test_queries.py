"""A query that is written out once brings what SQLAlchemy brings, and fails as it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from benchmarks.book_contents import PLAYERS, Crowd, fill_large_book
from sqlalchemy import BindParameter, Select, bindparam, func, select

from ratebook.book import schema
from ratebook.book.failures import BookError
from ratebook.book.queries import PreparedQuery
from support.office_round import ACTOR

if TYPE_CHECKING:
    from ratebook.book.connection import Book
    from unit.templates import BookAfter

CROWD = Crowd(100)
IDS = [CROWD.id(number) for number in range(PLAYERS)][:7]
members, ledger, sections = schema.members, schema.ledger, schema.sections
IN_LIST: BindParameter[list[str]] = bindparam("ids", expanding=True)
QUERIES: dict[str, tuple[Select[Any], dict[str, Any]]] = {
    "texts and numbers": (
        select(ledger.c.system, ledger.c.place, ledger.c.rating, ledger.c.games, ledger.c.superseded_by)
        .where(ledger.c.member_id == bindparam("member"))
        .order_by(ledger.c.place, ledger.c.id),
        {"member": IDS[3]},
    ),
    "days, flags, and names that come twice": (
        select(
            sections.c.end,
            sections.c.withdrawn,
            sections.c.name,
            schema.events.c.name,
            func.max(ledger.c.rating),
        )
        .join(schema.events, schema.events.c.id == sections.c.event_id)
        .join(ledger, ledger.c.section_id == sections.c.id)
        .where(sections.c.end >= func.coalesce(bindparam("since"), sections.c.end))
        .group_by(sections.c.id, schema.events.c.id)
        .order_by(sections.c.id)
        .limit(20),
        {"since": None},
    ),
    "a list": (
        select(members.c.id, members.c.birth_date).where(members.c.id.in_(IN_LIST)).order_by(members.c.id),
        {"ids": IDS},
    ),
    "an empty list": (select(members.c.id).where(members.c.id.in_(IN_LIST)), {"ids": []}),
}


def filled(book: Book) -> None:
    fill_large_book(book, ACTOR, ledger_rows=500, crowd=CROWD)


@pytest.fixture
def book(book_after: BookAfter) -> Book:
    return book_after(filled)


@pytest.mark.parametrize("name", QUERIES)
def test_the_rows_are_those_of_sqlalchemy(book: Book, name: str) -> None:
    query, values = QUERIES[name]
    prepared = PreparedQuery(query)
    with book.reading() as connection:
        rows = [tuple(row) for row in connection.execute(query, values)]
        assert [tuple(row) for row in prepared.rows(connection, **values)] == rows
        assert bool(rows) is (name != "an empty list")


def test_lists_of_each_length_and_values_may_change(book: Book) -> None:
    query, values = QUERIES["a list"]
    prepared = PreparedQuery(query)
    with book.reading() as connection:
        for ids in (values["ids"][:3], values["ids"][2:5], values["ids"], values["ids"][:1], ["nobody"]):
            rows = prepared.rows(connection, ids=ids)
            assert [row.id for row in rows] == sorted(set(ids) & set(IDS))


def test_a_failure_of_the_store_is_a_finding(book: Book) -> None:
    prepared = PreparedQuery(select(schema.book.c.revision).where(func.abs(1, 2, 3) == 1))
    with pytest.raises(BookError), book.reading() as connection:
        prepared.tuples(connection)

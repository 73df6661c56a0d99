"""Members who may be meant by an id that is not theirs: what the question costs is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.facts.similar_members import MOST_SUGGESTED, Suggestions, similar_members
from ratebook.book.reports import with_members
from support.book_reports import FIRST_ID, add_members, member_id, report
from support.web.query_plans import scanned, statements

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.book.connection import Book


def test_a_text_that_is_no_id_is_not_looked_for_letter_by_letter(book: Book) -> None:
    """A file had a cell of five thousand letters, and the question had fifty thousand texts as long as it."""
    with book.reading() as connection, statements(book) as asked:
        assert similar_members(connection, "9" * 5_000, "x" * 100_000) == []
    assert asked
    assert max(len(parameters) for _, parameters in asked) < 40


@pytest.mark.parametrize(
    ("member", "name", "meant"),
    [
        ("90000001", "Quimby, Ada", "ADA"),
        ("70000001", "Quimby, Ada", "ADA"),
        ("70000001", "ADA QUIMBY", "ADA"),
        ("70000001", "Quimbey, Ada", "ADA"),
        ("70000001", "Qimby, Ada", "ADA"),
        ("70000001", "Quimby, Adam", "ADA"),
        ("70000001", "Wuimby, Ada", "ADA"),
        ("70000001", "Smith-Jones, Berta", "BERTA"),
    ],
)
def test_a_name_leads_to_the_member_among_many_with_its_parts(
    new_book: Callable[[], Book], member: str, name: str, meant: str
) -> None:
    book = new_book()
    persons = {"ADA": "QUIMBY, ADA", "BERTA": "JONES, BERTA"}
    crowd = [f"QUIMBY, {chr(65 + at // 26)}{chr(65 + at % 26)}X" for at in range(200)]
    crowd += [f"{chr(65 + at // 26)}{chr(65 + at % 26)}X, ADA" for at in range(200)]
    with book.writing() as connection:
        named = [MemberFacts(str(80_000_000 + at), one) for at, one in enumerate(crowd)]
        write_members(connection, [*named, *(MemberFacts(one, name) for one, name in persons.items())])
    with book.reading() as connection:
        assert similar_members(connection, member, name)[0] == (meant, persons[meant])


def test_no_table_is_read_as_a_whole_to_suggest_members(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 1_000)
    with book.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")
    with book.reading() as connection:
        with statements(book) as asked:
            similar_members(connection, member_id(9_000), "EXAMPLE, PLAYER 9000")
        assert len(asked) == 3
        assert {line for one in asked for line in scanned(connection, *one)} == set()


def test_a_report_of_unknown_ids_asks_no_more_than_one_of_a_few(new_book: Callable[[], Book]) -> None:
    """Each unknown id was looked for: forty thousand took minutes."""
    book = new_book()
    add_members(book, 20)
    asked_for = []
    with book.reading() as connection:
        for size in (MOST_SUGGESTED, 5 * MOST_SUGGESTED):
            strangers = report("2026-03-01", range(1_000, 1_000 + size), ["U"] * size)
            with statements(book) as asked:
                _, findings = with_members(connection, strangers)
            assert len(findings) == size
            asked_for.append(len(asked))
    assert asked_for[0] == asked_for[1]


def test_suggestions_of_a_file_end(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 1)
    with book.reading() as connection:
        suggestions = Suggestions(connection, 2)
        offered = [suggestions.of(f"{FIRST_ID + 10 * at}1"[-8:], "Example, Player 1") for at in (1, 2, 3)]
    assert [bool(one) for one in offered] == [True, True, False]

"""Members are found by id, by parts of their names, and by what else the book knows of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.facts.members import MemberFacts, MemberQuestion, erase_member, find_members, write_members
from support.book_reports import add_members, member_id

if TYPE_CHECKING:
    from ratebook.book.connection import Book

NAMES = {1: "Kim, Noah", 2: "García Pérez, Sam", 3: "KIM NOAH JAMES", 4: "Noor, Ann", 5: "Kim, Ann"}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (MemberQuestion("kim noah"), [3, 1]),
        (MemberQuestion("noah kim"), [3, 1]),
        (MemberQuestion("García Sam"), [2]),
        (MemberQuestion("sam garcia"), [2]),
        (MemberQuestion("Garcia, S"), [2]),
        (MemberQuestion("a"), [5, 4]),
        (MemberQuestion("per"), [2]),
        (MemberQuestion("am"), [3, 2]),
        (MemberQuestion("arci"), [2]),
        (MemberQuestion("100%_nobody"), []),
        (MemberQuestion(member_id(4)), [4]),
        (MemberQuestion(member_id(4)[1:]), []),
        (MemberQuestion(member_id(4)[1:], id_parts=True), [4]),
        (MemberQuestion(member_id(4)[:-1], id_parts=True), [5, 4, 3, 1, 2]),
        (MemberQuestion(club="ecole"), [4, 2]),
        (MemberQuestion("noor", club="ecole"), [4]),
        (MemberQuestion(fide_id="1503014"), [1]),
        (MemberQuestion(state="mn", federation="ngr"), [3]),
        (MemberQuestion("kim", most=2), [5, 3]),
        (MemberQuestion("kim", most=2, page=2), [1]),
    ],
)
def test_members_are_found_by_parts_of_the_name_in_any_order_and_by_facts(
    book: Book, asked: MemberQuestion, found: list[int]
) -> None:
    add_members(book, 5)
    facts = {
        at: MemberFacts(member_id(at), name, state="MN" if at == 3 else "") for at, name in NAMES.items()
    }
    facts[1] = facts[1]._replace(fide_id="1503014")
    facts[2] = facts[2]._replace(club="École Lincoln")
    facts[3] = facts[3]._replace(federation="NGR")
    facts[4] = facts[4]._replace(club="ECOLE DU LAC")
    with book.writing() as connection:
        write_members(connection, facts.values())
    with book.reading() as connection:
        members, total = find_members(connection, asked)
    assert [one.id for one in members] == [member_id(at) for at in found]
    assert total == (3 if asked.text == "kim" else len(found))


def test_a_former_name_and_an_erased_one_are_not_found(book: Book) -> None:
    add_members(book, 2)
    names = {1: "Kim, Noah", 2: "Kim, Sam"}
    with book.writing() as connection:
        write_members(connection, [MemberFacts(member_id(at), name) for at, name in names.items()])
        write_members(connection, [MemberFacts(member_id(1), "Example, Noah")])
        erase_member(connection, member_id(2), "2026-11-22T12:00:00Z")
    with book.reading() as connection:
        found = {
            text: [one.id for one in find_members(connection, MemberQuestion(text))[0]]
            for text in ("kim", "exa", "noah", "sam")
        }
        words = set(connection.execute(select(schema.name_words.c.word)).scalars())
    assert found == {"kim": [], "exa": [member_id(1)], "noah": [member_id(1)], "sam": []}
    assert words == {"noah", "example"}

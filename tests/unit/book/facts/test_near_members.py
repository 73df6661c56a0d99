"""A search that finds no one offers the members who are meant, however long the list of members is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.facts.near_members import MOST_OFFERED, near_members
from support.book_reports import add_members, member_id

if TYPE_CHECKING:
    from ratebook.book.connection import Book

NAMES = {
    1: "Heron, Alice",
    2: "Alder, Bruno",
    3: "Kowalski, Riko",
    4: "García Pérez, Sam",
    5: "Herring, Alan",
    6: "Alder, Brunhild",
}


@pytest.fixture
def book_of_names(book: Book) -> Book:
    """Give a book of members with the names above."""
    add_members(book, len(NAMES))
    with book.writing() as connection:
        write_members(connection, [MemberFacts(member_id(at), name) for at, name in NAMES.items()])
    return book


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("herom", [1]),  # the last letter is wrong
        ("geron", [1]),  # the first
        ("hreon", [1]),  # two are swapped
        ("heeron alice", [1]),  # one is too many
        ("heron alce", [1]),  # one is missing
        ("kowalksi rico", [3]),  # both words have a slip
        ("Kowlas", [3]),  # the beginning of a name
        ("garzia", [4]),
        ("alder brun0", []),  # a text with a digit is an id
        ("bruno adler", [2, 6]),
        ("zzzzz", []),
        ("x", []),
        ("", []),
    ],
)
def test_a_slip_is_forgiven(book_of_names: Book, text: str, offered: list[int]) -> None:
    with book_of_names.reading() as connection:
        assert [member.id for member in near_members(connection, text)] == [member_id(at) for at in offered]


def test_the_nearest_come_first(book_of_names: Book) -> None:
    """Of "alder brunno" one letter is too many for Bruno; Brunhild is two letters away."""
    with book_of_names.reading() as connection:
        offered = [member.id for member in near_members(connection, "alder brunno")]
    assert offered[0] == member_id(2)


def test_an_id_with_a_wrong_digit_is_offered(book_of_names: Book) -> None:
    wrong = f"8{member_id(3)[1:]}"
    with book_of_names.reading() as connection:
        assert [member.id for member in near_members(connection, wrong)] == [member_id(3)]


def test_no_more_than_a_few_are_offered(book: Book) -> None:
    add_members(book, 20)
    with book.writing() as connection:
        write_members(connection, [MemberFacts(member_id(at), f"Heron, Alice {at}") for at in range(1, 21)])
    with book.reading() as connection:
        assert len(near_members(connection, "alise heron")) == MOST_OFFERED

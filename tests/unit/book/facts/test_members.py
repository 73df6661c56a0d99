from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.book.facts.members import find_members
from support.book_reports import member_id

if TYPE_CHECKING:
    from ratebook.book.connection import Book


def test_members_are_found_by_a_part_of_the_name(season: Book) -> None:
    with season.reading() as connection:
        assert [one.id for one in find_members(connection, "player 3")] == [member_id(3)]
        assert len(find_members(connection, "example")) == 5
        assert find_members(connection, "100%_nobody") == []
